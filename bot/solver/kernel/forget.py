"""Leaving constraints out of a sweep that is too wide to be counted.

A constraint that is *forgotten* is not heeded from some place on: states that differ by what it still needs
become one, each weighed by how likely its remaining cells are to hold just that, if they were like any other.
What remains is looser than the position: what is impossible there is impossible, so that risks of exactly 0
and 1 still are proofs. All other risks are estimates.

A step without cells stands in the order of groups where a constraint is forgotten. All that only where
components are kept apart (see `analysis`): a state then has one count for all numbers of mines.
"""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    ADDED,
    AHEAD,
    BACK,
    COEFFICIENTS,
    COMPONENTS,
    DENSITY,
    EDGE,
    EDGES,
    FORGOTTEN,
    GROUPS,
    HOLDS,
    KEY,
    LAST,
    LAYER,
    LEAST,
    LEFT,
    LEVEL,
    LINKS,
    OFFSET,
    ORDER,
    SIZE,
    SLOTS,
    SPAN,
    START,
    STATE_STAMP,
    STATES,
    TO_CONSTRAINTS,
    TO_GROUPS,
    UNIT,
    Topology,
    Work,
)
from bot.solver.kernel.numbers import level
from bot.solver.kernel.states import TOO_MANY, state_of


@inlined
def _latest(work: Work, free: int) -> int:
    """Return the slot of the open constraint whose last group comes last in the order."""
    chosen, last = 0, -1
    for slot in range(SLOTS):
        if not free >> slot & 1 and work.front[LAST, work.front[HOLDS, slot]] > last:
            chosen, last = slot, work.front[LAST, work.front[HOLDS, slot]]
    return chosen


@inlined
def _drop(work: Work, group: int, constraint: int) -> None:
    """Take a constraint from a group."""
    kept = 0
    for index in range(work.front[SPAN, group]):
        other = work.links[TO_CONSTRAINTS, group, index]
        if other != constraint:
            work.links[TO_CONSTRAINTS, group, kept] = other
            kept += 1
    work.front[SPAN, group] = kept


@inlined
def _insert(work: Work, place: int, component: int) -> None:
    """Put a step without cells into the order of a component."""
    group = work.size[GROUPS] + work.size[FORGOTTEN]
    work.size[FORGOTTEN] += 1
    work.front[SIZE, group] = 0
    work.front[SPAN, group] = 0
    for later in range(work.front[START, work.size[COMPONENTS]], place, -1):
        work.front[ORDER, later] = work.front[ORDER, later - 1]
    work.front[ORDER, place] = group
    for later in range(component + 1, work.size[COMPONENTS] + 1):
        work.front[START, later] += 1


@inlined
def _likely(topology: Topology, work: Work, key: int, place: int) -> float:
    """Return how likely the remaining cells of a forgotten constraint hold what it needs in a state."""
    need, left = key >> 3 * work.step[ADDED, place] & 7, work.step[UNIT, place]
    density = work.facts[DENSITY]
    if need > left:
        return 0.0
    return topology.choose[left, need] * density**need * (1.0 - density) ** (left - need)


@inlined
def _merge(topology: Topology, work: Work, place: int, layer: int) -> None:
    """Fill the layer after a constraint is forgotten."""
    begin, end, edge = work.step[LAYER, layer], work.size[STATES], work.size[EDGES]
    work.step[LAYER, layer + 1] = end
    work.size[STATE_STAMP] += 1
    for state in range(begin, end):
        key, known = work.state[KEY, state], work.size[STATES]
        after = state_of(work, key & ~(7 << 3 * work.step[ADDED, place]), 0, 0)
        if after == known:
            work.state[OFFSET, after] = work.size[COEFFICIENTS]
            work.poly[AHEAD, work.size[COEFFICIENTS]] = 0.0
            work.size[COEFFICIENTS] += 1
        ways = _likely(topology, work, key, place) * work.poly[AHEAD, work.state[OFFSET, state]]
        work.poly[AHEAD, work.state[OFFSET, after]] += ways
        work.state[LEAST, state] = 0
        work.state[EDGE, state] = edge
        work.to[edge] = after
        edge += 1
    work.state[EDGE, end] = edge
    work.size[EDGES] = edge


@compiled
def forget_one(topology: Topology, work: Work, place: int, component: int, free: int) -> int:
    """Forget an open constraint before the group at ``place``, where a step without cells then stands.

    It is the one that would be open for longest. Return the ``free`` slots with its own, or TOO_MANY.
    """
    slot, layer, begin = _latest(work, free), place + component, work.size[COEFFICIENTS]
    constraint, count = work.front[HOLDS, slot], work.size[STATES] - work.step[LAYER, layer]
    if work.size[STATES] + count >= work.state.shape[1] or work.size[EDGES] + count >= len(work.to):
        return TOO_MANY
    for index in range(work.front[LINKS, constraint]):
        _drop(work, work.links[TO_GROUPS, constraint, index], constraint)
    _insert(work, place, component)
    work.step[ADDED, place] = slot
    work.step[UNIT, place] = work.front[LEFT, constraint]
    _merge(topology, work, place, layer)
    work.facts[LEVEL] += level(work.poly[AHEAD], begin, work.size[COEFFICIENTS])
    return free | 1 << slot


@compiled
def back_over_forgotten(topology: Topology, work: Work, place: int, layer: int) -> None:
    """Fill `BACK` of the layer before a forgotten constraint."""
    for state in range(work.step[LAYER, layer], work.step[LAYER, layer + 1]):
        likely = _likely(topology, work, work.state[KEY, state], place)
        after = work.to[work.state[EDGE, state]]
        work.poly[BACK, work.state[OFFSET, state]] = likely * work.poly[BACK, work.state[OFFSET, after]]
