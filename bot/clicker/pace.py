"""The pace of clicks: how long to wait between two clicks, and how the pointer moves from one to the next.

A person hesitates, then moves the hand. Reaction times are skewed, much like a log-normal distribution (Luce,
Response Times, 1986). A choice between a few answers takes 0.25 to 0.5 seconds (Hick 1952); going on with a
decision takes much less. The time of a movement follows Fitts's law (1954) in the form of MacKenzie (1992):
its index of difficulty is log2(distance / size + 1) bits, and a hand on a mouse does 3.7 to 4.9 bits a second
(Soukoreff and MacKenzie 2004). The pointer moves in a straight line, slowly at first and at the end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from bot.errors import UsageError
from bot.geometry import Point

DECIDING, DECIDING_SPREAD = 0.31, 0.25  # median in seconds, and spread of its logarithm: 0.24 to 0.4 s
GOING_ON, GOING_ON_SPREAD = 0.07, 0.4  # the same for clicks that were decided before
THROUGHPUT = 4.9  # bits a second, by a practised hand
RATE = 100  # positions of the pointer per second


@dataclass(frozen=True, slots=True)
class Trip:
    """The movement to the next click: from ``start`` to ``end``, on a cell of ``size`` pixels.

    ``since_last`` is the number of seconds since the last click was due. ``fresh`` is true if the next click
    is the first one of a decision.
    """

    start: Point
    end: Point
    size: float
    since_last: float
    fresh: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A place of the pointer, ``time`` seconds after the movement began."""

    time: float
    point: Point


@dataclass(frozen=True, slots=True)
class Way:
    """The way to the next click: rest ``pause`` seconds, then take the steps; the click is due at the last.

    Without steps, the pointer jumps to the place of the click.
    """

    pause: float
    steps: tuple[Step, ...] = ()

    @property
    def duration(self) -> float:
        """The seconds until the click is due."""
        return self.pause + (self.steps[-1].time if self.steps else 0.0)


class Pace(Protocol):
    """The timing of clicks."""

    def way(self, trip: Trip) -> Way:
        """Return the pause until the next click and the movement of the pointer to it."""


@dataclass(frozen=True, slots=True)
class SteadyPace:
    """A fixed number of clicks a second."""

    rate: float

    def way(self, trip: Trip) -> Way:
        """Return a pause for the rest of the time between two clicks."""
        return Way(max(0.0, 1 / self.rate - trip.since_last))


@dataclass(frozen=True, slots=True)
class HumanPace:
    """The pace of a person; ``random`` varies the reaction times."""

    random: random.Random = field(default_factory=random.Random)

    def way(self, trip: Trip) -> Way:
        """Return a pause for the rest of the reaction time, and the movement of the hand."""
        usual, spread = (DECIDING, DECIDING_SPREAD) if trip.fresh else (GOING_ON, GOING_ON_SPREAD)
        reaction = self.random.lognormvariate(math.log(usual), spread)
        steps = movement(trip.start, trip.end, trip.size)
        return Way(max(0.0, reaction - trip.since_last), tuple(steps))


def movement_time(distance: float, size: float) -> float:
    """Return the seconds that a hand takes to move by ``distance`` pixels onto a cell of ``size`` pixels."""
    return math.log2(distance / size + 1) / THROUGHPUT


def movement(start: Point, end: Point, size: float) -> Iterator[Step]:
    """Yield the steps of a hand that moves the pointer to ``end``; none if it is there already.

    All lie on the line from ``start`` to ``end``, the centre of a cell of ``size`` pixels.
    """
    if start == end:
        return
    whole, last = movement_time(start.distance(end), size), start
    for number in range(1, math.ceil(whole * RATE)):
        time = number / RATE
        part = time / whole
        done = part * part * (3 - 2 * part)  # eased: the speed is 0 at both ends
        point = Point(round(start.x + done * (end.x - start.x)), round(start.y + done * (end.y - start.y)))
        if point != last:
            last = point
            yield Step(time, point)
    yield Step(whole, end)


def parse_speed(text: str) -> Pace | None:
    """Return the pace for ``text``: ``max`` (None: no waiting), ``human`` or a number of clicks a second.

    Raises UsageError for anything else.
    """
    if text == "max":
        return None
    if text == "human":
        return HumanPace()
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not (math.isfinite(rate) and rate > 0):
        raise UsageError(f"--speed {text}: give max, human, or a number of clicks a second above 0")
    return SteadyPace(rate)
