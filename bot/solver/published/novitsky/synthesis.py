"""The synthesis of a library without examples: all patterns of few numbers that need all their numbers.

**Fields** are numbers in a window of cells, and the cells around them. Numbers prove more together than alone
only if they share covered cells, so a field is extended by numbers that are adjacent or two cells away. At
first all cells around the numbers are covered. A field is left out if it differs from another only in the
order of its numbers, or if it has no more cells than another.

**The search** finds which cells must not be covered so that the numbers settle the others. It supposes a mine
in a group of cells (or a safe cell), and lists all placements of mines that fit. To refute the supposition,
each of these must become impossible: one of the groups that hold its mines must have fewer cells. The search
tries each of these groups in turn, until no placement is left. The result is a pattern with the most cells
that each group may have. If some of the numbers settle a cell alone, the case is skipped, since there is a
smaller pattern for it. Still fewer cells are not tried, since a proof stays valid with fewer cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

from bot.solver.constraints import bits
from bot.solver.published.novitsky.pattern import (
    HIGHEST,
    MANY,
    Counts,
    Pattern,
    Place,
    Rows,
    moved,
    numbers_of,
    placements,
    settles,
    touched,
)

Progress = Callable[[int, int], None]  # called with the steps done and the steps in all
WINDOWS = range(3, 7)
# The most mines that a number may need: first for a single number, then for two together, and so on. Larger
# needs hardly ever occur together, and their search takes long.
MOST = (8, 8, 6, 3)
_REACH = 2  # how far apart two numbers that share a cell may be
_HELD = 99  # larger than any room
Needs = tuple[int, ...]
Rooms = tuple[int, ...]  # for each set of numbers, mask 1, 2, ...: how many cells are around exactly these


@dataclass(frozen=True, slots=True)
class Extent:
    """The limits of the synthesis.

    Fields are of ``window`` x ``window`` cells; patterns of an order above ``order`` are left out; ``most``
    is as `MOST`.
    """

    window: int = 6
    order: int = HIGHEST
    most: tuple[int, ...] = MOST


def synthesised(extent: Extent, progress: Progress) -> list[Pattern]:
    """Return all patterns of an extent, those with few numbers first; the result is always the same.

    ``progress`` is called with the number of steps done and of all steps.
    """
    work = [
        (field, needs)
        for numbers, most in enumerate(extent.most, 1)
        for field in fields(numbers, extent.window, most + 1)
        for needs in product(range(1, most + 1), repeat=numbers)
    ]
    found = {pattern.key: pattern for pattern in _first_order(extent.window)}
    for done, (field, needs) in enumerate(work):
        progress(done, len(work))
        search = Search(needs, field.rooms)
        for rooms in sorted(search.found()):
            pattern = field.pattern(needs, dict(zip(search.sets, rooms, strict=True)))
            key = pattern.key
            found[key] = min(found.get(key, pattern), pattern, key=_spread)
    patterns = [pattern for pattern in _needed(found) if 0 < pattern.order <= extent.order]
    progress(len(work), len(work))
    return patterns


def _first_order(window: int) -> Iterator[Pattern]:
    """Iterate over the patterns of a single number: the counting rules."""
    (field,) = fields(1, window, MANY)
    for cells in range(1, MANY + 1):
        yield from (field.pattern((need,), {1: cells}) for need in (0, cells))


def _spread(pattern: Pattern) -> tuple[int, int, Rows]:
    """Return a sort key that is smallest for the simplest drawing: its numbers are close together."""
    numbers = numbers_of(pattern.rows)
    apart = sum(abs(r - row) + abs(c - col) for r, c in numbers for row, col in numbers)
    return apart, len(pattern.rows) * len(pattern.rows[0]), pattern.rows


def _needed(found: Mapping[tuple[object, ...], Pattern]) -> list[Pattern]:
    """Return the patterns that no other one covers, with their orders: 0 if above `HIGHEST`."""
    kept: dict[Needs, list[Pattern]] = {}
    for key in sorted(found, key=lambda key: (-sum(found[key].rooms.values()), key)):
        same = kept.setdefault(tuple(sorted(found[key].needs)), [])
        if not any(other.covers(found[key]) for other in same):
            same.append(found[key])
    patterns = [pattern.ordered() for same in kept.values() for pattern in same]
    return sorted(patterns, key=lambda pattern: (len(pattern.needs), pattern.order, pattern.key))


@dataclass(frozen=True, slots=True)
class Field:
    """Numbers in a window of ``window`` x ``window`` cells: their places, and the rooms around them."""

    window: int
    places: tuple[Place, ...]
    rooms: Rooms

    @classmethod
    def of(cls, places: tuple[Place, ...], window: int, most: int) -> Field:
        """Return the field with its numbers in the order that gives the first sets the largest rooms."""
        sets, count = _cells_around(places, window), len(places)
        rooms = [min(most, len(sets.get(chosen, ()))) for chosen in range(1, 1 << count)]
        order = max(permutations(range(count)), key=lambda order: [rooms[at] for at in _moves(order)])
        return cls(window, tuple(places[i] for i in order), tuple(rooms[at] for at in _moves(order)))

    def within(self, other: Field) -> bool:
        """Return whether no room is larger than in ``other``, with the numbers in some order."""
        return any(
            all(here <= other.rooms[at] for here, at in zip(self.rooms, _moves(order), strict=True))
            for order in permutations(range(len(self.places)))
        )

    def pattern(self, needs: Needs, rooms: Mapping[int, int]) -> Pattern:
        """Return the pattern that has only the first ``rooms[chosen]`` cells around each set ``chosen``."""
        cells = _cells_around(self.places, self.window)
        return Pattern.found(
            self.places, needs, {chosen: cells[chosen][:room] for chosen, room in rooms.items() if room}
        )


def fields(numbers: int, window: int, most: int) -> list[Field]:
    """Return the fields of ``numbers`` numbers, those with the most room first.

    Rooms are limited to ``most`` cells, since more make no difference.
    """
    layouts: set[tuple[Place, ...]] = {((0, 0),)}  # up to symmetry
    steps = list(product(range(-_REACH, _REACH + 1), range(-_REACH, _REACH + 1)))
    for _ in range(numbers - 1):
        layouts = {
            min(_images((*layout, place)))
            for layout in layouts
            for place in {(row + down, col + right) for row, col in layout for down, right in steps}
            if place not in layout
            and all(max(way) - min(way) < window for way in zip(*layout, place, strict=True))
        }
    best: dict[Rooms, Field] = {}
    for layout in sorted(layouts):
        margins = [_margins(max(way) + 1, window) for way in zip(*layout, strict=True)]
        for top, left in product(*margins):
            field = Field.of(tuple((row + top, col + left) for row, col in layout), window, most)
            best.setdefault(field.rooms, field)
    kept: list[Field] = []
    for rooms in sorted(best, key=lambda rooms: (-sum(rooms), rooms)):
        if not any(best[rooms].within(field) for field in kept):
            kept.append(best[rooms])
    return kept


def _margins(length: int, window: int) -> Iterable[int]:
    """Return where a layout of this length may begin in a window to have the most cells around it."""
    return (1,) if length + 2 <= window else range(window - length + 1)


def _images(layout: tuple[Place, ...]) -> Iterator[tuple[Place, ...]]:
    """Iterate over the eight images of a layout under the symmetries of the square, moved to the corner."""
    for first, second in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        turned = [(first * row, second * col) for row, col in layout]
        for image in (turned, [(col, row) for row, col in turned]):
            top, left = min(row for row, _ in image), min(col for _, col in image)
            yield tuple(sorted((row - top, col - left) for row, col in image))


def _cells_around(places: tuple[Place, ...], window: int) -> dict[int, list[Place]]:
    """Return for each set of the numbers at ``places`` the cells of the window around exactly these."""
    sets: dict[int, list[Place]] = {}
    for place in product(range(window), range(window)):
        chosen = touched(places, place)
        if chosen and place not in places:
            sets.setdefault(chosen, []).append(place)
    return sets


@cache
def _moves(order: tuple[int, ...]) -> tuple[int, ...]:
    """Return the index of each set's room before the numbers were put in the order ``order``."""
    back = sorted(range(len(order)), key=order.__getitem__)
    return tuple(moved(chosen, back) - 1 for chosen in range(1, 1 << len(order)))


