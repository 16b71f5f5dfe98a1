"""The sweep: counting the solutions of each component, group by group.

A constraint is *open* from its first group to its last. A *state* is what the open constraints still need, 3
bits each in one integer; none needs 8, since the counting rules have settled those. All placements that lead
to the same state are counted together, by their number of mines: ``ahead`` is a polynomial that starts at
``low`` mines, and a coefficient of 0 means that there is no such placement. The constraints bound the mines
of a group before a state is extended, so hardly any state is a dead end.

Counts are sums of products of numbers that are not negative. Nothing is subtracted, so a zero is exact.

When too many constraints are open, one is *forgotten*: it is ignored from that place on. States that differ
only in its need are merged, each weighted by the chance that its remaining cells hold so many mines, at the
mean density. The merged problem has fewer constraints: what is impossible in it is impossible on the board,
so risks of exactly 0 and 1 are still proofs. All other risks are estimates. In the order of groups, a step
without cells marks the place. Constraints are forgotten only where components are counted separately (see
`analysis`); a state then has one count for all numbers of mines.

Counts must fit into floats on boards of any size. Frontiers of at most 300 cells are counted directly: they
have up to 2^300 placements. Larger ones are *tilted*: a placement with m mines counts odds^m, where odds are
those of a mine in any cell, and the ways to place mines outside are divided by that. So likely numbers of
mines have the largest counts. After each step the counts are divided by a power of two, and a possible count
is kept at `_LEAST` or more, so that products of two never underflow: zero still means impossible.
"""

from __future__ import annotations

from math import frexp, ldexp, log

from bot.solver.kernel.build.functions import Floats, compiled, helper
from bot.solver.kernel.layout import SLOTS, CountingBuffers, Position

TOO_MANY, NO_STATE = -1, -2  # why a sweep ends early
_ALL_FREE = (1 << SLOTS) - 1
_COUNTED_PLAINLY = 300  # frontier cells, at most, that are counted without a tilt
_LEAST = 2.0**-450
_BELOW_ONE = 1.0 - 2.0**-53
_ABOVE_ZERO = 2.0**-1000
_LN2 = log(2.0)


@helper
def _density(position: Position, buffers: CountingBuffers) -> float:
    """Return an estimate of the risk of an unconstrained cell, from 0.002 to 0.998.

    If at least half of the UNKNOWN cells are on the frontier, it is the mean risk of all UNKNOWN cells. If
    the total of mines is unknown, it is the mean risk on the frontier, estimated from the constraints.
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
def weigh_groups(position: Position, buffers: CountingBuffers, apart: int) -> None:
    """Set ``buffers.apart`` and ``buffers.large``, and fill ``buffers.weight``, after `find_groups`."""
    buffers.components_separate = apart
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
            buffers.weight[9 * size + mines] = buffers.choose[9 * size + mines] * tilt
            tilt *= odds


@helper
def level(values: Floats, begin: int, end: int) -> float:
    """Divide counts by the power of two that makes the largest near 1; return that power's natural log."""
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
    """Return the risk from the weights for a mine and for a safe cell; 0 or 1 only if one weight is zero."""
    if mined == 0.0 or safe == 0.0:
        return 0.0 if mined == 0.0 else 1.0
    return min(_BELOW_ONE, max(_ABOVE_ZERO, mined / (mined + safe)))


@helper
def last_state(buffers: CountingBuffers, component: int) -> int:
    """Return the only state after the last group of a component."""
    return buffers.layer_start[buffers.component_start[component + 1] + component]


@helper
def state_of(buffers: CountingBuffers, key: int, low: int, high: int) -> int:
    """Return the newest layer's state with ``key``, made if missing, widened to ``low`` to ``high`` mines."""
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
    """Remove a constraint from the constraints of a group."""
    kept = 0
    for index in range(buffers.constraint_count[group]):
        other = buffers.constraints_of[8 * group + index]
        if other != constraint:
            buffers.constraints_of[8 * group + kept] = other
            kept += 1
    buffers.constraint_count[group] = kept


@helper
def _insert(buffers: CountingBuffers, place: int, component: int) -> None:
    """Insert a step without cells into the order of a component, at ``place``."""
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
def _likely(buffers: CountingBuffers, key: int, place: int) -> float:
    """Return the chance that the remaining cells of a forgotten constraint hold what it needs in ``key``."""
    need, left = key >> 3 * buffers.added[place] & 7, buffers.unit[place]
    density = buffers.density
    if need > left:
        return 0.0
    return buffers.choose[9 * left + need] * density**need * (1.0 - density) ** (left - need)


@helper
def _merge(buffers: CountingBuffers, place: int, layer: int) -> None:
    """Fill the layer after a constraint is forgotten: merge the states that differ only in its need."""
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
        ways = _likely(buffers, key, place) * buffers.ahead[buffers.state_offset[state]]
        buffers.ahead[buffers.state_offset[after]] += ways
        buffers.state_least[state] = 0
        buffers.state_edge[state] = edge
        buffers.edge_state[edge] = after
        edge += 1
    buffers.state_edge[end] = edge
    buffers.edges = edge


