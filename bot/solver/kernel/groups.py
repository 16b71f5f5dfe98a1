"""Constraints, groups and components of a position, and the order in which the sweep visits the groups.

A *constraint* is an opened number with UNKNOWN neighbours. Cells under the same constraints form a *group*:
only the number of mines among them matters. A group is identified by its mark: the exclusive or of the random
keys of the numbers that touch it. It has 62 bits, so two groups have the same one with a chance of 10^-18.
"""

from __future__ import annotations

from math import ldexp

from bot.solver.kernel.build.functions import compiled, helper
from bot.solver.kernel.layout import UNKNOWN, CountingBuffers, Position


@helper
def _find_constraints(position: Position, buffers: CountingBuffers) -> None:
    count, cells = 0, 0
    for cell in range(position.cells):
        buffers.group_of[cell] = -1
    for cell in range(position.cells):
        if position.shown[cell] < 0 or position.left[cell] == 0:
            continue
        buffers.need[count] = position.shown[cell] - position.mines[cell]
        buffers.cells_left[count] = position.left[cell]
        buffers.group_count[count] = 0
        buffers.constraint_of[cell] = count
        count += 1
        for index in range(position.degree[cell]):
            other = position.near[8 * cell + index]
            if position.shown[other] == UNKNOWN:
                if buffers.cell_mark[other] == 0:
                    buffers.frontier[cells] = other
                    cells += 1
                buffers.cell_mark[other] ^= buffers.keys[cell]
    buffers.constraints = count
    buffers.frontier_cells = cells


@helper
def _group_of(buffers: CountingBuffers, mark: int) -> int:
    """Return the group whose cells have ``mark``; if there is none yet, enter and return the next index."""
    stamp, groups = buffers.group_stamp, buffers.groups
    mask = buffers.group_slots - 1
    place = (mark * 0x9E3779B97F4A7C1) >> 20 & mask
    while buffers.group_table[2 * place] == stamp:
        group = buffers.group_table[2 * place + 1]
        if buffers.cell_mark[buffers.first_cell[group]] == mark:
            return group
        place = (place + 1) & mask
    buffers.group_table[2 * place] = stamp
    buffers.group_table[2 * place + 1] = groups
    return groups


@helper
def _connect(position: Position, buffers: CountingBuffers, group: int, cell: int) -> None:
    count = 0
    for index in range(position.degree[cell]):
        other = position.near[8 * cell + index]
        if position.shown[other] >= 0:
            constraint = buffers.constraint_of[other]
            buffers.constraints_of[8 * group + count] = constraint
            count += 1
            buffers.groups_of[8 * constraint + buffers.group_count[constraint]] = group
            buffers.group_count[constraint] += 1
    buffers.constraint_count[group] = count


@compiled
def find_groups(position: Position, buffers: CountingBuffers) -> None:
    """Find the constraints and groups of ``position``, in which no counting rule may apply any more."""
    _find_constraints(position, buffers)
    buffers.group_stamp += 1
    buffers.groups = 0
    for index in range(buffers.frontier_cells):
        cell = buffers.frontier[index]
        group = _group_of(buffers, buffers.cell_mark[cell])
        if group == buffers.groups:
            buffers.groups += 1
            buffers.first_cell[group] = cell
            buffers.group_size[group] = 0
            _connect(position, buffers, group, cell)
        buffers.group_size[group] += 1
        buffers.group_of[cell] = group
    for index in range(buffers.frontier_cells):
        buffers.cell_mark[buffers.frontier[index]] = 0


@helper
def _await(buffers: CountingBuffers, constraint: int, count: int, token: int) -> int:
    """Add the groups of a constraint to ``buffers.waiting``, unless seen; return how many groups wait."""
    for index in range(buffers.group_count[constraint]):
        group = buffers.groups_of[8 * constraint + index]
        if buffers.reached[group] != token:
            buffers.reached[group] = token
            buffers.waiting[count] = group
            count += 1
    return count


@helper
def _score(buffers: CountingBuffers, group: int, token: int) -> int:
    """Return how many constraints a group would open, minus how many it would close."""
    score = 0
    for index in range(buffers.constraint_count[group]):
        constraint = buffers.constraints_of[8 * group + index]
        left = buffers.groups_left[constraint]
        if buffers.constraint_open[constraint] != token:
            left = buffers.group_count[constraint]
            score += 1
        score -= left == 1
    return score


@helper
def _best_waiting(buffers: CountingBuffers, count: int, token: int) -> int:
    best, chosen = 99, 0
    for index in range(count):
        score = _score(buffers, buffers.waiting[index], token)
        if score < best:
            best, chosen = score, index
    return chosen


@helper
def _ordered_from(buffers: CountingBuffers, first: int, begin: int, token: int) -> float:
    """Write the order of a component that starts with ``first`` from place ``begin`` on; return its cost.

    ``buffers.order_end`` is set to the place after it. ``token`` differs between the runs for a component.
    """
    count, place, width, cost = 1, begin, 0, 0.0
    buffers.waiting[0] = first
    buffers.reached[first] = token
    while count:
        chosen = _best_waiting(buffers, count, token)
        group = buffers.waiting[chosen]
        count -= 1
        buffers.waiting[chosen] = buffers.waiting[count]
        buffers.order[place] = group
        place += 1
        for index in range(buffers.constraint_count[group]):
            constraint = buffers.constraints_of[8 * group + index]
            if buffers.constraint_open[constraint] != token:
                buffers.constraint_open[constraint] = token
                buffers.groups_left[constraint] = buffers.group_count[constraint]
                width += 1
                count = _await(buffers, constraint, count, token)
        cost += ldexp(1.0, width)
        for index in range(buffers.constraint_count[group]):
            constraint = buffers.constraints_of[8 * group + index]
            buffers.groups_left[constraint] -= 1
            width -= buffers.groups_left[constraint] == 0
    buffers.order_end = place
    return cost


@helper
def _keep_cheaper(buffers: CountingBuffers, begin: int, cost: float) -> None:
    """Order the component again, from its last group; restore the first order if the new one costs more."""
    end = buffers.order_end
    for place in range(begin, end):
        buffers.first_order[place] = buffers.order[place]
    if _ordered_from(buffers, buffers.order[end - 1], begin, 2) > cost:
        for place in range(begin, end):
            buffers.order[place] = buffers.first_order[place]


@compiled
def order_groups(buffers: CountingBuffers) -> None:
    """Order the groups, component by component, so that few constraints are open at any time.

    The next group is always the one with the fewest newly opened minus closed constraints. A component is
    ordered from its first group, then from the last group of that order; the cheaper order is kept.
    """
    place, components = 0, 0
    for constraint in range(buffers.constraints):
        buffers.constraint_open[constraint] = 0
    for group in range(buffers.groups):
        buffers.reached[group] = 0
    for group in range(buffers.groups):
        if buffers.reached[group]:
            continue
        buffers.component_start[components] = place
        components += 1
        cost = _ordered_from(buffers, group, place, 1)
        if buffers.order_end - place > 3:
            _keep_cheaper(buffers, place, cost)
        place = buffers.order_end
    buffers.component_start[components] = place
    buffers.components = components
