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
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.errors import UsageError
from bot.geometry import Point

DECIDING, DECIDING_SPREAD = 0.31, 0.25  # median in seconds, and spread of its logarithm: 0.24 to 0.4 s
GOING_ON, GOING_ON_SPREAD = 0.07, 0.4  # the same for clicks that were decided before
THROUGHPUT = 4.9  # bits a second, by a practised hand
RATE = 100  # positions of the pointer per second


@dataclass(frozen=True, slots=True)
class Step:
    """A place of the pointer, ``time`` seconds after the movement began."""

    time: float
    point: Point


@dataclass(frozen=True, slots=True)
class SteadyPace:
    """A fixed number of clicks a second."""

    rate: float

    def pause(self, since_last: float, *, fresh: bool) -> float:  # noqa: ARG002
        """Return the rest of the time between two clicks; the last was due ``since_last`` seconds ago."""
        return max(0.0, 1 / self.rate - since_last)

    def steps(self, start: Point, end: Point, size: float) -> Sequence[Step]:  # noqa: ARG002
        """Return no steps: the pointer jumps to the next click."""
        return ()


@dataclass(frozen=True, slots=True)
class HumanPace:
    """The pace of a person; ``random`` varies the reaction times."""

    random: random.Random = field(default_factory=random.Random)

    def pause(self, since_last: float, *, fresh: bool) -> float:
        """Return for how many seconds to rest before the movement to the next click.

        It is the rest of the reaction time, if the last click was due ``since_last`` seconds ago. ``fresh``
        is true if the next click is the first one of a decision.
        """
        usual, spread = (DECIDING, DECIDING_SPREAD) if fresh else (GOING_ON, GOING_ON_SPREAD)
        return max(0.0, self.random.lognormvariate(math.log(usual), spread) - since_last)

    def steps(self, start: Point, end: Point, size: float) -> Sequence[Step]:
        """Return the movement of the hand, which is none if the pointer is there already.

        All steps lie on the line from ``start`` to ``end``, the centre of a cell of ``size`` pixels. The
        click is due at the last step.
        """
        if start == end:
            return ()
        whole = math.log2(start.distance(end) / size + 1) / THROUGHPUT
        across, down = end.x - start.x, end.y - start.y
        times = [number / RATE for number in range(1, math.ceil(whole * RATE))]
        parts = [time / whole for time in times]
        eased = [part * part * (3 - 2 * part) for part in parts]  # the speed is 0 at both ends
        places = [Point(round(start.x + done * across), round(start.y + done * down)) for done in eased]
        return [*map(Step, times, places), Step(whole, end)]


Pace = SteadyPace | HumanPace  # the timing of clicks


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
