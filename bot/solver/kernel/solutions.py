"""Listing all solutions of a position that has only a few, and drawing random ones if it has many.

The sweep has counted how many ways lead to each state, for each number of mines. A solution is drawn
backwards: first the number of mines of a component, then, from the last group to the first, the state before
each group. Each is chosen with a probability proportional to the number of ways to reach it.
"""

from __future__ import annotations

import numpy as np

from bot.solver.kernel.analysis import is_exact
from bot.solver.kernel.build.functions import Bytes, Ints, compiled, helper
from bot.solver.kernel.layout import MINE, UNKNOWN, CountingBuffers, Endgame, Position
from bot.solver.kernel.sweep import last_state


@helper
def _number_cells(position: Position, buffers: CountingBuffers, end: Endgame) -> None:
    """Give an index to every UNKNOWN cell: first to those of the frontier, then to the others."""
    for index in range(buffers.frontier_cells):
        cell = buffers.frontier[index]
        end.cell[index] = cell
        end.number[cell] = index
    count = buffers.frontier_cells
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN and buffers.group_of[cell] < 0:
            end.cell[count] = cell
            end.number[cell] = count
            count += 1


@helper
def ones(word: int) -> int:
    """Return how many bits of a word are set."""
    bits = np.uint64(word)
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@helper
def copy_solution(end: Endgame, source: int, target: int, cells: int) -> None:
    """Copy a listed solution of ``cells`` cells from row ``source`` to row ``target``."""
    for cell in range(cells):
        end.mined[end.width * target + cell] = end.mined[end.width * source + cell]
    end.at[target] = end.at[source]
    end.within[target] = end.within[source]
    end.used[target] = end.used[source]


@helper
def _write(
    end: Endgame, row: int, made: int, subset: int, size: int, mines: int, after: int, cells: int
) -> None:
    copy_solution(end, row, made, cells)
    for index in range(size):
        end.mined[end.width * made + end.chosen[index]] = subset >> index & 1
    end.at[made] = after
    end.within[made] += mines
    end.used[made] += mines


@helper
def _extend(buffers: CountingBuffers, end: Endgame, place: int, count: int, cells: int) -> int:
    """Extend all partial solutions by one group, in all ways; return their new number, -1 if too many."""
    group = buffers.order[place]
    size = 0
    for index in range(buffers.frontier_cells):
        if buffers.group_of[buffers.frontier[index]] == group:
            end.chosen[size] = index
            size += 1
    made, room = count, end.rows
    for row in range(count):
        state, mines = end.at[row], buffers.state_least[end.at[row]]
        for edge in range(buffers.state_edge[state], buffers.state_edge[state + 1]):
            after = buffers.edge_state[edge]
            back = buffers.state_offset[after] + end.within[row] + mines - buffers.state_low[after]
            if buffers.back[back] > 0.0:
                for subset in range(1 << size):
                    if ones(subset) == mines:
                        if made >= room:
                            return -1
                        _write(end, row, made, subset, size, mines, after, cells)
                        made += 1
            mines += 1
    # the new rows replace those that were extended
    total = made - count
    for row in range(total):
        copy_solution(end, count + row, row, cells)
    return total


@helper
def _spread_outside(
    position: Position, buffers: CountingBuffers, end: Endgame, count: int, cells: int
) -> int:
    """Place the remaining mines off the frontier in all ways; return the number found, -1 if too many."""
    made = 0
    for row in range(count):
        if 0 <= position.mines_left - end.used[row] <= cells - buffers.frontier_cells:
            copy_solution(end, row, made, cells)
            made += 1
    for cell in range(buffers.frontier_cells, cells):
        for row in range(made):
            rest, places = position.mines_left - end.used[row], cells - cell
            end.mined[end.width * row + cell] = rest == places
            end.used[row] += rest == places
            if 0 < rest < places:
                if made >= end.rows:
                    return -1
                copy_solution(end, row, made, cells)
                end.mined[end.width * made + cell] = 1
                end.used[made] += 1
                made += 1
    return made


