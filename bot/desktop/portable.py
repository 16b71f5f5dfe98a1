"""The smallest backend: the screen through mss, the mouse and the keys through pyautogui, and nothing else.

It serves every system that has no backend of its own, macOS first, and Windows on request. Read this file
first to learn what minebot asks of a system: `PortableDesktop` is the `Desktop` protocol, `PortableMouse` the
`Mouse` protocol of `bot.desktop.protocols`; `bot.capture` takes the pictures.

It knows no windows, so the board is found on the screen by sight, and it hears no keys. Play stops when the
mouse is moved, by Ctrl+C in the terminal, and when the pointer is pushed into a corner of the main screen.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from bot.desktop.protocols import FRAME_TIME, Button, PointerCheck, Stroke, Visibility, Window
from bot.errors import CaptureError, MissingLibraryError, StoppedError, WindowError
from bot.geometry import Point, Rect

_BUTTONS = {
    Button.LEFT: ("left",),
    Button.RIGHT: ("right",),
    Button.MIDDLE: ("middle",),
    Button.BOTH: ("left", "right"),
}
ON_LINUX = (
    "on Linux the portable backend needs an environment of its own, because pyautogui and minebot use two "
    "packages that both call themselves Xlib; the page Troubleshooting says how to make one"
)


class PortableDesktop:
    """A screen of which no window is known: all of it can be seen and clicked, as far as anybody can tell."""

    stop_key, frame_time = "Ctrl+C", FRAME_TIME  # the mouse stops only clicks

    def windows(self) -> list[Window]:
        """Return no window."""
        return []

    def refresh(self, window: Window) -> Window | None:  # noqa: ARG002 - as the protocol
        """Return None: no window is known."""
        return None

    def visibility(self, window: Window, area: Rect) -> Visibility:  # noqa: ARG002
        """Return `Visibility.CLOSED`: no window is known."""
        return Visibility.CLOSED

    def raise_window(self, window: Window) -> None:
        """Raise WindowError: no window is known."""
        raise WindowError(f"{window.label} cannot be brought to the front here: click on it once")

    def ask_to_close(self, window: Window) -> None:
        """Do nothing: no window is known."""

    def popups(self, window: Window) -> list[Window]:  # noqa: ARG002
        """Return no popup."""
        return []

    def has_keyboard(self, window: Window) -> bool:  # noqa: ARG002
        """Return False: nobody knows which window has the keyboard."""
        return False

    def rival(self, window: Window) -> Window | None:  # noqa: ARG002
        """Return None: no window is known."""
        return None

    def takes(self, window: Window, point: Point) -> bool:  # noqa: ARG002
        """Return False: no window is known."""
        return False

    def stop_pressed(self) -> bool:
        """Return False: there is no stop key."""
        return False

    def close(self) -> None:
        """Do nothing: there is no connection to release."""


class PortableMouse:
    """The mouse and the keys through pyautogui; ``gui`` replaces it in tests.

    It counts in the same points as the pictures of mss, on a Retina screen, too. Nothing is moved or pressed
    while the pointer is in a corner of the main screen: that is a StoppedError.
    """

    def __init__(self, gui: Any = None) -> None:
        self._gui = load_pyautogui() if gui is None else gui

    def position(self) -> Point:
        """Return where the pointer is."""
        x, y = self._gui.position()
        return Point(round(x), round(y))

    def move(self, point: Point) -> None:
        """Put the pointer at ``point``."""
        self._safely(self._gui.moveTo, point.x, point.y)

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        """Make the first click, and hold it for ``hold`` seconds. Nothing can be said of ``window``.

        Return 1, and the place of the pointer.
        """
        del window
        check(self.position())
        point, button = strokes[0]
        self.move(point)
        with ExitStack() as released:  # a button is released even if an error or a signal comes
            for name in _BUTTONS[button]:
                released.callback(self._gui.mouseUp, button=name, _pause=False)
                self._safely(self._gui.mouseDown, button=name)
            time.sleep(hold)
        return 1, self.position()

    def press(self, *keys: str, windows: Sequence[Window] = ()) -> None:
        """Press the keys together in this order and release them. Nothing can be said of ``windows``."""
        del windows
        with ExitStack() as released:
            for key in keys:
                released.callback(self._gui.keyUp, key, _pause=False)
                self._safely(self._gui.keyDown, key)

    def _safely(self, act: Callable[..., object], *arguments: object, **options: object) -> None:
        if tuple(self._gui.position()) in self._gui.FAILSAFE_POINTS:
            raise StoppedError("stopped: the pointer is in a corner of the screen")
        act(*arguments, _pause=False, **options)


def load_pyautogui() -> Any:
    """Return pyautogui without its pauses and its fail-safe, which would refuse to release a button, too.

    Raises MissingLibraryError, which says what to do, if it cannot be loaded, CaptureError without a display.
    """
    try:
        import pyautogui
    except (ImportError, SystemExit) as error:  # mouseinfo, a part of it, ends a program without tkinter
        why = ON_LINUX if sys.platform.startswith("linux") else "install it with `pip install pyautogui`"
        raise MissingLibraryError(f"pyautogui cannot be loaded ({error}): {why}") from error
    except Exception as error:  # it opens the display when it is loaded
        raise CaptureError(f"pyautogui cannot use this display: {error}") from error
    pyautogui.PAUSE, pyautogui.FAILSAFE = 0, False
    return pyautogui
