"""Which moves of a decision may be sent in one go."""

from __future__ import annotations

from collections.abc import Set

from bot.board import Board, Cell, State
from bot.solver.decision import Action, Decision, Move


def burst(decision: Decision, board: Board) -> tuple[Move, ...]:
    """Return the moves that can be sent without looking in between.

    All of them, unless one before the last could already win the game: a click after the win lands in the
    dialog that follows it. Only a zero can do that, by opening cells that were still to be clicked. Then the
    cells that cannot be zeros go first, and after them one at a time.
    """
    opening = [move for move in decision.moves if move.action is Action.OPEN]
    maybe_zero = [move for move in opening if not _touches(board, move.cell, decision.mines)]
    if len(decision.moves) < 2 or not maybe_zero or not _may_win(board, decision, opening, maybe_zero):
        return decision.moves
    certain = tuple(move for move in decision.moves if move not in maybe_zero)
    return certain or (maybe_zero[0],)


def _touches(board: Board, cell: Cell, mines: Set[Cell]) -> bool:
    return any(neighbour in mines for neighbour in board.neighbours(cell))


def _may_win(board: Board, decision: Decision, opening: list[Move], maybe_zero: list[Move]) -> bool:
    """Return whether these moves could open every cell without a mine, however the board may be."""
    closed = set(board.cells(State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE)) - decision.mines
    reached = {move.cell for move in opening}
    waiting = [move.cell for move in maybe_zero]
    while waiting:
        for cell in board.neighbours(waiting.pop()):
            if cell in closed and cell not in reached:
                reached.add(cell)
                if not _touches(board, cell, decision.mines):
                    waiting.append(cell)
    hidden_mines = 0 if board.mines is None else max(0, board.mines - len(decision.mines))
    return len(closed - reached) <= hidden_mines
