"""``minebot stats``: sums and plots of records."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from bot.bench.statistics import win_rate
from bot.record import load_record
from bot.record.stats import Guess, Sums, figure_of, guesses_of, sums_of
from conftest import Run

RECORDS = Path(__file__).parent.parent.parent / "fixtures" / "records"
NAMES = sorted(path.name for path in RECORDS.iterdir())


def sums(name: str) -> Sums:
    return sums_of(load_record(RECORDS / name))


@pytest.mark.parametrize("name", NAMES)
def test_sums_are_those_of_the_games(name: str) -> None:
    record, one = load_record(RECORDS / name), sums(name)
    results = [game.result for game in record.games if game.result]
    assert one.games == len(results) == (1 if name == "winemine-killed" else 2)
    assert one.wins == sum(result["won"] for result in results)
    assert one.rounds == sum(len(game.rounds) for game in record.games)
    assert one.values("clicks") == [result["clicks"] for result in results]
    assert one.rate == win_rate(one.wins, one.games)
    assert len(one.deciding) == one.rounds
    assert min(one.deciding) > 0


def test_a_game_with_an_unknown_end_is_none_that_was_lost() -> None:
    one = sums("builtin-flags")
    more = replace(one, results=(*one.results, {**one.results[0], "won": None, "outcome": "unknown"}))
    assert (more.games, more.known, more.wins) == (one.games + 1, one.games, one.wins)
    assert more.rate == one.rate
    assert more.as_json()["unknown"] == 1


def test_a_guess_is_lost_only_at_the_end_of_a_lost_game() -> None:
    record = load_record(RECORDS / "builtin-flags")
    game = next(game for game in record.games if list(guesses_of(game)))
    assert [guess.lost for guess in guesses_of(game)] == [False] * len(list(guesses_of(game)))
    cut = game.rounds[: next(n for n, turn in enumerate(game.rounds, 1) if turn.decision.risk)]
    lost = {**(game.result or {}), "won": False, "outcome": "lost"}
    told = list(guesses_of(type(game)(1, cut, game.final, lost)))
    assert told == [Guess(cut[-1].decision.risk, True)]
    assert not list(guesses_of(type(game)(1, cut)))


def test_the_command_prints_a_table(run: Run) -> None:
    code, out, err = run("stats", *(RECORDS / name for name in NAMES))
    assert code == 0
    assert err == f"minebot: {RECORDS / 'winemine-killed'}: the run was cut off in game 2, after round 6\n"
    rows = [line.split() for line in out.splitlines() if str(RECORDS) in line]
    assert [row[1] for row in rows] == ["2", "2", "2", "1"]
    assert next(line for line in out.splitlines() if line.strip().startswith("all ")).split()[1] == "7"
    assert "guesses of a counted risk" in out


def test_the_command_prints_json(run: Run) -> None:
    code, out, _ = run("stats", RECORDS / "winemine-beginner", "--json")
    first, last = map(json.loads, out.splitlines())
    assert code == 0
    assert {**first, "record": "all"} == last
    assert (first["games"], first["wins"], first["rounds"]) == (2, 2, 14)


def test_the_command_draws(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stats.png"
    assert run("stats", RECORDS / "winemine-beginner", RECORDS / "winemine-chords", "--plot", path)[0] == 0
    with Image.open(path) as image:
        assert image.width > 1000
    code, _, err = run("stats", RECORDS / "winemine-beginner", "--plot", tmp_path / "stats.xyz")
    assert (code, "the name must end in one of" in err) == (2, True)


def test_plots_say_what_they_show() -> None:
    guesses = tuple(
        Guess(risk, lost) for risk, lost in ((0.05, False), (0.25, True), (0.28, False), (0.5, True))
    )
    one = sums("winemine-chords")
    other = Sums("other", one.results, 3, (0.1,), guesses)
    drawn = figure_of([replace(one, guesses=()), other])
    axes = {one.get_title(): one for one in drawn.axes}
    assert "Games won so far, % (95 %)" in axes
    assert [text.get_text() for text in axes["Guesses: lost, % (95 %), by their risk"].texts] == [
        "1",
        "2",
        "1",
    ]
    assert len(axes["Rounds by what decided them"].patches) == len(one.reasons) > 1
    assert figure_of([Sums("nothing", (), 0, (), ())]).axes


def test_what_is_no_record_is_told_and_the_rest_is_summed_up(run: Run, tmp_path: Path) -> None:
    code, out, err = run("stats", tmp_path, RECORDS / "winemine-beginner")
    assert (code, err.count("\n")) == (1, 1)
    assert "there is no record in" in err
    assert "winemine-beginner" in out
    assert run("stats", tmp_path)[:2] == (1, "")
