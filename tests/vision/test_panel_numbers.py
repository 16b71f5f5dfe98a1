"""Numbers beside boards of any look: read right or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, State
from bot.geometry import Grid
from bot.vision import load_skins
from bot.vision.panel.counter import find_counter, with_counter
from bot.vision.panel.panel_numbers import read_numbers
from bot.vision.reading import Reading
from displays import draw_text
from drawn_boards import draw_board
from fixture_boards import fixture_picture

SKIN = next(skin for skin in load_skins() if skin.name == "winmine")


@pytest.mark.parametrize("words", ["{left}", "Mines: {left}", "{flags}/40"])
def test_most_counters_are_read_and_none_wrong(words: str) -> None:
    found: list[int | None] = []
    for tall in range(12, 24, 2):
        pixels, grid = np.full((490, 424, 3), 192, np.uint8), Grid(20, 80, 24, 24, 16, 16)
        draw_text(pixels, words.format(left=40 - tall, flags=tall), 22, 60, tall)
        draw_text(pixels, "25", 370, 60, tall)
        board = Board.covered(16, 16, None)
        board = board.replace(dict.fromkeys(list(board)[:tall], State.FLAG))
        counter = find_counter(read_numbers(pixels, grid), board.states)
        found.append(None if counter is None else counter.mines_left - (40 - tall))
    assert set(found) <= {0, None}
    assert found.count(0) >= 3


@pytest.mark.parametrize(
    "name",
    ["gnome-mines-medium-running", "gnome-mines-small-lost", "gnome-mines-big-lost", "kmines-hard-lost"],
)
def test_small_writing_beside_a_real_game_is_read(name: str) -> None:
    """It does not grow with the cells, and stands close below a larger sign."""
    pixels, truth = fixture_picture(f"programs/{name}")
    reading = Reading(truth.grid, Board(truth.board.states), "drawn")
    known = with_counter(pixels, reading)
    assert known.mines_left == truth.mines_left
    assert known.board.mines == truth.board.mines
    assert with_counter(pixels, known) is known


def test_words_and_half_numbers_are_no_sure_numbers() -> None:
    grid = Grid(20, 100, 24, 24, 9, 9)
    for text in ("Help", "v2", "x10", "10.5", "Total", "3rd", "1a"):
        picture = np.full((340, 260, 3), 230, np.uint8)
        draw_text(picture, text, 40, 60, 18)
        assert [number for number in read_numbers(picture, grid) if number.sure] == [], text


def test_number_with_a_part_cut_off_is_not_read() -> None:
    """What is left of it may be another number."""
    pixels, x, y = draw_board(SKIN, Board.covered(16, 16, None), 388)
    grid = Grid(x, y, 16, 16, 16, 16)
    (number,) = [each for each in read_numbers(pixels, grid) if each.value == 388]
    box = number.box
    for share in (0.15, 0.45, 0.6):
        cut = pixels.copy()
        cut[: box.bottom + 3, : box.x + round(share * box.width)] = 192
        values = [each.value for each in read_numbers(cut, grid) if each.box.x < grid.width / 2]
        assert values in ([], [88], [8])


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("number", [126, 140, 206, 378, 912])
def test_number_with_a_digit_joined_to_a_frame_is_not_read_in_part(number: int, first: bool) -> None:
    """The frame has the colour of the digits, and reaches the last or the first of them."""
    pixels, x, y = draw_board(SKIN, Board.covered(16, 16, None), number)
    grid = Grid(x, y, 16, 16, 16, 16)
    layout = SKIN.counter
    assert layout is not None
    ink = (pixels[: y - 1] == layout.colour).all(2)
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    left, right = columns[0] - (0 if first else 4), columns[-1] + (4 if first else 0)
    frame = pixels[rows[0] - 3 : rows[-1] + 4, left - 2 : right + 3]
    inside = frame[2:-2, 2:-2].copy()
    frame[:] = layout.colour
    frame[2:-2, 2:-2] = inside
    shown = [each.value for each in read_numbers(pixels, grid) if each.sure and each.box.x < grid.width / 2]
    assert shown in ([], [number])


def test_number_inside_a_dithered_frame_is_read() -> None:
    pixels, x, y = draw_board(SKIN, Board.covered(16, 16, None), 378)
    (number,) = [each for each in read_numbers(pixels, Grid(x, y, 16, 16, 16, 16)) if each.value == 378]
    box, layout = number.box, SKIN.counter
    assert layout is not None
    for side in (box.x - 5, box.right + 4):
        pixels[box.y - 6 : box.bottom + 6 : 2, side] = pixels[box.y - 5 : box.bottom + 6 : 2, side + 1] = (
            layout.colour
        )
    assert number.value in [each.value for each in read_numbers(pixels, Grid(x, y, 16, 16, 16, 16))]


@pytest.mark.parametrize("strokes", [1, 2])
def test_sides_of_a_frame_are_no_sure_number(strokes: int) -> None:
    pixels, grid = np.full((340, 260, 3), 192, np.uint8), Grid(20, 100, 24, 24, 9, 9)
    for index in range(strokes):
        pixels[50:70, 60 + 12 * index : 62 + 12 * index] = 40
    assert [each for each in read_numbers(pixels, grid) if each.sure] == []
