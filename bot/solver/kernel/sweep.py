"""Counting the solutions of components exactly, one group after another.

A *state* is what the open constraints still need, 3 bits each in one integer (the counting rules have left
no constraint that needs 8). All placements that lead to one state are counted together, by their number of
mines: ``ahead`` is a polynomial from ``low`` mines on, in which zero means that there is none. How many mines
a group may hold is bounded before a state is followed, so that hardly any state leads nowhere.

Counts are sums of products of what is not negative, and nothing is ever subtracted: zero is exact.

A constraint that is *forgotten* does not count from some place on: states that differ by what it still needs
become one, each weighed by how likely its remaining cells are to hold just that, if they were like any other.
What remains is looser than the position: what is impossible there is impossible, so that risks of exactly 0
and 1 still are proofs. All other risks are estimates.

A step without cells stands in the order of groups where a constraint is forgotten. All that only where
components are kept apart (see `analysis`): a state then has one count for all numbers of mines.

Counts stay within what a float can hold, on boards of any size. Frontiers of few cells are counted as they
are: up to 2^300 placements, all whole numbers or products of them. Larger ones are counted *tilted*: a
placement with m mines counts odds^m, by the odds of a mine in any cell, and what lies outside is divided by
that, so that the mines that are likely count most. After each step the counts are divided by a power of two,
and what is possible stays at least `_LEAST` of the most: neither that nor the product of two of them can fall
to zero, which stays the sign of what is impossible.
"""

from __future__ import annotations

from math import frexp, ldexp, log

from bot.solver.kernel.compiled import compiled, helper
from bot.solver.kernel.layout import SLOTS, CountingBuffers, Position, Topology
from bot.solver.kernel.structs import Floats

TOO_MANY, NO_STATE = -1, -2  # why a sweep ends early
_ALL_FREE = (1 << SLOTS) - 1
_COUNTED_PLAINLY = 300  # cells
_LEAST = 2.0**-450
_BELOW_ONE = 1.0 - 2.0**-53
_ABOVE_ZERO = 2.0**-1000
_LN2 = log(2.0)


@helper
def _density(position: Position, buffers: CountingBuffers) -> float:
    """Return about how likely a mine is in a cell that no number touches; never none nor certain.

    Where most cells do touch numbers it is the mean of all cells, and that of the frontier, as far as the
    numbers tell it, where nobody knows how many mines there are.
    """
    need, left = 0, 0
    for constraint in range(buffers.constraints):
        need += buffers.need[constraint]
        left += buffers.cells_left[constraint]
    share, cells = need / max(1.0, left), buffers.frontier_cells
    outside = position.unknowns - cells
    if position.total_known:
        if outside > cells:
            share = (position.mines_left - share * cells) / outside
        else:
            share = position.mines_left / max(1.0, position.unknowns)
    return min(0.998, max(0.002, share))


@helper
def weigh_groups(topology: Topology, position: Position, buffers: CountingBuffers, apart: int) -> None:
    """Fill ``buffers.weight`` for the position whose groups are known, and say whether it is large."""
    buffers.apart = apart
    buffers.large = apart or buffers.frontier_cells > _COUNTED_PLAINLY
    buffers.level = 0.0
    odds = 1.0
    if buffers.large:
        buffers.density = _density(position, buffers)
        odds = buffers.density / (1.0 - buffers.density)
    if odds == buffers.odds:
        return
    buffers.odds = odds
    for size in range(9):
        tilt = 1.0
        for mines in range(size + 1):
            buffers.weight[9 * size + mines] = topology.choose[9 * size + mines] * tilt
            tilt *= odds


@helper
def level(values: Floats, begin: int, end: int) -> float:
    """Divide some counts by a power of two, so that the largest is near 1; return its natural logarithm."""
    most = 0.0
    for index in range(begin, end):
        most = max(most, values[index])
    power = frexp(most)[1]
    scale = ldexp(1.0, -power)
    for index in range(begin, end):
        if values[index] > 0.0:
            values[index] = max(_LEAST, values[index] * scale)
    return power * _LN2


