"""The chance to win a position with few solutions, by a search over moves and the numbers they can show.

A node is the set of solutions that are still possible: a list of them, or one bit for each in four words if
they are few enough. Its value is the number of its solutions in which the best play wins. It depends only on
the set, not on the cells opened before, so nodes are stored by their sets. A cell that shows the same in all
solutions of a node gives no information, and is not tried in it or in the nodes after it. A cell that is safe
in all solutions costs nothing, and is opened first. A node's value is at most the number of its groups of
rivals, see `rivals`.

The search of a node returns its value if that is above ``need``, otherwise an upper bound up to ``need``.
"""

from __future__ import annotations

from bot.solver.kernel.build.functions import Ints, Small, compiled, helper
from bot.solver.kernel.layout import CELL_WORDS, MINED, UNKNOWN, CountingBuffers, Endgame, Position
from bot.solver.kernel.rivals import followers, follows_rival, most_wins, sort_by_rivals
from bot.solver.kernel.solutions import ones
from bot.solver.kernel.winmine import list_by_weight

MOST = 256  # the most solutions of a node in bits
# the words of a cell: four for each number and four for mines, then its lowest and its highest number
LOWEST, HIGHEST = 40, 41
_PROBES = 8
_ENTRY = 3  # words of a node in the table: stamp, key, and twice the value, plus 1 if the value is exact


@helper
def place_of(end: Endgame, key: int) -> int:
    """Return the index in ``end.table`` where the node with ``key`` is stored, or may be stored."""
    table, slots, stamp = end.table, end.table_nodes, end.stamp
    place = (key ^ key >> 31) & (slots - 1)
    for _ in range(_PROBES):
        if table[place * _ENTRY] != stamp or table[place * _ENTRY + 1] == key:
            break
        place = (place + 1) & (slots - 1)
    return place * _ENTRY


@helper
def stored_value(end: Endgame, key: int, need: int) -> int:
    """Return the stored value of a node, or a stored bound of at most ``need``; -1 if there is neither."""
    table, place = end.table, place_of(end, key)
    if table[place] != end.stamp or table[place + 1] != key:
        return -1
    value = table[place + 2]
    if value & 1 or value >> 1 <= need:
        return value >> 1
    return -1


@helper
def store_result(end: Endgame, key: int, best: int, chosen: int, bound: int) -> int:
    """Store and return a node's value: ``best`` by cell ``chosen``, or the upper ``bound`` if that is -1."""
    exact = chosen >= 0
    if exact:
        end.best_cell = chosen
    value = best if exact else bound
    table, place = end.table, place_of(end, key)
    table[place] = end.stamp
    table[place + 1] = key
    table[place + 2] = 2 * value + exact
    return value


@helper
def enter(stack: Small, ranks: int, ranked: int, most: int, cell: int) -> None:
    """Insert a cell into the ``ranked`` ones that begin at ``stack[ranks]``, the highest ``most`` first."""
    place = ranks + ranked
    while place > ranks and stack[place - 1] >> 8 < most:
        stack[place] = stack[place - 1]
        place -= 1
    stack[place] = most << 8 | cell


@helper
def _key(keys: Ints, a: int, b: int, c: int, d: int) -> int:
    """Return the key of the solutions set in ``a`` to ``d``: the XOR of their random words in ``keys``."""
    key = 0
    for word in range(4):
        bits = a if word == 0 else b if word == 1 else c if word == 2 else d
        while bits:
            key ^= keys[64 * word + ones((bits & -bits) - 1)]
            bits &= bits - 1
    return key


@helper
def _shared(words: Ints, row: int, a: int, b: int, c: int, d: int) -> int:
    """Return how many solutions of a set are also in the set that begins at ``words[row]``."""
    return (
        ones(a & words[row]) + ones(b & words[row + 1]) + ones(c & words[row + 2]) + ones(d & words[row + 3])
    )


