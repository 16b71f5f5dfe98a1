"""The user's hand on the mouse: it has moved the pointer if that is not where the bot put it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from bot.desktop.protocols import Clock
from bot.errors import CaptureError, TakenOverError
from bot.geometry import Point

SLACK = 2  # pixels by which a mouse that lies still may jitter once in a while
STRAYS, STRAY_TIME = 2, 1.0  # so many small movements in so many seconds mean a hand that moves slowly
ECHO = 0.15  # seconds for which Wine may still report an earlier place of the pointer (0.1 was measured)
PLACES = 64  # so many earlier places are accepted at any time, to the pixel: Wine may move the pointer back
HAND = "stopped: the mouse was moved by hand"


class Hand:
    """Remembers where the bot put the pointer, and raises TakenOverError once it is elsewhere.

    If no place is known, the pointer may be anywhere. ``pointer`` returns where it is.
    """

    def __init__(self, clock: Clock, pointer: Callable[[], Point]) -> None:
        self.clock, self._pointer = clock, pointer
        self._trail = deque[tuple[float, Point]](maxlen=PLACES)  # when and where the pointer was put
        self._strays: deque[tuple[float, Point]] = deque()

    @property
    def last(self) -> Point | None:
        """The place where the pointer was put last; None if it is unknown."""
        return self._trail[-1][1] if self._trail else None

    def knows(self, point: Point) -> bool:
        """Return whether the pointer was put at ``point``, now or at a time that is still remembered."""
        return any(known == point for _, known in self._trail)

    def put(self, point: Point) -> None:
        """Remember that the pointer is at ``point`` now: the bot put it there, or has not moved it yet."""
        self._trail.append((self.clock.now(), point))

    def forget(self) -> None:
        """Forget all places: from now on the user may move the mouse."""
        self._trail.clear()
        self._strays.clear()

    def look(self) -> None:
        """Raise TakenOverError if the user has moved the pointer, wherever it is now."""
        if self._trail:  # else the user has the mouse, and it may even be unplugged
            with suppress(CaptureError):  # the screen is locked: whoever looks at it next waits for it
                self.check(self._pointer())

    def check(self, here: Point) -> None:
        """Raise TakenOverError if the user has moved the pointer, which is ``here``.

        An earlier place of the pointer is accepted as an echo: while a menu is open, Wine may move it back to
        where it was some clicks ago. As each click puts the pointer in its place again, a hand that moves
        slowly shows only as repeated small movements.
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
        """Return how far ``here`` is from where the pointer was put; an old place must match exactly."""
        nearest, until = math.inf if self._trail else 0.0, now
        strayed = [point for _, point in self._strays]
        for time, point in reversed(self._trail):  # the pointer was at `point` from `time` to `until`
            fresh, until = until >= now - ECHO, time
            if here == point and (fresh or point not in strayed):
                return 0.0
            if fresh:
                nearest = min(nearest, here.distance(point))
        return nearest
