"""Proofs: the numbers that show that a cell is safe, or a mine, as few as possible and near it.

A set of constraints proves a cell if no placement of mines satisfies it with the cell turned round: a mine
where it is safe. Larger and larger parts of the board around the cell are looked at, until all numbers of one
prove it; then whatever can be left out is left out. Whether still fewer would do is searched for by the
placements that satisfy too few constraints: of those that such a placement breaks, every set that proves the
cell holds one (implicit hitting sets: Ignatiev, Previti, Liffiton and Marques-Silva 2015, "Smallest MUS
extraction with minimal hitting set dualization").
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.board import Board, Cell, State
from bot.solver.conflict import minimal
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, propagate
from bot.solver.decision import Constraint
from bot.solver.exact import has_solution
from bot.solver.published.novitsky.pattern import Number, Settled, prove

_GROWTH = 1.6
_SEARCHED = 6  # numbers of a proof; so many or more are not searched for
_FAR = 2 * _SEARCHED - 3  # where proofs of fewer numbers end


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a board: ``corner`` is the cell of the whole at (0, 0) of ``board``.

    Numbers at its edge are left out, since some of the cells that they count are not in it, and so is the
    mine total, unless it is all of the board.
    """

    board: Board
    corner: Cell

    @classmethod
    def around(cls, board: Board, cell: Cell, reach: int) -> Window:
        """Return the part with the numbers at most ``reach`` away from ``cell``, and all that they count."""
        top, left = max(0, cell.row - reach - 1), max(0, cell.col - reach - 1)
        states = board.states[top : cell.row + reach + 2, left : cell.col + reach + 2].copy()
        if states.shape == board.shape:
            return cls(board, Cell(0, 0))
        whole = (top == 0, left == 0, top + len(states) == board.rows, left + len(states[0]) == board.cols)
        edges = (states[0], states[:, 0], states[-1], states[:, -1])
        for edge, is_whole in zip(edges, whole, strict=True):
            if not is_whole:
                edge[edge <= 8] = State.WRONG_FLAG  # a cell without a mine, and without a number
        return cls(Board(states), Cell(top, left))

    def outer(self, cell: Cell) -> Cell:
        """Return a cell of the window as one of the whole board."""
        return Cell(cell.row + self.corner.row, cell.col + self.corner.col)


def reaches(board: Board) -> Iterator[int]:
    """Yield how far the numbers of larger and larger windows are away; the last holds all of ``board``."""
    reach, largest = 1, max(board.shape)
    while reach < largest:
        yield reach
        reach = round(reach * _GROWTH + 0.5)
    yield largest


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


