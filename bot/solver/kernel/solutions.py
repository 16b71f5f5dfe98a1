"""Listing all solutions of a position that has only a few."""

from __future__ import annotations

from bot.solver.kernel.analysis import is_exact
from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    BACK,
    CELL,
    CELLS,
    COMPONENTS,
    EDGE,
    GROUP_OF,
    LAYER,
    LEAST,
    LOW,
    MINES_LEFT,
    OFFSET,
    ORDER,
    START,
    UNKNOWN,
    UNKNOWNS,
    Endgame,
    Position,
    Work,
)


@inlined
def _on_frontier(work: Work, end: Endgame, cell: int) -> bool:
    index = end.number[cell]
    return index < work.size[CELLS] and work.front[CELL, index] == cell


@inlined
def _number_cells(position: Position, work: Work, end: Endgame) -> None:
    """Give numbers to the UNKNOWN cells: those of the frontier first, then the others."""
    for index in range(work.size[CELLS]):
        cell = work.front[CELL, index]
        end.cell[index] = cell
        end.number[cell] = index
    count = work.size[CELLS]
    for cell in range(len(position.shown)):
        if position.shown[cell] == UNKNOWN and not _on_frontier(work, end, cell):
            end.cell[count] = cell
            end.number[cell] = count
            count += 1


@inlined
def _bits(subset: int) -> int:
    count = 0
    while subset:
        subset &= subset - 1
        count += 1
    return count


@inlined
def _write(
    end: Endgame, row: int, made: int, subset: int, size: int, mines: int, after: int, cells: int
) -> None:
    for cell in range(cells):
        end.mined[made, cell] = end.mined[row, cell]
    for index in range(size):
        end.mined[made, end.chosen[index]] = subset >> index & 1
    end.at[made] = after
    end.within[made] = end.within[row] + mines
    end.used[made] = end.used[row] + mines


@inlined
def copy_solution(end: Endgame, source: int, target: int, cells: int) -> None:
    """Copy a listed solution of so many cells to another row."""
    for cell in range(cells):
        end.mined[target, cell] = end.mined[source, cell]
    end.at[target] = end.at[source]
    end.within[target] = end.within[source]
    end.used[target] = end.used[source]


@inlined
def _extend(work: Work, end: Endgame, place: int, count: int, cells: int) -> int:
    """Add the mines of one group to all partial solutions, in all ways; return how many there are then."""
    group = work.front[ORDER, place]
    size = 0
    for index in range(work.size[CELLS]):
        if work.front[GROUP_OF, work.front[CELL, index]] == group:
            end.chosen[size] = index
            size += 1
    made, room = count, len(end.at)
    for row in range(count):
        state, mines = end.at[row], work.state[LEAST, end.at[row]]
        for edge in range(work.state[EDGE, state], work.state[EDGE, state + 1]):
            after = work.to[edge]
            back = work.state[OFFSET, after] + end.within[row] + mines - work.state[LOW, after]
            if work.poly[BACK, back] > 0.0:
                for subset in range(1 << size):
                    if _bits(subset) == mines:
                        if made >= room:
                            return -1
                        _write(end, row, made, subset, size, mines, after, cells)
                        made += 1
            mines += 1
    # the rows that were extended give way
    total = made - count
    for row in range(total):
        copy_solution(end, count + row, row, cells)
    return total


@inlined
def _spread_outside(position: Position, work: Work, end: Endgame, count: int, cells: int) -> int:
    """Put the rest of the mines into the cells outside, one cell after the other, in all ways."""
    for cell in range(work.size[CELLS], cells):
        made, room = count, len(end.at)
        for row in range(count):
            rest, places = position.tally[MINES_LEFT] - end.used[row], cells - cell
            end.mined[row, cell] = 0
            if rest < 0 or rest > places:
                end.used[row] = -1
            elif rest == places:
                end.mined[row, cell] = 1
                end.used[row] += 1
            elif rest > 0:
                if made >= room:
                    return -1
                _write(end, row, made, 0, 0, 1, 0, cells)
                end.mined[made, cell] = 1
                made += 1
        count = 0
        for row in range(made):
            if end.used[row] >= 0:
                if row != count:
                    copy_solution(end, row, count, cells)
                count += 1
    kept = 0
    for row in range(count):
        if end.used[row] == position.tally[MINES_LEFT]:
            if row != kept:
                copy_solution(end, row, kept, cells)
            kept += 1
    return kept


@compiled
def list_solutions(position: Position, work: Work, end: Endgame) -> int:
    """List the solutions of the position that was analysed last; return how many, -1 if too many."""
    cells = position.tally[UNKNOWNS]
    if cells > end.mined.shape[1] or not is_exact(work):
        return -1
    _number_cells(position, work, end)
    count = 1
    for cell in range(cells):
        end.mined[0, cell] = 0
    end.used[0] = 0
    for component in range(work.size[COMPONENTS]):
        begin, stop = work.front[START, component], work.front[START, component + 1]
        for row in range(count):
            end.at[row] = work.step[LAYER, begin + component]
            end.within[row] = 0
        for place in range(begin, stop):
            count = _extend(work, end, place, count, cells)
            if count < 0:
                return -1
    return _spread_outside(position, work, end, count, cells)
