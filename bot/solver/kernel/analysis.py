"""The exact chance of a mine in every cell of a position."""

from __future__ import annotations

from math import log

from bot.solver.kernel.combine import EXACT, combine
from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.groups import find_groups, order_groups
from bot.solver.kernel.layout import (
    CELL,
    CELLS,
    COMPONENTS,
    FIRST,
    GROUP_OF,
    GROUPS,
    MINE,
    OUTSIDE,
    SAFE,
    SCALE,
    SOLUTIONS,
    SPARE,
    UNKNOWN,
    UNKNOWNS,
    Position,
    Topology,
    Work,
)
from bot.solver.kernel.rules import mark, settle
from bot.solver.kernel.sweep import sweep_all, sweep_back


@inlined
def _spread(position: Position, work: Work) -> None:
    """Give every cell the risk of its group, and all others that of the cells outside."""
    risk = work.risk
    outside = work.facts[OUTSIDE]
    for group in range(work.size[GROUPS]):
        work.line[SPARE, group] = risk[work.front[FIRST, group]]
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN:
            risk[cell] = outside
    for index in range(work.size[CELLS]):
        cell = work.front[CELL, index]
        risk[cell] = work.line[SPARE, work.front[GROUP_OF, cell]]


@compiled
def analyse(topology: Topology, position: Position, work: Work) -> int:
    """Set ``work.risk`` of every UNKNOWN cell; return EXACT, NOTHING_FITS or TOO_LARGE.

    No counting rule may apply to ``position``. Risks of exactly 0 and 1 are proofs.
    """
    find_groups(topology, position, work)
    order_groups(work)
    found = sweep_all(topology, work)
    if found < 1:
        return found
    found = combine(position, work)
    if found < 1:
        return found
    for component in range(work.size[COMPONENTS]):
        sweep_back(topology, work, component)
    _spread(position, work)
    return EXACT


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
    return log(work.facts[SOLUTIONS]) + work.facts[SCALE]
