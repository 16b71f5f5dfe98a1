"""Shapes: what the networks say about art that training never saw, and about our own screenshots."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from art import draw_board, draw_states, random_states, random_style
from art.digit_samples import digit_samples
from art.marks import CROSSES, FLAGS, MINES, Mark, draw_mark
from art.samples import NO_CELL, SIDE, UNSURE, style_samples
from bot.board import Board, State
from bot.geometry import Grid, Pixels
from bot.vision import load_picture
from bot.vision.stretch import unstretched
from bot.vision.unknown.shapes import MINUS, NO_DIGIT, WEIGHTS, prepared, score_digits, score_shapes
from fixture_boards import FIXTURES, fixture_boards

SEED = 20261121
Labels = npt.NDArray[np.int8]
Floats = npt.NDArray[np.floating]


def alike(labels: Labels | npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the labels with covered cells taken for blank ones."""
    return np.where(labels == State.COVERED, 0, labels).astype(np.intp)


@pytest.fixture(scope="module")
def held_out() -> list[tuple[Pixels, Labels]]:
    rng = np.random.default_rng(SEED)
    return [sample for _ in range(16) for sample in style_samples(rng, held_out=True)]


def shares(samples: list[tuple[Pixels, Labels]]) -> Iterator[tuple[float, float]]:
    """Yield the share of cells with a number that are read right, and of all cells."""
    for cells, labels in samples:
        right = alike(score_shapes(cells).argmax(axis=1)) == alike(labels)
        known, numbers = labels != UNSURE, (labels >= 1) & (labels <= 8)
        if numbers.any():
            yield float(right[numbers].mean()), float(right[known].mean())


def test_numbers_of_unseen_styles_are_read(held_out: list[tuple[Pixels, Labels]]) -> None:
    numbers, everything = np.mean(list(shares(held_out)), axis=0)
    assert numbers > 0.85
    assert everything > 0.75


def test_scores_are_logarithms_of_probabilities(held_out: list[tuple[Pixels, Labels]]) -> None:
    scores = score_shapes(held_out[0][0])
    assert scores.dtype == np.float32
    assert scores.shape == (len(held_out[0][0]), 16)
    assert np.exp(scores).sum(axis=1) == pytest.approx(1, abs=1e-4)


def test_what_is_said_with_certainty_is_seldom_wrong(held_out: list[tuple[Pixels, Labels]]) -> None:
    sure = wrong = 0
    for cells, labels in held_out:
        chances = np.exp(score_shapes(cells))
        certain = (chances.max(axis=1) > 0.95) & (labels != UNSURE)
        sure += int(certain.sum())
        wrong += int((alike(chances.argmax(axis=1)) != alike(labels))[certain].sum())
    assert sure > 800
    assert wrong < 0.08 * sure


def test_how_often_a_cell_is_given_changes_nothing(held_out: list[tuple[Pixels, Labels]]) -> None:
    cells = held_out[0][0][:12]
    order = np.array([0, 0, 0, *range(12), 5, 5])
    assert score_shapes(cells[order]) == pytest.approx(score_shapes(cells)[order], abs=1e-3)


def convolved(x: Floats, kernel: Floats, bias: Floats) -> Floats:
    """Return a convolution of one picture (h, w, depth), pixel by pixel as the definition says."""
    edge = kernel.shape[0] // 2
    padded = np.pad(x, ((edge, edge), (edge, edge), (0, 0)))
    result = np.empty((*x.shape[:2], kernel.shape[3]))
    for row, col in np.ndindex(*x.shape[:2]):
        window = padded[row : row + kernel.shape[0], col : col + kernel.shape[1]]
        result[row, col] = np.tensordot(window, kernel, 3)
    return np.maximum(result + bias, 0)


