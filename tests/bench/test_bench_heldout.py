"""The benches over held-out screens: their truth is the picture's, and each step of reading is judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.bench_heldout import cases, drawn
from bench.bench_steps import STEPS, same_cells, steps_of
from bench.measured import TrueBoard
from bench.small_boards import small_board
from bot.geometry import Grid
from heldout import MissingFontError, require_fonts, scene

GRID = Grid(10.0, 20.0, 16.0, 16.0, 6, 7)


@pytest.fixture
def fonts() -> None:
    try:
        require_fonts()
    except MissingFontError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("fonts")
def test_a_case_is_the_screen_of_its_seed() -> None:
    (case,) = cases([3])
    picture, screen = case.draw(), scene(3)
    assert np.array_equal(picture.pixels, screen.pixels)
    assert [board.grid for board in picture.boards] == [board.grid for board in screen.boards]
    assert picture.tags["style"] == screen.style
    assert all(picture.tags[tag] == "yes" for tag in screen.tags)
    assert {board.state.value for board in drawn(3).boards if board.state} == {
        board.state for board in screen.boards
    }


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (GRID.moved(0.5, 0), True),
        (replace(GRID, pitch_x=16.1), True),
        (replace(GRID, rows=5), False),
        (GRID.moved(16, 0), False),
    ],
)
def test_grids_have_the_same_cells_or_not(other: Grid, same: bool) -> None:
    assert same_cells(other, GRID) is same


def test_a_plain_board_passes_each_step_and_a_board_elsewhere_none() -> None:
    picture = small_board(3).picture
    (board,) = picture.boards
    assert steps_of(picture.pixels, board) == dict.fromkeys(STEPS[:6], True)
    blank = np.full_like(picture.pixels, 200)
    nowhere = TrueBoard(board.grid, board.states)
    assert not any(steps_of(blank, nowhere).values())