@dataclass(frozen=True, slots=True)
class Proof:
    """Constraints that prove that ``cell`` is safe, or a ``mine``, perhaps by counting alone (``counted``).

    None of them can be left out.
    """

    cell: Cell
    mine: bool
    constraints: tuple[Constraint, ...]
    counted: bool

    def __len__(self) -> int:
        return len(self.constraints)

    @property
    def cost(self) -> tuple[int, bool]:
        """What is less for a simpler proof."""
        return len(self), not self.counted


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
    """The question which constraints of the window around ``cell`` prove it (a ``mine``, or safe)."""

    board: Board
    cell: Cell
    reach: int
    mine: bool
    system: System = field(init=False)
    _window: Window = field(init=False)
    _bit: int = field(init=False)  # the cell in masks of the window
    _broken: list[int] = field(default_factory=list)  # sets of numbers that one placement breaks

    def __post_init__(self) -> None:
        self._window = Window.around(self.board, self.cell, self.reach)
        self.system = System.of(self._window.board)
        (row, col), corner = self.cell, self._window.corner
        self._bit = 1 << (row - corner.row) * self._window.board.cols + col - corner.col

    @property
    def _turned(self) -> Placement:
        """The cell turned round: a mine where it is to be proven safe."""
        return (0, self._bit) if self.mine else (self._bit, 0)

    def proof(self) -> Proof | None:
        """Return a proof by the numbers of the window, rather by near ones; None if they do not suffice.

        Numbers that prove the cell by counting alone are preferred. The mine total is left out if it
        can be, then numbers from far away. None as well where it takes too long to find out.
        """
        chosen = self.system.everything
        if not self.proven(chosen):
            return None
        if self._counted(chosen):
            chosen = self._needed(chosen, self._counted)
        return self._proof(self._needed(chosen, self.proven))

    def _needed(self, chosen: int, proves: Callable[[int], bool]) -> int:
        """Return constraints of a mask that still prove the cell, of which none can be left out."""
        ordered = sorted(bits(chosen), key=self._distance)
        return mask_with(minimal(ordered, lambda some: proves(mask_with(some)), sys.maxsize))

    def _counted(self, chosen: int) -> bool:
        """Return whether the constraints of a mask settle the cell by counting alone."""
        known = propagate(self.system, Known(), chosen, chosen)
        return bool((known.mines if self.mine else known.safe) & self._bit)

    def proven(self, chosen: int) -> bool:
        """Return whether the constraints of a mask prove the cell; False if that takes too long."""
        if chosen & self.system.total or chosen.bit_count() > _SEARCHED:
            return not has_solution(self.system, Known(*self._turned), chosen)
        return placed(self.system.said_by(chosen), *self._turned) is None

    def fewer(self, than: int, budget: SearchBudget) -> Proof | None:
        """Return a proof by fewer numbers than so many, the fewest that there are; None if none is found."""
        for size in range(1, min(than, _SEARCHED)):
            if chosen := self._within(0, size, budget):
                return self._proof(chosen)
        return None

    def _proof(self, chosen: int) -> Proof:
        outer = self._window.outer
        constraints = self.system.constraints(chosen)
        outside = tuple(
            Constraint(frozenset(map(outer, one.cells)), one.mines, one.source and outer(one.source))
            for one in constraints
        )
        return Proof(self.cell, self.mine, outside, self._counted(chosen))

    def _within(self, chosen: int, more: int, budget: SearchBudget) -> int:
        """Return ``chosen`` with at most so many ``more`` numbers that prove the cell together, or 0."""
        if budget.spent():
            return 0
        broken = next((broken for broken in self._broken if not broken & chosen), 0)
        if not broken:
            placement = placed(self.system.said_by(chosen), *self._turned)
            if placement is None:
                return chosen
            broken = self._breaks(chosen, placement) if more else 0
            self._broken += [broken] if more else []
        tries = (self._within(chosen | 1 << number, more - 1, budget) for number in bits(broken) if more)
        return next(filter(None, tries), 0)

    def _breaks(self, chosen: int, placement: Placement) -> int:
        """Return the numbers that a placement still breaks when it was extended to satisfy all that it can.

        The numbers are tried from the nearest on, each in the placement that the ones before have extended.
        """
        numbers, broken = self.system.said_by(chosen), 0
        for number in sorted(bits(self.system.numbers & ~chosen), key=self._distance):
            said = self.system.masks[number], self.system.needs[number]
            more = _extended(placement, numbers, said)
            if more is None:
                broken |= 1 << number
            else:
                placement = more
        return broken

    def _distance(self, number: int) -> int:
        """Return how far a number is from the cell: 1 if it touches it."""
        source = self.system.sources[number]
        if source is None:
            return sys.maxsize
        (row, col), (own_row, own_col) = self._window.outer(source), self.cell
        return max(abs(row - own_row), abs(col - own_col))


def _extended(placement: Placement, numbers: list[Number], number: Number) -> Placement | None:
    """Return a placement that satisfies one more number, which is added to ``numbers``; None if none does."""
    (mask, need), (mines, safe) = number, placement
    if not mask & ~(mines | safe):
        return placement if (mask & mines).bit_count() == need else None
    more = placed([*numbers, number], mines, safe)
    if more is not None:
        numbers.append(number)
    return more


def nearest(board: Board, cells: Sequence[Cell], *, mine: bool = False) -> list[Proof]:
    """Return proofs that some of ``cells`` are safe, or mines, by the nearest numbers; [] if none is found.

    None of the others has a simpler proof, since numbers that share cells are two apart at most. In larger
    windows a cell may have a simpler one, by counting alone. Far away the first proof is taken.
    """
    found = dict[Cell, Proof]()
    for reach in reaches(board):
        for cell in cells:
            before = found.get(cell)
            proof = None if before and before.counted else Case(board, cell, reach, mine).proof()
            if proof and (before is None or proof.cost < before.cost):
                found[cell] = proof
                if len(proof) == 1 or reach > _FAR or (reach > 1 and len(proof) == 2 and proof.counted):
                    return [*found.values()]
        if found and reach >= 2 * min(map(len, found.values())) - 1:
            break
    return [*found.values()]


def fewest(board: Board, proofs: Sequence[Proof], budget: SearchBudget) -> list[Proof]:
    """Return those of the proofs with the fewest constraints, or others that have fewer still."""
    ordered = sorted(proofs, key=len)
    least = len(ordered[0])
    for place, proof in enumerate(ordered):
        than = min(least, len(proof))
        case = Case(board, proof.cell, 2 * min(than, _SEARCHED) - 3, proof.mine)
        if fewer := case.fewer(than, budget):
            ordered[place], least = fewer, len(fewer)
    return [proof for proof in ordered if len(proof) == least]
