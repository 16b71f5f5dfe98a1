"""Which of two numbers beside a board is the timer, told from several looks: it grows with the seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.board import States
from bot.vision.panel.counter import Counter, counter_at, partner
from bot.vision.panel.numbers import Number

_LEAST = 2.0  # seconds between two looks that tell a timer
_LATE = 1.2  # seconds by which a timer's steps and the looks may differ


@dataclass(frozen=True, slots=True, eq=False)
class NumbersLook:
    """The numbers beside a board at a time in seconds, and what its cells showed, int8 (rows, cols)."""

    time: float
    numbers: tuple[Number, ...]
    states: States


def counter_over(looks: Sequence[NumbersLook]) -> Counter | None:
    """Return the mine counter of the last look, if the number beside it is the timer; None if that is open.

    The timer has grown by the seconds between two looks at one game, while what the counter shows and the
    flags made the same total.
    """
    for before in looks[:-1]:
        for number in looks[-1].numbers:
            if (counter := _confirmed(number, before, looks[-1])) is not None:
                return counter
    return None


def _confirmed(number: Number, before: NumbersLook, now: NumbersLook) -> Counter | None:
    """Return the counter that ``number`` is if the one beside it ticks; None if that is open."""
    timer, counter = partner(number, now.numbers), counter_at(number, now.states)
    if timer is None or counter is None:
        return None
    old, old_timer = _same_place(number, before.numbers), _same_place(timer, before.numbers)
    if old is None or old_timer is None or not _ticked(old_timer.value, timer.value, now.time - before.time):
        return None
    old_counter = counter_at(old, before.states)
    return counter if old_counter is not None and old_counter.total == counter.total else None


def _ticked(before: int, now: int, seconds: float) -> bool:
    return seconds >= _LEAST and abs(now - before - seconds) <= _LATE


def _same_place(number: Number, others: Sequence[Number]) -> Number | None:
    return next((other for other in others if not other.box.intersection(number.box).empty), None)
