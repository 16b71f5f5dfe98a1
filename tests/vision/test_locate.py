"""Finding boards: places that repeat themselves, grids put onto the cells, rectangles that hold them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bot.errors import NotInTimeError, StoppedError
from bot.geometry import Grid, Pixels, Rect
from bot.vision import load_skins, networks, read_picture
from bot.vision.locate import align, best_rectangle, boards_in, locate
from bot.vision.networks import LABELS, Scores
from bot.vision.seeds import find_seeds
from drawn_boards import draw_board, played
from fakes import stop_key
from fixture_boards import fixture_picture

GRIDS = ("winemine-beginner-running", "winemine-expert-running", "programs/page-light-1-lost")


def turned_by(angles: npt.NDArray[np.floating]) -> Scores:
    """Return what a reader says of cells that are off by angles (rows, cols, 2)."""
    turns = np.stack([np.cos(angles), np.sin(angles)], 3).astype(np.float32)
    return Scores(np.zeros((*angles.shape[:2], LABELS), np.float32), turns)


def turned(rows: int, cols: int, offset: tuple[float, float], stretch: tuple[float, float]) -> Scores:
    """Return what a perfect reader says of cells that are off and stretched by so many cells."""
    right = offset[0] + stretch[0] * np.arange(cols)[None, :] + np.zeros((rows, 1))
    down = offset[1] + stretch[1] * np.arange(rows)[:, None] + np.zeros((1, cols))
    return turned_by(2 * np.pi * np.stack([right, down], 2))


@given(st.floats(-0.45, 0.45), st.floats(-0.45, 0.45), st.floats(-0.06, 0.06), st.floats(-0.06, 0.06))
def test_a_grid_is_put_where_the_reader_says_that_the_cells_are(
    right: float, down: float, wider: float, taller: float
) -> None:
    grid = Grid(30.0, 50.0, 20.0, 25.0, 7, 9)
    aligned, sure = align(grid, turned(7, 9, (right, down), (wider, taller)))
    assert sure > 0.98
    assert aligned.pitch_x == pytest.approx(20 * (1 + wider), rel=2e-3)
    assert aligned.pitch_y == pytest.approx(25 * (1 + taller), rel=2e-3)
    for row, col in ((0, 0), (6, 8)):
        x = 30 + 20 * (col + 0.5 + right + wider * col)
        y = 50 + 25 * (row + 0.5 + down + taller * row)
        assert aligned.x + (col + 0.5) * aligned.pitch_x == pytest.approx(x, abs=0.4)
        assert aligned.y + (row + 0.5) * aligned.pitch_y == pytest.approx(y, abs=0.4)


def test_cells_that_point_anywhere_are_no_lattice() -> None:
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, (8, 8, 2))
    assert align(Grid(0, 0, 20, 20, 8, 8), turned_by(angles))[1] < 0.35


@given(
    arrays(np.float32, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.floats(-4, 4, width=16))
)
def test_the_best_rectangle_is_the_one_with_the_largest_sum(gains: npt.NDArray[np.float32]) -> None:
    rows, cols = gains.shape
    sums = [
        gains[top:bottom, left:right].sum()
        for top in range(rows)
        for bottom in range(top + 1, rows + 1)
        for left in range(cols)
        for right in range(left + 1, cols + 1)
    ]
    (top, left, bottom, right), total = best_rectangle(gains)
    assert total == pytest.approx(max(0, *sums), abs=1e-4)
    assert gains[top:bottom, left:right].sum() == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("name", GRIDS)
def test_a_board_is_found_from_cells_beside_its_own(name: str) -> None:
    pixels, truth = fixture_picture(name)
    grid = truth.grid
    assert any(
        seed.pitch_x == pytest.approx(grid.pitch_x, rel=0.05)
        and seed.pitch_y == pytest.approx(grid.pitch_y, rel=0.05)
        and not seed.window.intersection(grid.rect).empty
        for seed in find_seeds(pixels)
    )
    beside = Grid(
        grid.x + 0.4 * grid.pitch_x, grid.y + grid.pitch_y * 1.7, grid.pitch_x * 1.02, grid.pitch_y, 6, 6
    )
    found = locate(pixels, beside)
    assert found is not None
    assert (found.grid.rows, found.grid.cols) == (grid.rows, grid.cols)
    assert max(abs(found.grid.x - grid.x), abs(found.grid.y - grid.y)) <= 2
    assert found.grid.pitch_x == pytest.approx(grid.pitch_x, rel=0.005)
    assert found.grid.pitch_y == pytest.approx(grid.pitch_y, rel=0.005)


@pytest.mark.parametrize("lying", [False, True])
def test_two_cells_between_wider_lines_are_not_one(lying: bool) -> None:
    """A page at a scale of 150 % has lines of one pixel and of two in turns."""
    picture = np.full((900, 1280, 3), (243, 238, 232), np.uint8)
    picture[241:619, 57:681] = 214, 167, 185
    line, cell = (209, 196, 181), (163, 127, 91)
    picture[262:598, 78:660] = line
    across = [(78, 141), (143, 206), (208, 271), (273, 336), (337, 401), (402, 466), (467, 531), (532, 595)]
    down = [(262, 298), (300, 336), (337, 373), (375, 411), (412, 448), (450, 486), (487, 523), (525, 561)]
    for top, bottom in [*down, (562, 598)]:
        for left, right in [*across, (597, 660)]:
            picture[top:bottom, left:right] = cell
    if lying:
        picture = np.ascontiguousarray(picture.swapaxes(0, 1))
    (board,) = boards_in(picture)
    assert (board.grid.rows, board.grid.cols) == (9, 9)
    place = Rect(262, 78, 336, 582) if lying else Rect(78, 262, 582, 336)
    assert board.grid.rect.grown(2).covers(place)
    assert place.grown(4).covers(board.grid.rect)


def test_a_search_can_be_ended() -> None:
    pixels, _ = fixture_picture(GRIDS[0])
    assert len(list(boards_in(pixels))) == 1
    with pytest.raises(StoppedError):
        list(boards_in(pixels, stop_key(lambda: True)))


def test_a_board_comes_before_other_patterns() -> None:
    """Words and a spreadsheet repeat, too, but their cells are not square or their neighbours differ."""
    board, x, y = draw_board(load_skins()[0], played(9, 9, 1))
    rows = np.arange(600)[:, None]
    sheet = np.full((600, 900), 255, np.uint8)
    sheet[(rows % 18 == 0) | (np.arange(900) % 64 == 0)] = 120
    sheet[(rows % 18 > 5) & (rows % 18 < 13) & (np.arange(900) % 7 < 3)] = 0
    desktop = np.repeat(sheet[..., None], 3, 2)
    desktop[200 : 200 + board.shape[0], 300 : 300 + board.shape[1]] = board
    seed = find_seeds(desktop)[0]
    cell = load_skins()[0].cell
    assert [seed.pitch_x, seed.pitch_y] == pytest.approx([cell, cell], rel=0.05)
    assert not seed.window.intersection(Rect(300 + x, 200 + y, 9 * cell, 9 * cell)).empty


@pytest.mark.parametrize("cell", [8, 9, 10])
def test_small_cells_are_seeds(cell: int) -> None:
    lines = np.arange(200) % cell == 0
    pixels = np.full((200, 200, 3), 200, np.uint8)
    pixels[lines] = pixels[:, lines] = 90
    seed = find_seeds(pixels)[0]
    assert [seed.pitch_x, seed.pitch_y] == pytest.approx([cell, cell], rel=0.05)


def test_a_search_ends_at_the_first_board_unless_every_one_is_wanted() -> None:
    one, other = fixture_picture(GRIDS[0])[0], fixture_picture(GRIDS[1])[0]
    pixels = np.full((max(len(one), len(other)), one.shape[1] + other.shape[1] + 20, 3), 90, np.uint8)
    pixels[: len(one), : one.shape[1]] = one
    pixels[: len(other), -other.shape[1] :] = other
    assert len(read_picture(pixels, load_skins())) == 1
    assert len(read_picture(pixels, load_skins(), every=True)) == 2


def test_a_search_without_a_board_ends_after_a_fixed_amount_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "MOST_CELLS", 60)
    with pytest.raises(NotInTimeError, match="in time"):
        read_picture(fixture_picture(GRIDS[0])[0], load_skins())
    networks.score_cells(fixture_picture(GRIDS[0])[0], Grid(0, 0, 16, 16, 9, 9))  # is not limited elsewhere


def discs(margin: int) -> Pixels:
    """Return a fresh board of 9 x 9 discs in a picture with so many pixels of ground around it."""
    side = 9 * 24 + 2 * margin
    picture = np.full((side, side, 3), (195, 220, 233), np.uint8)
    for row, col in np.ndindex(9, 9):
        middle = margin + 24 * col + 12, margin + 24 * row + 12
        cv2.circle(picture, middle, 11, (58, 118, 196), cv2.FILLED, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("margin", [6, 24, 30])
def test_a_board_is_found_whatever_ground_is_around_it(margin: int) -> None:
    around, wide = Grid(margin, margin, 24, 24, 9, 9).part(-2, -2, 11, 11), Grid(12, 12, 24, 24, 13, 13)
    cells = networks.score_cells(discs(margin), around).cells
    assert cells == pytest.approx(networks.score_cells(discs(60), wide).cells, abs=1e-3)
    (reading,) = read_picture(discs(margin), (), first_sight=True)
    assert reading.board.shape == (9, 9)


def test_only_plain_ground_goes_on_outside_the_picture() -> None:
    picture = discs(24)[:-30]  # cuts the last row of discs
    seen = networks.cut_cells(picture, Grid(0, 0, 24, 24, 12, 12), goes_on=True)[..., 3] == 255
    assert seen[: len(picture)].all()
    assert not seen[len(picture) :].any()