@helper
def share(mined: float, safe: float) -> float:
    """Return the risk where so much weighs for a mine and so much against it; 0 and 1 only if all does."""
    if mined == 0.0 or safe == 0.0:
        return 0.0 if mined == 0.0 else 1.0
    return min(_BELOW_ONE, max(_ABOVE_ZERO, mined / (mined + safe)))


@helper
def last_state(buffers: CountingBuffers, component: int) -> int:
    """Return the one state that stands after the last group of a component."""
    return buffers.layer_start[buffers.component_start[component + 1] + component]


@helper
def state_of(buffers: CountingBuffers, key: int, low: int, high: int) -> int:
    """Return the state of the newest layer with ``key``, widened to hold ``low`` to ``high`` mines."""
    stamp = buffers.state_stamp
    mask = buffers.state_slots - 1
    place = (key * 0x9E3779B97F4A7C1) >> 37 & mask
    while buffers.state_table[2 * place] == stamp:
        state = buffers.state_table[2 * place + 1]
        if buffers.state_key[state] == key:
            last = max(high, buffers.state_low[state] + buffers.state_length[state] - 1)
            buffers.state_low[state] = min(buffers.state_low[state], low)
            buffers.state_length[state] = last - buffers.state_low[state] + 1
            return state
        place = (place + 1) & mask
    state = buffers.states
    buffers.states += 1
    buffers.state_table[2 * place] = stamp
    buffers.state_table[2 * place + 1] = state
    buffers.state_key[state] = key
    buffers.state_low[state] = low
    buffers.state_length[state] = high - low + 1
    return state


@helper
def _latest(buffers: CountingBuffers, free: int) -> int:
    """Return the slot of the open constraint whose last group comes last in the order."""
    chosen, last = 0, -1
    for slot in range(SLOTS):
        if not free >> slot & 1 and buffers.last_place[buffers.slot_constraint[slot]] > last:
            chosen, last = slot, buffers.last_place[buffers.slot_constraint[slot]]
    return chosen


@helper
def _drop(buffers: CountingBuffers, group: int, constraint: int) -> None:
    """Take a constraint from a group."""
    kept = 0
    for index in range(buffers.constraint_count[group]):
        other = buffers.constraints_of[8 * group + index]
        if other != constraint:
            buffers.constraints_of[8 * group + kept] = other
            kept += 1
    buffers.constraint_count[group] = kept


@helper
def _insert(buffers: CountingBuffers, place: int, component: int) -> None:
    """Put a step without cells into the order of a component."""
    group = buffers.groups + buffers.forgotten
    buffers.forgotten += 1
    buffers.group_size[group] = 0
    buffers.constraint_count[group] = 0
    for later in range(buffers.component_start[buffers.components], place, -1):
        buffers.order[later] = buffers.order[later - 1]
    buffers.order[place] = group
    for later in range(component + 1, buffers.components + 1):
        buffers.component_start[later] += 1


@helper
def _likely(topology: Topology, buffers: CountingBuffers, key: int, place: int) -> float:
    """Return how likely the remaining cells of a forgotten constraint hold what it needs in a state."""
    need, left = key >> 3 * buffers.added[place] & 7, buffers.unit[place]
    density = buffers.density
    if need > left:
        return 0.0
    return topology.choose[9 * left + need] * density**need * (1.0 - density) ** (left - need)


