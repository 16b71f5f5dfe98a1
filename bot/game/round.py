"""One game as a person plays it: mouse buttons, timer, mine counter, and a summary at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from bot.board import Board, Cell, FirstClick, State
from bot.errors import UsageError
from bot.game.metrics import bbbv
from bot.game.simulation import Game
from bot.levels import Level
from bot.solver.decision import Action
from bot.verdict import GameState

Clock = Callable[[], float]


class MouseButton(Enum):
    """A mouse button."""

    LEFT = auto()
    RIGHT = auto()
    MIDDLE = auto()


@dataclass(frozen=True, slots=True)
class GameClick:
    """An action and the cell that it applies to."""

    deed: Action
    cell: Cell


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for the first click, and whether the board needs no guess after it."""

    first_click: FirstClick = FirstClick.SAFE
    no_guess: bool = False


RULES: Mapping[str, Rule] = {  # by the names that players use
    "safe": Rule(FirstClick.SAFE),
    "winmine": Rule(FirstClick.WINMINE),
    "opening": Rule(FirstClick.OPENING),
    "any": Rule(FirstClick.ANY),
    "no-guess": Rule(FirstClick.OPENING, no_guess=True),
}


class Aid(Enum):
    """The help that a player had; with any, a game sets no best time."""

    NONE = ""
    SOLVER = "with help"
    BOT = "played by minebot"


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The summary of a finished game.

    ``seconds`` is the exact time, not the time on the timer. ``clicks`` counts the clicks, with any button,
    that changed the board. ``aid`` is the `Aid` that the player had.
    """

    won: bool
    seconds: float
    bbbv: int
    clicks: int
    aid: Aid

    @property
    def bbbv_per_second(self) -> float:
        """3BV/s; meaningful only for a won game."""
        return self.bbbv / max(self.seconds, 0.001)


class PlayedGame:
    """One game. ``clock`` returns seconds; the timer starts when the first cell is opened.

    For a board that needs no guess, the mines depend on the first cell. Until `lay` is called with these
    mines, that cell is in ``waiting``.
    """

    def __init__(self, level: Level, rule: Rule, seed: int, clock: Clock) -> None:
        self.level, self.rule, self.seed = level, rule, seed
        self.first: Cell | None = None  # the first cell opened
        self.waiting: Cell | None = None
        self.aid = Aid.NONE
        self._game = Game(level.rows, level.cols, level.mines, seed, rule.first_click)
        self._clock = clock
        self._started: float | None = None
        self._ended: float | None = None
        self._clicks = 0
        self._board = self._game.board

    @property
    def board(self) -> Board:
        """The board as the player sees it."""
        return self._board

    @property
    def state(self) -> GameState:
        """How the game stands."""
        if self._ended is not None:
            return GameState.LOST if self._game.lost else GameState.WON
        return GameState.NEW if self._started is None else GameState.RUNNING

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self._ended is not None

    @property
    def mines_left(self) -> int:
        """The number on the mine counter: mines minus flags, negative if there are too many flags."""
        flags = self.board.count(State.FLAG, State.WRONG_FLAG)
        return self.level.mines - flags

    @property
    def elapsed(self) -> float:
        """Seconds since the first cell was opened; they stop at the end of the game."""
        if self._started is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._started

    @property
    def seconds(self) -> int:
        """The number on the timer: 0 before the first cell is opened, then from 1 on, as in Windows.

        Windows stops at 999; this timer goes on.
        """
        return 0 if self._started is None else 1 + int(self.elapsed)

    def play(self, click: GameClick, *, question_marks: bool = True) -> None:
        """Carry out a click; do nothing if the game is over or waits for its mines."""
        if self.over or self.waiting is not None:
            return
        if click.deed is Action.OPEN:
            self._open(click.cell)
        elif click.deed is Action.FLAG:
            self._game.flag(click.cell, question_marks=question_marks)
        else:
            self._game.chord(click.cell)
        self._update_board()

    def lay(self, mines: frozenset[Cell]) -> None:
        """Place the mines of a board that needs no guess, and open the cell that waits for them."""
        if self.waiting is None:
            raise UsageError("mines can be laid only while a first cell waits to be opened, and none does")
        cell, self.waiting = self.waiting, None
        self._game.lay(mines)
        self._begin(cell)
        self._update_board()

    def without_question_marks(self) -> None:
        """Remove all question marks, after the player has switched them off."""
        for cell in self.board.cells(State.QUESTION):
            self._game.flag(cell)
        self._board = self._game.board

    def summary(self) -> GameSummary:
        """Return the summary of the game. Raises UsageError if it is not over."""
        if not self.over:
            raise UsageError("a game is summed up when it is over")
        mines = np.zeros((self.level.rows, self.level.cols), np.bool_)
        for mine in self._game.mines or ():
            mines[mine] = True
        return GameSummary(not self._game.lost, self.elapsed, bbbv(mines), self._clicks, self.aid)

    def _open(self, cell: Cell) -> None:
        if self.board[cell] not in (State.COVERED, State.QUESTION):
            return
        if self._started is not None:
            self._game.open(cell)
        elif self.rule.no_guess:
            self.waiting = cell
        else:
            self._begin(cell)

    def _begin(self, cell: Cell) -> None:
        self.first, self._started = cell, self._clock()
        self._game.open(cell)

    def _update_board(self) -> None:
        """Update the board, the number of clicks and the end time after a click."""
        board = self._game.board
        self._clicks += board != self._board
        self._board = board
        if self._game.over:
            self._ended = self._clock()


class MouseButtons:
    """The mouse buttons that are down, and the cell under the pointer (None: no cell)."""

    def __init__(self) -> None:
        self._down: set[MouseButton] = set()
        self._ahead: Action | None = None  # the action that a release will cause
        self._cell: Cell | None = None

    @property
    def active(self) -> bool:
        """Whether releasing a button over a cell would open something; the face then looks surprised."""
        return self._ahead is not None

    def press(self, button: MouseButton, cell: Cell | None, *, shift: bool = False) -> GameClick | None:
        """Press a button over ``cell``; return a click if the press already causes one."""
        alone = not self._down
        self._down.add(button)
        self._cell = cell
        both = {MouseButton.LEFT, MouseButton.RIGHT} <= self._down
        if both or (alone and (button is MouseButton.MIDDLE or (shift and button is MouseButton.LEFT))):
            self._ahead = Action.CHORD
        elif alone and button is MouseButton.LEFT:
            self._ahead = Action.OPEN
        elif alone and button is MouseButton.RIGHT and cell is not None:
            return GameClick(Action.FLAG, cell)
        return None

    def move(self, cell: Cell | None) -> None:
        """Move the pointer to a cell."""
        self._cell = cell

    def release(self, button: MouseButton, cell: Cell | None) -> GameClick | None:
        """Release a button over ``cell``; return the click that this causes, if any."""
        if button not in self._down:
            return None
        self._down.remove(button)
        deed, self._ahead = self._ahead, None
        self._cell = cell if self._down else None
        return GameClick(deed, cell) if deed and cell is not None else None

    def forget(self) -> None:
        """Release all buttons without a click, for example when a dialog opens or the pointer is lost."""
        self._down.clear()
        self._ahead = self._cell = None

    def pressed(self, board: Board) -> frozenset[Cell]:
        """Return the cells of ``board`` that should look pressed."""
        if self._ahead is None or self._cell is None:
            return frozenset()
        around = board.neighbours(self._cell) if self._ahead is Action.CHORD else ()
        cells = (self._cell, *around)
        return frozenset(cell for cell in cells if board[cell] in (State.COVERED, State.QUESTION))
