"""What hints and autoplay are to the window, and the window to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.board import Cell
from bot.game.round import Deed, Round
from bot.ui.game.marks import Marks

Task = Callable[[], object]
Done = Callable[[object], None]


class WindowControls(Protocol):
    """What they may do with the window. All of it is for the window's own thread."""

    @property
    def game(self) -> Round:
        """The game that is played now; another object after New."""

    def mark(self, marks: Marks) -> None:
        """Mark cells until the board changes or other marks come."""

    def say(self, words: str) -> None:
        """Show words below the board until the board changes or other words come."""

    def play(self, deed: Deed, cell: Cell) -> None:
        """Do what a click does; a game with such a click makes no best time."""

    def work(self, task: Task, done: Done) -> None:
        """Do ``task`` without freezing the window, then call ``done`` with what it returns, or a BotError."""

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        """Call ``what`` in so many seconds, unless the window is closed by then."""


class Hints(Protocol):
    """What the entry Hint (F3) calls."""

    def show(self) -> None:
        """Show a hint for the board as it is."""

    def forget(self) -> None:
        """Drop what is being worked out: the board has changed."""


class Autoplay(Protocol):
    """What the entries of Autoplay call."""

    def start(self, clicks_per_second: float | None) -> None:
        """Play at this speed from now on, as fast as it goes if None."""

    def stop(self) -> None:
        """Play no more: the user has clicked, or switched it off."""

    @property
    def running(self) -> bool:
        """Whether it plays."""

    def forget(self) -> None:
        """Drop what is being worked out: there is another game. It goes on in that one if it runs."""


MakeHints = Callable[[WindowControls], Hints]
MakeAutoplay = Callable[[WindowControls], Autoplay]
