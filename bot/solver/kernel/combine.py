"""Putting components together by their number of mines, and the cells that no number touches.

With ``size`` such cells, the rest of the mines lie there in choose(size, rest) ways. Only ratios matter, so
these stand relative to the largest of them. A number of mines that is possible never gets less than `_FLOOR`,
to stay apart from zero, which is exact; nothing that matters is that small: see `numbers` for large
frontiers, and small ones have at most 2^300 placements.
"""

from __future__ import annotations

from math import lgamma, log

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    AHEAD,
    APART,
    BACK,
    BEFORE,
    CELLS,
    COMPONENTS,
    COST,
    DENSITY,
    LARGE,
    LENGTH,
    LEVEL,
    LOW,
    MINES_LEFT,
    ODDS,
    OFFSET,
    OUTSIDE,
    SCALE,
    SOLUTIONS,
    SPARE,
    TOTAL_KNOWN,
    UNKNOWNS,
    Position,
    Work,
)
from bot.solver.kernel.numbers import level, share
from bot.solver.kernel.states import TOO_MANY, last_state

_FLOOR, _CEILING = 2.0**-450, 2.0**450
EXACT, NOTHING_FITS, ESTIMATED = 1, 0, 2


@inlined
def _within(ways: float) -> float:
    return min(_CEILING, max(_FLOOR, ways))


@inlined
def _ways_of_any_total(work: Work, inside: int, mines: int, span: int, begin: int) -> None:
    """Fill `Work.fold` from ``begin`` on with the weight of ``mines`` + m mines inside, m < ``span``.

    Every total is as likely as any other: then m mines in ``inside`` cells, and any number in
    the others, weigh m! (inside - m)! / (inside + 1)!.
    """
    odds = work.facts[ODDS]
    middle = 0
    if work.size[LARGE]:  # where the tilted weights change least
        middle = max(0, min(span - 1, int(inside * odds / (1.0 + odds)) - mines))
    here = mines + middle
    work.facts[SCALE] = lgamma(here + 1.0) + lgamma(inside - here + 1.0) - lgamma(inside + 2.0)
    work.facts[SCALE] -= here * log(odds)
    work.fold[begin + middle] = 1.0
    ways = 1.0
    for index in range(middle + 1, span):
        here = mines + index
        ways = _within(ways * here / (max(1, inside - here + 1) * odds))
        work.fold[begin + index] = ways
    ways = 1.0
    for index in range(middle - 1, -1, -1):
        here = mines + index
        ways = _within(ways * odds * (inside - here) / (here + 1))
        work.fold[begin + index] = ways


@inlined
def _ways_outside(work: Work, size: int, rest: int, low: int, span: int, begin: int) -> None:
    """Fill `Work.fold` from ``begin`` on with the ways to put ``rest`` - m mines outside, m < ``span``.

    These are divided by what ``low`` + m mines inside weigh by the tilt.
    """
    odds = work.facts[ODDS]
    least, most = max(0, rest - size), min(span - 1, rest)
    for index in range(span):
        work.fold[begin + index] = 0.0
    work.facts[SCALE] = 0.0
    if least > most:
        return
    largest = rest - int((size + 1) * odds / (1.0 + odds))
    middle = max(least, min(most, largest))
    mines = rest - middle
    work.facts[SCALE] = lgamma(size + 1.0) - lgamma(mines + 1.0) - lgamma(size - mines + 1.0)
    work.facts[SCALE] -= (low + middle) * log(odds)
    work.fold[begin + middle] = 1.0
    ways = 1.0
    for index in range(middle + 1, most + 1):
        mines = rest - index + 1
        ways = _within(ways * mines / ((size - mines + 1) * odds))
        work.fold[begin + index] = ways
    ways = 1.0
    for index in range(middle - 1, least - 1, -1):
        mines = rest - index
        ways = _within(ways * odds * (size - mines + 1) / mines)
        work.fold[begin + index] = ways


@inlined
def _fold(work: Work, component: int, span: int) -> None:
    """Fold the solutions of a component into what lies behind it."""
    state = last_state(work, component)
    here, after = component * span, (component + 1) * span
    for index in range(span):
        ways = 0.0
        for mines in range(min(work.state[LENGTH, state], span - index)):
            ways += work.poly[AHEAD, work.state[OFFSET, state] + mines] * work.fold[after + index + mines]
        work.fold[here + index] = ways
    if work.size[LARGE]:
        work.facts[LEVEL] += level(work.fold, here, after)


