"""``minebot bench`` as a user types it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conftest import Run, wait_for

ROOT = Path(__file__).parents[2]
SMALL = ("--level", "5x5/4", "--games", "60", "--strategy", "counting", "--strategy", "komarov")


@pytest.fixture
def bench(run: Run) -> Run:
    """Return a function that runs ``minebot bench`` and returns its exit code, output and errors."""
    return partial(run, "bench")


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_figures_and_differences_are_told(bench: Run) -> None:
    code, out, _ = bench(*SMALL)
    assert code == 0
    counting, komarov = (
        next(line for line in out.splitlines() if line.split()[:1] == [name]) for name in SMALL[5::2]
    )
    assert counting.split()[1] == komarov.split()[1] == "60"
    assert "5x5/4: komarov - counting = +" in out
    assert "points (" in out
    assert "on the same 60 boards" in out
    told = re.search(r"most memory: (\d+) MB here, (\d+) MB where games were played", out)
    assert bool(told) == (sys.platform != "win32")
    assert told is None or all(20 < int(most) < 10_000 for most in told.groups())


def test_json_has_an_object_for_each_level_and_strategy(bench: Run) -> None:
    code, out, _ = bench(*SMALL, "--level", "4x4/2", "--mines", "3,5", "--json")
    assert code == 0
    found = objects(out)
    assert [(one["level"], one["strategy"]) for one in found] == [
        (level, name) for level in ("5x5/3", "5x5/5", "4x4/3", "4x4/5") for name in ("counting", "komarov")
    ]
    for one in found:
        assert len(one["outcomes"]) == one["games"] == 60
        assert one["outcomes"].count("1") == one["wins"]


def test_how_each_of_many_games_ended_is_told_if_it_is_asked_for(bench: Run) -> None:
    asked = ("--level", "2x2/3", "--rule", "any", "--games", 10_001, "--strategy", "fast", "--json")
    (short,), (long,) = (objects(bench(*asked, *more)[1]) for more in ((), ("--outcomes",)))
    assert short["outcomes"] is None
    assert len(long["outcomes"]) == 10_001
    assert long["outcomes"].count("1") == long["wins"] == short["wins"]


def test_advantages_are_those_of_the_others_over_the_first(bench: Run) -> None:
    asked = ("--level", "5x5/6", "--games", 10, "--strategy", "fast", *SMALL[4:], "--advantages", 20)
    code, out, _ = bench(*asked)
    assert code == 0
    assert "5x5/6: komarov - counting = " in out
    for name in SMALL[5::2]:
        assert f"5x5/6: {name} - fast = -" in out
    found = objects(bench(*asked, "--json")[1])
    assert [one["strategy"] for one in found] == [*SMALL[5::2]]
    for one in found:
        assert (one["advantages"]["over"], one["advantages"]["played_out"]) == ("fast", 20)
        low, high = one["advantages"]["ci95"]
        assert low <= one["advantages"]["gain"] <= high


def test_a_strategy_that_thinks_can_be_compared(bench: Run) -> None:
    asked = ("--level", "6x6/9", "--strategy", "best", "--strategy", "deep", "--advantages", 20, "--games", 6)
    found = objects(bench(*asked, "--json")[1])
    assert [(one["strategy"], one["games"], len(one["outcomes"])) for one in found] == [("deep", 6, 6)]


def test_more_processes_and_other_units_win_the_same_games(bench: Run) -> None:
    alone, together = (objects(bench(*SMALL, "--json", "--jobs", jobs)[1]) for jobs in (1, 2))
    assert [one["outcomes"] for one in alone] == [one["outcomes"] for one in together]


def test_a_run_that_was_killed_goes_on(bench: Run, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    arguments = ["--level", "10x10/15", "--games", "120", "--strategy", "komarov", "--json"]
    command = [sys.executable, "-m", "bot", "bench", *arguments, "--jobs", "2", "--checkpoint", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as killed:
        try:
            assert wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
        finally:
            killed.kill()
    before = path.read_bytes()
    assert objects(bench(*arguments, "--checkpoint", path)[1])[0]["games"] == 120
    after = path.read_bytes()
    assert after.startswith(before[: before.rindex(b"\n") + 1])
    units = [json.loads(line) for line in after.splitlines()[1:]]
    numbers = [one["start"] + place for one in units for place in range(len(one["played"]["won"]))]
    assert sorted(numbers) == [*range(120)]
    again = objects(bench(*arguments, "--checkpoint", path)[1])
    assert path.read_bytes() == after
    assert again[0]["outcomes"] == objects(bench(*arguments)[1])[0]["outcomes"]


def test_a_plot_is_drawn(bench: Run, tmp_path: Path) -> None:
    path = tmp_path / "bench.svg"
    levels = ("--level", "5x5/4", "--level", "4x6/6")
    code, _, err = bench("--strategy", "counting", "--games", 20, *levels, "--plot", path)
    assert (code, err.endswith(f"the plot is in {path}\n")) == (0, True)
    words = {text.text for text in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")}
    assert {"Games won, % (95 %), 20 games each", "5x5/4", "4x6/6", "milliseconds a game"} <= words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--level", "huge"], "'huge' is not a level"),
        (["--level", "9x9/81"], "9 x 9 cells cannot hold 81 mines: give 1 to 80"),
        (["--level", "1x1/1"], "a board of 1 x 1 has no room for a mine"),
        (["--mines", "10,x"], "give numbers, such as"),
        (["--mines", "480"], "give 1 to 479"),
        (["--first", "17,1"], "is off a board of 16x30"),
        (["--rule", "kind"], "'kind' is not one of"),
        (["--strategy", "luck"], "choose one of"),
        (["--games", "0"], "x>=1"),
        (["--jobs", "-1"], "x>=0"),
        (["--seed", "-1"], "x>=0"),
        (["--advantages", "0"], "x>=1"),
        (["--advantages", "9", "--strategy", "best"], "give two or more"),
        (["--advantages", "9", "--strategy", "counting", "--strategy", "best"], "counting cannot play"),
        (["--advantages", "9", "--no-guess"], "leave out --no-guess"),
        (["--first", "middle"], "give corner, center or ROW,COL"),
        (["--plot", "figure.png"], "must end in .svg"),
        (["--plot", "/nowhere/figure.svg"], "there is no folder"),
    ],
)
def test_values_that_cannot_be_used(bench: Run, arguments: list[str], words: str) -> None:
    code, out, err = bench(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
