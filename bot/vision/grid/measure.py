"""Measuring a grid exactly: corner and pitch to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.lines import Lines

Floats = npt.NDArray[np.float64]

_FEWEST = 4  # cells in a row for their outermost lines to be left out
_AROUND = 12  # pixels beside a grid, and what it may move, within which its lines are looked for
_REACH = 0.15  # of a cell, by which the middle of a first guess may be off
_DRIFT = 6.0  # pixels, over all cells, by which a first guess of the pitch may be wrong
_ROUNDING = 1.5  # pixels, over all cells, by which a pitch of whole pixels may seem to be off
_FINE = 4  # places a pixel at which profiles are looked up
_AS_MUCH = 0.85  # of what a fitted pitch gathers, for one of whole pixels to be taken
_GAP = 0.16  # part of a cell within which two equal edges are the sides of a gap
_TWIN = 0.85  # strength of the second edge of a gap relative to the first
_BOTH = 0.6  # the same between the two edges of a frame, which is at the middle of the gaps
_CLEAR = 2.0  # times the strength of other edges near the outermost lines that a frame has
_STRAY = 0.6  # pixels by which a line may be off the straight line through all


def size(lines: Lines) -> tuple[int, int]:
    """Return width and height of the picture."""
    return lines.horizontal.shape[1], lines.vertical.shape[0]


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


def measured(lines: Lines, grid: Grid) -> Grid:
    """Return ``grid`` with corner and pitch fitted to the lines under it."""
    width, height = size(lines)
    inside, around = (
        grid.rect.grown(margin).intersection(Rect(0, 0, width + 1, height + 1))
        for margin in (4, _AROUND + round(_REACH * max(grid.pitch_x, grid.pitch_y)))
    )
    across = profile(lines.vertical[inside.y : inside.bottom, around.x : around.right], 0)
    down = profile(lines.horizontal[around.y : around.bottom, inside.x : inside.right], 1)
    return fitted(Profiles(across, down), grid.moved(-around.x, -around.y)).moved(around.x, around.y)


def fitted(around: Profiles, grid: Grid) -> Grid:
    """Return ``grid`` with corner and pitch fitted to what is around it."""
    x, pitch_x = _measure(around.across, grid.x, grid.pitch_x, grid.cols)
    y, pitch_y = _measure(around.down, grid.y, grid.pitch_y, grid.rows)
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols)


def _measure(profile: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return offset and pitch of ``count + 1`` lines that gather most of ``profile``, near a first guess."""
    indices = np.arange(1, count) if count > _FEWEST else np.arange(count + 1)  # frames disturb the outermost
    drift = min(_DRIFT, 0.04 * pitch * count)
    pitches = pitch + np.arange(-drift, drift + 0.1, 0.5) / count
    reach = max(2.0, _REACH * pitch)
    middle = start + pitch * count / 2 + np.arange(-reach, reach + 0.1, 0.5)
    fine = np.interp(np.arange(0, len(profile) - 1, 1 / _FINE), np.arange(len(profile)), profile)
    starts = np.rint(_FINE * middle).astype(np.intp)[:, None, None]
    places = starts + np.rint(_FINE * (indices - count / 2) * pitches[:, None]).astype(np.intp)
    sums = fine.take(places, mode="clip").mean(2)
    offset, step = np.unravel_index(int(sums.argmax()), sums.shape)
    lines = middle[offset] + (np.arange(count + 1) - count / 2) * pitches[step]
    return _regressed(profile, lines)


def _regressed(profile: Floats, lines: Floats) -> tuple[float, float]:
    """Return offset and pitch of the straight line through the centres of weight near ``lines``."""
    near = np.rint(lines).astype(np.intp)[:, None] + np.arange(-1, 2)
    weights = profile[np.clip(near, 0, len(profile) - 1)] ** 2 + 1e-9
    centres = (near * weights).sum(1) / weights.sum(1)
    indices, trust = np.arange(len(lines)), weights.sum(1)
    start, pitch = _straight(indices[1:-1], centres[1:-1], trust[1:-1])
    # Beside the outermost lines there often is a frame, which may be taken for them.
    kept = np.abs(start + pitch * indices - centres) < _STRAY
    if kept.sum() > 2:
        start, pitch = _straight(indices[kept], centres[kept], trust[kept])
    return _snapped(profile, start, pitch, indices)


def _straight(indices: npt.NDArray[np.intp], centres: Floats, trust: Floats) -> tuple[float, float]:
    """Return start and slope of the straight line that is nearest to ``centres`` by least squares."""
    weights = trust / trust.sum()
    mean_index, mean_centre = weights @ indices, weights @ centres
    apart = indices - mean_index
    slope = float((weights * apart) @ centres / ((weights * apart) @ apart))
    return float(mean_centre - slope * mean_index), slope


def _snapped(
    profile: Floats, start: float, pitch: float, indices: npt.NDArray[np.intp]
) -> tuple[float, float]:
    """Return whole pixels if lines there gather about as much of ``profile``.

    Most games draw cells of whole pixels; lines one pixel wide have two edges, and which of them is stronger
    changes from row to row, so that a fitted pitch is a bit off.
    """
    whole = round(pitch)
    if abs(pitch - whole) * indices[-1] > _ROUNDING:
        return start, pitch
    near = round(start + (pitch - whole) * float(indices.mean())) + np.arange(-1, 2)
    sums = profile[np.clip(near[:, None] + whole * indices, 0, len(profile) - 1)].sum(1)
    fitted = np.interp(start + pitch * indices, np.arange(len(profile)), profile).sum()
    return (float(near[sums.argmax()]), float(whole)) if sums.max() >= _AS_MUCH * fitted else (start, pitch)


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
