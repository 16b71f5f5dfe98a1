"""Following one board: of every new picture only what has changed is looked at.

A cell that shows, pixel by pixel, what a cell of the same board showed before is in the state that was read
there; comparing pixels takes microseconds and cannot be mistaken. A mine counter that shows what it showed
before says the same. Where a cell shows something new, it is read in the quick way if that has read all
others too; if not, the whole board is read as `read_grid` reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.geometry import Grid, Pixels, Rect
from bot.vision.board_reader import alike, read_at
from bot.vision.distortion import PLAIN, Tone, inside, scale_of
from bot.vision.known_art import Cells, fitted, read_known
from bot.vision.panel.counter import counter_place, read_counter
from bot.vision.points import read_quickly
from bot.vision.reading import Doubt, Panel, Reading, doubts_of, game_state, total_mines
from bot.vision.skin import Skin

Look = bytes  # all pixels of a cell; before them its width where not all are equally wide
_FEW = 8  # cells may be under a pointer, or still being painted
_MOST = 0.5  # of the cells must be read, else the screen's colours have changed
_QUICK = 0.9  # confidence in what was read quickly
_NUMBERS_LOST = 3  # numbers: neither a pointer nor a stain is on as many
_MOST_LOST = 0.5  # of all cells
_MOST_LOOKS = 4096
_MOST_COUNTERS = 256


def read_grid(pixels: Pixels, grid: Grid, skin: Skin, panel: Panel | None = None) -> Reading:
    """Return what ``skin`` reads on ``grid``, a place that `read_picture` has found before.

    ``pixels`` is uint8 BGR of shape (height, width, 3). ``panel`` is what is known to stand beside the board;
    None has it read.
    """
    cells, tone = read_cells(pixels, grid, skin)
    return as_reading(pixels, grid, skin, tone, cells, panel)


def read_cells(pixels: Pixels, grid: Grid, skin: Skin, last: Tone | None = None) -> tuple[Cells, Tone]:
    """Return the cells on ``grid``, and what the screen does to colours.

    Where the quick way leaves a doubt, or is closed, whole pictures decide, in the tone ``last`` that the
    screen had before, or in one that is measured.
    """
    states = read_quickly(pixels, grid, skin)
    if states is None:
        return _read_carefully(pixels, grid, skin, last)
    unread = states == State.UNREADABLE
    cells = Cells(states, np.where(unread, np.float32(0), np.float32(_QUICK)))
    if not unread.any():
        return cells, PLAIN
    if unread.sum() > _FEW:
        return _read_carefully(pixels, grid, skin, last)
    pictures = read_known(pixels, grid, skin, PLAIN)
    together = np.where(unread, pictures.states, states)
    confidence = np.where(unread, pictures.confidence, cells.confidence)
    return Cells(together.astype(np.int8), confidence.astype(np.float32)), PLAIN


def _read_carefully(pixels: Pixels, grid: Grid, skin: Skin, last: Tone | None) -> tuple[Cells, Tone]:
    if last is not None and (cells := read_known(pixels, grid, skin, last)).readable.mean() >= _MOST:
        return cells, last
    known = fitted(pixels, grid, skin)
    tone = PLAIN if known is None else known.tone
    return read_known(pixels, grid, skin, tone), tone


def reread(
    pixels: Pixels, grid: Grid, skin: Skin, before: Cells, changed: npt.NDArray[np.intp]
) -> Cells | None:
    """Return the cells on ``grid``, as ``before`` but for those at ``changed`` (counted row by row).

    Return None if the quick way cannot read them, or did not read the others: then all have to be read.
    """
    if (before.confidence != np.float32(_QUICK)).any():
        return None
    new = read_quickly(pixels, grid, skin, changed)
    if new is None or (new == State.UNREADABLE).any():
        return None
    states = before.states.copy()
    states.reshape(-1)[changed] = new
    return Cells(states, before.confidence)


def as_reading(
    pixels: Pixels, grid: Grid, skin: Skin, tone: Tone, cells: Cells, panel: Panel | None = None
) -> Reading:
    """Return the cells as a reading: with the panel, the total of mines, and why cells could not be read."""
    states, confidence = cells.states, cells.confidence
    rect, (height, width) = grid.rect, pixels.shape[:2]
    visible = None
    if rect.x < 0 or rect.y < 0 or rect.right > width or rect.bottom > height:
        visible = inside(pixels, grid)
        states = np.where(visible, states, State.UNREADABLE).astype(np.int8)
        confidence = np.where(visible, confidence, 0).astype(np.float32)
    if panel is None:
        panel = Panel(read_counter(pixels, grid, skin, tone.gain))
    board = Board(states, total_mines(states, panel.mines_left))
    doubts = dict[Cell, Doubt]()
    if board.count(State.UNREADABLE):
        codes = np.where(confidence > 0, Doubt.AMBIGUOUS, Doubt.STRANGE)
        if visible is not None:
            codes = np.where(visible, codes, Doubt.OUTSIDE)
        doubts = doubts_of(np.where(states == State.UNREADABLE, codes, 0).astype(np.int8))
    scale = scale_of(grid, skin.cell)
    return Reading(grid, board, panel, game_state(board), skin.name, scale, confidence, doubts)


class Places:
    """Where the cells of ``grid`` lie in the part of a picture that is `Grid.rect`.

    Cells are counted row by row.
    """

    def __init__(self, grid: Grid) -> None:
        self._rows = _edges(grid.y, grid.pitch_y, grid.rows)
        self._cols = _edges(grid.x, grid.pitch_x, grid.cols)
        self._heights, self._widths = np.unique(np.diff(self._rows)), np.unique(np.diff(self._cols))
        self._even = len(self._heights) == len(self._widths) == 1
        self._starts = 3 * self._cols[:-1]
        self._different = np.empty((grid.rect.height, grid.rect.width, 3), np.uint8)

    def changed(self, area: Pixels, before: Pixels) -> npt.NDArray[np.intp]:
        """Return the cells that are not the same in two pictures (height, width, 3) of the board."""
        cv2.absdiff(area, before, dst=self._different)
        lines = self._rows_together(self._different.reshape(len(area), -1))
        cells: npt.NDArray[np.uint8] = np.maximum.reduceat(lines, self._starts, axis=1)
        return np.flatnonzero(cells)

    def looks(self, area: Pixels, cells: npt.NDArray[np.intp]) -> list[Look]:
        """Return what some cells show in a picture (height, width, 3) of the board."""
        rows, cols = np.divmod(cells, len(self._cols) - 1)
        if not self._even:
            return [self._look(area, row, col) for row, col in zip(rows.tolist(), cols.tolist(), strict=True)]
        height, width = int(self._heights[0]), int(self._widths[0])
        lines = area[: self._rows[-1], : self._cols[-1]].reshape(len(self._rows) - 1, height, -1, 3 * width)
        shown = lines[rows, :, cols].reshape(len(cells), height * width * 3)
        looks: list[Look] = shown.view(f"V{shown.shape[1]}")[:, 0].tolist()
        return looks

    def _rows_together(self, different: Pixels) -> Pixels:
        """Return the largest value in each column (of all pixel columns) of each row of cells."""
        if len(self._heights) == 1:
            together: Pixels = (
                different[: self._rows[-1]].reshape(len(self._rows) - 1, -1, different.shape[1]).max(1)
            )
            return together
        return np.stack([different[top:bottom].max(0) for top, bottom in pairwise(self._rows.tolist())])

    def _look(self, area: Pixels, row: int, col: int) -> Look:
        left, right = int(self._cols[col]), int(self._cols[col + 1])
        shown = area[self._rows[row] : self._rows[row + 1], left:right]
        return (right - left).to_bytes(2) + shown.tobytes()


def _edges(start: float, pitch: float, count: int) -> npt.NDArray[np.intp]:
    """Return where cells begin, in pixels from the first one's, and after them where the last one ends."""
    edges: npt.NDArray[np.float64] = np.floor(start + np.arange(count + 1) * pitch) - np.floor(start)
    return edges.astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class _Last:
    """The board and the counter in the last picture, and what was read there."""

    area: Pixels
    counter: Pixels
    cells: Cells
    tone: Tone
    reading: Reading


