"""A position as constraints on sets of cells: the input of all stages of the solver.

A set of cells is a mask: an int whose bit ``i`` represents cell ``i``, counted row by row. A set of
constraints is a mask as well; its bit ``i`` represents constraint ``i``. Plain Python is fast enough here
because the intersection, union and size of such sets take one operation of the interpreter each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.board import NOT_OPEN, SHOWN_MINES, Board, Cell, State, is_one_of
from bot.counting_rules import neighbour_sum
from bot.solver.decision import Constraint

OPENABLE = (State.COVERED, State.QUESTION)
_KINDS = (NOT_OPEN, OPENABLE, (State.FLAG,), (*OPENABLE, State.FLAG), tuple(SHOWN_MINES))
_MANY = 24  # set bits; numpy finds more than these faster than a loop does


def bits(mask: int) -> Iterator[int]:
    """Iterate over the positions of the set bits of ``mask``, lowest first."""
    if mask.bit_count() > _MANY:
        octets = np.frombuffer(mask.to_bytes((mask.bit_length() + 7) // 8, "little"), np.uint8)
        yield from np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()
        return
    place = 0
    while mask:
        low = (mask & -mask).bit_length()
        place += low
        yield place - 1
        mask >>= low  # if the cells are neighbours, the mask is soon short, even on a large board


def mask_with(places: Iterable[int]) -> int:
    """Return the mask whose bits at ``places`` are set: the inverse of `bits`."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def mask_of(chosen: npt.NDArray[np.bool_]) -> int:
    """Return the mask of the cells at which the array ``chosen``, (rows, cols), is True."""
    return int.from_bytes(np.packbits(chosen.ravel(), bitorder="little").tobytes(), "little")


