"""Numbers beside boards of any look: read right or not at all."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.geometry import Grid, Rect
from bot.vision import load_picture
from bot.vision.panel.counter import find_counter, with_counter
from bot.vision.panel.panel_numbers import find_rows, read_numbers, segment_digit
from bot.vision.reading import Reading, game_state
from drawn_panels import display_digit, draw_panel, draw_text
from fixture_boards import FIXTURES, fixture_boards

KINDS = ("display", "text", "words", "share")
LEVELS = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (12, 18, 37))
FEWEST = {"display": 5, "text": 4, "words": 4, "share": 2}  # of 8; small text is hard


@pytest.mark.parametrize("kind", KINDS)
def test_most_counters_are_read_and_none_wrong(kind: str) -> None:
    outcome: Counter[str] = Counter()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        rows, cols, total = LEVELS[seed % 4]
        flags = (seed // 2) * 3 % total
        picture = draw_panel(rng, kind, total - flags, seed * 7 % 60, flags, rows, cols)
        board = Board.covered(rows, cols, None)
        board = board.replace(dict.fromkeys(list(board)[:flags], 10))
        counter = find_counter(read_numbers(picture.pixels, picture.grid), board.states)
        left = None if counter is None else counter.mines_left
        outcome["none" if left is None else "right" if left == total - flags else f"{left} in {seed}"] += 1
    assert set(outcome) <= {"right", "none"}
    assert outcome["right"] >= FEWEST[kind]


@pytest.mark.parametrize(
    "name",
    [
        "winemine-beginner-running",
        "winemine-custom-lost",
        "winemine-expert-fresh",
        "programs/xdemineur-120-lost",
    ],
)
def test_displays_of_a_real_game_are_read_without_knowing_it(name: str) -> None:
    (truth, *_) = fixture_boards(name)
    grid = truth.grid
    found = read_numbers(load_picture(FIXTURES / f"{name}.png"), grid)
    assert truth.mines_left in [number.value for number in found]


def test_counter_completes_a_reading() -> None:
    picture = draw_panel(np.random.default_rng(3), "display", 40, 0, 0, 16, 16)
    board = Board.covered(16, 16, None)
    reading = Reading(picture.grid, board, game_state(board), "drawn")
    known = with_counter(picture.pixels, reading)
    assert known.mines_left == 40
    assert known.board.mines == 40
    assert with_counter(picture.pixels, known) is known


@pytest.mark.parametrize(
    "name",
    ["gnome-mines-medium-running", "gnome-mines-small-lost", "gnome-mines-big-lost", "kmines-hard-lost"],
)
def test_small_writing_beside_a_real_game_is_read(name: str) -> None:
    """It does not grow with the cells, and stands close below a larger sign."""
    (truth,) = fixture_boards(f"programs/{name}")
    grid = truth.grid
    board = Board(truth.board.states)
    reading = Reading(grid, board, game_state(board), "drawn")
    known = with_counter(load_picture(FIXTURES / "programs" / f"{name}.png"), reading)
    assert known.mines_left == truth.mines_left
    assert known.board.mines == truth.board.mines


def test_words_and_half_numbers_are_no_sure_numbers() -> None:
    grid = Grid(20, 100, 24, 24, 9, 9)
    for text in ("Help", "v2", "x10", "10.5", "Total", "3rd", "1a"):
        picture = np.full((340, 260, 3), 230, np.uint8)
        draw_text(picture, text, 40, 60, 18)
        assert [number for number in read_numbers(picture, grid) if number.sure] == [], text


def test_number_with_a_part_cut_off_is_not_read() -> None:
    """What is left of it may be another number."""
    picture = draw_panel(np.random.default_rng(3), "display", 388, 0, 0, 16, 16)
    (number,) = [each for each in read_numbers(picture.pixels, picture.grid) if each.value == 388]
    box = number.box
    for share in (0.15, 0.45, 0.6):
        pixels = picture.pixels.copy()
        pixels[: box.bottom + 3, : box.x + round(share * box.width)] = 192
        values = [
            each.value for each in read_numbers(pixels, picture.grid) if each.box.x < picture.grid.width / 2
        ]
        assert values in ([], [88], [8])


def test_plain_ground_has_no_rows() -> None:
    assert find_rows(np.full((60, 200, 3), 192, np.uint8), (8, 40)) == ([], set())


def test_row_of_glyphs_is_cut_in_order() -> None:
    picture = np.zeros((40, 120, 3), np.uint8)
    boxes = [Rect(10, 10, 8, 20), Rect(22, 10, 8, 20), Rect(34, 10, 8, 20)]
    for box in boxes:
        picture[box.y : box.bottom, box.x : box.right] = (0, 0, 255)
    rows = {tuple(glyph.box for glyph in row) for row in find_rows(picture, (8, 40))[0]}
    assert rows == {tuple(boxes)}


@pytest.mark.parametrize("size", [(11, 19), (22, 38), (30, 60)])
def test_segments_tell_digits_from_each_other_and_from_other_shapes(size: tuple[int, int]) -> None:
    for digit in range(10):
        ink = cv2.resize(display_digit(digit), size, interpolation=cv2.INTER_AREA) > 128
        assert segment_digit(ink[np.ix_(ink.any(1), ink.any(0))]) == digit
    assert segment_digit(np.ones((20, 12), np.bool_)) is None
    assert segment_digit(np.tri(20, 12, dtype=np.bool_)) is None
    assert segment_digit(np.eye(20, 6, dtype=np.bool_)) is None
