"""Searching the tree of moves and shown numbers over at most 256 solutions, one bit each.

A node is the set of solutions that are still possible, in four words. Its value, in how many of them the best
play wins, depends on that set alone, whatever was opened to get there: a cell that shows the same in all of
them teaches nothing. So nodes are kept by their sets, and a cell that is the same in all solutions of a node
is not looked at again below it. Cells that are safe in all solutions cost nothing and are opened first.

A node is asked whether it is worth more than some ``need``: if not, any bound that shows it will do.
"""

from __future__ import annotations

import numpy as np

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import Endgame, Ints, Small

MINED = 9  # what a cell shows in the solutions in which it is a mine
# indices of `Endgame.facts`
NODES, STAMP, BUDGET, SOLUTIONS_LISTED, WINS, BEST_CELL, TRIED, WIDE, FOUND, UNKNOWN_CELLS = range(10)
MOST = 256  # solutions
CELL_WORDS = 44  # words of a cell: four for each number and for mines, then its lowest and highest number
LOWEST, HIGHEST = 40, 41
_PROBES = 8
_ENTRY = 3  # words of a node in the table: stamp, key, twice the value plus 1 if that is exact


@inlined
def ones(word: int) -> int:
    """Return how many bits of a word are set."""
    bits = np.uint64(word)
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@inlined
def place_of(table: Ints, stamp: int, key: int) -> int:
    """Return where in the table a node stands, or may be put."""
    slots = len(table) // _ENTRY
    place = (key ^ key >> 31) & (slots - 1)
    for _ in range(_PROBES):
        if table[place * _ENTRY] != stamp or table[place * _ENTRY + 1] == key:
            break
        place = (place + 1) & (slots - 1)
    return place * _ENTRY


@inlined
def known(table: Ints, stamp: int, key: int, need: int) -> int:
    """Return the value of a node, or a bound that is at most ``need``; -1 if neither is known."""
    place = place_of(table, stamp, key)
    if table[place] != stamp or table[place + 1] != key:
        return -1
    value = table[place + 2]
    if value & 1 or value >> 1 <= need:
        return value >> 1
    return -1


@inlined
def keep(table: Ints, stamp: int, key: int, value: int, exact: bool) -> None:
    """Put a node into the table."""
    place = place_of(table, stamp, key)
    table[place] = stamp
    table[place + 1] = key
    table[place + 2] = 2 * value + exact


@inlined
def concluded(end: Endgame, key: int, best: int, chosen: int, bound: int) -> int:
    """Return the value of a node, and keep it: ``best`` by cell ``chosen``, or a ``bound`` if that is -1."""
    if chosen >= 0:
        end.facts[BEST_CELL] = chosen
    value = best if chosen >= 0 else bound
    keep(end.table, end.facts[STAMP], key, value, chosen >= 0)
    return value


@inlined
def enter(stack: Small, ranks: int, ranked: int, safe: int, cell: int) -> None:
    """Enter a cell among the ``ranked`` ones from ``stack[ranks]`` on, the safest first."""
    place = ranks + ranked
    while place > ranks and stack[place - 1] >> 8 < safe:
        stack[place] = stack[place - 1]
        place -= 1
    stack[place] = safe << 8 | cell


@inlined
def enter_alone(stack: Small, ranks: int, safe: int, cell: int, rest: int, end: int, kept: int) -> int:
    """Enter a cell that costs nothing, and keep those of ``stack[rest:end]`` unseen, from ``kept`` on.

    Return where the kept ones end.
    """
    stack[ranks] = safe << 8 | cell
    for place in range(rest, end):
        stack[kept + place - rest] = stack[place]
    return kept + end - rest


@inlined
def _key(keys: Ints, a: int, b: int, c: int, d: int) -> int:
    """Return the key of a set: the exclusive or of the words of its solutions."""
    key = 0
    for word in range(4):
        bits = a if word == 0 else b if word == 1 else c if word == 2 else d
        while bits:
            key ^= keys[64 * word + ones((bits & -bits) - 1)]
            bits &= bits - 1
    return key


