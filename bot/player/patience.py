"""Grabs that bear with a screen that cannot be seen for a while, and heed the user while they wait."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from bot.clicker import Clock
from bot.errors import CaptureError, StoppedError, WindowError
from bot.geometry import Frame, Rect
from bot.screen.protocols import Capture, Desktop, Visibility, Window

SCREEN_PATIENCE = 5.0  # seconds in which a screen that cannot be grabbed may come back
BLINK = 0.4  # seconds that are not told of
NAP = 0.05  # seconds between two tries
HEED_INTERVAL = 0.05  # seconds between two looks for the user's wish: what searches asks far more often


def _nothing(_words: str) -> None:
    """Tell nobody."""


def hidden(visibility: Visibility) -> WindowError:
    """Return what to say of a board that cannot be seen."""
    return WindowError(f"stopped: the board is {visibility.value}; bring its window to the front")


def closed(window: Window) -> WindowError:
    """Return what to say of a game whose window is there no longer."""
    return WindowError(f"the window {window.title!r} was closed")


def heed_stop_key(desktop: Desktop) -> None:
    """Raise StoppedError if the stop key was pressed."""
    if desktop.stop_pressed():
        raise StoppedError(f"stopped: {desktop.stop_key} was pressed")


class PatientCapture:
    """A `bot.screen.protocols.Capture` over another one, for whoever looks at the screen again and again.

    Every grab heeds the user, so that nothing that looks at the screen goes on for long after the wish to
    stop: at the stop key, until `serve` says otherwise.
    """

    def __init__(self, capture: Capture, clock: Clock, desktop: Desktop) -> None:
        self._capture, self._clock, self._desktop = capture, clock, desktop
        self._heed: Callable[[], None] = partial(heed_stop_key, desktop)
        self._tell: Callable[[str], None] = _nothing
        self._due = -math.inf

    def serve(self, heed: Callable[[], None], tell: Callable[[str], None] = _nothing) -> None:
        """Heed the user by another ``heed`` from now on, and ``tell`` of long waits."""
        self._heed, self._tell = heed, tell

    def heed(self) -> None:
        """Raise at the user's wish to stop; quick enough to be asked in every loop."""
        now = self._clock.now()
        if now >= self._due:
            self._due = now + HEED_INTERVAL
            self._heed()

    def grab(self, rect: Rect | None = None, window: Window | None = None) -> Frame:
        """Return a picture of ``rect`` clipped to the desktop; of the whole desktop if it is None.

        If ``window`` is where that is, a later try goes to where the window is then: one that is minimised,
        or on its way back, may be off the screen. Raises CaptureError, or WindowError, if no picture could be
        had for `SCREEN_PATIENCE` seconds, and what ``heed`` raises.
        """
        self.heed()
        try:
            return self._capture.grab(rect)
        except CaptureError as error:
            return self._grab_later(rect, window, error)

    def holds(self, rect: Rect) -> bool:
        """Return whether a picture of all of ``rect`` can be taken: none of it is off the screen."""
        try:
            return self._capture.grab(rect).rect == rect
        except CaptureError:
            return False

    def close(self) -> None:
        """Release the screen."""
        self._capture.close()

    def _grab_later(self, rect: Rect | None, window: Window | None, error: CaptureError) -> Frame:
        began, told = self._clock.now(), False
        while (waited := self._clock.now() - began) < SCREEN_PATIENCE:
            if waited > BLINK and not told:
                self._tell(f"waiting for the screen: {error}")
                told = True
            self._clock.sleep(NAP)
            self.heed()
            try:
                return self._capture.grab(rect if window is None else self._place(window))
            except CaptureError as again:
                error = again
        if window and self._desktop.visibility(window, window.client) is Visibility.MINIMISED:
            raise hidden(Visibility.MINIMISED) from error
        raise error

    def _place(self, window: Window) -> Rect:
        now = self._desktop.refresh(window)
        if now is None:
            raise closed(window)
        return now.client
