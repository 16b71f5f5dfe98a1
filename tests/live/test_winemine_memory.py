"""What is read of the memory of WineMine: of bytes that are made up here, and of a game that runs."""

from __future__ import annotations

import struct
import time

from bot.board import Cell
from bot.clicker.mouse import ScreenMouse
from bot.geometry import Point
from bot.targets.launch import Wine
from conftest import StartGame, wait_for
from truth import TrueGame, true_mines
from winemine_memory import TrueGames, parsed

MENU = 19  # pixels above the panel
FACE = Point(77, MENU + 17)
MINES = frozenset({Cell(0, 0), Cell(1, 7), Cell(8, 8)})


def memory(status: int, total: int = 3) -> bytes:
    """Return the words of a beginner's board with three mines; other cells have their numbers and flags."""
    cells = [0xF6 & -(0 < col <= 9 and 0 < row <= 9) for col in range(32) for row in range(26)]
    for row, col in MINES:
        cells[(col + 1) * 26 + row + 1] |= 1
    return struct.pack("<892I", 9, 9, total, *[7] * 56, status, *cells)


def test_the_mines_are_read_once_all_are_laid() -> None:
    playing = parsed(memory(1))
    assert playing is not None
    assert (playing.rows, playing.cols, playing.status, playing.mines) == (9, 9, 1, MINES)
    assert parsed(memory(1, total=4)) is None
    assert parsed(memory(0, total=4)) is not None


def test_games_are_followed_from_beginning_to_end(
    start_winemine: StartGame, wine: Wine, mouse: ScreenMouse
) -> None:
    corner = start_winemine().client

    def clicked(x: int, y: int) -> TrueGame:
        mouse.click(Point(corner.x + x, corner.y + y))
        return truth.games[-1]

    def opened(cell: Cell) -> TrueGame:
        return clicked(13 + 16 * cell.col, MENU + 41 + 16 * cell.row)

    with TrueGames(wine.prefix) as truth:
        (game,) = truth.games
        assert (game.rows, game.cols, game.mines) == (9, 9, None)
        begun = int(time.time())
        assert wait_for(lambda: opened(Cell(4, 4)).mines)
        mines = truth.games[-1].mines or frozenset()
        seconds = range(begun, int(time.time()) + 1)
        assert mines in [true_mines(second, 9, 9, 10, Cell(4, 4)) for second in seconds]
        assert wait_for(lambda: opened(min(mines)).won is False)
        assert wait_for(lambda: clicked(FACE.x, FACE.y).mines is None)
    lost, new = truth.games
    assert lost.gone == new.began
