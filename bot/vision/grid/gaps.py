"""Gaps between cells that all look alike, as on a fresh board of flat cells: lines tell but one side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.lines import grey
from bot.vision.grid.measure import edge_profiles

Floats = npt.NDArray[np.float64]

_FAINTEST = 1.0  # grey levels
_WIDEST = 0.35  # of a cell
_AS_STRONG = 0.5  # of the stronger edge of a gap, the other one
_OTHERS = 0.25  # of it, all others: cells have no more than two edges


def between_gaps(pixels: Pixels, grid: Grid) -> Grid:
    """Return ``grid`` on a BGR picture moved to the middle of the gaps between cells; itself if it has none.

    Only the two edges of a gap may stand out from a cell, so this is for boards whose cells are all alike.
    """
    rect = grid.rect.intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    edges = edge_profiles(grey(pixels[rect.y : rect.bottom, rect.x : rect.right]))
    return grid.moved(
        _off_middle(edges.across, grid.x - rect.x - 1, grid.pitch_x, grid.cols),
        _off_middle(edges.down, grid.y - rect.y - 1, grid.pitch_y, grid.rows),
    )


def _off_middle(profile: Floats, start: float, pitch: float, count: int) -> float:
    """Return how far the middle of the gaps is from the lines of a grid; 0 if there are no gaps.

    ``profile`` has the mean step from each pixel to the next, and the first line is at ``start`` in it.
    """
    phases = np.arange(round(pitch), dtype=np.float64)
    places = start + phases[:, None] + pitch * np.arange(1, count - 1)
    strengths = np.interp(places.ravel(), np.arange(len(profile)), profile).reshape(places.shape).mean(1)
    *others, second, strongest = np.sort(strengths)
    if second < max(_FAINTEST, _AS_STRONG * strongest) or max(others) > _OTHERS * strongest:
        return 0.0
    one, other = np.sort(np.argsort(strengths)[-2:])
    first, last = (one, other) if other - one <= pitch / 2 else (other, one + pitch)
    middle = float(first + last) / 2 % pitch
    return middle - pitch * (middle > pitch / 2) if last - first <= _WIDEST * pitch else 0.0
