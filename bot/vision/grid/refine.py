"""Measuring a grid that was found in a small copy of the picture, in the picture itself."""

from __future__ import annotations

import numpy as np

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.lines import find_lines
from bot.vision.grid.measure import centred, enlarged, measured, nearest, stepped
from bot.vision.grid.uneven import evened


def refined(brightness: Pixels, grid: Grid, scale: int, shortest: int) -> Grid:
    """Return a grid found in a copy 1 / ``scale`` the size in pixels of the picture, measured there."""
    corner = enlarged(grid, scale)
    height, width = brightness.shape
    area = corner.rect.grown(3 * scale).intersection(Rect(0, 0, width, height))
    cut = np.ascontiguousarray(brightness[area.y : area.bottom, area.x : area.right])
    lines = find_lines(cut, shortest * scale)
    inside = evened(cut, stepped(cut, measured(lines, corner.moved(-area.x, -area.y))))
    return centred(lines, nearest(lines, inside, 1)).moved(area.x, area.y)
