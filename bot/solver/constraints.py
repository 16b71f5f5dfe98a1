"""A position as sets of cells and counts of mines: all that the stages of the solver look at.

A set of cells is a mask, an int whose bit ``i`` stands for cell ``i`` (row by row); a set of constraints
is a mask too, whose bit ``i`` stands for constraint ``i``. Intersection, union and size of such sets are
single operations of the interpreter, which is what makes plain Python quick enough here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bot.board import SHOWN_MINES, Board, Cell, State, neighbours
from bot.solver.decision import Constraint

UNKNOWN = (State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE)
OPENABLE = (State.COVERED, State.QUESTION)


def bits(mask: int) -> Iterator[int]:
    """Iterate over the positions of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(maxsize=8)
def neighbour_masks(rows: int, cols: int) -> tuple[int, ...]:
    """Return for each cell of a board, row by row, the mask of the cells that touch it."""
    return tuple(
        sum(1 << other.row * cols + other.col for other in neighbours(rows, cols, Cell(row, col)))
        for row in range(rows)
        for col in range(cols)
    )


@dataclass(frozen=True, slots=True)
class System:
    """The unknown cells of a position and everything that is said about them.

    Unknown are covered, flagged, question-marked and unreadable cells: a flag is somebody's opinion, and
    may be wrong. Shown mines are taken off the counts; wrong flags are cells without a mine.
    Constraint ``i`` says that ``needs[i]`` of the cells in ``masks[i]`` are mines. The last one is the mine
    total, if ``total_known``; the others belong to the opened numbers at ``sources``.
    """

    board: Board
    unknown: int
    openable: int
    flagged: int
    shown_mines: int
    masks: tuple[int, ...]
    needs: tuple[int, ...]
    sources: tuple[Cell | None, ...]
    total_known: bool
    touching: dict[int, int]  # unknown cell -> the constraints of numbers that hold it

    @classmethod
    def of(cls, board: Board) -> System:
        """Return what ``board`` says about its unknown cells."""
        unknown, shown = _mask(board, *UNKNOWN), _mask(board, *SHOWN_MINES)
        said = list(_numbers(board, unknown, shown))
        touching = _touching([mask for mask, _, _ in said])
        if board.mines is not None:
            said.append((unknown, board.mines - shown.bit_count(), None))
        return cls(
            board=board,
            unknown=unknown,
            openable=_mask(board, *OPENABLE),
            flagged=_mask(board, State.FLAG),
            shown_mines=shown,
            masks=tuple(mask for mask, _, _ in said),
            needs=tuple(need for _, need, _ in said),
            sources=tuple(source for _, _, source in said),
            total_known=board.mines is not None,
            touching=touching,
        )

    @property
    def everything(self) -> int:
        """The mask of all constraints."""
        return (1 << len(self.masks)) - 1

    @property
    def total(self) -> int:
        """The mask that holds the mine total alone, 0 if it is unknown."""
        return 1 << len(self.masks) - 1 if self.total_known else 0

    @property
    def numbers(self) -> int:
        """The mask of the constraints that come from opened numbers."""
        return self.everything ^ self.total

    @property
    def around(self) -> tuple[int, ...]:
        """For each cell of the board the mask of the cells that its number counts."""
        return neighbour_masks(*self.board.shape)

    def cell(self, index: int) -> Cell:
        """Return the cell that bit ``index`` of a mask stands for."""
        return _cell(self.board, index)

    def cells(self, mask: int) -> list[Cell]:
        """Return the cells of a mask, row by row."""
        return [self.cell(index) for index in bits(mask)]

    def constraints(self, mask: int) -> tuple[Constraint, ...]:
        """Return the constraints of a mask in full."""
        return tuple(
            Constraint(frozenset(self.cells(self.masks[i])), self.needs[i], self.sources[i])
            for i in bits(mask)
        )

    def describe(self, mask: int, most: int = 6) -> str:
        """Return the constraints of a mask in words, at most ``most`` of them one by one."""
        chosen = list(bits(mask))
        words = [self._words(i) for i in chosen[:most]]
        if len(chosen) > most:
            words.append(f"{len(chosen) - most} more")
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def _words(self, index: int) -> str:
        source = self.sources[index]
        if source is None:
            return f"the total of {self.board.mines} mine{'s' * (self.board.mines != 1)}"
        return f"the {self.board[source]} at row {source.row}, column {source.col}"


def _cell(board: Board, index: int) -> Cell:
    return Cell(*divmod(index, board.cols))


def _mask(board: Board, *states: int) -> int:
    chosen = np.isin(board.states, states).ravel()
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")


def _numbers(board: Board, unknown: int, shown: int) -> Iterator[tuple[int, int, Cell | None]]:
    """Iterate over what the opened numbers say: cells, mines among them, and where the number is.

    A number with nothing unknown around it says nothing, unless it is wrong.
    """
    around = neighbour_masks(*board.shape)
    for index, state in enumerate(board.states.ravel().tolist()):
        if state <= 8:
            mask, need = around[index] & unknown, state - (around[index] & shown).bit_count()
            if mask or need:
                yield mask, need, _cell(board, index)


def _touching(masks: list[int]) -> dict[int, int]:
    touching: dict[int, int] = {}
    for number, mask in enumerate(masks):
        for cell in bits(mask):
            touching[cell] = touching.get(cell, 0) | 1 << number
    return touching
