"""The fit of the look-ahead's weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.bench_weights import COUNT, Sample, against_used, guesses_of, sample, stored
from bot.solver.guess import Weights
from kernel_checks import guesses

SHIPPED = np.array(Weights())


def drawn(guesses: int, seed: int = 3) -> Sample:
    """Return cells with random features, whose chances follow the weights in use exactly."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 8, guesses)
    features = random.random((sizes.sum(), COUNT))
    levels = np.repeat(random.random(guesses) - 4, sizes)
    return Sample(features, np.exp(levels + features @ SHIPPED), np.cumsum([0, *sizes[:-1]]))


def test_the_fit_finds_the_weights_that_chances_follow_whatever_their_levels() -> None:
    weights, errors = drawn(200).fit()
    assert weights == pytest.approx(SHIPPED, abs=1e-8)
    assert errors.max() < 1e-8
    assert stored(weights) == Weights()


def test_the_errors_of_the_fit_are_those_of_play_outs() -> None:
    sample, random = drawn(2000), np.random.default_rng(5)
    won = random.binomial(12, sample.chances) / 12
    weights, errors = Sample(sample.features, won, sample.starts).fit()
    assert np.abs((weights - SHIPPED) / errors).max() < 3.5
    assert 0.01 < errors.max() < 0.2


def test_the_weights_choose_the_cell_with_the_best_chance() -> None:
    sample = drawn(50)
    chosen = sample.chosen(SHIPPED)
    assert (sample.chances[chosen] == np.maximum.reduceat(sample.chances, sample.starts)).all()


def test_a_sample_has_the_safety_of_each_cell_and_a_chance_below_it() -> None:
    tried = 0
    for number, board in enumerate(guesses(8)):
        rows = np.array(sample(board, "fast", 4, number))
        if len(rows):
            safety, chances = np.exp(rows[:, 0]), rows[:, -1]
            assert (chances > 0).any()
            assert (chances <= safety + 1e-12).all()
            assert (np.diff(safety) <= 1e-12).all()  # the safest cell is the first
            tried += 1
    assert tried >= 4


def test_equal_weights_make_the_same_guesses() -> None:
    assert against_used(Weights(), 4, 1).so_far.differing == 0
    assert (against_used(Weights(safest=3.0, third=-2.0), 4, 1).so_far.differing or 0) > 0


@pytest.mark.usefixtures("kernel")
def test_a_seed_gives_the_same_weights_in_any_number_of_processes(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).parent), "weights", "--playouts", "2"]

    def printed(*options: object) -> str:
        done = subprocess.run([*command, *map(str, options)], capture_output=True, text=True, check=True)
        return done.stdout

    journal = tmp_path / "journal"
    printed("--guesses", 20, "--resume", journal)
    whole = printed("--guesses", 40)
    assert "Weights(safety=" in whole
    assert whole == printed("--guesses", 40, "--resume", journal, "--jobs", 2)


def test_another_seed_gives_other_guesses() -> None:
    assert guesses_of("fast", 2, 7) == guesses_of("fast", 2, 7) != guesses_of("fast", 2, 8)
