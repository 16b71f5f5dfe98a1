"""Boards drawn from the pictures of a skin, in a plain window and with a counter."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.geometry import Pixels
from bot.vision.skin import Skin

_SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "-": "g",
}
_BOXES = {  # left, top, right, bottom of each segment in a digit of 13 x 23 pixels
    "a": (3, 1, 9, 3),
    "b": (9, 3, 11, 9),
    "c": (9, 13, 11, 19),
    "d": (3, 19, 9, 21),
    "e": (1, 13, 3, 19),
    "f": (1, 3, 3, 9),
    "g": (3, 10, 9, 12),
}


def played(rows: int, cols: int, seed: int, opened: float = 0.5, lost: bool = False) -> Board:
    """Return a position of a game: a part of its free cells opened, some flags and question marks set."""
    game = Game(rows, cols, rows * cols // 6, seed, FirstClick.OPENING)
    game.open(Cell(rows // 2, cols // 2))
    rng = np.random.default_rng(seed)
    mines = game.mines or frozenset()
    covered = game.board.cells(State.COVERED)
    order = [covered[index] for index in rng.permutation(len(covered))]
    for cell in order[: len(order) // 8]:
        game.flag(cell)
    for cell in order[: round(opened * len(order))]:
        if cell not in mines:
            game.open(cell)
    if lost:
        game.open(next(cell for cell in order[::-1] if cell in mines))
    marked = dict.fromkeys(game.board.cells(State.COVERED)[::7], State.QUESTION)
    return game.board if game.over else game.board.replace(marked)


def draw_board(skin: Skin, board: Board, mines_left: int | None = None) -> tuple[Pixels, int, int]:
    """Return a picture of ``board`` in a grey window, and x and y of its top left cell."""
    x, y, cell = 12, 55, skin.cell
    ground = skin.ground or (0, 0, 0)
    picture = np.full((y + board.rows * cell + 12, x + board.cols * cell + 12, 3), ground, np.uint8)
    if skin.ground != (0, 0, 0):
        picture[y - 3 : -9, x - 3 : -9] = 255
        picture[y - 3 : -12, x - 3 : -12] = 128
    for place in board:
        top, left = y + cell * place.row, x + cell * place.col
        picture[top : top + cell, left : left + cell] = skin.template(board[place])
    if mines_left is not None and skin.counter is not None:
        edge = x + board.cols * cell if skin.counter.right else x
        _draw_counter(picture, skin, edge + int(skin.counter.x), y + int(skin.counter.y), mines_left)
    return picture, x, y


def _draw_counter(picture: Pixels, skin: Skin, x: int, y: int, number: int) -> None:
    assert skin.counter is not None
    for digit in f"{number:03d}":
        cv2.rectangle(picture, (x, y), (x + 12, y + 22), (0, 0, 0), -1)
        for segment in _SEGMENTS[digit]:
            left, top, right, bottom = _BOXES[segment]
            cv2.rectangle(picture, (x + left, y + top), (x + right, y + bottom), skin.counter.lit, -1)
        x += int(skin.counter.step)
