"""Words for constraints, counts of mines and risks in messages."""

from __future__ import annotations

from bot.board import Board
from bot.solver.constraints import MaskConstraint
from bot.solver.decision import Constraint
from bot.words import cell_words

_LEAST = 0.0005  # smaller risks would be shown as 0.0 %, which is reserved for proven cells


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
