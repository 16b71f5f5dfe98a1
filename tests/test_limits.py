"""When a run of games is over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli.limits import Limits, limits_of
from bot.errors import UsageError
from bot.geometry import Point
from conftest import Run
from played_screen import Screen


def sums(out: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the games and the sums of a run with ``--json``."""
    *games, last = [json.loads(line) for line in out.splitlines()]
    return games, last


def test_without_options_one_game_is_played() -> None:
    assert limits_of(None, None, None) == Limits(games=1)


def test_wins_and_minutes_alone_set_no_number_of_games() -> None:
    assert limits_of(None, 3, None) == Limits(0, 3)
    assert limits_of(None, None, 0.5) == Limits(0, None, 0.5)
    assert limits_of(7, 3, 2) == Limits(7, 3, 2)


@pytest.mark.parametrize("minutes", [0.0, -1.0, float("nan"), float("inf")])
def test_minutes_that_are_none(minutes: float) -> None:
    with pytest.raises(UsageError, match=rf"^--minutes {minutes:g}: give a number of minutes above 0$"):
        limits_of(None, None, minutes)


@pytest.mark.parametrize(
    ("limits", "games", "wins", "seconds", "limit"),
    [
        (Limits(3), 2, 2, 1e6, None),
        (Limits(3), 3, 0, 0.0, "games"),
        (Limits(0, 2), 5, 1, 0.0, None),
        (Limits(0, 2), 5, 2, 0.0, "wins"),
        (Limits(0, None, 1.5), 5, 2, 89.9, None),
        (Limits(0, None, 1.5), 5, 2, 90.0, "minutes"),
        (Limits(), 10**6, 10**6, 1e9, None),
        (Limits(2, 2, 0.1), 2, 1, 1.0, "games"),
    ],
)
def test_whichever_comes_first(
    limits: Limits, games: int, wins: int, seconds: float, limit: str | None
) -> None:
    assert limits.reached(games, wins, seconds) == limit


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--wins", "0"], "0 is not in the range x>=1"),
        (["--wins", "-2"], "-2 is not in the range x>=1"),
        (["--wins", "1.5"], "not a valid int"),
        (["--minutes", "0"], "--minutes 0: give a number of minutes above 0"),
        (["--minutes", "-3"], "--minutes -3: give a number of minutes above 0"),
        (["--minutes", "nan"], "--minutes nan: give a number of minutes above 0"),
        (["--minutes", "soon"], "not a valid float"),
    ],
)
def test_limits_that_play_cannot_use(there: Screen, play: Run, arguments: list[str], words: str) -> None:
    code, out, err = play(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not there.clicks


@pytest.mark.usefixtures("there")
def test_play_stops_after_so_many_wins(play: Run) -> None:
    code, out, _ = play("--wins", "3", "--json")
    games, last = sums(out)
    assert code == 0
    assert games[-1]["won"]
    assert (last["games"], last["wins"], last["ended_by"]) == (len(games), 3, "wins")


def test_the_game_that_is_running_when_the_minutes_end_is_played_to_its_end(there: Screen, play: Run) -> None:
    code, out, _ = play("--minutes", "0.1", "--speed", "10", "--json")
    games, last = sums(out)
    assert code == 0
    assert len(games) == last["games"] >= 1
    assert last["ended_by"] == "minutes"
    assert there.game.over
    assert there.clock.time > 6


@pytest.mark.usefixtures("there")
def test_games_come_before_wins(play: Run) -> None:
    code, out, _ = play("--games", "2", "--wins", "50", "--minutes", "600", "--json")
    games, last = sums(out)
    assert (code, len(games), last["ended_by"]) == (0, 2, "games")


@pytest.mark.usefixtures("there")
def test_the_table_says_what_ended_the_run(play: Run) -> None:
    _, out, _ = play("--wins", "1")
    assert "ended as --wins asks for" in out.splitlines()
    _, out, _ = play("--games", "1")
    assert "ended as" not in out


def test_the_sums_tell_of_the_user_and_of_errors(there: Screen, play: Run, tmp_path: Path) -> None:
    there.on_click = lambda number: setattr(there, "at", Point(5, 5)) if number == 4 else None
    code, out, _ = play("--games", "9", "--json")
    assert (code, sums(out)[1]["ended_by"]) == (4, "user")
    there.faults.lose = lambda _: True
    code, out, _ = play("--json", "--pictures", tmp_path)
    assert (code, sums(out)[1]["ended_by"]) == (1, "error")
