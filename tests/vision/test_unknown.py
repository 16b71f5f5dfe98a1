"""Boards read at first sight, without a template: what is accepted, what is corrected, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from bench.measured import exactly
from bot.board import Board, Cell
from bot.geometry import Grid
from bot.vision import load_skins, read_picture
from bot.vision.board_reader import UNKNOWN, read_unknown
from bot.vision.reading import Doubt
from desk_art import ARTS, paint_cell
from displays import draw_counter
from drawn_boards import draw_board
from drawn_game import application
from fixture_boards import fixture_picture
from qt_pictures import pixels as drawn_pixels

READ = ("winemine-beginner-running", "winemine-beginner-won", "winemine-intermediate-running")
FRESH = "winemine-expert-fresh"
NUMBERS = (  # many 2s and six 3s
    ".2.100000",
    ".31222100",
    ".202..100",
    ".312.3100",
    "..12..122",
    "222..21..",
    "..23.33..",
    "1.2.4.2..",
    "..1...211",
)


@pytest.mark.parametrize("name", [*READ, FRESH])
def test_a_board_is_read_without_its_skin(name: str) -> None:
    pixels, truth = fixture_picture(name)
    left = 99 if name == FRESH else 3
    seen = read_unknown(pixels, truth.grid, mines_left=left)
    assert seen is not None
    assert seen.reading.skin == UNKNOWN
    assert seen.reading.board.lines() == truth.board.lines()
    assert seen.reading.mines_left == left
    assert name != FRESH or seen.reading.board.mines == 99
    assert not seen.reading.unreadable
    for cluster in np.unique(seen.clusters):
        assert len(np.unique(truth.board.states[seen.clusters == cluster])) == 1


@pytest.mark.parametrize("zoom", [1.0, 1.1, 1.5])
def test_dots_of_a_die_are_not_read_as_another_number(zoom: float) -> None:
    """Three red dots are no 2 where two green ones are: both would be read as 2."""
    application()
    board = Board.from_rows(NUMBERS)
    side = 24
    length = round(zoom * side * 11)
    image = QImage(length, length, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(zoom)
    image.fill(QColor(ARTS["round"].page))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for cell in board:
        box = QRectF(side * (cell.col + 1), side * (cell.row + 1), side, side)
        paint_cell(painter, ARTS["round"], box, board[cell], zeros=False)
    painter.end()
    pitch = zoom * side
    seen = read_unknown(drawn_pixels(image), Grid(pitch, pitch, pitch, pitch, 9, 9))
    assert seen is not None
    read = {cell: seen.reading.board[cell] for cell in board if cell not in seen.reading.unreadable}
    assert {cell: state for cell, state in read.items() if state != board[cell]} == {}
    assert sum(board[cell] == 2 for cell in read) == board.count(2)


def wrong_grids(grid: Grid) -> Iterator[tuple[str, Grid]]:
    """Yield grids that are not the board's."""
    wide, tall = grid.pitch_x, grid.pitch_y
    yield "half a cell right", replace(grid.moved(wide / 2, 0), cols=grid.cols - 1)
    yield "a third off", replace(grid.moved(wide / 3, tall / 3), rows=grid.rows - 1, cols=grid.cols - 1)
    yield "cells of half the size", Grid(grid.x, grid.y, wide / 2, tall / 2, 2 * grid.rows, 2 * grid.cols)
    yield "cells of twice the size", Grid(grid.x, grid.y, 2 * wide, 2 * tall, grid.rows // 2, grid.cols // 2)
    yield "a wrong pitch", replace(grid, pitch_x=wide * grid.cols / (grid.cols + 1), cols=grid.cols + 1)
    yield "a row less", replace(grid, rows=grid.rows - 1)
    yield "a column less at the left", replace(grid.moved(wide, 0), cols=grid.cols - 1)
    yield "a row more at the top", replace(grid.moved(0, -tall), rows=grid.rows + 1)


@pytest.mark.parametrize("name", READ[::2])
def test_a_grid_that_is_not_the_boards_is_corrected_or_refused(name: str) -> None:
    """A row too many or too few, cells beside their place or of another size."""
    pixels, truth = fixture_picture(name)
    for what, wrong in wrong_grids(truth.grid):
        seen = read_unknown(pixels, wrong)
        if seen is not None:
            assert exactly(seen.reading.grid, truth.grid), what
            assert seen.reading.board.lines() == truth.board.lines(), what


def test_what_cannot_be_read_is_said_with_its_reason() -> None:
    pixels, truth = fixture_picture("winemine-intermediate-running")
    torn = pixels.copy()
    noise = np.random.default_rng(3).integers(0, 256, (16, 16, 3), dtype=np.uint8)
    x, y = (round(value) for value in truth.grid.corner(Cell(7, 8)))
    torn[y : y + 16, x : x + 16] = noise
    seen = read_unknown(torn, truth.grid)
    assert seen is not None
    assert seen.reading.unreadable == [Cell(7, 8)]
    assert set(seen.reading.doubts) == {Cell(7, 8)}
    assert seen.reading.doubts[Cell(7, 8)] in (Doubt.UNRECOGNISED, Doubt.AMBIGUOUS)


@pytest.mark.parametrize(
    "row", [".1.2.1..2.", "1231123112", "11.11.11.."], ids=["alone", "a table", "no blank cells"]
)
def test_numbers_that_no_game_shows_are_no_board(row: str) -> None:
    skin = next(skin for skin in load_skins() if skin.name == "winmine")
    rows = [row if index % 2 else row[-1] + "." * 9 for index in range(10)]
    picture, x, y = draw_board(skin, Board.from_rows(rows))
    assert read_unknown(picture, Grid(x, y, 16, 16, 10, 10)) is None


def test_the_mines_of_a_fresh_board_of_an_unusual_size_are_counted() -> None:
    skin = next(skin for skin in load_skins() if skin.name == "winmine")
    assert skin.counter is not None
    fresh = Board.covered(11, 13, 25)
    pixels, x, y = draw_board(skin, fresh, mines_left=25)
    grid = Grid(x, y, skin.cell, skin.cell, *fresh.shape)
    alone = read_unknown(pixels, grid)
    assert alone is not None
    assert alone.reading.board.mines is None  # its only number might be a timer
    timer = structs.replace(skin.counter, side="right", x=-44)
    draw_counter(pixels, timer, x, y, x + skin.cell * fresh.cols, 0)
    (seen,) = read_picture(pixels, (), first_sight=True)
    assert seen.board == fresh
    assert seen.mines_left == 25


def test_a_plain_wall_beside_a_board_is_no_board() -> None:
    own, truth = fixture_picture("winemine-beginner-fresh")
    wall = np.full((700, 1000, 3), 70, np.uint8)
    wall[80 : 80 + own.shape[0], 300 : 300 + own.shape[1]] = own
    readings = read_picture(wall, load_skins(), first_sight=True)
    assert [reading.board for reading in readings] == [truth.board]
