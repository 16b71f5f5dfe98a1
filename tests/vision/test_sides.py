from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import Board, State
from bot.geometry import Grid, Pixels
from bot.levels import CLASSIC_MINES, GOOGLE_LEVELS, Level
from bot.vision import Reading, Skin, load_skins, read_picture
from bot.vision.locate import look
from bot.vision.reading import Doubt, Side, cut_words, side_words
from bot.vision.sides import settled, with_hidden_lines
from drawn_boards import draw_board, played
from fixture_boards import fixture_picture
from heldout import sides_scene

SKINS = tuple(skin for skin in load_skins() if skin.name in ("winmine", "winemine"))
WINMINE = next(skin for skin in SKINS if skin.name == "winmine")
LEFT, TOP, CELL = 12, 55, 16
Cut = Callable[[Pixels], Pixels]
PROGRAMS = ("gnome-mines-small-running", "kmines-classic-medium-running", "gnome-mines-classic-running")


def at_first_sight(name: str) -> tuple[Pixels, Grid]:
    """Return a picture of a program of which the reader has no skin, and the true grid of its board."""
    pixels, truth = fixture_picture(f"programs/{name}")
    return pixels, truth.grid


def read(pixels: Pixels) -> Reading:
    (reading,) = read_picture(np.ascontiguousarray(pixels), (), first_sight=True)
    return reading


def part(pixels: Pixels, grid: Grid, side: Side, cells: float) -> Pixels:
    """Return the picture without what lies more than ``cells`` beyond a side of the board."""
    x, y, tall, wide = grid.x, grid.y, cells * grid.pitch_y, cells * grid.pitch_x
    return {
        Side.TOP: pixels[max(0, round(y - tall)) :],
        Side.LEFT: pixels[:, max(0, round(x - wide)) :],
        Side.BOTTOM: pixels[: round(y + grid.height + tall)],
        Side.RIGHT: pixels[:, : round(x + grid.width + wide)],
    }[side]


@pytest.mark.parametrize("side", Side, ids=lambda side: side.value)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_whole_board_at_the_edge_of_a_picture_is_whole(name: str, side: Side) -> None:
    pixels, grid = at_first_sight(name)
    reading = read(part(pixels, grid, side, 0.0))
    assert (reading.board.shape, reading.cut) == ((grid.rows, grid.cols), frozenset())


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_board_that_a_picture_cuts_is_never_whole(name: str) -> None:
    pixels, grid = at_first_sight(name)
    seen = 0
    for side in Side:
        picture = np.ascontiguousarray(part(pixels, grid, side, -1.4))
        for reading in read_picture(picture, (), first_sight=True):
            seen += 1
            told = reading.board.shape == (grid.rows, grid.cols)  # by counter and flags
            assert told or reading.cut == {side}
    assert seen >= 3  # of four: where all opened cells are cut off, a person may not know the others


@pytest.mark.parametrize("name", PROGRAMS)
def test_columns_of_unknown_art_behind_a_console_are_told(name: str) -> None:
    pixels, grid = at_first_sight(name)
    left = round(grid.x + grid.width - 1.6 * grid.pitch_x)
    pixels[:, left:] = 20
    for y in range(12, len(pixels), 16):
        words = "user@host:~$ make test && echo ok | tee log.txt"
        cv2.putText(pixels, words, (left + 4, y), 0, 0.4, (210, 210, 210), 1, cv2.LINE_AA)
    reading = read(pixels)
    assert reading.cut == {Side.RIGHT} or reading.board.shape == (grid.rows, grid.cols)
    assert set(reading.board.states[:, -1]) == {State.UNREADABLE}


