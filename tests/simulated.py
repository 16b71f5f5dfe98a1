"""A screen in memory: a drawn game that is capture, mouse and desktop at once, and can misbehave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Board, Cell, FirstClick, State
from bot.desktop.protocols import Button, PointerCheck, Stroke, Visibility, Window
from bot.errors import IN_THE_WAY, ViewChangedError
from bot.game.simulation import Game
from bot.geometry import Frame, Grid, Pixels, Point, Rect
from bot.levels import BEGINNER, Level
from bot.vision import Skin
from bot.vision.reading import Reading
from displays import draw_counter
from fakes import FakeClock

TOP, SIDE = 60, 12  # of the grid in the window
DESKTOP = Rect(-200, 0, 1000, 700)


def draw_board(board: Board, skin: Skin) -> Pixels:
    """Return the picture of the cells alone."""
    rows, cols, cell = board.rows, board.cols, skin.cell
    first = np.searchsorted(skin.states, board.states.ravel())  # a state may have several pictures
    cells = skin.templates[first].reshape(rows, cols, cell, cell, 3)
    return np.ascontiguousarray(cells.swapaxes(1, 2).reshape(rows * cell, cols * cell, 3))


def draw_window(board: Board, mines_left: int, skin: Skin) -> Pixels:
    """Return the picture of a whole window: board, panel and mine counter on a plain ground."""
    picture = draw_board(board, skin)
    ground = np.array(skin.ground or (0, 0, 0), np.uint8)
    window = np.tile(ground, (TOP + picture.shape[0] + SIDE, 2 * SIDE + picture.shape[1], 1))
    bottom, right = TOP + picture.shape[0], SIDE + picture.shape[1]
    window[TOP - 3 : bottom, SIDE - 3 : right] = 128  # a sunken frame, as the real ones have
    window[TOP : bottom + 3, SIDE : right + 3] = 255
    window[TOP : TOP + picture.shape[0], SIDE : SIDE + picture.shape[1]] = picture
    assert skin.counter is not None
    draw_counter(window, skin.counter, SIDE, TOP, right, mines_left)
    return window


def reading_of(board: Board) -> Reading:
    """Return what one reads who reads every cell of ``board`` right."""
    grid = Grid(0, 0, 16, 16, board.rows, board.cols)
    return Reading(grid, board, "drawn")


def _paste(desktop: Pixels, picture: Pixels, place: Point) -> None:
    """Draw ``picture`` at the screen point ``place``; what lies off the desktop is cut off."""
    x, y = place.x - DESKTOP.x, place.y - DESKTOP.y
    part = picture[max(0, -y) :, max(0, -x) :]
    area = desktop[max(0, y) : y + picture.shape[0], max(0, x) : x + picture.shape[1]]
    area[:] = part[: area.shape[0], : area.shape[1]]


@dataclass
class Faults:
    """What goes wrong. ``lose`` and ``delay`` are asked for each click with its number, from 1."""

    lose: Callable[[int], bool] = lambda _: False
    delay: float = 0.0  # seconds until a click shows
    shortest: float = 0.0  # seconds for which a button must be held
    misdraw: Callable[[Board], Board] = lambda board: board
    popup_after_win: bool = False
    popup_delay: float = 0.0  # seconds until a dialog, or the one after it, comes up
    words: float = 0.0  # seconds for which words hide the middle of a finished board, and below the pointer


class SimulatedScreen:
    """A window with a game on a desktop; seeds of its games count up from ``seed``."""

    stop_key, frame_time = "Esc", 0.0

    def __init__(
        self,
        skin: Skin,
        clock: FakeClock,
        level: Level = BEGINNER,
        seed: int = 0,
        rule: FirstClick = FirstClick.SAFE,
        faults: Faults | None = None,
    ) -> None:
        self.skin, self.clock, self.level, self.seed, self.rule = skin, clock, level, seed, rule
        self.faults = faults or Faults()
        self.game = Game(level.rows, level.cols, level.mines, seed, rule)
        self.shown = self.game.board
        self.at, self.place = Point(0, 0), Point(100, 80)
        self.visibility_now, self.escape = Visibility.VISIBLE, False
        self.clicks: list[tuple[Cell | None, Button]] = []
        self.keys: list[tuple[str, ...]] = []
        self._to_come: list[Window] = []
        self._next_dialog = self._words_until = 0.0
        self.raised = 0
        self.keyboard, self.listed = True, True
        self.typed_into: Window | None = None  # a window of another program
        self.at_once = 1  # clicks that a burst may be of
        self.on_click: Callable[[int], None] = lambda _: None
        self._pending: list[tuple[float, Board]] = []

    @property
    def dialogs(self) -> list[Window]:
        """The dialog that is open, if one is; the next comes a moment after it is closed."""
        return self._to_come[:1] if self.clock.now() >= self._next_dialog else []

    # Capture

    def grab(self, rect: Rect | None = None) -> Frame:
        self.clock.sleep(0.0005)
        desktop = np.full((DESKTOP.height, DESKTOP.width, 3), 70, np.uint8)
        if self.visibility_now not in (Visibility.CLOSED, Visibility.MINIMISED):
            _paste(desktop, self._window_picture(), self.place)
        if self.dialogs:
            box = self.dialogs[0].client
            _paste(desktop, np.full((box.height, box.width, 3), 240, np.uint8), Point(box.x, box.y))
        frame = Frame(desktop, Point(DESKTOP.x, DESKTOP.y), self.clock.now())
        return frame if rect is None else frame.crop(rect)

    def close(self) -> None:
        """Nothing is held."""

    def _window_picture(self) -> Pixels:
        while self._pending and self._pending[0][0] <= self.clock.now():
            self.shown = self._pending.pop(0)[1]
        board = self.faults.misdraw(self.shown)
        flags = board.count(State.FLAG, State.WRONG_FLAG)
        picture = draw_window(board, (board.mines or 0) - flags, self.skin)
        words = Rect(0, picture.shape[0] // 2, picture.shape[1], 40)
        below = words.moved(self.place.x, self.place.y).contains(self.at)
        if self.faults.words and self._words_until and below:
            self._words_until = max(self._words_until, self.clock.now() + 0.1)
        if self.clock.now() < self._words_until:
            picture[words.y : words.bottom] = 235
        return picture

    # Mouse

    def position(self) -> Point:
        return self.at

    def move(self, point: Point) -> None:
        self.at = point

    def burst(
        self, strokes: Sequence[Stroke], window: Window | None, check: PointerCheck, hold: float = 0.0
    ) -> tuple[int, Point]:
        check(self.at)
        if window is not None and not all(self.takes(window, point) for point, _ in strokes):
            raise ViewChangedError(IN_THE_WAY)
        sent = strokes[: self.at_once]
        for point, button in sent:
            self.click(point, button, hold)
        return len(sent), self.at

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        self.at = point
        cell = self.grid.cell_at(point.x + 0.5, point.y + 0.5)
        self.clicks.append((cell, button))
        number = len(self.clicks)
        heard = hold >= self.faults.shortest and not self.faults.lose(number)
        if cell is not None and not self.dialogs and heard:
            self._do(cell, button)
        self.on_click(number)

    def _do(self, cell: Cell, button: Button) -> None:
        was_won = self.game.won
        {Button.LEFT: self.game.open, Button.RIGHT: self.game.flag, Button.MIDDLE: self.game.chord}[button](
            cell
        )
        self._show()
        if self.game.over:
            self._words_until = self.clock.now() + self.faults.words
        if self.game.won and not was_won and self.faults.popup_after_win:
            box = Rect(self.place.x + 20, self.place.y + 80, 90, 60)
            self._to_come = [
                Window(7, "Congratulations", "#32770", "", box),
                Window(8, "Times", "#32770", "", box),
            ]
            self._next_dialog = self.clock.now() + self.faults.popup_delay

    def _show(self) -> None:
        self._pending.append((self.clock.now() + self.faults.delay, self.game.board))

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)
        if keys == ("enter",) and self.dialogs:
            self._to_come.pop(0)
            self._next_dialog = self.clock.now() + self.faults.popup_delay
        elif keys == ("f2",) and not self.dialogs:
            self._words_until = 0.0
            self.seed += 1
            self.game = Game(self.level.rows, self.level.cols, self.level.mines, self.seed, self.rule)
            self._show()

    # Desktop

    @property
    def grid(self) -> Grid:
        """Where the cells are on the screen."""
        x, y, cell = self.place.x + SIDE, self.place.y + TOP, self.skin.cell
        return Grid(x, y, cell, cell, self.level.rows, self.level.cols)

    @property
    def window(self) -> Window:
        """The game's window."""
        height, width = draw_window(self.shown, 0, self.skin).shape[:2]
        return Window(1, "Simulated", "Simulated", "", Rect(self.place.x, self.place.y, width, height))

    def point(self, cell: Cell) -> Point:
        """Return the middle of a cell on the screen."""
        x, y = self.grid.centre(cell)
        return Point(int(x), int(y))

    def begin(self, level: Level | None = None) -> None:
        """Show the next game at once, as if somebody else had begun it."""
        self.level, self.seed = level or self.level, self.seed + 1
        self.game = Game(self.level.rows, self.level.cols, self.level.mines, self.seed, self.rule)
        self.shown = self.game.board
        self._pending.clear()

    def windows(self) -> list[Window]:
        return [*self.dialogs, self.window] if self.listed else []

    def refresh(self, window: Window) -> Window | None:
        if self.visibility_now is Visibility.CLOSED:
            return None
        return replace(self.window, title=window.title)

    def visibility(self, window: Window, area: Rect) -> Visibility:
        assert window.client.covers(area)
        return Visibility.COVERED if self.dialogs else self.visibility_now

    def raise_window(self, window: Window) -> None:
        self.raised += window.handle == 1

    def ask_to_close(self, window: Window) -> None:
        self._to_come = [dialog for dialog in self._to_come if dialog.handle != window.handle]

    def popups(self, window: Window) -> list[Window]:
        return list(self.dialogs) if window.handle == 1 else []

    def has_keyboard(self, window: Window) -> bool:
        return self.keyboard and window.handle in (1, 7, 8)

    def rival(self, window: Window) -> Window | None:
        return self.typed_into if window.handle == 1 else None

    def takes(self, window: Window, point: Point) -> bool:
        box = self.dialogs[0].client if self.dialogs else None
        seen = self.visibility_now is Visibility.VISIBLE and window.client == self.window.client
        return seen and window.client.contains(point) and not (box and box.contains(point))

    def stop_pressed(self) -> bool:
        return self.escape


BUTTON = Rect(70, 18, 28, 28)  # in the window, near the middle of the board's top


def raised(picture: Pixels, box: Rect) -> None:
    """Draw a button into a picture."""
    picture[box.y : box.bottom, box.x : box.right] = 60
    picture[box.y + 2 : box.bottom - 2, box.x + 2 : box.right - 2] = (150, 200, 240)


class WithButton(SimulatedScreen):
    """A game that knows no key, and starts a game with a button above its board if it has one."""

    button: Rect | None = BUTTON

    def _window_picture(self) -> Pixels:
        picture = super()._window_picture()
        if self.button is not None:
            raised(picture, self.button)
        return picture

    def press(self, *keys: str, **_: object) -> None:
        self.keys.append(keys)

    def click(self, point: Point, button: Button = Button.LEFT, hold: float = 0.0) -> None:
        super().click(point, button, hold)
        box = self.button
        if box is not None and box.moved(self.place.x, self.place.y).contains(point):
            super().press("f2")
