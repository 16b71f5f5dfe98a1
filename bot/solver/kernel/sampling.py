"""Drawing solutions of a position at random, each as likely as any other.

The sweep has counted how many ways lead to each state, for each number of mines. A solution is drawn from its
end: how many mines a component holds, then group by group backwards the state before, each in proportion to
the ways that it stands for.
"""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    AHEAD,
    CELL,
    CELLS,
    COMPONENTS,
    EDGE,
    GROUP_OF,
    LAYER,
    LEAST,
    LENGTH,
    LOW,
    MINE,
    MINES_LEFT,
    OFFSET,
    ORDER,
    SIZE,
    START,
    UNKNOWN,
    UNKNOWNS,
    Bytes,
    Ints,
    Position,
    Work,
)
from bot.solver.kernel.states import last_state


@compiled
def uniform(seed: Ints) -> float:
    """Return a random number from 0 to 1 (splitmix64 on the first of ``seed``, which it changes)."""
    seed[0] += -0x61C8864680B583EB
    mixed = seed[0]
    mixed = (mixed ^ ((mixed >> 30) & 0x3FFFFFFFF)) * -0x40A7B892E31B1A47
    mixed = (mixed ^ ((mixed >> 27) & 0x1FFFFFFFFF)) * -0x6B2FB644ECCEEE15
    mixed ^= (mixed >> 31) & 0x1FFFFFFFF
    return float((mixed >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@inlined
def _mine_group(work: Work, group: int, mines: int, mined: Bytes, seed: Ints) -> None:
    """Put so many mines into random cells of a group."""
    left, need = work.front[SIZE, group], mines
    if need > 0:
        for index in range(work.size[CELLS]):
            cell = work.front[CELL, index]
            if work.front[GROUP_OF, cell] == group:
                if left * uniform(seed) < need:
                    mined[cell] = 1
                    need -= 1
                left -= 1


@inlined
def _draw_mines(work: Work, component: int, after: int, most: int, seed: Ints) -> int:
    """Return how many mines above its fewest a component holds; what follows weighs ``fold[after]`` on."""
    state = last_state(work, component)
    total, drawn = 0.0, 0
    for mines in range(min(most, work.state[LENGTH, state])):
        ways = work.poly[AHEAD, work.state[OFFSET, state] + mines] * work.fold[after + mines]
        total += ways
        if ways > 0.0 and uniform(seed) * total <= ways:
            drawn = mines
    return drawn


@inlined
def _draw_component(work: Work, component: int, mines: int, mined: Bytes, seed: Ints) -> None:
    """Walk back from the end of a component that holds so many mines, and place them."""
    state, have = last_state(work, component), mines
    for place in range(work.front[START, component + 1] - 1, work.front[START, component] - 1, -1):
        group = work.front[ORDER, place]
        total, drawn, number = 0.0, 0, 0
        for source in range(work.step[LAYER, place + component], work.step[LAYER, place + component + 1]):
            first = work.state[EDGE, source]
            for edge in range(first, work.state[EDGE, source + 1]):
                if work.to[edge] != state:
                    continue
                count = work.state[LEAST, source] + edge - first
                index = have - count - work.state[LOW, source]
                if 0 <= index < work.state[LENGTH, source]:
                    ways = work.weight[work.front[SIZE, group], count]
                    ways *= work.poly[AHEAD, work.state[OFFSET, source] + index]
                    total += ways
                    if ways > 0.0 and uniform(seed) * total <= ways:
                        drawn, number = source, count
        _mine_group(work, group, number, mined, seed)
        have -= number
        state = drawn


@inlined
def _mine_outside(position: Position, work: Work, mines: int, mined: Bytes, seed: Ints) -> None:
    """Put so many mines into random cells that touch no opened number."""
    left, need = position.tally[UNKNOWNS] - work.size[CELLS], mines
    for index in range(work.size[CELLS]):  # marks the frontier
        mined[work.front[CELL, index]] += 2
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN:
            if mined[cell] >= 2:
                mined[cell] -= 2
            else:
                if left * uniform(seed) < need:
                    mined[cell] = 1
                    need -= 1
                left -= 1


@compiled
def draw(position: Position, work: Work, mined: Bytes, seed: Ints) -> None:
    """Set ``mined``, (cells,), to 1 for the mines of a random solution of the position analysed last, else 0.

    The total of mines has to be known.
    """
    for cell in range(len(position.shown)):
        mined[cell] = position.shown[cell] == MINE
    components, span, low = work.size[COMPONENTS], 1, 0
    for component in range(components):
        span += work.state[LENGTH, last_state(work, component)] - 1
        low += work.state[LOW, last_state(work, component)]
    used = 0
    for component in range(components):
        mines = _draw_mines(work, component, (component + 1) * span + used, span - used, seed)
        used += mines
        mines += work.state[LOW, last_state(work, component)]
        _draw_component(work, component, mines, mined, seed)
    _mine_outside(position, work, position.tally[MINES_LEFT] - low - used, mined, seed)
