"""Settling doubts by what the rules of the game exclude, once the cells around them are certain.

The search weighs the rules roughly, cell by cell. Where only few units are in doubt, what they can be follows
exactly: from certain numbers it is deduced which cells are mines and which are free, and from those which
numbers can stand on a cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.rules import deduce
from bot.vision.unknown.labels import Labelling
from bot.vision.unknown.logic import HIDDEN, LABELS

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_EXCLUDED = 9.0  # nats that a label which the rules exclude costs more
_AROUND = [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if (row, col) != (0, 0)]
_PLACINGS = np.array([[placing >> cell & 1 for cell in range(8)] for placing in range(256)], np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What is known of each cell (rows, cols): its number where that is certain, else HIDDEN; mine; free."""

    numbers: Ints
    mines: Bools
    free: Bools


def settled(labelling: Labelling, unit_of_cell: Ints, certain: Bools) -> Labelling:
    """Return the labelling without the doubts that the rules settle, from the cells that are certain."""
    states = labelling.labels[unit_of_cell]
    known = _deduced(states, certain)
    rises = labelling.rises.copy()
    for unit in np.unique(unit_of_cell[~certain]):
        for row, col in np.argwhere((unit_of_cell == unit) & ~certain):
            rises[unit, ~_possible(known, states, certain, int(row), int(col))] += _EXCLUDED
    return _chosen(labelling, rises)


def _chosen(labelling: Labelling, rises: npt.NDArray[np.float32]) -> Labelling:
    """Return the labelling in which each unit shows what costs least, given ``rises`` (units, LABELS)."""
    units = np.arange(len(rises))
    order = rises.argsort(1, kind="stable")
    labels, second = (order[:, place].astype(np.int32) for place in (0, 1))
    gap = np.minimum(rises[units, second] - rises[units, labels], _EXCLUDED).astype(np.float32)
    return replace(labelling, labels=labels, second=second, gap=gap, rises=rises)


def _deduced(states: Ints, certain: Bools) -> _Known:
    """Return what follows from the certain cells, each number by itself, over and over."""
    numbers = np.where(certain & (states <= 8), states, HIDDEN).astype(np.int32)
    mines = certain & np.isin(states, (State.MINE, State.EXPLODED))
    known = deduce(numbers, mines, ~mines & (numbers == HIDDEN))
    return _Known(numbers, known.mines, ~known.mines & ~known.places)


def _possible(known: _Known, states: Ints, certain: Bools, row: int, col: int) -> Bools:
    """Return which labels a cell may show, (LABELS,)."""
    possible = np.ones(LABELS, np.bool_)
    around = [place for place in _neighbours(states, row, col) if certain[place]]
    if known.mines[row, col]:
        possible[:9] = False
        return possible
    if any(known.numbers[place] == 0 for place in around):
        possible[[State.COVERED, State.MINE, State.EXPLODED]] = False
    if any(states[place] == State.COVERED for place in around):
        possible[0] = False
    counts = _counts(known, row, col)
    possible[:9] &= np.isin(np.arange(9), counts)
    return possible


def _counts(known: _Known, row: int, col: int) -> Ints:
    """Return how many mines may lie around a cell, by the numbers up to two cells away."""
    near = _neighbours(known.numbers, row, col)
    open_cells = [place for place in near if not known.mines[place] and not known.free[place]]
    placings = _PLACINGS[: 1 << len(open_cells), : len(open_cells)]
    allowed = np.ones(len(placings), np.bool_)
    column = {place: index for index, place in enumerate(open_cells)}
    numbered = {place for cell in open_cells for place in _neighbours(known.numbers, *cell)}
    for place in numbered:
        number = int(known.numbers[place])
        if number == HIDDEN:
            continue
        cells = _neighbours(known.numbers, *place)
        least = placings[:, [column[cell] for cell in cells if cell in column]].sum(1)
        least = least + sum(bool(known.mines[cell]) for cell in cells)
        others = sum(not known.mines[cell] and not known.free[cell] and cell not in column for cell in cells)
        allowed &= (least <= number) & (number <= least + others)
    mines = sum(bool(known.mines[place]) for place in near)
    return np.unique(placings[allowed].sum(1) + mines).astype(np.int32)


def _neighbours(cells: Ints, row: int, col: int) -> list[tuple[int, int]]:
    rows, cols = cells.shape
    places = ((row + down, col + across) for down, across in _AROUND)
    return [(r, c) for r, c in places if 0 <= r < rows and 0 <= c < cols]
