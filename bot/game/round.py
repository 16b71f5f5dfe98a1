"""One game as a person plays it: mouse buttons, clock, mine counter, and its summary."""

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

LONGEST = 999  # seconds that the timer shows

Clock = Callable[[], float]


class Button(Enum):
    """A button of the mouse."""

    LEFT = auto()
    RIGHT = auto()
    MIDDLE = auto()


class Deed(Enum):
    """What is done to a cell."""

    OPEN = auto()
    MARK = auto()
    CHORD = auto()


@dataclass(frozen=True, slots=True)
class Click:
    """A deed and the cell that it is done to."""

    deed: Deed
    cell: Cell


class Progress(Enum):
    """How far a game is."""

    READY = "ready"
    RUNNING = "running"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Rule:
    """What is promised about the first click, and whether the board needs no guess after it."""

    first_click: FirstClick = FirstClick.SAFE
    no_guess: bool = False


RULES: Mapping[str, Rule] = {  # by the names that a player gives
    "safe": Rule(FirstClick.SAFE),
    "winmine": Rule(FirstClick.WINMINE),
    "opening": Rule(FirstClick.OPENING),
    "any": Rule(FirstClick.ANY),
    "no-guess": Rule(FirstClick.OPENING, no_guess=True),
}


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a game that is over.

    ``seconds`` is exact, not what the timer shows. ``clicks`` counts those of all buttons that did something.
    ``aided`` is whether the player asked the solver.
    """

    won: bool
    seconds: float
    bbbv: int
    clicks: int
    aided: bool

    @property
    def bbbv_per_second(self) -> float:
        """3BV/s, of a game that was won."""
        return self.bbbv / max(self.seconds, 0.001)


class Round:
    """One game. ``clock`` returns seconds; the timer starts at the first click that opens a cell.

    On a board that needs no guess, that cell is in ``waiting`` until `lay` is called with the mines, which
    depend on it.
    """

    def __init__(self, level: Level, rule: Rule, seed: int, clock: Clock) -> None:
        self.level, self.rule, self.seed = level, rule, seed
        self.first: Cell | None = None  # the cell that was opened first
        self.waiting: Cell | None = None
        self.aided = False
        self._game = Game(level.rows, level.cols, level.mines, seed, rule.first_click)
        self._clock = clock
        self._started: float | None = None
        self._ended: float | None = None
        self._clicks = 0
        self._board = self._game.board

    @property
    def board(self) -> Board:
        """What a player sees."""
        return self._board

    @property
    def progress(self) -> Progress:
        """How far the game is."""
        if self._ended is not None:
            return Progress.LOST if self._game.lost else Progress.WON
        return Progress.READY if self._started is None else Progress.RUNNING

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self._ended is not None

    @property
    def mines_left(self) -> int:
        """What the mine counter shows: the mines less the flags, below 0 if there are too many flags."""
        flags = self.board.count(State.FLAG, State.WRONG_FLAG)
        return self.level.mines - flags

    @property
    def elapsed(self) -> float:
        """Seconds since the first click, until the end."""
        if self._started is None:
            return 0.0
        return (self._clock() if self._ended is None else self._ended) - self._started

    @property
    def seconds(self) -> int:
        """What the timer shows: 0 before the first click, at once 1 after it, as in the game of Windows."""
        return 0 if self._started is None else min(LONGEST, 1 + int(self.elapsed))

    def play(self, click: Click, *, question_marks: bool = True) -> None:
        """Carry out a click; do nothing if the game is over or waits for its mines."""
        if self.over or self.waiting is not None:
            return
        if click.deed is Deed.OPEN:
            self._open(click.cell)
        elif click.deed is Deed.MARK:
            self._game.flag(click.cell, question_marks=question_marks)
        else:
            self._game.chord(click.cell)
        self._look()

    def lay(self, mines: frozenset[Cell]) -> None:
        """Put the mines of a board that needs no guess, and open the cell that waits for them."""
        if self.waiting is None:
            raise UsageError("mines can be laid only while a first cell waits to be opened, and none does")
        cell, self.waiting = self.waiting, None
        self._game.lay(mines)
        self._begin(cell)
        self._look()

    def give_up_waiting(self) -> None:
        """Forget the click that waits for mines."""
        self.waiting = None

    def without_question_marks(self) -> None:
        """Take away all question marks: they were switched off."""
        for cell in self.board.cells(State.QUESTION):
            self._game.flag(cell)
        self._board = self._game.board

    def summary(self) -> Summary:
        """Return the summary of the game. Raises UsageError before its end."""
        if not self.over:
            raise UsageError("a game is summed up when it is over")
        mines = np.zeros((self.level.rows, self.level.cols), np.bool_)
        for mine in self._game.mines or ():
            mines[mine] = True
        return Summary(not self._game.lost, self.elapsed, bbbv(mines), self._clicks, self.aided)

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

    def _look(self) -> None:
        """Update the board, the clicks and the clock after a click."""
        board = self._game.board
        self._clicks += board != self._board
        self._board = board
        if self._game.over:
            self._ended = self._clock()


class Presses:
    """The buttons that are down and the cell under the pointer, None where there is no cell."""

    def __init__(self) -> None:
        self._down: set[Button] = set()
        self._ahead: Deed | None = None  # what a release will do
        self._cell: Cell | None = None

    @property
    def active(self) -> bool:
        """Whether a release over a cell would open something, so that the face looks surprised."""
        return self._ahead is not None

    def press(self, button: Button, cell: Cell | None, *, shift: bool = False) -> Click | None:
        """Press a button over ``cell``; return the click that this is, if it is one at once."""
        alone = not self._down
        self._down.add(button)
        self._cell = cell
        both = {Button.LEFT, Button.RIGHT} <= self._down
        if both or (alone and (button is Button.MIDDLE or (shift and button is Button.LEFT))):
            self._ahead = Deed.CHORD
        elif alone and button is Button.LEFT:
            self._ahead = Deed.OPEN
        elif alone and button is Button.RIGHT and cell is not None:
            return Click(Deed.MARK, cell)
        return None

    def move(self, cell: Cell | None) -> None:
        """Move the pointer to a cell."""
        self._cell = cell

    def release(self, button: Button, cell: Cell | None) -> Click | None:
        """Release a button over ``cell``; return the click that this is, if any."""
        if button not in self._down:
            return None
        self._down.remove(button)
        deed, self._ahead = self._ahead, None
        self._cell = cell if self._down else None
        return Click(deed, cell) if deed and cell is not None else None

    def forget(self) -> None:
        """Release all buttons without a click, as when a dialog opens or the window loses the pointer."""
        self._down.clear()
        self._ahead = self._cell = None

    def pressed(self, board: Board) -> frozenset[Cell]:
        """Return the cells of ``board`` that look pressed."""
        if self._ahead is None or self._cell is None:
            return frozenset()
        around = board.neighbours(self._cell) if self._ahead is Deed.CHORD else ()
        cells = (self._cell, *around)
        return frozenset(cell for cell in cells if board[cell] in (State.COVERED, State.QUESTION))
