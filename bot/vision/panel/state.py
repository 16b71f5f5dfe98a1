"""What counter and cells say together: the total of mines, and how far the game is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.board import Board, State, States, count_states, is_one_of
from bot.rules import Bounds
from bot.vision.reading import GameState, Reading


def total_mines(states: States, mines_left: int | None) -> int | None:
    """Return the total of mines: what the counter shows and the flags, wrong ones too; None if it is unread.

    A flag that cannot be read would be missing in the sum: then the total is unknown as well.
    """
    if mines_left is None or count_states(states, State.UNREADABLE):
        return None
    total = mines_left + count_states(states, State.FLAG, State.WRONG_FLAG)
    return total if 0 < total <= states.size else None


def with_total(reading: Reading, mines: int | None) -> Reading:
    """Return the reading with that total of mines if its own is unknown, and the state that follows."""
    if mines is None or reading.board.mines is not None:
        return reading
    board = Board(reading.board.states, mines)
    return replace(reading, board=board, state=game_state(board))


def game_state(board: Board) -> GameState:
    """Return how far the game on ``board`` is.

    It is won when all cells that are not opened are mines. Where the total is unknown, flags on all of them
    may tell, or the numbers: each cell that is not opened has one beside it that needs them all.
    """
    if board.count(State.MINE, State.EXPLODED, State.WRONG_FLAG):
        return GameState.LOST
    unflagged = board.count(State.COVERED, State.QUESTION)
    closed = unflagged + board.count(State.FLAG)
    unreadable = board.count(State.UNREADABLE)
    if closed + unreadable == board.states.size:
        return GameState.NEW
    if unreadable:
        return GameState.RUNNING
    won = closed == board.mines if board.mines is not None else not unflagged or _all_mines(board)
    return GameState.WON if won else GameState.RUNNING


def _all_mines(board: Board) -> bool:
    """Return whether the numbers, each by itself, prove that every cell that is not opened is a mine."""
    closed = is_one_of(State.FLAG, State.COVERED, State.QUESTION)[board.states]
    bounds = Bounds.of(board.states, np.zeros(board.shape, np.bool_), closed)
    return bool((bounds.mines == closed).all())
