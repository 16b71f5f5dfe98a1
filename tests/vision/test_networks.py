"""The networks: digits in fonts that training never saw, and samples that belong to their truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from art.digit_samples import digit_samples
from art.scenes import UNSURE, WINDOW, PlacedBoard, Scene, random_scene, samples, truth_of
from bot.geometry import Grid, Rect
from bot.vision.networks import MINUS, NO_CELL, NO_DIGIT, SIDE, score_digits
from bot.vision.panel.panel_numbers import cut_glyphs

SEED = 20261121


def test_glyphs_are_scored_alike_in_any_order_and_number() -> None:
    glyphs, _ = digit_samples(np.random.default_rng(SEED), held_out=True)
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
    counters = [digit_samples(rng, held_out=True) for _ in range(8)]
    right = [score_digits([glyphs])[0].argmax(axis=1) == labels for glyphs, labels in counters]
    digits = [labels < MINUS for _, labels in counters]
    assert np.concatenate(right)[np.concatenate(digits)].mean() > 0.95
    assert np.concatenate(right).mean() > 0.9


def test_a_glyph_of_any_shape_is_scored_as_it_stands() -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    picture[2:-2, 2:4] = (0, 0, 255)
    (scores,) = score_digits([cut_glyphs(picture, [Rect(1, 1, 4, 18), Rect(11, 1, 4, 18)])])
    assert scores.shape == (2, 12)
    assert scores[0].argmax() == 1
    assert scores[1].argmax() == NO_DIGIT


GRID = Grid(30.0, 20.0, 20.0, 20.0, 6, 8)
LABELS = (np.arange(48) % 15).astype(np.int8).reshape(6, 8)
SCENE = Scene(np.zeros((160, 230, 3), np.uint8), (PlacedBoard(GRID, LABELS),), (20.0, 20.0))


def test_cells_of_the_board_have_its_labels_and_no_offset() -> None:
    labels, offsets = truth_of(SCENE, GRID.part(-1, -1, 7, 9))
    assert (labels[1:-1, 1:-1] == LABELS).all()
    assert (labels[[0, -1]] == NO_CELL).all()
    assert (labels[:, [0, -1]] == NO_CELL).all()
    assert offsets[1:-1, 1:-1] == pytest.approx(0, abs=1e-6)
    assert np.isnan(offsets[0]).all()


@pytest.mark.parametrize(("off", "label"), [(0.05, "its own"), (0.18, "unsure"), (0.4, "none")])
def test_what_a_shifted_cell_shows_depends_on_how_far_it_is_off(off: float, label: str) -> None:
    labels, offsets = truth_of(SCENE, GRID.moved(off * 20, 0))
    wanted = {
        "its own": LABELS,
        "unsure": np.full_like(LABELS, UNSURE),
        "none": np.full_like(LABELS, NO_CELL),
    }
    assert (labels == wanted[label]).all()
    assert offsets[..., 0] == pytest.approx(-off, abs=1e-5)


def test_cells_of_another_size_are_none() -> None:
    labels, offsets = truth_of(SCENE, Grid(30.0, 20.0, 10.0, 10.0, 12, 16))
    assert (labels == NO_CELL).all()
    assert np.isnan(offsets).all()


def test_a_seed_draws_the_same_samples_again() -> None:
    def drawn(seed: int) -> list[npt.NDArray[Any]]:
        rng = np.random.default_rng(seed)
        return [part for sample in samples(rng, random_scene(rng), 2) for part in sample]

    for seed in range(6):
        first, again = drawn(seed), drawn(seed)
        assert all(
            np.array_equal(one, two, equal_nan=one.dtype == np.float32)
            for one, two in zip(first, again, strict=True)
        )
        cells, labels, offsets = first[:3]
        assert cells.shape == (WINDOW * SIDE, WINDOW * SIDE, 4)
        assert labels.shape == offsets.shape[:2] == (WINDOW, WINDOW)
        assert ((labels >= UNSURE) & (labels <= NO_CELL)).all()
        shown = (labels >= 0) & (labels != NO_CELL)
        assert (np.abs(offsets[shown]) <= 0.12).all()
