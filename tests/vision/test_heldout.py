"""The drawn screens that readers are judged on: the same for a seed, true, and readable."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, Cell, State, cells_where, neighbours
from heldout import MissingFontError, Scene, require_fonts, scene
from heldout.styles import LEAST_CELLS, STYLES

SEEDS = range(50)


@pytest.fixture(scope="module", autouse=True)
def _fonts() -> None:
    try:
        require_fonts()
    except MissingFontError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [scene(seed) for seed in SEEDS]


def test_a_seed_gives_the_same_picture_and_truth_again(scenes: list[Scene]) -> None:
    for seed in (0, 7, 30):
        again = scene(seed)
        assert np.array_equal(again.pixels, scenes[seed].pixels)
        assert np.array_equal(again.states, scenes[seed].states)
        assert (again.grid, again.tags) == (scenes[seed].grid, scenes[seed].tags)


def test_pictures_and_grids_keep_within_their_limits(scenes: list[Scene]) -> None:
    for drawn in scenes:
        height, width = drawn.pixels.shape[:2]
        assert drawn.pixels.dtype == np.uint8
        assert width <= 2600
        assert height <= 1500
        for board in drawn.boards:
            grid = board.grid
            assert 4 <= grid.rows <= 24
            assert 4 <= grid.cols <= 30
            assert 11.9 <= min(grid.pitch_x, grid.pitch_y) <= 111
            assert 0.49 <= grid.pitch_x / grid.pitch_y <= 2.01
            assert min(grid.x, grid.y) >= 0
            assert grid.x + grid.width <= width + 0.5  # uneven cells end at whole pixels
            assert grid.y + grid.height <= height + 0.5


def test_every_number_counts_the_mines_around_it(scenes: list[Scene]) -> None:
    for board in (board for drawn in scenes for board in drawn.boards):
        for cell, number in Board(board.states).numbers():
            assert number == sum(board.mines[c] for c in neighbours(*board.states.shape, cell))
        shown = np.isin(board.states, (State.MINE, State.EXPLODED))
        assert not (shown & ~board.mines).any()
        assert not (board.mines & (board.states <= 8)).any()


def test_states_of_games_are_what_their_boards_show(scenes: list[Scene]) -> None:
    states, sizes = ([getattr(each, name) for each in scenes] for name in ("state", "size"))
    assert [states.count(state) for state in ("new", "running", "won", "lost")] == [6, 30, 7, 7]
    assert all(abs(sizes.count(size) - 50 / 3) < 2 for size in ("standard", "small", "any"))
    for board in (board for drawn in scenes for board in drawn.boards):
        opened, shown = board.states <= 8, np.isin(board.states, (State.MINE, State.EXPLODED))
        safe_open = bool((opened | board.mines).all())
        assert board.state == (
            "new" if not opened.any() else "lost" if shown.any() else "won" if safe_open else "running"
        )


def test_hidden_cells_are_few_and_only_below_something(scenes: list[Scene]) -> None:
    for drawn in scenes:
        cause = {"pointer", "window over a corner"} & set(drawn.tags)
        assert cause or not drawn.hidden.any()
        assert drawn.hidden.mean() < 0.25


@pytest.mark.parametrize("style", STYLES)
def test_every_style_draws_every_state_apart(style: str) -> None:
    for seed, size in enumerate((LEAST_CELLS.get(style, 12), 33)):
        look = STYLES[style](np.random.default_rng(seed), size)
        assert {*range(9), State.COVERED, State.FLAG, State.MINE} <= set(look.states)
        pictures = {state: look.cell(state, (size, size)).astype(int) for state in look.states}
        assert all(picture.shape == (size, size, 3) for picture in pictures.values())
        for one, other in combinations(look.states, 2):
            difference = np.abs(pictures[one] - pictures[other]).max(axis=2)
            assert (difference > 24).sum() >= 4, f"{State(max(one, other)).name} {one} {other}"


def test_covered_cells_lie_where_the_grid_says(scenes: list[Scene]) -> None:
    """Cells of one state look alike only if the grid's pitch does not run away from the picture's."""
    checked = 0
    for drawn in scenes:
        if "unchanged" not in drawn.tags or {"texture", "checkerboard"} & set(drawn.tags):
            continue
        cells = [c for c in cells_where(drawn.states == State.COVERED) if not drawn.hidden[c]]
        if len(cells) < 2 or drawn.style in ("aero", "phosphor"):  # light falls over their whole boards
            continue
        first, last = (_cell(drawn, cell) for cell in (cells[0], cells[-1]))
        assert np.abs(first - last).mean() < 1, f"{drawn.style} {drawn.layout}"
        checked += 1
    assert checked >= 8


def _cell(drawn: Scene, cell: Cell) -> npt.NDArray[np.int64]:
    x, y = drawn.grid.corner(cell)
    x, y = int(np.ceil(x)), int(np.ceil(y))
    side_x, side_y = int(drawn.grid.pitch_x) - 1, int(drawn.grid.pitch_y) - 1
    return drawn.pixels[y : y + side_y, x : x + side_x].astype(np.int64)
