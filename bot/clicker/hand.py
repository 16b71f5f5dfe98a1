"""Tell a hand on the mouse from where the bot itself has put the pointer."""

from __future__ import annotations

import math
from collections import deque

from bot.desktop.protocols import Clock
from bot.errors import TakenOverError
from bot.geometry import Point

SLACK = 2  # pixels; a mouse that lies still may jitter by as much, once in a while
STRAYS, STRAY_TIME = 2, 1.0  # so many small movements in so many seconds are a hand that moves slowly
ECHO = 0.15  # seconds for which Wine may go on to tell an earlier place of the pointer (0.1 was measured)
PLACES = 64  # so many earlier ones it may tell to the pixel at any time: it takes the pointer back there

HAND = "stopped: the mouse was moved by hand"


class Hand:
    """Knows where the pointer was put, and raises TakenOverError once it is elsewhere.

    Without a known place, every place of the pointer is right.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._trail = deque[tuple[float, Point]](maxlen=PLACES)  # when and where the pointer was put
        self._strays: deque[tuple[float, Point]] = deque()

    @property
    def last(self) -> Point | None:
        """Where the pointer was put last; None if that is not known."""
        return self._trail[-1][1] if self._trail else None

    def knows(self, point: Point) -> bool:
        """Return whether the pointer was put at ``point``."""
        return any(known == point for _, known in self._trail)

    def put(self, point: Point) -> None:
        """Take note that the pointer is at ``point`` now by the bot's doing, or before anything was done."""
        self._trail.append((self.clock.now(), point))

    def forget(self) -> None:
        """Forget where the pointer was put: the mouse is the user's."""
        self._trail.clear()
        self._strays.clear()

    def check(self, here: Point) -> None:
        """Raise TakenOverError if the pointer, which is ``here``, was moved by a hand.

        It may be at an earlier place, which is an echo: while a menu is open, Wine may take the pointer back
        to where it was some clicks ago. Each click puts it to its place again, so a hand that moves slowly
        shows as small strays, again and again.
        """
        now = self.clock.now()
        away = self._away(here, now)
        if 0 < away <= SLACK:
            self._strays.append((now, here))
            self._trail.append((now, here))  # the same stray is not counted twice
        while self._strays and self._strays[0][0] < now - STRAY_TIME:
            self._strays.popleft()
        if away > SLACK or len(self._strays) >= STRAYS:
            raise TakenOverError(HAND)

    def _away(self, here: Point, now: float) -> float:
        """Return how far the pointer is from where it was put: of old places only the very pixel counts."""
        nearest, until = math.inf if self._trail else 0.0, now
        strayed = [point for _, point in self._strays]
        for time, point in reversed(self._trail):  # the pointer was at `point` from then `until` the next
            fresh, until = until >= now - ECHO, time
            if here == point and (fresh or point not in strayed):
                return 0.0
            if fresh:
                nearest = min(nearest, here.distance(point))
        return nearest
