"""Clicks and keys for an X server, each in one piece: in one message, the press and its release.

A program that is killed between the two would leave the button or the key pressed, and a key that is down
repeats itself for ever. Whatever ends us, the server has all of a message or nothing of it.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from Xlib import X
from Xlib.ext.xtest import fake_input

from bot.geometry import Point
from bot.screen.protocols import Button

_NUMBERS = {Button.LEFT: (1,), Button.MIDDLE: (2,), Button.RIGHT: (3,), Button.BOTH: (1, 3)}


class Strokes:
    """Clicks and keys on the display to which ``display`` (of Xlib) is a connection.

    Raises what Xlib raises when that is lost.
    """

    def __init__(self, display: Any) -> None:
        self._display = display

    def click(self, point: Point, button: Button) -> None:
        """Press and release ``button`` at ``point`` (screen pixels), where the pointer is afterwards.

        Of two buttons the first one is pressed first, and both are down before one is released.
        """
        with _signals_held():
            fake_input(self._display, X.MotionNotify, x=point.x, y=point.y)
            self._stroke(X.ButtonPress, X.ButtonRelease, _NUMBERS[button])

    def press(self, codes: Sequence[int]) -> None:
        """Press the keys of these codes in order, and release them."""
        with _signals_held():
            self._stroke(X.KeyPress, X.KeyRelease, codes)

    def _stroke(self, down: int, up: int, numbers: Sequence[int]) -> None:
        """Send the presses, and the releases in reverse; return when the server has done them."""
        for number in numbers:
            fake_input(self._display, down, number)
        for number in reversed(numbers):
            fake_input(self._display, up, number)
        self._display.sync()


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let the signals that end a program wait until the end of the block.

    Their errors would come in the midst of Xlib, which then waits for ever for an answer that it has.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
