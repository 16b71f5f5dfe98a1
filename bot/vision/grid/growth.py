"""Growing two crossing combs to the whole grid that they are part of, and measuring it exactly."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.grid.comb import Comb
from bot.vision.grid.lattice import best_rectangle, sample
from bot.vision.grid.lines import Lines, find_lines

Floats = npt.NDArray[np.float64]

FEWEST = 4  # rows or columns of a board
_FARTHEST = 60  # rows or columns that are looked at
_ROUNDS = 8
_DRIFT = 6.0  # pixels, over all cells, by which a first guess of the pitch may be wrong
_ROUNDING = 1.2  # pixels, over all cells, by which a pitch of whole pixels may seem to be off
_AS_MUCH = 0.85  # of what a fitted pitch gathers, for one of whole pixels to be taken
_GAP = 0.12  # part of a cell within which two equal edges are the sides of a gap
_TWIN = 0.85  # strength of the second edge of a gap relative to the first
_STRAY = 0.6  # pixels by which a line may be off the straight line through all
_OVER = 0.12  # part of a cell by which a grid may seem to leave the picture


def start(lines: Lines, across: Comb, down: Comb, window: Rect) -> Grid | None:
    """Return the grid of whole cells that two crossing combs make in ``window``, None if they are too few."""
    left, right = (round((edge - across.offset) / across.pitch) for edge in (window.x, window.right))
    top, bottom = (round((edge - down.offset) / down.pitch) for edge in (window.y, window.bottom))
    x, y = across.position(left), down.position(top)
    grid = _clipped(Grid(x, y, across.pitch, down.pitch, bottom - top, right - left), *_size(lines))
    return grid if min(grid.rows, grid.cols) >= FEWEST else None


def grow(lines: Lines, grid: Grid) -> Grid | None:
    """Return the whole grid that the cells of ``grid`` belong to, as far as lines support it.

    Extent and pitch are found in turns, since a pitch fitted to a few cells drifts over many.
    """
    width, height = _size(lines)
    for _ in range(_ROUNDS):
        before = grid
        wider = _clipped(_widened(grid), width, height)
        top, left = (round(a) for a in ((grid.y - wider.y) / grid.pitch_y, (grid.x - wider.x) / grid.pitch_x))
        samples = sample(lines, wider)
        reference = samples.reference(slice(top, top + grid.rows), slice(left, left + grid.cols))
        top, left, bottom, right = best_rectangle(samples.support(reference).gains)
        if min(bottom - top, right - left) < FEWEST:
            return None
        grid = measured(lines, _part(wider, top, left, bottom, right))
        if _alike(grid, before):
            break
    return grid


def _size(lines: Lines) -> tuple[int, int]:
    return lines.horizontal.shape[1], lines.vertical.shape[0]


def _widened(grid: Grid) -> Grid:
    rows, cols = (min(max(8, count), max(0, (_FARTHEST - count) // 2)) for count in (grid.rows, grid.cols))
    return _part(grid, -rows, -cols, grid.rows + rows, grid.cols + cols)


def _part(grid: Grid, top: int, left: int, bottom: int, right: int) -> Grid:
    """Return the cells from (top, left) up to (bottom, right), ends exclusive, as a grid."""
    x, y = grid.x + left * grid.pitch_x, grid.y + top * grid.pitch_y
    return replace(grid, x=x, y=y, rows=bottom - top, cols=right - left)


def _clipped(grid: Grid, width: int, height: int) -> Grid:
    """Return the cells that lie in the picture."""
    over_x, over_y = _OVER * grid.pitch_x, _OVER * grid.pitch_y
    left, top = (
        max(0, _ceil((-over_x - grid.x) / grid.pitch_x)),
        max(0, _ceil((-over_y - grid.y) / grid.pitch_y)),
    )
    right = min(grid.cols, int((width + over_x - grid.x) // grid.pitch_x))
    bottom = min(grid.rows, int((height + over_y - grid.y) // grid.pitch_y))
    return _part(grid, top, left, max(top, bottom), max(left, right))


def within(grid: Grid, window: Rect) -> Grid:
    """Return the whole cells of ``grid`` that lie in ``window``; there may be no rows or columns left."""
    part = _clipped(grid.moved(-window.x, -window.y), window.width, window.height)
    return part.moved(window.x, window.y)


def shrunk_grid(grid: Grid, scale: int) -> Grid:
    """Return a grid as it is in a copy of the picture 1 / ``scale`` the size."""
    x, y, pitch_x, pitch_y = (value / scale for value in (grid.x, grid.y, grid.pitch_x, grid.pitch_y))
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols)


def _ceil(value: float) -> int:
    return int(np.ceil(value))


def _alike(first: Grid, second: Grid) -> bool:
    """Return whether both have the same cells, each within half a pixel."""
    right, bottom = (
        second.x + second.width - first.x - first.width,
        second.y + second.height - first.y - first.height,
    )
    shifts = (first.x - second.x, first.y - second.y, right, bottom)
    same_cells = (first.rows, first.cols) == (second.rows, second.cols)
    return same_cells and max(abs(shift) for shift in shifts) < 0.5


def measured(lines: Lines, grid: Grid) -> Grid:
    """Return ``grid`` with corner and pitch fitted to the lines under it."""
    rect = grid.rect.grown(4).intersection(Rect(0, 0, *_size(lines)))
    rows, cols = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
    x, pitch_x = _measure(_profile(lines.vertical[rows], 0), grid.x, grid.pitch_x, grid.cols)
    y, pitch_y = _measure(_profile(lines.horizontal[:, cols], 1), grid.y, grid.pitch_y, grid.rows)
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols)


def _profile(strengths: Pixels, axis: int) -> Floats:
    """Return the mean strength of each column (``axis`` 0) or row (1)."""
    means = cv2.reduce(strengths, axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(means.ravel(), np.float64)


def _measure(profile: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return offset and pitch of ``count + 1`` lines that gather most of ``profile``, near a first guess."""
    indices = np.arange(1, count) if count > FEWEST else np.arange(count + 1)  # frames disturb the outermost
    drift = min(_DRIFT, 0.04 * pitch * count)
    pitches = pitch + np.arange(-drift, drift + 0.1, 0.5) / count
    reach = max(2.0, 0.15 * pitch)
    middle = start + pitch * count / 2 + np.arange(-reach, reach + 0.1, 0.5)
    positions = middle[:, None, None] + (indices - count / 2) * pitches[:, None]
    sums = np.interp(positions.ravel(), np.arange(len(profile)), profile).reshape(positions.shape).mean(2)
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


