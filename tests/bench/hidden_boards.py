"""Boards of which a part cannot be seen: cut off by the picture's edge, or under another window."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from art import damaged, random_states, random_style
from art import draw_board as draw_art
from boardless import desktop, paste, window
from boardless.sheet import Generator
from bot.board import Board
from bot.geometry import Grid, Pixels
from bot.vision.skin import Skin
from drawn_boards import draw_board, played

SIZES = ((8, 8), (9, 9), (16, 16), (16, 30), (14, 22))
MINES = {(8, 8): 10, (9, 9): 10, (16, 16): 40, (16, 30): 99, (14, 22): 50}
CUTS = ("top", "bottom", "left", "right")
COVERS = ("inner", "corner", "side")
KINDS = (*(f"cut {side}" for side in CUTS), *(f"window {cover}" for cover in COVERS))
HEIGHT, WIDTH = 720, 1280


@dataclass(frozen=True, slots=True, eq=False)
class HiddenBoard:
    """A picture with one board, what hides a part of it, and where the whole board is."""

    kind: str
    pixels: Pixels
    grid: Grid
    board: Board


def hidden_board(kind: str, seed: int, skin: Skin | None) -> HiddenBoard:
    """Return a desktop with a board of ``skin``, or in art that nobody has seen, a part of it hidden."""
    rng = np.random.default_rng(seed)
    shape = SIZES[int(rng.integers(len(SIZES)))]
    picture, grid, board = _unknown(rng, shape) if skin is None else _known(rng, shape, skin)
    pixels = desktop(rng, (WIDTH, HEIGHT), windows=int(rng.integers(3)))
    x, y = (
        int(rng.integers(0, room - size)) for room, size in zip((WIDTH, HEIGHT), _size(picture), strict=True)
    )
    paste(pixels, picture, x, y)
    grid = grid.moved(x, y)
    word, how = kind.split()
    if word == "cut":
        return _cut(rng, kind, how, pixels, grid, board)
    _cover(rng, how, pixels, grid)
    return HiddenBoard(kind, pixels, grid, board)


def _size(picture: Pixels) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]


def _known(rng: Generator, shape: tuple[int, int], skin: Skin) -> tuple[Pixels, Grid, Board]:
    board = played(*shape, int(rng.integers(1 << 30)), float(rng.choice([0.1, 0.5, 0.8])))
    picture, x, y = draw_board(skin, board, MINES[shape] - board.count(10))
    return picture, Grid(x, y, skin.cell, skin.cell, *shape), board


def _unknown(rng: Generator, shape: tuple[int, int]) -> tuple[Pixels, Grid, Board]:
    style = random_style(rng, True)
    states = random_states(rng, *shape, 0.17, float(rng.choice([0.1, 0.3, 0.5, 0.8])))
    board = draw_art(style, states, float(rng.choice([16.0, 18.0, 20.0, 24.0])))
    height, width = board.shape[:2]
    picture = np.full((height + 60, width + 30, 3), rng.integers(60, 230, 3), np.uint8)
    picture[45 : 45 + height, 15 : 15 + width] = board
    if rng.random() < 0.3:
        picture = damaged(rng, picture)
    return picture, Grid(15, 45, width / shape[1], height / shape[0], *shape), Board(states)


def _cut(rng: Generator, kind: str, side: str, pixels: Pixels, grid: Grid, board: Board) -> HiddenBoard:
    """Cut a picture off within the board: a third of the times between two cells."""
    count = grid.rows if side in ("top", "bottom") else grid.cols
    away = float(rng.integers(1, max(2, count // 2))) - (0.0 if rng.random() < 0.3 else rng.uniform(0.1, 0.9))
    x, y = round(grid.x + away * grid.pitch_x), round(grid.y + away * grid.pitch_y)
    right, bottom = (
        round(grid.x + grid.width - away * grid.pitch_x),
        round(grid.y + grid.height - away * grid.pitch_y),
    )
    if side == "left":
        return HiddenBoard(kind, np.ascontiguousarray(pixels[:, x:]), grid.moved(-x, 0), board)
    if side == "top":
        return HiddenBoard(kind, np.ascontiguousarray(pixels[y:]), grid.moved(0, -y), board)
    part = pixels[:, :right] if side == "right" else pixels[:bottom]
    return HiddenBoard(kind, np.ascontiguousarray(part), grid, board)


def _cover(rng: Generator, how: str, pixels: Pixels, grid: Grid) -> None:
    """Draw a window over the inside of a board, over a corner, or over a whole side."""
    wide, high = (max(70, int(rng.uniform(0.2, 0.45) * size)) for size in (grid.width, grid.height))
    left, top = round(grid.x), round(grid.y)
    right, bottom = round(grid.x + grid.width), round(grid.y + grid.height)
    if how == "inner":
        x, y = left + (right - left - wide) // 2, top + (bottom - top - high) // 2
    else:
        over_x, over_y = (round(rng.uniform(0.5, 3.5) * grid.pitch_x) for _ in range(2))
        x = left + over_x - wide if rng.random() < 0.5 else right - over_x
        y = top + over_y - high if rng.random() < 0.5 else bottom - over_y
        if how == "side" and rng.random() < 0.5:
            x, wide = left - 40, right - left + 80
        elif how == "side":
            y, high = top - 40, bottom - top + 80
    paste(pixels, cv2.resize(window(rng), (wide, high)).astype(np.uint8), x, y)
