"""The exact chance of a mine in every cell of a position."""

from __future__ import annotations

from math import log

from bot.solver.kernel.back import sweep_back
from bot.solver.kernel.combine import ESTIMATED, EXACT, NOTHING_FITS, combine
from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.groups import find_groups, order_groups
from bot.solver.kernel.layout import (
    APART,
    CELL,
    CELLS,
    COEFFICIENTS,
    COMPONENTS,
    COST,
    DENSITY,
    FIRST,
    GROUP_OF,
    GROUPS,
    LEVEL,
    MINE,
    MINES_LEFT,
    OUTSIDE,
    SAFE,
    SCALE,
    SIZE,
    SOLUTIONS,
    SPARE,
    SPENT,
    STATES,
    TOTAL_KNOWN,
    UNKNOWN,
    UNKNOWNS,
    Position,
    Topology,
    Work,
)
from bot.solver.kernel.numbers import weigh_groups
from bot.solver.kernel.rules import mark, settle
from bot.solver.kernel.states import NO_STATE, TOO_MANY
from bot.solver.kernel.sweep import sweep_all

_STATE_COSTS = 8  # times what a coefficient costs, or a cell
_LEAST, _MOST = 0.002, 0.998  # risks that are estimated by what the groups leave


@inlined
def _risk_of_the_rest(position: Position, work: Work) -> float:
    """Return the risk of cells outside by the mines that the groups leave, where components are APART."""
    mines, cells = float(position.tally[MINES_LEFT]), position.tally[UNKNOWNS] - work.size[CELLS]
    for group in range(work.size[GROUPS]):
        mines -= work.front[SIZE, group] * work.risk[work.front[FIRST, group]]
    return min(_MOST, max(_LEAST, mines / max(1, cells)))


@inlined
def _spread(position: Position, work: Work) -> None:
    """Give every cell the risk of its group, and all others that of the cells outside."""
    risk = work.risk
    outside = work.facts[OUTSIDE]
    if work.size[APART] and position.tally[TOTAL_KNOWN]:
        outside = _risk_of_the_rest(position, work)
    for group in range(work.size[GROUPS]):
        work.line[SPARE, group] = risk[work.front[FIRST, group]]
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN:
            risk[cell] = outside
    for index in range(work.size[CELLS]):
        cell = work.front[CELL, index]
        risk[cell] = work.line[SPARE, work.front[GROUP_OF, cell]]


@inlined
def _give_up(position: Position, work: Work) -> int:
    """Give all cells the same risk, where even what is left of the position is too large."""
    for cell in range(len(position.shown)):
        work.risk[cell] = work.facts[DENSITY]
    work.facts[SOLUTIONS], work.facts[SCALE] = 1.0, 0.0
    return ESTIMATED


@inlined
def is_exact(work: Work) -> bool:
    """Return whether the risks of the position analysed last are exact."""
    return work.size[APART] == 0


@compiled
def _count(topology: Topology, position: Position, work: Work, apart: int) -> int:
    """Count the solutions; return EXACT, NOTHING_FITS or TOO_MANY."""
    find_groups(topology, position, work)
    order_groups(work)
    weigh_groups(topology, position, work, apart)
    found = sweep_all(topology, work)
    work.size[COST] += work.size[COEFFICIENTS] + _STATE_COSTS * work.size[STATES] + len(position.shown)
    if found == NO_STATE:
        return NOTHING_FITS
    return found if found == TOO_MANY else combine(position, work)


@compiled
def analyse(topology: Topology, position: Position, work: Work) -> int:
    """Set ``work.risk`` of every UNKNOWN cell; return EXACT, ESTIMATED, or NOTHING_FITS without a solution.

    No counting rule may apply to ``position``. Risks of exactly 0 and 1 are proofs, also where the others
    are estimates, since the position is too large. Then components are kept apart: how many mines each
    holds is not counted, as if all that tells them of each other were the density of mines.
    ``work.size[COST]`` is set to about what it took, in units of 20 nanoseconds.
    """
    work.size[COST] = 0
    found = _count(topology, position, work, 0)
    if found == TOO_MANY:
        found = _count(topology, position, work, 1)
    if found == TOO_MANY:
        return _give_up(position, work)
    if found == NOTHING_FITS:
        return NOTHING_FITS
    for component in range(work.size[COMPONENTS]):
        sweep_back(topology, work, component)
    _spread(position, work)
    return EXACT if is_exact(work) else ESTIMATED


@compiled
def learn(topology: Topology, position: Position, work: Work) -> bool:
    """Take over what the risks prove, and what follows by counting; return whether that is anything."""
    waiting, before = 0, position.tally[UNKNOWNS]
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN:
            if work.risk[cell] == 0.0:
                waiting = mark(topology, position, work, cell, SAFE, waiting)
            elif work.risk[cell] == 1.0:
                waiting = mark(topology, position, work, cell, MINE, waiting)
    settle(topology, position, work, waiting)
    return position.tally[UNKNOWNS] < before


@inlined
def log_solutions(work: Work) -> float:
    """Return the natural logarithm of the number of solutions of the position analysed last."""
    return log(work.facts[SOLUTIONS]) + work.facts[SCALE] + work.facts[LEVEL]


@compiled
def suppose_mine(topology: Topology, position: Position, work: Work, cell: int) -> int:
    """Make ``cell`` a mine in ``position``, and return what `analyse` does; what it costs counts as spent."""
    if not settle(topology, position, work, mark(topology, position, work, cell, MINE, 0)):
        return NOTHING_FITS
    found = analyse(topology, position, work)
    work.size[SPENT] += work.size[COST]
    return found
