"""Putting components together by their number of mines, and the cells that no number touches.

With ``size`` such cells, the rest of the mines lie there in choose(size, rest) ways. Only ratios matter, so
these stand relative to one of them; a number of mines that is possible never gets less than `_FLOOR`, to
stay apart from zero, which is exact.
"""

from __future__ import annotations

from math import lgamma

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    AHEAD,
    BACK,
    BEFORE,
    CELLS,
    COMPONENTS,
    LAYER,
    LENGTH,
    LOW,
    MINES_LEFT,
    OFFSET,
    OUTSIDE,
    SCALE,
    SOLUTIONS,
    SPARE,
    START,
    TOTAL_KNOWN,
    UNKNOWNS,
    Position,
    Work,
)
from bot.solver.kernel.sweep import share

_FLOOR = 1e-250
EXACT, NOTHING_FITS, TOO_LARGE = 1, 0, -1


@inlined
def _last(work: Work, component: int) -> int:
    return work.step[LAYER, work.front[START, component + 1] + component]


@inlined
def _ways_of_any_total(work: Work, inside: int, mines: int, span: int, begin: int) -> None:
    """Fill `Work.fold` from ``begin`` on with the weight of ``mines`` + m mines inside, m < ``span``.

    Every total is as likely as any other: then m mines in ``inside`` cells, and any number in
    the others, weigh m! (inside - m)! / (inside + 1)!.
    """
    work.facts[SCALE] = lgamma(mines + 1.0) + lgamma(inside - mines + 1.0) - lgamma(inside + 2.0)
    ways = 1.0
    for index in range(span):
        work.fold[begin + index] = ways
        ways = max(_FLOOR, ways * (mines + index + 1) / max(1, inside - mines - index))


@inlined
def _ways_outside(work: Work, size: int, rest: int, span: int, begin: int) -> None:
    """Fill `Work.fold` from ``begin`` on with the ways to put ``rest`` - m mines outside, m < ``span``."""
    least, most = max(0, rest - size), min(span - 1, rest)
    for index in range(span):
        work.fold[begin + index] = 0.0
    work.facts[SCALE] = 0.0
    if least > most:
        return
    middle = max(least, min(most, (least + most) // 2))
    mines = rest - middle
    work.facts[SCALE] = lgamma(size + 1.0) - lgamma(mines + 1.0) - lgamma(size - mines + 1.0)
    work.fold[begin + middle] = 1.0
    ways = 1.0
    for index in range(middle + 1, most + 1):
        mines = rest - index + 1
        ways = max(_FLOOR, ways * mines / (size - mines + 1))
        work.fold[begin + index] = ways
    ways = 1.0
    for index in range(middle - 1, least - 1, -1):
        mines = rest - index
        ways = max(_FLOOR, ways * (size - mines + 1) / mines)
        work.fold[begin + index] = ways


@inlined
def _fold(work: Work, component: int, span: int) -> None:
    """Fold the solutions of a component into what lies behind it."""
    state = _last(work, component)
    here, after = component * span, (component + 1) * span
    for index in range(span):
        ways = 0.0
        for mines in range(min(work.state[LENGTH, state], span - index)):
            ways += work.poly[AHEAD, work.state[OFFSET, state] + mines] * work.fold[after + index + mines]
        work.fold[here + index] = ways


@inlined
def _fill_back(work: Work, component: int, state: int, span: int, reach: int) -> None:
    after = (component + 1) * span
    for mines in range(work.state[LENGTH, state]):
        ways = 0.0
        for index in range(min(reach, span - mines)):
            ways += work.line[BEFORE, index] * work.fold[after + index + mines]
        work.poly[BACK, work.state[OFFSET, state] + mines] = ways


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
    return reach + length - 1


@inlined
def _reduce(work: Work, components: int, span: int) -> None:
    """Fill what lies before each component, and with it `BACK` of its last state."""
    work.line[BEFORE, 0] = 1.0
    reach = 1
    for component in range(components):
        state = _last(work, component)
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


@compiled
def combine(position: Position, work: Work) -> int:
    """Fill `BACK` of every component's last state, and ``work.facts``; return what `analyse` returns.

    The folds count mines beyond the fewest of each component: index m stands for ``low`` + m mines.
    """
    components = work.size[COMPONENTS]
    outside = position.tally[UNKNOWNS] - work.size[CELLS]
    low, span = 0, 1
    for component in range(components):
        state = _last(work, component)
        low += work.state[LOW, state]
        span += work.state[LENGTH, state] - 1
    begin = components * span
    if begin + span > len(work.fold):
        return TOO_LARGE
    rest, inside = position.tally[MINES_LEFT] - low, len(position.shown) - outside
    if position.tally[TOTAL_KNOWN]:
        _ways_outside(work, outside, rest, span, begin)
    else:
        _ways_of_any_total(work, inside, -rest, span, begin)
    for component in range(components - 1, -1, -1):
        _fold(work, component, span)
    work.facts[SOLUTIONS] = work.fold[0]
    if work.fold[0] == 0.0:
        return NOTHING_FITS
    _reduce(work, components, span)
    work.facts[OUTSIDE] = 0.0
    if outside and position.tally[TOTAL_KNOWN]:
        work.facts[OUTSIDE] = _risk_outside(work, begin, span, rest, -1, outside)
    elif outside:  # the mean of what is left open by a number of mines among those inside
        work.facts[OUTSIDE] = _risk_outside(work, begin, span, 1 - rest, 1, inside + 2)
    return EXACT
