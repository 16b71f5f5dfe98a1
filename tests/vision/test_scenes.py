"""Scenes that the cell reader learns from: samples and their truth belong together."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from art.scenes import UNSURE, WINDOW, PlacedBoard, Scene, random_scene, samples, truth_of
from bot.geometry import Grid
from bot.vision.networks import NO_CELL, SIDE

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
