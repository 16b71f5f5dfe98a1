"""The drawn screens that readers are judged on: the same for a seed, true, and readable."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, State, neighbours
from heldout import scene
from true_pictures import Mask, TrueBoard, TruePicture

SEEDS = range(50)


@pytest.fixture(scope="module")
def scenes() -> list[TruePicture]:
    return [scene(seed) for seed in SEEDS]


def mines_of(board: TrueBoard) -> Mask:
    assert board.mines is not None
    return board.mines


def test_a_seed_gives_the_same_picture_and_truth_again(scenes: list[TruePicture]) -> None:
    for seed in (0, 7, 30):
        again = scene(seed)
        assert np.array_equal(again.pixels, scenes[seed].pixels)
        assert again.tags == scenes[seed].tags
        for one, other in zip(again.boards, scenes[seed].boards, strict=True):
            assert one.grid == other.grid
            assert np.array_equal(one.states, other.states)


def test_every_number_counts_the_mines_around_it(scenes: list[TruePicture]) -> None:
    for board in (board for drawn in scenes for board in drawn.boards):
        for cell, number in Board(board.states).numbers():
            assert number == sum(mines_of(board)[c] for c in neighbours(*board.states.shape, cell))
        shown = np.isin(board.states, (State.MINE, State.EXPLODED))
        assert not (shown & ~mines_of(board)).any()
        assert not (mines_of(board) & (board.states <= 8)).any()
