"""Autoplay: the solver plays the game in the window by the same moves as clicks, the nearest cell first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.board import Cell, State
from bot.errors import BotError
from bot.game.round import Deed, Progress
from bot.solver import Action
from bot.ui.game.hint import Answer, Solver

if TYPE_CHECKING:
    from bot.ui.game.hooks import WindowControls

PLAYING = "Playing by itself: a click, or F4, ends that."
OVER = "The game is over: F2 begins another one."
_DEEDS = {Action.OPEN: Deed.OPEN, Action.FLAG: Deed.MARK, Action.CHORD: Deed.CHORD}
_LOOK_AGAIN = 0.05  # seconds until it is looked again whether mines are laid


class Autoplayer:
    """Plays in a window; it is `hooks.Autoplay`."""

    def __init__(self, table: WindowControls) -> None:
        self._table, self._solver = table, Solver(table)
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
        if self._table.game.over:
            self._table.say(OVER)
        elif not self._running:
            self._running = True
            self._turn += 1
            self._table.say(PLAYING)
            self._step(self._turn)
        elif not self._asking:  # it plays at another speed
            self._turn += 1
            self._later(self._pause)

    def stop(self) -> None:
        """Play no more."""
        if self._running:
            self._table.say("")
        self._running = self._asking = self._laying = False
        self._waiting.clear()
        self._solver.forget()

    def forget(self) -> None:
        """Drop what is being worked out, unless it is one's own click that has changed the board."""
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
        game = self._table.game
        if game.waiting is not None:
            self._later(_LOOK_AGAIN)
        elif game.over or (self._laying and game.progress is Progress.READY):  # no mines could be laid
            self._running = self._laying = False
        else:
            self._click_or_ask()

    def _click_or_ask(self) -> None:
        """Do the nearest thing that is still to be done; ask for more where nothing is."""
        board = self._table.game.board
        closed = (State.COVERED, State.QUESTION, State.FLAG)  # others were opened by an earlier click
        self._waiting = {cell: deed for cell, deed in self._waiting.items() if board[cell] in closed}
        if self._waiting:
            cell = min(self._waiting, key=self._distance)
            self._do(self._waiting.pop(cell), cell)
            self._later(self._pause)
        else:
            self._ask()

    def _ask(self) -> None:
        self._asking = True
        self._solver.ask(self._take)

    def _take(self, answer: Answer | BotError) -> None:
        """Take up what the solver says."""
        self._asking = False
        if isinstance(answer, BotError):
            self.stop()
            self._table.say(str(answer))
            return
        self._waiting = {move.cell: _DEEDS[move.action] for move in answer.decision.moves}
        self._click_or_ask()

    def _do(self, deed: Deed, cell: Cell) -> None:
        self._clicking = True
        try:
            self._table.play(deed, cell)
        finally:
            self._clicking = False
        self._here, game = cell, self._table.game
        self._laying = game.waiting is not None
        if game.over:
            self._running = False
        elif not self._laying:
            self._table.say(PLAYING)

    def _later(self, seconds: float) -> None:
        turn = self._turn
        self._table.later(seconds, lambda: self._step(turn))

    def _distance(self, cell: Cell) -> int:
        return (cell.row - self._here.row) ** 2 + (cell.col - self._here.col) ** 2
