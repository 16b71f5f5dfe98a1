"""Counting the solutions of components exactly, one group after another.

A *state* is what the open constraints still need, 3 bits each in one integer (the counting rules have left
no constraint that needs 8). All placements that lead to one state are counted together, by their number of
mines: ``ahead`` is a polynomial from ``low`` mines on, in which zero means that there is none. How many mines
a group may hold is bounded before a state is followed, so that hardly any state leads nowhere.

Counts are sums of products of what is not negative, and nothing is ever subtracted: zero is exact.
"""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    ADDED,
    AHEAD,
    BACK,
    COEFFICIENTS,
    COMPONENTS,
    EDGE,
    EDGES,
    FIRST,
    KEY,
    LAYER,
    LEAST,
    LEFT,
    LENGTH,
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

_LEAST, _MOST = 1e-300, 1 - 2.0**-53  # the risks next to none and to certainty


@inlined
def _take_slots(work: Work, group: int, place: int, free: int) -> int:
    """Give slots to the new constraints of a group; return the free ones that are left, -1 if too few."""
    unit, added = 0, 0
    for index in range(work.front[SPAN, group]):
        constraint = work.links[TO_CONSTRAINTS, group, index]
        if work.front[SLOT, constraint] < 0:
            if free == 0:
                return -1
            lowest = 0
            while not free >> lowest & 1:
                lowest += 1
            free ^= 1 << lowest
            work.front[SLOT, constraint] = lowest
            work.front[REST, constraint] = work.front[LINKS, constraint]
            added += work.front[NEED, constraint] << 3 * lowest
        work.front[LEFT, constraint] -= work.front[SIZE, group]
        unit += 1 << 3 * work.front[SLOT, constraint]
    work.step[UNIT, place] = unit
    work.step[ADDED, place] = added
    return free


@inlined
def _state(work: Work, key: int, low: int, high: int) -> int:
    """Return the state of the newest layer with ``key``, widened to hold ``low`` to ``high`` mines."""
    stamp = work.size[STATE_STAMP]
    mask = len(work.state_table) - 1
    place = (key * 0x9E3779B97F4A7C15 ^ key >> 29) >> 7 & mask
    while work.state_table[place, 0] == stamp:
        state = work.state_table[place, 1]
        if work.state[KEY, state] == key:
            last = max(high, work.state[LOW, state] + work.state[LENGTH, state] - 1)
            work.state[LOW, state] = min(work.state[LOW, state], low)
            work.state[LENGTH, state] = last - work.state[LOW, state] + 1
            return state
        place = (place + 1) & mask
    state = work.size[STATES]
    work.size[STATES] += 1
    work.state_table[place, 0] = stamp
    work.state_table[place, 1] = state
    work.state[KEY, state] = key
    work.state[LOW, state] = low
    work.state[LENGTH, state] = high - low + 1
    return state


@inlined
def _enumerate(
    work: Work,
    group: int,
    place: int,
    component: int,
) -> bool:
    """Find the states after a group and the edges to them; return False if there is no room for them."""
    layer = place + component
    begin, end = work.step[LAYER, layer], work.size[STATES]
    work.step[LAYER, layer + 1] = end
    work.size[STATE_STAMP] += 1
    unit, edge = work.step[UNIT, place], work.size[EDGES]
    if edge + 9 * (end - begin) >= len(work.to) or end + 9 * (end - begin) >= work.state.shape[1]:
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
            work.to[edge] = _state(work, key - mines * unit, low + mines, high + mines)
            edge += 1
    # one more entry closes the last state's edges
    work.state[EDGE, end] = edge
    work.size[EDGES] = edge
    return True


@inlined
def _accumulate(topology: Topology, work: Work, group: int, layer: int) -> bool:
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
    choose = topology.choose[work.front[SIZE, group]]
    for state in range(begin, middle):
        source, length, mines = work.state[OFFSET, state], work.state[LENGTH, state], work.state[LEAST, state]
        for edge in range(work.state[EDGE, state], work.state[EDGE, state + 1]):
            after = work.to[edge]
            target = work.state[OFFSET, after] + work.state[LOW, state] + mines - work.state[LOW, after]
            for index in range(length):
                work.poly[AHEAD, target + index] += choose[mines] * work.poly[AHEAD, source + index]
            mines += 1
    return True


