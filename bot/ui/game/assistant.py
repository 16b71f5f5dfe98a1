"""Hints, autoplay and boards that need no guess, computed in the background; this module does not use Qt.

It uses the window's ``game`` and these of its methods: `mark`, `say`, `play`, `work` and `later`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from bot.board import Board, Cell, State
from bot.errors import BotError, CompilerError, StoppedError
from bot.game.round import PlayedGame, Progress
from bot.solver import BEST, EXACT, Action, Decision, Strategy, decide
from bot.solver.explain.hints import Hint, explain
from bot.solver.kernel.build.compilation import kernel_compiled
from bot.solver.strategies import while_compiling

if TYPE_CHECKING:
    from bot.ui.game.window import MinesweeperWindow

Task = Callable[[], object]
Done = Callable[[object], None]
T = TypeVar("T")

THINKING = "Looking for a cell that is safe..."
SEARCHING = "Looking for a board that needs no guess..."
COMPILING = "The solver is being compiled, once; that takes up to half a minute."
PLAYING = "Playing by itself: click or press F4 to stop."
OVER = "The game is over: F2 starts a new one."
_LOOK_AGAIN = 0.05  # seconds between two checks whether the mines have been placed


@dataclass(frozen=True, slots=True)
class Marks:
    """The cells that a hint marks on the board.

    ``safe`` cells are proven safe and turn yellow. ``proof`` are the numbers that prove it; they get a frame.
    ``offer`` cells are suggested guesses, if nothing is proven.
    """

    safe: frozenset[Cell] = frozenset()
    proof: frozenset[Cell] = frozenset()
    offer: frozenset[Cell] = frozenset()


NO_MARKS = Marks()


class Solver:
    """Decides in the background. Only the last question is answered, unless `forget` cancels it."""

    def __init__(self, window: MinesweeperWindow) -> None:
        self._window = window
        self._number = 0  # the number of the last question
        self._strategy: Strategy | None = None  # None until the first question

    def ask(self, done: Callable[[T | BotError], None], answer: Callable[[Board, Decision], T]) -> None:
        """Call ``done`` later with the ``answer`` for the current board and its decision, or an error."""
        self._number += 1
        number, game = self._number, self._window.game
        board, rule, first = game.board, game.rule.first_click, game.first

        def work_out() -> T | None:
            if number != self._number:
                return None
            self._strategy = self._strategy or _best_strategy()
            decision = decide(board, rule=rule, strategy=self._strategy, first=first)
            return answer(board, decision)

        def hand_on(answered: Any) -> None:
            if number == self._number:
                done(answered)

        self._window.work(work_out, hand_on)

    def forget(self) -> None:
        """Cancel the last question: it will not be answered."""
        self._number += 1


def _say_if_compiling(window: MinesweeperWindow, wanted: Callable[[], bool]) -> None:
    """Show `COMPILING` in the window if the solver is not compiled yet and ``wanted()`` is still true."""

    def ready() -> bool:
        try:
            return kernel_compiled()
        except CompilerError:  # there is no compiler, so nothing will be compiled
            return True

    def say(compiled: object) -> None:
        if compiled is False and wanted():
            window.say(COMPILING)

    window.work(ready, say)


def _best_strategy() -> Strategy:
    """Return the best available strategy; start to compile the solver in the background if needed.

    If that fails, the strategy exact decides for good, and nothing is said: a hint needs no more.
    """
    try:
        return BEST if kernel_compiled() else while_compiling(BEST, lambda _why: None)
    except CompilerError:
        return EXACT


class HintMaker(Solver):
    """Hint (F3): a proven safe cell with the reason, or "I don't know" with the cell of least risk."""

    def show(self) -> None:
        """Show a hint for the current board; do nothing while its mines are being placed."""
        if self._window.game.waiting is None:
            self._window.say(THINKING)
            self.ask(self._tell, explain)

    def _tell(self, hint: Hint | BotError) -> None:
        if isinstance(hint, BotError):
            self._window.say(str(hint))
        else:
            cells = frozenset[Cell]() if hint.cell is None else frozenset({hint.cell})
            proof = Marks(safe=cells, proof=frozenset(hint.numbers))
            self._window.mark(proof if hint.proven else Marks(offer=cells))
            self._window.say(hint.sentence)


class Autoplayer:
    """Autoplay: while ``running``, play the solver's moves as if the user clicked, the nearest cell first."""

    def __init__(self, window: MinesweeperWindow) -> None:
        self._window, self._solver = window, Solver(window)
        self.running = self._asking = self._clicking = self._laying = False
        self._pause = 0.0  # seconds between clicks
        self._turn = 0  # steps scheduled in an earlier turn are ignored
        self._waiting: dict[Cell, Action] = {}  # moves that are still to be made
        self._here = Cell(0, 0)  # the cell of the last click

    def start(self, clicks_per_second: float | None) -> None:
        """Start to play, or change the speed; None means as fast as possible."""
        self._pause = 1 / clicks_per_second if clicks_per_second else 0.0
        if self._window.game.over:
            self._window.say(OVER)
        elif not self.running:
            self.running = True
            self._turn += 1
            self._window.say(PLAYING)
            self._step(self._turn)
        elif not self._asking:  # already playing: only the speed changes
            self._turn += 1
            self._later(self._pause)

    def stop(self) -> None:
        """Stop playing, because the user has clicked or switched it off."""
        if self.running:
            self._window.say("")
        self.running = self._asking = self._laying = False
        self._waiting.clear()
        self._solver.forget()

    def forget(self) -> None:
        """Drop all planned moves after the board has changed, except by a click of autoplay itself.

        If autoplay is on, it goes on with the new board, also in another game.
        """
        if self._clicking:
            return
        self._waiting.clear()
        self._laying = False
        if self._asking:
            self._ask()

    def _step(self, turn: int) -> None:
        """Make the next move, unless autoplay was stopped or restarted since this step was scheduled."""
        if not self.running or turn != self._turn:
            return
        game = self._window.game
        if game.waiting is not None:
            self._later(_LOOK_AGAIN)
        elif game.over or (self._laying and game.progress is Progress.READY):  # no mines could be placed
            self.running = self._laying = False
        else:
            self._click_or_ask()

    def _click_or_ask(self) -> None:
        """Make the planned move nearest to the last click; ask the solver for more if none is left."""
        board, here = self._window.game.board, self._here
        covered = (State.COVERED, State.QUESTION, State.FLAG)  # the others were opened by earlier clicks
        self._waiting = {cell: deed for cell, deed in self._waiting.items() if board[cell] in covered}
        if self._waiting:
            cell = min(self._waiting, key=lambda c: (c.row - here.row) ** 2 + (c.col - here.col) ** 2)
            self._do(self._waiting.pop(cell), cell)
            self._later(self._pause)
        else:
            self._ask()

    def _ask(self) -> None:
        self._asking = True
        self._solver.ask(self._take, lambda _board, decision: decision)

    def _take(self, answer: Decision | BotError) -> None:
        """Plan the moves that the solver has decided on, or stop and show its error."""
        self._asking = False
        if isinstance(answer, BotError):
            self.stop()
            self._window.say(str(answer))
            return
        self._waiting = {move.cell: move.action for move in answer.moves}
        self._click_or_ask()

    def _do(self, deed: Action, cell: Cell) -> None:
        self._clicking = True
        try:
            self._window.play(deed, cell)
        finally:
            self._clicking = False
        self._here, game = cell, self._window.game
        self._laying = game.waiting is not None
        if game.over:
            self.running = False
        elif not self._laying:
            self._window.say(PLAYING)

    def _later(self, seconds: float) -> None:
        turn = self._turn
        self._window.later(seconds, lambda: self._step(turn))


def lay_without_guesses(
    window: MinesweeperWindow, game: PlayedGame, cell: Cell, laid: Callable[[], None]
) -> None:
    """Place mines that need no guess after ``cell``, the first click of ``game``; then call ``laid``.

    If none are found, show why. The search ends early if another game is started.
    """

    def stop_for_another_game() -> None:
        if window.game is not game:
            raise StoppedError("another game was started")

    def find_mines() -> frozenset[Cell]:
        stop_for_another_game()
        from bot.game.noguess import no_guess_mines  # slow to import: it loads the compiler

        return no_guess_mines(game.level, game.seed, cell, check=stop_for_another_game)

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