@helper
def _splits(words: Ints, cell: int, a: int, b: int, c: int, d: int, size: int) -> bool:
    """Return whether a safe cell shows different numbers in these solutions."""
    begin = cell * CELL_WORDS
    for number in range(words[begin + LOWEST], words[begin + HIGHEST] + 1):
        shared = _shared(words, begin + 4 * number, a, b, c, d)
        if shared:
            return shared < size
    return False


@helper
def _differs(end: Endgame, cell: int) -> bool:
    """Return whether a cell differs between the solutions of the last call of `_see`."""
    kinds = end.kinds_seen[cell]
    return kinds & (kinds - 1) != 0


@helper
def _rank(
    end: Endgame, live: int, cells: int, top: int, size: int, a: int, b: int, c: int, d: int, listed: bool
) -> int:
    """Write two lists of cells to the stack: those that may still tell solutions apart, and those to try now.

    The ``size`` solutions are the bits of ``a`` to ``d``, or, if ``listed``, those of the last `_see`; the
    ``cells`` from ``live`` on are sorted. The first list begins at ``top``, the second at ``top + cells``:
    cells that are safe in some solution, each with how many of these can be won at most, the highest number
    first; if a cell is safe in all, only that one. Return 256 times the length of the first list plus the
    length of the second.
    """
    words, stack = end.words, end.stack
    kept, ranked, ranks = 0, 0, top + cells
    for index in range(live, live + cells):
        cell = stack[index]
        row = cell * CELL_WORDS + 4 * MINED
        e, f, g, h = a & ~words[row], b & ~words[row + 1], c & ~words[row + 2], d & ~words[row + 3]
        safe = size - end.mines_seen[cell] if listed else ones(e) + ones(f) + ones(g) + ones(h)
        if safe == 0:
            continue
        most = safe - (end.followers_seen[cell] if listed else followers(end, e, f, g, h))
        if safe == size:
            if not (_differs(end, cell) if listed else _splits(words, cell, a, b, c, d, size)):
                continue
            stack[ranks] = most << 8 | cell  # the only one to try; the cells after it stay unchecked
            for place in range(index + 1, live + cells):
                stack[top + kept] = stack[place]
                kept += 1
            return kept << 8 | 1
        stack[top + kept] = cell
        kept += 1
        enter(stack, ranks, ranked, most, cell)
        ranked += 1
    return kept << 8 | ranked


@compiled
def wins(
    end: Endgame, a: int, b: int, c: int, d: int, size: int, live: int, cells: int, top: int, need: int
) -> int:
    """Return in how many solutions of a set the best play wins, or an upper bound of at most ``need``.

    All cells that differ between the ``size`` solutions are among the ``cells`` from ``end.stack[live]`` on;
    the stack is free from ``top`` on. ``end.best_cell`` is set to the cell to open. Return -1 after too many
    nodes.
    """
    words, stack = end.words, end.stack
    key = _key(end.keys, a, b, c, d)
    value = stored_value(end, key, need)
    if value >= 0:
        return value
    end.nodes += 1
    if end.nodes > end.budget or top + 2 * cells > end.stack_length:
        return -1
    found = _rank(end, live, cells, top, size, a, b, c, d, False)
    kept, ranked, ranks = found >> 8, found & 255, top + cells
    if ranked == 0:  # one solution, listed more than once
        return size
    best, bound, chosen = need, 0, -1
    for rank in range(ranks, ranks + ranked):
        total, cell = stack[rank] >> 8, stack[rank] & 255
        if total <= best:
            bound = max(bound, total)
            break
        begin = cell * CELL_WORDS
        for number in range(words[begin + LOWEST], words[begin + HIGHEST] + 1):
            row = begin + 4 * number
            e, f, g, h = a & words[row], b & words[row + 1], c & words[row + 2], d & words[row + 3]
            part = ones(e) + ones(f) + ones(g) + ones(h)
            most = part - followers(end, e, f, g, h)
            if most > 1:
                value = wins(end, e, f, g, h, part, top, kept, ranks + ranked, best - total + most)
                if value < 0:
                    return -1
                total += value - most
                if total <= best:
                    break
        bound = max(bound, total)
        if total > best:
            best, chosen = total, cell
    return store_result(end, key, best, chosen, bound)


