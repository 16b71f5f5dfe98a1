"""Words for cells, numbers, counts of mines and risks in messages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from bot.board import Board, Cell, cell_words
from bot.solver.constraints import MaskConstraint
from bot.solver.decision import Constraint

_LEAST = 0.0005  # smaller risks would be shown as 0.0 %, which is reserved for proven cells


def cells_words(cells: Iterable[Cell]) -> str:
    """Return the places of ``cells``, row by row: "row 1, columns 2 and 3, and row 4, column 5"."""
    rows = [
        (row + 1, [cell.col + 1 for cell in line])
        for row, line in groupby(sorted(cells), key=lambda cell: cell.row)
    ]
    words = [f"row {row}, column{'s' * (len(cols) > 1)} {listed(map(str, cols))}" for row, cols in rows]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}, and {words[-1]}"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return ``words`` as a list in one string: "a, b and c"; ``link`` stands before the last one."""
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last


def name(board: Board, constraint: Constraint | MaskConstraint) -> str:
    """Return the name of ``constraint``: "the 2 at row 1, column 2", or "the total of 10 mines"."""
    if constraint.source is None:
        return f"the total of {mines_words(board.mines or 0)}"
    return f"the {board[constraint.source]} at {cell_words(constraint.source)}"


def mines_words(count: int, one: str = "1 mine") -> str:
    """Return "5 mines" for a ``count`` of 5; ``one`` for a count of 1."""
    return one if count == 1 else f"{count} mines"


def risk_words(risk: float, exact: bool = True) -> str:
    """Return ``risk`` in percent, with "about" if it is not ``exact``; "under 0.1%" instead of "0.0%"."""
    if 0 < risk < _LEAST:
        return "under 0.1%"
    return f"{'' if exact else 'about '}{risk:.1%}"
