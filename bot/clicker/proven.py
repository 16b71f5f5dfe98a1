"""What is proven of a board, and what clicks on it may open.

An opening spreads over zeros alone, so clicks open no more than what lies around the cells that may be zeros.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.board import (
    NOT_OPEN,
    SHOWN_MINES,
    Board,
    Cell,
    State,
    States,
    cells_where,
    connected,
    is_one_of,
    neighbours,
)
from bot.rules import NO_NUMBER, neighbour_sum
from bot.solver.decision import Action, Decision

_NEAR_ONE = 8  # cells that may all be near another one


@dataclass(frozen=True)
class Proven:
    """The cells of ``board`` that are proven: ``safe`` ones that a click opens, and ``mines``.

    Numbers of ``board`` that are not sure are to be unreadable, and so are flags. What is unreadable counts
    as closed.
    """

    board: Board
    safe: frozenset[Cell]
    mines: Set[Cell]

    @classmethod
    def by(cls, decision: Decision, board: Board) -> Proven:
        """Return what a decision on ``board`` has proven: of a guess, only mines."""
        moves = (move for move in decision.moves if move.action is Action.OPEN and move.risk == 0)
        return cls(board, frozenset(move.cell for move in moves), frozenset(decision.mines))

    def closed_around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell that are not open."""
        return [other for other in self.board.neighbours(cell) if self.board[other] in NOT_OPEN]

    @cached_property
    def closed(self) -> frozenset[Cell]:
        """The cells that are not open and not proven to be mines."""
        return frozenset(self.board.cells(*NOT_OPEN)) - self.mines

    @cached_property
    def zeros(self) -> frozenset[Cell]:
        """The safe cells that are proven to be zeros: each opens all around it."""
        return frozenset(cell for cell in self.safe if self.safe.issuperset(self.closed_around(cell)))

    @cached_property
    def openings(self) -> list[list[Cell]]:
        """The proven zeros that touch one another, together: a click on one of them opens all."""
        return list(connected(sorted(self.zeros), self.zeros, *self.board.shape))

    @cached_property
    def borders(self) -> frozenset[Cell]:
        """The safe cells that proven zeros open."""
        around = (other for zero in self.zeros for other in self.board.neighbours(zero))
        return frozenset(cell for cell in around if cell in self.safe and cell not in self.zeros)

    @cached_property
    def beside_no_mine(self) -> frozenset[Cell]:
        """The closed cells that touch no proven mine."""
        beside = neighbour_sum(self._mined) > 0
        return frozenset(cell for cell in self.closed if not beside[cell])

    @cached_property
    def maybe_zeros(self) -> frozenset[Cell]:
        """The closed cells that may be zeros, as far as is proven.

        None of them touches a proven mine, nor all that is left of the cells among which a number has more
        mines.
        """
        found = set(self.beside_no_mine)
        rows, cols = self.board.shape
        numbers = cells_where((self._missing > 0) & (self._missing < NO_NUMBER))
        places = [self.closed.intersection(neighbours(rows, cols, cell)) for cell in numbers]
        if self._mines_left and len(self.closed) <= _NEAR_ONE:
            places.append(self.closed)
        for cells in places:
            if cells:
                found -= found.intersection(*((cell, *neighbours(rows, cols, cell)) for cell in cells))
        return frozenset(found)

    def apart(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return those of the ``cells``, taken in turn, that no opening at an earlier one can open.

        All of them are among `beside_no_mine`.
        """
        return [part[0] for part in connected(cells, self.beside_no_mine, *self.board.shape)]

    def reach(self, cells: Collection[Cell]) -> set[Cell]:
        """Return what clicks that open ``cells`` may open, however the board may be."""
        rows, cols = self.board.shape
        reached, zeros = set(cells), list(self.maybe_zeros.intersection(cells))
        while zeros:
            for near in neighbours(rows, cols, zeros.pop()):
                if near in self.closed and near not in reached:
                    reached.add(near)
                    if near in self.maybe_zeros:
                        zeros.append(near)
        return reached

    def may_win(self, opened: Set[Cell]) -> bool:
        """Return whether the game may be won when no more than ``opened`` has been opened.

        It is not if more cells stay closed than can be mines, of all or of those around one number. What
        cannot be read may be open.
        """
        left = [cell for cell in self.closed - opened if self.board[cell] != State.UNREADABLE]
        if self._mines_left is not None and len(left) > self._mines_left:
            return False
        return not np.any(neighbour_sum(self._mask(left)) > self._missing)

    def _mask(self, cells: Iterable[Cell]) -> npt.NDArray[np.bool_]:
        mask = np.zeros(self.board.shape, np.bool_)
        for cell in cells:
            mask[cell] = True
        return mask

    @cached_property
    def _mined(self) -> npt.NDArray[np.bool_]:
        return self._mask(self.mines) | is_one_of(*SHOWN_MINES)[self.board.states]

    @cached_property
    def _missing(self) -> States:
        """How many mines, besides the proven ones, each number has; more than any where none stands."""
        states = self.board.states
        return np.where(states <= 8, states - neighbour_sum(self._mined), NO_NUMBER)

    @cached_property
    def _mines_left(self) -> int | None:
        return None if self.board.mines is None else self.board.mines - int(self._mined.sum())
