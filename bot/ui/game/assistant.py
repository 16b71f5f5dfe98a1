"""Hints, warnings and boards that need no guess, computed in the background; this module does not use Qt.

It uses the window's ``game`` and these of its methods: `mark`, `say` and `work`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bot.board import Board, Cell, State
from bot.errors import BotError, CompilerError, StoppedError
from bot.game.round import Aid, GameClick, PlayedGame
from bot.marks import Advice, Layer, Mark, marks_of
from bot.solver import DEEP, EXACT, Strategy, decide
from bot.solver.constraints import OPENABLE
from bot.solver.decision import Action
from bot.solver.explain.hints import CellRisks, chances, explain
from bot.solver.kernel.build.compilation import kernel_compiled
from bot.solver.strategies import uses_kernel, while_compiling
from bot.verdict import GameState
from bot.words import cell_words, risk_words

if TYPE_CHECKING:
    from bot.ui.game.window import MinesweeperWindow

Task = Callable[[], object]
Done = Callable[[object], None]

THINKING = "Looking for a cell that is safe..."
SEARCHING = "Looking for a board that needs no guess (up to half a minute, the first time)..."
_ANYWAY = "Click again to open it anyway."
_LAYERS = (Layer.NEXT, Layer.MINES, Layer.WORDS)  # what a hint marks


class HintMaker:
    """Hint (F3): a proven safe cell with the reason, or "I don't know" with the cell of least risk.

    The solver decides in the background; a hint for a board that has changed since is dropped. `check` warns
    before a click that is not safe.
    """

    def __init__(self, window: MinesweeperWindow) -> None:
        self._window = window
        self._strategy: Strategy | None = None  # None until the first hint
        self._refused: tuple[Board, GameClick] | None = None  # the last click that was warned of

    def show(self) -> None:
        """Show a hint for the current board, and its known mines; do nothing while mines are being placed."""
        game, board = self._window.game, self._window.game.board
        if game.waiting is not None:
            return
        rule, first = game.rule.first_click, game.first

        def outdated() -> bool:
            return self._window.game is not game or game.board != board

        def work_out() -> tuple[str, Sequence[Mark]] | None:
            if outdated():
                return None
            decision = decide(board, rule=rule, strategy=self._ready(), first=first)
            hint = explain(board, decision)
            advice = Advice(decision, hint.cell, hint.numbers)
            return hint.sentence, marks_of(board, advice, _LAYERS)

        def hand_on(answer: Any) -> None:
            if outdated():
                return
            words, marks = (str(answer), ()) if isinstance(answer, BotError) else answer
            self._window.mark(marks)
            self._window.say(words)

        self._window.say(THINKING)
        self._window.work(work_out, hand_on)

    def check(self, click: GameClick, play: Callable[[GameClick], None]) -> None:
        """Call ``play`` with ``click``, unless that is not safe: then say why, and refuse it once.

        It is refused if it opens a mine that is proven, or takes a risk although a safe cell is proven.
        """
        game, board = self._window.game, self._window.game.board
        cells = _opened_by(click, board)
        if game.state is not GameState.RUNNING or not cells or self._refused == (board, click):
            play(click)
            return

        def work_out() -> str:
            return _warning(cells, chances(board, compiled=uses_kernel(self._ready())))

        def hand_on(words: object) -> None:
            if self._window.game is not game:
                return
            if game.board != board:  # by an earlier click, whose check took so long
                self.check(click, play)
            elif words and isinstance(words, str):
                self._refused = (board, click)
                self._window.say(words)
            else:
                play(click)

        game.aid = game.aid if game.aid is Aid.BOT else Aid.SOLVER
        self._window.work(work_out, hand_on)

    def _ready(self) -> Strategy:
        """Return the strategy that decides; call it in the background only."""
        self._strategy = self._strategy or _best_strategy()
        return self._strategy


def _opened_by(click: GameClick, board: Board) -> list[Cell]:
    """Return the covered cells that ``click`` would open, without those that a zero opens as well."""
    around = [click.cell] if click.deed is Action.OPEN else []
    if click.deed is Action.CHORD:
        near = board.neighbours(click.cell)
        flags = sum(board[cell] == State.FLAG for cell in near)
        around = list(near) if board[click.cell] == flags else []
    return [cell for cell in around if board[cell] in OPENABLE]


def _warning(cells: Sequence[Cell], known: CellRisks) -> str:
    """Return why ``cells`` should not be opened, "" if all are safe or no cell is proven safe."""
    worst = max(cells, key=lambda cell: known.risks[cell])
    risk, where = known.risks[worst], cell_words(worst).capitalize()
    if risk == 1.0:
        return f"{where} is a mine. {_ANYWAY}"
    if risk == 0.0 or not known.certain(0.0):
        return ""
    risky = f"{where} is not proven safe: its risk is {risk_words(risk, known.exact)}"
    return f"{risky}. Another cell is safe (F3 shows it). {_ANYWAY}"


def _best_strategy() -> Strategy:
    """Return the best available strategy; start to compile the solver in the background if needed.

    If that fails, the strategy exact decides for good, and nothing is said: a hint needs no more.
    """
    try:
        return DEEP if kernel_compiled() else while_compiling(DEEP, lambda _why: None)
    except CompilerError:
        return EXACT


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
            game.waiting = None
            window.say(str(found))
        elif isinstance(found, frozenset):
            game.lay(found)
            laid()

    window.say(SEARCHING)
    window.work(find_mines, take)
