"""Fitting a grid to what a skin shows on it: exact origin and pitch, rows and columns too many or too few.

A locator that knows no skin may be a pixel or two off and may take a frame for a row of cells. Once a skin
is supposed, its pictures say where the cells are: the fit is the one at which they are nearest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.cells import distances, read_pictures
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of, smoothed, unstretched
from bot.vision.tone import Tone

_SAMPLE = 6  # rows and columns that are looked at while fitting
_FAR = 45.0  # distances count no more than this, so that a covered cell cannot outweigh the others
_NOTHING = 43.0  # so far off are no cells that are two pixels away
_HOPELESS = 30.0  # nothing that is so far off is a board of the skin
_STEPS = (2.0, 1.0, 0.5, 0.25)
_NATIVE_STEPS = (2.0, 1.0)
_SAME = 0.7  # pixels over the whole board: a pitch this near to a usual one is that one
_SIMILAR = 4.0  # pixels over the whole board: a pitch this near to a usual one may be that one
_CLEARLY = 0.9  # another pitch must bring the cells nearer by this factor
_USUAL = 4  # usual scales are multiples of a quarter
_PART = 0.3  # of its cells must show the skin for another row or column to belong to the board
_LONGEST = 100  # rows or columns


def fit(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Grid | None:
    """Return ``grid`` moved and stretched by a little to where the cells of ``skin`` are nearest.

    Return None if they are far from it everywhere near: this is no board of that skin.
    """
    usual = _usual(grid, skin)
    off = max(abs(usual.width - grid.width), abs(usual.height - grid.height))
    starts = [usual] if off <= _SAME else [usual, grid] if off <= _SIMILAR else [grid]
    surroundings = _surroundings(pixels, grid, skin, tone)
    found = [_climb(surroundings, start) for start in starts]
    best, cost = found[0]
    if found[-1][1] < _CLEARLY * cost:
        best, cost = found[-1]
    return best if cost <= _HOPELESS else None


@dataclass(frozen=True, slots=True, eq=False)
class _Surroundings:
    """What is looked at while fitting: the picture around the board, softened, and where its top left is."""

    area: Pixels
    left: int
    top: int
    skin: Skin
    tone: Tone

    def cost(self, grid: Grid) -> float:
        """Return how far a sample of the cells of ``grid`` is from any state, on average."""
        cell = self.skin.cell
        x = grid.x - self.left + _middles(grid.cols, cell) * grid.pitch_x - 0.5
        y = grid.y - self.top + _middles(grid.rows, cell) * grid.pitch_y - 0.5
        across, down = np.broadcast_to(x, (len(y), len(x))), np.broadcast_to(y[:, None], (len(y), len(x)))
        maps = np.ascontiguousarray(across, np.float32), np.ascontiguousarray(down, np.float32)
        canvas = cv2.remap(self.area, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        nearest = distances(canvas.astype(np.uint8), self.tone, self.skin, scale_of(grid, cell)).min(0)
        return float(np.minimum(nearest, _FAR).mean())


def _surroundings(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> _Surroundings:
    rect = grid.rect.grown(round(max(grid.pitch_x, grid.pitch_y)))
    left, top = max(0, rect.x), max(0, rect.y)
    area = pixels[top : max(top + 1, rect.bottom), left : max(left + 1, rect.right)]
    if area.size == 0:
        area = np.zeros((1, 1, 3), np.uint8)
    return _Surroundings(smoothed(area, grid, skin.cell), left, top, skin, tone)


def _climb(surroundings: _Surroundings, grid: Grid) -> tuple[Grid, float]:
    """Return the grid near this one at which the cells are nearest, and how far they still are."""
    native = grid.pitch_x == grid.pitch_y == surroundings.skin.cell
    if native:
        grid = replace(grid, x=float(round(grid.x)), y=float(round(grid.y)))
    best, cost = grid, surroundings.cost(grid)
    if cost >= _NOTHING:
        return best, cost
    known = {grid}
    for step in _NATIVE_STEPS if native else _STEPS:
        improved = step >= 1 or cost <= _HOPELESS
        while improved:
            improved = False
            for other in _neighbours(best, step, pitch=not native and step < 1):
                value = surroundings.cost(other) if other not in known and _near(other, grid) else inf
                known.add(other)
                if value < cost - 1e-3:
                    best, cost, improved = other, value, True
    return best, cost


def extent(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> Grid:
    """Return ``grid`` without outer rows and columns that are no cells, and with those that were missed."""
    for side in range(4):
        while min(grid.rows, grid.cols) > 2 and _shown(pixels, outermost(grid, side), skin, tone) == 0:
            grid = resized(grid, side, -1)
        while max(grid.rows, grid.cols) < _LONGEST:
            larger = resized(grid, side, 1)
            if _shown(pixels, outermost(larger, side), skin, tone) < _PART:
                break
            grid = larger
    return grid


def _usual(grid: Grid, skin: Skin) -> Grid:
    """Return the grid at the nearest usual scale, with the same middle."""
    pitch = max(1, round(_USUAL * (grid.pitch_x + grid.pitch_y) / 2 / skin.cell)) / _USUAL * skin.cell
    x, y = grid.x + grid.cols * (grid.pitch_x - pitch) / 2, grid.y + grid.rows * (grid.pitch_y - pitch) / 2
    return Grid(x, y, pitch, pitch, grid.rows, grid.cols)


def _neighbours(grid: Grid, step: float, pitch: bool) -> list[Grid]:
    found = [grid.moved(dx, dy) for dx, dy in ((step, 0), (-step, 0), (0, step), (0, -step))]
    for wider in (step, -step) if pitch else ():
        found.append(replace(grid, pitch_x=grid.pitch_x + wider / grid.cols))
        found.append(replace(grid, pitch_y=grid.pitch_y + wider / grid.rows))
    return found


def _near(grid: Grid, start: Grid) -> bool:
    limit = 3 * max(1.0, start.pitch_x / 16)
    right, bottom = grid.x + grid.width, grid.y + grid.height
    moves = (
        grid.x - start.x,
        grid.y - start.y,
        right - start.x - start.width,
        bottom - start.y - start.height,
    )
    return max(map(abs, moves)) <= limit


@lru_cache(maxsize=256)
def _middles(count: int, cell: int) -> npt.NDArray[np.float64]:
    """Return the middles of the pixels of some cells, of ``count``, from the first on; in cells."""
    sampled = sorted({round(index) for index in np.linspace(0, count - 1, min(count, _SAMPLE))})
    return (np.array(sampled)[:, None] + (np.arange(cell) + 0.5) / cell).reshape(-1)


def resized(grid: Grid, side: int, by: int) -> Grid:
    """Return the grid with ``by`` more rows at the top (0) or bottom (1), columns left (2) or right (3)."""
    if side == 0:
        return replace(grid, y=grid.y - by * grid.pitch_y, rows=grid.rows + by)
    if side == 1:
        return replace(grid, rows=grid.rows + by)
    if side == 2:
        return replace(grid, x=grid.x - by * grid.pitch_x, cols=grid.cols + by)
    return replace(grid, cols=grid.cols + by)


def outermost(grid: Grid, side: int) -> Grid:
    """Return the outermost row (sides 0 and 1) or column (2 and 3) as a grid of its own."""
    if side == 0:
        return replace(grid, rows=1)
    if side == 1:
        return replace(grid, y=grid.y + (grid.rows - 1) * grid.pitch_y, rows=1)
    if side == 2:
        return replace(grid, cols=1)
    return replace(grid, x=grid.x + (grid.cols - 1) * grid.pitch_x, cols=1)


def _shown(pixels: Pixels, line: Grid, skin: Skin, tone: Tone) -> float:
    """Return which part of the cells in a row or column can be read with the skin."""
    cells = read_pictures(unstretched(pixels, line, skin.cell), tone, skin, scale_of(line, skin.cell))
    return float((cells.readable & inside(pixels, line)).mean())
