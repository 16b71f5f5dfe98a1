from __future__ import annotations

import numpy as np
import pytest

from bot.geometry import Grid
from bot.vision.grid import confirm_grid, find_moved
from drawn import LOOKS, Look, blob, draw_board, frame, wallpaper
from grid_cases import LOOK, NATIVE, agrees, drawn
from screens import Screen, needs_screens


@LOOK
@pytest.mark.parametrize("pitch", [16.0, 24.0, 40.0, 56.0])
def test_a_grid_is_confirmed_where_it_is(look: Look, pitch: float) -> None:
    grid = Grid(81, 93, pitch, pitch, 9, 9)
    assert confirm_grid(drawn(grid, look, 0.4), grid) == grid


@pytest.mark.parametrize("move", [(1, 0), (0, -1), (2, 2), (-2, 1)])
def test_a_grid_that_moved_by_a_pixel_or_two_is_followed(move: tuple[int, int]) -> None:
    grid = Grid(81, 93, 16, 16, 16, 16)
    assert confirm_grid(drawn(grid, LOOKS[0], 0.3), grid.moved(*move)) == grid


@pytest.mark.parametrize("pitch", [16.0, 40.0])
@pytest.mark.parametrize("cells", [(1, 0), (-1, 0), (0, 1), (0, -1), (3, 3)])
def test_a_grid_that_moved_by_whole_cells_is_not_confirmed(cells: tuple[int, int], pitch: float) -> None:
    grid = Grid(160, 150, pitch, pitch, 9, 9)
    elsewhere = grid.moved(cells[0] * pitch, cells[1] * pitch)
    assert confirm_grid(drawn(grid, LOOKS[0], 0.3), elsewhere) is None


@pytest.mark.parametrize("kind", ["plain", "gradient", "noise", "text", "sheet", "photo"])
def test_a_grid_that_is_gone_is_not_confirmed(kind: str) -> None:
    pixels = wallpaper(kind, 700, 1000, np.random.default_rng(8))
    assert confirm_grid(pixels, Grid(81, 93, 16, 16, 16, 16)) is None


def test_a_grid_outside_the_picture_is_not_confirmed() -> None:
    grid = Grid(81, 93, 16, 16, 9, 9)
    pixels = drawn(grid, LOOKS[0], 0.3, size=(300, 300))
    assert confirm_grid(pixels[:200], grid) is None
    assert confirm_grid(pixels, grid.moved(1000, 0)) is None
    assert confirm_grid(np.zeros((0, 0, 3), np.uint8), grid) is None


@needs_screens
@pytest.mark.parametrize("screen", NATIVE, ids=lambda screen: screen.name)
def test_a_real_board_is_confirmed_where_it_was_found(screen: Screen) -> None:
    confirmed = confirm_grid(screen.pixels, screen.grid)
    assert confirmed is not None
    assert agrees(confirmed, screen.grid)


@LOOK
@pytest.mark.parametrize("pitch", [16.0, 24.4, 56.0])
def test_a_grid_is_found_again_where_its_window_was_moved(look: Look, pitch: float) -> None:
    rng = np.random.default_rng(6)
    before, after = Grid(40, 90, pitch, pitch, 9, 9), Grid(411, 136, pitch, pitch, 9, 9)
    pixels = wallpaper("text", 720, 1280, rng)
    frame(pixels, after, look)
    draw_board(after, look, pixels, blob(9, 9, 0.4, rng), rng)
    assert confirm_grid(pixels, before) is None
    found = find_moved(pixels, before)
    assert found is not None
    assert agrees(found, after)


@pytest.mark.parametrize("kind", ["plain", "gradient", "noise", "text", "sheet", "photo"])
def test_a_grid_is_not_found_again_where_it_is_not(kind: str) -> None:
    pixels = wallpaper(kind, 700, 1000, np.random.default_rng(8))
    assert find_moved(pixels, Grid(81, 93, 16, 16, 16, 16)) is None


def test_a_grid_larger_than_the_picture_is_not_found_again() -> None:
    assert find_moved(np.zeros((90, 90, 3), np.uint8), Grid(0, 0, 16, 16, 9, 9)) is None
