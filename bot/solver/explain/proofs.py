"""Proofs: the numbers that show that a cell is safe, or a mine, as few as possible and near it.

A set of constraints proves a cell if no placement of mines satisfies it with the cell turned round: a mine
where it is safe. What hypothesis and counting find is the beginning; then whatever can be left out is.
Whether still fewer would do is searched for by the placements that satisfy too few constraints: of those that
such a placement breaks, every set that proves the cell holds one (implicit hitting sets: Ignatiev, Previti,
Liffiton and Marques-Silva 2015, "Smallest MUS extraction with minimal hitting set dualization").
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.board import Board, Cell, State
from bot.solver.conflict import minimal
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, propagate
from bot.solver.decision import Constraint
from bot.solver.exact import TooLargeError, attainable, components, sums
from bot.solver.published.novitsky.pattern import Number, Settled, prove

_LARGE = 2000  # cells of a board of which only a part is looked at, if that will do
_FIRST = 1  # how far away the numbers are that are tried at first
_GROWTH = 1.6


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a board: ``corner`` is the cell of the whole at (0, 0) of ``board``.

    Numbers at its edge are left out, since some of the cells that they count are not in it, and so is the
    mine total, unless it is all of the board.
    """

    board: Board
    corner: Cell

    def shifted(self, constraint: Constraint) -> Constraint:
        """Return a constraint of the window as one of the whole board."""
        source = None if constraint.source is None else self.outer(constraint.source)
        return Constraint(frozenset(map(self.outer, constraint.cells)), constraint.mines, source)

    def place(self, cell: Cell) -> int | None:
        """Return the place in the window of a cell of the whole board, None if it is not in it."""
        row, col = cell.row - self.corner.row, cell.col - self.corner.col
        inside = 0 <= row < self.board.rows and 0 <= col < self.board.cols
        return row * self.board.cols + col if inside else None

    def outer(self, cell: Cell) -> Cell:
        """Return a cell of the window as one of the whole board."""
        return Cell(cell.row + self.corner.row, cell.col + self.corner.col)


def windows(board: Board, cell: Cell) -> Iterator[Window]:
    """Yield larger and larger parts of ``board`` around ``cell``, at last all of it."""
    reach = _FIRST
    while reach < max(cell.row, board.rows - 1 - cell.row, cell.col, board.cols - 1 - cell.col):
        yield _cut(board, cell, reach)
        reach = round(reach * _GROWTH + 0.5)
    yield Window(board, Cell(0, 0))


def _cut(board: Board, cell: Cell, reach: int) -> Window:
    """Return the part with the numbers at most ``reach`` away from ``cell``, and all that they count."""
    top, left = max(0, cell.row - reach - 1), max(0, cell.col - reach - 1)
    states = board.states[top : cell.row + reach + 2, left : cell.col + reach + 2].copy()
    whole = (top == 0, left == 0, top + len(states) == board.rows, left + len(states[0]) == board.cols)
    edges = (states[0], states[:, 0], states[-1], states[:, -1])
    for edge, is_whole in zip(edges, whole, strict=True):
        if not is_whole:
            edge[edge <= 8] = State.WRONG_FLAG  # a cell without a mine that says no more
    return Window(Board(states), Cell(top, left))


Placement = tuple[int, int]  # the masks of its mines and of its safe cells; other cells are open


def placed(numbers: Sequence[Number], mines: int, safe: int) -> Placement | None:
    """Return a placement that satisfies all ``numbers`` and begins as given, None if there is none.

    Meant for few numbers: the steps may double with each.
    """
    begun = prove(numbers, 1, Settled(safe, mines))
    if begun is None:
        return None
    safe, mines = begun
    open_ = next((rest for mask, _ in numbers if (rest := mask & ~(mines | safe))), 0)
    if not open_:
        return mines, safe
    cell = open_ & -open_
    return placed(numbers, mines | cell, safe) or placed(numbers, mines, safe | cell)


def possible(system: System, chosen: int, mines: int, safe: int, *, budget: int) -> bool:
    """Return whether a placement that begins as given satisfies the constraints of the mask ``chosen``.

    Raises TooLargeError if one component of them has more states than ``budget``.
    """
    numbers = system.said_by(chosen & system.numbers)
    begun = prove(numbers, 1, Settled(safe, mines))
    if begun is None:
        return False
    safe, mines = begun
    counts, open_ = 1, system.unknown & ~(mines | safe)
    for part in components(system, Known(mines, safe), chosen & system.numbers):
        counts, open_ = sums(counts, attainable(part, budget)), open_ & ~part.cells
        if not counts:
            return False
    if not chosen & system.total:
        return True
    rest = system.needs[-1] - (mines & system.unknown).bit_count()
    return any(0 <= rest - count <= open_.bit_count() for count in bits(counts))


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
        ordered = sorted(bits(chosen), key=self._distance)
        return mask_with(minimal(ordered, lambda some: self.proven(mask_with(some)), sys.maxsize))

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
        touching = self.system.touching.get(self.place, 0)
        start = known.extended({}, turned) if self.mine else known.extended(turned, {})
        return propagate(self.system, start, touching | self.system.total).clash

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


def constraints_for(board: Board, index: int) -> tuple[Constraint, ...]:
    """Return constraints of ``board`` that suffice to prove cell ``index`` safe, from near it if they do.

    None of them can be left out, unless it takes too long to tell; then they are all that there are.
    """
    cell = Cell(*divmod(index, board.cols))
    for window in parts_around(board, cell):
        system, place = System.of(window.board), window.place(cell)
        assert place is not None
        if proof := Case(system, place, mine=False).from_around():
            return tuple(map(window.shifted, system.constraints(proof)))
    system = System.of(board)
    return system.constraints(system.everything)


def parts_around(board: Board, cell: Cell) -> Iterator[Window]:
    """Yield the parts of ``board`` in which a proof is looked for: all of it, if it is not large."""
    if board.states.size <= _LARGE:
        return iter([Window(board, Cell(0, 0))])
    return (window for window in windows(board, cell) if window.board.states.size > _LARGE)
