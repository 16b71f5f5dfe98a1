"""Grids that have grown in a picture, and which other seeds they account for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Rect
from bot.vision.grid.comb import WINDOW, Comb, Seed
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
    """A grid in pixels of the picture, the rectangle around it, its score, the support of its cells."""

    grid: Grid
    rect: Rect
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
        x, y, side = scale * seed.window.x, scale * seed.window.y, scale * WINDOW
        rect = self.rect
        apart = x >= rect.right or y >= rect.bottom or x + side <= rect.x or y + side <= rect.y
        if apart:
            return self.endless and self._continues(seed, x + side / 2, y + side / 2, scale)
        part = Rect(x, y, side, side).intersection(rect)
        if self._continues(seed, part.x + part.width / 2, part.y + part.height / 2, scale):
            return True
        return (
            self.score >= CERTAIN
            and part.width * part.height > _MOSTLY * side * side
            and self._supported(part)
        )

    def _continues(self, seed: Seed, x: float, y: float, scale: int) -> bool:
        """Return whether the lines of the seed around (x, y) in the picture are those of this grid."""
        grid = self.grid
        return _alike(seed.across, grid.x / scale, grid.pitch_x / scale, x / scale) and _alike(
            seed.down, grid.y / scale, grid.pitch_y / scale, y / scale
        )

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
    whole = enlarged(grid, scale)
    return Grown(whole, whole.rect, score, support.cells - support.middle)


def _alike(comb: Comb, offset: float, pitch: float, near: float) -> bool:
    """Return whether a comb has the same lines around a place as another one of this offset and pitch."""
    if abs(comb.pitch / pitch - 1) > _STEP:
        return False
    phase = (near - comb.offset) / comb.pitch - (near - offset) / pitch
    return abs(phase - round(phase)) <= _PHASE