@helper
def _merge(topology: Topology, buffers: CountingBuffers, place: int, layer: int) -> None:
    """Fill the layer after a constraint is forgotten."""
    begin, end, edge = buffers.layer_start[layer], buffers.states, buffers.edges
    buffers.layer_start[layer + 1] = end
    buffers.state_stamp += 1
    for state in range(begin, end):
        key, known = buffers.state_key[state], buffers.states
        after = state_of(buffers, key & ~(7 << 3 * buffers.added[place]), 0, 0)
        if after == known:
            buffers.state_offset[after] = buffers.coefficients
            buffers.ahead[buffers.coefficients] = 0.0
            buffers.coefficients += 1
        ways = _likely(topology, buffers, key, place) * buffers.ahead[buffers.state_offset[state]]
        buffers.ahead[buffers.state_offset[after]] += ways
        buffers.state_least[state] = 0
        buffers.state_edge[state] = edge
        buffers.edge_state[edge] = after
        edge += 1
    buffers.state_edge[end] = edge
    buffers.edges = edge


@compiled
def forget_one(topology: Topology, buffers: CountingBuffers, place: int, component: int, free: int) -> int:
    """Forget an open constraint before the group at ``place``, where a step without cells then stands.

    It is the one that would be open for longest. Return the ``free`` slots with its own, or TOO_MANY.
    """
    slot, layer, begin = _latest(buffers, free), place + component, buffers.coefficients
    constraint, count = buffers.slot_constraint[slot], buffers.states - buffers.layer_start[layer]
    if buffers.states + count >= buffers.most_states or buffers.edges + count >= buffers.most_edges:
        return TOO_MANY
    for index in range(buffers.group_count[constraint]):
        _drop(buffers, buffers.groups_of[8 * constraint + index], constraint)
    _insert(buffers, place, component)
    buffers.added[place] = slot
    buffers.unit[place] = buffers.cells_left[constraint]
    _merge(topology, buffers, place, layer)
    buffers.level += level(buffers.ahead, begin, buffers.coefficients)
    return free | 1 << slot


@helper
def back_over_forgotten(topology: Topology, buffers: CountingBuffers, place: int, layer: int) -> None:
    """Fill ``back`` of the layer before a forgotten constraint."""
    for state in range(buffers.layer_start[layer], buffers.layer_start[layer + 1]):
        likely = _likely(topology, buffers, buffers.state_key[state], place)
        after = buffers.edge_state[buffers.state_edge[state]]
        buffers.back[buffers.state_offset[state]] = likely * buffers.back[buffers.state_offset[after]]


@helper
def _take_slots(buffers: CountingBuffers, group: int, place: int, free: int) -> int:
    """Give slots to the new constraints of a group; return the free ones that are left, or TOO_MANY."""
    unit, added = 0, 0
    for index in range(buffers.constraint_count[group]):
        constraint = buffers.constraints_of[8 * group + index]
        if buffers.slot[constraint] < 0:
            if free == 0:
                return TOO_MANY
            lowest = 0
            while not free >> lowest & 1:
                lowest += 1
            free ^= 1 << lowest
            buffers.slot[constraint] = lowest
            buffers.slot_constraint[lowest] = constraint
            buffers.groups_left[constraint] = buffers.group_count[constraint]
            added += buffers.need[constraint] << 3 * lowest
        buffers.cells_left[constraint] -= buffers.group_size[group]
        unit += 1 << 3 * buffers.slot[constraint]
    buffers.unit[place] = unit
    buffers.added[place] = added
    return free


@helper
def _enumerate(
    buffers: CountingBuffers,
    group: int,
    place: int,
    component: int,
) -> bool:
    """Find the states after a group and the edges to them; return False if there is no room for them."""
    counted = 1 - buffers.apart
    layer = place + component
    begin, end = buffers.layer_start[layer], buffers.states
    buffers.layer_start[layer + 1] = end
    buffers.state_stamp += 1
    unit, edge = buffers.unit[place], buffers.edges
    most_edges = (buffers.group_size[group] + 1) * (end - begin)
    if edge + most_edges >= buffers.most_edges or end + most_edges >= buffers.most_states:
        return False
    for state in range(begin, end):
        key = buffers.state_key[state] + buffers.added[place]
        least, most = 0, buffers.group_size[group]
        for index in range(buffers.constraint_count[group]):
            constraint = buffers.constraints_of[8 * group + index]
            need = key >> 3 * buffers.slot[constraint] & 7
            most = min(most, need)
            least = max(least, need - buffers.cells_left[constraint])
        buffers.state_least[state] = least
        buffers.state_edge[state] = edge
        low, high = buffers.state_low[state], buffers.state_low[state] + buffers.state_length[state] - 1
        for mines in range(least, most + 1):
            further = mines * counted
            buffers.edge_state[edge] = state_of(buffers, key - mines * unit, low + further, high + further)
            edge += 1
    # one more entry closes the last state's edges
    buffers.state_edge[end] = edge
    buffers.edges = edge
    return True


