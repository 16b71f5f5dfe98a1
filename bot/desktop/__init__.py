"""The windows and the mouse: `open_desktop` and `ScreenMouse` choose between one module for each platform.

The other functions ask the system about its screens and its mouse. Most of the questions are for Windows
alone; they have an answer on every system.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from ctypes import wintypes
from functools import partial
from importlib.util import find_spec
from typing import TypeVar

from bot.desktop.protocols import ESC, Backend, Button, Desktop, Mouse, PointerCheck, Shortcut, Stroke, Window
from bot.errors import BotError, CaptureError, StoppedError, UsageError
from bot.geometry import Point
from bot.stop import Stop

T = TypeVar("T")

NO_DISPLAY = (
    "no display was found: run this on a desktop, set DISPLAY to one, or unset it and "
    "play on a virtual one with `minebot play --launch`"
)
WAYLAND = (
    "this is a Wayland session, which hides windows from other programs: log out, and choose a session with "
    "X11 (Xorg) where you log in"
)
HOLD = 2.0  # seconds for which the pointer rests on a place that is chosen without a click
_PER_MONITOR = 2  # PROCESS_PER_MONITOR_DPI_AWARE
_EXCLUDE_FROM_CAPTURE = 0x11  # WDA_EXCLUDEFROMCAPTURE
_REMOTE_SESSION = 0x1000  # system metric
_GET_SNAP = 0x5F  # SPI_GETSNAPTODEFBUTTON

# DISPLAYCONFIG_PATH_INFO and _MODE_INFO: their sizes, and in the first the adapter and the number of a screen
_ACTIVE_PATHS, _PATH_SIZE, _MODE_SIZE, _TARGET = 2, 72, 64, slice(20, 32)
# DISPLAYCONFIG_GET_ADVANCED_COLOR_INFO_2 (Windows 11 24H2) and _INFO: kind, size, and whether an answer means
# HDR. The second's flags: HDR or wide colours are on; they are wide without HDR.
_COLOUR_REQUESTS: tuple[tuple[int, int, Callable[[bytes], bool]], ...] = (
    (15, 36, lambda answer: answer[32] == 2),
    (9, 32, lambda answer: answer[20] & 6 == 2),
)


def is_portable(backend: Backend) -> bool:
    """Return whether `bot.desktop.portable` serves here: it is asked for, or nothing else does."""
    if backend is Backend.PORTABLE or sys.platform == "win32":
        return backend is Backend.PORTABLE
    if not sys.platform.startswith("linux"):
        return True
    try:
        return find_spec("Xlib.ext.xinput") is None  # the Xlib of pyautogui has no such part
    except ModuleNotFoundError:
        return False  # whoever imports Xlib says what is missing


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


class ScreenMouse:
    """Moves the pointer, clicks and types on the display that DISPLAY names when it is created.

    Raises CaptureError if there is no display, or if it has gone. No button or key stays pressed, however the
    program ends.
    """

    def __init__(self, backend: Backend = Backend.AUTO) -> None:
        set_dpi_awareness()
        require_display()
        self._mouse: Mouse
        if is_portable(backend):
            from bot.desktop.portable import PortableMouse

            self._mouse = PortableMouse()
        elif sys.platform == "win32":
            from bot.desktop import win32_api

            self._mouse = win32_api.Api()
        else:
            from bot.desktop import x11_api

            api = x11_api.Api(None)
            weakref.finalize(self, api.close)
            self._mouse = x11_api.InputSender(api)

    def position(self) -> Point:
        """Return where the pointer is."""
        return _result_of(self._mouse.position)

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        _result_of(self._mouse.move, point)

    def burst(
        self,
        strokes: Sequence[Stroke],
        window: Window | None = None,
        check: PointerCheck = lambda _: None,
        hold: float = 0.0,
    ) -> tuple[int, Point]:
        """Click at each place without a pause; return how many clicks were made, and the pointer's place.

        On X11 nothing can happen between the checks and the clicks; only the first click is made if a window
        manager holds presses back, or if the button is held for ``hold`` seconds. Windows cannot guarantee
        that, so only the first click is made there.
        """
        return _result_of(self._mouse.burst, strokes, window, check, hold)

    def click(self, point: Point, button: Button = Button.LEFT) -> None:
        """Click once, whichever window gets the click."""
        self.burst([(point, button)])

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press the keys together in this order and release them, e.g. ``press("alt", "g")``.

        Raises ViewChangedError if ``windows`` are given and none of them has the keyboard. On X11 nothing can
        happen between that check and the keys.
        """
        _result_of(partial(self._mouse.press, windows=windows), *keys)


def _result_of(request: Callable[..., T], *arguments: object) -> T:
    """Return the result of ``request``. Raises CaptureError if it fails; its errors differ by platform."""
    try:
        return request(*arguments)
    except BotError:
        raise
    except Exception as error:
        raise CaptureError(
            f"the mouse and the keys cannot be used ({error}): is the display still there, and not locked?"
        ) from error


def stop_by_key(desktop: Desktop) -> Stop:
    """Return a Stop that knows one reason: the stop key of ``desktop`` was pressed."""

    def check() -> None:
        if desktop.stop_pressed():
            raise StoppedError(f"stopped: {desktop.stop_key} was pressed")

    return Stop(check)


