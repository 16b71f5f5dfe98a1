"""What is a whole board, and what may be only a part of one, or other art."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board
from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_skins, read_picture
from bot.vision.board_reader import read_at
from drawn_boards import draw_board, played
from picture_changes import mistakes

SKINS = {skin.name: skin for skin in load_skins()}
DRAWN = [SKINS[name] for name in ("winemine", "winmine")]
SKIN = pytest.mark.parametrize("skin", DRAWN, ids=lambda skin: skin.name)
RUNNING = played(11, 13, 1)


def desktop(picture: Pixels) -> tuple[Pixels, int, int]:
    """Return a picture on a wider ground, and where on it it is."""
    canvas = np.full((picture.shape[0] + 90, picture.shape[1] + 130, 3), (150, 110, 60), np.uint8)
    canvas[40 : 40 + picture.shape[0], 70 : 70 + picture.shape[1]] = picture
    return canvas, 70, 40


def dialog(picture: Pixels, left: int, top: int, right: int, bottom: int, face: int) -> Pixels:
    """Return the picture with a dialog over it: a caption, a frame, a button."""
    covered = picture.copy()
    covered[top:bottom, left:right] = face
    covered[top : top + 18, left:right] = (150, 60, 10)
    covered[top:bottom, left], covered[top, left:right] = 255, 255
    covered[top:bottom, right - 1], covered[bottom - 1, left:right] = 90, 90
    return covered


def read(picture: Pixels) -> list[list[str]]:
    return [reading.board.lines() for reading in read_picture(picture, tuple(SKINS.values()), every=True)]


def parts_are_told(picture: Pixels, x: int, y: int, truth: Board) -> bool:
    """Return whether what was read is the whole board at (x, y), or says that it is not; and has no error."""
    for reading in read_picture(picture, tuple(SKINS.values()), every=True):
        row, col = round((reading.grid.y - y) / 16), round((reading.grid.x - x) / 16)
        rows, cols = reading.board.shape
        if (row, col, rows, cols) != (0, 0, *truth.shape) and not reading.cut | reading.open:
            return False
        part = [line[col : col + cols] for line in truth.lines()[row : row + rows]]
        seen = [line[: len(part[0])] for line in reading.board.lines()[: len(part)]]
        if mistakes(seen, part)[0]:
            return False
    return True


@SKIN
def test_a_board_of_any_size_is_whole_within_its_frame(skin: Skin) -> None:
    picture, _, _ = draw_board(skin, RUNNING, 9)
    assert read(desktop(picture)[0]) == [RUNNING.lines()]


@SKIN
@pytest.mark.parametrize(("rows", "offset"), [(1, 0), (2, -3), (3, 2), (4, -1)])
def test_rows_behind_a_grey_bar_above_are_never_left_out(skin: Skin, rows: int, offset: int) -> None:
    picture, x, y = draw_board(skin, RUNNING, 9)
    bottom = y + 16 * rows + offset
    picture[20:bottom] = 192
    picture[bottom - 2 : bottom] = 100
    assert parts_are_told(picture, x, y, RUNNING)


@SKIN
def test_a_board_that_is_all_of_the_picture_is_whole(skin: Skin) -> None:
    picture, x, y = draw_board(skin, RUNNING)
    assert read(picture[y:-12, x:-12]) == [RUNNING.lines()]


@SKIN
@pytest.mark.parametrize(
    ("face", "rows", "offset"),
    [(192, 1, 0), (192, 3, 8), (240, 2, 13), (240, 4, 3), (255, 1, 8), (255, 3, 0)],
)
def test_rows_behind_a_dialog_are_never_left_out(skin: Skin, face: int, rows: int, offset: int) -> None:
    picture, left, top = desktop(draw_board(skin, RUNNING, 9)[0])
    bottom, width = top + 55 + 16 * RUNNING.rows, 24 + 16 * RUNNING.cols
    covered = dialog(picture, left - 30, bottom - 16 * rows + offset, left + width + 30, bottom + 40, face)
    assert parts_are_told(covered, left + 12, top + 55, RUNNING)


@SKIN
@pytest.mark.parametrize("place", [(60, 50, 130, 120), (70, 30, 150, 75), (20, 180, 70, 240)])
def test_cells_behind_a_dialog_are_unreadable(skin: Skin, place: tuple[int, int, int, int]) -> None:
    picture, _, _ = draw_board(skin, RUNNING, 9)
    covered = dialog(picture, *place, 240)
    (lines,) = read(covered)
    wrong, unreadable = mistakes(lines, RUNNING.lines())
    hidden = (picture != covered).any(2)[55:-12, 12:-12].reshape(RUNNING.rows, 16, RUNNING.cols, 16)
    assert wrong == 0
    assert 0 < unreadable <= int(hidden.any((1, 3)).sum())


@SKIN
@pytest.mark.parametrize(
    ("shape", "around"),
    [
        ((8, 8), (60, 90, 140)),
        ((9, 9), (200, 220, 210)),
        ((16, 16), (60, 90, 140)),
        ((16, 30), (200, 220, 210)),
    ],
)
def test_a_board_of_a_usual_size_needs_no_frame(
    skin: Skin, shape: tuple[int, int], around: tuple[int, int, int]
) -> None:
    position = played(*shape, 4)
    picture, x, y = draw_board(skin, position)
    picture[:y], picture[-12:], picture[:, :x], picture[:, -12:] = around, around, around, around
    assert read(picture) == [position.lines()]


@SKIN
def test_a_menu_that_leaves_some_cells_of_all_columns_is_no_end(skin: Skin) -> None:
    position = played(9, 30, 5, opened=0.1)
    picture, x, y = draw_board(skin, position, 9)
    for column in (8, 9, 11, 16):
        edge = x + 16 * column - 4
        covered = picture.copy()
        covered[y + 18 : y + 130, edge : edge + 210] = skin.ground or 0
        covered[y + 18 : y + 130, edge] = 255
        readings = read_picture(covered, tuple(SKINS.values()), every=True)
        assert all(reading.board.cols == 30 or reading.cut | reading.open for reading in readings)


@SKIN
def test_a_board_without_anything_that_may_be_a_mine_is_no_game(skin: Skin) -> None:
    blank = ["0000000"] * 5
    for rows in (["WWWWWWW"] * 7, [*blank, "0000011", "000001."]):
        picture, x, y = draw_board(skin, Board.from_rows(rows), 1)
        reading = read_at(picture, Grid(x, y, 16, 16, 7, 7), (skin,))
        assert (None if reading is None else reading.board.lines()) == (rows if "." in rows[-1] else None)
