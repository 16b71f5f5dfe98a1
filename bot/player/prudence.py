"""Deciding on a board of which some cells are not sure: nothing is proved from those."""

from __future__ import annotations

from dataclasses import replace

from bot.board import Board, FirstClick
from bot.errors import ContradictionError
from bot.solver import decide
from bot.solver.decision import Decision, Reason


def decide_on(board: Board, careful: Board, rule: FirstClick, strategy: str) -> Decision:
    """Return what to do next: what sure cells prove alone, else one guess, which heeds the others too.

    ``careful`` is ``board`` without the numbers that are not sure. A move that follows from those is a guess;
    its risk is that of the sure cells alone. Raises ContradictionError if no placement of mines fits these.
    """
    sure = decide(careful, rule=rule, strategy=strategy)
    if careful == board or sure.reason not in (Reason.GUESS, Reason.FIRST_CLICK):
        return sure
    try:
        likely = decide(board, rule=rule, strategy=strategy)
    except ContradictionError:
        return sure
    move = likely.moves[0]
    risk = sure.risks.get(move.cell, sure.risk)
    return replace(
        sure, moves=(replace(move, risk=risk, reason=Reason.GUESS, proof=None),), reason=Reason.GUESS
    )
