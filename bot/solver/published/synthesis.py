"""The synthesis of a library without examples: all patterns of few numbers that need all their numbers.

**Fields** are numbers in a window of cells, and the cells around them. Numbers prove more together than alone
only if they share covered cells, so each number of a field is adjacent to another one or two cells away. At
first all cells around the numbers are covered. Of fields that differ only in the order of their numbers, one
is searched; a field that has no more cells than another is left out.

**The search** finds which cells must not be covered so that the numbers settle the others. It supposes a mine
in a group of cells (or a safe cell), and lists all placements of mines that fit. To refute the supposition,
each of these must become impossible: one of the groups that hold its mines must have fewer cells. The search
tries each of these groups in turn, until no placement is left. The result is a pattern with the most cells
that each group may have. If some of the numbers settle a cell alone, the case is skipped, since there is a
smaller pattern for it. Still fewer cells are not tried, since a proof stays valid with fewer cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import combinations, islice, permutations, product
from operator import le, or_
from typing import NamedTuple

from bot.board import Board
from bot.solver.constraints import System, bits, mask_with
from bot.solver.exact import groups_of
from bot.solver.published.novitsky import (
    COVERED,
    DIGITS,
    DrawingPlace,
    Key,
    Library,
    Needs,
    Pattern,
    Rows,
    connected,
    least,
    moved,
)

WINDOWS = range(3, 7)
# The most mines that a number may need: first for a single number, then for two together, and so on. Larger
# needs hardly ever occur together, and their search takes long.
MOST = (8, 8, 6, 3)
_HELD = 99  # larger than any room
Counts = tuple[int, ...]  # how many cells, or mines, are around exactly each set of numbers: mask 1, 2, ...


def synthesised(window: int, highest: int, most: Sequence[int], track: Track = iter) -> list[Pattern]:
    """Return all patterns up to the ``highest`` order that no other one covers, few numbers first.

    Fields are of ``window`` x ``window`` cells; ``most`` is as `MOST`. The result is always the same.
    ``track`` iterates over the steps of the work, and may show the progress.
    """
    work = [
        (field, needs)
        for numbers, limit in enumerate(most, 1)
        for field in fields(numbers, window, limit + 1)
        for needs in product(range(numbers > 1, limit + 1), repeat=numbers)  # a single number may be 0
    ]
    found: dict[Key, Pattern] = {}
    for field, needs in track(work):
        for rooms in sorted(searched(needs, field.rooms)):
            marks = dict[DrawingPlace, str](zip(field.places, map(str, needs), strict=True))
            for chosen, room in enumerate(rooms, 1):
                marks |= dict.fromkeys(field.cells.get(chosen, [])[:room], COVERED)
            pattern = Pattern.found(marks)
            key = pattern.key
            found[key] = min(found.get(key, pattern), pattern, key=_drawing_spread)
    library = Library()
    for key in sorted(found, key=lambda key: (-sum(room for _, room in key[1]), key)):
        if not library.covers(key):
            library.add(found[key])
    patterns = (pattern.ordered() for pattern in library.patterns)
    proven = (pattern for pattern in patterns if 0 < pattern.order <= highest)
    return sorted(proven, key=lambda pattern: (len(pattern.needs), pattern.order, pattern.key))


def _drawing_spread(pattern: Pattern) -> tuple[int, int, Rows]:
    """Return a sort key that is smallest for the simplest drawing: its numbers are close together."""
    rows = enumerate(pattern.rows)
    numbers = [(row, col) for row, marks in rows for col, mark in enumerate(marks) if mark in DIGITS]
    apart = sum(abs(r - row) + abs(c - col) for r, c in numbers for row, col in numbers)
    return apart, len(pattern.rows) * len(pattern.rows[0]), pattern.rows


class Field(NamedTuple):
    """The places of numbers, for each set of them the cells around exactly these, and how many count."""

    places: Sequence[DrawingPlace]
    cells: Mapping[int, Sequence[DrawingPlace]]
    rooms: Counts


SearchTask = tuple[Field, Needs]
Track = Callable[[list[SearchTask]], Iterable[SearchTask]]


def fields(numbers: int, window: int, most: int) -> list[Field]:
    """Return the fields of ``numbers`` numbers, those with the most room first.

    Counts are limited to ``most`` cells, since more make no difference.
    """
    system = System.of(Board.covered(window, window, None))
    around = {place: system.around(place) for place in bits(system.unknown)}
    near = {place: reduce(or_, (around[other] for other in bits(mask))) for place, mask in around.items()}
    best: dict[Counts, Field] = {}
    for chosen in next(islice(connected(near, lambda _: True), numbers - 1, None)):
        places = mask_with(chosen)
        groups = groups_of([(around[place] & ~places, 0) for place in chosen])
        cells = {group.constraints: system.cells(group.cells) for group in groups}
        rooms = tuple(min(most, len(cells.get(one, ()))) for one in range(1, 1 << numbers))
        field, key = Field(system.cells(places), cells, rooms), max(_reordered(rooms, numbers))
        best[key] = min(best.get(key, field), field, key=_shape)
    kept: list[Field] = []
    for rooms in sorted(best, key=lambda rooms: (-sum(rooms), rooms)):
        orders = _reordered(rooms, numbers)
        if not any(all(map(le, order, field.rooms)) for field in kept for order in orders):
            kept.append(best[rooms])
    return kept


def _shape(field: Field) -> tuple[list[DrawingPlace], list[DrawingPlace]]:
    """Return a sort key that is smallest for the flattest field."""
    top, left = (min(way) for way in zip(*field.places, strict=True))
    return [(row - top, col - left) for row, col in field.places], [*field.places]


def _reordered(rooms: Counts, numbers: int) -> list[Counts]:
    """Return the ``rooms`` for each order of the numbers."""
    sets, orders = range(1, 1 << numbers), permutations(range(numbers))
    return [tuple([rooms[moved(chosen, order) - 1] for chosen in sets]) for order in orders]


def searched(needs: Needs, rooms: Counts) -> set[Counts]:
    """Return the rooms, at most these, with which numbers that need ``needs`` settle a cell only together."""
    found = set[Counts]()
    few = [least(needs, chosen) for chosen in range(1, len(rooms) + 1)]
    # One cell more than the smallest number needs stands for any larger number of cells.
    top = tuple(min(room, most + 1) for room, most in zip(rooms, few, strict=True))
    fitting = list(placements(needs, top))
    for group, room in enumerate(top):
        for mines in range(min(room, few[group]) + 1 if room else 0):  # none, or a mine in each of its cells
            begun = _with_room(top, group, mines or room)
            bad = [placed for placed in fitting if placed[group] != mines and placed[group] <= begun[group]]
            good = [placed for placed in fitting if placed[group] == mines]
            kept = _with_room((0,) * len(top), group, _HELD if mines else 1)
            found.update(_down(needs, begun, bad, good, kept))
    return found


def _down(
    needs: Needs, rooms: Counts, bad: list[Counts], good: list[Counts], kept: Counts
) -> Iterator[Counts]:
    """Iterate over the largest rooms, at most ``rooms``, that no ``bad`` placement fits, but a ``good`` one.

    No room may become less than in ``kept``.
    """
    if not good or _settled_by_part(needs, rooms):
        return
    if not bad:
        yield rooms
        return
    choices = ([group for group, mines in enumerate(placed) if mines > kept[group]] for placed in bad)
    groups, placed = min(zip(choices, bad, strict=True), key=lambda choice: len(choice[0]))
    for group in groups:
        room = placed[group] - 1
        still_bad, still_good = ([one for one in some if one[group] <= room] for some in (bad, good))
        yield from _down(needs, _with_room(rooms, group, room), still_bad, still_good, kept)
        kept = _with_room(kept, group, placed[group])  # smaller rooms have just been tried


def _with_room(rooms: Counts, group: int, room: int) -> Counts:
    return *rooms[:group], room, *rooms[group + 1 :]


def _settled_by_part(needs: Needs, rooms: Counts) -> bool:
    """Return whether some of the numbers settle a cell without the others."""
    size = len(needs) - 1  # so many settle all that fewer would
    for numbers in combinations(range(len(needs)), size) if size else ():
        inner = [0] * (1 << len(numbers))
        for chosen, room in enumerate(rooms, 1):
            inner[moved(chosen, numbers)] += room
        if settles(tuple([needs[number] for number in numbers]), tuple(inner[1:])):
            return True
    return False


@cache
def settles(needs: Needs, rooms: Counts) -> bool:
    """Return whether numbers settle a cell, with ``rooms`` cells around them, or contradict each other."""
    held = [set(mines) for mines in zip(*placements(needs, rooms), strict=True)]  # in each group
    return not held or any(own in ({0}, {room}) for own, room in zip(held, rooms, strict=True) if room)


def placements(needs: Needs, rooms: Counts) -> Iterator[Counts]:
    """Iterate over the ways to place mines so that every number has what it needs."""
    if not rooms:
        yield ()
        return
    chosen = len(rooms)  # the last set; a set of one number is the last one with this number
    most = least(needs, chosen)
    for mines in range(0 if chosen & chosen - 1 else most, min(rooms[-1], most) + 1):
        rest = tuple([need - mines * (chosen >> i & 1) for i, need in enumerate(needs)])
        for placed in placements(rest, rooms[:-1]):
            yield *placed, mines
