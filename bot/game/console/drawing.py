"""A board as lines of text, with numbered rows and columns, each piece with the name of its style."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.board import CHARACTERS, Board, Cell, State, neighbours
from bot.game.simulation import mine_map


class Piece(NamedTuple):
    """A piece of a line. ``style`` says what it is: "number 3", "flag", "title"...; "" is plain."""

    text: str
    style: str = ""


Line = tuple[Piece, ...]

_STYLES = {
    State.COVERED: "covered",
    State.FLAG: "flag",
    State.QUESTION: "question mark",
    State.MINE: "mine",
    State.EXPLODED: "exploded",
    State.WRONG_FLAG: "wrong flag",
}


def draw(board: Board, marked: Collection[Cell] = ()) -> list[Line]:
    """Return the lines of a board; the cells of ``marked`` stand in brackets.

    A column is three characters wide, and as wide as its number needs on boards of more than 100.
    """
    width = max(3, len(str(board.cols - 1)) + 1)
    margin = len(str(board.rows - 1)) + 1
    heads = "".join(f"{col:>{width - 1}} " for col in range(board.cols))
    head = (Piece(" " * (margin + 1)), Piece(heads.rstrip(), "axis"))
    return [head, *(_row(board, row, marked, margin, width) for row in range(board.rows))]


def _row(board: Board, row: int, marked: Collection[Cell], margin: int, width: int) -> Line:
    pieces = [Piece(f"{row:>{margin}} ", "axis")]
    for col in range(board.cols):
        cell = Cell(row, col)
        left, right = (Piece("[", "hint"), Piece("]", "hint")) if cell in marked else (Piece(" "), Piece(" "))
        pieces += [Piece(" " * (width - 3)), left, _shown(board[cell]), right]
    return tuple(pieces)


def _shown(state: int) -> Piece:
    if state > 8:
        return Piece(CHARACTERS[state], _STYLES[State(state)])
    return Piece(str(state) if state else " ", f"number {state}")


def whole(board: Board) -> Board:
    """Return a finished board with the numbers of the cells that are not open, if its mines are known."""
    mines = mine_map(board)
    if mines is None:
        return board
    hidden = board.cells(State.COVERED, State.QUESTION)
    return board.replace({cell: State.MINE if mines[cell] else _number(mines, cell) for cell in hidden})


def _number(mines: npt.NDArray[np.bool_], cell: Cell) -> int:
    rows, cols = mines.shape
    return sum(bool(mines[near]) for near in neighbours(rows, cols, cell))
