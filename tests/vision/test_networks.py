"""The networks: digits in fonts that training never saw, and samples that belong to their truth."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from art.train_digits import LABELS, MINUS, NO_DIGIT, digit_samples
from bot.geometry import Rect
from bot.vision import networks
from bot.vision.networks import score_digits
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
    assert scores.shape == (2, LABELS)
    assert scores[0].argmax() == 1
    assert scores[1].argmax() == NO_DIGIT


def test_a_network_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = tmp_path / "Jürgen Иван"
    shutil.copytree(networks.WEIGHTS, copies)
    monkeypatch.setattr(networks, "WEIGHTS", copies)
    monkeypatch.setattr(networks, "_network", networks._network.__wrapped__)
    assert networks.damaged_networks() == []
    (copies / "reader-look.onnx").write_bytes(b"no network")
    assert networks.damaged_networks() == ["reader-look"]
