"""What counter and cells say together: the total of mines, and how far the game is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.board import Board, State
from bot.vision.reading import GameState, Reading


def total_mines(states: npt.NDArray[np.int8], mines_left: int | None) -> int | None:
    """Return the total of mines: what the counter shows and the flags, wrong ones too; None if it is unread.

    A flag that cannot be read would be missing in the sum: then the total is unknown as well.
    """
    if mines_left is None or (states == State.UNREADABLE).any():
        return None
    total = mines_left + int(np.isin(states, (State.FLAG, State.WRONG_FLAG)).sum())
    return total if 0 < total <= states.size else None


def with_total(reading: Reading, mines: int | None) -> Reading:
    """Return the reading with that total of mines if its own is unknown, and the state that follows."""
    if mines is None or reading.board.mines is not None:
        return reading
    board = Board(reading.board.states, mines)
    return replace(reading, board=board, state=reading.panel.sign or game_state(board))


def game_state(board: Board) -> GameState:
    """Return how far the game on ``board`` is.

    It is won when all cells that are not opened are mines. Where the total is unknown, when every one of
    them has a flag.
    """
    if board.count(State.MINE, State.EXPLODED, State.WRONG_FLAG):
        return GameState.LOST
    flags, unflagged = board.count(State.FLAG), board.count(State.COVERED, State.QUESTION)
    unreadable = board.count(State.UNREADABLE)
    if flags + unflagged + unreadable == board.states.size:
        return GameState.NEW
    if unreadable:
        return GameState.RUNNING
    if board.mines is not None:
        return GameState.WON if flags + unflagged == board.mines else GameState.RUNNING
    return GameState.RUNNING if unflagged else GameState.WON
