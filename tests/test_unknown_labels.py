"""Labelling clusters without a template: what shapes leave open, colours and the rules of the game decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, Cell, FirstClick, State, States
from bot.game.simulation import Game
from bot.geometry import Grid, Pixels
from bot.vision.skin import load_skins
from bot.vision.unknown.clusters import Clusters, find_clusters
from bot.vision.unknown.labels import Labelling, label
from bot.vision.unknown.logic import HIDDEN, LABELS, Places, broken, logic_cost, order
from bot.vision.unknown.trust import certain_cells
from drawn_boards import draw_board

Floats = npt.NDArray[np.float32]


def played(rows: int, cols: int, seed: int, opened: float = 0.4, lost: bool = False) -> Board:
    """Return a position of a careful player: some free cells opened, half of the mines flagged."""
    game = Game(rows, cols, rows * cols // 6, seed, FirstClick.OPENING)
    game.open(Cell(rows // 2, cols // 2))
    mines = sorted(game.mines or frozenset())
    free = [cell for cell in game.board.cells(State.COVERED) if cell not in mines]
    for mine in mines[::2]:
        game.flag(mine)
    for cell in free[: round(opened * len(free))]:
        game.open(cell)
    if lost:
        game.flag(free[-1])
        game.open(mines[1])
    return game.board


RUNNING = Board.from_rows(["..F100", "..2100", "111000", "000011", "11001.", ".1001."])
POSITIONS = {
    "fresh": Board.covered(9, 9, 10),
    "one opened": Board.covered(9, 9, 10).replace({Cell(4, 4): 1}),
    "running": played(16, 30, 3),
    "nearly won": played(16, 16, 4, opened=0.97),
    "won": played(9, 9, 5, opened=1.0),
    "lost": played(16, 16, 6, lost=True),
}
SKINS = [skin for skin in load_skins() if skin.name in ("winmine", "winemine")]


def drawn(board: Board, skin: str = "winmine") -> tuple[Pixels, Grid]:
    chosen = next(known for known in SKINS if known.name == skin)
    pixels, x, y = draw_board(chosen, board)
    return pixels, Grid(x, y, chosen.cell, chosen.cell, *board.shape)


def seen_by_shape(clusters: Clusters, states: States) -> Floats:
    """Return what an honest network would say: glyphs are clear, covered and blank look alike."""
    chances = np.full((clusters.count, LABELS), 0.002)
    for cluster in range(clusters.count):
        true = int(np.bincount(states[clusters.of_cell == cluster]).argmax())
        chances[cluster, [0, State.COVERED] if true in (0, State.COVERED) else true] = 0.5
    return np.asarray(np.log(chances / chances.sum(1, keepdims=True)), dtype=np.float32)


def labelled(board: Board, skin: str = "winmine") -> tuple[States, Labelling]:
    clusters = find_clusters(*drawn(board, skin))
    labelling = label(clusters, seen_by_shape(clusters, board.states))
    return labelling.labels[labelling.unit_of][clusters.of_cell].astype(np.int8), labelling


@pytest.mark.parametrize("skin", [skin.name for skin in SKINS])
@pytest.mark.parametrize("name", POSITIONS)
def test_the_rules_tell_covered_from_blank(name: str, skin: str) -> None:
    states, labelling = labelled(POSITIONS[name], skin)
    assert Board(states).lines() == POSITIONS[name].lines()
    assert labelling.gap[np.isin(labelling.labels, (0, State.COVERED))].min() > 1


def test_a_glyph_that_looks_like_two_numbers_is_the_one_that_fits() -> None:
    board = played(16, 30, 3)
    clusters = find_clusters(*drawn(board))
    shapes = seen_by_shape(clusters, board.states)
    threes = [c for c in range(clusters.count) if (board.states[clusters.of_cell == c] == 3).all()]
    shapes[threes, 8] = shapes[threes, 3]  # an 8 would need eight mines around each of them
    labelling = label(clusters, shapes)
    assert set(labelling.labels[labelling.unit_of[threes]].tolist()) == {3}


def test_a_doubt_that_nothing_settles_has_a_small_gap() -> None:
    board = Board.covered(8, 8, 10).replace({Cell(1, 6): 1, Cell(3, 3): 2, Cell(6, 6): State.QUESTION})
    clusters = find_clusters(*drawn(board))
    shapes = seen_by_shape(clusters, board.states)
    torn = int(clusters.of_cell[3, 3])
    sure = label(clusters, shapes)
    shapes[torn, 2] = shapes[torn, 1] = -0.7
    torn_between = label(clusters, shapes)
    assert sure.gap[sure.unit_of[torn]] > 4
    assert torn_between.gap[torn_between.unit_of[torn]] < 4


def test_one_number_in_another_colour_than_several_others_is_still_read() -> None:
    board = played(16, 30, 3)
    pixels, grid = drawn(board)
    threes = board.cells(3)
    for cell, red in zip(threes, (0, 110, 155, 205, 255), strict=False):
        rect = grid.cell_rect(cell)
        inside = pixels[rect.y : rect.bottom, rect.x : rect.right]
        inside[(inside == (0, 0, 255)).all(-1)] = (0, 0, red)
    clusters = find_clusters(pixels, grid)
    labelling = label(clusters, seen_by_shape(clusters, board.states))
    units = labelling.unit_of[[clusters.of_cell[cell] for cell in threes]]
    assert len(set(units.tolist())) >= 4
    assert set(labelling.labels[units].tolist()) == {3}


def test_a_cell_that_clearly_looks_covered_may_lie_apart_from_the_others() -> None:
    board = POSITIONS["nearly won"]
    alone = next(
        cell
        for cell in board.cells(State.COVERED)
        if not any(board[near] == State.COVERED for near in board.neighbours(cell))
    )
    pixels, grid = drawn(board)
    rect = grid.cell_rect(alone)
    pixels[rect.y : rect.bottom, rect.x : rect.right, 0] //= 2
    clusters = find_clusters(pixels, grid)
    apart = clusters.of_cell[alone]
    assert (clusters.of_cell == apart).sum() == 1
    shapes = seen_by_shape(clusters, board.states)
    shapes[np.unique(clusters.of_cell[board.states == State.COVERED]), 0] -= 6
    labelling = label(clusters, shapes)
    assert labelling.labels[labelling.unit_of[apart]] == State.COVERED
    assert labelling.gap[labelling.unit_of[apart]] > 2


def cost(board: Board, **changes: int) -> float:
    """Return what the rules say to a board in which each state that is named shows something else."""
    units = board.states.astype(np.int32)
    labels = np.arange(LABELS, dtype=np.int32)
    for name, other in changes.items():
        labels[State[name] if name in State.__members__ else int(name[1:])] = other
    plain = np.isin(np.arange(LABELS), (0, State.COVERED))
    return float(logic_cost(Places.of(units, plain, np.zeros_like(plain)), labels[None])[0])


@pytest.mark.parametrize(
    "change",
    [
        {"COVERED": 0},
        {"n0": int(State.COVERED)},
        {"n0": int(State.COVERED), "COVERED": 0},
        {"n1": 2},
        {"n2": 3},
        {"n1": 2, "n2": 1},
        {"COVERED": 8},
        {"n0": HIDDEN},
    ],
)
def test_a_true_board_costs_least(change: dict[str, int]) -> None:
    board = played(16, 16, 2)
    assert cost(board) < cost(board, **change)


def test_contradictions_are_found_where_they_are() -> None:
    assert not broken(RUNNING.states.astype(np.int32)).any()
    wrong = RUNNING.replace({Cell(2, 2): 6})
    assert np.argwhere(broken(wrong.states.astype(np.int32))).tolist() == [[2, 2]]


@pytest.mark.parametrize("rows", ["...|.5.|000", "...|.6.|.1.", "...|.7.|..1", "FF.|.5.|000"])
def test_large_numbers_among_covered_cells_are_no_contradiction(rows: str) -> None:
    board = Board.from_rows(rows.split("|"))
    assert not broken(board.states.astype(np.int32))[1, 1]


def test_something_over_a_blank_is_no_contradiction() -> None:
    covered = RUNNING.replace({Cell(3, 1): State.UNREADABLE})
    assert not broken(covered.states.astype(np.int32)).any()


@pytest.mark.parametrize("name", ["running", "nearly won", "won", "lost"])
def test_opened_cells_of_a_game_stand_where_they_must(name: str) -> None:
    states = POSITIONS[name].states.astype(np.int32)
    assert order(states) > 100
    assert order(np.random.default_rng(1).permutation(states.ravel()).reshape(states.shape)) < 40


def test_covered_cells_alone_have_no_order() -> None:
    assert order(np.full((9, 9), int(State.COVERED), np.int32)) == 0


@pytest.mark.parametrize(("gap", "certain"), [(3.0, False), (4.5, True)])
def test_a_blank_that_looks_covered_needs_clear_rules(gap: float, certain: bool) -> None:
    board = POSITIONS["running"]
    clusters = find_clusters(*drawn(board))
    shapes = seen_by_shape(clusters, board.states)
    labelling = label(clusters, shapes)
    blank = labelling.labels == 0
    doubtful = replace(
        labelling,
        shapes=np.where(blank[:, None], np.log(np.where(np.arange(LABELS) == State.COVERED, 0.95, 0.003)), 0),
        gap=np.where(blank, gap, 9).astype(np.float32),
    )
    assert certain_cells(clusters, doubtful)[board.states == 0].all() == certain
    assert certain_cells(clusters, doubtful)[board.states != 0].all()
