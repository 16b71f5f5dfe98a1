"""Light and dark."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

_ROLES = QPalette.ColorRole
_LIGHT = {
    _ROLES.Window: "#efefef",
    _ROLES.WindowText: "#000000",
    _ROLES.Base: "#ffffff",
    _ROLES.AlternateBase: "#f7f7f7",
    _ROLES.Text: "#000000",
    _ROLES.Button: "#efefef",
    _ROLES.ButtonText: "#000000",
    _ROLES.ToolTipBase: "#ffffdc",
    _ROLES.ToolTipText: "#000000",
    _ROLES.PlaceholderText: "#808080",
    _ROLES.Highlight: "#308cc6",
    _ROLES.HighlightedText: "#ffffff",
    _ROLES.Light: "#ffffff",
    _ROLES.Dark: "#9f9f9f",
    _ROLES.Mid: "#b8b8b8",
    _ROLES.Shadow: "#767676",
}
_DARK = {
    _ROLES.Window: "#2b2d31",
    _ROLES.WindowText: "#e8e8e8",
    _ROLES.Base: "#1f2124",
    _ROLES.AlternateBase: "#26282c",
    _ROLES.Text: "#e8e8e8",
    _ROLES.Button: "#3a3d43",
    _ROLES.ButtonText: "#e8e8e8",
    _ROLES.ToolTipBase: "#3a3d43",
    _ROLES.ToolTipText: "#e8e8e8",
    _ROLES.PlaceholderText: "#8f949c",
    _ROLES.Highlight: "#3f7fb5",
    _ROLES.HighlightedText: "#ffffff",
    _ROLES.Light: "#50545c",
    _ROLES.Dark: "#17181a",
    _ROLES.Mid: "#25272b",
    _ROLES.Shadow: "#0d0e10",
}
_GREYED = {"light": "#9a9a9a", "dark": "#7b8088"}
_COMPLAINT = {False: "#b3261e", True: "#ff8a80"}


def colour(name: str) -> None:
    """Let the application have these colours; those of the desktop unless they are "light" or "dark"."""
    if name in _GREYED:
        QApplication.setPalette(_palette(_LIGHT if name == "light" else _DARK, _GREYED[name]))
    else:
        QApplication.setPalette(QPalette())  # it follows the desktop again


def complaint(palette: QPalette) -> str:
    """Return the colour of what is wrong, on such a ground."""
    return _COMPLAINT[palette.color(_ROLES.Window).lightness() < 128]


def _palette(colours: dict[QPalette.ColorRole, str], greyed: str) -> QPalette:
    palette = QPalette()
    for role, value in colours.items():
        palette.setColor(role, QColor(value))
    for role in (_ROLES.WindowText, _ROLES.Text, _ROLES.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(greyed))
    return palette
