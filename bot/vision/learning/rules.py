"""Whether any placement of mines can explain a position, for many positions at once.

Counts alone are followed to their end: a number that has all its mines makes its other neighbours safe, one
that has as many places as mines left makes them mines. What that finds impossible is impossible; what it lets
pass may still be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import MAY_BE_MINE, SHOWN_MINES, State

Ints = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]

_PLACES = [int(state) for state in MAY_BE_MINE - SHOWN_MINES]
_SHOWN = [int(state) for state in SHOWN_MINES]


def possible(positions: Ints, mines: int | None = None) -> Bools:
    """Return which positions, int8 (b, rows, cols), counts do not contradict: bool (b,).

    ``mines`` is the total, None if unknown. A flag is an opinion, and an unreadable cell may be anything.
    """
    number = positions <= 8
    wanted = np.where(number, positions, 0).astype(np.int8)
    mine, place = np.isin(positions, _SHOWN), np.isin(positions, _PLACES)
    fits = ~((positions == 0) & (around(positions == State.COVERED) > 0)).any((1, 2))
    left = np.flatnonzero(fits)
    number, wanted, mine, place = number[left], wanted[left], mine[left], place[left]
    while len(left):
        known, free = around(mine), around(place)
        wrong = number & ((wanted < known) | (wanted > known + free))
        safe = place & (around(number & (known == wanted)) > 0)
        laid = place & (around(number & (known + free == wanted)) > 0)
        good = ~(wrong | (safe & laid)).any((1, 2)) & _total_fits(mine, place, mines)
        fits[left] = good
        mine, place = mine | laid, place & ~(safe | laid)
        open_ones = good & (safe | laid).any((1, 2))
        left, number, wanted = left[open_ones], number[open_ones], wanted[open_ones]
        mine, place = mine[open_ones], place[open_ones]
    return np.asarray(fits, dtype=np.bool_)


def around(chosen: Bools) -> Ints:
    """Return how many neighbours of every cell are chosen: (b, rows, cols)."""
    count, rows, cols = chosen.shape
    padded = np.zeros((count, rows + 2, cols + 2), np.int8)
    padded[:, 1:-1, 1:-1] = chosen
    across = padded[:, :, :-2] + padded[:, :, 1:-1] + padded[:, :, 2:]
    total: Ints = across[:, :-2] + across[:, 1:-1] + across[:, 2:] - padded[:, 1:-1, 1:-1]
    return total


def _total_fits(mine: Bools, place: Bools, mines: int | None) -> Bools:
    """Return which totals are right; without one, there must be a place for a mine at least."""
    known, free = mine.sum((1, 2)), place.sum((1, 2))
    if mines is None:
        return np.asarray(known + free > 0)
    return np.asarray((known <= mines) & (known + free >= mines))
