"""Send clicks at a pace, and none after the user has stopped the bot."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import zip_longest

from bot.clicker.clicks import Click
from bot.clicker.hand import HAND, SLACK, Hand
from bot.clicker.pace import Pace, Step, Trip
from bot.desktop.protocols import Button, Clock, Mouse, Window
from bot.errors import TakenOverError
from bot.geometry import Point

NAP = 0.01  # seconds between two looks for a reason to stop while waiting


class Clicker:
    """Sends clicks at a pace, and checks before each one whether it still may.

    ``raise_if_stopped`` raises at the stop key; ``may_go`` when the game's window went away, or another is in
    the way of a click at a point; ``window`` tells which one is to get the clicks, None if that is not known.
    The clicker itself raises TakenOverError when the pointer is not where it left it, or, once armed, where
    it began.
    """

    def __init__(
        self,
        mouse: Mouse,
        pace: Pace,
        raise_if_stopped: Callable[[], object],
        may_go: Callable[[Point | None], None],
        clock: Clock,
        window: Callable[[], Window | None] = lambda: None,
    ) -> None:
        self.mouse, self.pace, self.clock, self.window = mouse, pace, clock, window
        self._raise_at_stop_key, self.may_go = raise_if_stopped, may_go
        self.sent = 0
        self._hand = Hand(clock)
        self._due = -math.inf

    def arm(self) -> None:
        """Take the pointer as it stands: from here on, a movement is the user's wish to stop."""
        self._hand.put(self.mouse.position())

    def disarm(self) -> None:
        """Leave the mouse to the user until `arm` is called again: only the stop key counts."""
        self._hand.forget()

    def send(self, clicks: Sequence[Click], cell_size: float) -> None:
        """Send ``clicks`` in order; ``cell_size`` in pixels. Raises StoppedError at the user's wish."""
        left, fresh = list(clicks), True
        while left:
            self._go(left[0].point, cell_size, fresh=fresh)
            strokes = [(click.point, click.button) for click in left[: self.pace.together]]
            sent, here = self.mouse.burst(strokes, self.window(), self._hand.check)
            self.sent += sent
            for click in left[:sent]:
                self._note(click.point, here)
            left, fresh = left[sent:], False

    def click(self, point: Point) -> None:
        """Click with the left button at a place that is no cell. Raises StoppedError at the user's wish."""
        self.raise_if_stopped()
        _, here = self.mouse.burst([(point, Button.LEFT)], self.window(), self._hand.check)
        self._note(point, here)

    def move_away(self, point: Point) -> None:
        """Put the pointer at ``point`` without a click. Raises StoppedError at the user's wish."""
        self.raise_if_stopped()
        self.mouse.move(point)
        self._note(point, self.mouse.position())

    def _note(self, point: Point, here: Point) -> None:
        """Take note of where the pointer was put, and where the system has it: one that rounds is no hand."""
        self._hand.put(point)
        if 0 < here.distance(point) <= SLACK:
            self._hand.put(here)

    def check(self) -> None:
        """Raise what ``may_go`` raises while there is no click, or StoppedError at the user's wish."""
        self.may_go(None)
        self.raise_if_stopped()

    def raise_if_stopped(self) -> None:
        """Raise StoppedError at the stop key, or TakenOverError if the user has moved the mouse."""
        self._raise_at_stop_key()
        self._hand.check(self.mouse.position())

    def _go(self, point: Point, cell_size: float, *, fresh: bool) -> None:
        """Let the pace's pause pass, move the pointer as it says, and check a last time but for a hand."""
        now, pace = self.clock.now(), self.pace
        here = self._hand.last or self.mouse.position()  # no echo of an earlier place
        way = pace.way(Trip(here, point, cell_size, now - self._due, fresh))
        self._rest_until(now + way.pause)
        if self.pace is not pace:  # it was changed meanwhile
            self._go(point, cell_size, fresh=fresh)
            return
        self._walk(way.steps, now + way.pause)
        # A click that came late does not make the next ones come early, and a short sleep that took too
        # long is made up for: the schedule goes by when clicks were due, not by when they were sent.
        self._due = now + way.duration
        self.may_go(point)
        self._raise_at_stop_key()

    def _walk(self, steps: Sequence[Step], began: float) -> None:
        """Move the pointer from step to step; where that is late, those that are over are left out."""
        for step, following in zip_longest(steps, steps[1:]):
            if following is None or self.clock.now() < began + following.time:
                self._rest_until(began + step.time)
                self._put(step.point)

    def _put(self, point: Point) -> None:
        """Put the pointer at a step of its way; where no screen is, the system keeps it at an edge."""
        self.move_away(point)
        here = self.mouse.position()
        if here.distance(point) > SLACK and not self._hand.knows(here):
            self.mouse.move(point)
            if self.mouse.position() != here:
                raise TakenOverError(HAND)
            self._hand.put(here)

    def _rest_until(self, due: float) -> None:
        """Let time pass, looking for a reason to stop all the while; less if the pace is changed."""
        pace = self.pace
        while (left := due - self.clock.now()) > 0 and self.pace is pace:
            self.check()
            self.clock.sleep(min(NAP, left))
