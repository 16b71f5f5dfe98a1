"""The fit of the learned judgement; that of the trees themselves needs LightGBM, which is not tested here."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

import bot.solver
from bench.bench_judgement import CLOSE, Guess, Sample, described, gains_table, guesses_of, sampled, stored
from bench.measured import Journal
from bot.bench.plan import fingerprint
from bot.solver.kernel.layout import FEATURES, Trees


def games() -> list[list[Guess]]:
    """Return the guesses of a few games."""
    return [guesses_of(4, seed) for seed in range(6)]


def test_results_of_other_trees_are_those_of_another_solver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = set()
    for number in range(2):
        np.savez(tmp_path / "trees.npz", value=np.full(3, number))
        monkeypatch.setattr(bot.solver, "__file__", str(tmp_path / "__init__.py"))
        found.add(fingerprint.__wrapped__())
    assert len(found) == 2


class Model:
    """A model of LightGBM with one tree: it says 1 up to 0.5 of feature 3, else 2 or 4 by feature 7."""

    def dump_model(self) -> dict[str, object]:
        """Return the model as LightGBM describes it."""
        above = {
            "split_feature": 7,
            "threshold": -1.5,
            "left_child": {"leaf_value": 2.0},
            "right_child": {"leaf_value": 4.0},
        }
        root = {"split_feature": 3, "threshold": 0.5, "left_child": {"leaf_value": 1.0}, "right_child": above}
        return {"tree_info": [{"tree_structure": root}, {"tree_structure": {"leaf_value": 0.25}}]}


def test_a_model_is_stored_as_the_solver_reads_it() -> None:
    trees = Trees(**stored(Model()))
    assert trees.count == 2
    assert trees.roots.tolist() == [0, 5]
    assert trees.feature.tolist() == [3, -1, 7, -1, -1, -1]
    assert trees.below.tolist()[0] == 1
    assert trees.above.tolist()[0] == 2
    assert trees.value.tolist() == [0, 1, 0, 2, 4, 0.25]


def test_the_guesses_of_a_game_have_chances_below_their_safety() -> None:
    found = [guess for game in games() for guess in game]
    assert found == [guess for game in games() for guess in game]  # the same seeds, the same play-outs
    assert len(found) >= 6
    for guess in found:
        features, digits = described(guess)
        assert features.shape == (len(guess["cells"]), FEATURES)
        assert 3.6 < digits < 110
        assert (np.array(guess["chances"]) <= np.exp(features[:, 0]) + 1e-5).all()
        assert features[:, -1] == pytest.approx(max(guess["worths"]) - np.array(guess["worths"]))
        assert features[:, -1].max() < CLOSE
        assert sum(mark != "." for mark in guess["board"]) >= 1


def test_a_sample_compares_the_cells_of_one_guess_only() -> None:
    sample = Sample.of(games())
    assert sample.means(sample.targets) == pytest.approx(0, abs=1e-12)
    assert sample.means(sample.shares) == pytest.approx(1)
    nothing = sample.gains(sample.shares)  # without trees
    perfect = sample.gains(sample.shares + sample.targets)
    best = np.maximum.reduceat(sample.chances, sample.starts)
    assert perfect == pytest.approx(best - sample.chances[sample.chosen])
    assert nothing.sum() <= perfect.sum()
    assert gains_table(sample, np.zeros(len(sample.chances))).row_count == 7


def test_games_that_were_played_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, file = Namespace(guesses=3, playouts=2, seed=5, jobs=1), tmp_path / "games"
    first = sampled(asked, Journal(file, {}))
    monkeypatch.setattr("bench.bench_judgement.guesses_of", pytest.fail)
    assert sampled(asked, Journal(file, {}))[: len(first)] == first