@compiled
def prepare(position: Position, end: Endgame, count: int) -> None:
    """Fill ``end.shows`` and ``end.kinds`` with what each cell shows in each of ``count`` solutions."""
    for index in range(position.unknowns):
        cell, begin = end.cell[index], index * count
        for row in range(count):
            end.shows[begin + row] = position.mines[cell]
        for near in range(position.degree[cell]):
            other = position.near[8 * cell + near]
            if position.shown[other] == UNKNOWN:
                column = end.number[other]
                for row in range(count):
                    end.shows[begin + row] += end.mined[end.width * row + column]
        for row in range(count):
            if end.mined[end.width * row + index]:
                end.shows[begin + row] = MINED
            end.kinds[end.width * row + index] = 1 << end.shows[begin + row]
    end.solutions, end.unknown_cells = count, position.unknowns


@helper
def _see(end: Endgame, begin: int, count: int) -> None:
    """Fill what is seen of each cell in a list of solutions, in loops that vectorise.

    These are ``end.kinds_seen``, ``mines_seen``, and ``followers_seen``: in how many solutions that follow a
    rival the cell is safe in both.
    """
    width = end.unknown_cells
    kinds, mined, after, every = end.kinds_seen, end.mines_seen, end.followers_seen, end.kinds
    for index in range(width):
        kinds[index] = 0
        mined[index] = 0
        after[index] = 0
    for place in range(begin, begin + count):
        row = end.width * end.stack[place]
        for index in range(width):
            kinds[index] |= every[row + index]
            mined[index] += every[row + index] >> MINED
        if place > begin and follows_rival(end, place):
            before = end.width * end.stack[place - 1]
            for index in range(width):
                after[index] += 1 - ((every[row + index] | every[before + index]) >> MINED)


@helper
def _fill_cell(end: Endgame, cell: int, begin: int, count: int) -> None:
    """Set ``end.words`` of a cell for a list of solutions, after `_see` for the same list."""
    first, row = cell * CELL_WORDS, cell * end.solutions
    lowest, highest = MINED, 0
    for number in range(MINED):
        if end.kinds_seen[cell] >> number & 1:
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


@helper
def _first(count: int) -> int:
    """Return a word with the first ``count`` bits set."""
    if count >= 64:
        return -1
    return (1 << count) - 1 if count > 0 else 0


@helper
def _turn_to_bits(end: Endgame, begin: int, count: int) -> None:
    """Set the keys of the bits of a list of solutions, and which of them follow a rival."""
    end.rivals = 0
    for word in range(4):
        end.after_rival[word] = 0
    for index in range(count):
        end.keys[index] = end.random[end.stack[begin + index]]
        if index and follows_rival(end, begin + index):
            end.after_rival[index >> 6] |= 1 << (index & 63)
            end.rivals = 1


@helper
def _wins_in_bits(
    end: Endgame, key: int, begin: int, count: int, live: int, cells: int, top: int, need: int
) -> int:
    """Turn a list of at most `MOST` solutions into bits, and return the result of `wins` for them."""
    kept, least = 0, count
    _see(end, begin, count)
    for index in range(live, live + cells):
        cell = end.stack[index]
        if _differs(end, cell):
            end.stack[top + kept] = cell
            kept += 1
            least = min(least, int(end.mines_seen[cell] + end.followers_seen[cell]))
    if kept == 0:  # one solution, listed more than once
        return count
    if count - least <= need:
        return store_result(end, key, 0, -1, count - least)
    _turn_to_bits(end, begin, count)
    for index in range(top, top + kept):
        _fill_cell(end, end.stack[index], begin, count)
    a, b, c, d = _first(count), _first(count - 64), _first(count - 128), _first(count - 192)
    return wins(end, a, b, c, d, count, top, kept, top + kept, need)


