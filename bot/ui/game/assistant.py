"""Hints, autoplay and boards without guesses, worked out in the background; nothing of Qt.

Of the window they use its game, and what it offers for that: `mark`, `say`, `play`, `work` and `later`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.board import Cell, State
from bot.errors import BotError, CompilerError, StoppedError
from bot.game.round import Deed, Progress, Round
from bot.solver import BEST, EXACT, Action, Decision, Strategy, decide
from bot.solver.compilation import kernel_compiled
from bot.solver.explain.hints import Hint, explain

if TYPE_CHECKING:
    from bot.ui.game.window import MinesweeperWindow

Task = Callable[[], object]
Done = Callable[[object], None]

THINKING = "Looking for a cell that is safe..."
SEARCHING = "Looking for a board that needs no guess..."
COMPILING = "The solver is being compiled, once; that takes up to half a minute."
PLAYING = "Playing by itself: a click, or F4, ends that."
OVER = "The game is over: F2 begins another one."
_DEEDS = {Action.OPEN: Deed.OPEN, Action.FLAG: Deed.MARK, Action.CHORD: Deed.CHORD}
_LOOK_AGAIN = 0.05  # seconds until it is looked again whether mines are laid


@dataclass(frozen=True, slots=True)
class Marks:
    """The cells that a hint marks on the board.

    ``safe`` are proven safe and turn yellow, ``proof`` are the numbers that prove it and get a frame,
    ``offer`` are what is offered where nothing is proven.
    """

    safe: frozenset[Cell] = frozenset()
    proof: frozenset[Cell] = frozenset()
    offer: frozenset[Cell] = frozenset()


NO_MARKS = Marks()


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision for a board, with its reason in words if that was asked for."""

    decision: Decision
    hint: Hint | None = None


class Solver:
    """Decides in the background. Only the last question is answered, unless it is forgotten."""

    def __init__(self, window: MinesweeperWindow) -> None:
        self._window = window
        self._number = 0  # of the last question
        self._strategy: Strategy | None = None  # None until it is first asked

    def ask(self, done: Callable[[Answer | BotError], None], *, why: bool = False) -> None:
        """Call ``done`` with what to do in the game as it is now, and ``why``; or with an error in words."""
        self._number += 1
        number, game = self._number, self._window.game
        board, rule, first = game.board, game.rule.first_click, game.first

        def work_out() -> Answer | None:
            if number != self._number:
                return None
            self._strategy = self._strategy or _best_strategy()
            decision = decide(board, rule=rule, strategy=_ready(self._strategy), first=first)
            return Answer(decision, explain(board, decision) if why else None)

        def hand_on(answer: object) -> None:
            if number == self._number and isinstance(answer, Answer | BotError):
                done(answer)

        self._window.work(work_out, hand_on)

    def forget(self) -> None:
        """Leave the last question without an answer."""
        self._number += 1


def _say_if_compiling(window: MinesweeperWindow, wanted: Callable[[], bool]) -> None:
    """Say that the solver is being compiled if it is not yet, and if that is still ``wanted`` by then."""

    def ready() -> bool:
        try:
            return kernel_compiled()
        except CompilerError:  # nothing will be compiled
            return True

    def say(compiled: object) -> None:
        if compiled is False and wanted():
            window.say(COMPILING)

    window.work(ready, say)


def _best_strategy() -> Strategy:
    """Return the best strategy that there is; what it needs is compiled in the background."""
    try:
        return BEST if kernel_compiled() else BEST.while_compiling()
    except CompilerError:
        return EXACT


def _ready(strategy: Strategy) -> Strategy:
    """Return what can decide now."""
    try:
        return strategy.ready()
    except CompilerError:
        return EXACT


class HintMaker:
    """Hint (F3): a proven cell and why it is safe, or the words "I don't know" and the least risk."""

    def __init__(self, window: MinesweeperWindow) -> None:
        self._window, self._solver = window, Solver(window)

    def show(self) -> None:
        """Show a hint for the board as it is; nothing while its mines are being laid."""
        if self._window.game.waiting is None:
            self._window.say(THINKING)
            self._solver.ask(self._tell, why=True)

    def forget(self) -> None:
        """Drop what is being worked out: the board has changed."""
        self._solver.forget()

    def _tell(self, answer: Answer | BotError) -> None:
        if isinstance(answer, BotError):
            self._window.say(str(answer))
        elif answer.hint is not None:
            hint = answer.hint
            cells = frozenset[Cell]() if hint.cell is None else frozenset({hint.cell})
            proof = Marks(safe=cells, proof=frozenset(hint.numbers))
            self._window.mark(proof if hint.proven else Marks(offer=cells))
            self._window.say(hint.sentence)


