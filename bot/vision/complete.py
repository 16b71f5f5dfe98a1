"""A board that its skin reads in part, completed by what is read of it at first sight.

A skin may lack states, or be made for art that is much like this. Where both ways of reading agree on every
cell that both can read, either may tell what the other cannot.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.board import Board, State
from bot.geometry import Grid
from bot.vision.panel import game_state, total_mines
from bot.vision.reading import Reading

_NEAR = 0.25  # of a cell: two grids that are as near are one
_FITS = 0.9  # of the cells are read by a skin: then the board is taken for one of its art
_BOTH = 0.5  # of the cells must be read both ways


def completed(known: Reading, sight: Reading, partial: bool) -> Reading | None:
    """Return what ``known``, read by a skin, and ``sight``, read at first sight, say together.

    None if they are not of one board, or contradict each other. The reading is of the skin if that lacks
    states (``partial``) or can read most cells; else the art is another, and ``sight`` is returned. So it is
    where ``known`` is but a part of a larger board that was read without a doubt.
    """
    if not _same_board(known.grid, sight.grid):
        return sight if _is_part(known, sight) else None
    own, other = known.board.states, sight.board.states
    read, read_too = own != State.UNREADABLE, other != State.UNREADABLE
    both = read & read_too
    if both.mean() < _BOTH or (own[both] != other[both]).any():
        return None
    if not partial and read.mean() < _FITS and not (read & ~read_too).any():
        return sight
    states = np.where(read, own, other)
    board = Board(states, total_mines(states, known.panel.mines_left))
    doubts = {cell: doubt for cell, doubt in known.doubts.items() if board[cell] == State.UNREADABLE}
    confidence = np.where(read, known.confidence, sight.confidence).astype(np.float32)
    return replace(known, board=board, state=game_state(board), confidence=confidence, doubts=doubts)


def _same_board(one: Grid, other: Grid) -> bool:
    apart = max(abs(one.x - other.x) / one.pitch_x, abs(one.y - other.y) / one.pitch_y)
    return (one.rows, one.cols) == (other.rows, other.cols) and apart <= _NEAR


def _is_part(known: Reading, sight: Reading) -> bool:
    """Return whether each cell of ``known`` that was read shows the same on the larger board of ``sight``."""
    if sight.unreadable or known.board.states.size >= sight.board.states.size:
        return False
    cells = [cell for cell in known.board if known.board[cell] != State.UNREADABLE]
    places = [sight.grid.cell_at(*known.grid.centre(cell)) for cell in cells]
    return len(set(places)) == len(cells) and all(
        place is not None and sight.board[place] == known.board[cell]
        for cell, place in zip(cells, places, strict=True)
    )
