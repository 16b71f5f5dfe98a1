"""Walking back through a sweep, from what all else weighs to the risk of each cell."""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.forget import back_over_forgotten
from bot.solver.kernel.layout import (
    AHEAD,
    APART,
    BACK,
    EDGE,
    FIRST,
    LARGE,
    LAYER,
    LEAST,
    LENGTH,
    LOW,
    OFFSET,
    ORDER,
    SIZE,
    START,
    Topology,
    Work,
)
from bot.solver.kernel.numbers import level, share


@inlined
def _back_over(work: Work, group: int, layer: int) -> None:
    """Fill `BACK` of the layer before a group, and set the risk of its cells."""
    size, counted = work.front[SIZE, group], 1 - work.size[APART]
    choose = work.weight[size]
    mined, safe = 0.0, 0.0
    for state in range(work.step[LAYER, layer], work.step[LAYER, layer + 1]):
        source, length, mines = (
            work.state[OFFSET, state],
            work.state[LENGTH, state],
            work.state[LEAST, state],
        )
        for index in range(length):
            work.poly[BACK, source + index] = 0.0
        for edge in range(work.state[EDGE, state], work.state[EDGE, state + 1]):
            after = work.to[edge]
            low = work.state[LOW, state] + mines * counted
            target = work.state[OFFSET, after] + low - work.state[LOW, after]
            ways, each = 0.0, choose[mines]
            for index in range(length):
                further = each * work.poly[BACK, target + index]
                work.poly[BACK, source + index] += further
                ways += work.poly[AHEAD, source + index] * further
            mined += mines * ways
            safe += (size - mines) * ways
            mines += 1
    work.risk[work.front[FIRST, group]] = share(mined, safe)


@compiled
def sweep_back(topology: Topology, work: Work, component: int) -> None:
    """Walk a component back from its last state, whose ``back`` is filled; set the risk of its cells.

    ``back`` of a state is the ways from there to the end of the whole board, for each number of mines so far.
    """
    begin, end = work.front[START, component], work.front[START, component + 1]
    for place in range(end - 1, begin - 1, -1):
        group, layer = work.front[ORDER, place], place + component
        if work.front[SIZE, group] == 0:
            back_over_forgotten(topology, work, place, layer)
        else:
            _back_over(work, group, layer)
        if work.size[LARGE]:
            first, last = work.step[LAYER, layer], work.step[LAYER, layer + 1] - 1
            stop = work.state[OFFSET, last] + work.state[LENGTH, last]
            level(work.poly[BACK], work.state[OFFSET, first], stop)
