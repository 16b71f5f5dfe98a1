"""Finding the schemes of a library on a board: all small sets of numbers that share cells are looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from bot.solver.constraints import System, bits
from bot.solver.counting import Known
from bot.solver.patterns.scheme import Scheme, moved

_WIDTH = 5  # bits for the cells of a group, the highest of them free: all groups are compared at once
Needs = tuple[int, ...]
Wanted = frozenset[Needs]  # what some of the numbers of a scheme need, sorted


class Match(NamedTuple):
    """Numbers on a board that a scheme fits: masks of their constraints, and of the cells they settle."""

    numbers: int
    safe: int
    mines: int


class Group(NamedTuple):
    """The cells around exactly the numbers of the mask ``chosen``."""

    chosen: int
    cells: int


@dataclass(slots=True)
class Frontier:
    """The numbers of a position that have anything left to say.

    For each the mask of its open cells, how many of these are mines, and the numbers that share a cell with
    it. ``indices`` says which constraint it is.
    """

    indices: list[int] = field(default_factory=list)
    masks: list[int] = field(default_factory=list)
    needs: list[int] = field(default_factory=list)
    near: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, system: System, known: Known) -> Frontier:
        """Return what the numbers of a position say besides what is known."""
        found = cls()
        for index in bits(system.numbers):
            rest = system.masks[index] & ~known.settled
            if rest:
                found.indices.append(index)
                found.masks.append(rest)
                found.needs.append(system.needs[index] - (system.masks[index] & known.mines).bit_count())
        masks = found.masks
        found.near = [sum(1 << j for j, other in enumerate(masks) if other & mask) for mask in masks]
        return found


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some numbers of a frontier that share cells, in the order in which they were taken; their groups."""

    numbers: tuple[int, ...]
    needs: Needs
    groups: tuple[Group, ...]

    def joined(self, frontier: Frontier, number: int) -> Chosen:
        """Return these numbers and one more."""
        left, bit, groups = frontier.masks[number], 1 << len(self.numbers), list[Group]()
        for chosen, cells in self.groups:
            inside = cells & left
            if inside:
                groups.append(Group(chosen | bit, inside))
                left ^= inside
            if inside != cells:
                groups.append(Group(chosen, cells ^ inside))
        if left:
            groups.append(Group(bit, left))
        return Chosen((*self.numbers, number), (*self.needs, frontier.needs[number]), tuple(groups))


NONE = Chosen((), (), ())


def connected(frontier: Frontier, size: int, wanted: Wanted | None = None) -> Iterator[Chosen]:
    """Iterate over all sets of ``size`` numbers that hang together by shared cells, each once.

    Sets that cannot become ``wanted`` ones are given up early (Wernicke's way to list connected subgraphs).
    """
    for first in range(len(frontier.masks)):
        later = -1 << first + 1
        start = NONE.joined(frontier, first)
        yield from _grown(
            frontier, start, frontier.near[first] & later, frontier.near[first] | ~later, size, wanted
        )


def _grown(
    frontier: Frontier, chosen: Chosen, ahead: int, seen: int, size: int, wanted: Wanted | None
) -> Iterator[Chosen]:
    """Iterate over the sets that grow from some numbers by those ``ahead``; ``seen`` are not to be added."""
    if wanted and tuple(sorted(chosen.needs)) not in wanted:
        return
    if len(chosen.numbers) == size:
        yield chosen
        return
    for number in bits(ahead):
        ahead &= ~(1 << number)
        near = frontier.near[number]
        grown = chosen.joined(frontier, number)
        yield from _grown(frontier, grown, ahead | near & ~seen, seen | near, size, wanted)


class _Entry(NamedTuple):
    """A scheme for numbers in a certain order: its rooms in one int, and the sets whose cells it settles."""

    rooms: int
    safe: frozenset[int]
    mines: frozenset[int]


class Matcher:
    """Schemes, in the shape in which they are looked up."""

    def __init__(self) -> None:
        self._schemes: dict[Needs, list[Scheme]] = {}  # by needs, sorted
        self._entries: dict[Needs, list[_Entry]] = {}  # by needs in any order, as they are asked for
        self._wanted: dict[int, Wanted] = {}

    @property
    def sizes(self) -> list[int]:
        """How many numbers the schemes have."""
        return sorted(self._wanted)

    def add(self, scheme: Scheme) -> None:
        """Take in one more scheme."""
        needs, size = tuple(sorted(scheme.needs)), len(scheme.needs)
        self._schemes.setdefault(needs, []).append(scheme)
        self._entries.clear()
        parts = {part for count in range(1, size + 1) for part in combinations(needs, count)}
        self._wanted[size] = self._wanted.get(size, frozenset()) | parts

    def matches(self, frontier: Frontier, size: int) -> Iterator[Match]:
        """Iterate over the places where a scheme of so many numbers fits."""
        guard = _packed((chosen, 1 << _WIDTH - 1) for chosen in range(1, 1 << size))
        for chosen in connected(frontier, size, self._wanted[size]):
            sizes = _packed((group.chosen, group.cells.bit_count()) for group in chosen.groups)
            for rooms, safe, mines in self._for(chosen.needs):
                if (rooms | guard) - sizes & guard == guard:  # no group took a bit from its guard
                    yield _match(frontier, chosen, safe, mines)

    def _for(self, needs: Needs) -> list[_Entry]:
        entries = self._entries.get(needs)
        if entries is None:
            schemes = self._schemes.get(tuple(sorted(needs)), [])
            entries = self._entries[needs] = [
                entry for scheme in schemes for entry in _entries(scheme, needs)
            ]
        return entries


def _entries(scheme: Scheme, needs: Needs) -> list[_Entry]:
    """Return a scheme for all orders of its numbers in which they need as much as ``needs``."""
    found = {}
    for order in _orders(scheme.needs, needs):
        rooms = _packed((moved(chosen, order), room) for chosen, room in scheme.rooms.items())
        safe, mines = (frozenset(moved(one, order) for one in sets) for sets in (scheme.safe, scheme.mines))
        found[rooms, safe, mines] = _Entry(rooms, safe, mines)
    return list(found.values())


def _orders(needs: Needs, wanted: Needs, before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Iterate over the orders of the numbers with these needs in which they are the wanted ones."""
    if len(before) == len(needs):
        yield before
        return
    for number, need in enumerate(needs):
        if need == wanted[len(before)] and number not in before:
            yield from _orders(needs, wanted, (*before, number))


def _packed(sizes: Iterable[tuple[int, int]]) -> int:
    packed = 0
    for chosen, size in sizes:
        packed |= size << _WIDTH * (chosen - 1)
    return packed


def _match(frontier: Frontier, chosen: Chosen, safe: frozenset[int], mines: frozenset[int]) -> Match:
    return Match(
        sum(1 << frontier.indices[number] for number in chosen.numbers),
        sum(group.cells for group in chosen.groups if group.chosen in safe),
        sum(group.cells for group in chosen.groups if group.chosen in mines),
    )
