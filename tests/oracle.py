"""A solver by brute force: lists every placement of mines and keeps those that fit.

It shares nothing with the solver but the board: placements are the rows of a matrix, numbers are checked by
multiplying it with the matrix of who touches whom.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import factorial

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State

Bits = npt.NDArray[np.int16]
Mines = frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Solutions:
    """All solutions of a board: one row each, a 1 where a mine is; one column for each of ``cells``."""

    board: Board
    cells: list[Cell]
    placements: Bits

    @property
    def weights(self) -> list[int]:
        """What each solution counts: 1, or t! (N - t)! for t mines on N cells if the total is unknown."""
        if self.board.mines is not None:
            return [1] * len(self.placements)
        everywhere, shown = self.board.states.size, self.board.count(State.MINE, State.EXPLODED)
        mines = [int(row.sum()) + shown for row in self.placements]
        return [factorial(t) * factorial(everywhere - t) for t in mines]

    def counts(self) -> tuple[int, dict[Cell, int]]:
        """Return the weight of all solutions, and for each unknown cell of those with a mine in it."""
        weights = self.weights
        columns = zip(self.cells, self.placements.T.tolist(), strict=True)
        mines = {
            cell: sum(weight for weight, bit in zip(weights, column, strict=True) if bit)
            for cell, column in columns
        }
        return sum(weights), mines

    def always(self, bit: int) -> set[Cell]:
        """Return the cells that are safe (0) or mines (1) in every solution."""
        return {
            cell for cell, column in zip(self.cells, self.placements.T, strict=True) if (column == bit).all()
        }

    def numbers_shown(self, cell: Cell) -> dict[int, int]:
        """Return the weight of the solutions in which ``cell`` is safe and shows each number."""
        shown_mines = sum(_touch(cell, other) for other in self.board.cells(State.MINE, State.EXPLODED))
        counted = [_touch(cell, other) for other in self.cells]
        here = self.cells.index(cell)
        numbers: dict[int, int] = {}
        for row, weight in zip(self.placements.tolist(), self.weights, strict=True):
            if not row[here]:
                number = shown_mines + sum(bit for bit, near in zip(row, counted, strict=True) if near)
                numbers[number] = numbers.get(number, 0) + weight
        return numbers


def solve(board: Board) -> Solutions:
    """Return all solutions of ``board``, which should have at most about 14 unknown cells."""
    cells = board.cells(State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE)
    shown = board.cells(State.MINE, State.EXPLODED)
    opened = [cell for cell in board if board[cell] <= 8]
    placements = _all_placements(len(cells))
    touching = np.array([[_touch(a, b) for b in opened] for a in cells], dtype=np.int16)
    needs = np.array([board[b] - sum(_touch(a, b) for a in shown) for b in opened], dtype=np.int16)
    fits = np.ones(len(placements), dtype=np.bool_)
    if opened:
        fits &= (placements @ touching.reshape(len(cells), len(opened)) == needs).all(axis=1)
    if board.mines is not None:
        fits &= placements.sum(axis=1) + len(shown) == board.mines
    return Solutions(board, cells, placements[fits])


def fitting(constraints: list[tuple[frozenset[Cell], int]]) -> tuple[list[Cell], Bits]:
    """Return the cells of ``constraints``, and all placements of mines on them that satisfy these.

    Placements are rows, with a column for each cell. There should be at most about 18 cells.
    """
    cells = sorted(frozenset().union(*(cells for cells, _ in constraints)))
    placements = _all_placements(len(cells))
    for members, mines in constraints:
        columns = [number for number, member in enumerate(cells) if member in members]
        placements = placements[placements[:, columns].sum(axis=1) == mines]
    return cells, placements


def implied(constraints: list[tuple[frozenset[Cell], int]], cell: Cell, *, mine: bool) -> bool:
    """Return whether every placement that satisfies ``constraints`` (and some do) has ``cell`` as said."""
    cells, placements = fitting(constraints)
    return bool(len(placements)) and bool((placements[:, cells.index(cell)] == int(mine)).all())


def best_wins(board: Board, begun: Cell | None = None, opened: Cell | None = None) -> tuple[int, int]:
    """Return the weight of all solutions of ``board``, and that of those in which the best play wins.

    The play goes on with ``opened``, if that is given. By winmine's rule, if the cell is given with which the
    game has ``begun``, a solution counts one more than the run of mines with which it begins, row by row,
    that cell left out; otherwise each counts 1.
    """
    found, weight = solve(board), dict[Mines, int]()
    order = [cell for cell in board if cell != begun]
    for row in found.placements.tolist():
        mines = frozenset(cell for cell, bit in zip(found.cells, row, strict=True) if bit)
        run = next((place for place, cell in enumerate(order) if cell not in mines), len(order))
        weight[mines] = 1 if begun is None else 1 + run

    def parts(left: frozenset[Mines], cell: Cell) -> list[frozenset[Mines]]:
        """Return the solutions in which a cell is safe, by the number that it shows."""
        shown: dict[int, set[Mines]] = {}
        for mines in left:
            if cell not in mines:
                shown.setdefault(sum(other in mines for other in board.neighbours(cell)), set()).add(mines)
        return [frozenset(part) for part in shown.values()]

    @cache
    def wins(left: frozenset[Mines]) -> int:
        if len(left) == 1:
            return sum(weight[mines] for mines in left)
        useful = [part for cell in found.cells if (part := parts(left, cell)) and part != [left]]
        return max(sum(map(wins, part)) for part in useful)

    every = frozenset(weight)
    return sum(weight.values()), wins(every) if opened is None else sum(map(wins, parts(every, opened)))


def _all_placements(cells: int) -> Bits:
    return (np.arange(2**cells, dtype=np.int64)[:, None] >> np.arange(cells) & 1).astype(np.int16)


def _touch(a: Cell, b: Cell) -> bool:
    return max(abs(a.row - b.row), abs(a.col - b.col)) == 1