@helper
def _part(end: Endgame, cell: int, begin: int, count: int, top: int) -> None:
    """Sort solutions by what a cell shows: those with number n begin at ``top + stack[top + n]``."""
    stack, row = end.stack, cell * end.solutions
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
def wins_of_list(end: Endgame, begin: int, count: int, live: int, cells: int, top: int, need: int) -> int:
    """Return the same as `wins`, for the list of ``count`` solutions that begins at ``end.stack[begin]``."""
    stack, key = end.stack, 0
    for index in range(begin, begin + count):
        key ^= end.random[stack[index]]
    value = stored_value(end, key, need)
    if value >= 0:
        return value
    end.nodes += count * cells >> 7
    if end.nodes > end.budget or top + 2 * cells + count + MINED + 2 > end.stack_length:
        return -1
    if count <= MOST:
        return _wins_in_bits(end, key, begin, count, live, cells, top, need)
    _see(end, begin, count)
    found = _rank(end, live, cells, top, count, 0, 0, 0, 0, True)
    kept, ranked, ranks = found >> 8, found & 255, top + cells
    if ranked == 0:  # one solution, listed more than once
        return count
    best, bound, chosen = need, 0, -1
    parts, free = ranks + ranked, ranks + ranked + MINED + 2 + count
    for rank in range(ranks, ranks + ranked):
        total, cell = stack[rank] >> 8, stack[rank] & 255
        if total <= best:
            bound = max(bound, total)
            break
        _part(end, cell, begin, count, parts)
        total = 0
        for number in range(MINED):
            first = stack[parts + number]
            total += most_wins(end, parts + first, stack[parts + number + 1] - first)
        for number in range(MINED):
            if total <= best:
                break
            first = parts + stack[parts + number]
            size = parts + stack[parts + number + 1] - first
            most = most_wins(end, first, size)
            if most > 1:
                value = wins_of_list(end, first, size, top, kept, free, best - total + most)
                if value < 0:
                    return -1
                total += value - most
        bound = max(bound, total)
        if total > best:
            best, chosen = total, cell
    return store_result(end, key, best, chosen, bound)


@compiled
def begin_search(position: Position, end: Endgame, count: int) -> None:
    """Prepare a search of ``count`` listed solutions; one listed twice counts twice."""
    prepare(position, end, count)
    sort_by_rivals(end)
    for index in range(end.unknown_cells):
        end.stack[count + index] = index
    end.stamp += 1
    end.nodes, end.best_cell = 0, 0


@compiled
def wins_after(end: Endgame, index: int, most: int) -> int:
    """Return in how many solutions the best play wins if it opens a given cell first, after `begin_search`.

    Only solutions count in which the cell shows ``most`` or less. ``index`` is the cell's index among the
    UNKNOWN cells. Return -1 after too many nodes.
    """
    count, cells = end.solutions, end.unknown_cells
    top, total = count + cells, 0
    _part(end, index, 0, count, top)
    for number in range(most + 1):
        first = top + end.stack[top + number]
        size = top + end.stack[top + number + 1] - first
        if size > 1:
            size = wins_of_list(end, first, size, count, cells, top + MINED + 2 + count, 0)
        if size < 0:
            return -1
        total += size
    return total


@compiled
def best_of_listed(position: Position, end: Endgame, count: int) -> int:
    """Return the same as `best_of_few`, for ``count`` listed solutions; one listed twice counts twice."""
    if count < 1:
        return -1
    begin_search(position, end, count)
    cells = end.unknown_cells
    end.wins = wins_of_list(end, 0, count, count, cells, count + cells, 0)
    return -1 if end.wins < 0 else end.cell[end.best_cell]


@compiled
def best_of_few(position: Position, buffers: CountingBuffers, end: Endgame) -> int:
    """Return the cell that wins most often in the position analysed last; -1 if it has too many solutions.

    ``end`` then holds the solutions, and ``end.wins`` is in how many of them the best play wins.
    """
    return best_of_listed(position, end, list_by_weight(position, buffers, end))
