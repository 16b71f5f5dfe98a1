"""The drawn screens that readers are judged on: the same for a seed, true, and readable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from bench.bench_sides import right_sides
from bot.board import Board, Cell, State, neighbours
from bot.vision import Reading
from bot.vision.reading import Side
from heldout import TAGS, new_scene, scene, sides_scene
from heldout.new_styles import NEW_STYLES
from heldout.screens import NEW, OLD, dealt
from heldout.sides import SITUATIONS, seen
from heldout.styles import STYLES
from true_pictures import Mask, TrueBoard, TruePicture

SCENES = (scene, new_scene, sides_scene)
Scenes = Sequence[TruePicture]


@pytest.fixture(scope="module")
def drawn() -> dict[Callable[[int], TruePicture], Scenes]:
    return {
        make: [make(seed) for seed in range(count)] for make, count in zip(SCENES, (30, 30, 24), strict=True)
    }


def mines_of(board: TrueBoard) -> Mask:
    assert board.mines is not None
    return board.mines


@pytest.mark.parametrize("make", SCENES)
def test_a_seed_gives_the_same_picture_and_truth_again(
    drawn: dict[Callable[[int], TruePicture], Scenes], make: Callable[[int], TruePicture]
) -> None:
    for seed in (0, 7, 22):
        again, first = make(seed), drawn[make][seed]
        assert np.array_equal(again.pixels, first.pixels)
        assert again.tags == first.tags
        for one, other in zip(again.boards, first.boards, strict=True):
            assert one.grid == other.grid
            assert one.sides == other.sides
            assert np.array_equal(one.states, other.states)


@pytest.mark.parametrize("make", SCENES)
def test_every_number_counts_the_mines_around_it(
    drawn: dict[Callable[[int], TruePicture], Scenes], make: Callable[[int], TruePicture]
) -> None:
    for board in (board for picture in drawn[make] for board in picture.boards if board.mines is not None):
        for cell, number in Board(board.states).numbers():
            assert number == sum(mines_of(board)[c] for c in neighbours(*board.states.shape, cell))
        shown = np.isin(board.states, (State.MINE, State.EXPLODED))
        assert not (shown & ~mines_of(board)).any()
        assert not (mines_of(board) & (board.states <= 8)).any()


def test_the_two_sets_share_no_style_and_deal_each_of_theirs_alike() -> None:
    assert len(NEW_STYLES) >= 20
    assert not set(NEW_STYLES) & set(STYLES)
    for of in (OLD, NEW):
        shares = Counter(dealt(seed, tuple(of.styles), 4) for seed in range(137, 1137))
        assert max(shares.values()) - min(shares.values()) <= 2
    assert [new_scene(seed).tags["style"] for seed in (3, 4)] == [
        dealt(s, tuple(NEW_STYLES), 4) for s in (3, 4)
    ]
    assert set(TAGS) <= set(new_scene(5).tags)


@pytest.mark.parametrize("style", NEW_STYLES)
def test_states_of_a_new_style_differ_in_the_picture(style: str) -> None:
    for seed in range(3):
        look = NEW_STYLES[style](np.random.default_rng(seed), 32)
        cells = {state: look.cell(state, (32, 32)).astype(np.int16) for state in look.states}
        for one, other in ((a, b) for a in cells for b in cells if a < b):
            assert (np.abs(cells[one] - cells[other]).max(2) > 12).mean() > 0.005, (State(one), State(other))


def test_what_is_out_of_sight_at_the_sides_is_hidden(
    drawn: dict[Callable[[int], TruePicture], Scenes],
) -> None:
    assert {picture.tags["situation"] for picture in drawn[sides_scene]} == set(SITUATIONS)
    for picture in drawn[sides_scene]:
        (board,) = picture.boards
        height, width = picture.pixels.shape[:2]
        for row, col in np.argwhere(board.visible).tolist():
            x, y = board.grid.centre(Cell(row, col))
            assert 0 <= x < width
            assert 0 <= y < height
        hidden = ~board.visible
        lines = {
            Side.TOP: hidden[0],
            Side.LEFT: hidden[:, 0],
            Side.BOTTOM: hidden[-1],
            Side.RIGHT: hidden[:, -1],
        }
        assert board.sides is not None
        for side, truth in board.sides.items():
            assert lines[side].all() or truth != "cut"
            assert not lines[side].all() or truth != "ends"


@pytest.mark.parametrize(
    ("out", "truth"),
    [(0, "ends"), (1, "open"), (8, "cut"), (14, "open"), (16, "open"), (24, "cut"), (30, "open")],
)
def test_a_slice_of_a_cell_tells_nothing(out: float, truth: str) -> None:
    assert seen(out, 16) == truth


def test_a_side_is_right_if_it_ends_where_the_board_does_or_is_called_cut() -> None:
    picture = next(
        picture for picture in map(sides_scene, range(40)) if picture.tags["situation"] == SITUATIONS[0]
    )
    (board,) = picture.boards
    cut = replace(board, sides={**dict.fromkeys(Side, "ends"), Side.TOP: "cut"})
    whole = Reading(board.grid, Board(board.states), "unknown")
    short = replace(whole, grid=board.grid.part(1, 0, *board.states.shape), board=Board(board.states[1:]))
    named = replace(short, cut=frozenset((Side.TOP,)))
    assert right_sides(None, board) == dict.fromkeys(Side, False)
    assert right_sides(whole, board) == right_sides(whole, cut) == dict.fromkeys(Side, True)
    for reading in (short, named):
        assert right_sides(reading, board) == {**dict.fromkeys(Side, True), Side.TOP: False}
    assert not right_sides(short, cut)[Side.TOP]
    assert right_sides(named, cut)[Side.TOP]
