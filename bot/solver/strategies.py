"""The strategies: which stages prove cells safe, and what is opened where none proves anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from bot.board import CLOSED, Board, Cell, FirstClick
from bot.errors import ContradictionError, NothingToOpenError
from bot.solver.compilation import BackgroundCompilation, Purpose
from bot.solver.constraints import System, bits, cells_of
from bot.solver.counting import count
from bot.solver.decision import Action, Alternative, Decision, Move, Reason
from bot.solver.guess import (
    POLICIES,
    Beginning,
    Choice,
    Chooser,
    Policy,
    Thinking,
    candidates,
    first_click,
    safest,
)
from bot.solver.ladder import NOTHING, STAGES, Learned, StageResult, climb
from bot.solver.published.article import centre, least_sum
from bot.solver.published.korlyakova import choose as by_experience

_ALL = (Reason.COUNTING, Reason.CONTRADICTION, Reason.PROBABILITY)


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a position is decided: what proves cells safe, and which cell is opened where nothing is proven.

    ``stages`` look for a proof, the cheapest first. Without ``total`` they do not use the mine total: it is
    counted before a guess, so that none is made where all is certain. ``begin`` returns the first cell to
    open, ``choose`` a cell to guess. ``learned`` is what the strategy has learned from games, if it
    ``learns`` from them.

    With a ``policy`` all this is done by the compiled kernel, which guesses by it. A strategy that
    ``can_think`` thinks about its guesses if ``thinking`` is given. ``compilation`` tells when the kernel is
    compiled, where that goes on in the background.
    """

    name: str
    stages: tuple[Reason, ...] = _ALL
    total: bool = True
    begin: Beginning = first_click
    choose: Chooser = safest
    learned: Learned = NOTHING
    policy: Policy | None = None
    can_think: bool = False
    thinking: Thinking | None = None
    learns: bool = False
    compilation: BackgroundCompilation | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.name

    @property
    def plays_in_kernel(self) -> bool:
        """Whether the compiled kernel plays whole games by it."""
        return self.policy is not None and not self.can_think

    def knowing(self, learned: Learned) -> Strategy:
        """Return the same strategy with what it has ``learned``."""
        return replace(self, learned=learned)

    def pondering(self, thinking: Thinking | None) -> Strategy:
        """Return the same strategy that thinks about guesses in this way, if it can."""
        return replace(self, thinking=thinking) if self.can_think else self

    def stopped_by(self, stop: Callable[[], bool]) -> Strategy:
        """Return the same strategy whose thinking ends when ``stop`` returns true."""
        return self.pondering(self.thinking and replace(self.thinking, stop=stop))

    @property
    def purpose(self) -> Purpose | None:
        """What the kernel has to be compiled for, None if it is not needed. Thinking needs more of it."""
        if self.policy is None:
            return None
        return Purpose.THINKING if self.can_think else Purpose.DECIDING

    def while_compiling(self) -> Strategy:
        """Return the same strategy, for which the kernel is compiled in the background if it needs that.

        Raises CompilerError if there is no compiler.
        """
        purpose = self.purpose
        return self if purpose is None else replace(self, compilation=BackgroundCompilation(purpose))

    def ready(self) -> Strategy:
        """Return what can decide at once: this strategy, or `EXACT` while the kernel is compiled.

        Raises CompilerError if it could not be compiled.
        """
        return self if self.compilation is None or self.compilation.done() else EXACT

    def prove(self, system: System, *, guess: bool) -> StageResult:
        """Return what is proven, as far as it takes to find a cell that can be opened.

        ``guess`` is whether a guess follows where there is none. Raises ContradictionError if no placement
        of mines fits.
        """
        if self.policy is not None:
            from bot.solver.compiled_strategy import climb_compiled  # of no use to simpler strategies

            return climb_compiled(system)
        result = climb(system, self.stages, self.learned, total=self.total)
        if guess and not (self.total or result.known.safe & system.playable):
            return result.extended(count(system, result.known), Reason.COUNTING)
        return result

    def guess(self, system: System, result: StageResult, cells: int, first: Cell | None) -> Choice:
        """Choose one of the ``cells`` of a mask, where `prove` has found just now that none is proven.

        ``first`` is the cell that was opened first, if the game follows winmine's rule.
        """
        if self.policy is None:
            return self.choose(system, result, self.learned)
        from bot.solver.compiled_strategy import guessed  # compiles, and is of no use to simpler strategies

        return guessed(system.board, list(bits(cells)), self.policy, first=first, thinking=self.thinking)

    def weighed(self, system: System, result: StageResult, first: Cell | None) -> StageResult:
        """Return what `prove` has found just now, with the risks by winmine's rule if they are known.

        The compiled kernel weighs them by that if the ``first`` cell is given.
        """
        if self.policy is None or first is None or result.risks is None:
            return result
        from bot.solver.engine import engine_for

        return _with_risks(result, engine_for(*system.board.shape).weighed(system.board, first))


STRATEGIES: Mapping[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("counting", stages=(Reason.COUNTING,)),
        Strategy("article", stages=(Reason.COUNTING,), choose=least_sum, begin=centre, total=False),
        Strategy("korlyakova", stages=(Reason.COUNTING,), choose=by_experience, learns=True),
        Strategy("pestov", stages=(Reason.COUNTING, Reason.ELEMENTS), total=False),
        Strategy("komarov", stages=(Reason.COUNTING, Reason.CONTRADICTION), total=False),
        Strategy("novitsky", stages=(Reason.COUNTING, Reason.PATTERN), learns=True),
        Strategy("exact"),
        *(Strategy(name, policy=policy) for name, policy in POLICIES.items()),
        Strategy("deep", policy=POLICIES["best"], can_think=True),
    )
}
BEST, EXACT = STRATEGIES["best"], STRATEGIES["exact"]  # the strongest with and without a compiler


