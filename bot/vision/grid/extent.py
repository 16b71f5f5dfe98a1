"""Which rows and columns belong to a board where its outermost lines leave a doubt.

Opened cells without lines end nowhere, but the board's frame does; and a frame at the distance of a cell
looks like one more row of cells. So a grid may have rivals, and the reading decides among them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid
from bot.vision.grid.growth import part, widened_inside
from bot.vision.grid.lattice import crossed, sample
from bot.vision.grid.lines import Lines
from bot.vision.grid.measure import size

Floats = npt.NDArray[np.float32]

_FRAME = 0.85  # of a side of the board lies on a line: it may be the frame
_CLOSED = 0.75  # of each side, all around: it is one
_CALM = -0.3  # gain that cells without lines have at least on average; text and pictures have less
_DOUBTFUL = 0.5  # support of an outermost row relative to the others
_FEWEST = 4
_BEYOND = 24  # rows and columns on each side where a frame is looked for


@dataclass(frozen=True, slots=True)
class _Box:
    """Rows and columns of a wider grid, ends exclusive."""

    top: int
    left: int
    bottom: int
    right: int


def rivals(lines: Lines, grid: Grid) -> list[Grid]:
    """Return what the grid may be in truth, the most likely first; ``grid`` itself is among them."""
    wider = widened_inside(grid, _BEYOND, *size(lines))
    top, left = round((grid.y - wider.y) / grid.pitch_y), round((grid.x - wider.x) / grid.pitch_x)
    box = _Box(top, left, top + grid.rows, left + grid.cols)
    samples = sample(lines, wider)
    reference = samples.reference(slice(top, box.bottom), slice(left, box.right))
    support = samples.support(reference)
    gains = support.gains(crossed(lines, wider, reference))
    framed = _framed(support.vertical, support.horizontal, gains, box)
    trimmed = _trimmed(support.cells, box)
    closed, before = (_closed(support.vertical, support.horizontal, one) for one in (framed, box))
    boxes = [framed, box] if before < _CLOSED <= closed else [box, framed]
    found = list(dict.fromkeys([*boxes, trimmed]))
    return [part(wider, one.top, one.left, one.bottom, one.right) for one in found]


def _framed(vertical: Floats, horizontal: Floats, gains: Floats, box: _Box) -> _Box:
    """Return the box extended on each side to the nearest line that runs along all of it."""
    rows, cols = slice(box.top, box.bottom), slice(box.left, box.right)
    beside, stacked = vertical[rows].mean(0), horizontal[:, cols].mean(1)
    calm_cols, calm_rows = gains[rows].mean(0), gains[:, cols].mean(1)
    return _Box(
        box.top - _outwards(stacked[: box.top + 1][::-1], calm_rows[: box.top][::-1]),
        box.left - _outwards(beside[: box.left + 1][::-1], calm_cols[: box.left][::-1]),
        box.bottom + _outwards(stacked[box.bottom :], calm_rows[box.bottom :]),
        box.right + _outwards(beside[box.right :], calm_cols[box.right :]),
    )


def _outwards(lines: Floats, calm: Floats) -> int:
    """Return how many rows farther out the frame is, 0 for none; the box ends at ``lines[0]``."""
    frames = np.flatnonzero(lines >= _FRAME)
    if len(frames) == 0 or frames[0] == 0:
        return 0
    return int(frames[0]) if calm[: frames[0]].mean() >= _CALM else 0


def _closed(vertical: Floats, horizontal: Floats, box: _Box) -> float:
    """Return how much of that side of the box which has least of it lies on a line."""
    rows, cols = slice(box.top, box.bottom), slice(box.left, box.right)
    sides = (vertical[rows, box.left], vertical[rows, box.right])
    ends = (horizontal[box.top, cols], horizontal[box.bottom, cols])
    return min(float(side.mean()) for side in (*sides, *ends))


def _trimmed(cells: Floats, box: _Box) -> _Box:
    """Return the box without those outermost rows and columns that lines support far less than the others."""
    inside = cells[box.top : box.bottom, box.left : box.right]
    rows, cols = inside.mean(1), inside.mean(0)
    weak = [
        bool(ends[place] < _DOUBTFUL * np.median(ends)) and len(ends) > _FEWEST + 1
        for ends, place in ((rows, 0), (cols, 0), (rows, -1), (cols, -1))
    ]
    return _Box(box.top + weak[0], box.left + weak[1], box.bottom - weak[2], box.right - weak[3])