@compiled
def forget_one(buffers: CountingBuffers, place: int, component: int, free: int) -> int:
    """Forget the constraint that would stay open longest, in a step without cells inserted at ``place``.

    Return the ``free`` slots plus the one that it used, or TOO_MANY if there is no room for more states.
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
    _merge(buffers, place, layer)
    buffers.level += level(buffers.ahead, begin, buffers.coefficients)
    return free | 1 << slot


@helper
def back_over_forgotten(buffers: CountingBuffers, place: int, layer: int) -> None:
    """Fill ``back`` of the layer before a step that forgets a constraint."""
    for state in range(buffers.layer_start[layer], buffers.layer_start[layer + 1]):
        likely = _likely(buffers, buffers.state_key[state], place)
        after = buffers.edge_state[buffers.state_edge[state]]
        buffers.back[buffers.state_offset[state]] = likely * buffers.back[buffers.state_offset[after]]


@helper
def _take_slots(buffers: CountingBuffers, group: int, place: int, free: int) -> int:
    """Give slots to the new constraints of a group; return the slots that are still free, or TOO_MANY."""
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
def _enumerate(buffers: CountingBuffers, group: int, place: int, component: int) -> bool:
    """Find the states after a group and the edges to them; return False if there is no room for them."""
    counted = 1 - buffers.components_separate
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
    # one more entry marks the end of the last state's edges
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
    choose, counted = 9 * buffers.group_size[group], 1 - buffers.components_separate
    for state in range(begin, middle):
        source, length = buffers.state_offset[state], buffers.state_length[state]
        mines = buffers.state_least[state]
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
    """Make the only state before the first group of a component, and reset the slots of its constraints."""
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
    """Return whether the layer after a group might need too many states, or needs too many slots.

    A third of all states is reserved in equal parts for all places. A layer may use an eighth of the free
    states that are not reserved; or, if that is more, its equal part of a third of all free states.
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
    """Return the free slots after a group: ``free`` plus those of constraints whose last group it is."""
    for index in range(buffers.constraint_count[group]):
        constraint = buffers.constraints_of[8 * group + index]
        buffers.groups_left[constraint] -= 1
        if buffers.groups_left[constraint] == 0:
            free |= 1 << buffers.slot[constraint]
    return free


@helper
def _step(buffers: CountingBuffers, group: int, place: int, component: int, free: int) -> int:
    """Find and fill the layer after a group; return the slots then free, or TOO_MANY, or NO_STATE."""
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
def _sweep_one(buffers: CountingBuffers, component: int) -> int:
    _begin(buffers, component)
    place, free = buffers.component_start[component], _ALL_FREE
    while place < buffers.component_start[component + 1] and free >= 0:
        group = buffers.order[place]
        if (
            buffers.components_separate
            and free != _ALL_FREE
            and _crowded(buffers, group, place + component, place, free)
        ):
            free = forget_one(buffers, place, component, free)
        else:
            free = _step(buffers, group, place, component, free)
        place += 1
    return 1 if free >= 0 else free


@compiled
def sweep_all(buffers: CountingBuffers) -> int:
    """Count the solutions of every component; return 1, NO_STATE if one has none, or TOO_MANY.

    The states before the group at place p of component c begin at ``layer_start[p + c]``; if that group is
    its last one, the final state is ``layer_start[p + c + 1]``. Where components are counted separately,
    TOO_MANY is rare, because constraints are forgotten when too many are open.
    """
    buffers.states = 0
    buffers.edges = 0
    buffers.coefficients = 0
    buffers.forgotten = 0
    for component in range(buffers.components):
        found = _sweep_one(buffers, component)
        if found < 1:
            return found
    return 1


@helper
def _back_over(buffers: CountingBuffers, group: int, layer: int) -> None:
    """Fill ``back`` of the layer before a group, and set the risk of the group's first cell."""
    size, counted = buffers.group_size[group], 1 - buffers.components_separate
    ahead, back, weight = buffers.ahead, buffers.back, buffers.weight
    mined, safe = 0.0, 0.0
    for state in range(buffers.layer_start[layer], buffers.layer_start[layer + 1]):
        source, length = buffers.state_offset[state], buffers.state_length[state]
        mines = buffers.state_least[state]
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
def sweep_back(buffers: CountingBuffers, component: int) -> None:
    """Go back from the last state of a component and set the risk of each group's first cell.

    ``back`` of a state is the number of ways to complete the whole board from there, for each number of mines
    so far. That of the last state must be filled.
    """
    begin, end = buffers.component_start[component], buffers.component_start[component + 1]
    for place in range(end - 1, begin - 1, -1):
        group, layer = buffers.order[place], place + component
        if buffers.group_size[group] == 0:
            back_over_forgotten(buffers, place, layer)
        else:
            _back_over(buffers, group, layer)
        if buffers.large:
            first, last = buffers.layer_start[layer], buffers.layer_start[layer + 1] - 1
            stop = buffers.state_offset[last] + buffers.state_length[last]
            level(buffers.back, buffers.state_offset[first], stop)