@compiled
def list_solutions(position: Position, buffers: CountingBuffers, end: Endgame) -> int:
    """List the solutions of the position analysed last in ``end``; return how many, -1 if too many."""
    cells = position.unknowns
    if cells > end.width or not is_exact(buffers):
        return -1
    _number_cells(position, buffers, end)
    count = 1
    for cell in range(cells):
        end.mined[cell] = 0
    end.used[0] = 0
    for component in range(buffers.components):
        begin, stop = buffers.component_start[component], buffers.component_start[component + 1]
        for row in range(count):
            end.at[row] = buffers.layer_start[begin + component]
            end.within[row] = 0
        for place in range(begin, stop):
            count = _extend(buffers, end, place, count, cells)
            if count < 0:
                return -1
    return _spread_outside(position, buffers, end, count, cells)


@helper
def uniform(seed: Ints) -> float:
    """Return a random number from 0 to 1, by splitmix64; ``seed[0]`` is its state, and changes."""
    seed[0] += -0x61C8864680B583EB
    mixed = seed[0]
    mixed = (mixed ^ ((mixed >> 30) & 0x3FFFFFFFF)) * -0x40A7B892E31B1A47
    mixed = (mixed ^ ((mixed >> 27) & 0x1FFFFFFFFF)) * -0x6B2FB644ECCEEE15
    mixed ^= (mixed >> 31) & 0x1FFFFFFFF
    return float((mixed >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@helper
def _mine_group(buffers: CountingBuffers, group: int, mines: int, mined: Bytes, seed: Ints) -> None:
    """Put ``mines`` mines into random cells of a group."""
    left, need = buffers.group_size[group], mines
    if need > 0:
        for index in range(buffers.frontier_cells):
            cell = buffers.frontier[index]
            if buffers.group_of[cell] == group:
                if left * uniform(seed) < need:
                    mined[cell] = 1
                    need -= 1
                left -= 1


@helper
def _draw_mines(buffers: CountingBuffers, component: int, after: int, most: int, seed: Ints) -> int:
    """Draw a component's mines above its fewest; ``fold[after + m]`` weighs what follows if they are m."""
    state = last_state(buffers, component)
    total, drawn = 0.0, 0
    for mines in range(min(most, buffers.state_length[state])):
        ways = buffers.ahead[buffers.state_offset[state] + mines] * buffers.fold[after + mines]
        total += ways
        if ways > 0.0 and uniform(seed) * total <= ways:
            drawn = mines
    return drawn


@helper
def _draw_component(buffers: CountingBuffers, component: int, mines: int, mined: Bytes, seed: Ints) -> None:
    """Place ``mines`` mines in a component, going back from its last group to its first."""
    state, have = last_state(buffers, component), mines
    for place in range(
        buffers.component_start[component + 1] - 1, buffers.component_start[component] - 1, -1
    ):
        group = buffers.order[place]
        total, drawn, number = 0.0, 0, 0
        for source in range(
            buffers.layer_start[place + component], buffers.layer_start[place + component + 1]
        ):
            first = buffers.state_edge[source]
            for edge in range(first, buffers.state_edge[source + 1]):
                if buffers.edge_state[edge] != state:
                    continue
                count = buffers.state_least[source] + edge - first
                index = have - count - buffers.state_low[source]
                if 0 <= index < buffers.state_length[source]:
                    ways = buffers.weight[9 * buffers.group_size[group] + count]
                    ways *= buffers.ahead[buffers.state_offset[source] + index]
                    total += ways
                    if ways > 0.0 and uniform(seed) * total <= ways:
                        drawn, number = source, count
        _mine_group(buffers, group, number, mined, seed)
        have -= number
        state = drawn


@helper
def _mine_outside(position: Position, buffers: CountingBuffers, mines: int, mined: Bytes, seed: Ints) -> None:
    """Put ``mines`` mines into random unconstrained cells."""
    left, need = position.unknowns - buffers.frontier_cells, mines
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN and buffers.group_of[cell] < 0:
            if left * uniform(seed) < need:
                mined[cell] = 1
                need -= 1
            left -= 1


@compiled
def draw(position: Position, buffers: CountingBuffers, mined: Bytes, seed: Ints) -> None:
    """Set ``mined``, (cells,), to 1 for the mines of a random solution of the position analysed last, else 0.

    The total of mines must be known.
    """
    for cell in range(position.cells):
        mined[cell] = position.shown[cell] == MINE
    span, used = buffers.span, 0
    for component in range(buffers.components):
        mines = _draw_mines(buffers, component, (component + 1) * span + used, span - used, seed)
        used += mines
        mines += buffers.state_low[last_state(buffers, component)]
        _draw_component(buffers, component, mines, mined, seed)
    _mine_outside(position, buffers, position.mines_left - buffers.fewest - used, mined, seed)
