"""Words for constraints, counts of mines and risks in messages."""

from __future__ import annotations

from bot.board import Board
from bot.solver.constraints import MaskConstraint
from bot.solver.decision import Alternative, Constraint, Decision, Move
from bot.words import cell_words, risk_words


def name(board: Board, constraint: Constraint | MaskConstraint) -> str:
    """Return the name of ``constraint``: "the 2 at row 1, column 2", or "the total of 10 mines"."""
    if constraint.source is None:
        return f"the total of {mines_words(board.mines or 0)}"
    return f"the {board[constraint.source]} at {cell_words(constraint.source)}"


def mines_words(count: int, one: str = "1 mine") -> str:
    """Return "5 mines" for a ``count`` of 5; ``one`` for a count of 1."""
    return one if count == 1 else f"{count} mines"


def reason_words(move: Move, decision: Decision) -> str:
    """Return why a move of ``decision`` is made, and how risky it is, in a few words."""
    how = "" if decision.judgement is None else f" by {decision.judgement.value}"
    risk = f"risk {risk_words(move.risk, decision.exact)}" if move.risk else "safe"
    won = "" if decision.win_chance is None else f", won in {decision.win_chance:.1%}"
    return f"{move.reason.value}{how}, {risk}{won}"


def alternative_words(one: Alternative, decision: Decision) -> str:
    """Return a cell that a guess could open instead, its risk, and how often it wins in comparison."""
    words = f"{cell_words(one.cell)}: risk {risk_words(one.risk, decision.exact)}"
    return words if one.score is None else f"{words}, wins {one.score:.1%} as often"
