"""What cells, numbers, counts and risks are called, in what people read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from bot.board import Board, Cell
from bot.solver.constraints import Said
from bot.solver.decision import Constraint

_LEAST = 0.0005  # a risk that would be shown as 0.0 %, which is said of what is proven alone


def cell_words(cell: Cell) -> str:
    """Return where a cell is, rows and columns counted from 0."""
    return f"row {cell.row}, column {cell.col}"


def cells_words(cells: Iterable[Cell]) -> str:
    """Return where cells are, row by row: "row 0, columns 1 and 2, and row 3, column 4"."""
    rows = [
        (row, [cell.col for cell in line]) for row, line in groupby(sorted(cells), key=lambda cell: cell.row)
    ]
    words = [f"row {row}, column{'s' * (len(cols) > 1)} {listed(map(str, cols))}" for row, cols in rows]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}, and {words[-1]}"


def listed(words: Iterable[str], link: str = "and") -> str:
    """Return words as a list: "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last


def name(board: Board, constraint: Constraint | Said) -> str:
    """Return what a constraint is called: the number where it is, or the mine total."""
    if constraint.source is None:
        return f"the total of {mines_words(board.mines or 0)}"
    return f"the {board[constraint.source]} at {cell_words(constraint.source)}"


def mines_words(count: int, one: str = "1 mine") -> str:
    """Return a number of mines, a single one as ``one``."""
    return one if count == 1 else f"{count} mines"


def risk_words(risk: float, exact: bool = True) -> str:
    """Return a risk in percent; "about" where it is an estimate."""
    if 0 < risk < _LEAST:
        return "under 0.1%"
    return f"{'' if exact else 'about '}{risk:.1%}"
