"""``minebot learn-experience``, where experience is kept, and learning from play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.bench.training import Progress, train
from bot.board import Board, State
from bot.cli.experience_recorder import ExperienceRecorder
from bot.cli.learned import (
    NONE,
    SHIPPED,
    experience_file,
    learned_for,
    load_experience,
    save_experience,
)
from bot.cli.run import Stopped
from bot.errors import ExperienceError
from bot.solver import decide
from bot.solver.experience import Experience
from bot.solver.learned import NOTHING, Learned
from conftest import minebot

SMALL = ["--level", "6x6/7", "--level", "5x8/9", "--teacher", "game"]


def command(*arguments: str) -> int:
    return minebot("learn-experience", *arguments)


def learn(folder: Path, *more: str) -> int:
    return command("--learned", str(folder), *SMALL, *more)


def test_the_same_command_writes_the_same_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        assert learn(tmp_path / name, "--fresh", "--games", "60") == 0
    one, two = (experience_file(str(tmp_path / name)).read_bytes() for name in ("one", "two"))
    assert one == two
    assert "from 60 games" in capsys.readouterr().err
    assert learn(tmp_path / "one", "--games", "10") == 0
    assert load_experience(experience_file(str(tmp_path / "one"))).games == 70


def test_rare_neighbourhoods_can_be_forgotten(tmp_path: Path) -> None:
    assert learn(tmp_path, "--fresh", "--games", "60", "--least-times", "2") == 0
    kept = load_experience(experience_file(str(tmp_path)))
    assert len(kept.keys) > 5
    assert kept.times.min() == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--teacher", "aunt"], "--teacher aunt: choose one of game, solver, choices, me"),
        (["--learned", "none"], "--learned none: give the folder"),
        (["--level", "9x9"], "'9x9' is no level"),
        (["--level", "9x9/10", "--first", "9,9"], "--first 9,9 is off a board"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*arguments) == 2
    assert words in capsys.readouterr().err


def test_a_damaged_file_is_told_of_and_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = experience_file(str(tmp_path))
    for content, words in ((b"minebot experience 1\n{}\nx", "is damaged"), (b"\x89PNG", "is no experience")):
        path.write_bytes(content)
        assert learn(tmp_path, "--games", "5") == 1
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1
        assert path.read_bytes() == content
    path.unlink()
    path.mkdir()
    with pytest.raises(ExperienceError, match="cannot be read"):
        load_experience(path)
    with pytest.raises(ExperienceError, match=r"can be written to .*name another folder"):
        save_experience(Experience.none(), path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]  # nothing half written is left


def test_what_was_learned_is_kept_when_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*arguments: Any) -> Iterator[Progress]:
        yield next(train(*arguments))
        raise Stopped

    monkeypatch.setattr("bot.cli.experience.train", stopped)
    assert learn(tmp_path, "--fresh", "--games", "900") == 4
    assert load_experience(experience_file(str(tmp_path))).games == 500
    assert "stopped" in capsys.readouterr().err


def test_the_player_is_asked_where_choices_are_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        if len(asked) > 30:
            raise EOFError
        return "nothing" if len(asked) == 2 else "a"

    monkeypatch.setattr("builtins.input", answer)
    folder = str(tmp_path)
    more = ("--teacher", "me", "--fresh", "--games", "8")
    assert command("--learned", folder, *SMALL[:2], *more) == 0
    learned = load_experience(experience_file(folder))
    said = capsys.readouterr().out
    assert len(asked) > 2
    assert all("these are as good: a b" in question for question in asked)
    assert "'nothing' is none of the letters" in said
    assert said.count("game ") == learned.games > 0
    assert learned.times.sum() > 0


def test_only_those_that_learn_get_what_was_learned(tmp_path: Path) -> None:
    assert learned_for(["best", "komarov"], None) == NOTHING
    assert learned_for(["korlyakova"], NONE) == NOTHING
    own = Experience.none().after(np.array([5]), np.array([0.0]))
    save_experience(own, experience_file(str(tmp_path)))
    found = learned_for(["korlyakova", "best"], str(tmp_path)).experience
    assert isinstance(found, Experience)
    assert found.keys.tolist() == [5]


def test_the_shipped_experience_is_small_and_whole(tmp_path: Path) -> None:
    shipped = load_experience(experience_file(str(tmp_path)))
    assert SHIPPED.stat().st_size < 1_000_000
    assert len(shipped.keys) > 10_000
    assert shipped.games > 10_000


def test_play_teaches_how_choices_went(tmp_path: Path) -> None:
    experience_recorder = ExperienceRecorder(Experience.none(), experience_file(str(tmp_path)))
    learned = Learned(experience=experience_recorder)
    board = Board.from_rows(["W1.", "...", "WWW"])  # every free cell touches the 1
    for number, state in enumerate((1, State.MINE, State.EXPLODED), 1):
        decision = decide(board, strategy="korlyakova", learned=learned)
        experience_recorder.decided(board, decision)
        met = sum(experience_recorder.experience.times)
        after = board.replace({decision.moves[0].cell: state})
        if number == 1:
            experience_recorder.decided(after, decide(after, strategy="korlyakova", learned=learned))
        else:
            experience_recorder.ended(after)
        assert sum(experience_recorder.experience.times) == met + 1
        if number == 1:
            experience_recorder = ExperienceRecorder(
                experience_recorder.experience, experience_file(str(tmp_path))
            )
    kept = load_experience(experience_file(str(tmp_path)))
    assert kept.games == 2
    assert sum(kept.times) == 3
    assert sum(kept.times * kept.mines) == pytest.approx(2, abs=1e-3)


def test_a_choice_whose_end_is_not_seen_teaches_nothing(tmp_path: Path) -> None:
    experience_recorder = ExperienceRecorder(Experience.none(), experience_file(str(tmp_path)))
    board = Board.from_rows(["W1.", "...", "WWW"])
    experience_recorder.decided(board, decide(board, strategy="korlyakova"))
    experience_recorder.ended(board)
    assert len(load_experience(experience_file(str(tmp_path))).keys) == 0


def test_play_goes_on_where_nothing_can_be_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file" / "experience.bin"
    path.parent.write_text("no folder")
    experience_recorder = ExperienceRecorder(Experience.none(), path)
    for _ in range(3):
        experience_recorder.ended(Board.covered(3, 3, 2))
    assert capsys.readouterr().err.count("will be forgotten") == 1
    assert experience_recorder.experience.games == 3