def array_of(mask: int, rows: int, cols: int) -> npt.NDArray[np.bool_]:
    """Return the bool array (rows, cols) that is True at the cells of ``mask``: the inverse of `mask_of`."""
    octets = np.frombuffer(mask.to_bytes((rows * cols + 7) // 8, "little"), np.uint8)
    chosen = np.unpackbits(octets, count=rows * cols, bitorder="little")
    return chosen.reshape(rows, cols).view(np.bool_)


@lru_cache(maxsize=8)
def cells_of(rows: int, cols: int) -> tuple[Cell, ...]:
    """Return the cells of a board, row by row: index ``i`` holds the cell of bit ``i`` of a mask."""
    return tuple(Cell(row, col) for row in range(rows) for col in range(cols))


class MaskConstraint(NamedTuple):
    """A constraint: exactly ``need`` of the cells in ``mask`` are mines; ``source`` as in `Constraint`."""

    mask: int
    need: int
    source: Cell | None


@dataclass(frozen=True)
class System:
    """The unknown cells of a position, and the constraints on them.

    The masks ``unknown`` (covered, flagged, question-marked and unreadable cells), ``openable``, ``flagged``,
    ``playable`` (openable or flagged: a move can click them) and ``shown_mines`` hold cells. A flagged cell
    is unknown because a flag may be wrong. Shown mines are subtracted from the counts; a wrong flag is a cell
    without a mine. Constraint ``i`` says that ``needs[i]`` of the cells in ``masks[i]`` are mines. If
    ``total_known``, the last one is the mine total; the others come from the opened numbers. Constraints are
    computed on first use, because the kernel needs none.
    """

    board: Board
    unknown: int
    openable: int
    flagged: int
    playable: int
    shown_mines: int

    @classmethod
    def of(cls, board: Board) -> System:
        """Return the system of ``board``."""
        return cls(board, *(mask_of(is_one_of(*kind)[board.states]) for kind in _KINDS))

    @cached_property
    def mask_constraints(self) -> tuple[MaskConstraint, ...]:
        """All constraints; the mine total, if known, is the last one."""
        said = list(_number_constraints(self.board, self.unknown))
        if self.board.mines is not None:
            said.append(MaskConstraint(self.unknown, self.board.mines - self.shown_mines.bit_count(), None))
        return tuple(said)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The mask of the cells of each constraint."""
        return tuple(said.mask for said in self.mask_constraints)

    @cached_property
    def needs(self) -> tuple[int, ...]:
        """The number of mines in the cells of each constraint."""
        return tuple(said.need for said in self.mask_constraints)

    @cached_property
    def sources(self) -> tuple[Cell | None, ...]:
        """The cell of the opened number of each constraint, None for the mine total."""
        return tuple(said.source for said in self.mask_constraints)

    @cached_property
    def touching(self) -> dict[int, int]:
        """The mask of the numbers' constraints that contain each frontier cell."""
        touching: dict[int, int] = {}
        for index, (mask, _, source) in enumerate(self.mask_constraints):
            while mask and source:  # as `bits` does, but faster for so few cells
                cell = (mask & -mask).bit_length() - 1
                mask ^= 1 << cell
                touching[cell] = touching.get(cell, 0) | 1 << index
        return touching

    @property
    def total_known(self) -> bool:
        """Whether the mine total is among the constraints."""
        return self.board.mines is not None

    @property
    def without_total(self) -> System:
        """The same constraints without the mine total."""
        return System.of(Board(self.board.states)) if self.total_known else self

    @property
    def everything(self) -> int:
        """The mask of all constraints."""
        return (1 << len(self.masks)) - 1

    @cached_property
    def total(self) -> int:
        """The mask of the mine total's constraint alone, 0 if the total is unknown."""
        return 1 << len(self.masks) - 1 if self.total_known else 0

    @property
    def numbers(self) -> int:
        """The mask of the constraints that come from opened numbers."""
        return self.everything ^ self.total

    def constraints_on(self, mask: int) -> int:
        """Return the mask of the numbers' constraints that contain a cell of ``mask``."""
        touching = 0
        for cell in bits(mask):
            touching |= self.touching.get(cell, 0)
        return touching

    def around(self, index: int) -> int:
        """Return the mask of all neighbours of cell ``index``."""
        rows, cols = self.board.shape
        return _near_mask([(1 << cols) - 1] * rows, cols, self.cell(index)) & ~(1 << index)

    def cell(self, index: int) -> Cell:
        """Return the cell that bit ``index`` of a mask stands for."""
        return cells_of(*self.board.shape)[index]

    def cells(self, mask: int) -> list[Cell]:
        """Return the cells in ``mask``, row by row."""
        cells = cells_of(*self.board.shape)
        return [cells[index] for index in bits(mask)]

    def constraints(self, mask: int) -> tuple[Constraint, ...]:
        """Return the constraints in ``mask`` as `Constraint` objects."""
        chosen = (self.mask_constraints[i] for i in bits(mask))
        return tuple(Constraint(frozenset(self.cells(mask)), need, source) for mask, need, source in chosen)


def _number_constraints(board: Board, unknown: int) -> Iterator[MaskConstraint]:
    """Iterate over the constraints of the opened numbers.

    A number without unknown neighbours is left out, unless it contradicts the mines shown around it.
    """
    left = neighbour_sum(is_one_of(*NOT_OPEN)[board.states])
    needs = board.states - neighbour_sum(is_one_of(*SHOWN_MINES)[board.states])
    speaking = np.flatnonzero((board.states <= 8) & ((left > 0) | (needs != 0)))
    cells, line = cells_of(*board.shape), (1 << board.cols) - 1
    rows = [unknown >> row * board.cols & line for row in range(board.rows)]
    for index, need in zip(speaking.tolist(), needs.ravel()[speaking].tolist(), strict=True):
        yield MaskConstraint(_near_mask(rows, board.cols, cells[index]), need, cells[index])


def _near_mask(rows: list[int], cols: int, cell: Cell) -> int:
    """Return the mask of ``cell`` and its neighbours, limited to a mask that is split into ``rows``."""
    first, left = max(0, cell.row - 1), max(0, cell.col - 1)
    wanted, near = 7 if cell.col else 3, 0
    for down, line in enumerate(rows[first : cell.row + 2]):
        near |= (line >> left & wanted) << down * cols
    return near << first * cols + left  # short ints are faster: the mask is shifted to its place at the end
