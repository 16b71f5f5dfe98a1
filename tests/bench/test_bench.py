"""The benchmark: its boards, its figures, and how a killed run goes on."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.bench.plan import (
    Boards,
    PlayOptions,
    Unit,
    UnitResult,
    boards_of,
    fingerprint,
    parse_first,
)
from bot.bench.results import Checkpoint, Results, identity
from bot.bench.running import play_unit
from bot.bench.statistics import difference, durations, percentile, win_rate
from bot.board import Cell, FirstClick
from bot.errors import BenchmarkError
from bot.game.simulation import BASE_SEED, Game
from bot.levels import EXPERT, Level
from bot.solver import STRATEGIES

BEGINNER = Boards(9, 9, 10, FirstClick.SAFE, Cell(0, 0), BASE_SEED)


def unit(strategy: str, start: int, stop: int, *, by_move: bool = False, boards: Boards = BEGINNER) -> Unit:
    return Unit(boards, STRATEGIES[strategy], start, stop, PlayOptions(by_move), fingerprint())


def played(won: str) -> UnitResult:
    """Return the result of games won (1) or lost (0), which took 1, 2, 3... ms."""
    return UnitResult(tuple(d == "1" for d in won), tuple(range(1, len(won) + 1)), (1,) * len(won))


def test_win_rates_are_those_of_wilson() -> None:
    rate = win_rate(10, 20)  # R: prop.test(10, 20, correct = FALSE)
    assert (rate.value, rate.low, rate.high) == pytest.approx((0.5, 0.299298, 0.700702), abs=1e-6)
    assert win_rate(0, 10).low == 0.0
    assert win_rate(10, 10).high == pytest.approx(1.0)


def test_the_interval_of_a_difference_covers_it_95_times_of_100() -> None:
    random = np.random.default_rng(5)
    covered = 0
    for _ in range(2000):
        luck = random.random((2, 400))
        one, other = luck[0] < 0.5, np.where(luck[1] < 0.2, luck[0] < 0.25, luck[0] < 0.5)
        found = difference(one, other)
        assert found.value == pytest.approx(np.mean(one) - np.mean(other))
        covered += found.low <= 0.5 - (0.8 * 0.5 + 0.2 * 0.25) <= found.high
    assert 0.93 < covered / 2000 < 0.97


def test_how_long_decisions_took_is_kept_to_a_step() -> None:
    ms = np.random.default_rng(7).lognormal(0, 2, 5000)
    counted = durations(ms.tolist())
    assert sum(counted.values()) == 5000
    for share in (0.5, 0.99, 1.0):
        exact = float(np.quantile(ms, share, method="inverted_cdf"))
        found = percentile(counted, share)
        assert found is not None
        assert 0.999 < found / exact < 1.016
    assert percentile(durations([0.0, 0.0]), 0.99) == pytest.approx(1e-4)
    assert percentile({}, 0.99) is None


def test_levels_and_first_clicks() -> None:
    boards = boards_of(["expert", "1x7/2", "9x9/10"], None, "center", FirstClick.SAFE, 5)
    sizes = [(one.rows, one.cols, one.mines, one.first) for one in boards]
    assert sizes == [(16, 30, 99, (8, 15)), (1, 7, 2, (0, 3)), (9, 9, 10, (4, 4))]
    assert parse_first("4,9", Level(9, 9, 10), FirstClick.SAFE) == Cell(3, 8)
    assert parse_first(None, EXPERT, FirstClick.SAFE) == Cell(0, 0)
    assert parse_first(None, EXPERT, FirstClick.OPENING) == Cell(3, 3)


def test_units_are_cut_at_the_same_numbers_wherever_they_begin() -> None:
    boards = Boards(200, 200, 4000, FirstClick.SAFE, Cell(0, 0), 1)
    results = Results(boards, STRATEGIES["fast"], 15)
    assert [(unit.start, unit.stop) for unit in results.units("")] == [(0, 6), (6, 12), (12, 15)]
    results.add(0, UnitResult((True,) * 8, (1.0,) * 8, (0,) * 8))
    results.add(14, UnitResult((True,), (1.0,), (0,)))
    assert [(unit.start, unit.stop) for unit in results.units("")] == [(8, 12), (12, 14)]


@pytest.mark.parametrize("rule", FirstClick)
def test_the_kernel_plays_the_same_boards(rule: FirstClick) -> None:
    boards = Boards(4, 4, 3, rule, Cell(2, 1), 10_000_000)
    compiled = play_unit(unit("best", 100, 160, boards=boards))
    by_move = play_unit(unit("best", 100, 160, by_move=True, boards=boards))
    games = [Game(4, 4, 3, 10_000_100 + number, rule) for number in range(60)]
    for game in games:
        game.open(Cell(2, 1))
    lost_at_once = [number for number, game in enumerate(games) if game.lost]
    assert bool(lost_at_once) == (rule is FirstClick.ANY)
    assert all(not compiled.won[number] and not compiled.guesses[number] for number in lost_at_once)
    same = sum(one == other for one, other in zip(compiled.won, by_move.won, strict=True))
    assert same >= 54  # some choices between equal chances differ
    assert len(compiled.ms) == 60
    assert min(compiled.ms) >= 0
    assert 0 < compiled.slowest <= max(compiled.ms)
    # the thinking after the first click counts as a decision, too
    assert sum(compiled.decisions.values()) <= sum(compiled.guesses) + 60 - len(lost_at_once)


def test_another_solver_does_not_play() -> None:
    with pytest.raises(BenchmarkError, match="install the same"):
        play_unit(replace(unit("komarov", 0, 1), solver="older"))


def test_games_are_counted_once() -> None:
    results = Results(BEGINNER, STRATEGIES["best"], 10)
    assert results.add(2, played("110")) == 3
    assert results.add(2, played("000")) == 0
    assert results.add(4, played("111")) == 2
    assert list(results.missing()) == [(0, 2), (7, 10)]
    assert results.add(8, played("1111")) == 2
    assert (results.so_far.games, results.so_far.won.sum()) == (7, 6)
    assert len(results.summary().won) == 0
    results.add(0, played("01"))
    assert results.summary().as_json()["outcomes"] == "0111011"


def test_a_summary_says_what_the_design_asks() -> None:
    results = Results(BEGINNER, STRATEGIES["best"], 4)
    results.add(0, played("0110"))
    assert results.summary().as_json() == {
        "strategy": "best",
        "level": "beginner",
        "rule": "safe",
        "first": "0,0",
        "seed": BASE_SEED,
        "games": 4,
        "wins": 2,
        "win_rate": 0.5,
        "ci95": pytest.approx([0.15, 0.85], abs=0.005),
        "ms_per_game": {"mean": 2.5, "median": 2.5, "p99": pytest.approx(3.97), "max": 4.0},
        "ms_per_decision": {"p99": None, "max": None},
        "guesses_per_game": 1.0,
        "outcomes": "0110",
    }
    json.dumps(results.summary().as_json())


def kept(path: Path, run: dict[str, object]) -> Results:
    results = Results(BEGINNER, STRATEGIES["best"], 10)
    Checkpoint(path, run, lambda key, start, games: key[1] == "best" and results.add(start, games)).close()
    return results


RUN = identity(BEGINNER, None, PlayOptions(), [], "this")


def test_a_checkpoint_gives_back_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with closing(Checkpoint(path, RUN, lambda *_: None)) as checkpoint:
        checkpoint.add(unit("best", 0, 3), played("101"))
        checkpoint.add(unit("fast", 0, 3), played("000"))
        checkpoint.add(unit("best", 5, 7), played("11"))
    whole = path.read_bytes()
    for length in range(whole.index(b"\n") + 1, len(whole) + 1):  # wherever a kill may cut the file
        path.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n") - 1
        assert kept(path, RUN).so_far.games == [0, 3, 3, 5][lines]
        assert path.read_bytes() == b"".join(line + b"\n" for line in whole.split(b"\n")[: lines + 1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"--seed": 7}, f"--seed was {BASE_SEED} there and is 7 here"),
        ({"--rule": "any"}, "--rule was safe there"),
        ({"the solver itself, which has changed,": "that"}, "the solver itself, which has changed"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    path = tmp_path / "run"
    kept(path, RUN)
    before = path.read_bytes()
    with pytest.raises(BenchmarkError, match=words):
        kept(path, {**RUN, **change})
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["no checkpoint", "{}\n", "a\nb\n", '{"minebot bench": {}}\n', "[]\n", "\0"])
def test_other_files_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "diary"
    path.write_text(text)
    with pytest.raises(BenchmarkError, match="is not a checkpoint, or its line 1 is damaged"):
        kept(path, RUN)
    assert path.read_text() == text


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with closing(Checkpoint(path, RUN, lambda *_: None)) as checkpoint:
        checkpoint.add(unit("best", 0, 3), played("101"))
    path.write_bytes(path.read_bytes().replace(b"[true,false,true]", b"[true]"))
    with pytest.raises(BenchmarkError, match="line 2"):
        kept(path, RUN)
