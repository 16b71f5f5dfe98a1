"""Laying a board that needs no guess while the window goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.errors import BotError
from bot.game.round import Round
from bot.game.window.hooks import Done, Task

SEARCHING = "Looking for a board that needs no guess..."
COMPILING = "The solver is being compiled, once; that takes up to half a minute."


class Speaker(Protocol):
    """What is needed of the window."""

    def say(self, words: str) -> None:
        """Show words."""

    def work(self, task: Task, done: Done) -> None:
        """Do ``task`` meanwhile, then call ``done`` with its result."""


def find_board(window: Speaker, game: Round, laid: Callable[[], None]) -> None:
    """Lay mines for the click that ``game`` waits with, then call ``laid``; say why if there are none."""
    window.say(SEARCHING)
    window.work(_compiled, lambda found: window.say(SEARCHING if found is True else COMPILING))
    window.work(lambda: _mines(game), lambda found: _lay(window, game, found, laid))


def _compiled() -> bool:
    from bot.solver.compilation import kernel_compiled  # loads the compiler, which takes a while

    return kernel_compiled()


def _mines(game: Round) -> object:
    from bot.game.noguess import no_guess_mines  # likewise

    level, cell = game.level, game.waiting
    if cell is None:
        return None
    return no_guess_mines(level.rows, level.cols, level.mines, game.seed, cell, game.rule.first_click)


def _lay(window: Speaker, game: Round, found: object, laid: Callable[[], None]) -> None:
    if isinstance(found, BotError):
        game.give_up_waiting()
        window.say(str(found))
    elif isinstance(found, frozenset):
        game.lay(found)
        laid()
