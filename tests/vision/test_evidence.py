"""Weighing what the reader says of cells with the rules of the game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import Board, Cell, State, States
from bot.vision.distortion import Floats
from bot.vision.judgement import COMMON, SURE, Judged, broken_numbers, cost_of_rules, judge
from bot.vision.networks import LABELS, NO_CELL

WON = ["F10", "110", "000"]


def sure_of(states: States, doubts: dict[Cell, dict[int, float]] | None = None) -> Floats:
    """Return what a reader says that is sure of all cells but some, of which it gives chances."""
    chances = np.full((*states.shape, LABELS), 1e-4)
    np.put_along_axis(chances, states[..., None].astype(int), 1.0, 2)
    for cell, options in (doubts or {}).items():
        chances[cell] = 1e-4
        for label, chance in options.items():
            chances[cell][label] = chance
    return np.asarray(np.log(chances / chances.sum(2, keepdims=True)), dtype=np.float32)


def said_of(options: dict[int, float]) -> Floats:
    """Return what a reader says of one cell to which it gives chances."""
    said: Floats = sure_of(np.zeros((1, 1), np.int8), {Cell(0, 0): options})[0, 0]
    return said


def judged(rows: list[str], doubts: dict[Cell, dict[int, float]]) -> Judged:
    states = Board.from_rows(rows).states
    apart = np.arange(states.size, dtype=np.int32).reshape(states.shape)
    return judge(sure_of(states, doubts), apart)


@pytest.mark.parametrize(
    ("rows", "cell", "options", "shown"),
    [
        (WON, Cell(1, 1), {2: 0.6, 1: 0.4}, 1),
        (WON, Cell(2, 2), {int(State.COVERED): 0.6, 0: 0.4}, 0),
        (["...1", ".211", ".100", "1100"], Cell(0, 0), {0: 0.6, int(State.COVERED): 0.4}, int(State.COVERED)),
        (
            ["*X1", "221", "000"],
            Cell(0, 0),
            {int(State.EXPLODED): 0.6, int(State.MINE): 0.4},
            int(State.MINE),
        ),
        (
            ["**1", "221", "000"],  # some mine exploded
            Cell(0, 0),
            {int(State.MINE): 0.6, int(State.EXPLODED): 0.4},
            int(State.EXPLODED),
        ),
    ],
)
def test_a_doubt_is_settled_by_the_cells_around_it(
    rows: list[str], cell: Cell, options: dict[int, float], shown: int
) -> None:
    found = judged(rows, {cell: options})
    assert found.labels[cell] == shown
    assert found.gaps[cell] > 0.5
    assert cost_of_rules(found.labels) == 0


def test_a_doubt_that_the_rules_leave_open_stays() -> None:
    found = judged(["....", ".11.", ".1..", "...."], {Cell(1, 2): {1: 0.55, 2: 0.45}})
    assert found.labels[1, 2] == 1
    assert found.gaps[1, 2] < 1


@pytest.mark.parametrize(
    ("rows", "shown"), [(["110", "XF1", "2*1"], State.WRONG_FLAG), (["111", ".F1", "2.1"], State.FLAG)]
)
def test_a_flag_beside_numbers_that_have_their_mines_is_a_wrong_one(rows: list[str], shown: State) -> None:
    doubt = {int(State.FLAG): 0.8, int(State.WRONG_FLAG): 0.2}
    assert judged(rows, {Cell(1, 1): doubt}).labels[1, 1] == shown


def test_a_clear_picture_overrules_the_rules() -> None:
    assert Board(judged(["FF1", "111", "000"], {}).labels).lines() == ["FF1", "111", "000"]
    found = judged(["1.0", "110", "000"], {Cell(0, 1): {NO_CELL: 1.0}})
    assert found.labels[0, 1] == NO_CELL  # it stays unread and may be a mine


def test_what_looks_the_same_in_several_places_is_not_hidden() -> None:
    true = Board.covered(9, 9, None).replace(dict.fromkeys((Cell(1, 3), Cell(3, 2), Cell(6, 7)), State.FLAG))
    said, alike = sure_of(true.states), true.states.astype(np.int32)
    said[true.states == State.FLAG] = said_of({int(State.FLAG): 0.35, NO_CELL: 0.65})
    found = judge(said, alike)
    assert Board(found.labels).lines() == true.lines()
    assert (found.gaps >= SURE).all()
    apart = np.arange(alike.size, dtype=np.int32).reshape(alike.shape)
    assert (judge(said, apart).gaps[true.states == State.FLAG] < SURE).all()


@pytest.mark.parametrize(
    ("taken", "chance"),
    [({0: State.COVERED, State.COVERED: 0}, 0.51), ({1: 3}, 0.7)],
    ids=["exchanged", "1 as 3"],
)
def test_looks_that_are_taken_for_others_are_put_right_by_the_numbers(
    taken: dict[int, int], chance: float
) -> None:
    true = Board.from_rows(["..F100", "..2100", "111000", "000011", "11001.", ".1001."])
    said = sure_of(true.states)
    for shown, read in taken.items():
        said[true.states == shown] = said_of({int(read): chance, int(shown): 1 - chance})
    assert Board(judge(said, true.states.astype(np.int32)).labels).lines() == true.lines()


def test_small_print_that_looks_the_same_is_read_cell_by_cell() -> None:
    rows = ["1102.2011", ".102.213.", "1101111..", "000001232", "000112.10", "0001.2110", "011211111"]
    true = Board.from_rows([*rows, "01.1002.3", "0111002.."])
    said, alike = sure_of(true.states), true.states.astype(np.int32)
    said[true.states == 1] = said_of({1: 0.99, 3: 0.01})
    said[true.states == 3] = said_of({3: 0.98, 1: 0.02})
    alike[true.states == 3] = 1
    assert Board(judge(said, alike).labels).lines() == true.lines()


def test_both_colours_of_a_checkerboard_are_put_right_together() -> None:
    true = Board.from_rows(["....1000", "....2100", "111111..", "0000001."] * 2)
    said, alike = sure_of(true.states), true.states.astype(np.int32)
    covered = true.states == State.COVERED
    said[covered] = said_of({0: 0.8, int(State.COVERED): 0.2})
    alike[covered] += np.indices(true.states.shape).sum(0)[covered] % 2
    assert Board(judge(said, alike).labels).lines() == true.lines()


@pytest.mark.parametrize("opened", [(211.0, 210.0, 224.0), (40.0, 44.0, 40.0)])
def test_blank_cells_lie_on_the_ground_of_numbers(opened: tuple[float, float, float]) -> None:
    true = Board.from_rows([".....100", ".....200", ".....200", ".....111", "........"])
    covered, blank = true.states == State.COVERED, true.states == 0
    said = sure_of(true.states)
    taken = {0: 0.6, int(State.COVERED): 0.4}  # the reader is wrong about both
    said[covered] = said_of(taken)
    grounds = np.where(covered[..., None], (182.0, 182.0, 182.0), opened).astype(np.float32)
    alike = true.states.astype(np.int32)
    assert Board(judge(said, alike, grounds).labels).lines() == true.lines()
    said[blank] = said_of({0: 0.4, int(State.COVERED): 0.6})
    assert Board(judge(said, alike, grounds).labels).lines() == true.lines()
    assert Board(judge(said, alike, np.zeros_like(grounds)).labels).lines() != true.lines()


def test_cells_on_the_ground_of_numbers_are_blank_though_covered_cells_touch_them() -> None:
    opened = [
        "001......",
        "001..F.F.",
        "00112....",
        "F00001...",
        "00111....",
        "01.......",
        "01.......",
        "1........",
    ]
    true = Board.from_rows(opened)  # the opening passed by a flag and left out corners
    blank, hidden = true.states == 0, (true.states >= State.COVERED)[..., None]
    said, alike = sure_of(true.states), true.states.astype(np.int32)
    said[blank] = said_of({0: 0.7, int(State.COVERED): 0.3})
    grounds = np.where(hidden, (122.0, 80.0, 70.0), (59.0, 43.0, 39.0)).astype(np.float32)
    found = judge(said, alike, grounds)
    certain = found.gaps >= SURE
    assert (found.labels == true.states)[certain].all()
    assert certain[blank].mean() > 0.7


def test_plain_cells_apart_from_all_others_are_the_blank_ones_of_an_opening() -> None:
    true = Board.from_rows(["..1000", "..2111", "..1...", "111...", "001...", "001..."])
    said = sure_of(true.states)
    said[true.states == 0] = said_of({0: 0.1, int(State.COVERED): 0.9})
    assert Board(judge(said, true.states.astype(np.int32)).labels).lines() == true.lines()


def test_a_board_has_mines() -> None:
    states = np.full((9, 9), State.COVERED, np.int8)
    said = sure_of(states)
    said[:] = said_of({0: 0.99, int(State.COVERED): 0.01})
    assert (judge(said, np.zeros((9, 9), np.int32)).labels == State.COVERED).all()


@pytest.mark.parametrize("rare", [int(State.QUESTION), NO_CELL])
def test_marks_and_hidden_cells_are_rarer_than_in_training(rare: int) -> None:
    doubt = {rare: 0.6, int(State.FLAG): 0.4}
    assert judged([".2F", ".21", "...", "..."], {Cell(0, 2): doubt}).labels[0, 2] == State.FLAG


def test_a_look_that_the_rules_do_not_tell_stays_in_doubt() -> None:
    true = Board.from_rows(["F111.", "11.11", "00111", "00000"])
    said = sure_of(true.states)
    covered = true.states == State.COVERED
    said[covered] = said_of({int(State.COVERED): 0.15, int(State.QUESTION): 0.85})  # which is rarer
    assert (judge(said, true.states.astype(np.int32)).gaps[covered] < 1).all()


@pytest.mark.parametrize(
    ("rows", "broken"),
    [
        (["..F100", "..2100", "111000", "000011", "11001.", ".1001."], 0),
        (["1.1", "111", "000"], 0),
        (["1..1", "1111", "0000"], 2),
        (["111", "1.1", "111"], 0),
        (["111", "1.2", "111"], 1),
    ],
)
def test_numbers_that_no_mines_explain_are_counted(rows: list[str], broken: int) -> None:
    assert broken_numbers(Board.from_rows(rows).states) == broken


def test_cells_that_look_alike_are_read_together() -> None:
    states = np.full((4, 4), 9, np.int8)
    said = sure_of(states, {Cell(0, 0): {int(State.COVERED): 0.1, int(State.QUESTION): 0.9}})
    assert judge(said, np.zeros((4, 4), np.int32)).labels[0, 0] == State.COVERED
    assert judge(said, np.arange(16, dtype=np.int32).reshape(4, 4)).labels[0, 0] == State.QUESTION


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_gaps_are_what_the_best_other_label_would_cost_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said = np.log(rng.dirichlet(np.full(LABELS, 0.2), (4, 5)) + 1e-5).astype(np.float32)
    found = judge(said, np.arange(20, dtype=np.int32).reshape(4, 5))
    row, col = int(rng.integers(4)), int(rng.integers(5))

    def cost(label: int) -> float:
        states = found.labels.copy()
        states[row, col] = label
        own = np.take_along_axis(said + COMMON, states[..., None].astype(int), 2)
        return cost_of_rules(states) - float(own.sum())

    costs = {label: cost(label) for label in range(LABELS)}
    chosen = costs.pop(int(found.labels[row, col]))
    assert found.gaps[row, col] == pytest.approx(min(costs.values()) - chosen, abs=1e-2)
    assert found.gaps[row, col] >= -1e-2


@pytest.mark.parametrize(
    ("rows", "shown"),
    [(["X1...", "1F...", "...*."], State.WRONG_FLAG), (["F1...", "1F...", "....."], State.FLAG)],
)
def test_a_flag_too_many_is_a_wrong_one_once_the_game_is_lost(rows: list[str], shown: State) -> None:
    found = judged(rows, {Cell(1, 1): {int(State.FLAG): 0.95, int(State.WRONG_FLAG): 0.05}})
    assert found.labels[1, 1] == shown


@pytest.mark.parametrize(
    ("rows", "shown"),
    [(["....", ".X*.", "*..."], State.COVERED), (["11..", ".X..", "*..."], State.EXPLODED)],
)
def test_no_mine_explodes_before_a_cell_was_opened(rows: list[str], shown: State) -> None:
    found = judged(rows, {Cell(1, 1): {int(State.EXPLODED): 0.9, int(State.COVERED): 0.1}})
    assert found.labels[1, 1] == shown
