"""Confirming that a grid found before is still where it was."""

from __future__ import annotations

import numpy as np

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.lattice import sample, score
from bot.vision.grid.lines import Lines, find_lines, grey, shrunk
from bot.vision.grid.measure import centred, nearest, shrunk_grid
from bot.vision.grid.search import LENGTHS, SCALES, WEAKEST

_NEAR = 2  # pixels a board may move and still count as the same
_SMALLEST = 11.0  # pixels of a cell in the copy of the picture that is looked at
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


def _confirmed(brightness: Pixels, grid: Grid, shortest: int) -> Grid | None:
    scale = max(scale for scale in SCALES if scale == 1 or grid.pitch_x / scale >= _SMALLEST)
    lines = find_lines(shrunk(brightness, scale), shortest)
    expected = shrunk_grid(grid, scale)
    moved = nearest(lines, expected, -(-_NEAR // scale))
    if score(lines, moved) < WEAKEST or not _enclosed(lines, moved):
        return None
    if moved == expected:
        return grid
    lines = find_lines(brightness, shortest * scale)
    return centred(lines, nearest(lines, grid, _NEAR))


def _enclosed(lines: Lines, grid: Grid) -> bool:
    """Return whether the outermost rows and columns are there too, so that it is not the board next to it."""
    samples = sample(lines, grid)
    cells = samples.support(samples.reference()).cells
    return min(float(np.mean(edge)) for edge in (cells[0], cells[-1], cells[:, 0], cells[:, -1])) >= _EDGE
