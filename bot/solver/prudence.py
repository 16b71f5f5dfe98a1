"""Deciding on a board of which some cells are not sure: nothing is proved from those."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.board import Board, Cell, FirstClick
from bot.errors import ContradictionError, NothingToOpenError
from bot.solver import decide
from bot.solver.decision import Decision, Reason
from bot.solver.learned import NOTHING, Learned
from bot.solver.policies import Thinking


def decide_on(
    board: Board,
    careful: Board,
    rule: FirstClick,
    strategy: str,
    first: Cell | None = None,
    thinking: Thinking | None = None,
    learned: Learned = NOTHING,
    guess: bool = True,
) -> Decision:
    """Return what to do next: what sure cells prove alone, else one guess, which heeds the others too.

    ``careful`` is ``board`` without the numbers that are not sure. A move that follows from those is a guess;
    its risk is that of the sure cells alone, and so are those of its alternatives. All else is as `decide`
    has it; so is ``guess``. Raises ContradictionError if no placement of mines fits the sure cells.
    """
    asked = partial(decide, rule=rule, strategy=strategy, first=first, learned=learned, guess=guess)
    if careful == board:
        return asked(board, thinking=thinking)
    sure = asked(careful)
    if not guess or sure.reason not in (Reason.GUESS, Reason.FIRST_CLICK):
        return sure
    try:
        likely = asked(board, thinking=thinking)
    except (ContradictionError, NothingToOpenError):
        return sure
    return _as_guess(sure, likely)


def _as_guess(sure: Decision, likely: Decision) -> Decision:
    """Return the first move of ``likely`` as a guess, with the risks that sure cells tell of."""
    move = likely.moves[0]
    return replace(
        sure,
        moves=(replace(move, risk=_risk(sure, move.cell), reason=Reason.GUESS, proof=None),),
        reason=Reason.GUESS,
        judgement=likely.judgement,
        alternatives=tuple(replace(one, risk=_risk(sure, one.cell)) for one in likely.alternatives),
        win_chance=None,
    )


def _risk(sure: Decision, cell: Cell) -> float:
    return sure.risks.get(cell, sure.risk)
