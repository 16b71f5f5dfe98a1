"""The search of Urbas 2006: area by area, all mines of one number at a time, back where that leads nowhere.

His numbers are taken from the front or the back of the list as a coin decides, since the direction can change
the work by orders of magnitude. Mines of a group are only counted here: their places are a free choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.solver.placer.puzzle import Area, Puzzle

Tick = Callable[[], None]  # called at every step; ends the search by raising
Mines = tuple[int, ...]  # how many mines each group of an area holds
_OPEN = -1
_SOLUTIONS = 2  # that are kept of an area for each number of mines: enough to know whether there is another


@dataclass(frozen=True, slots=True)
class Chosen:
    """How many mines lie in each group of each area, and in the unconstrained cells."""

    areas: tuple[Mines, ...]
    outside: int

    @property
    def free(self) -> Iterator[int]:
        """The mines of each set of cells in the order of `Puzzle.free`."""
        for mines in self.areas:
            yield from mines
        yield self.outside


def choose(puzzle: Puzzle, coin: np.random.Generator, tick: Tick, most: int = 1) -> list[Chosen]:
    """Return up to ``most`` (at most 2) different ways to fill the groups of ``puzzle``; [] if there is none.

    What ``tick`` raises ends the search.
    """
    searches = [solutions(area, int(coin.integers(2)) == 1, tick) for area in puzzle.areas]
    firsts = []
    for search in searches:
        first = next(search, None)
        if first is None:
            return []
        firsts.append(first)
    outside = _outside(puzzle, sum(map(sum, firsts)))
    if most == 1 and outside is not None:
        return [Chosen(tuple(firsts), outside)]
    options = [_options(first, search) for first, search in zip(firsts, searches, strict=True)]
    return list(_combined(puzzle, options, tick, most))


def _outside(puzzle: Puzzle, inside: int) -> int | None:
    """Return how many mines lie in unconstrained cells if so many do in the areas; None if it cannot be."""
    if puzzle.rest is None:
        return 0
    rest = puzzle.rest - inside
    return rest if 0 <= rest <= len(puzzle.outside) else None


def _options(first: Mines, search: Iterator[Mines]) -> list[Mines]:
    """Return solutions of an area with each number of mines that it can hold, as few as are of use."""
    kept: dict[int, list[Mines]] = {sum(first): [first]}
    for mines in search:
        same = kept.setdefault(sum(mines), [])
        if len(same) < _SOLUTIONS:
            same.append(mines)
    return [mines for same in kept.values() for mines in same]


_Path = tuple["_Path", Mines] | None  # solutions of the areas so far, the last one first


def _combined(puzzle: Puzzle, options: Sequence[Sequence[Mines]], tick: Tick, most: int) -> Iterator[Chosen]:
    """Yield up to ``most`` ways to take a solution of each area so that the total is met."""
    reached: dict[int, list[_Path]] = {0: [None]}
    for solutions_here in options:
        further: dict[int, list[_Path]] = {}
        for mines in solutions_here:
            inside = sum(mines)
            for before, paths in reached.items():
                tick()
                room = further.setdefault(before + inside, [])
                room += [(path, mines) for path in paths[: most - len(room)]]
        reached = further
    fitting = ((_outside(puzzle, inside), paths) for inside, paths in reached.items())
    chosen = (
        Chosen(_unrolled(path), outside)
        for outside, paths in fitting
        if outside is not None
        for path in paths
    )
    yield from (found for found, _ in zip(chosen, range(most), strict=False))


def _unrolled(path: _Path) -> tuple[Mines, ...]:
    areas = []
    while path is not None:
        path, mines = path
        areas.append(mines)
    return tuple(reversed(areas))


def solutions(area: Area, backwards: bool, tick: Tick) -> Iterator[Mines]:
    """Yield all ways to fill the groups of ``area``, its numbers taken from the front or from the back."""
    order = range(len(area.numbers))[:: -1 if backwards else 1]
    filling = _Filling.of(area)
    turns: list[_Turn] = []
    while True:
        if len(turns) < len(order):
            turns.append(filling.turn(order[len(turns)]))
        else:
            yield tuple(filling.mines)
        while turns and not filling.next_way(turns[-1], tick):
            turns.pop()
        if not turns:
            return


@dataclass(slots=True)
class _Turn:
    """The open groups of one number, the ways to fill them that were not tried, and that which stands now."""

    groups: tuple[int, ...]
    ways: Iterator[Mines]
    placed: bool = False


@dataclass(slots=True)
class _Filling:
    """Mines placed so far, and what each number still needs and has room for."""

    sizes: list[int]
    members: list[tuple[int, ...]]  # the groups of each number
    needs: list[int]
    rooms: list[int]
    mines: list[int]
    touching: list[list[int]] = field(default_factory=list)  # the numbers of each group

    @classmethod
    def of(cls, area: Area) -> _Filling:
        sizes = list(map(len, area.groups))
        members = [groups for groups, _ in area.numbers]
        touching: list[list[int]] = [[] for _ in sizes]
        for number, groups in enumerate(members):
            for group in groups:
                touching[group].append(number)
        needs = [need for _, need in area.numbers]
        rooms = [sum(sizes[group] for group in groups) for groups in members]
        return cls(sizes, members, needs, rooms, [_OPEN] * len(sizes), touching)

    def turn(self, number: int) -> _Turn:
        groups = tuple(group for group in self.members[number] if self.mines[group] == _OPEN)
        return _Turn(groups, _ways(self.needs[number], [self.sizes[group] for group in groups]))

    def next_way(self, turn: _Turn, tick: Tick) -> bool:
        """Take back what ``turn`` has placed, and place its mines in the next way that no number forbids."""
        if turn.placed:
            self._take_back(turn.groups)
        for way in turn.ways:
            tick()
            turn.placed = self._place(turn.groups, way)
            if turn.placed:
                return True
            self._take_back(turn.groups)
        turn.placed = False
        return False

    def _place(self, groups: tuple[int, ...], way: Mines) -> bool:
        for group, mines in zip(groups, way, strict=True):
            self.mines[group] = mines
            for number in self.touching[group]:
                self.needs[number] -= mines
                self.rooms[number] -= self.sizes[group]
        near = (number for group in groups for number in self.touching[group])
        return all(0 <= self.needs[number] <= self.rooms[number] for number in near)

    def _take_back(self, groups: tuple[int, ...]) -> None:
        for group in groups:
            for number in self.touching[group]:
                self.needs[number] += self.mines[group]
                self.rooms[number] += self.sizes[group]
            self.mines[group] = _OPEN


def _ways(need: int, sizes: Sequence[int]) -> Iterator[Mines]:
    """Yield all ways to divide ``need`` mines among groups of these sizes."""
    if not sizes:
        if not need:
            yield ()
        return
    for here in range(max(0, need - sum(sizes[1:])), min(need, sizes[0]) + 1):
        for others in _ways(need - here, sizes[1:]):
            yield (here, *others)
