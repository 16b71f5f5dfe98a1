"""How long to wait between two clicks, and how the pointer gets from one to the next.

A person hesitates, and moves a hand. Times of reaction are skewed as the logarithm of a normal number is
(Luce, Response Times, 1986); to choose between some answers takes a quarter to half a second (Hick 1952), to
go on with what is decided much less. The time of a movement follows Fitts's law (1954) as MacKenzie (1992)
writes it: its index of difficulty is log2(distance / size + 1) bits, and a hand on a mouse settles 3.7 to 4.9
of them a second (Soukoreff and MacKenzie 2004). It runs smoothly, with the least jerk (Flash and Hogan 1985),
in a slight bow; the first impulse misses by a few per cent of the way, and a second one, which begins before
the first has ended, corrects that (Meyer et al. 1988).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from bot.errors import UsageError
from bot.geometry import Point

DECIDING, DECIDING_SPREAD = 0.31, 0.25  # seconds (the median) and spread of the logarithm: 0.24 to 0.4 s
GOING_ON, GOING_ON_SPREAD = 0.07, 0.4  # the same where the decision was made before
THROUGHPUT = 4.9  # bits a second, of a practised hand
RATE = 100  # places of the pointer a second
MISS, MISS_SPREAD = 0.03, 0.04  # of the way: people rather go too far than not far enough
BOW_SPREAD = 0.04  # of the way, to either side
REACH = 0.4  # of a cell: no miss leaves the cell that is aimed at
FIRST_ENDS, SECOND_BEGINS = 0.8, 0.6  # of the time of a movement


@dataclass(frozen=True, slots=True)
class Trip:
    """The pointer is at ``start``, the next click at ``end``, on a cell of ``size`` pixels.

    ``since_last`` are the seconds since the last click was due; the next is ``fresh`` if it is the first one
    of a decision.
    """

    start: Point
    end: Point
    size: float
    since_last: float
    fresh: bool


@dataclass(frozen=True, slots=True)
class Step:
    """Where the pointer is to be, ``time`` seconds after it has set out."""

    time: float
    point: Point


@dataclass(frozen=True, slots=True)
class Way:
    """First ``pause`` seconds of rest, then the steps; the click is due at the last one.

    Without steps the pointer jumps there with the click.
    """

    pause: float
    steps: tuple[Step, ...] = ()

    @property
    def duration(self) -> float:
        """The seconds until the click."""
        return self.pause + (self.steps[-1].time if self.steps else 0.0)


class Pace(Protocol):
    """How a click follows on the one before; up to ``together`` of them are sent at once."""

    @property
    def together(self) -> int:
        """How many clicks."""

    def way(self, trip: Trip) -> Way:
        """Return when from now on to click, and how the pointer gets there."""


@dataclass(frozen=True, slots=True)
class MaxPace:
    """No waiting at all. The wish to stop is checked after every few clicks, which take a millisecond."""

    together: ClassVar[int] = 10

    def way(self, trip: Trip) -> Way:  # noqa: ARG002
        """Return that the click is due."""
        return Way(0.0)


@dataclass(frozen=True, slots=True)
class SteadyPace:
    """A fixed number of clicks a second."""

    rate: float
    together: ClassVar[int] = 1

    def way(self, trip: Trip) -> Way:
        """Return what is left of the time between two clicks."""
        return Way(max(0.0, 1 / self.rate - trip.since_last))


@dataclass(frozen=True, slots=True)
class HumanPace:
    """The pace of a person who is as quick as ``random`` says."""

    random: random.Random = field(default_factory=random.Random)
    together: ClassVar[int] = 1

    def way(self, trip: Trip) -> Way:
        """Return what is left of the time to react, and the movement."""
        usual, spread = (DECIDING, DECIDING_SPREAD) if trip.fresh else (GOING_ON, GOING_ON_SPREAD)
        reaction = self.random.lognormvariate(math.log(usual), spread)
        steps = movement(trip.start, trip.end, trip.size, self.random)
        return Way(max(0.0, reaction - trip.since_last), tuple(steps))


def movement_time(distance: float, size: float) -> float:
    """Return the seconds in which a hand moves the pointer by ``distance`` onto a cell of ``size`` pixels."""
    return math.log2(distance / size + 1) / THROUGHPUT


def movement(start: Point, end: Point, size: float, chance: random.Random) -> Iterator[Step]:
    """Iterate over where a hand has the pointer on its way, the last at ``end``; none if it is there.

    All lie within the rectangle around ``start`` and the cell of ``size`` pixels in whose middle ``end`` is,
    so on the screen if those are.
    """
    distance = start.distance(end)
    if not distance:
        return
    whole, reach = movement_time(distance, size), REACH * size
    miss = min(reach, max(-reach, chance.gauss(MISS, MISS_SPREAD) * distance)) / distance
    bow = chance.gauss(0.0, BOW_SPREAD)
    last = start
    for number in range(1, math.ceil(whole * RATE)):
        time = number / RATE
        point = _within_view(_place(start, end, time / whole, miss, bow), start, end, reach)
        if point != last:
            last = point
            yield Step(time, point)
    yield Step(whole, end)


def _place(start: Point, end: Point, part: float, miss: float, bow: float) -> tuple[float, float]:
    """Return x and y after that ``part`` of the time; ``miss`` and ``bow`` are parts of the way."""
    first = _progress(part / FIRST_ENDS)
    second = _progress((part - SECOND_BEGINS) / (1 - SECOND_BEGINS))
    along, across = first * (1 + miss) - second * miss, bow * 4 * first * (1 - first)
    dx, dy = end.x - start.x, end.y - start.y
    return start.x + along * dx - across * dy, start.y + along * dy + across * dx


def _progress(part: float) -> float:
    """Return how much of a movement with the least jerk is done after that part of its time."""
    part = min(1.0, max(0.0, part))
    return part**3 * (10 - 15 * part + 6 * part**2)


def _within_view(place: tuple[float, float], start: Point, end: Point, reach: float) -> Point:
    x, y = place
    return Point(
        round(min(max(x, min(start.x, end.x - reach)), max(start.x, end.x + reach))),
        round(min(max(y, min(start.y, end.y - reach)), max(start.y, end.y + reach))),
    )


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
