from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import Cell
from bot.geometry import Grid, Pixels
from bot.vision.grid import Candidate, confirm_grid, find_grids, find_moved
from drawn import LOOKS, Look, blob, draw_board, frame, wallpaper
from drawn_windows import random_desktop
from screens import Screen, needs_screens, screens

CERTAIN = 0.6


def agrees(grid: Grid, truth: Grid, reach: float = 2.0) -> bool:
    return (
        (grid.rows, grid.cols) == (truth.rows, truth.cols)
        and abs(grid.x - truth.x) <= reach
        and abs(grid.y - truth.y) <= reach
        and abs(grid.pitch_x / truth.pitch_x - 1) <= 0.005
        and abs(grid.pitch_y / truth.pitch_y - 1) <= 0.005
    )


def located(candidates: list[Candidate], truth: Grid) -> bool:
    return any(agrees(candidate.grid, truth) for candidate in candidates)


def drawn(
    grid: Grid,
    look: Look,
    share: float,
    kind: str = "plain",
    size: tuple[int, int] = (700, 1000),
    seed: int = 1,
) -> Pixels:
    rng = np.random.default_rng(seed)
    pixels = wallpaper(kind, *size, rng)
    frame(pixels, grid, look)
    draw_board(grid, look, pixels, blob(grid.rows, grid.cols, share, rng), rng)
    return pixels


LOOK = pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)


@LOOK
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    "grid",
    [
        Grid(12, 55, 16, 16, 9, 9),
        Grid(33, 70, 16, 16, 16, 30),
        Grid(140, 91, 20, 20, 16, 16),
        Grid(50, 60, 24.4, 24.4, 16, 30),
        Grid(301, 87, 32, 32, 16, 16),
        Grid(217, 113, 56, 56, 9, 9),
    ],
    ids=lambda grid: f"{grid.pitch_x:g}px-{grid.rows}x{grid.cols}",
)
def test_a_drawn_board_is_measured_exactly(grid: Grid, look: Look, share: float) -> None:
    candidates = find_grids(drawn(grid, look, share))
    assert candidates
    assert agrees(candidates[0].grid, grid), candidates[:3]


@LOOK
@pytest.mark.parametrize("seed", range(12))
def test_native_cells_are_found_to_the_pixel(look: Look, seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = Grid(int(rng.integers(9, 60)), int(rng.integers(46, 90)), 16.0, 16.0, 9, 9)
    pixels = drawn(grid, look, float(rng.uniform(0, 0.9)), size=(320, 320), seed=seed)
    assert find_grids(pixels)[0].grid == grid


def test_of_a_board_cut_off_by_the_screen_the_whole_cells_are_found() -> None:
    grid = Grid(100, 90, 16, 16, 16, 30)
    pixels = drawn(grid, LOOKS[0], 0.4)[:, 140:]
    assert agrees(find_grids(pixels)[0].grid, Grid(8, 90, 16, 16, 16, 27))


@LOOK
def test_a_board_that_fills_the_picture_is_found(look: Look) -> None:
    grid = Grid(0, 0, 16, 16, 16, 30)
    rng = np.random.default_rng(3)
    pixels = np.zeros((256, 480, 3), np.uint8)
    draw_board(grid, look, pixels, blob(16, 30, 0.4, rng), rng)
    assert agrees(find_grids(pixels)[0].grid, grid)


@pytest.mark.parametrize("kind", ["gradient", "text", "buttons", "sheet", "photo", "noise"])
@LOOK
def test_a_board_is_found_whatever_surrounds_it(look: Look, kind: str) -> None:
    grid = Grid(411, 236, 16, 16, 9, 9)
    assert located(find_grids(drawn(grid, look, 0.4, kind, (720, 1280))), grid)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    look=st.sampled_from(LOOKS),
    pitch=st.one_of(st.integers(14, 64).map(float), st.floats(14, 64)),
    rows=st.integers(8, 16),
    cols=st.integers(8, 24),
    x=st.integers(10, 200),
    y=st.integers(46, 150),
    share=st.sampled_from([0.0, 0.3, 0.7]),
)
def test_boards_of_any_size_and_pitch_are_found(
    look: Look, pitch: float, rows: int, cols: int, x: int, y: int, share: float
) -> None:
    grid = Grid(x, y, pitch, pitch, rows, cols)
    size = (int(grid.y + grid.height) + 40, int(grid.x + grid.width) + 60)
    candidates = find_grids(drawn(grid, look, share, size=size))
    assert located(candidates, grid), (grid, candidates[:3])


@settings(max_examples=10, deadline=None, derandomize=True)
@given(dx=st.integers(0, 63), dy=st.integers(0, 63))
def test_a_picture_moved_by_pixels_moves_the_grid_by_as_many(dx: int, dy: int) -> None:
    grid = Grid(40, 80, 16, 16, 16, 16)
    pixels = drawn(grid, LOOKS[0], 0.4, size=(420, 420))
    moved = cv2.copyMakeBorder(pixels, dy, 0, dx, 0, cv2.BORDER_REPLICATE)
    assert find_grids(np.asarray(moved, np.uint8))[0].grid == grid.moved(dx, dy)


def test_two_boards_in_a_picture_are_both_found() -> None:
    first, second = Grid(40, 90, 16, 16, 16, 16), Grid(500, 130, 32, 32, 9, 9)
    pixels = drawn(first, LOOKS[0], 0.4)
    rng = np.random.default_rng(2)
    frame(pixels, second, LOOKS[2])
    draw_board(second, LOOKS[2], pixels, blob(9, 9, 0.3, rng), rng)
    candidates = find_grids(pixels)
    assert located(candidates, first)
    assert located(candidates, second)