def picked_point(
    stop: Stop, tell: Callable[[str], None], position: Callable[[], Point], backend: Backend = Backend.AUTO
) -> Point:
    """Ask the user by ``tell`` to point at a board, and return the place. Raises what ``stop`` raises.

    On X11 that is a click. Other systems would pass it on to the game, where it may open a cell: there the
    pointer, whose ``position`` is given, has to be moved and then left still.
    """
    if sys.platform != "win32" and not is_portable(backend):
        from bot.desktop.x11_api import picked_point as clicked_point

        return clicked_point(stop, tell)
    start = here = position()  # before the words: the hand may move as they appear
    tell(f"move the pointer onto the board, and let go of the mouse for {HOLD:g} seconds")
    since = time.monotonic()
    while here == start or time.monotonic() < since + HOLD:
        stop.raise_if_stopped()
        time.sleep(0.02)
        if (now := position()) != here:
            here, since = now, time.monotonic()
    return here


def is_wayland() -> bool:
    """Return whether this is a Wayland session, where other windows can be neither seen nor clicked."""
    wayland = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland"
    return sys.platform.startswith("linux") and bool(wayland)


def no_display_words() -> str:
    """Return why there is no display, and what to do."""
    return WAYLAND if is_wayland() else NO_DISPLAY


def require_display() -> None:
    """Raise CaptureError if this is Linux and DISPLAY names no display."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise CaptureError(no_display_words())


def load_library(name: str) -> ctypes.CDLL:
    """Return the Windows library ``name``. Raises BotError on other systems, OSError if it is missing."""
    if sys.platform != "win32":
        raise BotError(f"{name} exists only on Windows, not on {sys.platform}: use the X11 side here")
    return ctypes.WinDLL(name, use_last_error=True)


def set_dpi_awareness() -> None:
    """Ask Windows for physical pixels on every monitor, in the best way that its version knows.

    Call this before mss or pyautogui is imported: the first call in a process wins, and pyautogui asks for
    less. Further calls change nothing.
    """
    if sys.platform != "win32":
        return
    user32 = load_library("user32")
    per_monitor_v2 = ctypes.c_void_p(-4)
    # Since Windows 10 1703. If the context of the process is set already, that of the thread still can be.
    for scope, result in (("Process", ctypes.c_int), ("Thread", ctypes.c_void_p)):
        call = getattr(user32, f"Set{scope}DpiAwarenessContext", None)
        if call is not None:
            call.argtypes, call.restype = [ctypes.c_void_p], result
            if call(per_monitor_v2):
                break
    else:
        load_library("shcore").SetProcessDpiAwareness(_PER_MONITOR)


def keep_out_of_captures(handle: int) -> None:
    """Ask Windows to leave one of this program's windows out of all pictures of the screen.

    Windows before version 10 2004 refuses, which does no harm; Wine 8 does not have the function.
    """
    if sys.platform != "win32":
        return
    ask = getattr(load_library("user32"), "SetWindowDisplayAffinity", None)
    if ask is not None:
        ask.argtypes, ask.restype = (wintypes.HWND, wintypes.DWORD), wintypes.BOOL
        ask(handle, _EXCLUDE_FROM_CAPTURE)


def scaling() -> float:
    """Return how much larger than usual (96 dots per inch) the system asks programs to draw.

    Raises CaptureError if there is no display.
    """
    if sys.platform == "win32":  # before version 10 1607, it does not say
        ask = getattr(load_library("user32"), "GetDpiForSystem", None)
        return 1.0 if ask is None else float(ask() / 96)
    if is_portable(Backend.AUTO):
        return 1.0  # pictures and the mouse are in the same units there
    from bot.desktop import x11_api

    return x11_api.scaling()


def hdr_is_on() -> bool | None:
    """Return whether any screen shows HDR colours; None if the system does not report it."""
    if sys.platform != "win32":
        return None
    user32 = load_library("user32")
    ask = getattr(user32, "DisplayConfigGetDeviceInfo", None)
    paths, modes = ctypes.c_uint32(), ctypes.c_uint32()
    counts = ctypes.byref(paths), ctypes.byref(modes)
    if ask is None or user32.GetDisplayConfigBufferSizes(_ACTIVE_PATHS, *counts):
        return None
    path = (ctypes.c_char * _PATH_SIZE * paths.value)()
    mode = (ctypes.c_char * _MODE_SIZE * modes.value)()
    if user32.QueryDisplayConfig(_ACTIVE_PATHS, counts[0], path, counts[1], mode, None):
        return None
    found = None
    for each in path[: paths.value]:
        for kind, size, shows_hdr in _COLOUR_REQUESTS:
            request = struct.pack("=II12s", kind, size, each.raw[_TARGET])
            answer = ctypes.create_string_buffer(request, size)
            if ask(answer) == 0:
                found = found or shows_hdr(answer.raw)
                break
    return found


def is_remote() -> bool:
    """Return whether the desktop is known to be shown on another computer."""
    return sys.platform == "win32" and bool(load_library("user32").GetSystemMetrics(_REMOTE_SESSION))


def snaps_to_buttons() -> bool:
    """Return whether the system moves the pointer to the default button of each dialog that opens."""
    snaps = wintypes.BOOL()
    if sys.platform == "win32":
        load_library("user32").SystemParametersInfoW(_GET_SNAP, 0, ctypes.byref(snaps), 0)
    return bool(snaps.value)


def may_click_everything() -> bool:
    """Return whether this program's clicks also reach programs that run as administrator on Windows."""
    return sys.platform != "win32" or bool(load_library("shell32").IsUserAnAdmin())


def show_message(text: str) -> None:
    """Show ``text`` in a box if a double click on Windows has started this program, whose console closes."""
    programs = (ctypes.c_uint32 * 2)()
    if (
        sys.platform == "win32"
        and load_library("kernel32").GetConsoleProcessList(programs, len(programs)) <= 1
    ):
        load_library("user32").MessageBoxW(None, text, "minebot", 0)


def require_shapes() -> None:
    """Raise LaunchError if windows on this display cannot have a shape and let clicks through."""
    if sys.platform.startswith("linux"):
        from bot.desktop import x11_api

        x11_api.require_shapes()
