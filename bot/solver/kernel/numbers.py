"""Keeping counts within what a float can hold, on boards of any size.

Frontiers of few cells are counted as they are: up to 2^300 placements, all whole numbers or products of them.
Larger ones are counted *tilted*: a placement with m mines counts odds^m, by the odds of a mine in any cell,
and what lies outside is divided by that, so that the mines that are likely count most. After each step the
counts are divided by a power of two, and what is possible stays at least `_LEAST` of the most: neither that
nor the product of two of them can fall to zero, which stays the sign of what is impossible.
"""

from __future__ import annotations

from math import frexp, ldexp, log

from bot.solver.kernel.compiled import helper
from bot.solver.kernel.layout import CountingBuffers, Position, Topology
from bot.solver.kernel.structs import Floats

_COUNTED_PLAINLY = 300  # cells
_LEAST = 2.0**-450
_BELOW_ONE = 1.0 - 2.0**-53
_ABOVE_ZERO = 2.0**-1000
_LN2 = log(2.0)


@helper
def _density(position: Position, buffers: CountingBuffers) -> float:
    """Return about how likely a mine is in a cell that no number touches; never none nor certain.

    Where most cells do touch numbers it is the mean of all cells, and that of the frontier, as far as the
    numbers tell it, where nobody knows how many mines there are.
    """
    need, left = 0, 0
    for constraint in range(buffers.constraints):
        need += buffers.need[constraint]
        left += buffers.cells_left[constraint]
    share, cells = need / max(1.0, left), buffers.frontier_cells
    outside = position.unknowns - cells
    if position.total_known:
        if outside > cells:
            share = (position.mines_left - share * cells) / outside
        else:
            share = position.mines_left / max(1.0, position.unknowns)
    return min(0.998, max(0.002, share))


@helper
def weigh_groups(topology: Topology, position: Position, buffers: CountingBuffers, apart: int) -> None:
    """Fill ``buffers.weight`` for the position whose groups are known, and say whether it is large."""
    buffers.apart = apart
    buffers.large = apart or buffers.frontier_cells > _COUNTED_PLAINLY
    buffers.level = 0.0
    odds = 1.0
    if buffers.large:
        buffers.density = _density(position, buffers)
        odds = buffers.density / (1.0 - buffers.density)
    if odds == buffers.odds:
        return
    buffers.odds = odds
    for size in range(9):
        tilt = 1.0
        for mines in range(size + 1):
            buffers.weight[9 * size + mines] = topology.choose[9 * size + mines] * tilt
            tilt *= odds


@helper
def level(values: Floats, begin: int, end: int) -> float:
    """Divide some counts by a power of two, so that the largest is near 1; return its natural logarithm."""
    most = 0.0
    for index in range(begin, end):
        most = max(most, values[index])
    power = frexp(most)[1]
    scale = ldexp(1.0, -power)
    for index in range(begin, end):
        if values[index] > 0.0:
            values[index] = max(_LEAST, values[index] * scale)
    return power * _LN2


@helper
def share(mined: float, safe: float) -> float:
    """Return the risk where so much weighs for a mine and so much against it; 0 and 1 only if all does."""
    if mined == 0.0 or safe == 0.0:
        return 0.0 if mined == 0.0 else 1.0
    return min(_BELOW_ONE, max(_ABOVE_ZERO, mined / (mined + safe)))
