"""Following a grid that was found before: it is still where it was, or it has moved."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.lattice import fewness, sample
from bot.vision.grid.lines import Lines, find_lines, grey, shrunk
from bot.vision.grid.measure import centred, nearest, profiles, shrunk_grid

LENGTHS = (7, 14)  # pixels of a line: what bevels leave of a 12 pixel cell, and longer ones against dither
_SCALES = (1, 2, 4)  # cells of 12 to 23, 24 to 47 and from 48 pixels on
_WEAKEST = 0.3  # score of a grid
Floats = npt.NDArray[np.float32]

_NEAR = 2  # pixels a board may move and still count as the same
_SMALLEST = 11.0  # pixels of a cell in the copy of the picture that is looked at
_STEP = 8  # pixels to which places are told apart at first
_PLACES = 6  # that are looked at more closely
_AS_SUPPORTED = 0.85  # support of cells beside a grid, relative to its own, if they are cells of it too
_EDGE = 0.4  # support that the outermost rows and columns need


def confirm_grid(pixels: Pixels, grid: Grid) -> Grid | None:
    """Return where ``grid`` is in this BGR picture if it is still there, up to two pixels away; None if not.

    Far cheaper than a search: only the lines of this grid are looked at, and its pitch and size are not
    measured again. A board that moved by a whole cell, left the picture or was covered is not confirmed.
    """
    height, width = pixels.shape[:2]
    area = grid.rect.grown(_NEAR + 2).intersection(Rect(0, 0, width, height))
    if area.width < grid.width - 2 * _NEAR or area.height < grid.height - 2 * _NEAR:
        return None
    brightness = grey(pixels[area.y : area.bottom, area.x : area.right])
    inside = grid.moved(-area.x, -area.y)
    moved = next((found for shortest in LENGTHS if (found := _confirmed(brightness, inside, shortest))), None)
    return None if moved is None else moved.moved(area.x, area.y)


def find_moved(pixels: Pixels, grid: Grid) -> Grid | None:
    """Return where in this BGR picture a grid of the same cells, rows and columns is; None if it is nowhere.

    For a board whose window was moved, not resized: about a tenth of the work of a search.
    """
    height, width = pixels.shape[:2]
    if grid.width > width or grid.height > height:
        return None
    scale = _scale(grid)
    brightness = grey(pixels)
    lines = find_lines(shrunk(brightness, scale), LENGTHS[0])
    found: list[Grid] = []
    for x, y in _likely(lines, shrunk_grid(grid, scale)):
        near = _nearby(brightness, replace(grid, x=x * scale, y=y * scale), scale)
        confirmed = confirm_grid(pixels, near)
        found += [] if confirmed is None or _goes_on(lines, shrunk_grid(confirmed, scale)) else [confirmed]
    return max(found, key=lambda one: _support(lines, shrunk_grid(one, scale))[1], default=None)


def _goes_on(lines: Lines, grid: Grid) -> bool:
    """Return whether the cells beside a grid are supported like its own, so that it is part of another."""
    samples = sample(lines, grid.part(-1, -1, grid.rows + 1, grid.cols + 1))
    inside = slice(1, -1)
    support = samples.support(samples.reference(inside, inside))
    cells = support.cells - support.middle
    beside = (cells[0, inside], cells[-1, inside], cells[inside, 0], cells[inside, -1])
    own = cells[inside, inside].mean()
    return any(float(side.mean()) >= _AS_SUPPORTED * own for side in beside)


def _nearby(brightness: Pixels, grid: Grid, scale: int) -> Grid:
    """Return a grid that a copy 1 / ``scale`` the size showed, to a pixel of the picture."""
    area = grid.rect.grown(3 * scale).intersection(Rect(0, 0, brightness.shape[1], brightness.shape[0]))
    lines = find_lines(brightness[area.y : area.bottom, area.x : area.right], LENGTHS[0] * scale)
    around = profiles(lines)
    inside = nearest(around, grid.moved(-area.x, -area.y), 2 * scale)
    return centred(around, inside).moved(area.x, area.y)


def _likely(lines: Lines, grid: Grid) -> list[tuple[float, float]]:
    """Return a few places for the corner of a grid with these cells, best first, to a pixel of ``lines``."""
    across = _combed(lines.near_vertical[:, :-1], grid.pitch_x, grid.cols, grid.height)
    down = _combed(lines.near_horizontal[:-1].T, grid.pitch_y, grid.rows, grid.width).T
    wide, high = _coarse(across), _coarse(down.T).T
    rows, cols = min(len(wide), len(high)), min(wide.shape[1], high.shape[1])
    both = np.minimum(wide[:rows, :cols], high[:rows, :cols])
    places = []
    for place in np.argsort(-both, axis=None)[:_PLACES]:
        row, col = (int(index) for index in np.unravel_index(int(place), both.shape))
        x = col * _STEP + int(across[row, col * _STEP : (col + 1) * _STEP].argmax())
        y = row * _STEP + int(down[row * _STEP : (row + 1) * _STEP, col].argmax())
        places.append((float(x), float(y)))
    return places


def _combed(strengths: Pixels, pitch: float, count: int, length: float) -> Floats:
    """Return the mean strength of ``count`` + 1 lines of ``length`` from each place on.

    Places are (down in steps of `_STEP`, across in pixels): (height / _STEP, width), less where it would
    leave the picture.
    """
    height, width = strengths.shape
    high, long = height // _STEP, max(1, int(length) // _STEP)
    size = (width, high)
    blocks = cv2.resize(np.ascontiguousarray(strengths), size, interpolation=cv2.INTER_AREA)
    running = np.pad(np.cumsum(blocks, axis=0, dtype=np.float32), ((1, 0), (0, 0)))
    means = (running[long:] - running[:-long]) / long
    room = width - round(count * pitch)
    total = np.zeros((len(means), max(0, room)), np.float32)
    for line in range(count + 1):
        at = round(line * pitch)
        total += means[:, at : at + total.shape[1]]
    return np.asarray(total / (count + 1), np.float32)


def _coarse(scores: Floats) -> Floats:
    """Return the best score in each stretch of `_STEP` pixels across."""
    height, width = scores.shape
    padded = np.pad(scores, ((0, 0), (0, -width % _STEP)))
    return np.asarray(padded.reshape(height, -1, _STEP).max(2), np.float32)


def _scale(grid: Grid) -> int:
    return max(
        scale for scale in _SCALES if scale == 1 or min(grid.pitch_x, grid.pitch_y) / scale >= _SMALLEST
    )


def _confirmed(brightness: Pixels, grid: Grid, shortest: int) -> Grid | None:
    scale = _scale(grid)
    lines = find_lines(shrunk(brightness, scale), shortest)
    expected = shrunk_grid(grid, scale)
    moved = nearest(profiles(lines), expected, -(-_NEAR // scale))
    if not _there(lines, moved):
        return None
    if moved == expected:
        return grid
    around = profiles(find_lines(brightness, shortest * scale))
    return centred(around, nearest(around, grid, _NEAR))


def _there(lines: Lines, grid: Grid) -> bool:
    """Return whether lines support the grid, its outermost rows and columns too."""
    value, weakest = _support(lines, grid)
    return value >= _WEAKEST and weakest >= _EDGE


def _support(lines: Lines, grid: Grid) -> tuple[float, float]:
    """Return the score of a grid, and the support of that outermost row or column which has least.

    A grid beside the board shares most cells with it, but not the outermost.
    """
    samples = sample(lines, grid)
    support = samples.support(samples.reference())
    cells = support.cells
    edges = (cells[0], cells[-1], cells[:, 0], cells[:, -1])
    value = float(cells.mean() - support.middle.mean()) * fewness(grid)
    return value, min(float(edge.mean()) for edge in edges)
