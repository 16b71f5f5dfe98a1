"""Reading boards: search a picture for all of them, or look again at one whose place is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.vision.cells import (
    Cells,
    Floats,
    measured_gain,
    read_pictures,
    read_points,
    white_balance,
)
from bot.vision.fit import extent, fit
from bot.vision.grid import find_grids
from bot.vision.panel import game_state, read_counter, total_mines
from bot.vision.reading import Panel, Reading
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of, unstretched
from bot.vision.trust import plausible, whole

_AGREE = 0.9  # of the cells that both can read, points and pictures must read the same
_READ = 0.5  # of all cells must be readable: the rest may be under a dialog
_BOTH = 0.25  # of the read cells must be read by the points too
_FEWEST = 9  # cells that must be read
_TORN = 0.1  # confidence in a cell that points and pictures read differently
_GAIN_CELLS = 32  # are enough to measure the screen's tint


def read_picture(pixels: Pixels, skins: Sequence[Skin]) -> list[Reading]:
    """Return every board found in a BGR picture (height, width, 3) that one of ``skins`` fits, best first.

    A grid on which no skin can be read, or on which sample points and whole pictures disagree, is no board.
    """
    readings: list[Reading] = []
    for candidate in find_grids(pixels):
        fitting = [reading for skin in skins if (reading := read_candidate(pixels, candidate.grid, skin))]
        if fitting:
            best = max(fitting, key=_quality)
            readings = _with(readings, best)
    return sorted(readings, key=_quality, reverse=True)


def read_candidate(pixels: Pixels, grid: Grid, skin: Skin) -> Reading | None:
    """Return what ``skin`` reads near ``grid``, fitted exactly; None if it is no board of that skin."""
    gain = white_balance(unstretched(pixels, grid, skin.cell), skin)
    fitted = fit(pixels, grid, skin, gain)
    if fitted is None:
        return None
    gain = _measured(pixels, fitted, skin, gain)
    grid = extent(pixels, fitted, skin, gain)
    if grid != fitted:  # more cells tell the pitch more exactly
        grid = fit(pixels, grid, skin, gain) or grid
    whole_grid = whole(pixels, grid, skin, gain)
    reading = None if whole_grid is None else _read_twice(pixels, whole_grid, skin, gain)
    return reading if reading is not None and plausible(reading) else None


def _read_twice(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> Reading | None:
    """Return what points and whole pictures read together; None if they say that it is no board."""
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    pictures = read_pictures(canvas, gain, skin, scale)
    points = read_points(canvas, gain, skin, scale)
    if not _accepted(points, pictures):
        return None
    return _reading(pixels, grid, skin, gain, scale, _agreed(points, pictures))


def _measured(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> Floats:
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    return measured_gain(canvas, read_pictures(canvas, gain, skin, scale).states, gain, skin, scale)


def read_grid(pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
    """Return what ``skin`` reads on ``grid``, a place that `read_picture` has found before.

    The sample points decide; cells on which they leave a doubt are read by their whole picture.
    """
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    gain = white_balance(canvas, skin)
    cells = read_points(canvas, gain, skin, scale)
    if not cells.readable.all():
        if skin.background is None:
            gain = _sampled_gain(canvas, cells, skin, scale)
        cells = _completed(cells, canvas, gain, skin, scale)
    return _reading(pixels, grid, skin, gain, scale, cells)


def _completed(cells: Cells, canvas: Pixels, gain: Floats, skin: Skin, scale: float) -> Cells:
    """Return the cells with those that the points left open read by their whole picture."""
    doubtful = ~cells.readable
    pictures = read_pictures(_column(canvas, doubtful, skin.cell), gain, skin, scale)
    states, confidence = cells.states.copy(), cells.confidence.copy()
    states[doubtful], confidence[doubtful] = pictures.states[:, 0], pictures.confidence[:, 0]
    return Cells(states, confidence)


def _sampled_gain(canvas: Pixels, cells: Cells, skin: Skin, scale: float) -> Floats:
    """Return the gain of each channel, measured on some of the cells that the points could read."""
    rows, cols = np.nonzero(cells.readable)
    few = slice(None, None, max(1, len(rows) // _GAIN_CELLS))
    known = np.zeros_like(cells.readable)
    known[rows[few], cols[few]] = True
    states = cells.states[known][:, None]
    return measured_gain(_column(canvas, known, skin.cell), states, np.ones(3, np.float32), skin, scale)


def _column(canvas: Pixels, chosen: npt.NDArray[np.bool_], cell: int) -> Pixels:
    """Return the chosen cells below each other."""
    rows, cols = chosen.shape
    return canvas.reshape(rows, cell, cols, cell, 3).swapaxes(1, 2)[chosen].reshape(-1, cell, 3)


def _accepted(points: Cells, pictures: Cells) -> bool:
    """Return whether points and whole pictures say together that this is a board of the skin."""
    read, both = pictures.readable, pictures.readable & points.readable
    if read.sum() < max(_FEWEST, _READ * read.size) or both.sum() < _BOTH * read.sum():
        return False
    return bool((points.states == pictures.states)[both].mean() >= _AGREE)


def _agreed(points: Cells, pictures: Cells) -> Cells:
    """Return the cells as the whole pictures read them; unreadable where the points say something else."""
    against = points.readable & (points.states != pictures.states)
    return Cells(
        np.where(against, State.UNREADABLE, pictures.states).astype(np.int8),
        np.where(against, _TORN, pictures.confidence).astype(np.float32),
    )


def _reading(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats, scale: float, cells: Cells) -> Reading:
    visible = inside(pixels, grid)
    states: States = np.where(visible, cells.states, State.UNREADABLE).astype(np.int8)
    confidence = np.where(visible, cells.confidence, 0).astype(np.float32)
    mines_left = read_counter(pixels, grid, skin, gain)
    board = Board(states, total_mines(states, mines_left))
    return Reading(grid, board, Panel(mines_left), game_state(board), skin.name, scale, confidence)


def _quality(reading: Reading) -> float:
    """Return how much of how large a board was read: the better of two readings of one place is larger."""
    return float(reading.confidence.sum()) - len(reading.unreadable)


def _with(readings: list[Reading], new: Reading) -> list[Reading]:
    """Return the readings with ``new``, keeping the better one where two lie over each other."""
    rivals = [old for old in readings if not old.grid.rect.intersection(new.grid.rect).empty]
    if any(_quality(old) >= _quality(new) for old in rivals):
        return readings
    return [*(old for old in readings if old not in rivals), new]