@helper
def _accumulate(buffers: CountingBuffers, group: int, layer: int) -> bool:
    """Fill the polynomials of the layer after ``layer``; return False if there is no room for them."""
    begin, middle, end = buffers.layer_start[layer], buffers.layer_start[layer + 1], buffers.states
    room = buffers.coefficients
    for state in range(middle, end):
        buffers.state_offset[state] = room
        room += buffers.state_length[state]
        if room > buffers.most_coefficients:
            return False
    for index in range(buffers.coefficients, room):
        buffers.ahead[index] = 0.0
    buffers.coefficients = room
    ahead, weight = buffers.ahead, buffers.weight
    choose, counted = 9 * buffers.group_size[group], 1 - buffers.apart
    for state in range(begin, middle):
        source, length, mines = (
            buffers.state_offset[state],
            buffers.state_length[state],
            buffers.state_least[state],
        )
        for edge in range(buffers.state_edge[state], buffers.state_edge[state + 1]):
            after = buffers.edge_state[edge]
            low = buffers.state_low[state] + mines * counted
            target = buffers.state_offset[after] + low - buffers.state_low[after]
            for index in range(length):
                ahead[target + index] += weight[choose + mines] * ahead[source + index]
            mines += 1
    return True


@helper
def _begin(buffers: CountingBuffers, component: int) -> None:
    """Set the one state that stands before the first group of a component."""
    begin = buffers.component_start[component]
    for place in range(begin, buffers.component_start[component + 1]):
        group = buffers.order[place]
        for index in range(buffers.constraint_count[group]):
            constraint = buffers.constraints_of[8 * group + index]
            buffers.slot[constraint] = -1
            buffers.last_place[constraint] = place
    buffers.layer_start[begin + component] = buffers.states
    buffers.state_stamp += 1
    first = state_of(buffers, 0, 0, 0)
    buffers.state_offset[first] = buffers.coefficients
    buffers.ahead[buffers.state_offset[first]] = 1.0
    buffers.coefficients += 1


@helper
def _lacks_slots(buffers: CountingBuffers, group: int, free: int) -> bool:
    lacks = False
    for index in range(buffers.constraint_count[group]):
        if buffers.slot[buffers.constraints_of[8 * group + index]] < 0:
            lacks |= free == 0
            free &= free - 1
    return lacks


