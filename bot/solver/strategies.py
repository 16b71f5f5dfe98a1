"""The strategies: named selections of the ladder's rungs, and what is opened where none proves anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from bot.board import CLOSED, Board, Cell, FirstClick
from bot.errors import ContradictionError, NothingToOpenError, UsageError
from bot.solver.choice import Beginning, Chooser, safest
from bot.solver.constraints import Cells, System, bits, cells_of
from bot.solver.decision import Action, Alternative, Decision, Judgement, Move, Reason
from bot.solver.guess import candidates, first_click
from bot.solver.ladder import STAGES, StageResult, climb, told_total
from bot.solver.learned import NOTHING, Learned
from bot.solver.policies import COMPILED, DEEP, Thinking
from bot.solver.published.article import centre, least_sum
from bot.solver.published.korlyakova import choose as by_experience

_ALL = (Reason.COUNTING, Reason.CONTRADICTION, Reason.PROBABILITY)


@dataclass(frozen=True, slots=True)
class Strategy:
    """The stages that look for a proof, the cheapest first, and what is opened where they find none.

    ``first`` says where a game is begun. Without ``total`` the stages are not told the mine total, as in
    systems that do not use it; it is counted before a guess, so that none is made where all is certain. The
    strategies of `COMPILED` do not guess by ``choose``, but by the policies there.
    """

    stages: tuple[Reason, ...]
    choose: Chooser = safest
    first: Beginning = first_click
    total: bool = True


STRATEGIES: Mapping[str, Strategy] = {
    "counting": Strategy((Reason.COUNTING,)),
    "article": Strategy((Reason.COUNTING,), least_sum, centre, total=False),
    "korlyakova": Strategy((Reason.COUNTING,), by_experience),
    "pestov": Strategy((Reason.COUNTING, Reason.ELEMENTS), total=False),
    "komarov": Strategy((Reason.COUNTING, Reason.CONTRADICTION), total=False),
    "novitsky": Strategy((Reason.COUNTING, Reason.PATTERN)),
    "exact": Strategy(_ALL),
    **dict.fromkeys(COMPILED, Strategy(_ALL)),
}


def decide(
    board: Board,
    *,
    rule: FirstClick = FirstClick.SAFE,
    strategy: str = "best",
    guess: bool = True,
    first: Cell | None = None,
    thinking: Thinking | None = None,
    learned: Learned = NOTHING,
) -> Decision:
    """Return what to do next on ``board``: all cells that the first successful stage proves safe, or a guess.

    ``rule`` is what the game promises about its first click; it matters on a board with nothing opened.
    After that all placements of mines count alike. Under WINMINE they do not: if ``first`` is the cell that
    was opened first in this game, the compiled strategies count them by that rule.

    Only covered and question-marked cells are opened. A flag is taken for an opinion: a flagged cell that
    is proven safe gets a FLAG move, the right click that takes the flag away, so that it can be opened in
    the next round; no guess aims at a flagged cell while there is another. Unreadable cells get no move.

    The strategy "deep" thinks about guesses as ``thinking`` says; without that it is "best". Strategies that
    learn take into account what they have ``learned``.

    With nothing proven and ``guess`` false, the decision has no moves. Raises ContradictionError if no
    placement of mines fits the board, NothingToOpenError if there is nothing left to open, UsageError for an
    unknown strategy.
    """
    if strategy not in STRATEGIES:
        raise UsageError(f"there is no strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
    if rule is not FirstClick.WINMINE or (first is not None and board[first] > 8):
        first = None
    system = System.of(board)
    how = STRATEGIES[strategy]
    if strategy in COMPILED:
        from bot.solver.compiled_ladder import climb_compiled  # of no use to simpler strategies

        finding = climb_compiled(system)
    else:
        finding = climb(system, how.stages, learned, total=how.total)
    if guess and not (how.total or finding.known.safe & system.playable):
        finding = told_total(system, finding)
    known = finding.known
    if known.safe & system.playable:
        return _proven(system, _weighed(system, finding, strategy, first))
    cells = candidates(system, known)
    if not known.settled and cells & system.openable and _fresh(board):
        return _first(system, how.first(system, rule), rule)
    if not guess:
        return _decision(system, _weighed(system, finding, strategy, first), (), Reason.GUESS)
    if strategy in COMPILED:
        from bot.solver.guessing import guessed  # compiles, and is of no use to simpler strategies

        thinking = thinking if strategy == DEEP else None
        found = guessed(board, list(bits(cells)), COMPILED[strategy], first=first, thinking=thinking)
        finding = finding if first is None else _with_risks(finding, found.risks)
        decision = _guess(system, finding, found.cell, found.judgement, found.scores)
        return replace(decision, win_chance=found.win_chance)
    choice = how.choose(system, finding, learned)
    return _guess(system, finding, choice.cell, choice.judgement, choice.scores)


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
    """Return the moves that the sure cells alone prove; where they prove nothing, one guess by all cells.

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


