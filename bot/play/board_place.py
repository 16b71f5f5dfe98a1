"""Where a board is on the screen: its window and its grid there, and whether it is still as it was seen."""

from __future__ import annotations

import math

import numpy as np

from bot.capture import PatientCapture, closed_error
from bot.desktop.protocols import Desktop, Visibility, Window
from bot.errors import ViewChangedError
from bot.geometry import Frame, Grid, Pixels, Point, Rect
from bot.play.look import MOST_CHANGED, Look
from bot.vision.board_reader import same_size
from bot.vision.reading import Reading
from bot.vision.track import Places

COVER_INTERVAL = 0.02  # seconds between two checks whether the window is covered, while clicks are sent
GLANCE_INTERVAL = 0.05  # seconds for which clicks rely on a look, or on a later check of the board
PANEL_CELLS = 5  # cells: how far around a board without a known window its panel is searched for


class BoardPlace:
    """The place of one board, which follows its window.

    With ``window``, the board is in the client area of that window. Without, it may be anywhere on the
    desktop until it is `put`; then its window is followed, or nothing if none is known. ``seen`` is where the
    board was seen on the screen before: of several boards, that one is `wanted`.

    ``area`` is the part of the screen to look at, None for all of it. ``grid`` is the board's grid, in pixels
    from the top left of ``area``, which may be off the screen; None while it is unknown.
    """

    def __init__(self, desktop: Desktop, window: Window | None = None, seen: Rect | None = None) -> None:
        self.desktop, self.window = desktop, window
        self.area: Rect | None = None if window is None else window.client
        self.grid: Grid | None = None
        self._seen = seen  # None also once the window has moved
        self._aimed_at = self.area
        self._raised = False  # whether the window was raised: from then on it should have the keyboard

    def move_to(self, window: Window) -> None:
        """Follow another window, in which the board may be anywhere."""
        self.window, self.area, self.grid, self._seen = window, window.client, None, None

    def wanted(self, frame: Frame, reading: Reading) -> bool:
        """Return whether the board of ``reading`` is where one was seen before, if that is known."""
        return self._seen is None or frame.on_screen(reading.grid.rect).contains(self._seen.centre)

    def put(self, frame: Frame, grid: Grid) -> bool:
        """Take ``grid`` in ``frame`` as that of the board; return whether the board has another size now."""
        resized = self.grid is not None and not same_size(grid, self.grid)
        if self.window is None:
            board = frame.on_screen(grid.rect)
            self.window = window_of(self.desktop, board)
            around = board.grown(int(PANEL_CELLS * grid.pitch_y))
            self.area = self.window.client if self.window else frame.rect.intersection(around)
        assert self.area is not None
        self.grid = grid.moved(frame.origin.x - self.area.x, frame.origin.y - self.area.y)
        return resized

    def grid_in(self, frame: Frame) -> Grid:
        """Return the board's grid in the pixels of ``frame``."""
        assert self.grid is not None
        assert self.area is not None
        return self.grid.moved(self.area.x - frame.origin.x, self.area.y - frame.origin.y)

    def on_screen(self, across: float, down: float) -> Point:
        """Return the screen point ``across`` cells right of and ``down`` cells below the board's top left."""
        assert self.grid is not None
        assert self.area is not None
        x, y = self.grid.x + across * self.grid.pitch_x, self.grid.y + down * self.grid.pitch_y
        return Point(self.area.x + round(x), self.area.y + round(y))

    def follow(self) -> bool:
        """Update the place of the window; return whether it has moved or changed its size.

        Raises WindowClosedError if it is closed. If its size has changed, the grid is unknown again.
        """
        if self.window is None:
            return False
        window = self.desktop.refresh(self.window)
        if window is None:
            raise closed_error(self.window)
        moved = window.client != self.window.client
        if moved:
            self._seen = None
        if window.client.size != self.window.client.size:
            self.grid = None
        self.window, self.area = window, window.client
        return moved

    @property
    def visibility(self) -> Visibility:
        """Whether the whole board can be seen; if its window is unknown, it is assumed to be."""
        if self.window is None or self.area is None:
            return Visibility.VISIBLE
        area, grid = self.area, self.grid
        area = (self._seen or area) if grid is None else grid.rect.moved(area.x, area.y)
        return self.desktop.visibility(self.window, area)

    @property
    def hidden(self) -> bool:
        """Whether something lies over a part of the board, or its window is minimised."""
        return self.visibility is not Visibility.VISIBLE

    @property
    def whole_in_view(self) -> bool:
        """Whether the window is known and nothing lies over any part of it."""
        window = self.window
        return window is not None and self.desktop.visibility(window, window.client) is Visibility.VISIBLE

    def bring_to_front(self) -> None:
        """Raise the window, if it is known: from then on it should have the keyboard."""
        if self.window is not None:
            self.desktop.raise_window(self.window)
            self._raised = True

    @property
    def rival(self) -> Window | None:
        """The other program's window that the user switched to after the game was raised; None if none."""
        return self.desktop.rival(self.window) if self.window and self._raised else None

    def aim(self) -> None:
        """Remember the present place as the one to which the next clicks are sent."""
        self._aimed_at = self.area

    @property
    def missed(self) -> bool:
        """Whether the place has moved since `aim`: clicks may have hit any cell."""
        return self.area != self._aimed_at


