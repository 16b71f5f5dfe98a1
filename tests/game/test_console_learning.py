"""What the strategies that learn keep of a console game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.cli.learned import NONE, experience_file, load_experience, save_experience
from bot.cli.schemes import schemes_in
from bot.solver.experience import Experience
from bot.solver.patterns.library import Library
from conftest import Run

KORLYAKOVA = ("--strategy", "korlyakova", "--seed", 3)


def test_korlyakova_keeps_what_came_of_her_choices(console: Run, tmp_path: Path) -> None:
    kept = experience_file(str(tmp_path))
    save_experience(Experience.none(), kept)
    asked = ("auto max\nnew\n" * 5, 4, 4, 3, *KORLYAKOVA, "--rule", "safe", "--learned", tmp_path)
    code, out, err = console(*asked)
    assert (code, err) == (0, "")
    first = load_experience(kept)
    assert (first.games, out.count("with help")) == (5, 5)
    assert first.times.sum() > 0
    assert console(*asked)[0] == 0
    again = load_experience(kept)
    assert again.games == 10
    assert again.times.sum() > first.times.sum()


def test_a_hint_that_is_followed_teaches_too(console: Run, tmp_path: Path) -> None:
    kept = experience_file(str(tmp_path))
    save_experience(Experience.none(), kept)
    asked = (2, 2, 1, *KORLYAKOVA, "--rule", "safe", "--learned", tmp_path)
    _, out, _ = console("0 0\nhint\n", *asked)
    assert load_experience(kept).times.sum() == 0  # nobody knows what would have come of it
    [(row, col)] = re.findall(r"least risk is row (\d), column (\d)", out)
    console(f"0 0\nhint\n{row} {col}\n", *asked)
    assert load_experience(kept).times.sum() == 1


def test_novitsky_keeps_the_schemes_that_were_learned(
    console: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.schemes.shipped", lambda: Library([]))
    asked = ("auto max\nnew\n" * 5, 8, 8, 10, "--strategy", "novitsky", "--seed", 3, "--learned", tmp_path)
    code, _, err = console(*asked)
    assert code == 0
    kept = schemes_in(tmp_path / "patterns.txt")
    assert err.count("learned the scheme") == len(kept) > 0
    assert console(*asked)[0] == 0
    assert schemes_in(tmp_path / "patterns.txt") == kept  # they are known by now


def test_nothing_is_learned_where_that_is_not_wanted(
    console: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.folders.user_data_path", lambda *_, **__: tmp_path / "data")
    assert console("auto max\n", 6, 6, 8, *KORLYAKOVA, "--learned", NONE)[0] == 0
    assert not (tmp_path / "data").exists()
    assert console("auto max\n", 6, 6, 8, *KORLYAKOVA)[0] == 0
    assert (tmp_path / "data" / "experience.bin").exists()


def test_experience_that_cannot_be_read_is_said_and_the_game_goes_on(console: Run, tmp_path: Path) -> None:
    experience_file(str(tmp_path)).write_bytes(b"somebody else's")
    code, out, err = console("hint\n0 0\n", 3, 3, 1, *KORLYAKOVA, "--learned", tmp_path)
    assert (code, err) == (0, "")
    assert "is no experience" in out
