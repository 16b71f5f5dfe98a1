"""The dialogs of a best time on the real WineMine: they come after a win, and the bot takes them."""

from __future__ import annotations

import time

from bot.board import Cell
from bot.geometry import Point
from bot.levels import BEGINNER
from bot.screen.mouse import ScreenMouse
from bot.screen.protocols import Desktop, Window
from bot.screen.targets import Keys, dismiss_popups
from conftest import StartGame, wait_for
from truth import true_mines

FIRST = Cell(4, 4)
ORIGIN, PITCH = (5, 52), 16  # of the grid in WineMine's client area, in pixels


def point(game: Window, cell: Cell) -> Point:
    """Return the centre of a cell on the screen."""
    x, y = (start + PITCH // 2 for start in ORIGIN)
    return Point(game.client.x + x + PITCH * cell.col, game.client.y + y + PITCH * cell.row)


def win(game: Window, mouse: ScreenMouse) -> None:
    """Win by knowing the mines, as only a test may."""
    while not 0.1 < time.time() % 1 < 0.5:  # far from the turn of the second from which the mines are drawn
        time.sleep(0.01)
    second = int(time.time())
    mouse.click(point(game, FIRST))
    mines = true_mines(second, BEGINNER.rows, BEGINNER.cols, BEGINNER.mines, FIRST)
    for row in range(BEGINNER.rows):
        for col in range(BEGINNER.cols):
            if Cell(row, col) not in mines:
                mouse.click(point(game, Cell(row, col)))
                time.sleep(0.005)


def test_a_best_time_is_entered(desktop: Desktop, mouse: ScreenMouse, start_winemine: StartGame) -> None:
    game = start_winemine(best_time=999)
    desktop.raise_window(game)
    win(game, mouse)
    assert wait_for(lambda: desktop.popups(game))
    assert desktop.popups(game)[0].title == "Congratulations!"
    closed = 0
    while closed < 2 and wait_for(lambda: desktop.popups(game)):  # the name, then the table
        closed += dismiss_popups(Keys(game, desktop, mouse))
    assert closed == 2
    assert desktop.popups(game) == []


def test_no_dialog_comes_where_no_time_can_be_better(
    desktop: Desktop, mouse: ScreenMouse, start_winemine: StartGame
) -> None:
    game = start_winemine(best_time=0)
    desktop.raise_window(game)
    win(game, mouse)
    time.sleep(1)
    assert desktop.popups(game) == []
