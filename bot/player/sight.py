"""The board as it stands on the screen: found once, then followed and looked at until it is at rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Board
from bot.clicker import Clock
from bot.errors import GameNotFoundError, WindowError
from bot.geometry import Frame, Grid, Point, Rect
from bot.screen.protocols import Capture, Desktop, Visibility, Window
from bot.vision import Skin, read_grid, read_picture
from bot.vision.reading import Reading, doubt_words

GRAB_GAP = 0.002  # seconds between two grabs that must agree: a window is painted in less
RESTLESS = 10  # how many times its patience a look bears with a picture that goes on changing
FIND_GAP = 0.05  # seconds between two searches for a board
OFF_SCREEN = "the board is partly off the screen: move its window wholly onto a screen"
PANEL_CELLS = 5  # how far around a board without a known window the panel is looked for, in cells


@dataclass(frozen=True, slots=True)
class Look:
    """A picture that was at rest, what was read on it, and why it is not to be trusted (None: it is)."""

    frame: Frame
    reading: Reading
    doubt: str | None = None


def doubt_about(reading: Reading, before: Board | None) -> str | None:
    """Return in words why a reading cannot be right, None if nothing speaks against it.

    ``before`` is the last trusted board of the same game: a number that was seen then never changes.
    """
    if (unread := doubt_words(reading)) is not None:
        return unread
    for problem in reading.board.problems():
        return problem.message
    if before is not None and before.shape == reading.board.shape:
        changed = np.argwhere((before.states <= 8) & (before.states != reading.board.states))
        if len(changed):
            row, col = changed[0]
            return f"the number at row {row}, column {col} has changed"
    return None


class Sight:
    """Looks at one board on the screen.

    With ``window`` it looks at that window's client area and follows it; without, it looks for a board in the
    whole desktop and then keeps to that place. ``mines`` is the total where the counter cannot be read.
    """

    def __init__(
        self,
        capture: Capture,
        desktop: Desktop,
        skins: Sequence[Skin],
        clock: Clock,
        window: Window | None = None,
        mines: int | None = None,
    ) -> None:
        self.capture, self.desktop, self.skins, self.clock = capture, desktop, skins, clock
        self.window, self.mines = window, mines
        self._skin: Skin | None = None
        self._area: Rect | None = None if window is None else window.client
        self._grid: Grid | None = None  # in pixels from the top left of `_area`, which may be off the screen

    def find(self, patience: float = 0.0) -> Look:
        """Search for the board, for ``patience`` seconds if need be, and remember where it is.

        Raises GameNotFoundError if there is none, WindowError if its window is closed or a part of it is off
        the screen.
        """
        deadline = self.clock.now() + patience
        while True:
            self.follow()
            frame = self.capture.grab(None if self.window is None else self._area)
            readings = read_picture(frame.pixels, self.skins)
            if readings:
                break
            if self.clock.now() >= deadline:
                raise WindowError(OFF_SCREEN) if self.off_screen else GameNotFoundError(self._not_found())
            self.clock.sleep(FIND_GAP)
        reading = max(readings, key=lambda found: found.board.states.size)
        if self._cut_off(frame, reading.grid):
            raise WindowError(OFF_SCREEN)
        self._remember(frame, reading)
        return self._trusted(frame, reading, None)

    def _cut_off(self, frame: Frame, grid: Grid) -> bool:
        """Return whether a part of the board may be off the screen.

        Where the screen ends inside its window, or in one that is not known, everything within a cell of the
        edge may be: half a column looks like a frame.
        """
        width, height = frame.rect.size
        whole = frame.rect if self.window is None else self.window.client
        sides = (
            (grid.x, grid.pitch_x, frame.rect.x > whole.x),
            (grid.y, grid.pitch_y, frame.rect.y > whole.y),
            (width - grid.x - grid.width, grid.pitch_x, frame.rect.right < whole.right),
            (height - grid.y - grid.height, grid.pitch_y, frame.rect.bottom < whole.bottom),
        )
        return any(room < pitch and (ends or self.window is None) for room, pitch, ends in sides)

    def _not_found(self) -> str:
        if self.window is None:
            return "no Minesweeper board is on the screen: open the game, uncover its window, and try again"
        return (
            f"the window {self.window.title!r} shows no board that can be read: bring it wholly onto the "
            "screen, close what covers it, and try again"
        )

    def _remember(self, frame: Frame, reading: Reading) -> None:
        self._skin = next(skin for skin in self.skins if skin.name == reading.skin)
        if self.window is None:
            board = reading.grid.rect.moved(frame.origin.x, frame.origin.y)
            self.window = self._window_of(board)
            around = board.grown(int(PANEL_CELLS * reading.grid.pitch_y))
            self._area = self.window.client if self.window else frame.rect.intersection(around)
        assert self._area is not None
        self._grid = reading.grid.moved(frame.origin.x - self._area.x, frame.origin.y - self._area.y)

    def _window_of(self, board: Rect) -> Window | None:
        """Return the window that a board found by its picture is in, so that it can be followed too."""
        centre = Point(board.x + board.width // 2, board.y + board.height // 2)
        holding = (window for window in self.desktop.windows() if window.client.covers(board))
        return next((window for window in holding if self.desktop.receives(window, centre)), None)

    def follow(self) -> bool:
        """Look where the window is now; return whether it has moved or changed its size.

        Raises WindowError if it is closed. A window of another size has its board searched for again.
        """
        if self.window is None:
            return False
        window = self.desktop.refresh(self.window)
        if window is None:
            raise WindowError(f"the window {self.window.title!r} was closed")
        moved = window.client != self.window.client
        if window.client.size != self.window.client.size:
            self._grid = None
        self.window, self._area = window, window.client
        return moved

    def visibility(self) -> Visibility:
        """Return whether the whole board can be seen; without a window it is taken to be."""
        if self.window is None or self._area is None:
            return Visibility.VISIBLE
        area = self._area
        if self._grid is not None:
            area = self._grid.rect.moved(area.x, area.y)
        return self.desktop.visibility(self.window, area)

    @property
    def off_screen(self) -> bool:
        """Whether a part of the window is off the screen."""
        return self.window is not None and self.capture.grab(self.window.client).rect != self.window.client

    def look(self, before: Board | None = None, patience: float = 1.0) -> Look:
        """Return the board once it is at rest and beyond doubt, or as it is after ``patience`` seconds."""
        return self.watch(lambda _: True, before, patience)

    def watch(self, done: Callable[[Reading], bool], before: Board | None, patience: float) -> Look:
        """Look until two grabs agree on a board that is beyond doubt and ``done``.

        Once the board has stood still for ``patience`` seconds, or has moved for `RESTLESS` times as long, it
        returns what there is, with the doubt in words.
        """
        if self._grid is None:
            return self.find(patience)
        start = self.clock.now()
        deadline = start + patience
        last, look, seen = self._grab(), None, before
        while True:
            self.clock.sleep(GRAB_GAP)
            frame, now = self._grab(), self.clock.now()
            if not np.array_equal(frame.pixels, last.pixels):
                last, look = frame, None
            elif look is None:
                look = self._trusted(frame, self._read(frame), before)
                if look.reading.board != seen:  # the game is at work: wait on (a ticking timer is no work)
                    seen, deadline = look.reading.board, min(now, start + RESTLESS * patience) + patience
            if look is not None and (now > deadline or (look.doubt is None and done(look.reading))):
                return look
            if look is not None and look.doubt is not None and self.visibility() is not Visibility.VISIBLE:
                return look
            if now > start + (RESTLESS + 1) * patience:
                return replace(
                    self._trusted(frame, self._read(frame), before), doubt="the picture never rests"
                )

    def _grab(self) -> Frame:
        return self.capture.grab(self._area)

    def _read(self, frame: Frame) -> Reading:
        assert self._grid is not None
        assert self._area is not None
        assert self._skin is not None
        grid = self._grid.moved(self._area.x - frame.origin.x, self._area.y - frame.origin.y)
        return read_grid(frame.pixels, grid, self._skin)

    def _trusted(self, frame: Frame, reading: Reading, before: Board | None) -> Look:
        if reading.board.mines is None and self.mines is not None:
            reading = replace(reading, board=Board(reading.board.states, self.mines))
        return Look(frame, reading, doubt_about(reading, before))
