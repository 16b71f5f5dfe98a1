"""The strategies: how they prove cells and guess, and the decisions that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import NoReturn, Protocol

from bot.board import CLOSED, Board, Cell, FirstClick
from bot.errors import ContradictionError, NothingToOpenError, StoppedError, UsageError
from bot.solver.constraints import System, bits, cells_of
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.decision import Action, Alternative, Decision, Move, Reason
from bot.solver.guess import (
    POLICIES,
    Choice,
    Chooser,
    FirstClickChooser,
    Policy,
    candidates,
    first_click,
    safest,
)
from bot.solver.kernel.build.compilation import BackgroundCompilation, can_keep_kernel
from bot.solver.stages import (
    CONTRADICTION,
    COUNTING,
    PROBABILITY,
    Stage,
    StageResult,
    probability,
    run_stages,
)
from bot.stop import NEVER, Stop
from bot.words import cell_words

_STAGES = list(Reason)  # the simplest first


class Strategy(Protocol):
    """A way to decide a position; a class with these methods can be given to `decide` and to a player.

    The methods may be called from any thread. Cells are numbered row by row; a set of them is a mask, an int
    whose bit ``i`` stands for cell ``i``.
    """

    @property
    def name(self) -> str:
        """The name of the strategy."""

    def begin(self, system: System, rule: FirstClick, /) -> int:
        """Return the cell to open first; ``rule`` is what the game promises about it."""

    def prove(self, system: System, first: Cell | None = None, *, guess: bool = True) -> StageResult:
        """Return what is proven about the position, and risks if they were computed.

        ``first`` is the first cell opened in the game if winmine's rule applies, else None. ``guess`` says
        whether a guess follows if no safe cell is proven. Raises ContradictionError if no placement of mines
        fits.
        """

    def guess(self, system: System, result: StageResult, cells: int, stop: Stop) -> Choice:
        """Choose one of ``cells`` (a mask); ``result`` is what `prove` returned for the position.

        Whoever thinks for long ends that when ``stop`` says so, with the best choice so far.
        """


@dataclass(frozen=True, slots=True)
class PlainStrategy:
    """A strategy in plain Python: ``stages`` look for a proof, the cheapest first; ``choose`` guesses.

    If ``total`` is false, the stages do not use the mine total; the counting rules then use it before a
    guess, because it may prove all cells that are left. ``learns`` is true if it learns from games;
    ``digest`` is a checksum of what it has learned, "" for nothing.
    """

    name: str
    stages: tuple[Stage, ...] = (COUNTING, CONTRADICTION, PROBABILITY)
    total: bool = True
    begin: FirstClickChooser = first_click
    choose: Chooser = safest
    learns: bool = False
    digest: str = ""

    def __str__(self) -> str:
        return self.name

    def prove(self, system: System, first: Cell | None = None, *, guess: bool = True) -> StageResult:  # noqa: ARG002
        """Return what the stages prove, up to the first that finds a safe cell to open."""
        result = run_stages(system, self.stages, total=self.total)
        if guess and not (self.total or result.known.safe & system.playable):
            return result.extended(apply_counting_rules(system, result.known), Reason.COUNTING)
        return result

    def guess(self, system: System, result: StageResult, cells: int, stop: Stop) -> Choice:  # noqa: ARG002
        """Choose one of ``cells`` (a mask)."""
        return self.choose(system, result, cells)


@dataclass(frozen=True, slots=True)
class CompiledStrategy:
    """A strategy that the compiled kernel plays: it finds every proof, and ``policy`` guesses."""

    name: str
    policy: Policy

    def __str__(self) -> str:
        return self.name

    def begin(self, system: System, rule: FirstClick, /) -> int:
        """Return the cell to open first."""
        return first_click(system, rule)

    def prove(self, system: System, first: Cell | None = None, *, guess: bool = True) -> StageResult:  # noqa: ARG002
        """Return all that the position proves, and the risks if no simple stage proves a safe cell."""
        from bot.solver.compiled_strategy import prove  # slow to import: it compiles

        return prove(system, first)

    def guess(self, system: System, result: StageResult, cells: int, stop: Stop) -> Choice:  # noqa: ARG002
        """Choose one of ``cells`` (a mask) by the policy; ``result`` is what this strategy proved."""
        from bot.solver.compiled_strategy import choose_guess

        return choose_guess(result, list(bits(cells)), self.policy, stop)


@dataclass(frozen=True, slots=True)
class CompilingStrategy:
    """A strategy whose kernel is still being compiled; until that is done, the strategy exact decides."""

    strategy: CompiledStrategy
    compilation: BackgroundCompilation

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return self.strategy.name

    def ready(self) -> PlainStrategy | CompiledStrategy:
        """Return the strategy that can decide now."""
        return self.strategy if self.compilation.done() else EXACT

    def begin(self, system: System, rule: FirstClick, /) -> int:
        """Return the cell to open first."""
        return self.strategy.begin(system, rule)

    def prove(self, system: System, first: Cell | None = None, *, guess: bool = True) -> StageResult:
        """Return what can be proven now."""
        return self.ready().prove(system, first, guess=guess)

    def guess(self, system: System, result: StageResult, cells: int, stop: Stop) -> Choice:
        """Choose one of ``cells`` (a mask) as the strategy does that proved ``result``."""
        strategy = EXACT if result.analysis is None else self.strategy
        return strategy.guess(system, result, cells, stop)


def while_compiling(strategy: CompiledStrategy, tell: Callable[[str], None]) -> Strategy:
    """Return ``strategy``, with its kernel being compiled in the background, or `EXACT`.

    It is `EXACT` if the compiled kernel cannot be stored. If that compilation fails, ``tell`` is called once,
    with a line about it, and exact goes on deciding.
    """
    if not can_keep_kernel():
        return EXACT
    return CompilingStrategy(strategy, BackgroundCompilation(tell))


def uses_kernel(strategy: Strategy) -> bool:
    """Return whether ``strategy`` decides with the compiled kernel now, so that other code may use it too."""
    if isinstance(strategy, CompilingStrategy):
        strategy = strategy.ready()
    return isinstance(strategy, CompiledStrategy)


class CheckedStrategy:
    """A strategy from outside of this package, whose answers are checked before they are used.

    A wrong answer raises a UsageError with the name of the strategy.
    """

    def __init__(self, strategy: Strategy) -> None:
        missing = [name for name in ("name", "begin", "prove", "guess") if not hasattr(strategy, name)]
        if missing or isinstance(strategy, type):
            why = f"it has no {missing[0]}" if missing else "give an object of this class"
            raise UsageError(f"{strategy!r:.60} is not a strategy: {why}")
        self._strategy, self.name = strategy, strategy.name

    def begin(self, system: System, rule: FirstClick, /) -> int:
        """Return the cell to open first, which must be one that can be opened."""
        return self._one_of(system.openable, self._strategy.begin(system, rule), "begin")

    def prove(self, system: System, first: Cell | None = None, *, guess: bool = True) -> StageResult:
        """Return what is proven, if it is, with a reason for each safe cell, and risks of all other cells."""
        result = self._strategy.prove(system, first, guess=guess)
        if not isinstance(result, StageResult):
            raise self._wrong(f"prove returned {result!r:.60}, not a StageResult")
        known = result.known
        proven, risks = probability(system, apply_counting_rules(system, Known()))
        if risks is not None:  # else there are too many solutions to count
            for wrong, what in ((known.safe & ~proven.safe, "safe"), (known.mines & ~proven.mines, "a mine")):
                for cell in system.cells(wrong)[:1]:
                    raise self._wrong(f"it calls {cell_words(cell)} {what}, which is not proven")
        if not all(isinstance(result.reasons.get(index), Reason) for index in bits(known.safe)):
            raise self._wrong("a safe cell has no Reason")
        if result.risks is not None and not all(
            0 < result.risks.get(index, 0) < 1 for index in bits(system.unknown & ~known.settled)
        ):
            raise self._wrong("its risks need a value above 0 and below 1 for each cell that is not proven")
        return result

    def guess(self, system: System, result: StageResult, cells: int, stop: Stop) -> Choice:
        """Choose one of ``cells`` (a mask)."""
        choice = self._strategy.guess(system, result, cells, stop)
        if not isinstance(choice, Choice):
            raise self._wrong(f"guess returned {choice!r:.60}, not a Choice")
        for cell in choice.scores:
            self._one_of(system.unknown, cell, "the scores of guess")
        self._one_of(cells, choice.cell, "guess")
        return choice

    def _one_of(self, cells: int, cell: int, what: str) -> int:
        if not (isinstance(cell, int) and cell >= 0 and cells >> cell & 1):
            raise self._wrong(f"{what} must give one of the cells that it may choose from, not {cell!r:.60}")
        return cell

    def _wrong(self, why: str) -> UsageError:
        return UsageError(f"the strategy {self.name} gave a wrong answer: {why}")


class _Table(Mapping[str, PlainStrategy | CompiledStrategy]):
    """The strategies by name; a published one is imported from its module when it is looked up."""

    def __init__(self, *rows: PlainStrategy | CompiledStrategy | str) -> None:
        self._rows = {str(row): row for row in rows}

    def __getitem__(self, name: str) -> PlainStrategy | CompiledStrategy:
        row = self._rows[name]
        if isinstance(row, str):
            module = import_module(f"bot.solver.published.{row}")
            row = self._rows[name] = module.STRATEGY
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


EXACT = PlainStrategy("exact")  # the strongest that needs no compiler
BEST = CompiledStrategy("best", POLICIES["best"])  # the strongest that is quick
DEEP = CompiledStrategy("deep", POLICIES["deep"])  # the strongest: the default of play and hints
STRATEGIES: Mapping[str, PlainStrategy | CompiledStrategy] = _Table(
    PlainStrategy("counting", (COUNTING,)),
    "article",
    "korlyakova",
    "pestov",
    PlainStrategy("komarov", (COUNTING, CONTRADICTION), total=False),
    "novitsky",
    EXACT,
    CompiledStrategy("fast", POLICIES["fast"]),
    BEST,
    DEEP,
)


def strategy_named(name: str) -> PlainStrategy | CompiledStrategy:
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
    stop: Stop = NEVER,
) -> Decision:
    """Return the next moves on ``board``: all cells that the first successful stage proves safe, or a guess.

    ``rule`` is the game's rule for the first click; it decides what to open on a fresh board. Later, all
    solutions are taken to be equally likely. Under WINMINE they are not: if ``first``, the first cell opened
    in this game, is given, the compiled strategies weigh the solutions by that rule. ``stop`` ends thinking.

    Only covered and question-marked cells are opened. A flag may be wrong: a flagged cell that is proven safe
    gets a FLAG move, the right click that removes the flag; the next decision can open it. A flagged cell is
    guessed only if no other cell is left. Unreadable cells get no move.

    If nothing is proven and ``guess`` is false, the decision has no moves. Raises ContradictionError if no
    placement of mines fits the board, NothingToOpenError if there is nothing left to open, UsageError if a
    strategy from outside of this package gives a wrong answer.
    """
    if rule is not FirstClick.WINMINE or (first is not None and board[first] > 8):
        first = None
    if not isinstance(strategy, (PlainStrategy, CompiledStrategy, CompilingStrategy)):
        strategy = CheckedStrategy(strategy)
    system = System.of(board)
    result = strategy.prove(system, first, guess=guess)
    if result.known.safe & system.playable:
        return _proven_decision(system, result)
    cells = candidates(system, result.known)
    fresh = board.count(*CLOSED) == board.states.size
    if fresh and not result.known.settled and cells & system.openable:
        return _first_click_decision(system, strategy.begin(system, rule), rule)
    if not guess:
        return _guess(system, result, None)
    return _guess(system, result, strategy.guess(system, result, cells, stop))


def decide_on(
    board: Board,
    careful: Board,
    rule: FirstClick,
    strategy: Strategy,
    first: Cell | None = None,
    guess: bool = True,
    stop: Stop = NEVER,
) -> Decision:
    """Return the moves that the certain cells prove, or else one guess that uses the uncertain cells too.

    ``careful`` is ``board`` without the uncertain numbers. A move that follows only with those numbers is a
    guess. Its risk and those of its alternatives are computed from the certain cells alone. Everything else
    is as in `decide`. Raises ContradictionError if no placement of mines fits the certain cells.
    """
    asked = partial(decide, rule=rule, strategy=strategy, first=first, guess=guess)
    if careful == board:
        return asked(board, stop=stop)
    sure = asked(careful, stop=Stop(_end_thinking))
    if not guess or sure.reason not in (Reason.GUESS, Reason.FIRST_CLICK):
        return sure
    try:
        likely = asked(board, stop=stop)
    except (ContradictionError, NothingToOpenError):
        return sure
    return _as_guess(sure, likely)


def _end_thinking() -> NoReturn:
    raise StoppedError("thinking is not wanted")


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


def _proven_decision(system: System, result: StageResult) -> Decision:
    """Return the decision to open all cells that are proven safe, and to unflag those with a flag."""
    cells, reasons = cells_of(*system.board.shape), result.reasons
    ways = (system.openable, Action.OPEN), (system.flagged, Action.FLAG)
    moves = tuple(
        Move(cells[index], action, 0.0, reasons[index])
        for kind, action in ways
        for index in bits(result.known.safe & kind)
    )
    reason = max((move.reason for move in moves), key=_STAGES.index)
    mines = frozenset(cells[index] for index in bits(result.known.mines))
    if reason is not Reason.PROBABILITY:
        return Decision(moves, reason, mines)
    return Decision(moves, reason, mines, *_risks(system, result))


def _risks(system: System, result: StageResult) -> tuple[dict[Cell, float], bool]:
    """Return the risk of each unknown cell, and whether these risks are exact."""
    risks, cells = result.estimated(system), cells_of(*system.board.shape)
    exact = not risks or (result.risks is not None and result.exact)
    return {cells[index]: risk for index, risk in risks.items()}, exact


def _first_click_decision(system: System, index: int, rule: FirstClick) -> Decision:
    mines = system.board.mines
    density = 0.5 if mines is None else mines / system.unknown.bit_count()
    risk = density if rule is FirstClick.ANY else 0.0
    move = Move(system.cell(index), Action.OPEN, risk, Reason.FIRST_CLICK)
    return Decision((move,), Reason.FIRST_CLICK)


def _guess(system: System, result: StageResult, choice: Choice | None) -> Decision:
    """Return the decision to make the ``choice``; without moves if that is None."""
    risks, exact = _risks(system, result)
    mines = frozenset(system.cells(result.known.mines))
    if choice is None:
        return Decision((), Reason.GUESS, mines, risks, exact)
    cell = system.cell(choice.cell)
    action = Action.OPEN if system.openable >> choice.cell & 1 else Action.FLAG
    near = [(system.cell(other), score) for other, score in choice.scores.items()]
    return Decision(
        (Move(cell, action, risks[cell], Reason.GUESS),),
        Reason.GUESS,
        mines,
        risks,
        exact,
        choice.judgement,
        tuple(Alternative(other, risks[other], score) for other, score in near),
        choice.win_chance,
    )
