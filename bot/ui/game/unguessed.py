"""Laying a board that needs no guess while the window goes on."""

from __future__ import annotations

from collections.abc import Callable

from bot.board import Cell
from bot.errors import BotError, StoppedError
from bot.game.round import Round
from bot.ui.game.hooks import WindowControls

SEARCHING = "Looking for a board that needs no guess..."
COMPILING = "The solver is being compiled, once; that takes up to half a minute."


def find_board(table: WindowControls, game: Round, cell: Cell, laid: Callable[[], None]) -> None:
    """Lay mines for ``cell``, which ``game`` waits with, then call ``laid``; say why if there are none.

    The search ends early if another game is begun.
    """

    def take_note(compiled: object) -> None:
        if compiled is False and table.game is game:
            table.say(COMPILING)

    def take(found: object) -> None:
        if table.game is not game:
            return
        if isinstance(found, BotError):
            game.give_up_waiting()
            table.say(str(found))
        elif isinstance(found, frozenset):
            game.lay(found)
            laid()

    table.say(SEARCHING)
    table.work(_compiled, take_note)
    table.work(lambda: _mines(table, game, cell), take)


def _compiled() -> bool:
    from bot.solver.compilation import kernel_compiled  # loads the compiler, which takes a while

    return kernel_compiled()


def _mines(table: WindowControls, game: Round, cell: Cell) -> frozenset[Cell]:
    """Return the mines; not in the window's thread. Raises StoppedError if another game was begun."""

    def heed() -> None:
        if table.game is not game:
            raise StoppedError("another game was begun")

    heed()
    from bot.game.noguess import no_guess_mines  # as above

    level, rule = game.level, game.rule.first_click
    return no_guess_mines(level.rows, level.cols, level.mines, game.seed, cell, rule, heed=heed)
