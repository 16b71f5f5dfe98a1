"""Grabs that bear with a screen that cannot be seen for a while, and heed the user while they wait."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from bot.clicker import Clock
from bot.errors import CaptureError, StoppedError
from bot.geometry import Frame, Rect
from bot.screen.protocols import Capture, Desktop

SCREEN_PATIENCE = 5.0  # seconds in which a screen that cannot be grabbed may come back
BLINK = 0.4  # seconds that are not told of
NAP = 0.05  # seconds between two tries
HEED_INTERVAL = 0.05  # seconds between two looks for the user's wish: what searches asks far more often


def _nothing(_words: str) -> None:
    """Tell nobody."""


def _heed_stop_key(desktop: Desktop) -> None:
    if desktop.stop_pressed():
        raise StoppedError("stopped: Esc was pressed")


class PatientCapture:
    """A `bot.screen.protocols.Capture` over another one, for whoever looks at the screen again and again.

    Every grab heeds the user, so that nothing that looks at the screen goes on for long after the wish to
    stop: at Esc, until `serve` says otherwise.
    """

    def __init__(self, capture: Capture, clock: Clock, desktop: Desktop) -> None:
        self._capture, self._clock = capture, clock
        self._heed: Callable[[], None] = partial(_heed_stop_key, desktop)
        self._tell: Callable[[str], None] = _nothing
        self._due = -math.inf

    def serve(self, heed: Callable[[], None], tell: Callable[[str], None]) -> None:
        """Heed the user by another ``heed`` from now on, and ``tell`` of long waits."""
        self._heed, self._tell = heed, tell

    def heed(self) -> None:
        """Raise at the user's wish to stop; quick enough to be asked in every loop."""
        now = self._clock.now()
        if now >= self._due:
            self._due = now + HEED_INTERVAL
            self._heed()

    def grab(self, rect: Rect | None = None) -> Frame:
        """Return a picture of ``rect`` clipped to the desktop; of the whole desktop if it is None.

        Raises CaptureError if none could be had for `SCREEN_PATIENCE` seconds, and what ``heed`` raises.
        """
        self.heed()
        try:
            return self._capture.grab(rect)
        except CaptureError as error:
            return self._grab_later(rect, error)

    def close(self) -> None:
        """Release the screen."""
        self._capture.close()

    def _grab_later(self, rect: Rect | None, error: CaptureError) -> Frame:
        began, told = self._clock.now(), False
        while (waited := self._clock.now() - began) < SCREEN_PATIENCE:
            if waited > BLINK and not told:
                self._tell(f"waiting for the screen: {error}")
                told = True
            self._clock.sleep(NAP)
            self.heed()
            try:
                return self._capture.grab(rect)
            except CaptureError as again:
                error = again
        raise error
