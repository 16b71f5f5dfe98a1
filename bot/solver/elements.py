"""The stage of elements: what the automaton proves, and the numbers that each proof rests on.

A cell is safe if it can hold no mine at most, and a mine if it holds one at least. The reasons are looked for
afterwards: a bound is what a number said at the start, or the sum of two bounds of the step before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np

from bot.solver.automaton import Alike, Elements, Indices, bounded
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, propagate

Bound = tuple[int, int]  # which one of the board, and how large it is at least


def elements(system: System, known: Known) -> Known:
    """Return ``known``, as `count` left it, with what bounds of elements add, or the clash they run into.

    Their mines may then be all there are, as the mine total says; else that takes no part.
    """
    found = bounded(system, known, system.numbers)
    reasons = _Reasons(system, known, found)
    clashes = np.flatnonzero(found.least > found.most)
    if len(clashes):
        return Known(known.mines, known.safe, known.because, clash=reasons.clash(int(clashes[0])))
    mines, safe = dict[int, int](), dict[int, int]()
    for cells, element in zip(found.groups, found.singles.tolist(), strict=True):
        if found.most[element] == 0:
            safe.update(dict.fromkeys(cells, reasons.no_mine(element)))
        elif found.least[element] == 1:
            mines.update(dict.fromkeys(cells, reasons.a_mine(element)))
    return propagate(system, known.extended(mines, safe), system.total)


def spared(system: System, cell: int, among: int) -> int:
    """Return as few of the constraints ``among`` as elements prove a cell safe by, rather the near ones.

    Return all of them if the numbers alone do not prove it.
    """
    here, numbers = system.cell(cell), among & system.numbers
    if not _proves(system, numbers, cell):
        return among

    def distance(number: int) -> int:
        row, col = system.sources[number] or here
        return max(abs(row - here.row), abs(col - here.col))

    for number in sorted(bits(numbers), key=distance, reverse=True):
        fewer = numbers & ~(1 << number)
        if _proves(system, fewer, cell):
            numbers = fewer
    return numbers


def _proves(system: System, among: int, cell: int) -> bool:
    """Return whether the numbers ``among`` alone prove a cell safe."""
    found = bounded(system, Known(), among)
    singles = zip(found.groups, found.singles.tolist(), strict=True)
    return any(cell in cells and found.most[element] == 0 for cells, element in singles)


@dataclass(frozen=True, eq=False)
class _Reasons:
    """Which constraints bounds rest on, as masks; ``masks`` has those that are known already."""

    system: System
    known: Known
    elements: Elements
    masks: dict[Bound, int] = field(default_factory=dict)

    def a_mine(self, element: int) -> int:
        """Return what proves that an element holds at least one mine."""
        return self._because((element, 1))

    def no_mine(self, element: int) -> int:
        """Return what proves that an element holds no mine."""
        return self._because((element + len(self.elements.sizes), 0))

    def clash(self, element: int) -> int:
        """Return what proves that an element holds more mines than it can."""
        other = element + len(self.elements.sizes)
        bounds = self.elements.bounds
        return self._because((element, int(bounds[element]))) | self._because((other, int(bounds[other])))

    def _because(self, bound: Bound) -> int:
        """Follow a bound back to the start, as a depth-first search: chains may be long."""
        origins: dict[Bound, tuple[int, tuple[Bound, ...]]] = {}
        waiting = [bound]
        while waiting:
            here = waiting[-1]
            if here not in self.masks and here not in origins:
                origins[here] = self._origin(here)
            mask, parents = origins.get(here, (0, ()))
            missing = [one for one in parents if one not in self.masks]
            waiting += missing
            if not missing:
                waiting.pop()
                for one in parents:
                    mask |= self.masks[one]
                self.masks.setdefault(here, mask)
        return self.masks[bound]

    def _origin(self, bound: Bound) -> tuple[int, tuple[Bound, ...]]:
        """Return the constraints that say so at the start, or the two bounds of which it is the sum."""
        step = self._step(bound)
        if step < 0:
            return 0, ()
        if step == 0:
            return min(self._saying(bound), key=int.bit_count), ()
        return 0, min(self._sums(bound, step), key=lambda two: sum(map(self._cost, two)))

    def _cost(self, bound: Bound) -> int:
        return 1 + self._step(bound)

    def _step(self, bound: Bound) -> int:
        """Return the step at which a bound was first so large: 0 for the start, -1 if any set has it."""
        place, value = bound
        elements = len(self.elements.sizes)
        if value <= (0 if place < elements else -self.elements.sizes[place - elements]):
            return -1
        return next(step for step, reached in self._history(place) if reached >= value)

    def _history(self, place: int) -> list[tuple[int, int]]:
        return [(0, int(self.elements.start[place])), *self._changes.get(place, ())]

    @cached_property
    def _changes(self) -> dict[int, list[tuple[int, int]]]:
        changes: dict[int, list[tuple[int, int]]] = {}
        for step, (places, values) in enumerate(self.elements.changes, 1):
            for place, value in zip(places.tolist(), values.tolist(), strict=True):
                changes.setdefault(place, []).append((step, value))
        return changes

    def _before(self, place: int, step: int) -> int:
        """Return how large a bound was before a step."""
        return next(value for at, value in reversed(self._history(place)) if at < step)

    def _saying(self, bound: Bound) -> Iterator[int]:
        """Iterate over the numbers that give a bound at the start, each with all that it needs."""
        place, value = bound
        for alike, row, own in self._around(place):
            if alike.start[row, own] >= value:
                number = alike.numbers[row]
                # Settled mines are taken off the most that are left, and settled safe cells off the fewest.
                settled = self.known.safe if place < len(self.elements.sizes) else self.known.mines
                yield 1 << number | self.known.reasons(self.system.masks[number] & settled)

    def _sums(self, bound: Bound, step: int) -> Iterator[tuple[Bound, Bound]]:
        """Iterate over the pairs of earlier bounds that add up to one."""
        place, value = bound
        for alike, row, own in self._around(place):
            firsts, seconds = alike.shape.rules_for(own)
            pairs = zip(alike.bounds[row, firsts].tolist(), alike.bounds[row, seconds].tolist(), strict=True)
            for first, second in pairs:
                one, other = self._before(first, step), self._before(second, step)
                if one + other >= value:
                    yield (first, one), (second, value - one)

    def _around(self, place: int) -> Iterator[tuple[Alike, int, int]]:
        """Iterate over the numbers whose elements have a bound, and over which of theirs it is."""
        ordered, order, begins = self._places
        for at in order[slice(*np.searchsorted(ordered, [place, place + 1]))].tolist():
            kind = bisect_right(begins, at) - 1
            alike = self.elements.alike[kind]
            yield alike, *divmod(at - begins[kind], alike.bounds.shape[1])

    @cached_property
    def _places(self) -> tuple[Indices, Indices, list[int]]:
        """The bounds of all numbers in order, where each of them stands, and where those of a shape begin."""
        bounds = [alike.bounds.ravel() for alike in self.elements.alike]
        together = np.concatenate(bounds)
        order = np.argsort(together, kind="stable")
        return together[order], order, [0, *accumulate(map(len, bounds))]
