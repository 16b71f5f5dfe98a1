"""At which sides of a grid the picture ends within the board, so that some of its cells cannot be seen."""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.grid.lines import Lines

_LEAST = 0.2  # of a cell between the grid and the picture's border, for its lines to be seen there
_AS_STRONG = 0.6  # strength of lines there, relative to those in the outermost whole cells


class Side(Enum):
    """A side of a board."""

    TOP = "top"
    LEFT = "left"
    BOTTOM = "bottom"
    RIGHT = "right"


def cut_sides(lines: Lines, grid: Grid) -> frozenset[Side]:
    """Return the sides at which a part of a cell is left between the grid and the border of the picture.

    A board that is cut off exactly between two cells looks like a whole one, and a frame narrower than a cell
    is no part of one: the lines between rows or columns do not run on in it.
    """
    xs = grid.x + grid.pitch_x * np.arange(grid.cols + 1)
    ys = grid.y + grid.pitch_y * np.arange(grid.rows + 1)
    across, down = lines.near_horizontal, lines.near_vertical.T
    ends = {
        Side.LEFT: _runs_on(across, ys, grid.x, grid.pitch_x),
        Side.RIGHT: _runs_on(across[:, ::-1], ys, across.shape[1] - grid.x - grid.width, grid.pitch_x),
        Side.TOP: _runs_on(down, xs, grid.y, grid.pitch_y),
        Side.BOTTOM: _runs_on(down[:, ::-1], xs, down.shape[1] - grid.y - grid.height, grid.pitch_y),
    }
    return frozenset(side for side, cut in ends.items() if cut)


def _runs_on(strengths: Pixels, lines: npt.NDArray[np.floating], rest: float, pitch: float) -> bool:
    """Return whether ``lines`` (rows of ``strengths``) run on in the first ``rest`` columns."""
    if not _LEAST * pitch <= rest < pitch:
        return False
    rows = np.clip(np.rint(lines[1:-1]).astype(np.intp), 0, len(strengths) - 1)
    beyond, inside = strengths[rows, : round(rest)], strengths[rows, round(rest) : round(rest + pitch)]
    return bool(beyond.mean() >= _AS_STRONG * inside.mean() > 0)
