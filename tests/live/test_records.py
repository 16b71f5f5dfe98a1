"""The dialogs of a best time on the real WineMine: they come after a win, and the bot takes them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bot.board import Board, Cell, State
from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Desktop, Window
from bot.game.simulation import Game
from bot.geometry import Grid, Point
from bot.levels import BEGINNER
from bot.targets import Keys, dismiss_popups
from bot.vision import load_skins, read_grid
from conftest import StartGame, wait_for
from truth import true_mines, wrong_cells

FIRST = Cell(4, 4)
SIZE = (BEGINNER.rows, BEGINNER.cols, BEGINNER.mines)
ORIGIN, PITCH = (5, 52), 16  # of the grid in WineMine's client area, in pixels


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who sees the board and has the mouse."""

    game: Window
    capture: ScreenCapture
    mouse: ScreenMouse

    def board(self) -> Board:
        """Read the board, which may still be painted."""
        skin = next(skin for skin in load_skins() if skin.name == "winemine")
        grid = Grid(*ORIGIN, PITCH, PITCH, BEGINNER.rows, BEGINNER.cols)
        return read_grid(self.capture.grab(self.game.client).pixels, grid, skin).board

    def open(self, cell: Cell) -> None:
        """Click a cell, and wait until it is open."""
        self.mouse.click(point(self.game, cell))
        assert wait_for(lambda: self.board()[cell] <= 8)


def point(game: Window, cell: Cell) -> Point:
    """Return the centre of a cell on the screen."""
    x, y = (start + PITCH // 2 for start in ORIGIN)
    return Point(game.client.x + x + PITCH * cell.col, game.client.y + y + PITCH * cell.row)


def begin(user: User) -> frozenset[Cell]:
    """Begin a game and return its mines, which are drawn from the second of the first click."""
    began = int(time.time())
    user.open(FIRST)
    seconds = range(began, int(time.time()) + 1)
    boards = [true_mines(second, *SIZE, FIRST) for second in seconds]
    while len(boards := [mines for mines in boards if not wrong_cells(user.board(), mines, over=False)]) > 1:
        mines = frozenset[Cell]().union(*boards)
        user.open(next(cell for cell in user.board().cells(State.COVERED) if cell not in mines))
    return boards[0]


def win(user: User) -> None:
    """Win by knowing the mines, as only a test may; after the last cell a dialog may be below the pointer."""
    known = Game(*SIZE, seed=0)
    known.lay(begin(user))
    known.open(FIRST)
    for cell in known.board:
        if cell not in (known.mines or ()) and known.board[cell] == State.COVERED:
            known.open(cell)
            user.mouse.click(point(user.game, cell))


def test_a_best_time_is_entered(
    desktop: Desktop, capture: ScreenCapture, mouse: ScreenMouse, start_winemine: StartGame
) -> None:
    game = start_winemine(best_time=999)
    desktop.raise_window(game)
    win(User(game, capture, mouse))
    assert wait_for(lambda: [popup.title for popup in desktop.popups(game)] == ["Congratulations!"])
    closed = 0
    while closed < 2 and wait_for(lambda: desktop.popups(game)):  # the name, then the table
        closed += dismiss_popups(Keys(game, desktop, mouse))
    assert closed == 2
    assert desktop.popups(game) == []


def test_no_dialog_comes_where_no_time_can_be_better(
    desktop: Desktop, capture: ScreenCapture, mouse: ScreenMouse, start_winemine: StartGame
) -> None:
    game = start_winemine(best_time=0)
    desktop.raise_window(game)
    user = User(game, capture, mouse)
    win(user)
    assert wait_for(lambda: user.board().count(*range(9)) == 81 - BEGINNER.mines)
    time.sleep(1)
    assert desktop.popups(game) == []
