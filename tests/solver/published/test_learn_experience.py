"""``minebot learn-experience``, where experience is kept, and learning from games that are played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.board import Board, State
from bot.cli.options import NONE, experience_file
from bot.errors import ExperienceError
from bot.signals import Stopped
from bot.solver import decide
from bot.solver.published.korlyakova import (
    Experience,
    ExperienceRecorder,
    Learned,
    Progress,
    strategy_with,
    train,
)
from conftest import Run, minebot, one_line

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
    assert Experience.load(experience_file(str(tmp_path / "one"))).games == 70


def test_rare_neighbourhoods_can_be_forgotten(tmp_path: Path) -> None:
    assert learn(tmp_path, "--fresh", "--games", "60", "--least-times", "2") == 0
    kept = Experience.load(experience_file(str(tmp_path)))
    assert len(kept.keys) > 5
    assert kept.times.min() == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--teacher", "aunt"], "--teacher aunt: choose one of game, solver, choices, me"),
        (["--learned", "none"], "--learned none: give the folder"),
        (["--level", "9x9"], "'9x9' is not a level"),
        (["--level", "9x9/10", "--first", "10,10"], "--first 10,10 is off a board"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*arguments) == 2
    assert words in capsys.readouterr().err


def test_a_damaged_file_is_told_of_and_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = experience_file(str(tmp_path))
    for content, words in ((b"minebot experience 1\n{}\nx", "is damaged"), (b"\x89PNG", "not an experience")):
        path.write_bytes(content)
        assert learn(tmp_path, "--games", "5") == 1
        said = capsys.readouterr().err
        assert words in said
        assert said.count("\n") == 1
        assert path.read_bytes() == content
    path.unlink()
    path.mkdir()
    with pytest.raises(ExperienceError, match="cannot be read"):
        Experience.load(path)
    with pytest.raises(ExperienceError, match=r"cannot be written to .*choose another folder"):
        Experience.none().save(path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]  # nothing half written is left


def test_what_was_learned_is_kept_when_it_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*arguments: Any) -> Iterator[Progress]:
        yield next(train(*arguments))
        raise Stopped

    monkeypatch.setattr("bot.cli.solver_data.train", stopped)
    assert learn(tmp_path, "--fresh", "--games", "900") == 4
    assert Experience.load(experience_file(str(tmp_path))).games == 500
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
    learned = Experience.load(experience_file(folder))
    said = capsys.readouterr().out
    assert len(asked) > 2
    assert all("These cells are equally good: a b" in question for question in asked)
    assert "'nothing' is not one of the letters" in said
    assert said.count("game ") == learned.games > 0
    assert learned.times.sum() > 0


BOARD = Board.from_rows(["W1.", "...", "WWW"])  # every free cell touches the 1


def test_play_teaches_how_choices_went(tmp_path: Path) -> None:
    path, learned = experience_file(str(tmp_path)), Learned(experience=Experience.none())
    recorder = ExperienceRecorder(learned, path, print)
    for met, state in enumerate((1, State.MINE, State.EXPLODED, State.COVERED)):
        decision = decide(BOARD, strategy=strategy_with(learned))
        recorder.decided(BOARD, decision)
        assert learned.experience is not None
        assert sum(learned.experience.times) == met
        after = BOARD.replace({decision.moves[0].cell: state})
        if state == 1:
            recorder.decided(after, decide(after, strategy=strategy_with(learned)))
            recorder = ExperienceRecorder(learned, path, print)
        else:
            recorder.ended(after)
    kept = Experience.load(path)
    assert kept.games == 3
    assert sum(kept.times) == 3  # nobody knows how the last choice went
    assert sum(kept.times * kept.mines) == pytest.approx(2, abs=1e-3)


def test_play_goes_on_where_nothing_can_be_kept(tmp_path: Path) -> None:
    said, learned = list[str](), Learned(experience=Experience.none())
    (tmp_path / "file").write_text("no folder")
    recorder = ExperienceRecorder(learned, tmp_path / "file" / "experience.bin", said.append)
    for _ in range(3):
        recorder.ended(Board.covered(3, 3, 2))
    (complaint,) = said
    assert "the experience of 0 games is still used, but new experience will be lost" in complaint
    assert learned.experience is not None
    assert learned.experience.games == 3


@pytest.mark.usefixtures("there")
def test_play_teaches_what_came_of_the_choices(play: Run, tmp_path: Path) -> None:
    kept = experience_file(str(tmp_path / "kept"))
    Experience.none().save(kept)
    asked = ("--strategy", "korlyakova", "--games", 5, "--learned", tmp_path / "kept")
    assert play(*asked, "--no-learn")[0] == 0
    assert Experience.load(kept).games == 0
    assert play(*asked)[0] == 0
    first = Experience.load(kept)
    assert first.games == 5
    assert first.times.sum() > 0
    assert play(*asked)[0] == 0
    again = Experience.load(kept)
    assert again.games == 10
    assert again.times.sum() >= first.times.sum()


@pytest.mark.usefixtures("there")
def test_nothing_is_learned_where_that_is_not_wanted(play: Run, tmp_path: Path) -> None:
    kept = tmp_path / "data" / "experience.bin"
    assert play("--strategy", "korlyakova", "--learned", NONE)[0] == 0
    assert not kept.exists()
    assert play("--strategy", "korlyakova")[0] == 0
    assert kept.exists()


@pytest.mark.usefixtures("there")
def test_play_does_not_begin_with_experience_that_cannot_be_read(play: Run, tmp_path: Path) -> None:
    experience_file(str(tmp_path)).write_bytes(b"somebody else's")
    code, _, err = play("--strategy", "korlyakova", "--learned", tmp_path)
    assert code == 1
    assert "is not an experience file" in one_line(err)
