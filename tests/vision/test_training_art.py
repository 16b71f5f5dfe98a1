"""The art that the cell reader learns from: rare looks can be told apart, and labels fit what is drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from art import random_states
from art.boards import draw_board, draw_cell
from art.ink import Generator
from art.rare import DAMAGES, LAID_OVER, LOOKS, pressed, strips
from art.scenes import UNSURE, WINDOW, PlacedBoard, Scene, random_scene, samples, truth_of
from art.scenes import _behind_console as behind_console
from art.scenes import _cut as cut
from art.styles import random_style
from art.surroundings import fill
from art.things import THINGS
from bot.board import State, States
from bot.geometry import Grid
from bot.vision.networks import NO_CELL, WEIGHTS, run, summary

SEED, PITCH = 20261128, 24
STATES = (0, 1, 2, 4, 8, State.COVERED, State.FLAG, State.MINE)


def rng_of(*numbers: int) -> Generator:
    return np.random.default_rng((SEED, *numbers))


def scene_of(rng: Generator, margin: int = 3 * PITCH) -> Scene:
    """Return a scene with one board of 9 rows and 12 columns of a running game, on a plain page."""
    style, states = random_style(rng), random_states(rng, 9, 12)
    board = draw_board(style, states, PITCH, PITCH)
    canvas = fill(rng, board.shape[0] + 2 * margin, board.shape[1] + 2 * margin)
    canvas[margin : margin + board.shape[0], margin : margin + board.shape[1]] = board
    placed = PlacedBoard(Grid(margin, margin, PITCH, PITCH, 9, 12), states.astype(np.int8))
    return Scene(canvas, (placed,), (PITCH, PITCH))


@pytest.mark.parametrize("name", LOOKS)
def test_the_states_of_a_rare_look_differ(name: str) -> None:
    for number in range(4):
        rng = rng_of(number)
        style = LOOKS[name](rng, random_style(rng))
        cells = {state: draw_cell(style, state, PITCH, PITCH).astype(int) for state in STATES}
        for one, other in combinations(STATES, 2):
            assert np.abs(cells[one] - cells[other]).max() > 8, (number, one, other)


def test_pictures_are_drawn_on_covered_cells_alone() -> None:
    for number in range(4):
        rng = rng_of(number)
        plain = random_style(rng)
        style = LOOKS["pictures on covered cells"](rng, plain)
        before, after = (draw_cell(each, State.COVERED, PITCH, PITCH) for each in (plain, style))
        assert (before != after).any()
        assert (draw_cell(plain, 1, PITCH, PITCH) == draw_cell(style, 1, PITCH, PITCH)).all()


@pytest.mark.parametrize("name", LAID_OVER)
def test_what_lies_over_a_board_changes_it(name: str) -> None:
    rng = rng_of(1)
    style, states = random_style(rng), random_states(rng, 9, 9)
    board = draw_board(style, states, PITCH, PITCH)
    before = board.copy()
    LAID_OVER[name](rng, board, states, style)
    assert (board != before).any()


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_picture_has_its_size(name: str) -> None:
    rng = rng_of(2)
    pixels = scene_of(rng).pixels
    damaged = DAMAGES[name](rng, pixels)
    assert damaged.shape == pixels.shape
    assert damaged.dtype == np.uint8
    assert (damaged != pixels).any()


@pytest.mark.parametrize("name", THINGS)
def test_a_thing_fills_a_canvas(name: str) -> None:
    for number in range(4):
        rng = rng_of(number)
        canvas = np.zeros((10 * PITCH, 12 * PITCH, 3), np.uint8)
        THINGS[name](rng, canvas, PITCH, PITCH)
        assert len(np.unique(canvas.reshape(-1, 3), axis=0)) > 1


def lines(states: States) -> list[str]:
    return ["".join({int(State.COVERED): ".", -1: "?"}.get(int(n), str(n)) for n in row) for row in states]


def test_pressed_cells_are_covered_where_one_can_tell() -> None:
    covered = np.full((3, 3), State.COVERED, np.int8)
    for number in range(8):
        drawn, truth = pressed(rng_of(number), covered)
        assert (drawn == 0).sum() > 0
        if (drawn == State.COVERED).any() and drawn[1, 1] == State.COVERED:
            assert lines(truth) == ["...", "...", "..."]
    drawn, truth = pressed(rng_of(0), covered[:1, :1])
    assert lines(drawn) == ["0"]
    assert lines(truth) == ["?"]


def test_strips_leave_the_board_as_it_is() -> None:
    for number in range(10):
        rng = rng_of(number)
        scene = scene_of(rng)
        before, grid = scene.pixels.copy(), scene.boards[0].grid
        strips(rng, scene.pixels, grid, random_style(rng))
        inside = slice(int(grid.y), int(grid.y + grid.height)), slice(int(grid.x), int(grid.x + grid.width))
        assert (scene.pixels[inside] == before[inside]).all()
        assert (scene.pixels != before).any()


def test_cells_behind_a_window_are_no_cells() -> None:
    hidden = 0
    for number in range(10):
        rng = rng_of(number)
        scene = scene_of(rng)
        after = behind_console(rng, scene)
        (before,), (board,) = scene.boards, after.boards
        changed = (after.pixels != scene.pixels).any(2)
        for row, col in np.ndindex(*board.labels.shape):
            y, x = int(board.grid.y) + row * PITCH, int(board.grid.x) + col * PITCH
            if not changed[y : y + PITCH, x : x + PITCH].any():
                assert board.labels[row, col] == before.labels[row, col]
            elif changed[y : y + PITCH, x : x + PITCH].all():
                assert board.labels[row, col] == NO_CELL
                hidden += 1
    assert hidden > 50


def test_cells_that_a_picture_cuts_are_no_cells() -> None:
    """The outermost row and column are cells if nearly all of them is in the picture."""
    for number in range(10):
        rng = rng_of(number)
        scene = cut(rng, scene_of(rng, 0))
        (board,) = scene.boards
        labels, _ = truth_of(scene, replace(board.grid))
        height, width = scene.pixels.shape[:2]
        for row, col in np.ndindex(*labels.shape):
            left, top = board.grid.x + col * PITCH, board.grid.y + row * PITCH
            seen_x = (min(left + PITCH, width) - max(left, 0)) / PITCH
            seen_y = (min(top + PITCH, height) - max(top, 0)) / PITCH
            seen = max(0.0, seen_x) * max(0.0, seen_y)
            whole, none = seen > 0.94, seen < 0.6
            wanted = board.labels[row, col] if whole else NO_CELL if none else UNSURE
            assert labels[row, col] == wanted, (number, row, col, seen)


def test_rare_scenes_follow_from_their_seed() -> None:
    def drawn(number: int) -> list[bytes]:
        rng = rng_of(number)
        scene = random_scene(rng, rare=1.0)
        for cells, labels, _ in samples(rng, scene, 1):
            assert cells.shape[0] == WINDOW * PITCH
            assert labels.min() >= UNSURE
            assert labels.max() <= NO_CELL
        return [scene.pixels.tobytes(), labels.tobytes()]

    for number in range(5):
        assert drawn(number) == drawn(number)


def test_training_starts_from_what_the_weights_say() -> None:
    torch = pytest.importorskip("torch", reason="only training needs PyTorch")
    pytest.importorskip("onnx", reason="only training needs onnx")
    from art.train_reader import build, load_weights

    rng = rng_of(0)
    cells = np.stack([cells for cells, _, _ in samples(rng, random_scene(rng), 4)])
    network = build()
    load_weights(torch, network, WEIGHTS, cells)
    values = cells.transpose(0, 3, 1, 2).astype(np.float32) / 255
    with torch.no_grad():
        said = network(torch.from_numpy(values)).numpy()
    for one, out in zip(values, said, strict=True):
        assert out == pytest.approx(run("reader-judge", summary(run("reader-look", one[None])))[0], abs=1e-3)
