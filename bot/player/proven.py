"""What is proven of the closed cells of a board, and what follows for openings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from bot.board import Board, Cell, State
from bot.solver.decision import Action, Decision

_CLOSED = frozenset({State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE})


@dataclass(frozen=True)
class Proven:
    """The cells of ``board`` that are proven: ``safe`` ones that a click opens, and ``mines``.

    Numbers of ``board`` that are not sure are to be unreadable, and so are flags.
    """

    board: Board
    safe: frozenset[Cell]
    mines: Set[Cell]

    @classmethod
    def by(cls, decision: Decision, board: Board) -> Proven:
        """Return what a decision on ``board`` has proven: of a guess, only mines."""
        moves = (move for move in decision.moves if move.action is Action.OPEN and move.risk == 0)
        return cls(board, frozenset(move.cell for move in moves), frozenset(decision.mines))

    def is_closed(self, cell: Cell) -> bool:
        """Return whether a cell is not open; what cannot be read is taken to be closed."""
        return self.board[cell] in _CLOSED

    def closed_around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell that are not open."""
        return [other for other in self.board.neighbours(cell) if self.is_closed(other)]

    def touches_mine(self, cell: Cell) -> bool:
        """Return whether a neighbour of a cell is a proven mine, so that the cell cannot be a zero."""
        return any(other in self.mines for other in self.board.neighbours(cell))

    @cached_property
    def closed(self) -> frozenset[Cell]:
        """The cells that are not open and not proven to be mines."""
        return frozenset(self.board.cells(*_CLOSED)) - self.mines

    @cached_property
    def zeros(self) -> frozenset[Cell]:
        """The safe cells that are proven to be zeros: each opens all around it."""
        return frozenset(cell for cell in self.safe if self.safe.issuperset(self.closed_around(cell)))

    @cached_property
    def openings(self) -> list[list[Cell]]:
        """The proven zeros that touch one another, together: a click on one of them opens all."""
        return list(_connected(sorted(self.zeros), self.board, self.zeros))

    @cached_property
    def borders(self) -> frozenset[Cell]:
        """The safe cells that proven zeros open."""
        around = (other for zero in self.zeros for other in self.board.neighbours(zero))
        return frozenset(cell for cell in around if cell in self.safe and cell not in self.zeros)

    @cached_property
    def maybe_zeros(self) -> frozenset[Cell]:
        """The closed cells that may be zeros, as far as is proven."""
        return frozenset(cell for cell in self.closed if not self.touches_mine(cell))

    def apart(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return those of the ``cells``, taken in turn, that no opening at an earlier one can open.

        All of them may be zeros.
        """
        return [part[0] for part in _connected(cells, self.board, self.maybe_zeros)]


def _connected(cells: Iterable[Cell], board: Board, among: Collection[Cell]) -> Iterator[list[Cell]]:
    """Iterate over the parts of ``among`` that are connected, each from the first of ``cells`` in it."""
    seen = set[Cell]()
    for start in cells:
        if start not in seen:
            seen.add(start)
            part = [start]
            for cell in part:
                near = [other for other in board.neighbours(cell) if other in among and other not in seen]
                seen.update(near)
                part += near
            yield part
