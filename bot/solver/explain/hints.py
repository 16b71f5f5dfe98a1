"""Hints in words: the next move, or the facts known about a cell, with the proof if there is one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import NOT_OPEN, SHOWN_MINES, Board, Cell, FirstClick, State, cells_where
from bot.solver.conflict import contradiction
from bot.solver.constraints import System
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason
from bot.solver.exact import may_fit
from bot.solver.explain.proofs import fewest, name_of, nearest
from bot.solver.explain.reasoning import Why, why
from bot.solver.stages import StageResult, probability
from bot.words import cell_words, cells_words, listed, mines_words, often_words, risk_words

_LEADS = "it gives the best next moves"
_BUT: Mapping[Judgement | None, str] = {  # the reason to choose a cell whose risk is not the least
    Judgement.ENDGAME: "it wins most often if all later moves are considered",
    Judgement.SEARCH: "it wins most often if all later moves are considered",
    Judgement.THOUGHT: "it wins most often in simulated games from here",
    Judgement.LEAST_RISK: "its number can give new information",
    Judgement.LEAST_SUM: "the sum of the mine shares from its neighbouring numbers is the least",
    Judgement.SCORE: "the sum of the mine shares from its neighbouring numbers is the least",
    Judgement.EXPERIENCE: "similar positions went well in earlier games",
}
_OFFERED = 3  # the most cells besides the chosen one that a guess names
_SETS = 120  # the most sets of numbers to check for a smaller proof; tens of milliseconds at most
_COMPARED = 4  # the most proofs of equal size that are put into words to find the simplest
_ORDER = list(Reason)


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move, or the facts known about a cell, for a person.

    ``sentence`` is about ``cell``, None if only an unwanted guess is left. ``action`` is FLAG if the cell is
    a proven mine, or a flagged cell whose flag should be removed. ``proven`` is true if the cell is opened or
    proven to be safe or a mine (``mine``). For a proof, ``numbers`` are the opened cells that it needs, row
    by row; ``total`` is true if it needs the mine total too; ``safe`` are all cells that the decision proves;
    ``reason`` is the first stage that can prove the cell from these numbers; ``pattern`` is the players' name
    of the pattern, or "". Without a proof, ``risk`` is the cell's risk, ``alternatives`` as in `Decision`.
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


def explain(board: Board, decision: Decision, *, first: bool = False) -> Hint:
    """Return a hint for ``decision``, which was made on ``board``.

    If several cells are proven, the hint is about the one with the simplest proof (few numbers and an early
    stage), or with ``first`` about the first move.
    """
    if not decision.moves:
        least = _least_risk(decision.risks, decision.exact) if decision.risks else ""
        words = f"I don't know: nothing is proven here.{least}"
        return Hint(words, None, proven=False)
    if decision.reason is Reason.FIRST_CLICK:
        return _first_click_hint(decision.moves[0])
    if decision.reason is Reason.GUESS:
        return _guess_hint(decision)
    return _proven_hint(board, decision, first)


def _first_click_hint(move: Move) -> Hint:
    where = cell_words(move.cell)
    if move.risk:
        words = f"I don't know: nothing is open yet. Try {where}, the risk is {risk_words(move.risk)}."
        return Hint(words, move.cell, proven=False, risk=move.risk, reason=Reason.FIRST_CLICK)
    words = f"The first click is always safe: {where} is a good place to begin."
    return Hint(words, move.cell, proven=True, safe=(move.cell,), reason=Reason.FIRST_CLICK)


def _guess_hint(decision: Decision) -> Hint:
    move, others = decision.moves[0], decision.alternatives[1:]
    words = f"I don't know: nothing is proven here. {_choice(decision, move)}.{_others(decision, others)}"
    return Hint(
        words, move.cell, proven=False, action=move.action, risk=move.risk, alternatives=decision.alternatives
    )


def _choice(decision: Decision, move: Move) -> str:
    where, risk = cell_words(move.cell), risk_words(move.risk, decision.exact)
    if move.action is Action.FLAG:
        return f"Only flagged cells are left: remove the flag at {where}; the risk of a mine there is {risk}"
    if decision.judgement is Judgement.OWN:
        return f"The strategy opens {where}, risk {risk}"
    if decision.judgement is Judgement.FIFTY_FIFTY:
        return f"This guess cannot be avoided: open {where} now, risk {risk}"
    chance = decision.win_chance
    won = "" if chance is None else f", and the game is won in {risk_words(chance)} with it"
    least = min(decision.alternatives, key=lambda one: one.risk, default=None)
    less = "" if least is None else risk_words(least.risk, decision.exact)
    if least is None or move.risk <= least.risk or less == risk:
        return f"The least risk is {where}: {risk}{won}"
    but = f"which is {less} at {cell_words(least.cell)}, but {_BUT.get(decision.judgement, _LEADS)}"
    return f"Open {where}: its risk of {risk} is not the least, {but}{won}"


def _others(decision: Decision, others: Iterable[Alternative]) -> str:
    """Return a sentence about the other cells of a guess, with a space before it; "" if there are none."""
    near = [f"{cell_words(one.cell)} ({_compared(one, decision)})" for one in others]
    return f" Or: {listed(near[:_OFFERED], 'or')}." if near else ""


def _compared(one: Alternative, decision: Decision) -> str:
    risk = risk_words(one.risk, decision.exact)
    if one.score is None:
        return risk
    return f"{risk}, wins {often_words(one.score)}"


def _least_risk(risks: Mapping[Cell, float], exact: bool) -> str:
    """Return a sentence about the safest of some cells, with a space before it."""
    cell, risk = min(risks.items(), key=lambda item: item[1])
    return f" The least risk is {cell_words(cell)}: {risk_words(risk, exact)}."


def _proven_hint(board: Board, decision: Decision, first: bool) -> Hint:
    moves = decision.moves[:1] if first else decision.moves
    cells = [move.cell for move in moves if move.action is moves[0].action]  # the solver unflags cells last
    found = simplest(board, cells)
    if found is None:  # the frontier is too wide to search for a short proof
        system = System.of(board)
        everything = system.constraints(system.everything)
        found = why(board, everything, cells[0])
    return replace(_hint_of(board, found), safe=tuple(move.cell for move in decision.moves))


def _hint_of(board: Board, found: Why, *, mine: bool = False) -> Hint:
    """Return a hint with the proof that a cell is safe, or a ``mine``; it also says if its flag is right."""
    flagged = board[found.cell] == State.FLAG
    what = "is a mine" if mine else "is safe"
    flag = f", its flag is {'right' if mine else 'wrong'}" if flagged else ""
    by = f", by the pattern {found.pattern}" if found.pattern else ""
    return Hint(
        f"{cell_words(found.cell).capitalize()} {what}{flag}{by}: {found.words}.",
        found.cell,
        proven=True,
        action=Action.FLAG if flagged or mine else Action.OPEN,
        numbers=found.numbers,
        total=found.total,
        reason=found.reason,
        pattern=found.pattern,
        mine=mine,
    )


@dataclass(frozen=True, slots=True)
class CellRisks:
    """The risk of each unknown cell: 0.0 and 1.0 are proofs, others are estimates unless ``exact``."""

    risks: Mapping[Cell, float]
    exact: bool

    def certain(self, risk: float) -> tuple[Cell, ...]:
        """Return the proven cells, row by row: the safe ones for a ``risk`` of 0.0, the mines for 1.0."""
        return tuple(sorted(cell for cell, chance in self.risks.items() if chance == risk))


def chances(board: Board, *, compiled: bool) -> CellRisks:
    """Return the risk of each unknown cell of ``board``, with the kernel if ``compiled``, else in Python.

    Raises ContradictionError if no placement of mines fits.
    """
    if compiled:
        from bot.solver.analysis import analyse  # compiles

        analysis = analyse(board)
        exact = analysis.risks
        return CellRisks({cell: float(exact[cell]) for cell in cells_where(~np.isnan(exact))}, analysis.exact)
    system = System.of(board)
    known, risks = apply_counting_rules(system, Known()), None
    if not known.clash:
        known, risks = probability(system, known)
    if known.clash:
        raise contradiction(system, may_fit)
    found = StageResult(known, risks=risks).estimated(system)
    return CellRisks({system.cell(place): risk for place, risk in found.items()}, risks is not None)


def hint_for(board: Board, cell: Cell, known: CellRisks, rule: FirstClick = FirstClick.SAFE) -> Hint:
    """Return a hint about one ``cell`` of ``board``; ``known`` are the risks on that board.

    For an unknown cell, it gives the proof that the cell is safe, or a mine, or else its risk. For an opened
    number, it says what is known about its neighbours. ``rule`` is the game's rule for the first click.
    """
    state = board[cell]
    if state not in NOT_OPEN:
        return Hint(_of_open(board, cell, known), cell, proven=True, reason=Reason.COUNTING)
    if board.count(*NOT_OPEN) == board.states.size and rule is not FirstClick.ANY:
        words = f"The first click is always safe, so {cell_words(cell)} is safe."
        return Hint(words, cell, proven=True, reason=Reason.FIRST_CLICK)
    risk = known.risks[cell]
    if risk in (0.0, 1.0):
        found = simplest(board, [cell], mine=risk == 1.0)
        if found is not None:
            return _hint_of(board, found, mine=risk == 1.0)
        what = "safe: no" if risk == 0.0 else "a mine: every"
        words = f"{_begin(cell)} is {what} placement of mines that fits has a mine there."
        action = Action.OPEN if risk == 0.0 else Action.FLAG
        return Hint(words, cell, proven=True, action=action, mine=risk == 1.0, reason=Reason.PROBABILITY)
    words = f"{_begin(cell)} is not proven safe or a mine: its risk is {risk_words(risk, known.exact)}."
    return Hint(f"{words}{_better(cell, known)}", cell, proven=False, risk=risk)


def hints_for_proven(board: Board, known: CellRisks) -> list[Hint]:
    """Return a hint for each proven cell of ``board``: the safe cells first, then the mines."""
    return [hint_for(board, cell, known) for risk in (0.0, 1.0) for cell in known.certain(risk)]


def _better(cell: Cell, known: CellRisks) -> str:
    """Return a sentence about a safer cell than ``cell``, or that there is none, with a space before it."""
    if safe := known.certain(0.0):
        others = f" (one of {len(safe)} safe cells)" if len(safe) > 1 else ""
        return f" {_begin(safe[0])} is proven safe{others}."
    if min(known.risks.values()) == known.risks[cell]:
        return " No cell is safer."
    return _least_risk(known.risks, known.exact)


def _of_open(board: Board, cell: Cell, known: CellRisks) -> str:
    state = board[cell]
    if state in SHOWN_MINES:
        return f"{_begin(cell)} shows a mine."
    if state == State.WRONG_FLAG:
        return f"{_begin(cell)} shows a wrong flag: there was no mine."
    around = [near for near in board.neighbours(cell) if board[near] in NOT_OPEN]
    if not around:
        return f"{_begin(cell)} shows {state}, and nothing around it is covered."
    return f"{_begin(cell)} shows {state}. Around it {_words_around(board, cell, around, known)}."


def _words_around(board: Board, cell: Cell, around: Sequence[Cell], known: CellRisks) -> str:
    """Return words for what is known about ``around``, the unknown neighbours of the number at ``cell``."""
    mines, safe = ([near for near in around if known.risks[near] == risk] for risk in (1.0, 0.0))
    rest = [near for near in around if near not in (*mines, *safe)]
    shown = sum(board[near] in SHOWN_MINES for near in board.neighbours(cell))
    left = board[cell] - shown - len(mines)
    parts = (
        f"{cells_words(mines)} {'are mines' if len(mines) > 1 else 'is a mine'}" if mines else "",
        f"{cells_words(safe)} {'are' if len(safe) > 1 else 'is'} safe" if safe else "",
        f"{mines_words(left)} {'are' if left > 1 else 'is'} among {cells_words(rest)}" if rest else "",
    )
    return "; ".join(filter(None, parts))


def _begin(cell: Cell) -> str:
    return cell_words(cell).capitalize()


def simplest(board: Board, cells: Sequence[Cell], *, mine: bool = False) -> Why | None:
    """Return the simplest proof found that one of ``cells`` is safe, or a ``mine``; None if none is found.

    It has the fewest constraints, none of which can be left out; of equal proofs, it has the simplest stage,
    then the shortest words.
    """
    proofs = nearest(board, cells, mine=mine)
    if not proofs:
        return None
    few = fewest(board, proofs, iter(range(_SETS)))[:_COMPARED]
    reasons = [(why(board, proof.constraints, proof.cell, mine=proof.mine), proof) for proof in few]
    found, proof = min(reasons, key=lambda one: (_ORDER.index(one[0].stage), len(one[0].words)))
    return found if found.stage is Reason.COUNTING else replace(found, pattern=name_of(proof.constraints))
