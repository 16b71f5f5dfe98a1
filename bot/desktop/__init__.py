"""The windows on the screen: one chooser, one module a platform."""

from __future__ import annotations

import os
import sys

from bot.desktop.protocols import ESC, Desktop, Shortcut
from bot.errors import CaptureError

NO_DISPLAY = (
    "there is no display to look at: run this on a desktop, set DISPLAY to one, "
    "or start a virtual one with `make play` or --launch"
)


def open_desktop(stop_key: Shortcut = ESC) -> Desktop:
    """Return the windows of this platform.

    Raises CaptureError if there is no screen to look at, UsageError if ``stop_key`` cannot be used there.
    """
    if sys.platform == "win32":
        from bot.desktop.win32 import Win32Desktop

        return Win32Desktop(stop_key=stop_key)
    if sys.platform.startswith("linux"):
        from bot.desktop.x11 import X11Desktop

        return X11Desktop(stop_key=stop_key)
    raise CaptureError(f"{sys.platform} is not supported: minebot runs on Windows and on Linux with X11")


def require_display() -> None:
    """Raise CaptureError if no display is named where one must be."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise CaptureError(NO_DISPLAY)


def set_dpi_awareness() -> None:
    """Ask the system for physical pixels, before a library asks for others (the first call wins)."""
    if sys.platform == "win32":
        from bot.desktop import win32

        win32.set_dpi_awareness()


def keep_out_of_captures(handle: int) -> None:
    """Leave a window of ours out of all pictures of the screen, as far as the system can do that."""
    if sys.platform == "win32":
        from bot.desktop import win32_api

        win32_api.keep_out_of_captures(handle)


def require_shapes() -> None:
    """Raise LaunchError if windows cannot be cut to a shape here, and clicks sent through them."""
    if sys.platform.startswith("linux"):
        from bot.desktop import x11_api

        x11_api.require_shapes()
