"""The panel as a program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.ui.application import run_application

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

NAME = "minebot-panel"  # the window's class on X11


def show_panel(folder: Path) -> None:
    """Show the panel, whose settings are kept in ``folder``, until it is closed.

    Raises what `run_application` raises.
    """

    def make(_scale: float) -> QWidget:
        from bot.ui.panel.choices import KeptPanel
        from bot.ui.panel.process import Process
        from bot.ui.panel.window import Panel

        return Panel(KeptPanel(folder), Process())

    run_application(NAME, make)