class _State(NamedTuple):
    """A state of the search: the rooms, and the placements that fit them.

    ``bad`` are the placements that contradict the pattern, ``good`` the others. The room of group ``g`` must
    not become less than ``kept[g]``.
    """

    rooms: Counts
    bad: list[Counts]
    good: list[Counts]
    kept: list[int]


class _Part(NamedTuple):
    """Some of the numbers: their needs, and for each set of them the groups around exactly these."""

    needs: Needs
    groups: list[list[int]]


class Search:
    """The search for patterns of numbers with these ``needs``, with at most ``rooms`` cells for each set."""

    def __init__(self, needs: Needs, rooms: Rooms) -> None:
        self.needs = needs
        self.sets = [chosen for chosen, room in enumerate(rooms, 1) if room]
        self._most = tuple(room for room in rooms if room)
        self._least = [min(needs[i] for i in bits(chosen)) for chosen in self.sets]
        parts = [
            self._part(numbers)
            for count in range(1, len(needs))
            for numbers in combinations(range(len(needs)), count)
        ]
        groups = range(len(self.sets))
        self._touched = [
            [one for one in parts if any(group in own for own in one.groups)] for group in groups
        ]
        self._parts = parts

    def _part(self, numbers: tuple[int, ...]) -> _Part:
        inner = [moved(chosen, numbers) for chosen in self.sets]
        groups = [
            [group for group, own in enumerate(inner) if own == chosen]
            for chosen in range(1, 1 << len(numbers))
        ]
        return _Part(tuple(self.needs[number] for number in numbers), groups)

    def found(self) -> set[Counts]:
        """Return the rooms with which the numbers together settle a group; each has a room for each set."""
        found: set[Counts] = set()
        # One cell more than the smallest number needs stands for any larger number of cells.
        top = tuple(min(room, least + 1) for room, least in zip(self._most, self._least, strict=True))
        fitting = list(placements(self.needs, self.sets, top))

        def start(rooms: Counts, group: int, mines: int, kept: int) -> None:
            bad = [one for one in fitting if one[group] != mines and one[group] <= rooms[group]]
            good = [one for one in fitting if one[group] == mines]
            held = [kept if other == group else 0 for other in range(len(self.sets))]
            if good and self._open(rooms, self._parts):
                found.update(self._down(_State(rooms, bad, good, held)))

        for group, room in enumerate(top):
            start(top, group, 0, 1)
            for cells in range(1, min(self._most[group], self._least[group]) + 1):
                start((*top[:group], min(cells, room), *top[group + 1 :]), group, cells, _HELD)
        return found

    def _down(self, state: _State) -> Iterator[Counts]:
        """Iterate over the largest rooms that no bad placement fits."""
        if not state.bad:
            yield state.rooms
            return
        placed, groups = self._narrowest(state)
        kept = state.kept
        for group in groups:
            room = placed[group] - 1
            rooms = (*state.rooms[:group], room, *state.rooms[group + 1 :])
            good = [one for one in state.good if one[group] <= room]
            if good and self._open(rooms, self._touched[group]):
                bad = [one for one in state.bad if one[group] <= room]
                yield from self._down(_State(rooms, bad, good, kept))
            kept = kept.copy()
            kept[group] = placed[group]  # smaller rooms have just been tried

    def _narrowest(self, state: _State) -> tuple[Counts, list[int]]:
        """Return the bad placement that the fewest groups can exclude by less room, and these groups."""
        best: tuple[Counts, list[int]] | None = None
        for placed in state.bad:
            groups = [group for group, mines in enumerate(placed) if mines > state.kept[group]]
            if best is None or len(groups) < len(best[1]):
                best = placed, groups
                if len(groups) < 2:
                    break
        assert best is not None
        return best

    def _open(self, rooms: Counts, parts: list[_Part]) -> bool:
        """Return whether none of ``parts`` settles a cell alone."""
        return not any(
            _settles(part.needs, tuple([sum([rooms[group] for group in own]) for own in part.groups]))
            for part in parts
        )


@cache
def _settles(needs: Needs, rooms: Rooms) -> bool:
    """Return whether numbers with ``needs`` settle a cell, with ``rooms`` cells around each set of them."""
    sets = [chosen for chosen, room in enumerate(rooms, 1) if room]
    least = [min(needs[i] for i in bits(chosen)) for chosen in sets]
    return settles(
        needs, sets, tuple(min(rooms[chosen - 1], 1 + few) for chosen, few in zip(sets, least, strict=True))
    )
