"""Which of the numbers beside a board counts its mines: the one that a game on this board can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import State, States
from bot.geometry import Pixels, Rect
from bot.vision.panel.numbers import Number, read_numbers
from bot.vision.panel.state import total_mines, with_total
from bot.vision.reading import Reading

_USUAL_TOTALS = {
    (8, 8): 10,
    (9, 9): 10,
    (16, 16): 40,
    (16, 30): 99,
    (30, 16): 99,
    (8, 10): 10,  # and the three of Google's
    (14, 18): 40,
    (20, 24): 99,
}
_DENSITY = (0.08, 0.3)  # of the cells of a board are mines
_ONE_DIGIT = 0.9  # of its height is one digit wide at most
_UNEVEN = 0.2  # of its height: how far tops and bottoms of two numbers in one line may differ


@dataclass(frozen=True, slots=True)
class Counter:
    """A mine counter: mines minus flags, and where it stands in frame pixels."""

    mines_left: int
    box: Rect


def find_counter(numbers: Sequence[Number], states: States) -> Counter | None:
    """Return the number that counts the mines of a board with these states; None if none or several may.

    On a board of a usual size only the usual total is believed: a timer that completes just this is rare. On
    other boards a number has to be read for sure and needs another beside it, or it may be the timer, and
    the counter was not read. A total after a slash tells by itself what it is. Where a cell cannot be read,
    a flag may be missing: then there is no saying.
    """
    if (states == State.UNREADABLE).any():
        return None
    possible = {number: total for number in numbers if (total := _total(number, states)) is not None}
    usual = _USUAL_TOTALS.get((states.shape[0], states.shape[1]))
    possible = {
        number: total
        for number, total in possible.items()
        if total == usual or (number.sure and (number.total or not usual) and _stands_out(number, numbers))
    }
    if len(set(possible.values())) != 1:
        return None
    number, total = next(iter(possible.items()))
    return Counter(total - _flags(states), number.box)


def _stands_out(number: Number, numbers: Sequence[Number]) -> bool:
    """Return whether this number has a total, or makes a pair with a single other one in line with it.

    Single strokes and rings are everywhere, and look like a 1 or a 0: one of the pair has several digits.
    """
    pair = [each.box for each in numbers if _in_line(each.box, number.box)]
    several = any(box.width > _ONE_DIGIT * box.height for box in pair)
    return number.total is not None or (len(pair) == 2 and several)


def _in_line(one: Rect, other: Rect) -> bool:
    slack = _UNEVEN * max(one.height, other.height)
    return abs(one.y - other.y) <= slack and abs(one.bottom - other.bottom) <= slack


def with_counter(pixels: Pixels, reading: Reading) -> Reading:
    """Return the reading with the mine counter that was found beside its board, if one was.

    For boards whose skin does not tell where it is. ``pixels`` is the picture that was read, BGR.
    """
    if reading.panel.mines_left is not None:
        return reading
    states = reading.board.states
    counter = find_counter(read_numbers(pixels, reading.grid), states)
    if counter is None:
        return reading
    panel = replace(reading.panel, mines_left=counter.mines_left, counter_at=counter.box)
    return with_total(replace(reading, panel=panel), total_mines(states, counter.mines_left))


def _total(number: Number, states: States) -> int | None:
    """Return the total of mines if this number counts them; None if it does not.

    A number with a slash gives the total itself, after the flags or the mines that are left.
    """
    flags = _flags(states)
    total = number.value + flags if number.total is None else number.total
    if number.total is not None and number.value not in (flags, number.total - flags):
        return None
    low, high = _DENSITY
    return total if low * states.size <= total <= high * states.size and _fits(total, states) else None


def _fits(total: int, states: States) -> bool:
    """Return whether so many mines have room, and explain each number by itself."""
    numbers = states[states <= 8]
    room = int(np.isin(states, (State.COVERED, State.FLAG, State.QUESTION, State.MINE, State.EXPLODED)).sum())
    shown = int(np.isin(states, (State.MINE, State.EXPLODED)).sum())
    return max(int(numbers.max(initial=0)), shown) <= total <= room


def _flags(states: States) -> int:
    return int(np.isin(states, (State.FLAG, State.WRONG_FLAG)).sum())
