"""Clicks and keys for an X server, each in one piece: in one message, the press and its release.

A program that is killed between the two would leave the button or the key pressed, and a key that is down
repeats itself for ever. Whatever ends us, the server has all of a message or nothing of it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from typing import Any

from Xlib import X
from Xlib.error import XError
from Xlib.ext.xtest import fake_input

from bot.errors import ViewChangedError
from bot.geometry import Point
from bot.screen.protocols import Button, Window
from bot.screen.windows.x11_api import answered, ask_place
from bot.signals import held_back

PATIENCE = 0.5  # seconds for which a press may be held back: a user may hold a button, too
_ANY_BUTTON = X.Button1Mask | X.Button2Mask | X.Button3Mask
# What ends or stops (Ctrl+Z) a program comes after a click: an error in the midst of Xlib has it wait for
# ever for an answer that it has, and who is stopped while he has grabbed the server stops the whole screen.
_HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
_NUMBERS = {Button.LEFT: (1,), Button.MIDDLE: (2,), Button.RIGHT: (3,), Button.BOTH: (1, 3)}


class Strokes:
    """Clicks and keys on the display to which ``display`` (of Xlib) is a connection.

    Raises what Xlib raises when that is lost.
    """

    def __init__(self, display: Any) -> None:
        self._display = display

    def click(self, point: Point, button: Button, window: Window | None = None) -> None:
        """Press and release ``button`` at ``point`` (screen pixels), where the pointer is afterwards.

        Of two buttons the first one is pressed first, and both are down before one is released. With
        ``window`` the server heeds nobody else from the look at what gets the click until that is done.
        Raises ViewChangedError if it is not the window, or if that is not where it says.
        """
        with held_back(*_HELD):
            if window is None:
                self._click(point, button)
            else:
                self._click_in(window, point, button)
            self._await_release()

    def _click(self, point: Point, button: Button) -> None:
        fake_input(self._display, X.MotionNotify, x=point.x, y=point.y)
        self._stroke(X.ButtonPress, X.ButtonRelease, _NUMBERS[button])

    def _click_in(self, window: Window, point: Point, button: Button) -> None:
        self._display.grab_server()
        try:
            if not self._reaches(window, point):
                raise ViewChangedError("something came in the way of a click")
            self._click(point, button)
        finally:
            self._display.ungrab_server()  # it goes out with the click
            self._display.flush()

    def _reaches(self, window: Window, point: Point) -> bool:
        root = self._display.screen().root
        client = self._display.create_resource_object("window", window.handle)
        asked = ask_place(root, client, Point(0, 0)), ask_place(root, root, point)  # both in one trip
        try:
            corner, at = map(answered, asked)
            there = (corner.x, corner.y) == (window.client.x, window.client.y)
            return there and bool(at.child) and (_holds(at.child, client) or _is_no_window(at.child))
        except XError:  # one of them has vanished
            return False

    def press(self, codes: Sequence[int]) -> None:
        """Press the keys of these codes in order, and release them."""
        with held_back(*_HELD):
            self._stroke(X.KeyPress, X.KeyRelease, codes)
            self._display.sync()

    def _stroke(self, down: int, up: int, numbers: Sequence[int]) -> None:
        """Prepare the presses, and the releases in reverse, to be sent with the next question."""
        for number in numbers:
            fake_input(self._display, down, number)
        for number in reversed(numbers):
            fake_input(self._display, up, number)

    def _await_release(self) -> None:
        """Return when no button is down any more, though not before the server has done all.

        Window managers hold a press back, to choose where it goes (they grab the buttons of windows). If the
        pointer were moved meanwhile, the press would go to where it is then. What follows the press waits
        too, so the button counts as pressed until it has gone.
        """
        root, deadline = self._display.screen().root, time.monotonic() + PATIENCE
        while root.query_pointer().mask & _ANY_BUTTON and time.monotonic() < deadline:
            time.sleep(0.0005)


def _holds(frame: Any, client: Any) -> bool:
    """Return whether ``frame`` is the client, or a window manager's frame around it."""
    inner = client
    while inner.id != frame.id and (parent := inner.query_tree().parent):
        inner = parent
    return bool(inner.id == frame.id)


def _is_no_window(top: Any) -> bool:
    """Return whether it cannot be seen: nothing of it covers anything, as the desktop counts."""
    return bool(top.get_attributes().win_class == X.InputOnly)
