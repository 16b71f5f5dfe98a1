"""Follow one board from picture to picture and read only the cells that have changed.

A cell with exactly the pixels of a cell that was read before, or of a picture of the skin, has the same
state: comparing pixels takes microseconds and makes no mistakes. The same holds for the mine counter. If any
cell has new pixels, the whole board is read as `read_grid` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State, States
from bot.geometry import Grid, Pixels
from bot.verdict import SEVERAL
from bot.vision.board_reader import read_at, same_size
from bot.vision.distortion import Indices, Tone, inside
from bot.vision.known_art import Cells, read_cells
from bot.vision.panel.counter import around_counter, counter_by_skin, counter_place
from bot.vision.reading import Doubt, Reading, total_mines
from bot.vision.skin import Skin

CellLook = bytes  # all pixels of a cell, preceded by its width if the cells differ in size
Shown = tuple[tuple[int, ...], bytes]  # the shape and all pixels of a part of the picture
_MOST_LOST = 0.5  # of all cells are unreadable
_MOST_LOOKS = 4096
_MOST_COUNTERS = 256


def read_grid(pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
    """Return the reading of ``grid`` by ``skin``.

    ``grid`` is a place that `read_picture` has found; ``pixels`` is uint8 BGR of shape (height, width, 3).
    """
    cells, _ = read_cells(pixels, grid, skin)
    return _reading(pixels, grid, skin, cells, counter_by_skin(pixels, grid, skin))


def _reading(pixels: Pixels, grid: Grid, skin: Skin, cells: Cells, mines_left: int | None) -> Reading:
    """Return a `Reading` of the cells, with the total of mines and the reason for each unreadable cell."""
    states, rect, (height, width) = cells.states, grid.rect, pixels.shape[:2]
    visible = np.ones(states.shape, np.bool_)
    if rect.x < 0 or rect.y < 0 or rect.right > width or rect.bottom > height:
        visible = inside(pixels, grid)
        states = np.where(visible, states, State.UNREADABLE).astype(np.int8)
    board = Board(states, total_mines(states, mines_left))
    doubts = dict[Cell, Doubt]()
    if board.count(State.UNREADABLE):
        for cell in board.cells(State.UNREADABLE):
            near = cells.nats[cell] > 0  # near to a picture of the skin
            doubts[cell] = Doubt.AMBIGUOUS if near else Doubt.UNRECOGNISED
            if not visible[cell]:
                doubts[cell] = Doubt.OUTSIDE
    return Reading(grid, board, skin.name, mines_left, doubts)


class Places:
    """The places of the cells of ``grid`` in the part of a picture inside `Grid.rect`.

    A cell is given by its index, row by row.
    """

    def __init__(self, grid: Grid) -> None:
        self._rows = _edges(grid.y, grid.pitch_y, grid.rows)
        self._cols = _edges(grid.x, grid.pitch_x, grid.cols)
        self._heights, self._widths = np.unique(np.diff(self._rows)), np.unique(np.diff(self._cols))
        self._different = np.empty((grid.rect.height, grid.rect.width, 3), np.uint8)

    def changed(self, area: Pixels, before: Pixels) -> Indices:
        """Return the indices of the cells that differ in two pictures (height, width, 3) of the board."""
        cv2.absdiff(area, before, dst=self._different)
        different = self._different.reshape(len(area), -1)
        if len(self._heights) == 1:  # many times faster than the general case
            lines = different[: self._rows[-1]].reshape(len(self._rows) - 1, -1, different.shape[1]).max(1)
        else:
            rows = pairwise(self._rows.tolist())
            lines = np.stack([different[top:bottom].max(0) for top, bottom in rows])
        return np.flatnonzero(np.maximum.reduceat(lines, 3 * self._cols[:-1], axis=1))

    def looks(self, area: Pixels, cells: Indices) -> list[CellLook]:
        """Return the look of each of ``cells`` in a picture (height, width, 3) of the board."""
        rows, cols = np.divmod(cells, len(self._cols) - 1)
        if len(self._heights) > 1 or len(self._widths) > 1:
            return [self._look(area, row, col) for row, col in zip(rows.tolist(), cols.tolist(), strict=True)]
        height, width = int(self._heights[0]), int(self._widths[0])
        lines = area[: self._rows[-1], : self._cols[-1]].reshape(len(self._rows) - 1, height, -1, 3 * width)
        shown = lines[rows, :, cols].reshape(len(cells), height * width * 3)
        looks: list[CellLook] = shown.view(f"V{shown.shape[1]}")[:, 0].tolist()
        return looks

    def _look(self, area: Pixels, row: int, col: int) -> CellLook:
        left, right = int(self._cols[col]), int(self._cols[col + 1])
        shown = area[self._rows[row] : self._rows[row + 1], left:right]
        return (right - left).to_bytes(2) + shown.tobytes()


def _edges(start: float, pitch: float, count: int) -> Indices:
    """Return the start of each cell and the end of the last one, in pixels from the start of the first."""
    edges: npt.NDArray[np.float64] = np.floor(start + np.arange(count + 1) * pitch) - np.floor(start)
    return edges.astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class _Last:
    """The last picture of the board, and its reading."""

    area: Pixels
    cells: Cells
    tone: Tone
    reading: Reading


class Tracker:
    """A reader of one board in many pictures, which remembers the looks of cells that it has read.

    It keeps the last picture without copying it, so the caller must not change that picture. ``skins`` are
    tried by `other` when the game may have changed its look.
    """

    def __init__(self, skins: Sequence[Skin] = ()) -> None:
        self._skins = skins
        self._followed: tuple[Grid, Skin] | None = None
        self._before: Reading | None = None  # the last one, by any skin

    def _follow(self, grid: Grid, skin: Skin) -> None:
        """Forget all looks and start to read ``grid`` by ``skin``, whose own pictures are known looks."""
        self._followed = grid, skin
        self._rect, self._counter = grid.rect, around_counter(counter_place(grid, skin))
        self._places = Places(grid)
        self._looks: dict[CellLook, int] = {}
        if grid.pitch_x == grid.pitch_y == skin.cell:
            own = [template.tobytes() for template in skin.templates]
            alone = [place for place, look in enumerate(own) if own.count(look) == 1]
            self._learn([own[place] for place in alone], skin.states[alone])
        self._counters: dict[Shown, int | None] = {}
        self._last: _Last | None = None

    def read(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
        """Return the reading of a board in ``pixels``, uint8 BGR (height, width, 3), as `read_grid` does."""
        return self.read_at_once(pixels, grid, skin) or self._anew(pixels, grid, skin)

    def read_at_once(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading | None:
        """Return the same as `read` if no cell has a new look; otherwise None."""
        if self._followed is None or self._followed[0] != grid or self._followed[1] is not skin:
            self._follow(grid, skin)
        area, last = self._rect.cut(pixels), self._last
        if last is None or area.shape != last.area.shape:
            return None
        changed = self._places.changed(area, last.area)
        looks = self._places.looks(area, changed) if len(changed) else []
        if any(look not in self._looks for look in looks):
            return None
        mines_left = self._mines_left(pixels)
        if looks or mines_left != last.reading.mines_left:
            states = last.cells.states.copy()
            states.flat[changed] = [self._looks[look] for look in looks]
            cells = Cells(states, last.cells.nats)
            reading = _reading(pixels, grid, skin, cells, mines_left)
            last = _Last(area, cells, last.tone, reading)
        self._last, self._before = last, last.reading
        return last.reading

    def _anew(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
        area = self._rect.cut(pixels)
        cells, tone = read_cells(pixels, grid, skin, None if self._last is None else self._last.tone)
        if area.shape[:2] != (self._rect.height, self._rect.width):  # a part lies outside the picture
            return _reading(pixels, grid, skin, cells, counter_by_skin(pixels, grid, skin))
        looks = self._places.looks(area, np.arange(cells.states.size))
        read = np.flatnonzero(cells.readable)
        self._learn([looks[place] for place in read], cells.states.flat[read])
        states = cells.states.copy()
        for place in np.flatnonzero(~cells.readable):
            states.flat[place] = self._looks.get(looks[place], State.UNREADABLE)
        cells = Cells(states, cells.nats)
        reading = _reading(pixels, grid, skin, cells, self._mines_left(pixels))
        self._last = _Last(area, cells, tone, reading)
        return reading

    def _learn(self, looks: Sequence[CellLook], states: States) -> None:
        """Remember the state of each look; if there are too many looks, forget all older ones first."""
        if len(self._looks) > _MOST_LOOKS:
            self._looks.clear()
        self._looks.update(zip(looks, states.tolist(), strict=True))

    def _mines_left(self, pixels: Pixels) -> int | None:
        """Return the value of the mine counter; None if it cannot be read."""
        assert self._followed is not None
        part = self._counter.cut(pixels)
        counter = part.shape, part.tobytes()
        if counter not in self._counters:
            if len(self._counters) > _MOST_COUNTERS:  # forget all older ones
                self._counters.clear()
            self._counters[counter] = counter_by_skin(pixels, *self._followed)
        return self._counters[counter]

    def other(self, pixels: Pixels, reading: Reading) -> Reading | None:
        """Return the reading by another skin if the present skin can no longer read much of the board.

        Return None if it still reads enough, or if no other skin reads every cell. ``reading`` is the result
        of `read` for ``pixels``.
        """
        last, self._before = self._before, reading
        if last is None or last.board.shape != reading.board.shape:
            return None
        before = [state for cell in reading.unreadable if (state := last.board[cell]) != State.UNREADABLE]
        if (
            sum(state < State.COVERED for state in before) < SEVERAL
            and len(before) < _MOST_LOST * last.board.states.size
        ):
            return None
        others = [skin for skin in self._skins if skin.name != reading.skin]
        found = read_at(pixels, reading.grid, others)
        return found if found and same_size(found.grid, reading.grid) and not found.unreadable else None
