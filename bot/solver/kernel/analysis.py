"""The exact risk of every cell of a position.

The counts of the components, by their number of mines, are combined with the ways to place the remaining
mines: ``rest`` mines fit into ``size`` unconstrained cells in choose(size, rest) ways. Only ratios matter, so
these ways are stored relative to one of the largest. No possible number of mines gets a value below `_FLOOR`,
since zero means impossible. No value that matters is so small: see `sweep` for large frontiers; small ones
have at most 2^300 placements.
"""

from __future__ import annotations

from math import lgamma, log

from bot.solver.kernel.build.functions import callback, compiled, helper
from bot.solver.kernel.groups import find_groups, order_groups
from bot.solver.kernel.layout import MINE, SAFE, UNKNOWN, CountingBuffers, Position, mark, settle
from bot.solver.kernel.sweep import (
    NO_STATE,
    TOO_MANY,
    last_state,
    level,
    share,
    sweep_all,
    sweep_back,
    weigh_groups,
)

_FLOOR, _CEILING = 2.0**-450, 2.0**450
EXACT, NOTHING_FITS, ESTIMATED = 1, 0, 2
_STATE_COSTS = 8  # the cost of a state, where a coefficient or a cell costs 1
_LEAST, _MOST = 0.002, 0.998  # limits of the estimate in `_risk_of_the_rest`


@helper
def _within(ways: float) -> float:
    return min(_CEILING, max(_FLOOR, ways))


@helper
def _ways_of_any_total(buffers: CountingBuffers, inside: int, mines: int, span: int, begin: int) -> None:
    """Fill ``buffers.fold[begin + m]`` with the weight of ``mines`` + m mines inside, for m < ``span``.

    Every total of mines is assumed to be equally likely. Then k mines in ``inside`` cells, with any number of
    mines in the other cells, have the weight k! (inside - k)! / (inside + 1)!.
    """
    odds = buffers.odds
    middle = 0
    if buffers.large:  # where the tilted weights change least
        middle = max(0, min(span - 1, int(inside * odds / (1.0 + odds)) - mines))
    here = mines + middle
    buffers.scale = lgamma(here + 1.0) + lgamma(inside - here + 1.0) - lgamma(inside + 2.0)
    buffers.scale -= here * log(odds)
    buffers.fold[begin + middle] = 1.0
    ways = 1.0
    for index in range(middle + 1, span):
        here = mines + index
        ways = _within(ways * here / (max(1, inside - here + 1) * odds))
        buffers.fold[begin + index] = ways
    ways = 1.0
    for index in range(middle - 1, -1, -1):
        here = mines + index
        ways = _within(ways * odds * (inside - here) / (here + 1))
        buffers.fold[begin + index] = ways


@helper
def _ways_outside(buffers: CountingBuffers, size: int, rest: int, low: int, span: int, begin: int) -> None:
    """Fill ``buffers.fold[begin + m]`` with the ways to put ``rest`` - m mines outside, for m < ``span``.

    They are divided by the tilt of ``low`` + m mines inside, odds^(low + m).
    """
    odds = buffers.odds
    least, most = max(0, rest - size), min(span - 1, rest)
    for index in range(span):
        buffers.fold[begin + index] = 0.0
    buffers.scale = 0.0
    if least > most:
        return
    largest = rest - int((size + 1) * odds / (1.0 + odds))
    middle = max(least, min(most, largest))
    mines = rest - middle
    buffers.scale = lgamma(size + 1.0) - lgamma(mines + 1.0) - lgamma(size - mines + 1.0)
    buffers.scale -= (low + middle) * log(odds)
    buffers.fold[begin + middle] = 1.0
    ways = 1.0
    for index in range(middle + 1, most + 1):
        mines = rest - index + 1
        ways = _within(ways * mines / ((size - mines + 1) * odds))
        buffers.fold[begin + index] = ways
    ways = 1.0
    for index in range(middle - 1, least - 1, -1):
        mines = rest - index
        ways = _within(ways * odds * (size - mines + 1) / mines)
        buffers.fold[begin + index] = ways


@helper
def _fold(buffers: CountingBuffers, component: int, span: int) -> None:
    """Multiply the counts of a component into those of all later components and the cells outside."""
    state = last_state(buffers, component)
    here, after = component * span, (component + 1) * span
    for index in range(span):
        ways = 0.0
        for mines in range(min(buffers.state_length[state], span - index)):
            ways += buffers.ahead[buffers.state_offset[state] + mines] * buffers.fold[after + index + mines]
        buffers.fold[here + index] = ways
    if buffers.large:
        buffers.level += level(buffers.fold, here, after)


