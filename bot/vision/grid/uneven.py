"""Boards whose cells are not all of one size: a toolkit that has pixels left over gives them to some columns.

The grid that fits most lines is then off at the other end of the board. Here every line is looked for beside
its neighbour, from the middle outwards, and the grid is laid through all of them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.measure import edge_profiles

Floats = npt.NDArray[np.floating]

_AROUND = 0.3  # of a cell on both sides of a line: what is compared, so that gaps and bevels count
_BETTER = 1.08  # likeness that a line needs to be beside the place where its neighbour makes it expected
_GAIN = 1.05  # likeness of all lines that makes up for a grid of cells of one size
_FARTHEST = 2.5  # pixels by which a line may be off the grid that is laid through all
_LEAST = 1.2  # pixels, over all cells, that make a difference


def evened(brightness: Pixels, grid: Grid) -> Grid:
    """Return ``grid`` laid through all its lines in a grey picture, if not all cells are of one size."""
    rect = grid.rect.grown(int(max(grid.pitch_x, grid.pitch_y) / 2))
    rect = rect.intersection(Rect(0, 0, brightness.shape[1], brightness.shape[0]))
    across, down = edge_profiles(brightness[rect.y : rect.bottom, rect.x : rect.right])
    x, pitch_x = _laid(across, grid.x - rect.x - 1, grid.pitch_x, grid.cols)
    y, pitch_y = _laid(down, grid.y - rect.y - 1, grid.pitch_y, grid.rows)
    return replace(grid, x=x + rect.x + 1, y=y + rect.y + 1, pitch_x=pitch_x, pitch_y=pitch_y)


def _laid(profile: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return offset and pitch of a straight line through all lines, or those given if that is no better."""
    around = np.arange(-int(_AROUND * pitch), int(_AROUND * pitch) + 1)
    lines = start + pitch * np.arange(count + 1)
    moves = _followed(profile, lines, around)
    model = _around(profile, lines + moves, around).mean(0)
    fixed, moved = (float((_around(profile, at, around) @ model).sum()) for at in (lines, lines + moves))
    slope, offset = np.polyfit(np.arange(count + 1), moves, 1)
    off = np.abs(moves - offset - slope * np.arange(count + 1)).max()
    if moved < _GAIN * fixed or off > _FARTHEST or abs(slope) * count < _LEAST:
        return start, pitch
    return start + float(offset), pitch + float(slope)


def _followed(profile: Floats, lines: Floats, around: npt.NDArray[np.intp]) -> Floats:
    """Return by how many pixels each line is off, each at most one more than the line before it."""
    model = _around(profile, lines, around).mean(0)
    moves = np.zeros(len(lines))
    middle = len(lines) // 2
    for order in (range(middle + 1, len(lines)), range(middle - 1, -1, -1)):
        expected = 0.0
        for line in order:
            tries = lines[line] + expected + np.array([0.0, -1.0, 1.0])
            likeness = _around(profile, tries, around) @ model
            best = int(likeness.argmax())
            expected += (0.0, -1.0, 1.0)[best] if likeness[best] > _BETTER * likeness[0] else 0.0
            moves[line] = expected
    return moves


def _around(profile: Floats, places: Floats, around: npt.NDArray[np.intp]) -> Floats:
    """Return the profile around each place, less its mean: (places, around)."""
    near = profile.take(np.rint(places).astype(np.intp)[:, None] + around, mode="clip")
    return np.asarray(near - near.mean(1, keepdims=True), np.float64)
