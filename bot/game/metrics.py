"""The measures that players know."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, neighbours


def bbbv(mines: npt.NDArray[np.bool_]) -> int:
    """Return the 3BV of a board: the fewest left clicks that open it, without chords.

    It is the number of openings plus the number of cells without a mine that touch no opening.
    ``mines`` is bool of shape (rows, cols).
    """
    rows, cols = mines.shape
    around = {
        cell: neighbours(rows, cols, cell)
        for cell in (Cell(row, col) for row in range(rows) for col in range(cols))
        if not mines[cell]
    }
    zeros = {cell for cell, touching in around.items() if not any(mines[other] for other in touching)}
    seen: set[Cell] = set()
    clicks = 0
    for zero in sorted(zeros):
        if zero not in seen:
            clicks += 1
            _open(zero, zeros, around, seen)
    return clicks + sum(cell not in seen for cell in around)


def _open(zero: Cell, zeros: set[Cell], around: dict[Cell, tuple[Cell, ...]], seen: set[Cell]) -> None:
    waiting = [zero]
    seen.add(zero)
    while waiting:
        for cell in around[waiting.pop()]:
            if cell not in seen:
                seen.add(cell)
                if cell in zeros:
                    waiting.append(cell)
