"""Boards drawn from the pictures of a skin, in a plain window and with a counter."""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell, FirstClick, State
from bot.game.simulation import Game
from bot.geometry import Pixels
from bot.vision.skin import Skin
from displays import draw_counter


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
        draw_counter(picture, skin.counter, x, y, x + board.cols * cell, mines_left)
    return picture, x, y
