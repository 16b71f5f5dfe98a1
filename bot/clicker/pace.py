"""How long to wait between two clicks."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Protocol

from bot.errors import UsageError


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
