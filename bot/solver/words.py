"""A decision in words: what to do next, and why it is certain, or that nothing is.

Cells are named as everywhere in this program, rows and columns counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.board import Board, Cell, State
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason
from bot.solver.phrases import cell_words, listed, risk_words
from bot.solver.simplest import Explanation, simplest
from bot.solver.why import why

_LEADS = "it leads on best"
_BUT: Mapping[Judgement | None, str] = {  # what speaks for a cell whose risk is not the least
    Judgement.ENDGAME: "of all that can follow it wins most often",
    Judgement.SEARCH: "of all that can follow it wins most often",
    Judgement.THOUGHT: "of games played out from here it wins most often",
    Judgement.LEAST_RISK: "it can teach something",
    Judgement.LEAST_SUM: "the shares of mines that numbers give it add up to the least",
    Judgement.SCORE: "the shares of mines that numbers give it add up to the least",
    Judgement.EXPERIENCE: "it went well where it looked alike",
}
_EQUAL = 0.9995  # of the chance to win, shown as 100.0%
_OFFERED = 3  # cells besides the chosen one that are named for a guess


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do next, or what is known of a cell, for a person.

    ``cell`` is what ``sentence`` is about, None if a guess is needed and was not wanted; ``action`` is FLAG
    where a flag stands on a safe cell and should be taken away. ``proven`` tells whether it is safe for
    certain, or a ``mine``. Then ``numbers`` are the opened cells that prove it, row by row, none of which can
    be spared, ``total`` whether the mine total is needed too, and ``safe`` are all cells proven by the
    decision; ``reason`` is the first stage that finds the cell by these numbers alone, and ``pattern`` the
    name that players have for it, "" if they have none. Otherwise ``risk`` is its chance of a mine, and
    ``alternatives`` are other cells, as the decision has them.
    """

    sentence: str
    cell: Cell | None
    proven: bool
    action: Action = Action.OPEN
    numbers: tuple[Cell, ...] = ()
    total: bool = False
    safe: tuple[Cell, ...] = ()
    risk: float = 0.0
    alternatives: tuple[Alternative, ...] = ()
    reason: Reason = Reason.GUESS
    pattern: str = ""
    mine: bool = False


def explain(board: Board, decision: Decision) -> Hint:
    """Return ``decision``, which was made on ``board``, as a hint.

    Of several proven cells it tells of one whose proof is simple: of the cheapest stage, by few numbers.
    """
    if not decision.moves:
        words = f"I don't know: nothing is proven here.{_least_risk(decision)}"
        return Hint(words, None, proven=False)
    if decision.reason is Reason.FIRST_CLICK:
        return _first(decision.moves[0])
    if decision.reason is Reason.GUESS:
        return _guess(decision)
    return _proven(board, decision)


def _first(move: Move) -> Hint:
    where = cell_words(move.cell)
    if move.risk:
        words = f"I don't know: nothing is open yet. Try {where}, the risk is {risk_words(move.risk)}."
        return Hint(words, move.cell, proven=False, risk=move.risk, reason=Reason.FIRST_CLICK)
    words = f"The first click is safe wherever it is: {where} is a good place to begin."
    return Hint(words, move.cell, proven=True, safe=(move.cell,), reason=Reason.FIRST_CLICK)


def _guess(decision: Decision) -> Hint:
    move, others = decision.moves[0], decision.alternatives[1:]
    words = f"I don't know: nothing is proven here. {_choice(decision, move)}.{_others(decision, others)}"
    return Hint(
        words, move.cell, proven=False, action=move.action, risk=move.risk, alternatives=decision.alternatives
    )


def _choice(decision: Decision, move: Move) -> str:
    where, risk = cell_words(move.cell), risk_words(move.risk, decision.exact)
    if move.action is Action.FLAG:
        return f"Only flags are left: take away the one at {where}, a mine with a chance of {risk}"
    if decision.judgement is Judgement.FIFTY_FIFTY:
        return f"Waiting does not help: open {where}, risk {risk}, now or later"
    won = "" if decision.win_chance is None else f", and the game is won in {decision.win_chance:.1%} with it"
    least = min(decision.alternatives, key=lambda one: one.risk, default=None)
    less = "" if least is None else risk_words(least.risk, decision.exact)
    if least is None or move.risk <= least.risk or less == risk:
        return f"The least risk is {where}: {risk}{won}"
    but = f"which is {less} at {cell_words(least.cell)}, but {_BUT.get(decision.judgement, _LEADS)}"
    return f"Open {where}: its risk of {risk} is not the least, {but}{won}"


def _others(decision: Decision, others: Iterable[Alternative]) -> str:
    """Return a sentence about the other cells of a guess, beginning with a space; "" if there are none."""
    near = [f"{cell_words(one.cell)} ({_compared(one, decision)})" for one in others]
    return f" Or: {listed(near[:_OFFERED], 'or')}." if near else ""


def _compared(one: Alternative, decision: Decision) -> str:
    risk = risk_words(one.risk, decision.exact)
    if one.score is None:
        return risk
    return f"{risk}, wins as often" if one.score >= _EQUAL else f"{risk}, wins {one.score:.1%} as often"


def _least_risk(decision: Decision) -> str:
    """Return a sentence about the safest cell, beginning with a space; "" if no risk is known."""
    if not decision.risks:
        return ""
    cell, risk = min(decision.risks.items(), key=lambda item: item[1])
    return f" The least risk is {cell_words(cell)}: {risk_words(risk, decision.exact)}."


def _proven(board: Board, decision: Decision) -> Hint:
    action = decision.moves[0].action  # flags that are to be taken away come last
    told = _told(board, [move for move in decision.moves if move.action is action])
    return replace(told_in_words(board, told), safe=tuple(move.cell for move in decision.moves))


def told_in_words(board: Board, told: Explanation, *, mine: bool = False) -> Hint:
    """Return a proof that a cell is safe, or a ``mine``, as a hint; of a flag it says whether it is right."""
    flagged = board[told.cell] == State.FLAG
    what = "is a mine" if mine else "is safe"
    flag = f", its flag is {'right' if mine else 'wrong'}" if flagged else ""
    by = f", by the pattern {told.pattern}" if told.pattern else ""
    return Hint(
        f"{cell_words(told.cell).capitalize()} {what}{flag}{by}: {told.why.words}.",
        told.cell,
        proven=True,
        action=Action.FLAG if flagged or mine else Action.OPEN,
        numbers=told.why.numbers,
        total=told.why.total,
        reason=told.reason,
        pattern=told.pattern,
        mine=mine,
    )


def _told(board: Board, moves: Sequence[Move]) -> Explanation:
    told = simplest(board, [move.cell for move in moves])
    if told is not None:
        return told
    move = moves[0]  # of a frontier too wide to be looked through again
    return Explanation(move.cell, why(board, move.proof.constraints if move.proof else (), move.cell), "")
