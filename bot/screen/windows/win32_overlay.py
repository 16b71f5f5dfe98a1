"""Windows of our own that lie over others."""

from __future__ import annotations

import ctypes
from ctypes import wintypes

from bot.screen.windows.win32_api import load_library

_EXCLUDE_FROM_CAPTURE = 0x11  # WDA_EXCLUDEFROMCAPTURE


def keep_out_of_captures(handle: int) -> bool:
    """Ask Windows to leave a window out of all pictures of the screen; return whether it says that it does.

    Windows before 10 2004 refuses, or would show it black; Wine knows the call or not.
    """
    user32 = load_library("user32")
    try:
        ask, tell = user32.SetWindowDisplayAffinity, user32.GetWindowDisplayAffinity
    except AttributeError:
        return False
    ask.argtypes, ask.restype = (wintypes.HWND, wintypes.DWORD), wintypes.BOOL
    tell.argtypes, tell.restype = (wintypes.HWND, ctypes.c_void_p), wintypes.BOOL
    affinity = wintypes.DWORD(0)
    asked = ask(handle, _EXCLUDE_FROM_CAPTURE) and tell(handle, ctypes.byref(affinity))
    return bool(asked) and affinity.value == _EXCLUDE_FROM_CAPTURE
