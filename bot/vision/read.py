"""Reading boards: search a picture for all of them, or look again at one whose place is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.vision.cells import Cells, balance, read_pictures, read_points, white_balance
from bot.vision.colours import refined, supposed_tones
from bot.vision.fit import extent, fit
from bot.vision.grid import find_grids
from bot.vision.panel import game_state, read_counter, total_mines
from bot.vision.reading import Panel, Reading
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of, unstretched
from bot.vision.tone import Tone, softened
from bot.vision.trust import plausible, whole

_AGREE = 0.9  # of the cells that both can read, points and pictures must read the same
_READ = 0.5  # of all cells must be readable: the rest may be under a dialog
_BOTH = 0.25  # of the read cells must be read by the points too
_FEWEST = 9  # cells that must be read
_TORN = 0.1  # confidence in a cell that points and pictures read differently
_FEW_UNREADABLE = 0.01  # of all cells: with more of them other tones are tried
_TONES = 2
_SURE = 0.75  # confidence: the second state is four times as far away
_SEVERAL = 4  # states


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
    """Return what ``skin`` reads near ``grid``, fitted exactly; None if it is no board of that skin.

    Where it cannot be read as the screen is supposed to show it, it is tried in the tones under which the
    cells look most like the skin.
    """
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    reading = _read_toned(pixels, grid, skin, Tone.gain(white_balance(canvas, skin)))
    if reading is not None and len(reading.unreadable) <= _FEW_UNREADABLE * reading.board.states.size:
        return reading
    seen = softened(canvas, skin.cell)[inside(pixels, grid).reshape(-1)]
    for tone in supposed_tones(seen, skin, scale)[:_TONES]:
        other = _read_toned(pixels, grid, skin, tone)
        if other is not None and (reading is None or _quality(other) > _quality(reading)):
            reading = other
        if reading is not None and len(reading.unreadable) <= _FEW_UNREADABLE * reading.board.states.size:
            break
    return reading


def _read_toned(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Reading | None:
    """Return what ``skin`` reads near ``grid`` on a screen of about that tone."""
    fitted = fit(pixels, grid, skin, tone)
    if fitted is None:
        return None
    tone = _measured(pixels, fitted, skin, tone)
    grid = extent(pixels, fitted, skin, tone)
    if grid != fitted:  # more cells tell the pitch more exactly
        grid = fit(pixels, grid, skin, tone) or grid
    whole_grid = whole(pixels, grid, skin, tone)
    reading = None if whole_grid is None else _read_twice(pixels, whole_grid, skin, tone)
    return reading if reading is not None and plausible(reading) else None


def _read_twice(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Reading | None:
    """Return what points and whole pictures read together; None if they say that it is no board."""
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    pictures = read_pictures(canvas, tone, skin, scale)
    points = read_points(canvas, tone, skin, scale)
    if not _accepted(points, pictures):
        return None
    return _reading(pixels, grid, skin, tone, scale, _agreed(points, pictures))


def _measured(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Tone:
    """Return ``tone`` as the cells that lie in the picture show it."""
    seen = softened(unstretched(pixels, grid, skin.cell), skin.cell)[inside(pixels, grid).reshape(-1)]
    return refined(seen, skin, scale_of(grid, skin.cell), tone)


def read_grid(pixels: Pixels, grid: Grid, skin: Skin) -> Reading:
    """Return what ``skin`` reads on ``grid``, a place that `read_picture` has found before.

    The sample points decide; cells on which they leave a doubt are read by their whole picture.
    """
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    tone = Tone.gain(white_balance(canvas, skin))
    cells = read_points(canvas, tone, skin, scale)
    if not cells.readable.all():
        tone = _measured(pixels, grid, skin, tone)
        cells = _completed(cells, canvas, tone, skin, scale)
    return _reading(pixels, grid, skin, tone, scale, cells)


def _completed(cells: Cells, canvas: Pixels, tone: Tone, skin: Skin, scale: float) -> Cells:
    """Return the cells with those that the points left open read by their whole picture."""
    doubtful = ~cells.readable
    pictures = read_pictures(_column(canvas, doubtful, skin.cell), tone, skin, scale)
    states, confidence = cells.states.copy(), cells.confidence.copy()
    states[doubtful], confidence[doubtful] = pictures.states[:, 0], pictures.confidence[:, 0]
    return Cells(states, confidence)


def _column(canvas: Pixels, chosen: npt.NDArray[np.bool_], cell: int) -> Pixels:
    """Return the chosen cells below each other."""
    rows, cols = chosen.shape
    return canvas.reshape(rows, cell, cols, cell, 3).swapaxes(1, 2)[chosen].reshape(-1, cell, 3)


def _accepted(points: Cells, pictures: Cells) -> bool:
    """Return whether points and whole pictures say together that this is a board of the skin.

    Where a screen shows no colours the points may see too little: then the pictures must be very sure.
    """
    read, both = pictures.readable, pictures.readable & points.readable
    if read.sum() < max(_FEWEST, _READ * read.size):
        return False
    if both.sum() < _BOTH * read.sum() and not _sure(pictures):
        return False
    return not both.any() or bool((points.states == pictures.states)[both].mean() >= _AGREE)


def _sure(pictures: Cells) -> bool:
    """Return whether cells in several states are all read with confidence."""
    states, confidence = pictures.states[pictures.readable], pictures.confidence[pictures.readable]
    least = [float(np.median(confidence[states == state])) for state in np.unique(states)]
    return sum(value >= _SURE for value in least) >= max(_SEVERAL, 0.8 * len(least))


def _agreed(points: Cells, pictures: Cells) -> Cells:
    """Return the cells as the whole pictures read them; unreadable where the points say something else."""
    against = points.readable & (points.states != pictures.states)
    return Cells(
        np.where(against, State.UNREADABLE, pictures.states).astype(np.int8),
        np.where(against, _TORN, pictures.confidence).astype(np.float32),
    )


def _reading(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone, scale: float, cells: Cells) -> Reading:
    visible = inside(pixels, grid)
    states: States = np.where(visible, cells.states, State.UNREADABLE).astype(np.int8)
    confidence = np.where(visible, cells.confidence, 0).astype(np.float32)
    mines_left = read_counter(pixels, grid, skin, balance(tone))
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