@inlined
def _shared(words: Ints, row: int, a: int, b: int, c: int, d: int) -> int:
    """Return how many solutions of a set are in that of a row."""
    return (
        ones(a & words[row]) + ones(b & words[row + 1]) + ones(c & words[row + 2]) + ones(d & words[row + 3])
    )


@inlined
def _splits(words: Ints, cell: int, a: int, b: int, c: int, d: int, size: int) -> bool:
    """Return whether a safe cell does not show one and the same number in all of these solutions."""
    begin = cell * CELL_WORDS
    for number in range(words[begin + LOWEST], words[begin + HIGHEST] + 1):
        shared = _shared(words, begin + 4 * number, a, b, c, d)
        if shared:
            return shared < size
    return False


@inlined
def _rank(
    words: Ints, stack: Small, live: int, cells: int, a: int, b: int, c: int, d: int, size: int, top: int
) -> int:
    """Write from ``top`` on the cells that are not the same in all solutions, and how safe each one is.

    From ``top + cells`` on stand those that can be opened, the safest first; only one if it costs nothing.
    Return how many cells there are, times 256, and how many that can be opened.
    """
    kept, ranked, ranks = 0, 0, top + cells
    for index in range(live, live + cells):
        cell = stack[index]
        safe = size - _shared(words, cell * CELL_WORDS + 4 * MINED, a, b, c, d)
        if safe == 0:
            continue
        if safe == size:
            if not _splits(words, cell, a, b, c, d, size):
                continue
            kept = enter_alone(stack, ranks, safe, cell, index + 1, live + cells, top + kept) - top
            return kept << 8 | 1
        stack[top + kept] = cell
        kept += 1
        enter(stack, ranks, ranked, safe, cell)
        ranked += 1
    return kept << 8 | ranked


@compiled
def wins(
    end: Endgame, a: int, b: int, c: int, d: int, size: int, live: int, cells: int, top: int, need: int
) -> int:
    """Return in how many of a set of solutions the best play wins; at most ``need`` if that is not more.

    The cells that are not the same in all of them are among the ``cells`` from ``end.stack[live]`` on, and
    the stack is free from ``top`` on. Of more solutions than ``end.facts[WIDE]`` only the TRIED safest cells
    are tried. ``end.facts[BEST_CELL]`` is the cell to open then. -1 after too many nodes.
    """
    words, stack = end.words, end.stack
    key = _key(end.keys, a, b, c, d)
    value = known(end.table, end.facts[STAMP], key, need)
    if value >= 0:
        return value
    end.facts[NODES] += 1
    if end.facts[NODES] > end.facts[BUDGET] or top + 2 * cells > len(stack):
        return -1
    found = _rank(words, stack, live, cells, a, b, c, d, size, top)
    kept, ranked, ranks = found >> 8, found & 255, top + cells
    if ranked == 0:  # one solution, listed more than once
        return size
    best, bound, chosen = need, 0, -1
    tried = ranked if size <= end.facts[WIDE] else min(ranked, end.facts[TRIED])
    for rank in range(ranks, ranks + tried):
        total, cell = stack[rank] >> 8, stack[rank] & 255
        if total <= best:
            bound = max(bound, total)
            break
        begin = cell * CELL_WORDS
        for number in range(words[begin + LOWEST], words[begin + HIGHEST] + 1):
            row = begin + 4 * number
            e, f, g, h = a & words[row], b & words[row + 1], c & words[row + 2], d & words[row + 3]
            part = ones(e) + ones(f) + ones(g) + ones(h)
            if part > 1:
                value = wins(end, e, f, g, h, part, top, kept, ranks + ranked, best - total + part)
                if value < 0:
                    return -1
                total += value - part
                if total <= best:
                    break
        bound = max(bound, total)
        if total > best:
            best, chosen = total, cell
    return concluded(end, key, best, chosen, bound)
