"""Constraints, groups and components of a position, and the order in which groups are taken.

A *constraint* is an opened number with UNKNOWN neighbours. Cells under the same constraints form a *group*:
only the number of mines among them matters. Groups are told apart by the exclusive or of the random keys of
the numbers that touch their cells (62 bits: two sets of numbers share one by chance once in 10^18).
"""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    CELL,
    CELLS,
    COMPONENTS,
    CONSTRAINT_OF,
    CONSTRAINTS,
    END,
    FIRST,
    GROUP_OF,
    GROUP_STAMP,
    GROUPS,
    KEPT,
    LEFT,
    LINKS,
    NEED,
    OPENED,
    ORDER,
    REST,
    SEEN,
    SIZE,
    SPAN,
    START,
    TO_CONSTRAINTS,
    TO_GROUPS,
    UNKNOWN,
    WAITING,
    Position,
    Topology,
    Work,
)


@inlined
def _find_constraints(topology: Topology, position: Position, work: Work) -> None:
    count, cells = 0, 0
    for cell in range(len(position.shown)):
        if position.shown[cell] < 0 or position.left[cell] == 0:
            continue
        work.front[NEED, count] = position.shown[cell] - position.mines[cell]
        work.front[LEFT, count] = position.left[cell]
        work.front[LINKS, count] = 0
        work.front[CONSTRAINT_OF, cell] = count
        count += 1
        for index in range(topology.degree[cell]):
            other = topology.near[cell, index]
            if position.shown[other] == UNKNOWN:
                if work.mark[other] == 0:
                    work.front[CELL, cells] = other
                    cells += 1
                work.mark[other] ^= topology.keys[cell]
    work.size[CONSTRAINTS] = count
    work.size[CELLS] = cells


@inlined
def _group_of(work: Work, mark: int) -> int:
    """Return the group whose cells have this mark; the number of groups if there is none yet."""
    stamp, groups = work.size[GROUP_STAMP], work.size[GROUPS]
    mask = len(work.group_table) - 1
    place = (mark * 0x9E3779B97F4A7C1) >> 20 & mask
    while work.group_table[place, 0] == stamp:
        group = work.group_table[place, 1]
        if work.mark[work.front[FIRST, group]] == mark:
            return group
        place = (place + 1) & mask
    work.group_table[place, 0] = stamp
    work.group_table[place, 1] = groups
    return groups


@inlined
def _connect(topology: Topology, position: Position, work: Work, group: int, cell: int) -> None:
    count = 0
    for index in range(topology.degree[cell]):
        other = topology.near[cell, index]
        if position.shown[other] >= 0:
            constraint = work.front[CONSTRAINT_OF, other]
            work.links[TO_CONSTRAINTS, group, count] = constraint
            count += 1
            work.links[TO_GROUPS, constraint, work.front[LINKS, constraint]] = group
            work.front[LINKS, constraint] += 1
    work.front[SPAN, group] = count


@compiled
def find_groups(topology: Topology, position: Position, work: Work) -> None:
    """Find the constraints and groups of a position to which no counting rule applies."""
    _find_constraints(topology, position, work)
    work.size[GROUP_STAMP] += 1
    work.size[GROUPS] = 0
    for index in range(work.size[CELLS]):
        cell = work.front[CELL, index]
        group = _group_of(work, work.mark[cell])
        if group == work.size[GROUPS]:
            work.size[GROUPS] += 1
            work.front[FIRST, group] = cell
            work.front[SIZE, group] = 0
            _connect(topology, position, work, group, cell)
        work.front[SIZE, group] += 1
        work.front[GROUP_OF, cell] = group
    for index in range(work.size[CELLS]):
        work.mark[work.front[CELL, index]] = 0


@inlined
def _await(work: Work, constraint: int, count: int, token: int) -> int:
    """Let the groups of a constraint wait for their turn; return how many wait."""
    for index in range(work.front[LINKS, constraint]):
        group = work.links[TO_GROUPS, constraint, index]
        if work.front[SEEN, group] != token:
            work.front[SEEN, group] = token
            work.front[WAITING, count] = group
            count += 1
    return count


@inlined
def _score(work: Work, group: int, token: int) -> int:
    """Return how many constraints a group would open, less those it would close."""
    score = 0
    for index in range(work.front[SPAN, group]):
        constraint = work.links[TO_CONSTRAINTS, group, index]
        left = work.front[REST, constraint]
        if work.front[OPENED, constraint] != token:
            left = work.front[LINKS, constraint]
            score += 1
        score -= left == 1
    return score


@inlined
def _best_waiting(work: Work, count: int, token: int) -> int:
    best, chosen = 99, 0
    for index in range(count):
        score = _score(work, work.front[WAITING, index], token)
        if score < best:
            best, chosen = score, index
    return chosen


@compiled
def _ordered_from(work: Work, first: int, begin: int, token: int) -> float:
    """Write the order that starts with ``first`` from place ``begin`` on; return what it costs.

    The place after its end is left in ``work.size[END]``. ``token`` tells the runs of a component apart.
    """
    count, place, width, cost = 1, begin, 0, 0.0
    work.front[WAITING, 0] = first
    work.front[SEEN, first] = token
    while count:
        chosen = _best_waiting(work, count, token)
        group = work.front[WAITING, chosen]
        count -= 1
        work.front[WAITING, chosen] = work.front[WAITING, count]
        work.front[ORDER, place] = group
        place += 1
        for index in range(work.front[SPAN, group]):
            constraint = work.links[TO_CONSTRAINTS, group, index]
            if work.front[OPENED, constraint] != token:
                work.front[OPENED, constraint] = token
                work.front[REST, constraint] = work.front[LINKS, constraint]
                width += 1
                count = _await(work, constraint, count, token)
        cost += 2.0**width
        for index in range(work.front[SPAN, group]):
            constraint = work.links[TO_CONSTRAINTS, group, index]
            work.front[REST, constraint] -= 1
            width -= work.front[REST, constraint] == 0
    work.size[END] = place
    return cost


@inlined
def _keep_cheaper(work: Work, begin: int, cost: float) -> None:
    """Try the order from its last group on; go back to what it was if that costs more."""
    end = work.size[END]
    for place in range(begin, end):
        work.front[KEPT, place] = work.front[ORDER, place]
    if _ordered_from(work, work.front[ORDER, end - 1], begin, 2) > cost:
        for place in range(begin, end):
            work.front[ORDER, place] = work.front[KEPT, place]


@compiled
def order_groups(work: Work) -> None:
    """Put the groups in order, component by component, so that few constraints are open at any time.

    Each next group opens the fewest new constraints, less those that it closes. That is tried from the
    first group of a component, and from the last one of that order; the cheaper order is kept.
    """
    place, components = 0, 0
    for constraint in range(work.size[CONSTRAINTS]):
        work.front[OPENED, constraint] = 0
    for group in range(work.size[GROUPS]):
        work.front[SEEN, group] = 0
    for group in range(work.size[GROUPS]):
        if work.front[SEEN, group]:
            continue
        work.front[START, components] = place
        components += 1
        cost = _ordered_from(work, group, place, 1)
        if work.size[END] - place > 3:
            _keep_cheaper(work, place, cost)
        place = work.size[END]
    work.front[START, components] = place
    work.size[COMPONENTS] = components
