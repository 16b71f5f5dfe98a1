"""How the pointer gets from one click to the next."""

from __future__ import annotations

from dataclasses import dataclass

from bot.geometry import Point


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
