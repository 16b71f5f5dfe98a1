"""The map of regret."""

from __future__ import annotations

import pytest

from bench.bench_regret import KINDS, guesses_of, points, tables


def test_the_same_position_counts_once_for_each_game_and_so_does_its_error() -> None:
    once, twice = {"board": "a", "gain": 0.01}, {"board": "b", "gain": 0.02}
    assert points([once, twice], 2) == pytest.approx((1.5, 1.96 * (0.5**2 + 1) ** 0.5), rel=1e-3)
    assert points([once, twice, twice], 2) == pytest.approx((2.5, 1.96 * (0.5**2 + 2**2) ** 0.5), rel=1e-3)


def test_guesses_of_a_game_are_sorted_into_every_table() -> None:
    games = [guesses_of(200, 1e-11, "fast", 8, seed) for seed in (1, 2, 3)]
    valued = [guess for game in games for guess in game if "gain" in guess]
    assert len(valued) >= 3
    assert all(-1 < guess["gain"] < 1 and 0 <= guess["risk"] < 1 for guess in valued)
    late = [guess for seed in (1, 2, 3) for guess in guesses_of(60, 1e-11, "fast", 8, seed)]
    assert [guess for guess in late if "gain" in guess] == [one for one in valued if one["digits"] < 60]
    drawn = list(tables(games))
    assert [table.columns[0].header for table in drawn] == list(KINDS)
    for table in drawn:
        *kinds, every = (float(str(figure)) for figure in table.columns[1].cells)
        assert sum(kinds) == pytest.approx(every, abs=0.01)