class BoardGuard:
    """Checks between clicks that a board is still as in the look on which they are based."""

    def __init__(self, capture: PatientCapture, place: BoardPlace) -> None:
        self._capture, self._clock, self._place = capture, capture.clock, place
        self._look: Look | None = None
        self._glanced, self._checked = 0.0, -math.inf

    def go_by(self, look: Look) -> None:
        """Set ``look`` as the one on which the next clicks are based."""
        self._look, self._glanced = look, look.frame.time
        self._place.aim()

    def check(self, point: Point | None) -> None:
        """Raise if the board is hidden, or changed or moved, so that a click at ``point`` may miss it."""
        now = self._clock.now()
        if point and now - self._glanced >= GLANCE_INTERVAL and not self._as_it_was(now):
            raise ViewChangedError("the board has changed by itself")
        if now - self._checked >= COVER_INTERVAL:
            self._checked = now
            if self._place.hidden:
                raise ViewChangedError("the board was covered")
            if self._place.rival:
                raise ViewChangedError("another window has the keyboard")
        if point is None and self._place.follow():  # a click checks this itself
            raise ViewChangedError("the window was moved")

    def _as_it_was(self, now: float) -> bool:
        """Return whether most opened cells look as they did.

        Numbers do not change while a game goes on; cells below the pointer or words may look different.
        """
        look = self._look
        if look is None:
            return True
        self._glanced = now
        grid, board = look.reading.grid, look.frame.on_screen(look.reading.grid.rect)
        before = look.frame.crop(board)
        seen = self._capture.glimpse(before.rect)
        if seen is None or seen.rect != before.rect:
            return False
        changed = Places(grid).changed(_padded(seen, board), _padded(before, board))
        opened = look.reading.board.states.ravel() <= 8
        return bool(opened[changed].sum() <= MOST_CHANGED * opened.sum())


def _padded(frame: Frame, board: Rect) -> Pixels:
    """Return a picture of the whole ``board``, black where the board lies outside the frame."""
    rect = frame.rect
    if rect == board:
        return frame.pixels
    beside = (rect.y - board.y, board.bottom - rect.bottom), (rect.x - board.x, board.right - rect.right)
    return np.pad(frame.pixels, (*beside, (0, 0)))


def window_of(desktop: Desktop, board: Rect) -> Window | None:
    """Return the window that shows a board found on the screen, to follow it; None if there is none."""
    holding = (window for window in desktop.windows() if window.client.covers(board))
    return next((window for window in holding if desktop.takes(window, board.centre)), None)
