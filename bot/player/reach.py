"""What openings may uncover, and whether a burst of clicks may end the game before its last one.

Sets of cells are masks, as in `bot.solver.constraints`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bot.board import Cell, State
from bot.player.proven import Proven
from bot.solver.constraints import System, bits, mask_of, mask_with


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
        zeros, spread = opened & self._maybe_zeros, 0
        while zeros & ~spread:
            spread |= self._patch(zeros & ~spread)
        return opened | (self._near(spread) & self._closed)

    def may_be_zero(self, cells: Iterable[Cell]) -> bool:
        """Return whether one of ``cells`` may be a zero."""
        return bool(self.mask(cells) & self._maybe_zeros)

    def may_win(self, opened: int) -> bool:
        """Return whether the game may be won when no more than ``opened`` has been opened.

        It is not if more cells stay closed than can be mines, of all or of those around one number. What
        cannot be read may be open.
        """
        left = self._closed & ~opened & ~self._unreadable
        return all((cells & left).bit_count() <= mines for cells, mines in self._counts)

    def _patch(self, zeros: int) -> int:
        """Return the cells that may be zeros and are connected with the first of ``zeros``."""
        patch, grown = 0, zeros & -zeros
        while grown != patch:
            patch, grown = grown, self._near(grown) & self._maybe_zeros
        return patch

    @cached_property
    def _system(self) -> System:
        return System.of(self.proven.board)

    @cached_property
    def _mines(self) -> int:
        return self.mask(self.proven.mines)

    @cached_property
    def _closed(self) -> int:
        return self._system.unknown & ~self._mines

    @cached_property
    def _unreadable(self) -> int:
        return mask_of(self.proven.board.states == State.UNREADABLE)

    @cached_property
    def _counts(self) -> tuple[tuple[int, int], ...]:
        """How many mines, besides the proven ones, each number has in which cells; and the whole board."""
        mines = self._mines
        return tuple(
            (one.mask & ~mines, one.need - (one.mask & mines).bit_count()) for one in self._system.said
        )

    @cached_property
    def _maybe_zeros(self) -> int:
        touching = self._near(self._mines)
        for cells, mines in self._counts:
            if mines > 0 and cells.bit_count() <= 8:
                touching |= self._near_all(cells)
        return self._closed & ~touching

    def _near_all(self, cells: int) -> int:
        """Return the cells to each of which all of ``cells`` are near."""
        common = self._system.unknown
        for index in bits(cells):
            common &= self._near(1 << index)
        return common

    def _near(self, mask: int) -> int:
        """Return the cells of a mask and their neighbours."""
        cols = self.proven.board.cols
        left, right, everywhere = _edges(*self.proven.board.shape)
        wide = mask | (mask & ~right) << 1 | (mask & ~left) >> 1
        return (wide | wide << cols | wide >> cols) & everywhere

    def mask(self, cells: Iterable[Cell]) -> int:
        """Return the mask of ``cells``."""
        cols = self.proven.board.cols
        return mask_with(row * cols + col for row, col in cells)


@lru_cache(maxsize=8)
def _edges(rows: int, cols: int) -> tuple[int, int, int]:
    """Return the first column of a board, the last one, and all of it."""
    left = sum(1 << row * cols for row in range(rows))
    return left, left << cols - 1, (1 << rows * cols) - 1
