"""Boards in art that nobody has seen, drawn from a seed, with their truth; and wrong grids near them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from art import damaged, draw_board, random_states, random_style
from bot.board import States
from bot.geometry import Grid, Pixels

SIZES = ((8, 8), (9, 9), (16, 16), (16, 30), (12, 20))
PITCHES = (16.0, 18.0, 20.0, 24.0, 24.4, 27.3, 32.0, 40.0, 50.0)
METHODS = ("snap", "linear", "area", "nearest")


@dataclass(frozen=True, slots=True, eq=False)
class UnknownBoard:
    """A picture with one board: what it is called, its pixels, the true grid and states."""

    name: str
    pixels: Pixels
    grid: Grid
    states: States


def drawn(seed: int, held_out: bool = True) -> UnknownBoard:
    """Return the board of ``seed``, in a style and with marks that no network was trained on."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, held_out)
    rows, cols = SIZES[int(rng.integers(len(SIZES)))]
    progress = float(rng.choice([0, 0.05, 0.2, 0.5, 0.8, 1.0], p=[0.12, 0.15, 0.25, 0.25, 0.13, 0.1]))
    states = random_states(rng, rows, cols, float(rng.uniform(0.12, 0.22)), progress)
    board = draw_board(style, states, float(rng.choice(PITCHES)), method=str(rng.choice(METHODS)))
    height, width = board.shape[:2]
    left, top = (int(margin) for margin in rng.integers(6, 60, 2))
    picture = np.full((height + 2 * top, width + 2 * left, 3), rng.integers(0, 256, 3), np.uint8)
    picture[top : top + height, left : left + width] = board
    if rng.random() < 0.5:
        picture = damaged(rng, picture)
    grid = Grid(left, top, width / cols, height / rows, rows, cols)
    return UnknownBoard(f"{style.family} {seed}", picture, grid, states)


def wrong_grids(grid: Grid) -> Iterator[tuple[str, Grid]]:
    """Yield grids that are not the board's: beside it by a part of a cell, too coarse, too fine."""
    wide, tall = grid.pitch_x, grid.pitch_y
    yield "half a cell right", replace(grid.moved(wide / 2, 0), cols=grid.cols - 1)
    yield "half a cell down", replace(grid.moved(0, tall / 2), rows=grid.rows - 1)
    yield "half a cell off", replace(grid.moved(wide / 2, tall / 2), rows=grid.rows - 1, cols=grid.cols - 1)
    yield "a third off", replace(grid.moved(wide / 3, tall / 3), rows=grid.rows - 1, cols=grid.cols - 1)
    yield "cells of half the size", Grid(grid.x, grid.y, wide / 2, tall / 2, 2 * grid.rows, 2 * grid.cols)
    yield "cells of half the width", replace(grid, pitch_x=wide / 2, cols=2 * grid.cols)
    yield "cells of twice the size", Grid(grid.x, grid.y, 2 * wide, 2 * tall, grid.rows // 2, grid.cols // 2)
    yield "a wrong pitch", replace(grid, pitch_x=wide * grid.cols / (grid.cols + 1), cols=grid.cols + 1)


def cut_grids(grid: Grid) -> Iterator[tuple[str, Grid]]:
    """Yield grids with a row or column too many or too few."""
    yield "a row less", replace(grid, rows=grid.rows - 1)
    yield "a column less at the left", replace(grid.moved(grid.pitch_x, 0), cols=grid.cols - 1)
    yield "a row more at the top", replace(grid.moved(0, -grid.pitch_y), rows=grid.rows + 1)
    yield "a column more", replace(grid, cols=grid.cols + 1)