class Tracker:
    """Reads one board at one place, ``grid``, over and over; what it has read is remembered.

    The last picture is kept, not copied: it must not be changed later on.
    """

    def __init__(self, grid: Grid, skin: Skin) -> None:
        self.grid, self.skin = grid, skin
        self._rect, self._counter = grid.rect, counter_place(grid, skin)
        self._places = Places(grid)
        self._looks: dict[Look, tuple[int, float]] = {}
        self._counters: dict[tuple[Tone, tuple[int, ...], bytes], Panel] = {}
        self._last: _Last | None = None

    def read(self, pixels: Pixels) -> Reading:
        """Return what is on the board in ``pixels``, uint8 BGR (height, width, 3), as `read_grid` does."""
        return self.read_at_once(pixels) or self._read_anew(pixels)

    def read_at_once(self, pixels: Pixels) -> Reading | None:
        """Return what `read` does if that is quick: all that has changed is in plain view, and whole."""
        area, counter, last = _part(pixels, self._rect), _part(pixels, self._counter), self._last
        if last is None or area.shape != last.area.shape:
            return None
        same_counter = _same(counter, last.counter)
        changed = self._places.changed(area, last.area)
        if same_counter and not len(changed):
            return last.reading
        looks = self._places.looks(area, changed)
        if all(look in self._looks for look in looks):
            cells = self._filled(last.cells, changed, looks)
        elif new := reread(pixels, self.grid, self.skin, last.cells, changed):
            cells = new
            self._learn(area, cells, changed)
        else:
            return None
        panel = last.reading.panel if same_counter else None
        return self._remember(pixels, area, counter, cells, last.tone, panel)

    def _read_anew(self, pixels: Pixels) -> Reading:
        area, counter = _part(pixels, self._rect), _part(pixels, self._counter)
        last = None if self._last is None else self._last.tone
        cells, tone = read_cells(pixels, self.grid, self.skin, last)
        if area.shape[:2] != (self._rect.height, self._rect.width):
            return as_reading(pixels, self.grid, self.skin, tone, cells)
        self._learn(area, cells, np.flatnonzero(cells.readable))
        unread = np.flatnonzero(~cells.readable)
        cells = self._filled(cells, unread, self._places.looks(area, unread))
        return self._remember(pixels, area, counter, cells, tone, None)

    def _learn(self, area: Pixels, cells: Cells, read: npt.NDArray[np.intp]) -> None:
        """Remember what cells that were read look like; of too many looks the old ones are forgotten."""
        if len(self._looks) > _MOST_LOOKS:
            self._looks.clear()
        states, confidence = cells.states.reshape(-1)[read], cells.confidence.reshape(-1)[read]
        known = zip(states.tolist(), confidence.tolist(), strict=True)
        self._looks.update(zip(self._places.looks(area, read), known, strict=True))

    def _remember(
        self, pixels: Pixels, area: Pixels, counter: Pixels, cells: Cells, tone: Tone, panel: Panel | None
    ) -> Reading:
        """Return the reading, and keep it with what it was read from."""
        if panel is None:
            panel = self._counters.get((tone, counter.shape, counter.tobytes()))
        reading = as_reading(pixels, self.grid, self.skin, tone, cells, panel)
        if panel is None:
            if len(self._counters) > _MOST_COUNTERS:  # the old ones are forgotten
                self._counters.clear()
            self._counters[tone, counter.shape, counter.tobytes()] = reading.panel
        self._last = _Last(area, counter, cells, tone, reading)
        return reading

    def _filled(self, cells: Cells, places: npt.NDArray[np.intp], looks: Sequence[Look]) -> Cells:
        """Return the cells, those at ``places`` as they were read when they had these ``looks``, if ever."""
        states, confidence = cells.states.copy(), cells.confidence.copy()
        for place, look in zip(places.tolist(), looks, strict=True):
            if (known := self._looks.get(look)) is not None:
                states.flat[place], confidence.flat[place] = known
        return Cells(states, confidence)


