"""Windows of our own that lie over others."""

from __future__ import annotations

from ctypes import wintypes

from bot.screen.windows.win32_api import load_library

_EXCLUDE_FROM_CAPTURE = 0x11  # WDA_EXCLUDEFROMCAPTURE


def keep_out_of_captures(handle: int) -> None:
    """Ask Windows to leave a window out of all pictures of the screen.

    Windows before 10 2004 refuses, which does no harm; Wine 8 knows nothing of it.
    """
    ask = getattr(load_library("user32"), "SetWindowDisplayAffinity", None)
    if ask is not None:
        ask.argtypes, ask.restype = (wintypes.HWND, wintypes.DWORD), wintypes.BOOL
        ask(handle, _EXCLUDE_FROM_CAPTURE)
