"""Whether a click still goes where it is meant to go."""

from __future__ import annotations

import math
from collections.abc import Callable

from bot.clicker import Clock
from bot.errors import ViewChangedError
from bot.geometry import Point
from bot.player.another import Glance
from bot.player.look import Look
from bot.player.sight import Sight
from bot.screen.protocols import Visibility, Window

INTERVAL = 0.02  # seconds between two looks at what covers the window, while clicks are sent


class View:
    """Watches over the board that ``sight`` looks at; ``rival`` is another window that has the keyboard."""

    def __init__(self, sight: Sight, clock: Clock, rival: Callable[[], Window | None]) -> None:
        self._sight, self._clock, self._rival = sight, clock, rival
        self._glance = Glance(sight.capture, clock)
        self._last = -math.inf

    def go_by(self, look: Look) -> None:
        """Take the look by which the next clicks are sent."""
        self._glance.go_by(look)
        self._sight.aim()

    def check(self, point: Point | None) -> None:
        """Raise if the window went away, or a click at ``point`` would miss the board that was seen."""
        now = self._clock.now()
        if point and not self._glance.as_it_was:
            raise ViewChangedError("the board has changed by itself")
        if now - self._last >= INTERVAL:
            self._last = now
            if self._sight.visibility() is not Visibility.VISIBLE:
                raise ViewChangedError("the board was covered")
            if self._rival():
                raise ViewChangedError("another window has the keyboard")
        if point is None and self._sight.follow():  # what is in the way of a click, the click itself sees
            raise ViewChangedError("the window was moved")