def decide(
    board: Board,
    *,
    rule: FirstClick = FirstClick.SAFE,
    strategy: Strategy = BEST,
    guess: bool = True,
    first: Cell | None = None,
) -> Decision:
    """Return what to do next on ``board``: all cells that the first successful stage proves safe, or a guess.

    ``rule`` is what the game promises about its first click; it matters on a board with nothing opened.
    After that all placements of mines count alike. Under WINMINE they do not: if ``first`` is the cell that
    was opened first in this game, the compiled strategies count them by that rule.

    Only covered and question-marked cells are opened. A flag is taken for an opinion: a flagged cell that
    is proven safe gets a FLAG move, the right click that takes the flag away, so that it can be opened in
    the next round; no guess aims at a flagged cell while there is another. Unreadable cells get no move.

    With nothing proven and ``guess`` false, the decision has no moves. Raises ContradictionError if no
    placement of mines fits the board, NothingToOpenError if there is nothing left to open.
    """
    if rule is not FirstClick.WINMINE or (first is not None and board[first] > 8):
        first = None
    strategy, system = strategy.ready(), System.of(board)
    result = strategy.prove(system, guess=guess)
    if result.known.safe & system.playable:
        return _proven(system, strategy.weighed(system, result, first))
    cells = candidates(system, result.known)
    if not result.known.settled and cells & system.openable and _fresh(board):
        return _first(system, strategy.begin(system, rule), rule)
    if not guess:
        return _decision(system, strategy.weighed(system, result, first), (), Reason.GUESS)
    choice = strategy.guess(system, result, cells, first)
    return _guess(system, result if choice.risks is None else _with_risks(result, choice.risks), choice)


def decide_on(
    board: Board,
    careful: Board,
    rule: FirstClick,
    strategy: Strategy,
    first: Cell | None = None,
    guess: bool = True,
) -> Decision:
    """Return the moves that the sure cells prove, or else one guess that takes all cells into account.

    ``careful`` is ``board`` without the numbers that are not sure. A move that only follows from those
    numbers is a guess. Its risk, and the risks of its alternatives, are computed from the sure cells alone.
    Everything else, ``guess`` included, is as in `decide`. Raises ContradictionError if no placement of mines
    fits the sure cells.
    """
    asked = partial(decide, rule=rule, first=first, guess=guess)
    if careful == board:
        return asked(board, strategy=strategy)
    sure = asked(careful, strategy=strategy.pondering(None))
    if not guess or sure.reason not in (Reason.GUESS, Reason.FIRST_CLICK):
        return sure
    try:
        likely = asked(board, strategy=strategy)
    except (ContradictionError, NothingToOpenError):
        return sure
    return _as_guess(sure, likely)


def _as_guess(sure: Decision, likely: Decision) -> Decision:
    """Return the first move of ``likely`` as a guess, with the risks by the sure cells alone."""
    move = likely.moves[0]
    return replace(
        sure,
        moves=(replace(move, risk=_risk(sure, move.cell), reason=Reason.GUESS),),
        reason=Reason.GUESS,
        judgement=likely.judgement,
        alternatives=tuple(replace(one, risk=_risk(sure, one.cell)) for one in likely.alternatives),
        win_chance=None,
    )


def _risk(sure: Decision, cell: Cell) -> float:
    return sure.risks.get(cell, sure.risk)


def _with_risks(result: StageResult, risks: npt.NDArray[np.float64]) -> StageResult:
    return replace(result, risks={index: float(risks.flat[index]) for index in result.risks or ()})


def _fresh(board: Board) -> bool:
    return board.count(*CLOSED) == board.rows * board.cols


def _proven(system: System, result: StageResult) -> Decision:
    known = result.known
    order = [*bits(known.safe & system.openable), *bits(known.safe & system.flagged)]
    moves = tuple(
        Move(
            system.cell(index),
            Action.OPEN if system.openable >> index & 1 else Action.FLAG,
            0.0,
            result.reasons[index],
        )
        for index in order
    )
    return _decision(system, result, moves, max((move.reason for move in moves), key=list(STAGES).index))


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


def _guess(system: System, result: StageResult, choice: Choice) -> Decision:
    decision, cell = _decision(system, result, (), Reason.GUESS), system.cell(choice.cell)
    action = Action.OPEN if system.openable >> choice.cell & 1 else Action.FLAG
    near = [(system.cell(other), score) for other, score in choice.scores.items()]
    return replace(
        decision,
        moves=(Move(cell, action, decision.risks[cell], Reason.GUESS),),
        judgement=choice.judgement,
        alternatives=tuple(Alternative(other, decision.risks[other], score) for other, score in near),
        win_chance=choice.win_chance,
    )


def _decision(system: System, result: StageResult, moves: tuple[Move, ...], reason: Reason) -> Decision:
    computed = reason is Reason.PROBABILITY or reason is Reason.GUESS
    risks = result.estimated(system) if computed else {}
    cells = cells_of(*system.board.shape)
    return Decision(
        moves,
        reason,
        frozenset(system.cells(result.known.mines)),
        {cells[index]: risk for index, risk in risks.items()},
        exact=not risks or (result.risks is not None and result.exact),
    )
