"""Keeping counts within what a float can hold, on boards of any size.

Frontiers of few cells are counted as they are: up to 2^300 placements, all whole numbers or products of them.
Larger ones are counted *tilted*: a placement with m mines counts odds^m, by the odds of a mine in any cell,
and what lies outside is divided by that, so that the mines that are likely count most. After each step the
counts are divided by a power of two, and what is possible stays at least `_LEAST` of the most: neither that
nor the product of two of them can fall to zero, which stays the sign of what is impossible.
"""

from __future__ import annotations

from math import frexp, ldexp, log

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    APART,
    CELLS,
    CONSTRAINTS,
    DENSITY,
    LARGE,
    LEFT,
    LEVEL,
    MINES_LEFT,
    NEED,
    ODDS,
    TOTAL_KNOWN,
    UNKNOWNS,
    Floats,
    Position,
    Topology,
    Work,
)

_COUNTED_PLAINLY = 300  # cells
_LEAST = 2.0**-450
_BELOW_ONE = 1.0 - 2.0**-53
_ABOVE_ZERO = 2.0**-1000
_LN2 = log(2.0)


@inlined
def _density(position: Position, work: Work) -> float:
    """Return about how likely a mine is in a cell that no number touches; never none nor certain.

    Where most cells do touch numbers it is the mean of all cells, and that of the frontier, as far as the
    numbers tell it, where nobody knows how many mines there are.
    """
    need, left = 0, 0
    for constraint in range(work.size[CONSTRAINTS]):
        need += work.front[NEED, constraint]
        left += work.front[LEFT, constraint]
    share, cells = need / max(1.0, left), work.size[CELLS]
    outside = position.tally[UNKNOWNS] - cells
    if position.tally[TOTAL_KNOWN]:
        if outside > cells:
            share = (position.tally[MINES_LEFT] - share * cells) / outside
        else:
            share = position.tally[MINES_LEFT] / max(1.0, position.tally[UNKNOWNS])
    return min(0.998, max(0.002, share))


@compiled
def weigh_groups(topology: Topology, position: Position, work: Work, apart: int) -> None:
    """Fill ``work.weight`` for the position whose groups are known, and say whether it is LARGE and APART."""
    work.size[APART] = apart
    work.size[LARGE] = apart or work.size[CELLS] > _COUNTED_PLAINLY
    work.facts[LEVEL] = 0.0
    odds = 1.0
    if work.size[LARGE]:
        work.facts[DENSITY] = _density(position, work)
        odds = work.facts[DENSITY] / (1.0 - work.facts[DENSITY])
    if odds == work.facts[ODDS]:
        return
    work.facts[ODDS] = odds
    for size in range(9):
        tilt = 1.0
        for mines in range(size + 1):
            work.weight[size, mines] = topology.choose[size, mines] * tilt
            tilt *= odds


@compiled
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


@inlined
def share(mined: float, safe: float) -> float:
    """Return the risk where so much weighs for a mine and so much against it; 0 and 1 only if all does."""
    if mined == 0.0 or safe == 0.0:
        return 0.0 if mined == 0.0 else 1.0
    return min(_BELOW_ONE, max(_ABOVE_ZERO, mined / (mined + safe)))
