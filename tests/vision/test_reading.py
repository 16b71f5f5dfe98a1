from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, State
from bot.geometry import Grid, Pixels
from bot.verdict import GameState
from bot.vision import (
    Reading,
    load_picture,
    load_skins,
    read_grid,
    read_picture,
)
from bot.vision.board_reader import read_at
from bot.vision.distortion import inside
from drawn_boards import draw_board
from fixture_boards import FIXTURES, Truth, fixture_boards
from picture_changes import mistakes, stretch

SKINS = {skin.name: skin for skin in load_skins()}
DRAWN = ("winemine", "winmine")  # skins whose cells are 16 pixels and which show every state
NAMES = sorted(path.stem for path in FIXTURES.glob("*.png"))
COVERED = {"winemine-dialog", "winemine-menu"}  # a dialog or a menu lies over the board
WHOLE = [name for name in NAMES if name not in COVERED]
EVERY_STATE = Board.from_rows(
    [
        "012345678",
        ".........",
        "F.F.F.?.?",
        "*........",
        "0000X..WW",
        "012345678",
        "........F",
        "876543210",
        "*.*.*.*.*",
    ]
)


def fixture(name: str) -> Pixels:
    return load_picture(FIXTURES / f"{name}.png")


def pair(readings: list[Reading], truths: list[Truth], scale: float = 1.0) -> list[tuple[Reading, Truth]]:
    """Return each true board with the reading at its place, which must be within two pixels."""
    assert len(readings) == len(truths)
    pairs = []
    for truth in truths:
        place = (truth.x * scale, truth.y * scale)
        at = min(readings, key=lambda found: abs(found.grid.x - place[0]) + abs(found.grid.y - place[1]))
        assert abs(at.grid.x - place[0]) <= 2
        assert abs(at.grid.y - place[1]) <= 2
        pairs.append((at, truth))
    return pairs


@pytest.mark.parametrize("name", WHOLE)
def test_own_screenshots_are_read_exactly(name: str) -> None:
    readings = read_picture(fixture(name), tuple(SKINS.values()), every=True)
    for reading, truth in pair(readings, fixture_boards(name)):
        assert reading.board == truth.board
        assert reading.state is GameState(truth.state)
        assert reading.mines_left == truth.mines_left
        assert reading.skin == truth.skin
        assert (reading.grid.x, reading.grid.y) == (truth.x, truth.y)
        tracked = read_grid(fixture(name), reading.grid, SKINS[reading.skin])
        assert (tracked.board, tracked.state) == (reading.board, reading.state)
        assert tracked.mines_left == reading.mines_left