class SkinReader:
    """Reads boards by a skin, and finds the one of ``skins`` that a board looks like now."""

    def __init__(self, skins: Sequence[Skin]) -> None:
        self._skins = skins
        self._tracker: Tracker | None = None
        self._last: Reading | None = None

    def read(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
        """Return what a skin reads; where the board has not moved, only what has changed is looked at."""
        return self._tracker_on(grid, skin).read(pixels)

    def read_at_once(self, pixels: Pixels, grid: Grid, skin: Skin) -> Reading | None:
        """Return what `read` does if all that has changed is in plain view, None otherwise."""
        reading = self._tracker_on(grid, skin).read_at_once(pixels)
        self._last = reading or self._last
        return reading

    def _tracker_on(self, grid: Grid, skin: Skin) -> Tracker:
        tracker = self._tracker
        if tracker is None or tracker.grid != grid or tracker.skin is not skin:
            self._tracker = tracker = Tracker(grid, skin)
        return tracker

    def other(self, pixels: Pixels, reading: Reading) -> Reading | None:
        """Return what another skin reads if the one that has read a board reads much of it no longer.

        It is None if no other reads every cell. ``reading`` is what `read` has returned for ``pixels``.
        """
        last, self._last = self._last, reading
        if last is None or last.board.shape != reading.board.shape:
            return None
        before = [state for cell in reading.unreadable if (state := last.board[cell]) != State.UNREADABLE]
        if (
            sum(state <= 8 for state in before) < _NUMBERS_LOST
            and len(before) < _MOST_LOST * last.board.states.size
        ):
            return None
        others = [skin for skin in self._skins if skin.name != reading.skin]
        found = read_at(pixels, reading.grid, others)
        return found if found and alike(found.grid, reading.grid) and not found.unreadable else None


def _same(pixels: Pixels, before: Pixels) -> bool:
    """Return whether two pictures are the same, pixel by pixel."""
    return pixels.shape == before.shape and (pixels.size == 0 or cv2.norm(pixels, before, cv2.NORM_INF) == 0)


def _part(pixels: Pixels, rect: Rect) -> Pixels:
    """Return what a picture shows of a rectangle."""
    return pixels[max(0, rect.y) : max(0, rect.bottom), max(0, rect.x) : max(0, rect.right)]
