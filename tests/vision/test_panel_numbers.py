"""Numbers beside boards of any look: read right or not at all."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bot.board import Board
from bot.geometry import Grid
from bot.vision import load_picture
from bot.vision.panel.counter import find_counter, with_counter
from bot.vision.panel.panel_numbers import read_numbers
from bot.vision.reading import Reading, game_state
from drawn_panels import draw_panel, draw_text
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
        pixels, grid = draw_panel(rng, kind, total - flags, seed * 7 % 60, flags, rows, cols)
        board = Board.covered(rows, cols, None)
        board = board.replace(dict.fromkeys(list(board)[:flags], 10))
        counter = find_counter(read_numbers(pixels, grid), board.states)
        left = None if counter is None else counter.mines_left
        outcome["none" if left is None else "right" if left == total - flags else f"{left} in {seed}"] += 1
    assert set(outcome) <= {"right", "none"}
    assert outcome["right"] >= FEWEST[kind]


def test_counter_completes_a_reading() -> None:
    pixels, grid = draw_panel(np.random.default_rng(3), "display", 40, 0, 0, 16, 16)
    board = Board.covered(16, 16, None)
    reading = Reading(grid, board, game_state(board), "drawn")
    known = with_counter(pixels, reading)
    assert known.mines_left == 40
    assert known.board.mines == 40
    assert with_counter(pixels, known) is known


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
    pixels, grid = draw_panel(np.random.default_rng(3), "display", 388, 0, 0, 16, 16)
    (number,) = [each for each in read_numbers(pixels, grid) if each.value == 388]
    box = number.box
    for share in (0.15, 0.45, 0.6):
        cut = pixels.copy()
        cut[: box.bottom + 3, : box.x + round(share * box.width)] = 192
        values = [each.value for each in read_numbers(cut, grid) if each.box.x < grid.width / 2]
        assert values in ([], [88], [8])