def _weighed(system: System, finding: StageResult, strategy: str, first: Cell | None) -> StageResult:
    """Return ``finding`` with the risks by winmine's rule if the ``first`` cell is known."""
    if first is None or finding.risks is None or strategy not in COMPILED:
        return finding
    from bot.solver.engine import engine_for
    from bot.solver.winmine import weighed

    risks = weighed(engine_for(*system.board.shape), system.board, first)
    return _with_risks(finding, risks)


def _with_risks(finding: StageResult, risks: npt.NDArray[np.float64]) -> StageResult:
    return replace(finding, risks={index: float(risks.flat[index]) for index in finding.risks or ()})


def _fresh(board: Board) -> bool:
    return board.count(*CLOSED) == board.rows * board.cols


def _proven(system: System, finding: StageResult) -> Decision:
    known = finding.known
    order = [*bits(known.safe & system.openable), *bits(known.safe & system.flagged)]
    moves = tuple(
        Move(
            system.cell(index),
            Action.OPEN if system.openable >> index & 1 else Action.FLAG,
            0.0,
            finding.reasons[index],
            finding.proof(system, index),
        )
        for index in order
    )
    return _decision(system, finding, moves, max((move.reason for move in moves), key=list(STAGES).index))


def _first(system: System, index: int, rule: FirstClick) -> Decision:
    cells = system.unknown.bit_count()
    mines = system.board.mines
    density = 0.5 if mines is None else mines / cells
    move = Move(
        system.cell(index),
        Action.OPEN,
        density if rule is FirstClick.ANY else 0.0,
        Reason.FIRST_CLICK,
    )
    return Decision((move,), Reason.FIRST_CLICK)


def _guess(
    system: System,
    finding: StageResult,
    index: int,
    judgement: Judgement,
    scores: Mapping[int, float | None],
) -> Decision:
    decision, cell = _decision(system, finding, (), Reason.GUESS), system.cell(index)
    action = Action.OPEN if system.openable >> index & 1 else Action.FLAG
    near = [(system.cell(other), score) for other, score in scores.items()]
    return replace(
        decision,
        moves=(Move(cell, action, decision.risks[cell], Reason.GUESS),),
        judgement=judgement,
        alternatives=tuple(Alternative(other, decision.risks[other], score) for other, score in near),
    )


def _decision(system: System, finding: StageResult, moves: tuple[Move, ...], reason: Reason) -> Decision:
    computed = reason is Reason.PROBABILITY or reason is Reason.GUESS
    risks = finding.estimated(system) if computed else {}
    cells = cells_of(*system.board.shape)
    return Decision(
        moves,
        reason,
        Cells(finding.known.mines, *system.board.shape),
        {cells[index]: risk for index, risk in risks.items()},
        exact=not risks or (finding.risks is not None and finding.exact),
    )