@inlined
def _sweep_one(topology: Topology, work: Work, component: int) -> int:
    begin, end = work.front[START, component], work.front[START, component + 1]
    for place in range(begin, end):
        group = work.front[ORDER, place]
        for index in range(work.front[SPAN, group]):
            work.front[SLOT, work.links[TO_CONSTRAINTS, group, index]] = -1
    free = (1 << SLOTS) - 1
    work.step[LAYER, begin + component] = work.size[STATES]
    work.size[STATE_STAMP] += 1
    first = _state(work, 0, 0, 0)
    work.state[OFFSET, first] = work.size[COEFFICIENTS]
    work.poly[AHEAD, work.state[OFFSET, first]] = 1.0
    work.size[COEFFICIENTS] += 1
    for place in range(begin, end):
        group = work.front[ORDER, place]
        free = _take_slots(work, group, place, free)
        if free < 0:
            return -1
        if not _enumerate(work, group, place, component):
            return -1
        if work.step[LAYER, place + component + 1] == work.size[STATES]:
            return 0
        if not _accumulate(topology, work, group, place + component):
            return -1
        for index in range(work.front[SPAN, group]):
            constraint = work.links[TO_CONSTRAINTS, group, index]
            work.front[REST, constraint] -= 1
            if work.front[REST, constraint] == 0:
                free |= 1 << work.front[SLOT, constraint]
    return 1


@compiled
def sweep_all(topology: Topology, work: Work) -> int:
    """Count the solutions of every component; return 1, 0 if one has none, -1 if they are too many states.

    The states before the group at place p of component c stand from ``layer[p + c]`` on, the last one of the
    component from ``layer[p + c + 1]``.
    """
    work.size[STATES] = 0
    work.size[EDGES] = 0
    work.size[COEFFICIENTS] = 0
    for component in range(work.size[COMPONENTS]):
        found = _sweep_one(topology, work, component)
        if found < 1:
            return found
    return 1


@inlined
def share(mined: float, safe: float) -> float:
    """Return the chance of a mine; 0 and 1 only where one of the two is exactly none, not by rounding."""
    if mined == 0.0 or safe == 0.0:
        return 0.0 if mined == 0.0 else 1.0
    return min(max(mined / (mined + safe), _LEAST), _MOST)


@compiled
def sweep_back(topology: Topology, work: Work, component: int) -> None:
    """Walk a component back from its last state, whose ``back`` is filled; set the risk of its cells.

    ``back`` of a state is the ways from there to the end of the whole board, for each number of mines so far.
    """
    begin, end = work.front[START, component], work.front[START, component + 1]
    for place in range(end - 1, begin - 1, -1):
        group = work.front[ORDER, place]
        size = work.front[SIZE, group]
        choose = topology.choose[size]
        mined, safe = 0.0, 0.0
        for state in range(work.step[LAYER, place + component], work.step[LAYER, place + component + 1]):
            source, length, mines = (
                work.state[OFFSET, state],
                work.state[LENGTH, state],
                work.state[LEAST, state],
            )
            for index in range(length):
                work.poly[BACK, source + index] = 0.0
            for edge in range(work.state[EDGE, state], work.state[EDGE, state + 1]):
                after = work.to[edge]
                target = work.state[OFFSET, after] + work.state[LOW, state] + mines - work.state[LOW, after]
                ways, each = 0.0, choose[mines]
                for index in range(length):
                    further = each * work.poly[BACK, target + index]
                    work.poly[BACK, source + index] += further
                    ways += work.poly[AHEAD, source + index] * further
                mined += mines * ways
                safe += (size - mines) * ways
                mines += 1
        work.risk[work.front[FIRST, group]] = share(mined, safe)
