"""Following one board: of every new picture only what has changed is looked at.

A cell that shows, pixel by pixel, what a cell of the same board showed before is in the state that was read
there; comparing pixels takes microseconds and cannot be mistaken. As soon as one cell shows something new,
the whole board is read as `read_grid` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.cells import Cells
from bot.vision.reading import Panel, Reading
from bot.vision.skin import Skin
from bot.vision.tone import Tone
from bot.vision.track import as_reading, read_cells

Look = tuple[int, bytes]  # a cell's width in pixels, and what it shows
_MOST_LOOKS = 4096
_AROUND = 12  # pixels around the counter at 100 % scaling, in which it may be found


@dataclass(frozen=True, slots=True, eq=False)
class _Last:
    """The last picture, as far as it concerns the board, and what was read there."""

    area: Pixels
    counter: Pixels
    cells: Cells
    tone: Tone
    reading: Reading


class Tracker:
    """Reads one board at one place, ``grid``, over and over; what it has read is remembered."""

    def __init__(self, grid: Grid, skin: Skin) -> None:
        self.grid, self.skin = grid, skin
        self._rows, self._cols = (
            _edges(grid.y, grid.pitch_y, grid.rows),
            _edges(grid.x, grid.pitch_x, grid.cols),
        )
        self._counter = _counter_rect(grid, skin)
        self._looks: dict[Look, tuple[int, float]] = {}
        self._last: _Last | None = None

    def read(self, pixels: Pixels) -> Reading:
        """Return what is on the board in ``pixels``, uint8 BGR (height, width, 3), as `read_grid` does."""
        area, counter = _part(pixels, self.grid.rect), _part(pixels, self._counter)
        last = self._last
        if last is None or not self._whole(area):
            return self._read_anew(pixels, area, counter)
        changed = self._changed(area, last.area)
        same_counter = _same(counter, last.counter)
        if not changed.any() and same_counter:
            return last.reading
        cells = self._recalled(area, last.cells, changed)
        if cells is None:
            return self._read_anew(pixels, area, counter)
        panel = last.reading.panel if same_counter else None
        return self._remember(pixels, area, counter, cells, last.tone, panel)

    def _read_anew(self, pixels: Pixels, area: Pixels, counter: Pixels) -> Reading:
        cells, tone = read_cells(pixels, self.grid, self.skin)
        if not self._whole(area):
            return as_reading(pixels, self.grid, self.skin, tone, cells)
        self._learn(area, cells)
        return self._remember(pixels, area, counter, cells, tone, None)

    def _learn(self, area: Pixels, cells: Cells) -> None:
        """Remember what every cell that was read looks like; of too many looks the old ones are forgotten."""
        if len(self._looks) > _MOST_LOOKS:
            self._looks.clear()
        for row, col in np.argwhere(cells.readable).tolist():
            look = self._look(area, row, col)
            self._looks[look] = int(cells.states[row, col]), float(cells.confidence[row, col])

    def _remember(
        self, pixels: Pixels, area: Pixels, counter: Pixels, cells: Cells, tone: Tone, panel: Panel | None
    ) -> Reading:
        reading = as_reading(pixels, self.grid, self.skin, tone, cells, panel)
        self._last = _Last(area.copy(), counter.copy(), cells, tone, reading)
        return reading

    def _recalled(self, area: Pixels, before: Cells, changed: npt.NDArray[np.bool_]) -> Cells | None:
        """Return the cells, changed ones as they were read when they looked so; None if one never did."""
        states, confidence = before.states.copy(), before.confidence.copy()
        for row, col in np.argwhere(changed).tolist():
            known = self._looks.get(self._look(area, row, col))
            if known is None:
                return None
            states[row, col], confidence[row, col] = known
        return Cells(states, confidence)

    def _changed(self, area: Pixels, before: Pixels) -> npt.NDArray[np.bool_]:
        """Return which cells (rows x cols) show anything else."""
        changed = np.zeros((self.grid.rows, self.grid.cols), np.bool_)
        for row, (top, bottom) in enumerate(pairwise(self._rows.tolist())):
            if not _same(area[top:bottom], before[top:bottom]):
                different = (area[top:bottom] != before[top:bottom]).any(0).reshape(-1)
                changed[row] = np.logical_or.reduceat(different, 3 * self._cols[:-1])
        return changed

    def _whole(self, area: Pixels) -> bool:
        return area.shape[:2] == (self.grid.rect.height, self.grid.rect.width)

    def _look(self, area: Pixels, row: int, col: int) -> Look:
        left, right = self._cols[col], self._cols[col + 1]
        return int(right - left), area[self._rows[row] : self._rows[row + 1], left:right].tobytes()


def _counter_rect(grid: Grid, skin: Skin) -> Rect:
    """Return where the mine counter may be; nothing if the skin has none."""
    layout = skin.counter
    if layout is None:
        return Rect(0, 0, 0, 0)
    scale = grid.pitch_x / skin.cell
    x = grid.x + layout.x * scale + (grid.width if layout.right else 0)
    width = ((layout.digits - 1) * layout.step + layout.width) * scale
    y, height = grid.y + layout.y * scale, layout.height * scale
    return Rect(round(x), round(y), round(width), round(height)).grown(round(_AROUND * scale))


def _same(pixels: Pixels, before: Pixels) -> bool:
    """Return whether two pictures are the same, pixel by pixel."""
    return pixels.shape == before.shape and (pixels.size == 0 or cv2.norm(pixels, before, cv2.NORM_INF) == 0)


def _edges(start: float, pitch: float, count: int) -> npt.NDArray[np.intp]:
    """Return where cells begin, in pixels from the first one's, and after them where the last one ends."""
    edges: npt.NDArray[np.intp] = (np.floor(start + np.arange(count + 1) * pitch) - np.floor(start)).astype(
        np.intp
    )
    return edges


def _part(pixels: Pixels, rect: Rect) -> Pixels:
    """Return what a picture shows of a rectangle."""
    return pixels[max(0, rect.y) : max(0, rect.bottom), max(0, rect.x) : max(0, rect.right)]
