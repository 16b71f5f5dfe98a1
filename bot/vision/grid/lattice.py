"""How well lines support the cells of a grid, and the rectangle of cells that they support best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.grid.lines import Lines

Floats = npt.NDArray[np.float32]
_ALONG = np.array([0.2, 0.35, 0.5, 0.65, 0.8])  # where along a cell's side to look; corners are often round


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """How much of each side of each cell lies on a line: 0 to 1, rows x (cols + 1) and (rows + 1) x cols."""

    vertical: Floats
    horizontal: Floats

    @property
    def cells(self) -> Floats:
        """How well each cell is enclosed, (rows, cols): half the mean of its sides, half its second weakest.

        Cells of a board have lines on all sides, apart from one here and there; a place outside the board may
        have a frame or the board itself on one or two.
        """
        sides = np.stack(
            [self.vertical[:, :-1], self.vertical[:, 1:], self.horizontal[:-1], self.horizontal[1:]]
        )
        enclosed: Floats = (sides.mean(0) + np.partition(sides, 1, axis=0)[1]) / 2
        return enclosed


def support(lines: Lines, grid: Grid, reference: float) -> Support:
    """Return how well ``lines`` support ``grid``; a side of strength ``reference`` counts in full.

    Sides within a pixel of the picture's border count as supported, those outside as not.
    """
    xs = grid.x + grid.pitch_x * np.arange(grid.cols + 1)
    ys = grid.y + grid.pitch_y * np.arange(grid.rows + 1)
    along_x = (grid.x + grid.pitch_x * (np.arange(grid.cols)[:, None] + _ALONG)).ravel()
    along_y = (grid.y + grid.pitch_y * (np.arange(grid.rows)[:, None] + _ALONG)).ravel()
    vertical = _sampled(lines.vertical, along_y, xs, reference)
    horizontal = _sampled(lines.horizontal.T, along_x, ys, reference)
    return Support(
        vertical.reshape(grid.rows, -1, grid.cols + 1).mean(1),
        horizontal.reshape(grid.cols, -1, grid.rows + 1).mean(1).T,
    )


def _sampled(
    strengths: Pixels, along: npt.NDArray[np.floating], lines: npt.NDArray[np.floating], reference: float
) -> Floats:
    """Return the strength relative to ``reference`` at each place along each line, to a pixel either side."""
    height, width = strengths.shape
    rows, cols = np.floor(along).astype(np.intp), np.rint(lines).astype(np.intp)
    inside = ((rows >= 0) & (rows < height))[:, None] & ((cols >= -1) & (cols <= width))
    rows, cols = np.clip(rows, 0, height - 1)[:, None], np.clip(cols, 0, width - 1)
    near = [strengths[rows, np.clip(cols + step, 0, width - 1)] for step in (-1, 0, 1)]
    relative = np.minimum(np.maximum.reduce(near) / np.float32(reference), 1)
    at_border = (cols <= 1) | (cols >= width - 2)
    return np.where(inside, np.where(at_border, np.float32(1), relative), np.float32(0)).astype(np.float32)


def best_rectangle(gains: Floats) -> tuple[int, int, int, int]:
    """Return (top, left, bottom, right), ends exclusive, of the rectangle with the most ``gains``."""
    rows = len(gains)
    running = np.pad(np.cumsum(gains, axis=0), ((1, 0), (0, 0)))
    tops, bottoms = np.triu_indices(rows + 1, 1)
    sums = np.pad(np.cumsum(running[bottoms] - running[tops], axis=1), ((0, 0), (1, 0)))
    # The best strip between two rows ends where the running sum is farthest above its lowest value so far.
    above = sums - np.minimum.accumulate(sums, axis=1)
    strip, right = np.unravel_index(int(above.argmax()), above.shape)
    left = int(sums[strip, : right + 1].argmin())
    return int(tops[strip]), left, int(bottoms[strip]), int(right)
