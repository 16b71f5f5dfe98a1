"""The strategies: which stages look for proofs, and how a cell is guessed if they find none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from bot.board import CLOSED, Board, Cell, FirstClick
from bot.errors import ContradictionError, NothingToOpenError, UsageError
from bot.solver.compilation import BackgroundCompilation, Purpose, can_keep_kernel
from bot.solver.constraints import System, bits, cells_of
from bot.solver.counting import apply_counting_rules
from bot.solver.decision import Action, Alternative, Decision, Move, Reason
from bot.solver.guess import (
    POLICIES,
    Choice,
    Chooser,
    FirstClickChooser,
    Policy,
    Thinking,
    candidates,
    first_click,
    safest,
)
from bot.solver.published.article import centre, least_sum
from bot.solver.published.korlyakova import choose as by_experience
from bot.solver.stages import NOTHING, STAGES, Learned, StageResult, run_stages

_ALL = (Reason.COUNTING, Reason.CONTRADICTION, Reason.PROBABILITY)


@dataclass(frozen=True, slots=True)
class Strategy:
    """The way to decide a position: the stages that look for proofs, and the choice of a guess.

    ``stages`` look for a proof, the cheapest first. If ``total`` is false, they do not use the mine total;
    the counting rules then use it before a guess, because it may prove all cells that are left. ``begin``
    returns the first cell to open, ``choose`` the cell to guess. ``learns`` is true if the strategy can learn
    from games; ``learned`` is what it has learned.

    With a ``policy``, the compiled kernel does all this and guesses by that policy. If ``can_think``, the
    strategy thinks about guesses as ``thinking`` says (None: not at all). ``compilation`` is the compilation
    of the kernel in the background, None if there is none.
    """

    name: str
    stages: tuple[Reason, ...] = _ALL
    total: bool = True
    begin: FirstClickChooser = first_click
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
        """Whether the compiled kernel can play whole games with this strategy."""
        return self.policy is not None and not self.can_think

    def with_learned(self, learned: Learned) -> Strategy:
        """Return this strategy with ``learned`` as what it has learned."""
        return replace(self, learned=learned)

    def with_thinking(self, thinking: Thinking | None) -> Strategy:
        """Return this strategy with ``thinking`` (None: it does not think); unchanged if it cannot think."""
        return replace(self, thinking=thinking) if self.can_think else self

    def with_stop(self, stop: Callable[[], bool]) -> Strategy:
        """Return this strategy with thinking that ends early when ``stop`` returns true."""
        return self.with_thinking(self.thinking and replace(self.thinking, stop=stop))

    @property
    def compile_purpose(self) -> Purpose | None:
        """The purpose to compile the kernel for, None if the strategy does not need the kernel."""
        if self.policy is None:
            return None
        return Purpose.THINKING if self.can_think else Purpose.DECIDING

    def while_compiling(self) -> Strategy:
        """Return this strategy, with the kernel being compiled in the background if the strategy needs it.

        It is `EXACT` if the result cannot be stored. `ready` raises the errors of that compilation.
        """
        purpose = self.compile_purpose
        if purpose is not None and not can_keep_kernel():
            return EXACT
        return self if purpose is None else replace(self, compilation=BackgroundCompilation(purpose))

    def ready(self) -> Strategy:
        """Return a strategy that can decide now: this one, or `EXACT` while the kernel is being compiled.

        Raises CompilerError if the compilation failed.
        """
        return self if self.compilation is None or self.compilation.done() else EXACT

    def prove(self, system: System, *, guess: bool) -> StageResult:
        """Return what the stages prove, up to the first that finds a safe cell to open.

        ``guess`` says whether a guess follows if they find none. Raises ContradictionError if no placement of
        mines fits.
        """
        if self.policy is not None:
            from bot.solver.compiled_strategy import run_compiled_stages  # slow to import: it compiles

            return run_compiled_stages(system)
        result = run_stages(system, self.stages, self.learned, total=self.total)
        if guess and not (self.total or result.known.safe & system.playable):
            return result.extended(apply_counting_rules(system, result.known), Reason.COUNTING)
        return result

    def guess(self, system: System, result: StageResult, cells: int, first: Cell | None) -> Choice:
        """Choose one of ``cells`` (a mask); ``result`` is the result of the last call of `prove`.

        ``first`` is the first cell opened in the game if winmine's rule applies, else None.
        """
        if self.policy is None:
            return self.choose(system, result, self.learned)
        from bot.solver.compiled_strategy import choose_guess  # slow to import: it compiles

        return choose_guess(system.board, list(bits(cells)), self.policy, first=first, thinking=self.thinking)

    def with_winmine_risks(self, system: System, result: StageResult, first: Cell | None) -> StageResult:
        """Return ``result``, the result of the last call of `prove`, with its risks under winmine's rule.

        It is unchanged without a ``policy``, a ``first`` cell (as in `guess`) or risks.
        """
        if self.policy is None or first is None or result.risks is None:
            return result
        from bot.solver.engine import engine_for

        return _with_risks(result, engine_for(*system.board.shape).risks_by_winmine(system.board, first))


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
BEST, EXACT = STRATEGIES["best"], STRATEGIES["exact"]  # the strongest quick ones, with and without a compiler


def strategy_named(name: str) -> Strategy:
    """Return the strategy called ``name``. Raises UsageError if there is none."""
    if name not in STRATEGIES:
        raise UsageError(f"there is no strategy {name}: choose one of {', '.join(STRATEGIES)}")
    return STRATEGIES[name]


def decide(
    board: Board,
    *,
    rule: FirstClick = FirstClick.SAFE,
    strategy: Strategy = BEST,
    guess: bool = True,
    first: Cell | None = None,
) -> Decision:
    """Return the next moves on ``board``: all cells that the first successful stage proves safe, or a guess.

    ``rule`` is the game's rule for the first click; it decides what to open on a fresh board. Later, all
    solutions are taken to be equally likely. Under WINMINE they are not: if ``first``, the first cell opened
    in this game, is given, the compiled strategies weigh the solutions by that rule.

    Only covered and question-marked cells are opened. A flag may be wrong: a flagged cell that is proven safe
    gets a FLAG move, the right click that removes the flag; the next decision can open it. A flagged cell is
    guessed only if no other cell is left. Unreadable cells get no move.

    If nothing is proven and ``guess`` is false, the decision has no moves. Raises ContradictionError if no
    placement of mines fits the board, NothingToOpenError if there is nothing left to open.
    """
    if rule is not FirstClick.WINMINE or (first is not None and board[first] > 8):
        first = None
    strategy, system = strategy.ready(), System.of(board)
    result = strategy.prove(system, guess=guess)
    if result.known.safe & system.playable:
        return _proven(system, strategy.with_winmine_risks(system, result, first))
    cells = candidates(system, result.known)
    if not result.known.settled and cells & system.openable and _fresh(board):
        return _first(system, strategy.begin(system, rule), rule)
    if not guess:
        return _decision(system, strategy.with_winmine_risks(system, result, first), (), Reason.GUESS)
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
    """Return the moves that the certain cells prove, or else one guess that uses the uncertain cells too.

    ``careful`` is ``board`` without the uncertain numbers. A move that follows only with those numbers is a
    guess. Its risk and those of its alternatives are computed from the certain cells alone. Everything else,
    ``guess`` included, is as in `decide`. Raises ContradictionError if no placement of mines fits the certain
    cells.
    """
    asked = partial(decide, rule=rule, first=first, guess=guess)
    if careful == board:
        return asked(board, strategy=strategy)
    sure = asked(careful, strategy=strategy.with_thinking(None))
    if not guess or sure.reason not in (Reason.GUESS, Reason.FIRST_CLICK):
        return sure
    try:
        likely = asked(board, strategy=strategy)
    except (ContradictionError, NothingToOpenError):
        return sure
    return _as_guess(sure, likely)


def _as_guess(sure: Decision, likely: Decision) -> Decision:
    """Return the first move of ``likely`` as a guess, with the risks that ``sure`` gives."""
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