@pytest.mark.parametrize("name", sorted(COVERED))
def test_what_is_covered_is_never_read_wrong(name: str) -> None:
    (truth,) = fixture_boards(name)
    for reading in read_picture(fixture(name), tuple(SKINS.values()), every=True):
        row, col = round((reading.grid.y - truth.y) / 16), round((reading.grid.x - truth.x) / 16)
        rows, cols = reading.board.shape
        assert reading.cut | reading.open or (row, col, rows, cols) == (0, 0, *truth.board.shape)
        part = [line[col : col + cols] for line in truth.board.lines()[row : row + rows]]
        assert mistakes(reading.board.lines(), part)[0] == 0
    grid = truth.grid
    tracked = read_grid(fixture(name), grid, SKINS["winemine"])
    wrong, unreadable = mistakes(tracked.board.lines(), truth.board.lines())
    assert wrong == 0
    assert unreadable > 0
    assert tracked.board.mines is None


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("skin", DRAWN)
def test_states_without_a_template_are_unreadable(skin: str, scale: float) -> None:
    missing = (3, 7, State.QUESTION, State.MINE)
    picture, x, y = draw_board(SKINS[skin], EVERY_STATE)
    grid = Grid(x * scale, y * scale, 16 * scale, 16 * scale, 9, 9)
    full = SKINS[skin]
    kept = ~np.isin(full.states, missing)
    lacking = replace(full, templates=full.templates[kept], states=full.states[kept])
    tracked = read_grid(stretch(picture, scale), grid, lacking)
    for cell in EVERY_STATE:
        expected = State.UNREADABLE if EVERY_STATE[cell] in missing else EVERY_STATE[cell]
        assert tracked.board[cell] == expected


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_checkerboard_is_read_by_two_templates_a_state(scale: float) -> None:
    skin = SKINS["winemine"]
    both = np.concatenate([skin.templates, skin.templates // 4 * 3 + 40])
    order = np.argsort(np.tile(skin.states, 2), kind="stable")
    skin = replace(skin, templates=both[order], states=np.tile(skin.states, 2)[order])
    picture, x, y = draw_board(skin, EVERY_STATE)
    for row, col in np.argwhere(np.indices((9, 9)).sum(0) % 2):
        cell = picture[y + 16 * row : y + 16 * row + 16, x + 16 * col : x + 16 * col + 16]
        cell[:] = cell // 4 * 3 + 40
    grid = Grid(x * scale, y * scale, 16 * scale, 16 * scale, 9, 9)
    assert read_grid(stretch(picture, scale), grid, skin).board.lines() == EVERY_STATE.lines()


def test_noise_is_no_board() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (144, 144, 3), np.uint8)
    assert read_picture(noise, tuple(SKINS.values())) == []
    for skin in SKINS.values():
        assert read_at(noise, Grid(0, 0, 16, 16, 9, 9), (skin,)) is None
        assert len(read_grid(noise, Grid(0, 0, 16, 16, 9, 9), skin).unreadable) == 81


def test_cells_beyond_the_picture_are_unreadable() -> None:
    picture = fixture("winemine-beginner-fresh")
    reading = read_grid(picture[:, :-40], Grid(5, 52, 16, 16, 9, 9), SKINS["winemine"])
    assert {cell.col for cell in reading.unreadable} == {6, 7, 8}
    nothing = read_grid(picture, Grid(500, 500, 16, 16, 9, 9), SKINS["winemine"])
    assert len(nothing.unreadable) == 81


def test_a_tenth_of_a_cell_may_lie_outside_the_picture() -> None:
    picture = np.zeros((50, 50, 3), np.uint8)
    assert inside(picture, Grid(2, 4, 24, 24, 2, 2)).tolist() == [[True, True], [True, True]]
    assert inside(picture, Grid(-3, -2, 24, 24, 2, 2)).tolist() == [[False, True], [False, True]]


def test_grid_and_skin_are_fitted_exactly() -> None:
    picture = fixture("winemine-intermediate-running")
    (truth,) = fixture_boards("winemine-intermediate-running")
    for dx, dy, rows, cols in ((2, -2, 16, 16), (-1, 2, 16, 15), (16, 1, 16, 15), (0, 0, 14, 16)):
        found = read_at(picture, Grid(5 + dx, 52 + dy, 16, 16, rows, cols), (SKINS["winemine"],))
        assert found is not None
        assert found.board == truth.board


MARGIN = 24


def side_by_side(*pictures: Pixels) -> Pixels:
    """Return the pictures on one desktop."""
    height = max(picture.shape[0] for picture in pictures) + 2 * MARGIN
    width = sum(picture.shape[1] + MARGIN for picture in pictures) + MARGIN
    desktop = np.full((height, width, 3), (120, 90, 40), np.uint8)
    x = MARGIN
    for picture in pictures:
        desktop[MARGIN : MARGIN + picture.shape[0], x : x + picture.shape[1]] = picture
        x += picture.shape[1] + MARGIN
    return desktop


def assert_same_board(reading: Reading, truth: Truth) -> None:
    """Assert that no cell was read wrong, and that the counter was not either."""
    assert reading.board.shape == truth.board.shape
    assert mistakes(reading.board.lines(), truth.board.lines())[0] == 0
    assert reading.mines_left in (None, truth.mines_left)


def test_a_page_and_its_counter_are_read_at_first_sight_only_where_that_is_asked_for() -> None:
    name = "programs/page-light-1-lost"
    (truth,) = fixture_boards(name)
    assert read_picture(fixture(name), tuple(SKINS.values())) == []
    (reading,) = read_picture(fixture(name), tuple(SKINS.values()), first_sight=True)
    assert reading.skin == "unknown"
    assert_same_board(reading, truth)
    assert (reading.mines_left, reading.board.mines) == (truth.mines_left, truth.board.mines)


def test_known_and_unknown_boards_are_read_on_one_desktop() -> None:
    names = ("winemine-beginner-running", "programs/page-dark-125-running")
    pixels = side_by_side(*map(fixture, names))
    readings = read_picture(pixels, tuple(SKINS.values()), first_sight=True, every=True)
    known, unknown = sorted(readings, key=lambda reading: reading.grid.x)
    assert (known.skin, unknown.skin) == ("winemine", "unknown")
    assert_same_board(known, fixture_boards(names[0])[0])
    assert_same_board(unknown, fixture_boards(names[1])[0])
