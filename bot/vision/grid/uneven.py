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
_TRIES = np.array([0.0, -1.0, 1.0])  # pixels by which a line may be farther off than the one before it


def evened(brightness: Pixels, grid: Grid) -> Grid:
    """Return ``grid`` laid through all its lines in a grey picture, if not all cells are of one size."""
    rect = grid.rect.grown(int(max(grid.pitch_x, grid.pitch_y) / 2))
    rect = rect.intersection(Rect(0, 0, brightness.shape[1], brightness.shape[0]))
    edges = edge_profiles(brightness[rect.y : rect.bottom, rect.x : rect.right])
    x, pitch_x = _laid(edges.across, grid.x - rect.x - 1, grid.pitch_x, grid.cols)
    y, pitch_y = _laid(edges.down, grid.y - rect.y - 1, grid.pitch_y, grid.rows)
    return replace(grid, x=x + rect.x + 1, y=y + rect.y + 1, pitch_x=pitch_x, pitch_y=pitch_y)


def _laid(profile: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return offset and pitch of a straight line through all lines, or those given if that is no better."""
    indices, reach = np.arange(count + 1), int(_AROUND * pitch)
    lines = start + pitch * indices
    likeness = _likeness(profile, _model(profile, lines, reach))
    moves = _followed(likeness, lines)
    model = _model(profile, lines + moves, reach)
    fixed, moved = (float(_at(_likeness(profile, model), at).sum()) for at in (lines, lines + moves))
    slope, offset = np.polyfit(indices, moves, 1)
    off = np.abs(moves - offset - slope * indices).max()
    if moved < _GAIN * fixed or off > _FARTHEST or abs(slope) * count < _LEAST:
        return start, pitch
    return start + float(offset), pitch + float(slope)


def _followed(likeness: Floats, lines: Floats) -> Floats:
    """Return by how many pixels each line is off, each at most one more than the line before it."""
    moves = np.zeros(len(lines))
    middle = len(lines) // 2
    for order in (range(middle + 1, len(lines)), range(middle - 1, -1, -1)):
        expected = 0.0
        for line in order:
            same, less, more = _at(likeness, lines[line] + expected + _TRIES).tolist()
            if max(less, more) > _BETTER * same:
                expected += 1.0 if more > less else -1.0
            moves[line] = expected
    return moves


def _model(profile: Floats, lines: Floats, reach: int) -> Floats:
    """Return what is around a line on average, ``reach`` pixels to both sides, less its mean."""
    around = np.rint(lines).astype(np.intp)[:, None] + np.arange(-reach, reach + 1)
    near = profile.take(around, mode="clip").mean(0)
    return np.asarray(near - near.mean(), np.float64)


def _likeness(profile: Floats, model: Floats) -> Floats:
    """Return how much the surroundings of every place are like ``model``."""
    reach = len(model) // 2
    return np.correlate(np.pad(profile, reach, mode="edge"), model, "valid")


def _at(likeness: Floats, places: Floats) -> Floats:
    return likeness.take(np.rint(places).astype(np.intp), mode="clip")
