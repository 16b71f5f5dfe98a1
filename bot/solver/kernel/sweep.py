"""Counting the solutions of components exactly, one group after another.

A *state* is what the open constraints still need, 3 bits each in one integer (the counting rules have left
no constraint that needs 8). All placements that lead to one state are counted together, by their number of
mines: ``ahead`` is a polynomial from ``low`` mines on, in which zero means that there is none. How many mines
a group may hold is bounded before a state is followed, so that hardly any state leads nowhere.

Counts are sums of products of what is not negative, and nothing is ever subtracted: zero is exact.
"""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.forget import forget_one
from bot.solver.kernel.layout import (
    ADDED,
    AHEAD,
    APART,
    COEFFICIENTS,
    COMPONENTS,
    EDGE,
    EDGES,
    FORGOTTEN,
    HOLDS,
    KEY,
    LARGE,
    LAST,
    LAYER,
    LEAST,
    LEFT,
    LENGTH,
    LEVEL,
    LINKS,
    LOW,
    NEED,
    OFFSET,
    ORDER,
    REST,
    SIZE,
    SLOT,
    SLOTS,
    SPAN,
    START,
    STATE_STAMP,
    STATES,
    TO_CONSTRAINTS,
    UNIT,
    Topology,
    Work,
)
from bot.solver.kernel.numbers import level
from bot.solver.kernel.states import NO_STATE, TOO_MANY, state_of

_ALL_FREE = (1 << SLOTS) - 1


@inlined
def _take_slots(work: Work, group: int, place: int, free: int) -> int:
    """Give slots to the new constraints of a group; return the free ones that are left, or TOO_MANY."""
    unit, added = 0, 0
    for index in range(work.front[SPAN, group]):
        constraint = work.links[TO_CONSTRAINTS, group, index]
        if work.front[SLOT, constraint] < 0:
            if free == 0:
                return TOO_MANY
            lowest = 0
            while not free >> lowest & 1:
                lowest += 1
            free ^= 1 << lowest
            work.front[SLOT, constraint] = lowest
            work.front[HOLDS, lowest] = constraint
            work.front[REST, constraint] = work.front[LINKS, constraint]
            added += work.front[NEED, constraint] << 3 * lowest
        work.front[LEFT, constraint] -= work.front[SIZE, group]
        unit += 1 << 3 * work.front[SLOT, constraint]
    work.step[UNIT, place] = unit
    work.step[ADDED, place] = added
    return free


@inlined
def _enumerate(
    work: Work,
    group: int,
    place: int,
    component: int,
) -> bool:
    """Find the states after a group and the edges to them; return False if there is no room for them."""
    counted = 1 - work.size[APART]
    layer = place + component
    begin, end = work.step[LAYER, layer], work.size[STATES]
    work.step[LAYER, layer + 1] = end
    work.size[STATE_STAMP] += 1
    unit, edge = work.step[UNIT, place], work.size[EDGES]
    most_edges = (work.front[SIZE, group] + 1) * (end - begin)
    if edge + most_edges >= len(work.to) or end + most_edges >= work.state.shape[1]:
        return False
    for state in range(begin, end):
        key = work.state[KEY, state] + work.step[ADDED, place]
        least, most = 0, work.front[SIZE, group]
        for index in range(work.front[SPAN, group]):
            constraint = work.links[TO_CONSTRAINTS, group, index]
            need = key >> 3 * work.front[SLOT, constraint] & 7
            most = min(most, need)
            least = max(least, need - work.front[LEFT, constraint])
        work.state[LEAST, state] = least
        work.state[EDGE, state] = edge
        low, high = work.state[LOW, state], work.state[LOW, state] + work.state[LENGTH, state] - 1
        for mines in range(least, most + 1):
            further = mines * counted
            work.to[edge] = state_of(work, key - mines * unit, low + further, high + further)
            edge += 1
    # one more entry closes the last state's edges
    work.state[EDGE, end] = edge
    work.size[EDGES] = edge
    return True


@inlined
def _accumulate(work: Work, group: int, layer: int) -> bool:
    """Fill the polynomials of the layer after ``layer``; return False if there is no room for them."""
    begin, middle, end = work.step[LAYER, layer], work.step[LAYER, layer + 1], work.size[STATES]
    room = work.size[COEFFICIENTS]
    for state in range(middle, end):
        work.state[OFFSET, state] = room
        room += work.state[LENGTH, state]
        if room > work.poly.shape[1]:
            return False
    for index in range(work.size[COEFFICIENTS], room):
        work.poly[AHEAD, index] = 0.0
    work.size[COEFFICIENTS] = room
    choose, counted = work.weight[work.front[SIZE, group]], 1 - work.size[APART]
    for state in range(begin, middle):
        source, length, mines = work.state[OFFSET, state], work.state[LENGTH, state], work.state[LEAST, state]
        for edge in range(work.state[EDGE, state], work.state[EDGE, state + 1]):
            after = work.to[edge]
            low = work.state[LOW, state] + mines * counted
            target = work.state[OFFSET, after] + low - work.state[LOW, after]
            for index in range(length):
                work.poly[AHEAD, target + index] += choose[mines] * work.poly[AHEAD, source + index]
            mines += 1
    return True


