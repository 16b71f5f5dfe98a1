"""The exact chance to win a position with few solutions, by searching the tree of moves and shown numbers.

A node is the set of solutions that are still possible, one bit each. Its value depends on that set alone,
whatever was opened to get there: a cell that shows the same in all of them teaches nothing. So nodes are
kept by their sets. Cells that are safe in all solutions cost nothing and are opened first.
"""

from __future__ import annotations

import numpy as np

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import UNKNOWN, UNKNOWNS, Endgame, Position, Topology, Work
from bot.solver.kernel.solutions import list_solutions

MINED = 9  # row of `Endgame.shows` with the solutions in which the cell is a mine
NODES, STAMP, BUDGET, SOLUTIONS_LISTED, WINS = range(5)  # indices of `Endgame.facts`
_PROBES = 8


@inlined
def ones(word: int) -> int:
    """Return how many bits of a word are set."""
    bits = np.uint64(word)
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@inlined
def _shared(end: Endgame, index: int, number: int, a: int, b: int, c: int, d: int) -> int:
    """Return in how many of these solutions a cell shows ``number``."""
    shows = end.shows
    return (
        ones(a & shows[index, number, 0])
        + ones(b & shows[index, number, 1])
        + ones(c & shows[index, number, 2])
        + ones(d & shows[index, number, 3])
    )


@compiled
def prepare(topology: Topology, position: Position, end: Endgame, count: int) -> None:
    """Fill ``end.shows`` with the solutions, as bits, in which each cell shows what."""
    cells = position.tally[UNKNOWNS]
    for index in range(cells):
        cell = end.cell[index]
        for number in range(MINED + 1):
            for word in range(4):
                end.shows[index, number, word] = 0
        for row in range(count):
            number = MINED
            if not end.mined[row, index]:
                number = position.mines[cell]
                for near in range(topology.degree[cell]):
                    other = topology.near[cell, near]
                    if position.shown[other] == UNKNOWN:
                        number += end.mined[row, end.number[other]]
            end.shows[index, number, row >> 6] |= 1 << (row & 63)


@inlined
def _holds(end: Endgame, place: int, a: int, b: int, c: int, d: int) -> bool:
    """Return whether a set of solutions stands at a place of the table."""
    return (
        end.table[place, 0] == end.facts[STAMP]
        and end.table[place, 2] == a
        and end.table[place, 3] == b
        and end.table[place, 4] == c
        and end.table[place, 5] == d
    )


@inlined
def _place(end: Endgame, a: int, b: int, c: int, d: int) -> int:
    """Return where in the table a set of solutions stands, or may be put."""
    mask = len(end.table) - 1
    mixed = (a * 0x9E3779B97F4A7C1 ^ b * 0x2545F4914F6CDD1) + (c * 0x369DEA0F31A53F8 ^ d * 0x1D8E4E27C47D124F)
    place = (mixed ^ mixed >> 31) & mask
    for _ in range(_PROBES):
        if end.table[place, 0] != end.facts[STAMP]:
            break
        if _holds(end, place, a, b, c, d):
            break
        place = (place + 1) & mask
    return place


@inlined
def _keep(end: Endgame, place: int, a: int, b: int, c: int, d: int, value: int) -> None:
    end.table[place, 0] = end.facts[STAMP]
    end.table[place, 1] = value
    end.table[place, 2] = a
    end.table[place, 3] = b
    end.table[place, 4] = c
    end.table[place, 5] = d


@inlined
def _splits(end: Endgame, index: int, a: int, b: int, c: int, d: int, size: int) -> bool:
    """Return whether a cell does not show one and the same number in all of these solutions."""
    for number in range(MINED):
        shared = _shared(end, index, number, a, b, c, d)
        if shared:
            return shared < size
    return False


@inlined
def _rank(end: Endgame, cells: int, a: int, b: int, c: int, d: int, size: int, depth: int) -> int:
    """Write down the cells to try, the safest first; only one if it costs nothing. Return how many."""
    count = 0
    for index in range(cells):
        safe = size - _shared(end, index, MINED, a, b, c, d)
        if safe == size:
            if _splits(end, index, a, b, c, d, size):
                end.ranked[depth, 0] = safe << 8 | index
                return 1
        elif safe:
            place = count
            while place and end.ranked[depth, place - 1] >> 8 < safe:
                end.ranked[depth, place] = end.ranked[depth, place - 1]
                place -= 1
            end.ranked[depth, place] = safe << 8 | index
            count += 1
    return count


@compiled
def wins(end: Endgame, cells: int, a: int, b: int, c: int, d: int, depth: int) -> int:
    """Return in how many of a set of solutions the best play wins; -1 if that takes too many nodes.

    ``end.best[depth]`` is the number of the cell to open then.
    """
    size = ones(a) + ones(b) + ones(c) + ones(d)
    place = _place(end, a, b, c, d)
    if _holds(end, place, a, b, c, d):
        return end.table[place, 1]
    end.facts[NODES] += 1
    if end.facts[NODES] > end.facts[BUDGET] or depth >= len(end.ranked):
        return -1
    ranks = _rank(end, cells, a, b, c, d, size, depth)
    best = size if ranks == 0 else 0  # nothing to try: one solution, listed more than once
    for rank in range(ranks):
        rest, index = end.ranked[depth, rank] >> 8, end.ranked[depth, rank] & 255
        total = 0
        for number in range(MINED):
            if total + rest <= best:
                break
            e, f = a & end.shows[index, number, 0], b & end.shows[index, number, 1]
            g, h = c & end.shows[index, number, 2], d & end.shows[index, number, 3]
            value = ones(e) + ones(f) + ones(g) + ones(h)
            rest -= value
            if value > 1:
                value = wins(end, cells, e, f, g, h, depth + 1)
                if value < 0:
                    return -1
            total += value
        if total > best:
            best = total
            end.best[depth] = index
    _keep(end, _place(end, a, b, c, d), a, b, c, d, best)
    return best


@inlined
def _first(count: int) -> int:
    """Return a word with the first ``count`` bits set."""
    if count >= 64:
        return -1
    return (1 << count) - 1 if count > 0 else 0


@compiled
def best_of_listed(topology: Topology, position: Position, end: Endgame, count: int) -> int:
    """Return what `best_of_few` does, of ``count`` listed solutions; each counts as often as it is there."""
    if count < 1 or count > 256:
        return -1
    prepare(topology, position, end, count)
    end.facts[STAMP] += 1
    end.facts[NODES] = 0
    a, b, c, d = _first(count), _first(count - 64), _first(count - 128), _first(count - 192)
    won = wins(end, position.tally[UNKNOWNS], a, b, c, d, 0)
    end.facts[SOLUTIONS_LISTED] = count
    end.facts[WINS] = won
    return -1 if won < 0 else end.cell[end.best[0]]


@compiled
def best_of_few(topology: Topology, position: Position, work: Work, end: Endgame) -> int:
    """Return the cell to open on the position that was analysed last, -1 if there are too many solutions.

    ``end.facts`` then holds the solutions, and in how many of them the game can be won.
    """
    return best_of_listed(topology, position, end, list_solutions(position, work, end))