def test_a_dialog_over_the_board_does_not_hide_it() -> None:
    grid = Grid(60, 90, 16, 16, 16, 30)
    pixels = drawn(grid, LOOKS[0], 0.3)
    pixels[170:270, 200:380] = 240
    pixels[170:190, 200:380] = (160, 80, 20)
    assert located(find_grids(pixels), grid)


@pytest.mark.parametrize("step", [8, 16, 20, 24, 32, 48])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_board_is_found_before_a_pattern_and_beside_other_grids(step: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    checks = (np.indices((900, 1440)) // step).sum(0) % 2
    colours = rng.integers(0, 255, (2, 3)).astype(np.uint8)
    pixels = colours[checks]
    for place, kind in enumerate(("sheet", "buttons", "text")):
        x, y = 60 + 430 * place, 80 + 90 * place
        pixels[y : y + 300, x : x + 330] = wallpaper(kind, 300, 330, rng)
    grid = Grid(1100, 560, 16, 16, 9, 9)
    frame(pixels, grid, LOOKS[0])
    draw_board(grid, LOOKS[0], pixels, blob(9, 9, 0.4, rng), rng)
    assert located(find_grids(pixels), grid)


def test_candidates_come_best_first_and_no_more_than_asked_for() -> None:
    pixels = drawn(Grid(40, 90, 16, 16, 16, 16), LOOKS[0], 0.4, "text")
    candidates = find_grids(pixels)
    scores = [candidate.score for candidate in candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert find_grids(pixels, limit=1) == candidates[:1]
    assert find_grids(pixels, limit=0) == []


@pytest.mark.parametrize("kind", ["plain", "gradient", "noise", "text", "buttons", "sheet", "photo"])
@pytest.mark.parametrize("size", [(300, 400), (1080, 1920)], ids=["small", "large"])
def test_where_no_board_is_nothing_looks_certain(kind: str, size: tuple[int, int]) -> None:
    candidates = find_grids(wallpaper(kind, *size, np.random.default_rng(5)))
    assert all(candidate.score < CERTAIN for candidate in candidates), candidates


@pytest.mark.parametrize("size", [(0, 0), (0, 40), (1, 1), (3, 500), (47, 47), (48, 48), (50, 200)])
def test_a_picture_too_small_for_a_board_has_none(size: tuple[int, int]) -> None:
    assert find_grids(np.full((*size, 3), 190, np.uint8)) == []


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


SCREENS = screens()
NATIVE = [screen for screen in SCREENS if screen.grid.pitch_x == screen.grid.pitch_y == 16]
OTHERS = [screen for screen in SCREENS if screen not in NATIVE]
# Its columns are 15.8 pixels apart, not 16: the picture was squeezed when it was recorded.
SQUEEZED = "winmine_html_cursor_flag"


@needs_screens
def test_every_native_winmine_board_is_found_exactly() -> None:
    wrong = {
        screen.name: candidates[:3]
        for screen in NATIVE
        if screen.name != SQUEEZED
        and not ((candidates := find_grids(screen.pixels)) and agrees(candidates[0].grid, screen.grid))
    }
    assert not wrong


@needs_screens
def test_every_centre_lies_in_its_cell_on_a_squeezed_board() -> None:
    screen = next(screen for screen in NATIVE if screen.name == SQUEEZED)
    grid = find_grids(screen.pixels)[0].grid
    assert (grid.rows, grid.cols) == (screen.grid.rows, screen.grid.cols)
    for cell in (Cell(0, 0), Cell(grid.rows - 1, grid.cols - 1)):
        assert np.abs(np.subtract(grid.centre(cell), screen.grid.centre(cell))).max() < 3


@needs_screens
def test_most_boards_of_other_games_are_found_exactly() -> None:
    exact = [screen for screen in OTHERS if located(find_grids(screen.pixels), screen.grid)]
    missed = [screen.name for screen in OTHERS if screen not in exact]
    assert len(exact) >= len(OTHERS) - 2, missed


@needs_screens
@pytest.mark.parametrize("screen", NATIVE, ids=lambda screen: screen.name)
def test_a_real_board_is_confirmed_where_it_was_found(screen: Screen) -> None:
    grid = find_grids(screen.pixels)[0].grid
    assert confirm_grid(screen.pixels, grid) == grid


@LOOK
@pytest.mark.parametrize("shape", [(16.0, 20.0), (30.0, 24.0), (60.0, 48.0)], ids=str)
def test_oblong_cells_are_found(look: Look, shape: tuple[float, float]) -> None:
    grid = Grid(60, 80, *shape, 9, 12)
    assert located(find_grids(drawn(grid, look, 0.4, size=(600, 900))), grid)


@pytest.mark.parametrize("cell", [24, 29, 33])
def test_a_board_whose_opened_cells_have_no_lines_ends_at_its_frame(cell: int) -> None:
    grid = Grid(40, 60, cell, cell, 16, 16)
    flat = Look("no lines", (150, 160, 170), (200, 200, 200), (90, 90, 90), (60, 62, 66), (60, 62, 66))
    opened = np.zeros((16, 16), np.bool_)
    opened[:, 9:] = opened[10:] = True
    pixels = np.full((660, 660, 3), 210, np.uint8)
    draw_board(grid, flat, pixels, opened, np.random.default_rng(4))
    assert located(find_grids(pixels), grid)


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


def test_most_boards_on_cluttered_desktops_are_found() -> None:
    desktops = [random_desktop(seed, 720, 1280) for seed in range(10)]
    grids = [(desktop.pixels, grid) for desktop in desktops for grid in desktop.grids]
    missed = [grid for pixels, grid in grids if not located(find_grids(pixels), grid)]
    assert len(missed) <= 2, missed
