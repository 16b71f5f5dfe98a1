"""Rivals: solutions of which no play can win more than one.

Two different solutions are rivals if every cell that is safe in both shows the same number in both. Then a
game looks the same in both, up to the first cell opened that is a mine in one of them: there that one is
lost. Fifty-fifties are the best known case; chains of them and dead ends behind walls of mines are others.
So where the solutions are sorted into groups that consist of rivals, the best play wins at most one solution
of each group.
"""

from __future__ import annotations

from bot.solver.kernel.build.functions import helper
from bot.solver.kernel.layout import MINED, Endgame
from bot.solver.kernel.solutions import ones

_LARGEST_GROUP = 64  # few are so large; in dead ends of many cells, nearly all solutions are rivals


@helper
def _collect_alike(end: Endgame, blocks: int) -> None:
    """Fill ``end.alike``: for a cell and a number, the solutions that have it or a mine there, as bits."""
    alike, count = end.alike, end.solutions
    for cell in range(end.unknown_cells):
        first = cell * MINED * blocks
        for place in range(first, first + MINED * blocks):
            alike[place] = 0
        for block in range(blocks):
            mines = 0
            for solution in range(64 * block, min(count, 64 * block + 64)):
                number = end.shows[cell * count + solution]
                if number == MINED:
                    mines |= 1 << (solution & 63)
                else:
                    alike[first + number * blocks + block] |= 1 << (solution & 63)
            for number in range(MINED):
                alike[first + number * blocks + block] |= mines


@helper
def _are_rivals(end: Endgame, one: int, other: int) -> bool:
    """Return whether two solutions are rivals; a solution is not its own rival if it is listed twice."""
    differ = False
    for cell in range(end.unknown_cells):
        first, second = end.kinds[end.width * one + cell], end.kinds[end.width * other + cell]
        if first != second:
            if not (first | second) >> MINED:
                return False
            differ = True
    return differ


@helper
def sort_by_rivals(end: Endgame) -> None:
    """Write the solutions to the stack, group by group; in a group, each is a rival of all others.

    Also set ``end.group_of`` of each solution. ``end.shows`` and ``end.kinds`` must be filled.
    """
    stack, count, group_of, left = end.stack, end.solutions, end.group_of, end.left
    blocks, made, groups = (count + 63) >> 6, 0, 0
    _collect_alike(end, blocks)
    for solution in range(count):
        group_of[solution] = -1
    for solution in range(count):
        if group_of[solution] >= 0:
            continue
        begin, first = made, solution >> 6
        stack[made], group_of[solution] = solution, groups
        made += 1
        for block in range(first, blocks):
            left[block] = -1
        left[first] = -2 << (solution & 63)  # those after this one
        for cell in range(end.unknown_cells):
            number = end.shows[cell * count + solution]
            if number != MINED:
                start = (cell * MINED + number) * blocks
                for block in range(first, blocks):
                    left[block] &= end.alike[start + block]
        for block in range(first, blocks):
            while left[block] and made - begin < _LARGEST_GROUP:
                other = 64 * block + ones((left[block] & -left[block]) - 1)
                left[block] &= left[block] - 1
                fits = group_of[other] < 0
                for place in range(begin, made):
                    fits = fits and _are_rivals(end, stack[place], other)
                if fits:
                    stack[made], group_of[other] = other, groups
                    made += 1
        groups += 1


@helper
def follows_rival(end: Endgame, place: int) -> bool:
    """Return whether the solution at a place of the stack is in the group of the one before."""
    return end.group_of[end.stack[place]] == end.group_of[end.stack[place - 1]]


@helper
def most_wins(end: Endgame, begin: int, count: int) -> int:
    """Return how many of the ``count`` solutions from ``end.stack[begin]`` on can be won at most."""
    most = count
    for place in range(begin + 1, begin + count):
        most -= follows_rival(end, place)
    return most


@helper
def followers(end: Endgame, a: int, b: int, c: int, d: int) -> int:
    """Return how many solutions of a set follow one of their own group: each can be won only in its place.

    The set is in bits, see `endgame`. A solution follows another only if no other stands between them.
    """
    if end.rivals == 0:
        return 0
    after = end.after_rival
    return (
        ones(a & a << 1 & after[0])
        + ones(b & (b << 1 | a >> 63 & 1) & after[1])
        + ones(c & (c << 1 | b >> 63 & 1) & after[2])
        + ones(d & (d << 1 | c >> 63 & 1) & after[3])
    )
