"""The windows on the screen: `open_desktop` chooses between one module for each platform."""

from __future__ import annotations

import os
import sys

from bot.desktop.protocols import ESC, Backend, Desktop, Shortcut
from bot.errors import CaptureError, UsageError

NO_DISPLAY = (
    "no display was found: run this on a desktop, set DISPLAY to one, "
    "or play on a virtual one with `minebot play --launch`"
)


def is_portable(backend: Backend) -> bool:
    """Return whether `bot.desktop.portable` serves here: it is asked for, or nothing else does."""
    return backend is Backend.PORTABLE or not (sys.platform == "win32" or sys.platform.startswith("linux"))


def open_desktop(stop_key: Shortcut = ESC, backend: Backend = Backend.AUTO) -> Desktop:
    """Return the `Desktop` for this platform.

    Raises CaptureError if there is no display, UsageError if ``stop_key`` cannot be used there.
    """
    if is_portable(backend):
        from bot.desktop.portable import PortableDesktop

        if stop_key != ESC:
            raise UsageError(f"--stop-key {stop_key}: the portable backend hears no keys; move the mouse")
        return PortableDesktop()
    if sys.platform == "win32":
        from bot.desktop.win32 import Win32Desktop

        return Win32Desktop(stop_key=stop_key)
    from bot.desktop.x11 import X11Desktop

    return X11Desktop(stop_key=stop_key)


def require_display() -> None:
    """Raise CaptureError if this is Linux and DISPLAY names no display."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise CaptureError(NO_DISPLAY)


def set_dpi_awareness() -> None:
    """Ask Windows for physical pixels, before a library asks for others (the first call wins)."""
    if sys.platform == "win32":
        from bot.desktop import win32

        win32.set_dpi_awareness()


def keep_out_of_captures(handle: int) -> None:
    """Leave one of this program's windows out of all pictures of the screen, if the system can do that."""
    if sys.platform == "win32":
        from bot.desktop import win32_api

        win32_api.keep_out_of_captures(handle)


def scaling() -> float:
    """Return how much larger than usual (96 dots per inch) the system asks programs to draw.

    Raises CaptureError if there is no display.
    """
    if sys.platform == "win32":
        from bot.desktop import win32_api

        return win32_api.scaling()
    if is_portable(Backend.AUTO):
        return 1.0  # pictures and the mouse are in the same units there
    from bot.desktop import x11_api

    return x11_api.scaling()


def hdr_is_on() -> bool | None:
    """Return whether any screen shows HDR colours; None if the system does not report it."""
    if sys.platform == "win32":
        from bot.desktop import win32_api

        return win32_api.hdr_is_on()
    return None


def is_remote() -> bool:
    """Return whether the desktop is known to be shown on another computer."""
    if sys.platform == "win32":
        from bot.desktop import win32_api

        return win32_api.is_remote()
    return False


def snaps_to_buttons() -> bool:
    """Return whether the system moves the pointer to the default button of each dialog that opens."""
    if sys.platform == "win32":
        from bot.desktop import win32_api

        return win32_api.snaps_to_buttons()
    return False


def may_click_everything() -> bool:
    """Return whether this program's clicks also reach programs that run as administrator on Windows."""
    if sys.platform == "win32":
        from bot.desktop.win32_api import load_library

        return bool(load_library("shell32").IsUserAnAdmin())
    return True


def show_message(text: str) -> None:
    """Show ``text`` in a box if a double click on Windows has started this program, whose console closes."""
    if sys.platform == "win32":
        from bot.desktop import win32_api

        win32_api.show_message(text)


def require_shapes() -> None:
    """Raise LaunchError if windows on this display cannot have a shape and let clicks through."""
    if sys.platform.startswith("linux"):
        from bot.desktop import x11_api

        x11_api.require_shapes()
