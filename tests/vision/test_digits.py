"""Digits of counters: what the network says about fonts that training never saw."""

from __future__ import annotations

import numpy as np
import pytest

from art import draw_board, random_states, random_style
from art.digit_samples import digit_samples
from bot.board import Board, State
from bot.geometry import Pixels, Rect
from bot.vision.networks import MINUS, NO_DIGIT, score_digits
from bot.vision.panel.panel_numbers import cut_glyphs

SEED = 20261121


def test_glyphs_are_scored_alike_in_any_order_and_number() -> None:
    glyphs, _ = next(iter(digit_samples(np.random.default_rng(SEED), held_out=True)))
    order = np.array([0, 0, 0, *np.random.default_rng(SEED).permutation(len(glyphs))])
    (scores,) = score_digits([glyphs])
    assert scores.dtype == np.float32
    assert np.exp(scores).sum(axis=1) == pytest.approx(1, abs=1e-4)
    shuffled, few = score_digits([glyphs[order], glyphs[:5]])
    assert shuffled == pytest.approx(scores[order], abs=1e-3)
    assert few == pytest.approx(score_digits([glyphs[:5]])[0], abs=1e-3)
    assert score_digits([]) == []


def test_digits_of_unseen_counters_are_read() -> None:
    rng = np.random.default_rng(SEED)
    samples = [sample for _ in range(8) for sample in digit_samples(rng, held_out=True)]
    right = [score_digits([glyphs])[0].argmax(axis=1) == labels for glyphs, labels in samples]
    digits = [labels < MINUS for _, labels in samples]
    assert np.concatenate(right)[np.concatenate(digits)].mean() > 0.95
    assert np.concatenate(right).mean() > 0.9


def test_a_glyph_of_any_shape_is_scored_as_it_stands() -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    picture[2:-2, 2:4] = (0, 0, 255)
    (scores,) = score_digits([cut_glyphs(picture, [Rect(1, 1, 4, 18), Rect(11, 1, 4, 18)])])
    assert scores.shape == (2, 12)
    assert scores[0].argmax() == 1
    assert scores[1].argmax() == NO_DIGIT


def test_a_seed_draws_the_same_board_again() -> None:
    def drawn() -> tuple[Pixels, Pixels]:
        rng = np.random.default_rng(SEED)
        states = random_states(rng, 9, 12, 0.2, 0.5)
        return states.astype(np.uint8), draw_board(random_style(rng), states, 20.5)

    (states, pixels), (again, same) = drawn(), drawn()
    assert np.array_equal(states, again)
    assert np.array_equal(pixels, same)
    assert pixels.shape == (184, 246, 3)


@pytest.mark.parametrize("progress", [0.0, 0.3, 1.0])
def test_random_positions_contradict_themselves_nowhere(progress: float) -> None:
    for seed in range(20):
        states = random_states(np.random.default_rng(seed), 10, 12, 0.18, progress)
        board = Board(np.where(states == State.WRONG_FLAG, State.FLAG, states))  # no opening passes a flag
        assert not board.problems()
        assert (progress == 0) == (int((states <= 8).sum()) == 0)
