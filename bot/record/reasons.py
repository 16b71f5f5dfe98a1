"""What a round of a record was about, in words."""

from __future__ import annotations

from bot.board import Cell, FirstClick
from bot.errors import ContradictionError
from bot.record.about import About
from bot.record.forms import Seen
from bot.record.record import RecordedRound
from bot.solver import STRATEGIES, Strategy, decide
from bot.solver.decision import Decision, Reason
from bot.solver.explain.hints import Hint, explain


def why(about: About, turn: RecordedRound) -> Hint | None:
    """Return the decision of a round as a hint: what is safe and which numbers prove it, or what was guessed.

    Proofs are not in a record: they are found again, by the strategy that found them. None if that cannot.
    """
    if turn.decision.reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return explain(turn.seen.board, turn.decision)
    try:
        decision = again(about, turn.seen, STRATEGIES[about.strategy])
    except ContradictionError:
        return None
    return explain(turn.seen.board, decision) if decision.moves else None


def again(about: About, seen: Seen, strategy: Strategy, first: Cell | None = None) -> Decision:
    """Return what ``strategy`` proves on a board of a record; where it proves nothing, no moves.

    ``first`` is the cell with which the game was begun. Raises ContradictionError if no placement of mines
    fits what is sure.
    """
    if first is not None and (first.row >= seen.board.rows or first.col >= seen.board.cols):
        first = None  # the game was begun on another board
    return decide(seen.careful, rule=FirstClick(about.rule), strategy=strategy, first=first, guess=False)


def in_short(decision: Decision) -> str:
    """Return by what a decision was made, and at which risk, in a few words."""
    how = "" if decision.judgement is None else f" by {decision.judgement.value}"
    about = "" if decision.exact else "about "
    risk = f"risk {about}{decision.risk:.1%}" if decision.risk else "safe"
    won = "" if decision.win_chance is None else f", won in {decision.win_chance:.1%}"
    return f"{decision.reason.value}{how}, {risk}{won}"