@inlined
def _fill_back(work: Work, component: int, state: int, span: int, reach: int) -> None:
    after = (component + 1) * span
    for mines in range(work.state[LENGTH, state]):
        ways = 0.0
        for index in range(min(reach, span - mines)):
            ways += work.line[BEFORE, index] * work.fold[after + index + mines]
        work.poly[BACK, work.state[OFFSET, state] + mines] = ways
    if work.size[LARGE]:
        level(
            work.poly[BACK], work.state[OFFSET, state], work.state[OFFSET, state] + work.state[LENGTH, state]
        )


@inlined
def _extend(work: Work, state: int, reach: int) -> int:
    """Multiply what lies before by the solutions of one more component; return its new length."""
    length = work.state[LENGTH, state]
    for index in range(reach + length - 1):
        work.line[SPARE, index] = 0.0
    for index in range(reach):
        for mines in range(length):
            work.line[SPARE, index + mines] += (
                work.line[BEFORE, index] * work.poly[AHEAD, work.state[OFFSET, state] + mines]
            )
    for index in range(reach + length - 1):
        work.line[BEFORE, index] = work.line[SPARE, index]
    if work.size[LARGE]:
        level(work.line[BEFORE], 0, reach + length - 1)
    return reach + length - 1


@inlined
def _reduce(work: Work, components: int, span: int) -> None:
    """Fill what lies before each component, and with it `BACK` of its last state."""
    work.line[BEFORE, 0] = 1.0
    reach = 1
    for component in range(components):
        state = last_state(work, component)
        _fill_back(work, component, state, span, reach)
        reach = _extend(work, state, reach)


@inlined
def _risk_outside(work: Work, begin: int, span: int, first: int, step: int, cells: int) -> float:
    """Return the risk of cells outside: ``first`` + m ``step`` of ``cells`` are mines if m are inside."""
    mined, safe = 0.0, 0.0
    for index in range(span):
        ways = work.line[BEFORE, index] * work.fold[begin + index]
        mined += ways * (first + step * index)
        safe += ways * (cells - first - step * index)
    return share(mined, safe)


@inlined
def _combine_apart(position: Position, work: Work, outside: int) -> None:
    """Leave each component to itself, as if all that tells them of each other were the density of mines."""
    work.facts[SCALE], work.facts[SOLUTIONS] = 0.0, 1.0
    for component in range(work.size[COMPONENTS]):
        state = last_state(work, component)
        work.facts[SCALE] += log(work.poly[AHEAD, work.state[OFFSET, state]])
        work.poly[BACK, work.state[OFFSET, state]] = 1.0
    cells, mines = float(position.tally[UNKNOWNS]), work.facts[DENSITY] * position.tally[UNKNOWNS]
    # all placements, of which each component allows so many
    work.facts[SCALE] += lgamma(cells + 1.0) - lgamma(mines + 1.0) - lgamma(cells - mines + 1.0)
    work.facts[SCALE] -= work.size[CELLS] * log(1.0 + work.facts[ODDS])
    work.facts[OUTSIDE] = work.facts[DENSITY] if outside else 0.0


@inlined
def _outside_risk(
    position: Position, work: Work, outside: int, inside: int, rest: int, span: int, begin: int
) -> float:
    """Return the risk of the cells outside, if there are any."""
    if not outside:
        return 0.0
    if position.tally[TOTAL_KNOWN]:
        return _risk_outside(work, begin, span, rest, -1, outside)
    # the mean of what is left open by a number of mines among those inside
    return _risk_outside(work, begin, span, 1 - rest, 1, inside + 2)


@compiled
def combine(position: Position, work: Work) -> int:
    """Fill `BACK` of the last states, and ``work.facts``; return EXACT, TOO_MANY or NOTHING_FITS.

    The folds count mines beyond the fewest of each component: index m stands for ``low`` + m mines.
    """
    components = work.size[COMPONENTS]
    outside = position.tally[UNKNOWNS] - work.size[CELLS]
    if work.size[APART]:
        _combine_apart(position, work, outside)
        return EXACT
    low, span = 0, 1
    for component in range(components):
        state = last_state(work, component)
        low += work.state[LOW, state]
        span += work.state[LENGTH, state] - 1
    begin = components * span
    work.size[COST] += span * span // 8
    if begin + span > len(work.fold):
        return TOO_MANY
    rest, inside = position.tally[MINES_LEFT] - low, len(position.shown) - outside
    if position.tally[TOTAL_KNOWN]:
        _ways_outside(work, outside, rest, low, span, begin)
    else:
        _ways_of_any_total(work, inside, -rest, span, begin)
    for component in range(components - 1, -1, -1):
        _fold(work, component, span)
    work.facts[SOLUTIONS] = work.fold[0]
    if work.fold[0] == 0.0:
        return NOTHING_FITS
    _reduce(work, components, span)
    work.facts[OUTSIDE] = _outside_risk(position, work, outside, inside, rest, span, begin)
    return EXACT