def scored_alone(cell: Pixels) -> Floats:
    """Return the scores of a cell that has no others beside it, from the weights as they are shipped."""
    weights = {name: array.astype(np.float64) for name, array in np.load(WEIGHTS / "shapes.npz").items()}
    x = convolved(prepared(cell[None])[0], weights["conv1"], weights["conv1_bias"])[::2, ::2]
    for name in ("conv2", "conv3"):
        x = convolved(x, weights[name], weights[f"{name}_bias"])
        x = x.reshape(x.shape[0] // 2, 2, x.shape[1] // 2, 2, -1).max(axis=(1, 3))
    own = np.maximum(x.ravel() @ weights["own"] + weights["own_bias"], 0)
    others = np.maximum(np.concatenate([own, own]) @ weights["others"] + weights["others_bias"], 0)
    joined = np.maximum(np.concatenate([own, others]) @ weights["joined"] + weights["joined_bias"], 0)
    scores = joined @ weights["out"] + weights["out_bias"]
    return np.asarray(scores - np.log(np.exp(scores).sum()))


def test_scores_are_those_of_the_plain_sum(held_out: list[tuple[Pixels, Labels]]) -> None:
    for cell in held_out[0][0][:4]:
        assert score_shapes(cell[None])[0] == pytest.approx(scored_alone(cell), abs=1e-3)


def test_cells_are_scored_alike_in_any_number(held_out: list[tuple[Pixels, Labels]]) -> None:
    glyphs = np.concatenate([cells for cells, _ in held_out[:3]])[:100]
    order = np.random.default_rng(SEED).permutation(len(glyphs))
    assert score_digits(glyphs[order]) == pytest.approx(score_digits(glyphs)[order], abs=1e-3)


def test_cells_of_any_size_can_be_scored() -> None:
    style = random_style(np.random.default_rng(3))
    for size in (12, SIDE, 70):
        assert score_shapes(draw_states(style, size)).shape == (15, 16)
    assert score_shapes(np.empty((0, 16, 16, 3), np.uint8)).shape == (0, 16)


def test_a_pointer_is_no_flag(held_out: list[tuple[Pixels, Labels]]) -> None:
    hidden = [score_shapes(cells).argmax(axis=1)[labels == NO_CELL] for cells, labels in held_out]
    assert (np.concatenate(hidden) == State.FLAG).mean() < 0.1


@pytest.mark.parametrize("name", ["winemine-expert-running", "winemine-beginner-won"])
def test_numbers_of_our_own_screenshots_are_read(name: str) -> None:
    pixels = load_picture(FIXTURES / f"{name}.png")
    truth = fixture_boards(name)[0]
    board = truth.board
    grid = Grid(truth.x, truth.y, truth.pitch_x, truth.pitch_y, board.rows, board.cols)
    assert number_share(pixels, grid, board) > 0.97


def number_share(pixels: Pixels, grid: Grid, board: Board) -> float:
    canvas = unstretched(pixels, grid, SIDE)
    apart = canvas.reshape(grid.rows, SIDE, grid.cols, SIDE, 3).swapaxes(1, 2)
    found = score_shapes(np.ascontiguousarray(apart).reshape(-1, SIDE, SIDE, 3)).argmax(axis=1)
    states = board.states.ravel()
    numbers = (states >= 1) & (states <= 8)
    return float((found == states)[numbers].mean())


def test_digits_of_unseen_counters_are_read() -> None:
    rng = np.random.default_rng(SEED)
    samples = [sample for _ in range(16) for sample in digit_samples(rng, held_out=True)]
    right = [score_digits(glyphs).argmax(axis=1) == labels for glyphs, labels in samples]
    digits = [labels < MINUS for _, labels in samples]
    assert np.concatenate(right)[np.concatenate(digits)].mean() > 0.95
    assert np.concatenate(right).mean() > 0.9


def test_a_glyph_of_any_shape_is_scored_as_it_stands() -> None:
    glyphs = np.zeros((2, 20, 6, 3), np.uint8)
    glyphs[0, 2:-2, 2:4] = (0, 0, 255)
    scores = score_digits(glyphs)
    assert scores.shape == (2, 12)
    assert scores[0].argmax() == 1
    assert scores[1].argmax() == NO_DIGIT


def test_a_seed_draws_the_same_board_again() -> None:
    def drawn() -> tuple[Pixels, Pixels]:
        rng = np.random.default_rng(SEED)
        states = random_states(rng, 9, 12, 0.2, 0.5)
        return states.astype(np.uint8), draw_board(random_style(rng), states, 20.5, 21)

    (states, pixels), (again, same) = drawn(), drawn()
    assert np.array_equal(states, again)
    assert np.array_equal(pixels, same)
    assert pixels.shape == (9 * 21, 246, 3)


@pytest.mark.parametrize("kind", [*FLAGS, *MINES, *CROSSES])
def test_marks_of_every_kind_are_seen_on_their_ground(kind: str) -> None:
    for seed in range(8):
        canvas = np.full((32, 32, 3), 200, np.float32)
        ink = (0.0, 0.0, 0.0)
        draw_mark(canvas, Mark(kind, 0.8, 0, 0, ink, ink, ink, seed=seed))
        inked = np.asarray((canvas < 100).all(axis=2))
        assert 0.04 < inked.mean() < 0.6
        assert not inked[:, [0, -1]].any()


@pytest.mark.parametrize("progress", [0.0, 0.3, 1.0])
def test_random_positions_contradict_themselves_nowhere(progress: float) -> None:
    for seed in range(20):
        states = random_states(np.random.default_rng(seed), 10, 12, 0.18, progress)
        board = Board(np.where(states == State.WRONG_FLAG, State.FLAG, states))  # no opening passes a flag
        assert not board.problems()
        assert (progress == 0) == (int((states <= 8).sum()) == 0)