def centred(lines: Lines, grid: Grid) -> Grid:
    """Return ``grid`` moved to the middle of the gaps between cells, if each gap has two edges."""
    xs = grid.x + grid.pitch_x * np.arange(1, grid.cols, dtype=np.float64)
    ys = grid.y + grid.pitch_y * np.arange(1, grid.rows, dtype=np.float64)
    return grid.moved(
        _to_middle(_profile(lines.vertical, 0), xs, _GAP * grid.pitch_x),
        _to_middle(_profile(lines.horizontal, 1), ys, _GAP * grid.pitch_y),
    )


def _to_middle(profile: Floats, positions: Floats, farthest: float) -> float:
    moves = np.arange(-int(farthest), int(farthest) + 1)
    near = np.interp((positions + moves[:, None]).ravel(), np.arange(len(profile)), profile)
    strengths = near.reshape(len(moves), -1).mean(1)
    edges = moves[strengths >= _TWIN * strengths.max()]
    # Neighbouring pixels are one blurred edge, not two.
    return float(edges[0] + edges[-1]) / 2 if edges[-1] - edges[0] >= 2 else 0.0


def refined(brightness: Pixels, grid: Grid, scale: int, shortest: int) -> Grid:
    """Return a grid found in a copy 1 / ``scale`` the size in pixels of the picture, measured there."""
    corner = Grid(
        grid.x * scale, grid.y * scale, grid.pitch_x * scale, grid.pitch_y * scale, grid.rows, grid.cols
    )
    height, width = brightness.shape
    area = corner.rect.grown(3 * scale).intersection(Rect(0, 0, width, height))
    part = np.ascontiguousarray(brightness[area.y : area.bottom, area.x : area.right])
    lines = find_lines(part, shortest * scale)
    return centred(lines, measured(lines, corner.moved(-area.x, -area.y))).moved(area.x, area.y)


def nearest(lines: Lines, grid: Grid, farthest: int) -> Grid:
    """Return ``grid`` moved by up to ``farthest`` whole pixels each way to where its lines are strongest."""
    xs = grid.x + grid.pitch_x * np.arange(grid.cols + 1, dtype=np.float64)
    ys = grid.y + grid.pitch_y * np.arange(grid.rows + 1, dtype=np.float64)
    return grid.moved(
        _best_move(_profile(lines.vertical, 0), xs, farthest),
        _best_move(_profile(lines.horizontal, 1), ys, farthest),
    )


def _best_move(profile: Floats, positions: Floats, farthest: int) -> int:
    moves = sorted(range(-farthest, farthest + 1), key=abs)
    strengths = [np.interp(positions + move, np.arange(len(profile)), profile).mean() for move in moves]
    best = int(np.argmax(strengths))
    # A line two pixels wide has two equal edges: stay unless another place is clearly better.
    return moves[best] if strengths[best] > 1.02 * strengths[0] else 0
