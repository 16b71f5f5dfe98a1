"""The states of a sweep, see `sweep`: one for each set of needs that the newest layer has."""

from __future__ import annotations

from bot.solver.kernel.compiled import inlined
from bot.solver.kernel.layout import KEY, LAYER, LENGTH, LOW, START, STATE_STAMP, STATES, Work

TOO_MANY, NO_STATE = -1, -2  # why a sweep ends early


@inlined
def last_state(work: Work, component: int) -> int:
    """Return the one state that stands after the last group of a component."""
    return work.step[LAYER, work.front[START, component + 1] + component]


@inlined
def state_of(work: Work, key: int, low: int, high: int) -> int:
    """Return the state of the newest layer with ``key``, widened to hold ``low`` to ``high`` mines."""
    stamp = work.size[STATE_STAMP]
    mask = len(work.state_table) - 1
    place = (key * 0x9E3779B97F4A7C1) >> 37 & mask
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
