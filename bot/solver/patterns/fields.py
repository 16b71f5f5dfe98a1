"""The mini-fields in which schemes are looked for: where their numbers stand, and the cells around these.

Numbers say something together only if they share covered cells, so a field grows by numbers that are adjacent
or two apart. All cells around them are covered at first; `search` finds out which of them must not be. Fields
that differ in the order of their numbers alone, or hold no more cells than another, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from bot.solver.patterns.drawing import Place, touched
from bot.solver.patterns.scheme import moved

Rooms = tuple[int, ...]  # for each set of numbers, from 1 on, how many cells are around exactly these
_REACH = 2  # how far apart numbers may be that share a cell


@dataclass(frozen=True, slots=True)
class Field:
    """Numbers in a window of ``window`` x ``window`` cells: where they stand, and the rooms around them."""

    window: int
    places: tuple[Place, ...]
    rooms: Rooms

    def cells(self) -> dict[int, list[Place]]:
        """Return for each set of numbers the cells around exactly these, row by row."""
        return cells_around(self.places, self.window)


def fields(numbers: int, window: int, most: int) -> list[Field]:
    """Return the fields of so many numbers, those with the most room first.

    Rooms are told up to ``most`` cells: more make no difference.
    """
    best: dict[Rooms, Field] = {}
    for places in (placed for layout in layouts(numbers, window) for placed in _placed(layout, window)):
        field = _canonical(places, window, most)
        best.setdefault(field.rooms, field)
    kept: list[Field] = []
    for rooms in sorted(best, key=lambda rooms: (-sum(rooms), rooms)):
        if not any(_within(rooms, field.rooms, numbers) for field in kept):
            kept.append(best[rooms])
    return kept


def layouts(numbers: int, window: int) -> list[tuple[Place, ...]]:
    """Return all places of so many numbers, up to symmetry, that share cells and fit into a window."""
    found: set[tuple[Place, ...]] = {((0, 0),)}
    for _ in range(numbers - 1):
        found = {
            min(_images((*layout, place)))
            for layout in found
            for place in _beside(layout)
            if _fits((*layout, place), window)
        }
    return sorted(found)


def cells_around(places: Iterable[Place], window: int) -> dict[int, list[Place]]:
    """Return for each set of the numbers at ``places`` the cells of the window around exactly these."""
    numbers, sets = list(places), dict[int, list[Place]]()
    for place in ((row, col) for row in range(window) for col in range(window)):
        chosen = touched(numbers, place)
        if chosen and place not in numbers:
            sets.setdefault(chosen, []).append(place)
    return sets


def _beside(layout: tuple[Place, ...]) -> set[Place]:
    steps = range(-_REACH, _REACH + 1)
    return {(row + down, col + right) for row, col in layout for down in steps for right in steps} - {*layout}


def _fits(layout: tuple[Place, ...], window: int) -> bool:
    return all(max(way) - min(way) < window for way in zip(*layout, strict=True))


def _images(layout: tuple[Place, ...]) -> Iterator[tuple[Place, ...]]:
    """Iterate over the eight images of a layout under the symmetries of the square, moved to the corner."""
    for first, second in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        turned = [(first * row, second * col) for row, col in layout]
        for image in (turned, [(col, row) for row, col in turned]):
            top, left = min(row for row, _ in image), min(col for _, col in image)
            yield tuple(sorted((row - top, col - left) for row, col in image))


def _placed(layout: tuple[Place, ...], window: int) -> Iterator[tuple[Place, ...]]:
    """Iterate over the ways to put a layout into a window in which it may have the most cells around it."""
    height, width = (max(way) + 1 for way in zip(*layout, strict=True))
    for top in _margins(height, window):
        for left in _margins(width, window):
            yield tuple((row + top, col + left) for row, col in layout)


def _margins(length: int, window: int) -> Iterable[int]:
    return (1,) if length + 2 <= window else range(window - length + 1)


def _canonical(places: tuple[Place, ...], window: int, most: int) -> Field:
    """Return the field with its numbers in the order that gives the largest rooms, the first set first."""
    sets, count = cells_around(places, window), len(places)
    rooms = [min(most, len(sets.get(chosen, ()))) for chosen in range(1, 1 << count)]
    order = max(permutations(range(count)), key=lambda order: [rooms[at] for at in _moves(order)])
    return Field(window, tuple(places[i] for i in order), tuple(rooms[at] for at in _moves(order)))


@cache
def _moves(order: tuple[int, ...]) -> tuple[int, ...]:
    """Return where the room of each set is found after its numbers are put in another order."""
    back = sorted(range(len(order)), key=order.__getitem__)
    return tuple(moved(chosen, back) - 1 for chosen in range(1, 1 << len(order)))


def _within(rooms: Rooms, other: Rooms, numbers: int) -> bool:
    """Return whether there is no more room than in another field, with its numbers in some order."""
    return any(
        all(here <= other[at] for here, at in zip(rooms, _moves(order), strict=True))
        for order in permutations(range(numbers))
    )