@inlined
def _begin(work: Work, component: int) -> None:
    """Set the one state that stands before the first group of a component."""
    begin = work.front[START, component]
    for place in range(begin, work.front[START, component + 1]):
        group = work.front[ORDER, place]
        for index in range(work.front[SPAN, group]):
            constraint = work.links[TO_CONSTRAINTS, group, index]
            work.front[SLOT, constraint] = -1
            work.front[LAST, constraint] = place
    work.step[LAYER, begin + component] = work.size[STATES]
    work.size[STATE_STAMP] += 1
    first = state_of(work, 0, 0, 0)
    work.state[OFFSET, first] = work.size[COEFFICIENTS]
    work.poly[AHEAD, work.state[OFFSET, first]] = 1.0
    work.size[COEFFICIENTS] += 1


@inlined
def _lacks_slots(work: Work, group: int, free: int) -> bool:
    lacks = False
    for index in range(work.front[SPAN, group]):
        if work.front[SLOT, work.links[TO_CONSTRAINTS, group, index]] < 0:
            lacks |= free == 0
            free &= free - 1
    return lacks


@inlined
def _crowded(work: Work, group: int, layer: int, place: int, free: int) -> bool:
    """Return whether too much would be open after a group.

    A third of all states is kept for all places alike. Of what is left of the rest, a layer may use
    an eighth.
    """
    if _lacks_slots(work, group, free):
        return True
    states, most = work.size[STATES], work.state.shape[1]
    need = (work.front[SIZE, group] + 1) * (states - work.step[LAYER, layer])
    places = work.front[START, work.size[COMPONENTS]]
    left = places - place
    return need > max((most - states) // (3 * left), (most - states - most * left // (3 * places)) // 8)


@inlined
def _close(work: Work, group: int, free: int) -> int:
    """Return the free slots after a group, with those of the constraints that it was the last of."""
    for index in range(work.front[SPAN, group]):
        constraint = work.links[TO_CONSTRAINTS, group, index]
        work.front[REST, constraint] -= 1
        if work.front[REST, constraint] == 0:
            free |= 1 << work.front[SLOT, constraint]
    return free


@inlined
def _step(work: Work, group: int, place: int, component: int, free: int) -> int:
    """Find and fill the layer after a group; return the free slots then, or TOO_MANY, NO_STATE."""
    layer, begin = place + component, work.size[COEFFICIENTS]
    free = _take_slots(work, group, place, free)
    if free < 0 or not _enumerate(work, group, place, component):
        return TOO_MANY
    if work.step[LAYER, layer + 1] == work.size[STATES]:
        return NO_STATE
    if not _accumulate(work, group, layer):
        return TOO_MANY
    if work.size[LARGE]:
        work.facts[LEVEL] += level(work.poly[AHEAD], begin, work.size[COEFFICIENTS])
    return _close(work, group, free)


@inlined
def _sweep_one(topology: Topology, work: Work, component: int) -> int:
    _begin(work, component)
    place, free = work.front[START, component], _ALL_FREE
    while place < work.front[START, component + 1] and free >= 0:
        group = work.front[ORDER, place]
        if work.size[APART] and free != _ALL_FREE and _crowded(work, group, place + component, place, free):
            free = forget_one(topology, work, place, component, free)
        else:
            free = _step(work, group, place, component, free)
        place += 1
    return 1 if free >= 0 else free


@compiled
def sweep_all(topology: Topology, work: Work) -> int:
    """Count the solutions of every component; return 1, NO_STATE if one has none, or TOO_MANY.

    The states before the group at place p of component c stand from ``layer[p + c]`` on, the last one of the
    component from ``layer[p + c + 1]``. Where components are kept APART, there are never TOO_MANY but for
    bad luck: constraints are forgotten where too much is open.
    """
    work.size[STATES] = 0
    work.size[EDGES] = 0
    work.size[COEFFICIENTS] = 0
    work.size[FORGOTTEN] = 0
    for component in range(work.size[COMPONENTS]):
        found = _sweep_one(topology, work, component)
        if found < 1:
            return found
    return 1
