"""Fresh boards of flat cells: nothing but the two edges of a gap tells where a cell ends."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision.grid.gaps import between_gaps
from bot.vision.search import read_picture

CORNER = (37, 71)  # of the board: the middle of a gap
LIGHT, DARK = ((245, 244, 246), (182, 189, 186)), ((30, 30, 30), (90, 80, 70))  # ground and cells


def flat_board(
    rows: int, cols: int, pitch: int, gap: int, ground: tuple[int, ...], cell: tuple[int, ...]
) -> Pixels:
    pixels = np.full((CORNER[1] + rows * pitch + 60, CORNER[0] + cols * pitch + 180, 3), ground, np.uint8)
    for y in range(CORNER[1] + gap // 2, CORNER[1] + rows * pitch, pitch):
        for x in range(CORNER[0] + gap // 2, CORNER[0] + cols * pitch, pitch):
            pixels[y : y + pitch - gap, x : x + pitch - gap] = cell
    return pixels


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("rows", "cols", "pitch", "gap"), [(8, 8, 46, 8), (9, 9, 16, 2), (16, 16, 23, 4), (16, 30, 32, 6)]
)
def test_a_fresh_board_is_read(
    rows: int, cols: int, pitch: int, gap: int, colours: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    (reading,) = read_picture(flat_board(rows, cols, pitch, gap, *colours), [], first_sight=True)
    assert reading.board.shape == (rows, cols)
    assert reading.board.count(State.COVERED) == rows * cols
    assert abs(reading.grid.x - CORNER[0]) <= gap / 2
    assert abs(reading.grid.y - CORNER[1]) <= gap / 2


@pytest.mark.parametrize("off", [-4, -1, 0, 3])
def test_a_grid_is_moved_to_the_middle_of_the_gaps(off: int) -> None:
    pixels = flat_board(9, 9, 23, 4, *LIGHT)
    grid = Grid(CORNER[0] + off, CORNER[1] - off, 23, 23, 9, 9)
    assert between_gaps(pixels, grid) == Grid(*CORNER, 23, 23, 9, 9)


def test_a_grid_without_gaps_stays() -> None:
    grid = Grid(*CORNER, 23, 23, 9, 9)
    assert between_gaps(flat_board(9, 9, 23, 12, *LIGHT), grid) == grid
    assert between_gaps(flat_board(9, 9, 23, 0, *LIGHT), grid) == grid
