"""What is asked of the user once, while everything goes on."""

from __future__ import annotations

from bot.board import Board
from bot.cli.output import side_console
from bot.levels import LEVELS

ASK_FOR_MINES = (
    "the mine counter beside the board cannot be read, so guesses are made without the total of mines: "
    f"give it with --mines N ({', '.join(f'{name} {level.mines}' for name, level in LEVELS.items())})"
)


class MinesNote:
    """Asks for ``--mines`` at the first board whose total of mines is unknown, and never again."""

    def __init__(self) -> None:
        self._asked = False

    def look_at(self, board: Board) -> None:
        """Ask if the total of mines of ``board`` is unknown."""
        if board.mines is None and not self._asked:
            self._asked = True
            side_console().print(ASK_FOR_MINES, markup=False)
