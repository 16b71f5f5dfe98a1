"""Run inside Windows Python: a window with a dialog without a caption, as `winmine.exe` asks for a name."""

from __future__ import annotations

import ctypes
import struct
from ctypes import wintypes

from bot.desktop import load_library

TITLE = "Names"
_WINDOW, _VISIBLE = 0xCF0000, 0x10000000  # WS_OVERLAPPEDWINDOW, WS_VISIBLE
_POPUP, _BORDER, _CHILD, _TAB_STOP, _DEFAULT = 0x80000000, 0x800000, 0x40000000, 0x10000, 1
_BUTTON, _EDIT = 0x80, 0x81  # classes of controls
_INIT, _COMMAND = 0x110, 0x111  # messages
_OK, _CANCEL, _FIELD = 1, 2, 10  # numbers of controls


def _control(kind: int, style: int, place: tuple[int, int, int, int], number: int) -> bytes:
    """Return a DLGITEMTEMPLATE without a text."""
    style |= _CHILD | _VISIBLE | _TAB_STOP
    return struct.pack("<II4hH", style, 0, *place, number) + struct.pack("<5H", 0xFFFF, kind, 0, 0, 0)


def _template() -> bytes:
    """Return a DLGTEMPLATE: a border, no caption, a field and a default button."""
    controls = [
        _control(_EDIT, _BORDER, (10, 10, 80, 12), _FIELD),
        _control(_BUTTON, _DEFAULT, (30, 30, 40, 14), _OK),
    ]
    style = _POPUP | _VISIBLE | _BORDER
    head = struct.pack("<IIH4h3H", style, 0, len(controls), 20, 20, 100, 50, 0, 0, 0)
    return b"".join(part + bytes(-len(part) % 4) for part in (head, *controls))


def main() -> None:
    """Open the window and the dialog; show the window alone once the dialog is answered."""
    user32 = load_library("user32")
    user32.CreateWindowExW.restype = wintypes.HWND
    user32.EndDialog.argtypes = wintypes.HWND, ctypes.c_ssize_t
    kind = ctypes.WINFUNCTYPE(  # type: ignore[attr-defined,unused-ignore]
        ctypes.c_ssize_t, wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM
    )

    def heard(dialog: int, message: int, what: int, _: int) -> int:
        if message == _COMMAND and what & 0xFFFF in (_OK, _CANCEL):
            user32.EndDialog(dialog, 1)
        return int(message == _INIT)

    place = 300, 300, 300, 200
    window = user32.CreateWindowExW(0, "STATIC", TITLE, _WINDOW | _VISIBLE, *place, None, None, None, None)
    show = user32.DialogBoxIndirectParamW
    show.argtypes = wintypes.HINSTANCE, ctypes.c_char_p, wintypes.HWND, kind, wintypes.LPARAM
    show(None, _template(), window, kind(heard), 0)
    message = wintypes.MSG()
    while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        user32.DispatchMessageW(ctypes.byref(message))


if __name__ == "__main__":
    main()
