"""What openings may uncover, and whether a burst of clicks may end the game before its last one.

Sets of cells are masks, as in `bot.solver.constraints`, but each row has two cells more than the board, which
are never closed: what is moved past an edge lands there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_

import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Cell, State, States, is_one_of
from bot.player.proven import Proven
from bot.rules import neighbour_sum
from bot.solver.constraints import UNKNOWN, array_of, bits, mask_of, mask_with

_MOST = 8  # cells that may all be near another one
_NO_NUMBER = 9


@dataclass(frozen=True)
class Reach:
    """What may be opened besides the cells that are clicked, on a board of which something is ``proven``.

    An opening spreads over zeros alone. A cell is none if it touches a proven mine, or all that is left of
    the cells among which a number has more mines.
    """

    proven: Proven

    def of(self, cells: Iterable[Cell]) -> int:
        """Return what clicks that open ``cells`` may open, however the board may be."""
        opened = self.mask(cells)
        spread, grown = 0, opened & self._maybe_zeros
        while grown != spread:
            spread, grown = grown, self._near(grown) & self._maybe_zeros
        return opened | (self._near(spread) & self._closed)

    def may_be_zero(self, cells: Iterable[Cell]) -> bool:
        """Return whether one of ``cells`` may be a zero."""
        return bool(self.mask(cells) & self._maybe_zeros)

    def may_win(self, opened: int) -> bool:
        """Return whether the game may be won when no more than ``opened`` has been opened.

        It is not if more cells stay closed than can be mines, of all or of those around one number. What
        cannot be read may be open.
        """
        left = self._closed & ~opened & ~mask_of(self._states == State.UNREADABLE)
        if self._mines_left is not None and left.bit_count() > self._mines_left:
            return False
        return not np.any(neighbour_sum(array_of(left, *self._states.shape)) > self._missing)

    def mask(self, cells: Iterable[Cell]) -> int:
        """Return the mask of ``cells``."""
        return mask_with(row * self._width + col for row, col in cells)

    @cached_property
    def _width(self) -> int:
        return self.proven.board.cols + 2

    @cached_property
    def _states(self) -> States:
        """What the cells of a mask show, where proven mines are shown; no mine is beside the board."""
        board = self.proven.board
        states = np.full((board.rows, self._width), State.WRONG_FLAG, np.int8)
        states[:, : board.cols] = board.states
        mined = int(State.MINE)  # numpy takes twice as long to look into a member of an enum
        for mine in self.proven.mines:
            states[mine] = mined
        return states

    @cached_property
    def _closed(self) -> int:
        return mask_of(is_one_of(*UNKNOWN)[self._states])

    @cached_property
    def _mined(self) -> npt.NDArray[np.bool_]:
        return is_one_of(*SHOWN_MINES)[self._states]

    @cached_property
    def _missing(self) -> States:
        """How many mines, besides the proven ones, each number has; more than any where none stands."""
        return np.where(self._states <= 8, self._states - neighbour_sum(self._mined), np.int8(_NO_NUMBER))

    @cached_property
    def _mines_left(self) -> int | None:
        total = self.proven.board.mines
        return None if total is None else total - int(self._mined.sum())

    @cached_property
    def _maybe_zeros(self) -> int:
        need = (self._missing > 0) & (self._missing < _NO_NUMBER)
        touching = self._near(mask_of(self._mined)) | self._near_all_around(mask_of(need))
        if self._mines_left and self._closed.bit_count() <= _MOST:
            touching |= reduce(and_, (self._near(1 << index) for index in bits(self._closed)), self._closed)
        return self._closed & ~touching

    def _near_all_around(self, numbers: int) -> int:
        """Return the cells that are near all closed cells around one of ``numbers``.

        For each way from a number to a cell these are the numbers which have no closed cell in the rows and
        columns that are not near then.
        """
        across, down = _and_beside(self._closed, 1), _and_beside(self._closed, self._width)
        above, below, before, after = across << self._width, across >> self._width, down << 1, down >> 1
        found = 0
        for row, closed in enumerate((across | below, below, 0, above, above | across)):
            for col, beside in enumerate((down | after, after, 0, before, before | down)):
                found |= (numbers & ~(closed | beside)) << row * self._width + col
        return found >> 2 * self._width + 2

    def _near(self, mask: int) -> int:
        """Return the cells of a mask and their neighbours."""
        return _and_beside(_and_beside(mask, 1), self._width)


def _and_beside(mask: int, step: int) -> int:
    """Return the cells of a mask, and those that are one ``step`` before or after them."""
    return mask | mask << step | mask >> step
