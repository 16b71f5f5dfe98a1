"""The chance to win a position with few solutions, by searching the tree of moves and shown numbers.

Up to a few hundred solutions all cells are tried, and the chance is exact. Of some thousands only the safest
cells of each node are: what is found then can be reached, and is nearly always the best. While there are
many solutions, a node is a list of them; as soon as they fit into four words, see `tree`.
"""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import UNKNOWN, UNKNOWNS, Endgame, Position, Topology, Work
from bot.solver.kernel.solutions import list_solutions
from bot.solver.kernel.tree import (
    BEST_CELL,
    BUDGET,
    CELL_WORDS,
    FOUND,
    HIGHEST,
    LOWEST,
    MINED,
    MOST,
    NODES,
    SOLUTIONS_LISTED,
    STAMP,
    TRIED,
    UNKNOWN_CELLS,
    WIDE,
    WINS,
    concluded,
    enter,
    enter_alone,
    known,
    wins,
)

_EVERY = 1 << 30
_SAFEST, _NARROW = 3, 16  # with more solutions than 16, three cells are tried in a search that is not exact


@compiled
def prepare(topology: Topology, position: Position, end: Endgame, count: int) -> None:
    """Fill ``end.shows`` with what each cell shows in each of ``count`` listed solutions."""
    rows = len(end.at)
    for index in range(position.tally[UNKNOWNS]):
        cell = end.cell[index]
        begin = index * rows
        for row in range(count):
            end.shows[begin + row] = position.mines[cell]
        for near in range(topology.degree[cell]):
            other = topology.near[cell, near]
            if position.shown[other] == UNKNOWN:
                column = end.number[other]
                for row in range(count):
                    end.shows[begin + row] += end.mined[row, column]
        for row in range(count):
            if end.mined[row, index]:
                end.shows[begin + row] = MINED
            end.kinds[row, index] = 1 << end.shows[begin + row]


@compiled
def _see(end: Endgame, begin: int, count: int) -> None:
    """Fill ``end.seen`` for a list of solutions, for all cells, many of which are done at a time."""
    width = end.facts[UNKNOWN_CELLS]
    kinds, mined = end.seen[0], end.seen[1]
    for index in range(width):
        kinds[index] = 0
        mined[index] = 0
    for place in range(begin, begin + count):
        shown = end.kinds[end.stack[place]]
        for index in range(width):
            kinds[index] |= shown[index]
            mined[index] += shown[index] >> MINED


@inlined
def _fill_cell(end: Endgame, cell: int, begin: int, count: int) -> None:
    """Set the bits of a cell for a list of solutions that `_see` has looked at."""
    first, row = cell * CELL_WORDS, cell * len(end.at)
    lowest, highest = MINED, 0
    for number in range(MINED):
        if end.seen[0, cell] >> number & 1:
            lowest, highest = min(lowest, number), number
    for number in range(lowest, highest + 1):
        for word in range((count + 63) >> 6):
            end.words[first + 4 * number + word] = 0
    for word in range((count + 63) >> 6):
        end.words[first + 4 * MINED + word] = 0
    for place in range(count):
        number = end.shows[row + end.stack[begin + place]]
        end.words[first + 4 * number + (place >> 6)] |= 1 << (place & 63)
    end.words[first + LOWEST], end.words[first + HIGHEST] = lowest, highest


@inlined
def _differs(end: Endgame, cell: int) -> bool:
    """Return whether a cell is not the same in all solutions that `_see` has looked at."""
    kinds = end.seen[0, cell]
    return kinds & (kinds - 1) != 0


@inlined
def _first(count: int) -> int:
    """Return a word with the first ``count`` bits set."""
    if count >= 64:
        return -1
    return (1 << count) - 1 if count > 0 else 0


@compiled
def _wins_in_bits(end: Endgame, begin: int, count: int, live: int, cells: int, top: int, need: int) -> int:
    """Turn a list of at most `tree.MOST` solutions into bits, and return what `tree.wins` does."""
    kept = 0
    _see(end, begin, count)
    for index in range(count):
        end.keys[index] = end.random[end.stack[begin + index]]
    for index in range(live, live + cells):
        if _differs(end, end.stack[index]):
            _fill_cell(end, end.stack[index], begin, count)
            end.stack[top + kept] = end.stack[index]
            kept += 1
    a, b, c, d = _first(count), _first(count - 64), _first(count - 128), _first(count - 192)
    return wins(end, a, b, c, d, count, top, kept, top + kept, need)


@inlined
def _rank(end: Endgame, begin: int, count: int, live: int, cells: int, top: int) -> int:
    """Do what `tree._rank` does, for a list of solutions."""
    stack = end.stack
    kept, ranked, ranks = 0, 0, top + cells
    _see(end, begin, count)
    for index in range(live, live + cells):
        cell = stack[index]
        if not _differs(end, cell):
            continue
        mined = end.seen[1, cell]
        safe = count - mined
        if mined == 0:
            kept = enter_alone(stack, ranks, safe, cell, index + 1, live + cells, top + kept) - top
            return kept << 8 | 1
        stack[top + kept] = cell
        kept += 1
        enter(stack, ranks, ranked, safe, cell)
        ranked += 1
    return kept << 8 | ranked


