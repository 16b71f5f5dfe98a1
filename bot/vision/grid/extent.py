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
from bot.vision.grid.lattice import Support, crossed, sample
from bot.vision.grid.lines import Lines
from bot.vision.grid.measure import size

Floats = npt.NDArray[np.float32]

_FRAME = 0.85  # of a side of the board lies on a line: it may be the frame
_CLOSED = 0.75  # of each side, all around: it is one
_MORE = 0.3  # closedness by which a frame comes before the grid that grew
_CALM = -0.3  # gain that cells without lines have at least on average; text and pictures have less
_MARKED = 0.05  # how much of the middles of cells numbers cover, at least
_DOUBTFUL = 0.5  # support of an outermost row relative to the others
_A_BIT_WEAKER = 0.85  # the same for the weakest alone
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
    framed = _framed(support, gains, box)
    trimmed = _trimmed(support.cells, box)
    closed, before = (_closed(support.vertical, support.horizontal, one) for one in (framed, box))
    boxes = [framed, box] if before + _MORE < closed and closed >= _CLOSED else [box, framed]
    found = list(dict.fromkeys([*boxes, trimmed]))
    return [part(wider, one.top, one.left, one.bottom, one.right) for one in found]


def _framed(support: Support, gains: Floats, box: _Box) -> _Box:
    """Return the box extended on each side to the nearest line that runs along all of it."""
    rows, cols = slice(box.top, box.bottom), slice(box.left, box.right)
    across = support.vertical[rows].mean(0), gains[rows].mean(0), support.middle[rows].mean(0)
    down = support.horizontal[:, cols].mean(1), gains[:, cols].mean(1), support.middle[:, cols].mean(1)
    return _Box(
        box.top - _outwards(*_before(box.top, *down)),
        box.left - _outwards(*_before(box.left, *across)),
        box.bottom + _outwards(*(values[box.bottom :] for values in down)),
        box.right + _outwards(*(values[box.right :] for values in across)),
    )


def _before(end: int, lines: Floats, calm: Floats, marked: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what is before line ``end``, from there outwards."""
    return lines[: end + 1][::-1], calm[:end][::-1], marked[:end][::-1]


def _outwards(lines: Floats, calm: Floats, marked: Floats) -> int:
    """Return how many rows farther out the frame is, 0 for none; the box ends at ``lines[0]``.

    If that is a line already, it may be where the covered cells end; then opened ones show numbers.
    """
    frames = 1 + np.flatnonzero(lines[1:] >= _FRAME)
    if len(frames) == 0 or calm[: frames[0]].mean() < _CALM:
        return 0
    ended = lines[0] >= _FRAME and marked[: frames[0]].mean() < _MARKED
    return 0 if ended else int(frames[0])


def _closed(vertical: Floats, horizontal: Floats, box: _Box) -> float:
    """Return how much of that side of the box which has least of it lies on a line."""
    rows, cols = slice(box.top, box.bottom), slice(box.left, box.right)
    sides = (vertical[rows, box.left], vertical[rows, box.right])
    ends = (horizontal[box.top, cols], horizontal[box.bottom, cols])
    return min(float(side.mean()) for side in (*sides, *ends))


def _trimmed(cells: Floats, box: _Box) -> _Box:
    """Return the box without those outermost rows and columns that lines support far less than the others.

    If none is far weaker, then without the one that is a bit: it may be a frame.
    """
    inside = cells[box.top : box.bottom, box.left : box.right]
    rows, cols = inside.mean(1), inside.mean(0)
    shares = [
        float(ends[place] / max(np.median(ends), 1e-6)) if len(ends) > _FEWEST + 1 else 1.0
        for ends, place in ((rows, 0), (cols, 0), (rows, -1), (cols, -1))
    ]
    least = max(_DOUBTFUL, min(_A_BIT_WEAKER, min(shares) + 1e-6))
    weak = [share < least for share in shares]
    return _Box(box.top + weak[0], box.left + weak[1], box.bottom - weak[2], box.right - weak[3])
