"""Why a cell is safe, from the numbers near it: as small a part of the board as proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from bot.board import Board, Cell, State
from bot.solver.clash import Shrinking
from bot.solver.constraints import System
from bot.solver.contradiction import contradict
from bot.solver.counting import Known, count
from bot.solver.decision import Constraint, Reason
from bot.solver.elements import elements, spared
from bot.solver.elimination import TooLargeError
from bot.solver.probability import BUDGET, fits, prove_parts, solve

_FIRST = 1  # how far away the numbers are that are tried at first
_GROWTH = 1.6
_PART = 20_000  # states for a part of the board; tens of milliseconds


@dataclass(frozen=True, eq=False)
class LazyProof(Sequence[Constraint]):
    """The constraints that prove a cell safe, by its place on the board; looked for when first read.

    ``among``, if not 0, is a mask of constraints by which elements prove it, perhaps more than it takes.
    """

    board: Board
    place: int
    reason: Reason
    among: int = 0

    @cached_property
    def _found(self) -> tuple[Constraint, ...]:
        if self.among:
            system = System.of(self.board)
            return system.constraints(spared(system, self.place, self.among))
        return constraints_for(self.board, self.place, self.reason)

    @overload
    def __getitem__(self, number: int) -> Constraint: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[Constraint, ...]: ...

    def __getitem__(self, number: int | slice) -> Constraint | tuple[Constraint, ...]:
        return self._found[number]

    def __iter__(self) -> Iterator[Constraint]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._found == tuple(other)

    def __hash__(self) -> int:
        return hash(self._found)


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


def constraints_for(board: Board, index: int, reason: Reason) -> tuple[Constraint, ...]:
    """Return constraints of ``board`` that suffice to prove cell ``index`` safe, by the stage ``reason``.

    To be called for a cell that this stage proves on the whole board.
    """
    cell = Cell(*divmod(index, board.cols))
    for window in windows(board, cell):
        system = System.of(window.board)
        inner = (cell.row - window.corner.row) * window.board.cols + cell.col - window.corner.col
        known = _known(system, inner, reason)
        if known.safe >> inner & 1:
            because = system.constraints(known.because[inner])
            if reason is Reason.PROBABILITY:
                because = _spared(system, inner, because)
            return tuple(map(window.shifted, because))
    return system.constraints(system.everything)


def _spared(system: System, index: int, because: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    """Return those of ``because`` that contradict a mine in cell ``index``: no more than it takes."""
    supposed = system.board.replace({system.cell(index): State.MINE})
    needed = Shrinking(supposed, fits).shrunk([constraint.source for constraint in because])
    return tuple(constraint for constraint in because if constraint.source in needed)


def _known(system: System, index: int, reason: Reason) -> Known:
    """Return what the stages up to ``reason`` prove, in the end about one cell alone."""
    known = count(system, Known())
    if reason is Reason.COUNTING or known.settled >> index & 1:
        return known
    if reason is Reason.ELEMENTS:
        return elements(system, known)
    known = contradict(system, known)
    if reason is Reason.CONTRADICTION or known.settled >> index & 1:
        return known
    if not system.total_known:
        return prove_parts(system, known, _PART)
    try:
        return solve(system, known, BUDGET).known
    except TooLargeError:
        return prove_parts(system, known, _PART)