@inlined
def _part(end: Endgame, cell: int, begin: int, count: int, top: int) -> None:
    """Sort solutions by what a cell shows: those with number n stand ``stack[top + n]`` after ``top``."""
    stack, row = end.stack, cell * len(end.at)
    for number in range(MINED + 2):
        stack[top + number] = 0
    for place in range(begin, begin + count):
        stack[top + end.shows[row + stack[place]] + 1] += 1
    stack[top] = MINED + 2
    for number in range(MINED + 1):
        stack[top + number + 1] += stack[top + number]
    for place in range(begin, begin + count):
        number = end.shows[row + stack[place]]
        stack[top + stack[top + number]] = stack[place]
        stack[top + number] += 1
    for number in range(MINED, -1, -1):
        stack[top + number + 1] = stack[top + number]
    stack[top] = MINED + 2


@compiled
def _wins_of_list(end: Endgame, begin: int, count: int, live: int, cells: int, top: int, need: int) -> int:
    """Return what `tree.wins` does, for the ``count`` solutions from ``end.stack[begin]`` on."""
    stack, facts, key = end.stack, end.facts, 0
    for index in range(begin, begin + count):
        key ^= end.random[stack[index]]
    value = known(end.table, facts[STAMP], key, need)
    if value >= 0:
        return value
    facts[NODES] += count * cells >> 7
    if facts[NODES] > facts[BUDGET] or top + 2 * cells + count + MINED + 2 > len(stack):
        return -1
    if count <= MOST:
        return _wins_in_bits(end, begin, count, live, cells, top, need)
    found = _rank(end, begin, count, live, cells, top)
    kept, ranked, ranks = found >> 8, found & 255, top + cells
    if ranked == 0:  # one solution, listed more than once
        return count
    best, bound, chosen = need, 0, -1
    parts, free = ranks + ranked, ranks + ranked + MINED + 2 + count
    all_are_tried = count <= facts[WIDE] or count == facts[SOLUTIONS_LISTED]
    for rank in range(ranks, ranks + (ranked if all_are_tried else min(ranked, facts[TRIED]))):
        total, cell = stack[rank] >> 8, stack[rank] & 255
        if total <= best or (facts[WIDE] < count and 5 * total < 4 * (stack[ranks] >> 8)):
            bound = max(bound, total)
            break
        _part(end, cell, begin, count, parts)
        for number in range(MINED):
            first = parts + stack[parts + number]
            size = parts + stack[parts + number + 1] - first
            if size > 1:
                value = _wins_of_list(end, first, size, top, kept, free, best - total + size)
                if value < 0:
                    return -1
                total += value - size
                if total <= best:
                    break
        bound = max(bound, total)
        if total > best:
            best, chosen = total, cell
    return concluded(end, key, best, chosen, bound)


@compiled
def _search(topology: Topology, position: Position, end: Endgame, count: int, wide: int) -> int:
    """Return in how many of ``count`` listed solutions the play that is found wins; -1 after too many nodes.

    All cells are tried where no more than ``wide`` solutions are left. `BEST_CELL` is the one to open.
    """
    prepare(topology, position, end, count)
    cells = position.tally[UNKNOWNS]
    for row in range(count):
        end.stack[row] = row
    for index in range(cells):
        end.stack[count + index] = index
    end.facts[SOLUTIONS_LISTED] = count
    end.facts[STAMP] += 1
    end.facts[NODES], end.facts[BEST_CELL] = 0, 0
    end.facts[UNKNOWN_CELLS] = cells
    end.facts[TRIED], end.facts[WIDE] = _SAFEST, wide
    return _wins_of_list(end, 0, count, count, cells, count + cells, 0)


@compiled
def wins_after(end: Endgame, index: int, cells: int) -> int:
    """Return in how many of the solutions that were searched last the best play wins after opening a cell.

    ``index`` is its number among the ``cells`` unknown ones. -1 after too many nodes.
    """
    count = end.facts[SOLUTIONS_LISTED]
    top, total = count + cells, 0
    for row in range(count):
        end.stack[row] = row
    _part(end, index, 0, count, top)
    for number in range(MINED):
        first = top + end.stack[top + number]
        size = top + end.stack[top + number + 1] - first
        if size > 1:
            size = _wins_of_list(end, first, size, count, cells, top + MINED + 2 + count, 0)
        if size < 0:
            return -1
        total += size
    return total


@compiled
def best_of_listed(topology: Topology, position: Position, end: Endgame, count: int) -> int:
    """Return what `best_of_few` does, of ``count`` listed solutions; each counts as often as it is there."""
    if count < 1:
        return -1
    end.facts[WINS] = _search(topology, position, end, count, _EVERY)
    return -1 if end.facts[WINS] < 0 else end.cell[end.facts[BEST_CELL]]


@compiled
def best_of_few(topology: Topology, position: Position, work: Work, end: Endgame) -> int:
    """Return the cell to open on the position that was analysed last, -1 if there are too many solutions.

    ``end.facts`` then holds the solutions, and in how many of them the game can be won.
    """
    return best_of_listed(topology, position, end, list_solutions(position, work, end))


@compiled
def best_of_some(topology: Topology, position: Position, work: Work, end: Endgame) -> int:
    """Return a good cell to open where there are too many solutions for `best_of_few`; -1 if far too many.

    ``end.facts[FOUND]`` is then in how many of them the play that was found wins: the best may win more.
    """
    count = list_solutions(position, work, end)
    if count < 1:
        return -1
    end.facts[FOUND] = _search(topology, position, end, count, _NARROW)
    return -1 if end.facts[FOUND] < 0 else end.cell[end.facts[BEST_CELL]]
