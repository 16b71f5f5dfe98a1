"""Growing two crossing combs to the whole grid that they are part of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.geometry import Grid, Rect
from bot.vision.grid.comb import Comb
from bot.vision.grid.lattice import best_rectangle, crossed, sample
from bot.vision.grid.lines import Lines
from bot.vision.grid.measure import measured, size

FEWEST = 4  # rows or columns of a board
FARTHEST = 60  # rows or columns that are looked at
_BEYOND = 8  # rows or columns on each side that are looked at in a round, at least
_ROUNDS = 8
_SETTLED = 0.08  # part of a cell by which a grid may still change when its growth ends
_OVER = 0.12  # part of a cell by which a grid may seem to leave the picture


def start(lines: Lines, across: Comb, down: Comb, window: Rect) -> Grid | None:
    """Return the grid of whole cells that two crossing combs make in ``window``, None if they are too few."""
    left, right = (round((edge - across.offset) / across.pitch) for edge in (window.x, window.right))
    top, bottom = (round((edge - down.offset) / down.pitch) for edge in (window.y, window.bottom))
    x, y = across.position(left), down.position(top)
    grid = _clipped(Grid(x, y, across.pitch, down.pitch, bottom - top, right - left), *size(lines))
    return grid if min(grid.rows, grid.cols) >= FEWEST else None


def grow(lines: Lines, grid: Grid) -> Grid | None:
    """Return the whole grid that the cells of ``grid`` belong to, as far as lines support it.

    Extent and pitch are found in turns, since a pitch fitted to a few cells drifts over many.
    """
    width, height = size(lines)
    for _ in range(_ROUNDS):
        before = grid
        wider = widened_inside(grid, _BEYOND, width, height)
        top, left = (round(a) for a in ((grid.y - wider.y) / grid.pitch_y, (grid.x - wider.x) / grid.pitch_x))
        samples = sample(lines, wider)
        reference = samples.reference(slice(top, top + grid.rows), slice(left, left + grid.cols))
        top, left, bottom, right = best_rectangle(
            samples.support(reference).gains(crossed(lines, wider, reference))
        )
        if min(bottom - top, right - left) < FEWEST:
            return None
        grid = measured(lines, part(wider, top, left, bottom, right))
        if _alike(grid, before):
            break
    return grid


def widened_inside(grid: Grid, fewest: int, width: int, height: int) -> Grid:
    """Return the grid with as many rows and columns more on each side, at least ``fewest``, if inside."""
    rows, cols = (
        min(max(fewest, count), max(0, (FARTHEST - count) // 2)) for count in (grid.rows, grid.cols)
    )
    return _clipped(part(grid, -rows, -cols, grid.rows + rows, grid.cols + cols), width, height)


def part(grid: Grid, top: int, left: int, bottom: int, right: int) -> Grid:
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
    return part(grid, top, left, max(top, bottom), max(left, right))


def within(grid: Grid, window: Rect) -> Grid:
    """Return the whole cells of ``grid`` that lie in ``window``; there may be no rows or columns left."""
    cells = _clipped(grid.moved(-window.x, -window.y), window.width, window.height)
    return cells.moved(window.x, window.y)


def _ceil(value: float) -> int:
    return int(np.ceil(value))


def _alike(first: Grid, second: Grid) -> bool:
    """Return whether both have the same cells, none off by more than a small part of one."""
    right, bottom = (
        second.x + second.width - first.x - first.width,
        second.y + second.height - first.y - first.height,
    )
    shifts = (first.x - second.x, first.y - second.y, right, bottom)
    same_cells = (first.rows, first.cols) == (second.rows, second.cols)
    return same_cells and max(abs(shift) for shift in shifts) < _SETTLED * min(first.pitch_x, first.pitch_y)
