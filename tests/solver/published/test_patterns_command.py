"""``minebot patterns`` as a user types it, and the file of what was learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.cli.terminal import complain
from bot.solver.published.novitsky import (
    HEADER,
    Library,
    Pattern,
    learner,
    load,
    load_learned,
    read,
    shipped,
    written,
)
from conftest import Run, one_line

GOOD, WRONG = "2 ..o/11#", "2 ..*/11#"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the user's data, which is empty."""
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path / "data")
    return tmp_path / "data"


def test_patterns_are_found_and_written_twice_alike(run: Any, tmp_path: Path) -> None:
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file in files:
        code, out, _ = run("patterns", "--numbers", "2", "--output", file)
        assert code == 0
        assert (
            f"26 patterns (9 of order 1, 7 of order 2, 6 of order 3, 4 of order 4), written to {file}" in out
        )
    assert files[0].read_bytes() == files[1].read_bytes()
    expected = [str(pattern) for pattern in shipped().patterns if len(pattern.needs) < 3]
    assert [str(pattern) for pattern in read(files[0].read_text())] == expected


def test_a_file_of_another_kind_is_left_alone(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader")
    code, _, err = run("patterns", "--output", file)
    assert code == 2
    assert "it is not a library of patterns, so it is not overwritten" in one_line(err)
    assert file.read_text() == "Dear reader"
    code, _, err = run("patterns", "--output", tmp_path / "no" / "where.txt")
    assert code == 2
    assert "cannot write there (No such file or directory)" in one_line(err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--window", "7"], "3<=x<=6"),
        (["--orders", "0"], "1<=x<=4"),
        (["--numbers", "5"], "1<=x<=4"),
        (["--library", "x.txt"], "--library is only for --verify"),
        (["--verify", "--library", "missing.txt"], "there is no file missing.txt"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(run: Any, arguments: list[str], words: str) -> None:
    code, _, err = run("patterns", *arguments)
    assert code in (1, 2)
    assert words in one_line(err)


def test_all_patterns_are_checked(run: Any, data: Path, tmp_path: Path) -> None:
    code, out, _ = run("patterns", "--verify")
    assert code == 0
    assert f"{len(shipped().patterns)} patterns" in out
    assert "each is true for all placements of mines" in out
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(f"{HEADER}\n{GOOD}\n{WRONG}\n")
    code, _, err = run("patterns", "--verify", "--library", wrong)
    assert code == 1
    assert "the pattern ..*/11# is wrong: a cell that it marks as a mine can be safe" in one_line(err)
    assert not data.exists()


def learn(path: Path, *patterns: Pattern) -> None:
    """Tell a library of ``path`` that these patterns are new."""
    library = learner(path, print, complain)
    assert library.on_new is not None
    for pattern in patterns:
        library.on_new(pattern)


def test_what_is_learned_is_kept_at_once(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = data / "patterns.txt"
    assert load_learned(path, complain) == []
    first, second = Pattern.drawn(["..o", "11#"], 2), Pattern.drawn(["..*", "12#"], 2)
    learn(path, first)
    assert path.read_text() == written([first])
    learn(path, second)
    assert load_learned(path, complain) == [first, second]
    assert "learned the pattern ..o/11#" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\xff", "it is not a text file"),
        (b"somebody else's file", "the first line must be 'minebot schemes 1'"),
        (f"{HEADER}\n{GOOD}\n2 ..".encode(), "line 3: '..' is not a valid drawing"),
        (f"{HEADER}\n{WRONG}\n".encode(), "is wrong: a cell that it marks as a mine can be safe"),
    ],
)
def test_a_damaged_file_is_kept_aside(
    data: Path, content: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / "patterns.txt"
    data.mkdir()
    for name in ("patterns.damaged.txt", "patterns.damaged1.txt"):
        path.write_bytes(content)
        assert load_learned(path, complain) == []
        line = one_line(capsys.readouterr().err)
        assert words in line
        assert f"the file was renamed to {name}, and learning starts again without it" in line
        assert (data / name).read_bytes() == content
        assert not path.exists()


def test_a_file_that_cannot_be_written_is_told_of_once(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.write_text("a file where a folder should be")
    learn(data / "patterns.txt", Pattern.drawn(["..o", "11#"], 2), Pattern.drawn(["..*", "12#"], 2))
    assert "new patterns will be lost when the program ends" in one_line(capsys.readouterr().err)


@pytest.mark.usefixtures("there")
def test_play_keeps_the_patterns_that_were_learned(
    play: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.solver.published.novitsky.shipped", lambda: Library([]))
    asked = ("--strategy", "novitsky", "--games", 5)
    code, _, err = play(*asked)
    assert code == 0
    kept = load(data / "patterns.txt")
    assert err.count("learned the pattern") == len(kept) > 0
    assert play(*asked)[0] == 0
    again = load(data / "patterns.txt")
    assert again[: len(kept)] == kept
    assert len({pattern.key for pattern in again}) == len(again)  # none is learned twice