@helper
def _fill_back(buffers: CountingBuffers, component: int, state: int, span: int, reach: int) -> None:
    after = (component + 1) * span
    for mines in range(buffers.state_length[state]):
        ways = 0.0
        for index in range(min(reach, span - mines)):
            ways += buffers.before[index] * buffers.fold[after + index + mines]
        buffers.back[buffers.state_offset[state] + mines] = ways
    if buffers.large:
        begin = buffers.state_offset[state]
        level(buffers.back, begin, begin + buffers.state_length[state])


@helper
def _extend(buffers: CountingBuffers, state: int, reach: int) -> int:
    """Multiply ``buffers.before`` by the counts of one more component; return its new length."""
    length = buffers.state_length[state]
    for index in range(reach + length - 1):
        buffers.spare[index] = 0.0
    for index in range(reach):
        for mines in range(length):
            buffers.spare[index + mines] += (
                buffers.before[index] * buffers.ahead[buffers.state_offset[state] + mines]
            )
    for index in range(reach + length - 1):
        buffers.before[index] = buffers.spare[index]
    if buffers.large:
        level(buffers.before, 0, reach + length - 1)
    return reach + length - 1


@helper
def _reduce(buffers: CountingBuffers, components: int, span: int) -> None:
    """Fill ``back`` of each component's last state; leave the product of all counts in ``before``."""
    buffers.before[0] = 1.0
    reach = 1
    for component in range(components):
        state = last_state(buffers, component)
        _fill_back(buffers, component, state, span, reach)
        reach = _extend(buffers, state, reach)


@helper
def _risk_outside(
    buffers: CountingBuffers, begin: int, span: int, first: int, step: int, cells: int
) -> float:
    """Return the risk outside; at index m inside, ``first`` + m * ``step`` of ``cells`` cells are mines."""
    mined, safe = 0.0, 0.0
    for index in range(span):
        ways = buffers.before[index] * buffers.fold[begin + index]
        mined += ways * (first + step * index)
        safe += ways * (cells - first - step * index)
    return share(mined, safe)


@helper
def _combine_apart(position: Position, buffers: CountingBuffers, outside: int) -> None:
    """Combine the components as if they were independent, linked only by the density of mines."""
    buffers.scale, buffers.solutions = 0.0, 1.0
    for component in range(buffers.components):
        state = last_state(buffers, component)
        buffers.scale += log(buffers.ahead[buffers.state_offset[state]])
        buffers.back[buffers.state_offset[state]] = 1.0
    cells, mines = float(position.unknowns), buffers.density * position.unknowns
    # the number of all placements, times the share of them that fits the components
    buffers.scale += lgamma(cells + 1.0) - lgamma(mines + 1.0) - lgamma(cells - mines + 1.0)
    buffers.scale -= buffers.frontier_cells * log(1.0 + buffers.odds)
    buffers.outside_risk = buffers.density if outside else 0.0


@compiled
def combine(position: Position, buffers: CountingBuffers) -> int:
    """Combine the counts of all components; return EXACT, TOO_MANY or NOTHING_FITS.

    For the last state of each component, ``buffers.back`` is set to the weight of all ways to fill the other
    components and the cells outside. Arrays over the number of mines begin at the fewest possible: index m
    represents ``buffers.fewest`` + m mines.
    """
    components = buffers.components
    outside = position.unknowns - buffers.frontier_cells
    low, span = 0, 1
    for component in range(components):
        state = last_state(buffers, component)
        low += buffers.state_low[state]
        span += buffers.state_length[state] - 1
    buffers.fewest, buffers.span = low, span
    if buffers.components_separate:
        _combine_apart(position, buffers, outside)
        return EXACT
    begin = components * span
    buffers.cost += span * span // 8
    if begin + span > buffers.fold_length:
        return TOO_MANY
    rest, inside = position.mines_left - low, position.cells - outside
    if position.total_known:
        _ways_outside(buffers, outside, rest, low, span, begin)
    else:
        _ways_of_any_total(buffers, inside, -rest, span, begin)
    for component in range(components - 1, -1, -1):
        _fold(buffers, component, span)
    buffers.solutions = buffers.fold[0]
    if buffers.fold[0] == 0.0:
        return NOTHING_FITS
    _reduce(buffers, components, span)
    buffers.outside_risk = 0.0
    if outside and position.total_known:
        buffers.outside_risk = _risk_outside(buffers, begin, span, rest, -1, outside)
    elif outside:  # rule of succession: with k mines inside, the risk outside is (k + 1) / (inside + 2)
        buffers.outside_risk = _risk_outside(buffers, begin, span, 1 - rest, 1, inside + 2)
    return EXACT


