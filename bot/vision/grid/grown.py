"""Grids that have grown in a picture, and which other seeds they account for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Rect
from bot.vision.grid.comb import Comb, Seed
from bot.vision.grid.growth import FARTHEST
from bot.vision.grid.lattice import sample
from bot.vision.grid.lines import Lines
from bot.vision.grid.measure import enlarged

Floats = npt.NDArray[np.float32]

CERTAIN = 0.6  # a grid with such a score accounts for every seed in its place
_AS_GOOD = 0.6  # of the support of a whole grid: where there is less, it does not account for the lines
_MOSTLY = 0.5  # part of a window that has to be inside
_STEP = 0.08  # by which steps of the same lines may differ, relative
_PHASE = 0.2  # of a cell, by which their places may


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """A grid in pixels of the picture, its score, and how well lines support each of its cells."""

    grid: Grid
    score: float
    support: Floats

    @property
    def endless(self) -> bool:
        """Whether it is larger than any board: a pattern, of which only a part was looked at."""
        return max(self.grid.rows, self.grid.cols) >= FARTHEST - 2

    def explains(self, seed: Seed, scale: int) -> bool:
        """Return whether this grid accounts for a seed in a copy of the picture 1 / ``scale`` the size.

        It does where the seed's lines are its own, and if it is certain, for whatever else its cells show:
        every second line, or pictures on them. A pattern around a board may seem to go on behind it; but
        there lines do not support its cells.
        """
        x, y, width, height = (scale * size for size in (seed.window.x, seed.window.y, *seed.window.size))
        part = Rect(x, y, width, height).intersection(self.grid.rect)
        if part.empty and not self.endless:
            return False
        if self._continues(seed, Rect(x, y, width, height) if part.empty else part, scale):
            return True
        return (
            self.score >= CERTAIN
            and part.width * part.height > _MOSTLY * width * height
            and self._supported(part)
        )

    def _continues(self, seed: Seed, part: Rect, scale: int) -> bool:
        """Return whether the lines of the seed are those of this grid."""
        grid = self.grid
        x, y = (part.x + part.width / 2) / scale, (part.y + part.height / 2) / scale
        across = Comb(grid.x / scale, grid.pitch_x / scale)
        down = Comb(grid.y / scale, grid.pitch_y / scale)
        return _alike(seed.across, across, x) and _alike(seed.down, down, y)

    def _supported(self, part: Rect) -> bool:
        """Return whether the cells in this part of the picture are supported like the others."""
        grid = self.grid
        left, right = ((x - grid.x) / grid.pitch_x for x in (part.x, part.right))
        top, bottom = ((y - grid.y) / grid.pitch_y for y in (part.y, part.bottom))
        cells = self.support[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)]
        return cells.size == 0 or bool(cells.mean() >= _AS_GOOD * self.support.mean())


def grown_from(lines: Lines, grid: Grid, score: float, scale: int) -> Grown:
    """Return a grid that grew from ``lines``, which are those of a copy 1 / ``scale`` the size."""
    samples = sample(lines, grid)
    support = samples.support(samples.reference())
    return Grown(enlarged(grid, scale), score, support.cells - support.middle)


def _alike(one: Comb, other: Comb, near: float) -> bool:
    """Return whether two combs have the same lines around a place."""
    if abs(one.pitch / other.pitch - 1) > _STEP:
        return False
    phase = (near - one.offset) / one.pitch - (near - other.offset) / other.pitch
    return abs(phase - round(phase)) <= _PHASE
