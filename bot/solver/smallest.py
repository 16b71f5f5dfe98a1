"""The fewest numbers that prove a cell: sets of constraints that prove it alone, and of which none can go.

A set proves a cell if no placement of mines satisfies it with the cell turned round: a mine where it is safe.
What hypothesis and counting find is the beginning; then whatever can be left out is. Whether still fewer
would do is searched for by the placements that satisfy too few constraints: of those that such a placement
breaks, every set that proves the cell holds one (implicit hitting sets: Ignatiev, Previti, Liffiton and
Marques-Silva 2015, "Smallest MUS extraction with minimal hitting set dualization").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known
from bot.solver.elimination import TooLargeError
from bot.solver.patterns.rules import Number
from bot.solver.placements import Placement, placed, possible
from bot.solver.waves import spread

_SEARCHED = 6  # numbers of a proof; so many or more are not searched for
_STATES = 20_000  # that are looked at to refute one set; more leave it unrefuted


@dataclass(slots=True)
class SearchBudget:
    """How many sets may still be looked at for smaller proofs, in all searches that share it."""

    left: int

    def spent(self) -> bool:
        """Take one off; return whether there was none left."""
        self.left -= 1
        return self.left < 0


@dataclass(slots=True)
class Case:
    """The question which constraints of ``system`` prove the cell at ``place`` (a ``mine``, or safe)."""

    system: System
    place: int
    mine: bool
    _universe: tuple[int, ...] = ()  # the numbers among which fewer are searched for
    _broken: list[int] = field(default_factory=list)  # sets of them that one placement breaks

    @property
    def _turned(self) -> Placement:
        """The cell turned round."""
        bit = 1 << self.place
        return (0, bit) if self.mine else (bit, 0)

    def proven(self, chosen: int) -> bool:
        """Return whether the constraints of a mask prove the cell; False if that takes too long to tell."""
        if chosen & self.system.total or chosen.bit_count() > _SEARCHED:
            try:
                return not possible(self.system, chosen, *self._turned, budget=_STATES)
            except TooLargeError:
                return False
        return placed(self.system.said_by(chosen), *self._turned) is None

    def shrunk(self, chosen: int) -> int:
        """Return those of ``chosen`` that are needed to prove the cell; 0 if all of them do not.

        The mine total goes if it can, then the numbers from far away.
        """
        if not self.proven(chosen):
            return 0
        for part in _halves(self._from_afar(chosen)):
            left = chosen & ~part
            if part & chosen and self.proven(left):
                chosen = left
        return chosen

    def fewer(self, than: int, patience: SearchBudget) -> int:
        """Return fewer numbers than so many that prove the cell, as few as there are; 0 if none are found."""
        self._universe, self._broken = self._within_reach(2 * min(than, _SEARCHED) - 3), []
        for size in range(1, min(than, _SEARCHED)):
            if chosen := self._within(0, size, patience):
                return chosen
        return 0

    def _within(self, chosen: int, more: int, patience: SearchBudget) -> int:
        """Return ``chosen`` with at most so many ``more`` numbers that prove the cell together, or 0."""
        if patience.spent():
            return 0
        broken = next((broken for broken in self._broken if not broken & chosen), 0)
        if not broken:
            placement = placed(self.system.said_by(chosen), *self._turned)
            if placement is None:
                return chosen
            broken = self._breaks(chosen, placement) if more else 0
            self._broken += [broken] if more else []
        tries = (self._within(chosen | 1 << number, more - 1, patience) for number in bits(broken) if more)
        return next(filter(None, tries), 0)

    def _breaks(self, chosen: int, placement: Placement) -> int:
        """Return the numbers that a placement breaks however it is completed here; as few as found."""
        kept, broken = self.system.said_by(chosen), 0
        for number in self._universe:
            if not chosen >> number & 1:
                said = self.system.masks[number], self.system.needs[number]
                more = _extended(placement, kept, said)
                if more is None:
                    broken |= 1 << number
                else:
                    placement = more
        return broken

    def _distance(self, number: int) -> int:
        """Return how far a number is from the cell: 1 if it touches it."""
        row, col = self.system.cell(self.place)
        source = self.system.sources[number]
        return 1 << 30 if source is None else max(abs(source[0] - row), abs(source[1] - col))

    def _within_reach(self, reach: int) -> tuple[int, ...]:
        """Return the numbers at most so far away, the near ones first."""
        near = (number for number in bits(self.system.numbers) if self._distance(number) <= reach)
        return tuple(sorted(near, key=self._distance))

    def _from_afar(self, chosen: int) -> list[int]:
        return sorted(bits(chosen), key=self._distance, reverse=True)

    def _around(self) -> Iterator[int]:
        """Yield larger and larger masks of the numbers around the cell, at last all constraints."""
        reach, before = 1, 0
        while before != self.system.numbers:
            numbers = mask_with(self._within_reach(reach))
            if numbers != before:
                yield numbers
            reach, before = round(reach * 1.6 + 0.5), numbers
        if self.system.total:
            yield self.system.everything

    def counted(self, known: Known) -> int:
        """Return what proves the cell by counting, at once or with it turned round; 0 if that does not.

        Begins with what is ``known``; what it returns may be more than is needed.
        """
        bit = 1 << self.place
        if (known.mines if self.mine else known.safe) & bit:
            return known.because[self.place]
        turned = {self.place: 0}
        start = known.extended({}, turned) if self.mine else known.extended(turned, {})
        return spread(self.system, start, self.system.touching.get(self.place, 0)).clash

    def from_around(self) -> int:
        """Return constraints that prove the cell, from near it if they do, without any that is not needed.

        Return 0 if the cell is not proven, or if it takes too long to tell.
        """
        return next((self.shrunk(numbers) for numbers in self._around() if self.proven(numbers)), 0)


def _extended(placement: Placement, kept: list[Number], number: Number) -> Placement | None:
    """Return a placement that satisfies one more number, which is then ``kept``; None if it breaks it."""
    (mask, need), (mines, safe) = number, placement
    if mask & ~(mines | safe):
        more = placed([*kept, number], mines, safe)
    else:
        more = placement if (mask & mines).bit_count() == need else None
    if more is not None and mask & ~(mines | safe):
        kept.append(number)
    return more


def _halves(order: list[int]) -> Iterator[int]:
    """Yield masks of runs of ``order``, first long ones where there are many, at last each alone."""
    size = len(order) // 4 if len(order) > 12 else 1
    while size:
        for begin in range(0, len(order), size):
            yield mask_with(order[begin : begin + size])
        size = 0 if size == 1 else max(1, size // 3)