@helper
def _crowded(buffers: CountingBuffers, group: int, layer: int, place: int, free: int) -> bool:
    """Return whether too much would be open after a group.

    A third of all states is kept for all places alike. Of what is left of the rest, a layer may use
    an eighth.
    """
    if _lacks_slots(buffers, group, free):
        return True
    states, most = buffers.states, buffers.most_states
    need = (buffers.group_size[group] + 1) * (states - buffers.layer_start[layer])
    places = buffers.component_start[buffers.components]
    left = places - place
    return need > max((most - states) // (3 * left), (most - states - most * left // (3 * places)) // 8)


@helper
def _close(buffers: CountingBuffers, group: int, free: int) -> int:
    """Return the free slots after a group, with those of the constraints that it was the last of."""
    for index in range(buffers.constraint_count[group]):
        constraint = buffers.constraints_of[8 * group + index]
        buffers.groups_left[constraint] -= 1
        if buffers.groups_left[constraint] == 0:
            free |= 1 << buffers.slot[constraint]
    return free


@helper
def _step(buffers: CountingBuffers, group: int, place: int, component: int, free: int) -> int:
    """Find and fill the layer after a group; return the free slots then, or TOO_MANY, NO_STATE."""
    layer, begin = place + component, buffers.coefficients
    free = _take_slots(buffers, group, place, free)
    if free < 0 or not _enumerate(buffers, group, place, component):
        return TOO_MANY
    if buffers.layer_start[layer + 1] == buffers.states:
        return NO_STATE
    if not _accumulate(buffers, group, layer):
        return TOO_MANY
    if buffers.large:
        buffers.level += level(buffers.ahead, begin, buffers.coefficients)
    return _close(buffers, group, free)


@helper
def _sweep_one(topology: Topology, buffers: CountingBuffers, component: int) -> int:
    _begin(buffers, component)
    place, free = buffers.component_start[component], _ALL_FREE
    while place < buffers.component_start[component + 1] and free >= 0:
        group = buffers.order[place]
        if buffers.apart and free != _ALL_FREE and _crowded(buffers, group, place + component, place, free):
            free = forget_one(topology, buffers, place, component, free)
        else:
            free = _step(buffers, group, place, component, free)
        place += 1
    return 1 if free >= 0 else free


@compiled
def sweep_all(topology: Topology, buffers: CountingBuffers) -> int:
    """Count the solutions of every component; return 1, NO_STATE if one has none, or TOO_MANY.

    The states before the group at place p of component c stand from ``layer[p + c]`` on, the last one of the
    component from ``layer[p + c + 1]``. Where components are kept apart, there are never TOO_MANY but for
    bad luck: constraints are forgotten where too much is open.
    """
    buffers.states = 0
    buffers.edges = 0
    buffers.coefficients = 0
    buffers.forgotten = 0
    for component in range(buffers.components):
        found = _sweep_one(topology, buffers, component)
        if found < 1:
            return found
    return 1


@helper
def _back_over(buffers: CountingBuffers, group: int, layer: int) -> None:
    """Fill ``back`` of the layer before a group, and set the risk of its cells."""
    size, counted = buffers.group_size[group], 1 - buffers.apart
    ahead, back, weight = buffers.ahead, buffers.back, buffers.weight
    mined, safe = 0.0, 0.0
    for state in range(buffers.layer_start[layer], buffers.layer_start[layer + 1]):
        source, length, mines = (
            buffers.state_offset[state],
            buffers.state_length[state],
            buffers.state_least[state],
        )
        for index in range(length):
            buffers.back[source + index] = 0.0
        for edge in range(buffers.state_edge[state], buffers.state_edge[state + 1]):
            after = buffers.edge_state[edge]
            low = buffers.state_low[state] + mines * counted
            target = buffers.state_offset[after] + low - buffers.state_low[after]
            ways, each = 0.0, weight[9 * size + mines]
            for index in range(length):
                further = each * back[target + index]
                back[source + index] += further
                ways += ahead[source + index] * further
            mined += mines * ways
            safe += (size - mines) * ways
            mines += 1
    buffers.risk[buffers.first_cell[group]] = share(mined, safe)


@compiled
def sweep_back(topology: Topology, buffers: CountingBuffers, component: int) -> None:
    """Walk a component back from its last state, whose ``back`` is filled; set the risk of its cells.

    ``back`` of a state is the ways from there to the end of the whole board, for each number of mines so far.
    """
    begin, end = buffers.component_start[component], buffers.component_start[component + 1]
    for place in range(end - 1, begin - 1, -1):
        group, layer = buffers.order[place], place + component
        if buffers.group_size[group] == 0:
            back_over_forgotten(topology, buffers, place, layer)
        else:
            _back_over(buffers, group, layer)
        if buffers.large:
            first, last = buffers.layer_start[layer], buffers.layer_start[layer + 1] - 1
            stop = buffers.state_offset[last] + buffers.state_length[last]
            level(buffers.back, buffers.state_offset[first], stop)
