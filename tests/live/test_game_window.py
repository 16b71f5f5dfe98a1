"""The built-in window on a virtual screen, played with real mouse and key events."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtGui", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from bot.board import Board, Cell, FirstClick, State, neighbours
from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Button, Desktop, Window
from bot.game.best_times import FILE
from bot.game.simulation import Game, mines_of_game
from bot.geometry import Pixels, Point, Rect
from bot.levels import LEVELS, Level
from bot.targets.launch import Program, no_window_left, running, wait_for_window, windows_that
from bot.ui.game.drawing import CLASSIC, Face, Layout, cell_picture, face_picture
from bot.ui.game.window import TITLE
from conftest import PATIENCE, wait_for
from qt_pictures import pixels

SEED = 10_000_100
FIRST = Cell(4, 4)
STATES = [*range(10), State.FLAG, State.QUESTION, State.MINE, State.EXPLODED, State.WRONG_FLAG]


@dataclass
class Played:
    """The window on the screen, with eyes and hands on it; ``top`` is the height of its menu bar."""

    window: Window
    program: Program
    layout: Layout
    desktop: Desktop
    capture: ScreenCapture
    mouse: ScreenMouse
    top: int = 0

    def __post_init__(self) -> None:
        side = self.layout.cell
        self.looks = {pixels(cell_picture(state, side, CLASSIC)).tobytes(): state for state in STATES}

    def is_ready(self) -> bool:
        """Find the first line of white below the menu bar; return whether a new game is shown there.

        The line is looked for only once: a window that changes its size for a hint is painted in parts.
        """
        picture = self.capture.grab(self.window.client).pixels
        lit = (picture[:, 5 : self.layout.size[0] - 5] == 255).all(axis=(1, 2))
        self.top = int(np.argmax(lit))
        return self.board().count(State.COVERED) == 81

    def place(self, box: Rect) -> Rect:
        """Return where a part of the picture is on the screen."""
        client = self.window.client
        return Rect(client.x + box.x, client.y + self.top + box.y, box.width, box.height)

    def see(self, box: Rect) -> Pixels:
        return self.capture.grab(self.place(box)).pixels

    def board(self) -> Board:
        """Read what is shown, exactly."""
        whole, side = self.see(self.layout.board), self.layout.cell
        states = np.full((self.layout.rows, self.layout.cols), State.UNREADABLE, np.int8)
        for row, col in np.ndindex(states.shape):
            cell = whole[row * side : (row + 1) * side, col * side : (col + 1) * side]
            states[row, col] = self.looks.get(cell.tobytes(), State.UNREADABLE)
        return Board(states)

    def cells_with(self, colour: str) -> list[Cell]:
        """Return the cells of which a tenth or more has that colour."""
        whole, side = self.see(self.layout.board), self.layout.cell
        alike = (whole == list(bytes.fromhex(colour[1:]))[::-1]).all(axis=2)
        shares = alike.reshape(self.layout.rows, side, self.layout.cols, side).mean(axis=(1, 3))
        return [Cell(int(row), int(col)) for row, col in np.argwhere(shares > 0.1)]

    def point(self, cell: Cell) -> Point:
        return self.place(self.layout.cell_box(cell)).centre

    def click(self, cell: Cell, button: Button = Button.LEFT) -> None:
        self.mouse.click(self.point(cell), button)

    def has_face(self, face: Face) -> bool:
        box = self.layout.face
        return np.array_equal(self.see(box), pixels(face_picture(face, box.width, CLASSIC, pressed=False)))

    def dialog(self, title: str) -> Window:
        """Wait for a dialog, give it the keyboard, and return it."""
        assert wait_for(lambda: title in [popup.title for popup in self.desktop.popups(self.window)])
        found = next(popup for popup in self.desktop.popups(self.window) if popup.title == title)
        self.desktop.raise_window(found)
        assert wait_for(lambda: self.desktop.has_keyboard(self.window))
        return found

    def answered(self, dialog: Window) -> bool:
        """Press Enter, and return whether the dialog closes."""
        self.mouse.press("enter")
        return wait_for(lambda: dialog.handle not in [p.handle for p in self.desktop.popups(self.window)])


def mines_of(level: Level, first: Cell, seed: int = SEED) -> frozenset[Cell]:
    return mines_of_game(level.rows, level.cols, level.mines, seed, first, FirstClick.SAFE)


@pytest.fixture(params=[1.0])
def played(
    request: pytest.FixtureRequest,
    desktop: Desktop,
    capture: ScreenCapture,
    mouse: ScreenMouse,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Played]:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)  # the tests without a screen may have set it
    layout = Layout(9, 9, request.param)
    options = ["--seed", str(SEED), "--times", str(tmp_path), "--scale", str(request.param)]
    look = partial(windows_that, lambda window: window.title == TITLE)
    with (
        no_window_left(look) as known,
        running([sys.executable, "-m", "bot", "game", *options]) as program,
    ):
        window = wait_for_window(program, "the window", known, look)
        desktop.raise_window(window)
        played = Played(window, program, layout, desktop, capture, mouse)
        assert wait_for(played.is_ready)
        yield played


def win(played: Played, first: Cell) -> None:
    """Click what is needed and no more: after the last cell a dialog may lie below the pointer."""
    level = LEVELS["beginner"]
    mines, game = mines_of(level, first), Game(level.rows, level.cols, level.mines, SEED)
    for cell in (first, *game.board):
        if cell not in mines and game.board[cell] == State.COVERED:
            game.open(cell)
            played.click(cell)


@pytest.mark.parametrize("played", [1.0, 1.5], indirect=True)
def test_a_won_game_and_a_best_time(played: Played, tmp_path: Path) -> None:
    assert played.window.class_name == "minebot-game"
    assert wait_for(lambda: played.has_face(Face.IDLE))
    win(played, FIRST)
    record = played.dialog("New Best Time")
    for key in "ada":
        played.mouse.press(key)
    assert played.answered(record)
    assert played.answered(played.dialog("Best Times"))
    assert json.loads((tmp_path / FILE).read_text(encoding="utf-8"))["times"]["beginner"]["name"] == "ada"
    assert wait_for(lambda: played.board().count(State.COVERED, State.UNREADABLE) == 0)
    shown = played.board()
    assert set(shown.cells(State.FLAG)) == mines_of(LEVELS["beginner"], FIRST)
    assert not shown.problems()
    assert wait_for(lambda: played.has_face(Face.WON))
    played.desktop.raise_window(played.window)
    played.mouse.press("f2")
    assert wait_for(lambda: played.board().count(State.COVERED) == 81)


def number_at(first: Cell, seed: int) -> int:
    """Return what the first click shows."""
    mines = mines_of(LEVELS["beginner"], first, seed)
    return sum(cell in mines for cell in neighbours(9, 9, first))


def test_f3_offers_the_least_risk_or_shows_a_safe_cell_and_its_proof(played: Played) -> None:
    cells = list(Board.covered(9, 9, 10))
    number = next(cell for cell in cells if number_at(cell, SEED))
    played.click(number)
    assert wait_for(lambda: played.board()[number] <= 8)
    played.mouse.press("f3")
    assert wait_for(lambda: played.cells_with(CLASSIC.offer))
    assert not played.cells_with(CLASSIC.safe)
    played.mouse.press("f2")
    assert wait_for(lambda: not played.cells_with(CLASSIC.offer))
    # a click while the words of the hint go, and the window shrinks, may be lost
    assert wait_for(lambda: played.desktop.refresh(played.window) == played.window)
    opening = next(cell for cell in cells if not number_at(cell, SEED + 1))
    played.click(opening)
    assert wait_for(lambda: played.board()[opening] == 0)
    played.mouse.press("f3")
    assert wait_for(lambda: played.cells_with(CLASSIC.safe))
    assert wait_for(lambda: played.cells_with(CLASSIC.proof))  # it may still be painting
    [safe] = played.cells_with(CLASSIC.safe)
    assert safe not in mines_of(LEVELS["beginner"], opening, SEED + 1)
    assert not played.cells_with(CLASSIC.offer)


def test_a_window_that_is_closed_in_a_game_ends_quietly(played: Played) -> None:
    played.click(FIRST)
    played.click(Cell(0, 0), Button.RIGHT)
    played.mouse.press("f3")  # a hint is being worked out
    played.desktop.ask_to_close(played.window)
    assert wait_for(lambda: played.desktop.refresh(played.window) is None)
    assert played.program.process.wait(PATIENCE) == 0  # the solver may be at work on the hint
    assert played.program.last_words() == "it does not say why"