class Autoplayer:
    """Autoplay: the solver plays by the same moves as clicks, the nearest cell first."""

    def __init__(self, window: MinesweeperWindow) -> None:
        self._window, self._solver = window, Solver(window)
        self._running = self._asking = self._clicking = self._laying = False
        self._pause = 0.0  # seconds between clicks
        self._turn = 0  # steps that were planned for an earlier turn are not made
        self._waiting: dict[Cell, Deed] = {}  # what is to be done
        self._here = Cell(0, 0)  # where the last click was

    @property
    def running(self) -> bool:
        """Whether it plays."""
        return self._running

    def start(self, clicks_per_second: float | None) -> None:
        """Play at this speed from now on, as fast as it goes if None."""
        self._pause = 1 / clicks_per_second if clicks_per_second else 0.0
        if self._window.game.over:
            self._window.say(OVER)
        elif not self._running:
            self._running = True
            self._turn += 1
            self._window.say(PLAYING)
            self._step(self._turn)
        elif not self._asking:  # it plays at another speed
            self._turn += 1
            self._later(self._pause)

    def stop(self) -> None:
        """Play no more: the user has clicked, or switched it off."""
        if self._running:
            self._window.say("")
        self._running = self._asking = self._laying = False
        self._waiting.clear()
        self._solver.forget()

    def forget(self) -> None:
        """Drop what is being worked out, unless it is one's own click that has changed the board.

        If it plays, it goes on with what is there now, another game too.
        """
        if self._clicking:
            return
        self._waiting.clear()
        self._laying = False
        if self._asking:
            self._ask()

    def _step(self, turn: int) -> None:
        """Do the next thing, if it is still to be done."""
        if not self._running or turn != self._turn:
            return
        game = self._window.game
        if game.waiting is not None:
            self._later(_LOOK_AGAIN)
        elif game.over or (self._laying and game.progress is Progress.READY):  # no mines could be laid
            self._running = self._laying = False
        else:
            self._click_or_ask()

    def _click_or_ask(self) -> None:
        """Do the nearest thing that is still to be done; ask for more where nothing is."""
        board, here = self._window.game.board, self._here
        covered = (State.COVERED, State.QUESTION, State.FLAG)  # others were opened by an earlier click
        self._waiting = {cell: deed for cell, deed in self._waiting.items() if board[cell] in covered}
        if self._waiting:
            cell = min(self._waiting, key=lambda c: (c.row - here.row) ** 2 + (c.col - here.col) ** 2)
            self._do(self._waiting.pop(cell), cell)
            self._later(self._pause)
        else:
            self._ask()

    def _ask(self) -> None:
        self._asking = True
        self._solver.ask(self._take)

    def _take(self, answer: Answer | BotError) -> None:
        """Do what the solver says."""
        self._asking = False
        if isinstance(answer, BotError):
            self.stop()
            self._window.say(str(answer))
            return
        self._waiting = {move.cell: _DEEDS[move.action] for move in answer.decision.moves}
        self._click_or_ask()

    def _do(self, deed: Deed, cell: Cell) -> None:
        self._clicking = True
        try:
            self._window.play(deed, cell)
        finally:
            self._clicking = False
        self._here, game = cell, self._window.game
        self._laying = game.waiting is not None
        if game.over:
            self._running = False
        elif not self._laying:
            self._window.say(PLAYING)

    def _later(self, seconds: float) -> None:
        turn = self._turn
        self._window.later(seconds, lambda: self._step(turn))


def lay_without_guesses(window: MinesweeperWindow, game: Round, cell: Cell, laid: Callable[[], None]) -> None:
    """Lay mines for ``cell``, which ``game`` waits with, then call ``laid``; say why if there are none.

    The search ends early if another game is begun.
    """

    def stop_for_another_game() -> None:
        if window.game is not game:
            raise StoppedError("another game was begun")

    def find_mines() -> frozenset[Cell]:
        stop_for_another_game()
        from bot.game.noguess import no_guess_mines  # loads the compiler, which takes a while

        level, rule = game.level, game.rule.first_click
        return no_guess_mines(
            level.rows, level.cols, level.mines, game.seed, cell, rule, check=stop_for_another_game
        )

    def take(found: object) -> None:
        if window.game is not game:
            return
        if isinstance(found, BotError):
            game.give_up_waiting()
            window.say(str(found))
        elif isinstance(found, frozenset):
            game.lay(found)
            laid()

    window.say(SEARCHING)
    _say_if_compiling(window, lambda: window.game is game)
    window.work(find_mines, take)
