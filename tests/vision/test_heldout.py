"""The drawn screens that readers are judged on: the same for a seed, true, and readable."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, State, neighbours
from heldout import MissingFontError, Scene, require_fonts, scene

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


def test_every_number_counts_the_mines_around_it(scenes: list[Scene]) -> None:
    for board in (board for drawn in scenes for board in drawn.boards):
        for cell, number in Board(board.states).numbers():
            assert number == sum(board.mines[c] for c in neighbours(*board.states.shape, cell))
        shown = np.isin(board.states, (State.MINE, State.EXPLODED))
        assert not (shown & ~board.mines).any()
        assert not (board.mines & (board.states <= 8)).any()
