"""Ground for the tests of the built-in window: Qt without a screen, and a window with a clock of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton

from bot.board import Board, Cell
from bot.game.round import PlayedGame
from bot.game.simulation import mines_of_game
from bot.geometry import Pixels, Rect
from bot.levels import LEVELS
from bot.ui.game.saved import BestTimes, Options, SavedOptions, World
from bot.ui.game.window import MinesweeperWindow
from conftest import PATIENCE
from qt_pictures import pixels

SEED = 10_000_000
BEGINNER = LEVELS["beginner"]
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton


def application() -> QApplication:
    """Return the one application of this process; it draws into memory."""
    there = QApplication.instance()
    return there if isinstance(there, QApplication) else QApplication(["tests", "-platform", "offscreen"])


def settle() -> None:
    """Let Qt do what waits to be done."""
    for _ in range(3):  # one layout asks for another
        QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def mines_of(game: PlayedGame, first: Cell) -> frozenset[Cell]:
    """Return the mines of a seeded game, by the rules that the simulation is tested for."""
    level = game.level
    return mines_of_game(level.rows, level.cols, level.mines, game.seed, first, game.rule.first_click)


@dataclass
class Driven:
    """A window, its clock, and a mouse on it."""

    folder: Path
    options: Options = field(default_factory=lambda: Options(scale=1.0))
    now: float = 0.0
    words: str = ""  # that the window opens with
    bot: bool = False  # whether a bot plays on this screen

    def __post_init__(self) -> None:
        application()
        seeds = count(SEED)
        self.times = BestTimes(self.folder)
        self.kept = SavedOptions(self.folder)
        clock, keep = lambda: self.now, self.kept.keep
        world = World(clock, lambda: next(seeds), self.times, keep, self.words, lambda: self.bot)
        self.window = MinesweeperWindow(self.options, world)
        self.window.show()
        settle()

    @property
    def board(self) -> Board:
        return self.window.game.board

    def mouse(
        self,
        kind: QEvent.Type,
        at: QPoint,
        button: Qt.MouseButton = Qt.MouseButton.NoButton,
        shift: bool = False,
        held: Qt.MouseButton = Qt.MouseButton.NoButton,
    ) -> None:
        modifiers = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        view = self.window._view
        place = QPointF(at)
        event = QMouseEvent(kind, place, view.mapToGlobal(place), button, button | held, modifiers)
        QCoreApplication.sendEvent(view, event)

    def down(self, cell: Cell, button: Qt.MouseButton = LEFT, *, shift: bool = False) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, self.centre(cell), button, shift)

    def up(self, cell: Cell, button: Qt.MouseButton = LEFT) -> None:
        self.mouse(QEvent.Type.MouseButtonRelease, self.centre(cell), button)

    def move(self, cell: Cell) -> None:
        self.mouse(QEvent.Type.MouseMove, self.centre(cell), held=LEFT)

    def click(self, cell: Cell, button: Qt.MouseButton = LEFT) -> None:
        self.down(cell, button)
        self.up(cell, button)

    def centre(self, cell: Cell) -> QPoint:
        return middle(self.window._view.places.grid.cell_box(cell))

    def picture(self) -> Pixels:
        return pixels(self.window._view.grab().toImage())

    def cell_pixels(self, cell: Cell) -> Pixels:
        box = self.window._view.places.grid.cell_box(cell)
        return self.picture()[box.y : box.y + box.height, box.x : box.x + box.width]

    def win(self) -> None:
        first = Cell(4, 4)
        mines = mines_of(self.window.game, first)
        self.click(first)
        for cell in self.board:
            if cell not in mines:
                self.click(cell)


def middle(box: Rect) -> QPoint:
    return QPoint(box.centre.x, box.centre.y)


MIDST = Cell(4, 4)
Start = Callable[..., Driven]


@contextmanager
def started(folder: Path) -> Iterator[Start]:
    """Yield a function that opens windows with the options it is given; they are closed after the block."""
    made: list[Driven] = []

    def start(**options: Any) -> Driven:
        made.append(Driven(folder, Options(scale=1.0).changed(**options)))
        return made[-1]

    yield start
    for driven in made:
        driven.window.close()
        driven.window.deleteLater()
    settle()


def entry(driven: Driven, *path: str) -> QAction:
    """Return an entry of the menus by the texts of the menus and its own."""
    actions = driven.window.menuBar().actions()
    for text in path:
        action = next(a for a in actions if a.text().replace("&", "").startswith(text))
        menu = action.menu()
        actions = menu.actions() if menu is not None else []  # type: ignore[attr-defined]
    return action


def choose(driven: Driven, *path: str) -> None:
    entry(driven, *path).trigger()
    settle()


def dialog(title: str) -> QDialog:
    """Return the open dialog with that title."""
    settle()
    widgets = QApplication.topLevelWidgets()
    [found] = [w for w in widgets if isinstance(w, QDialog) and w.isVisible() and w.windowTitle() == title]
    return found


def press_button(dialog: QDialog, text: str) -> None:
    [button] = [b for b in dialog.findChildren(QPushButton) if b.text().replace("&", "") == text]
    button.click()
    settle()


def strip(driven: Driven) -> str:
    """Return the text below the board."""
    return driven.window._words.text()


def words(driven: Driven) -> str:
    """Return what was said below the board, "" if only the level and the keys are there."""
    text = strip(driven)
    return "" if text.endswith("F1: how to play, F2: new game, F3: hint.") else text


def fill_in(dialog: QDialog, *texts: str) -> None:
    for place, text in zip(dialog.findChildren(QLineEdit), texts, strict=True):
        place.setText(text)


def wait_until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        settle()
        time.sleep(0.01)
