"""How long to wait between two clicks, and how the pointer gets from one to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

from bot.clicker.human import HumanPace
from bot.clicker.way import Trip, Way
from bot.errors import UsageError


class Pace(Protocol):
    """How a click follows on the one before; up to ``together`` of them are sent at once."""

    @property
    def together(self) -> int:
        """How many clicks."""

    def way(self, trip: Trip) -> Way:
        """Return when from now on to click, and how the pointer gets there."""


@dataclass(frozen=True, slots=True)
class MaxPace:
    """No waiting at all. The user is heeded after every few clicks: that many take a millisecond."""

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