@helper
def _risk_of_the_rest(position: Position, buffers: CountingBuffers) -> float:
    """Estimate the risk of unconstrained cells by the mines that the risks of the groups leave for them."""
    mines, cells = float(position.mines_left), position.unknowns - buffers.frontier_cells
    for group in range(buffers.groups):
        mines -= buffers.group_size[group] * buffers.risk[buffers.first_cell[group]]
    return min(_MOST, max(_LEAST, mines / max(1, cells)))


@helper
def _spread(position: Position, buffers: CountingBuffers) -> None:
    """Set the risk of each frontier cell to that of its group, and the same risk for all other cells."""
    risk = buffers.risk
    outside = buffers.outside_risk
    if buffers.components_separate and position.total_known:
        outside = _risk_of_the_rest(position, buffers)
    for group in range(buffers.groups):
        buffers.spare[group] = risk[buffers.first_cell[group]]
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            group = buffers.group_of[cell]
            risk[cell] = outside if group < 0 else buffers.spare[group]


@helper
def _give_up(position: Position, buffers: CountingBuffers) -> int:
    """Set all risks to the density: the position is too large even with forgotten constraints."""
    for cell in range(position.cells):
        buffers.risk[cell] = buffers.density
    buffers.solutions, buffers.scale = 1.0, 0.0
    return ESTIMATED


@helper
def is_exact(buffers: CountingBuffers) -> bool:
    """Return whether the risks of the position analysed last are exact."""
    return buffers.components_separate == 0


@compiled
def count(position: Position, buffers: CountingBuffers, apart: int) -> int:
    """Count the solutions and set ``buffers.cost``; return EXACT, NOTHING_FITS or TOO_MANY."""
    buffers.cost = 0
    find_groups(position, buffers)
    order_groups(buffers)
    weigh_groups(position, buffers, apart)
    found = sweep_all(buffers)
    buffers.cost += buffers.coefficients + _STATE_COSTS * buffers.states + position.cells
    if found == NO_STATE:
        return NOTHING_FITS
    return found if found == TOO_MANY else combine(position, buffers)


@callback
def grow(buffers: CountingBuffers) -> bool:
    """Make room for more states; return False if the limit is reached."""
    return buffers.grow()


@compiled
def analyse(position: Position, buffers: CountingBuffers) -> int:
    """Set ``buffers.risk`` of every UNKNOWN cell; return EXACT, ESTIMATED, or NOTHING_FITS.

    No counting rule may apply to ``position``. If it is too large to be counted exactly, components are
    counted separately, linked only by the density of mines, and the result is ESTIMATED. Risks of exactly 0
    and 1 are proofs even then.
    ``buffers.cost`` is set to the approximate computing time, in units of 20 nanoseconds.
    """
    buffers.mean_weight = 0.0
    found = count(position, buffers, 0)
    while found == TOO_MANY and grow(buffers):
        found = count(position, buffers, 0)
    cost = buffers.cost
    if found == TOO_MANY:
        found = count(position, buffers, 1)
        buffers.cost += cost
    if found == TOO_MANY:
        return _give_up(position, buffers)
    if found == NOTHING_FITS:
        return NOTHING_FITS
    for component in range(buffers.components):
        sweep_back(buffers, component)
    _spread(position, buffers)
    return EXACT if is_exact(buffers) else ESTIMATED


@compiled
def mark_proven(position: Position, buffers: CountingBuffers) -> bool:
    """Mark the cells with risk 0 or 1 and apply the counting rules; return whether any cell was marked."""
    waiting, before = 0, position.unknowns
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            if buffers.risk[cell] == 0.0:
                waiting = mark(position, buffers, cell, SAFE, waiting)
            elif buffers.risk[cell] == 1.0:
                waiting = mark(position, buffers, cell, MINE, waiting)
    settle(position, buffers, waiting)
    return position.unknowns < before


@compiled
def log_solutions(buffers: CountingBuffers) -> float:
    """Return the natural logarithm of the number of solutions of the position analysed last."""
    return log(buffers.solutions) + buffers.scale + buffers.level


@helper
def log_weight(buffers: CountingBuffers) -> float:
    """Return the natural logarithm of the weight of all solutions; each has weight 1 but in winmine."""
    return log_solutions(buffers) + buffers.mean_weight


@compiled
def suppose_mine(position: Position, buffers: CountingBuffers, cell: int) -> int:
    """Mark ``cell`` as a mine and analyse ``position``; add the cost to ``spent``. Return as `analyse`."""
    if not settle(position, buffers, mark(position, buffers, cell, MINE, 0)):
        return NOTHING_FITS
    found = analyse(position, buffers)
    buffers.spent += buffers.cost
    return found