@pytest.mark.parametrize("name", PROGRAMS[1:])
def test_words_across_a_board_do_not_end_it(name: str) -> None:
    pixels, grid = at_first_sight(name)
    x, y = round(grid.x), round(grid.y + (grid.rows // 2 + 1.5) * grid.pitch_y)
    scale = 1.2 * grid.pitch_y / 22
    size = cv2.getTextSize("Game Over", 0, scale, 3)[0]
    wide = scale * grid.width / size[0]
    cv2.putText(pixels, "Game Over", (x, y), 0, wide, (20, 20, 200), 8, cv2.LINE_AA)
    reading = read(pixels)
    assert (reading.board.shape, reading.cut) == ((grid.rows, grid.cols), frozenset())


def test_strips_with_words_beside_a_fresh_board_do_not_make_it_strange() -> None:
    pixels, truth = fixture_picture("programs/page-sprites-175-strip-new")
    reading = read(pixels)
    assert reading.grid.largest_edge_distance(truth.grid) < 0.1
    assert np.array_equal(reading.board.states, truth.board.states)
    assert not reading.cut


def test_numbers_at_an_open_side_prove_nothing() -> None:
    board = Board.from_rows(["11.", "22.", "00."], 2)
    whole = Reading(Grid(0, 0, 16, 16, 3, 3), board, "unknown")
    assert whole.careful == board
    beside = replace(whole, open=frozenset({Side.LEFT}))
    assert (beside.careful.lines(), beside.careful.mines) == (["-1.", "-2.", "-0."], None)
    (words,) = side_words(beside)
    assert "ends at the left" in words


def seen(board: Board, mines_left: int | None, cut: Cut) -> Reading:
    """Return what is read of a board in a picture that is cut."""
    picture, _, _ = draw_board(WINMINE, board, mines_left)
    (reading,) = read_picture(np.ascontiguousarray(cut(picture)), SKINS)
    return reading


@pytest.mark.parametrize(("shape", "part"), [((9, 9), 4), ((9, 9), 16), ((16, 30), 12)])
def test_hidden_rows_are_counted_where_the_counter_tells_the_level(shape: tuple[int, int], part: int) -> None:
    position = played(*shape, 1)
    rows = 5 + (part == CELL)
    left = CLASSIC_MINES[shape] - sum(line.count("F") for line in position.lines()[:rows])
    reading = seen(position, left, lambda picture: picture[: TOP + 5 * CELL + part])
    assert reading.board.shape == shape
    assert reading.board.lines()[:rows] == position.lines()[:rows]
    assert (reading.board.states[rows:] == State.UNREADABLE).all()
    assert {reading.doubts[cell] for cell in reading.unreadable} == {Doubt.OUTSIDE}
    assert (reading.board.mines, reading.cut) == (CLASSIC_MINES[shape], frozenset())


@pytest.mark.parametrize(
    ("side", "cut"),
    [
        (Side.BOTTOM, lambda picture: picture[: TOP + 5 * CELL + 7]),
        (Side.TOP, lambda picture: picture[TOP + 3 * CELL + 7 :]),
        (Side.LEFT, lambda picture: picture[:, LEFT + 3 * CELL + 7 :]),
        (Side.RIGHT, lambda picture: picture[:, : LEFT + 8 * CELL + 7]),
    ],
    ids=["bottom", "top", "left", "right"],
)
def test_a_side_is_named_on_which_nobody_knows_how_many_are_hidden(side: Side, cut: Cut) -> None:
    reading = seen(played(11, 13, 1), 20, cut)
    assert reading.cut == {side}
    assert reading.board.mines is None
    states = reading.board.states
    hidden = {
        Side.BOTTOM: states[-1],
        Side.TOP: states[0],
        Side.LEFT: states[:, 0],
        Side.RIGHT: states[:, -1],
    }[side]
    assert (hidden == State.UNREADABLE).all()
    assert len(reading.unreadable) == len(hidden)
    assert side.value in (cut_words(reading) or "")


def test_sixteen_columns_of_thirty_are_no_board_of_sixteen() -> None:
    position = played(16, 30, 4, opened=0.2)
    reading = seen(position, None, lambda picture: picture[:, : LEFT + 16 * CELL + 7])
    assert reading.cut == {Side.RIGHT}
    assert reading.board.shape == (16, 17)


def test_a_column_under_a_window_is_told() -> None:
    position = played(11, 20, 5)
    picture, _, _ = draw_board(WINMINE, position, 30)
    wider = np.full((picture.shape[0] + 80, picture.shape[1] + 120, 3), (150, 110, 60), np.uint8)
    wider[40:-40, 60:-60] = picture
    wider[10:-10, 60 + LEFT + 17 * CELL + 5 :] = (90, 120, 200)
    (reading,) = read_picture(wider, SKINS)
    assert reading.cut == {Side.RIGHT}
    assert reading.board.shape == (11, 18)
    assert [line[:17] for line in reading.board.lines()] == [line[:17] for line in position.lines()]
    assert {reading.doubts[cell] for cell in reading.unreadable if cell.col == 17} == {Doubt.HIDDEN}


def test_a_side_of_an_unusual_size_is_open_if_little_shows_that_the_board_ends_there() -> None:
    picture = sides_scene(644)
    (board,) = picture.boards
    (reading,) = read_picture(picture.pixels, (), first_sight=True)
    assert board.sides is not None
    assert reading.open >= {side for side, truth in board.sides.items() if truth == "cut"} - reading.cut


@pytest.mark.parametrize("skins", [(replace(WINMINE, counter=None),), ()], ids=["known", "unknown"])
@pytest.mark.parametrize("side", Side, ids=lambda side: side.value)
def test_numbers_without_enough_neighbours_tell_that_a_board_goes_on(side: Side, skins: list[Skin]) -> None:
    pixels, x, y = draw_board(WINMINE, played(12, 12, 3))
    assert read_picture(pixels, skins, first_sight=True)[0].cut == frozenset()
    covered: dict[Side, Any] = {
        Side.TOP: np.s_[: y + 4 * CELL],
        Side.LEFT: np.s_[:, : x + 4 * CELL],
        Side.BOTTOM: np.s_[y + 8 * CELL :],
        Side.RIGHT: np.s_[:, x + 8 * CELL :],
    }
    pixels[covered[side]] = 192  # the colour of the window, exactly up to the edge of a cell
    (reading,) = read_picture(pixels, skins, first_sight=True)
    assert side in reading.cut


@pytest.mark.parametrize("level", GOOGLE_LEVELS.values(), ids=str)
def test_hidden_rows_of_unknown_art_are_counted_at_the_levels_of_google(level: Level) -> None:
    seen_rows = level.rows - 3
    grid, board = Grid(20, 30, 16, 16, seen_rows, level.cols), Board.covered(seen_rows, level.cols, None)
    part = Reading(grid, board, "unknown", level.mines)
    odds = {**dict.fromkeys(Side, -9.0), Side.BOTTOM: -1.0}
    whole = with_hidden_lines(np.zeros((30 + 16 * seen_rows, 700, 3), np.uint8), part, odds)
    assert (Level.of(whole.board), whole.cut) == (level, frozenset())
    assert whole.board.count(State.UNREADABLE) == 3 * level.cols


def test_a_frame_at_the_edge_of_a_picture_is_no_part_of_a_cell() -> None:
    position = played(11, 13, 1)

    def framed(picture: Pixels) -> Pixels:
        around = picture[TOP : TOP + 11 * CELL, LEFT : LEFT + 13 * CELL]
        whole = np.full((11 * CELL + 14, 13 * CELL + 14, 3), 192, np.uint8)
        whole[0], whole[-1], whole[:, 0], whole[:, -1] = 255, 128, 255, 128
        whole[7:-7, 7:-7] = around
        return whole

    reading = seen(position, 20, framed)
    assert reading.board.lines() == position.lines()
    assert reading.cut == frozenset()


def test_a_frame_is_seen_where_a_screen_blurs_it_into_the_board() -> None:
    winemine = next(skin for skin in SKINS if skin.name == "winemine")
    shown, *_ = draw_board(winemine, played(9, 9, 1), 10)
    wider = np.full((shown.shape[0] + 80, shown.shape[1] + 80, 3), 255, np.uint8)
    wider[40:-40, 40:-40] = shown
    size = round(wider.shape[1] * 1.33), round(wider.shape[0] * 1.33)
    scaled = cv2.warpAffine(wider, np.diag([1.33, 1.33, 1])[:2], size, borderMode=cv2.BORDER_REPLICATE)
    (reading,) = read_picture(np.asarray(scaled, np.uint8), SKINS)
    assert (reading.skin, reading.board.shape, reading.cut) == ("winemine", (9, 9), frozenset())


def test_rows_that_the_search_missed_are_added_and_a_frame_is_no_row() -> None:
    picture, x, y = draw_board(WINMINE, played(9, 12, 3), 9)
    whole = Grid(x, y, 16, 16, 9, 12)
    for grid in (whole.part(2, 1, 8, 12), whole.part(0, 0, 10, 12), whole.part(0, -1, 9, 12)):
        board, odds = settled(picture, look(picture, grid))
        assert board.grid == whole
        assert max(odds.values()) < 0
