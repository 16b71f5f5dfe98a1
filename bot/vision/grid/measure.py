"""Where the lines of a grid lie, to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.grid.lines import Lines

Floats = npt.NDArray[np.float64]

_GAP = 0.16  # part of a cell within which two equal edges are the sides of a gap
_TWIN = 0.85  # strength of the second edge of a gap relative to the first
_BOTH = 0.6  # the same between the two edges of a frame, which is at the middle of the gaps
_CLEAR = 2.0  # times the strength of other edges near the outermost lines that a frame has


def shrunk_grid(grid: Grid, scale: int) -> Grid:
    """Return a grid as it is in a copy of the picture 1 / ``scale`` the size."""
    x, y, pitch_x, pitch_y = (value / scale for value in (grid.x, grid.y, grid.pitch_x, grid.pitch_y))
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols)


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """The mean strength of each column (``across``) and of each row (``down``) of a part of a picture."""

    across: Floats
    down: Floats


def profiles(lines: Lines) -> Profiles:
    """Return the profiles of all lines."""
    return Profiles(profile(lines.vertical, 0), profile(lines.horizontal, 1))


def profile(strengths: Pixels, axis: int) -> Floats:
    """Return the mean strength of each column (``axis`` 0) or row (1)."""
    means = cv2.reduce(strengths, axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(means.ravel(), np.float64)


def centred(around: Profiles, grid: Grid) -> Grid:
    """Return ``grid`` moved to the middle of the gaps between cells, if each gap has two edges."""
    xs = grid.x + grid.pitch_x * np.arange(grid.cols + 1, dtype=np.float64)
    ys = grid.y + grid.pitch_y * np.arange(grid.rows + 1, dtype=np.float64)
    return grid.moved(
        _to_middle(around.across, xs, _GAP * grid.pitch_x), _to_middle(around.down, ys, _GAP * grid.pitch_y)
    )


def _to_middle(profile: Floats, positions: Floats, farthest: float) -> float:
    moves = np.arange(-int(farthest), int(farthest) + 1)
    near = np.interp((positions + moves[:, None]).ravel(), np.arange(len(profile)), profile)
    table = near.reshape(len(moves), -1)
    strengths, ends = table[:, 1:-1].mean(1), np.minimum(table[:, 0], table[:, -1])
    edges = moves[strengths >= _TWIN * strengths.max()]
    # Neighbouring pixels are one blurred edge, not two.
    if edges[-1] - edges[0] >= 2:
        return float(edges[0] + edges[-1]) / 2
    return float(moves[ends.argmax()]) if _framed(strengths, ends) else 0.0


def _framed(strengths: Floats, ends: Floats) -> bool:
    """Return whether both outermost lines are clear edges of a frame, between the two edges of each gap.

    ``strengths`` and ``ends`` are those of the other lines and of the outermost by how far they are moved.
    """
    frame = int(ends.argmax())
    if not 2 <= frame < len(ends) - 2:
        return False
    others = np.delete(ends, np.s_[frame - 1 : frame + 2])
    weaker = min(strengths[:frame].max(), strengths[frame + 1 :].max())
    clear = ends[frame] >= strengths.max() and _CLEAR * others.max() <= ends[frame]
    return bool(clear and _BOTH * strengths.max() <= weaker and strengths[frame] <= _BOTH * weaker)


def nearest(around: Profiles, grid: Grid, farthest: int) -> Grid:
    """Return ``grid`` moved by up to ``farthest`` whole pixels each way to where its lines are strongest."""
    xs = grid.x + grid.pitch_x * np.arange(grid.cols + 1, dtype=np.float64)
    ys = grid.y + grid.pitch_y * np.arange(grid.rows + 1, dtype=np.float64)
    return grid.moved(
        _best_move(around.across, xs, farthest),
        _best_move(around.down, ys, farthest),
    )


def _best_move(profile: Floats, positions: Floats, farthest: int) -> int:
    moves = sorted(range(-farthest, farthest + 1), key=abs)
    strengths = [np.interp(positions + move, np.arange(len(profile)), profile).mean() for move in moves]
    best = int(np.argmax(strengths))
    # A line two pixels wide has two equal edges: stay unless another place is clearly better.
    return moves[best] if strengths[best] > 1.02 * strengths[0] else 0
