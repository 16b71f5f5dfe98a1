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
from bot.stop import Stop

NAP = 0.01  # seconds between two checks for a reason to stop while waiting


class Clicker:
    """Sends clicks at a pace, and checks before each of them whether clicking is still allowed.

    ``stop`` gets one more reason, a TakenOverError: the pointer is not where the clicker left it or, once
    armed, where it was then. ``check_board`` raises if the board has moved, changed or is hidden; it gets the
    point of the next click, or None. ``window`` returns the window that must get the clicks, None if it is
    unknown.
    """

    def __init__(
        self,
        mouse: Mouse,
        pace: Pace,
        stop: Stop,
        check_board: Callable[[Point | None], None],
        clock: Clock,
        window: Callable[[], Window | None] = lambda: None,
    ) -> None:
        self.mouse, self.pace, self.clock, self.window = mouse, pace, clock, window
        self.stop, self._check_board = stop, check_board
        self.sent = 0
        self._hand = Hand(clock)
        self._due = -math.inf
        stop.add(self._check_hand)

    def arm(self) -> None:
        """Watch the pointer: from now on, any movement by hand means that the user wants to stop."""
        self._hand.put(self.mouse.position())

    def disarm(self) -> None:
        """Leave the mouse to the user until `arm` is called again; the stop key still works."""
        self._hand.forget()

    def send(self, clicks: Sequence[Click], cell_size: float) -> None:
        """Send ``clicks`` in order; ``cell_size`` is in pixels. Raises StoppedError if the user stops."""
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
        """Click with the left button at a place that is no cell. Raises StoppedError if the user stops."""
        self.stop.raise_if_stopped()
        _, here = self.mouse.burst([(point, Button.LEFT)], self.window(), self._hand.check)
        self._note(point, here)

    def move_away(self, point: Point) -> None:
        """Put the pointer at ``point`` without a click. Raises StoppedError if the user stops."""
        self.stop.raise_if_stopped()
        self.mouse.move(point)
        self._note(point, self.mouse.position())

    def _note(self, point: Point, here: Point) -> None:
        """Remember where the pointer was put, and where the system has it: rounding is not a hand."""
        self._hand.put(point)
        if 0 < here.distance(point) <= SLACK:
            self._hand.put(here)

    def check(self) -> None:
        """Raise what ``check_board`` raises if no click is due, or the reason to stop."""
        self._check_board(None)
        self.stop.raise_if_stopped()

    def _check_hand(self) -> None:
        self._hand.check(self.mouse.position())

    def _go(self, point: Point, cell_size: float, *, fresh: bool) -> None:
        """Wait and move the pointer as the pace says, then do the last checks."""
        now, pace = self.clock.now(), self.pace
        here = self._hand.last or self.mouse.position()  # the first is never an echo of an earlier place
        way = pace.way(Trip(here, point, cell_size, now - self._due, fresh))
        self._rest_until(now + way.pause)
        if self.pace is not pace:  # it was changed meanwhile
            self._go(point, cell_size, fresh=fresh)
            return
        self._walk(way.steps, now + way.pause)
        # The schedule counts from when clicks were due, not from when they were sent. So a sleep that took
        # a little too long is made up for, but a click that came late does not make the next ones early.
        self._due = now + way.duration
        self._check_board(point)
        self.stop.raise_if_stopped()

    def _walk(self, steps: Sequence[Step], began: float) -> None:
        """Move the pointer from step to step; if that is late, steps whose time is over are left out."""
        for step, following in zip_longest(steps, steps[1:]):
            if following is None or self.clock.now() < began + following.time:
                self._rest_until(began + step.time)
                self._put(step.point)

    def _put(self, point: Point) -> None:
        """Put the pointer at a step of its way; if no screen is there, the system keeps it at an edge."""
        self.move_away(point)
        here = self.mouse.position()
        if here.distance(point) > SLACK and not self._hand.knows(here):
            self.mouse.move(point)
            if self.mouse.position() != here:
                raise TakenOverError(HAND)
            self._hand.put(here)

    def _rest_until(self, due: float) -> None:
        """Wait until ``due``, or until the pace is changed, and check all the while for a reason to stop."""
        pace = self.pace
        while (left := due - self.clock.now()) > 0 and self.pace is pace:
            self.check()
            self.clock.sleep(min(NAP, left))
