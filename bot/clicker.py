"""Moves become clicks: nearest first, at a pace, and never after the user has said stop."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.errors import StoppedError, UsageError
from bot.geometry import Frame, Grid, Point
from bot.screen.protocols import Button, Mouse
from bot.solver.decision import Action, Move

POINTER_SLACK = 2  # pixels; a mouse that lies still may jitter by as much, once in a while
STRAYS, STRAY_TIME = 2, 1.0  # so many small movements in so many seconds are a hand that moves slowly
NAP = 0.01  # seconds between two looks for a reason to stop while waiting
ECHO = 0.15  # seconds for which Wine may go on to tell an earlier place of the pointer (0.1 was measured)


@dataclass(frozen=True, slots=True)
class Click:
    """One mouse click on the screen, and the move it carries out."""

    point: Point
    button: Button
    move: Move


class Clock(Protocol):
    """The time in seconds, and a way to let it pass; tests have their own."""

    def now(self) -> float:
        """Return the time in seconds from any fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""


class RealClock:
    """The clock on the wall."""

    def now(self) -> float:
        """Return `time.perf_counter`."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        time.sleep(seconds)


def plan(moves: Iterable[Move], frame: Frame, grid: Grid, start: Point) -> list[Click]:
    """Return one click a move: from ``start``, the nearest remaining one is always the next."""
    waiting = [_click(move, frame, grid) for move in moves]
    ordered: list[Click] = []
    here = start
    while waiting:
        nearest = min(waiting, key=lambda click: here.distance(click.point))
        waiting.remove(nearest)
        ordered.append(nearest)
        here = nearest.point
    return ordered


def _click(move: Move, frame: Frame, grid: Grid) -> Click:
    button = {Action.OPEN: Button.LEFT, Action.FLAG: Button.RIGHT, Action.CHORD: Button.MIDDLE}[move.action]
    return Click(frame.to_screen(*grid.centre(move.cell)), button, move)


class Pace(Protocol):
    """How long to wait before the next click."""

    def pause(self, since_last: float, travel: float, size: float) -> float:
        """Return the seconds still to wait.

        ``since_last`` is the time in seconds since the last click was due, ``travel`` the way of the pointer
        and ``size`` the size of a cell, both in pixels.
        """


@dataclass(frozen=True, slots=True)
class MaxPace:
    """No waiting at all."""

    def pause(self, since_last: float, travel: float, size: float) -> float:  # noqa: ARG002
        """Return 0."""
        return 0.0


@dataclass(frozen=True, slots=True)
class SteadyPace:
    """A fixed number of clicks a second."""

    rate: float

    def pause(self, since_last: float, travel: float, size: float) -> float:  # noqa: ARG002
        """Return what is left of the time between two clicks."""
        return max(0.0, 1 / self.rate - since_last)


@dataclass(frozen=True, slots=True)
class HumanPace:
    """The pace of a person: Fitts's law for the way (MacKenzie's form), and a reaction time that varies."""

    random: random.Random = field(default_factory=random.Random)

    def pause(self, since_last: float, travel: float, size: float) -> float:
        """Return what is left of the time a person would need for this click."""
        movement = 0.08 + 0.1 * math.log2(travel / size + 1)
        reaction = self.random.lognormvariate(math.log(0.15), 0.4)
        return max(0.0, movement + reaction - since_last)


def parse_speed(text: str) -> Pace:
    """Return the pace that ``max``, ``human`` or a number of clicks a second stands for.

    Raises UsageError for anything else.
    """
    if text == "max":
        return MaxPace()
    if text == "human":
        return HumanPace()
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not (math.isfinite(rate) and rate > 0):
        raise UsageError(f"--speed {text}: give max, human, or a number of clicks a second above 0")
    return SteadyPace(rate)


class Clicker:
    """Sends clicks at a pace, and looks before each one whether it still may.

    ``stop_pressed`` tells of the stop key; ``may_go`` raises when the game's window went away, or another is
    in the way of a click at a point. The clicker itself raises StoppedError when the pointer is not where it
    left it, or, once armed, where it began.
    """

    def __init__(
        self,
        mouse: Mouse,
        pace: Pace,
        stop_pressed: Callable[[], bool],
        may_go: Callable[[Point | None], None],
        clock: Clock,
    ) -> None:
        self.mouse, self.pace, self.clock = mouse, pace, clock
        self.stop_pressed, self.may_go = stop_pressed, may_go
        self.sent = 0
        self._trail: deque[tuple[float, Point]] = deque()  # the start, then when and where clicks were sent
        self._strays: deque[float] = deque()
        self._due = -math.inf

    def arm(self) -> None:
        """Take the pointer as it stands: from here on, a movement is the user's wish to stop."""
        self._trail.append((self.clock.now(), self.mouse.position()))

    def send(self, clicks: Sequence[Click], cell_size: float) -> None:
        """Send ``clicks`` in order; ``cell_size`` in pixels. Raises StoppedError at the user's wish."""
        for click in clicks:
            self._wait(click.point, cell_size)
            self.mouse.click(click.point, click.button)
            self.sent += 1
            self._trail.append((self.clock.now(), click.point))
            if 0 < (here := self.mouse.position()).distance(click.point) <= POINTER_SLACK:
                self._trail.append((self.clock.now(), here))  # a system that rounds is no hand

    def move_away(self, point: Point) -> None:
        """Put the pointer at ``point`` without a click. Raises StoppedError at the user's wish."""
        self.heed_user()
        self.mouse.move(point)
        self._trail.append((self.clock.now(), point))

    def check(self, point: Point | None = None) -> None:
        """Raise what ``may_go`` raises for ``point``, or StoppedError at the user's wish.

        The user comes last: the shorter the time from there to the click, the less can be missed.
        """
        self.may_go(point)
        self.heed_user()

    def heed_user(self) -> None:
        """Raise StoppedError if the user has pressed the stop key or moved the mouse."""
        if self.stop_pressed():
            raise StoppedError("stopped: Esc was pressed")
        if self._was_moved():
            raise StoppedError("stopped: the mouse was moved by hand")

    def _was_moved(self) -> bool:
        """Return whether the pointer is not at the last click, nor at one so fresh that it may be its echo.

        Each click puts the pointer back, so a hand that moves slowly shows as small strays, again and again.
        """
        here, now = self.mouse.position(), self.clock.now()
        while len(self._trail) > 1 and self._trail[1][0] < now - ECHO:
            self._trail.popleft()
        away = min((here.distance(point) for _, point in self._trail), default=0.0)
        if 0 < away <= POINTER_SLACK:
            self._strays.append(now)
            self._trail.append((now, here))  # the same stray is not counted twice
        while self._strays and self._strays[0] < now - STRAY_TIME:
            self._strays.popleft()
        return away > POINTER_SLACK or len(self._strays) >= STRAYS

    def _wait(self, point: Point, cell_size: float) -> None:
        """Let the pace's pause pass, looking all the while, and check a last time."""
        now = self.clock.now()
        travel = self.mouse.position().distance(point)
        due = now + self.pace.pause(now - self._due, travel, cell_size)
        while (left := due - self.clock.now()) > 0:
            self.check()
            self.clock.sleep(min(NAP, left))
        # A click that came late does not make the next ones come early, and a short sleep that took too
        # long is made up for: the schedule goes by when clicks were due, not by when they were sent.
        self._due = due
        self.check(point)
