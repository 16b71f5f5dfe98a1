"""The commands as a user types them: what they print, and the code that they end with."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import typer

from bot import __version__, cli
from bot.board import Board
from bot.cli import main

ROOT = Path(__file__).parents[1]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
WON = ROOT / "fixtures" / "winemine-beginner-won.png"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs the command line and returns its exit code, output and errors."""

    def command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["minebot", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return command


def one_line(text: str) -> str:
    assert text.startswith("minebot: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


def test_every_command_and_option_has_a_help_text() -> None:
    group = typer.main.get_command(cli.app)
    commands = group.commands  # type: ignore[attr-defined]
    assert set(commands) == {"play", "replay", "doctor"}
    for name, command in commands.items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_version_and_help(run: Any) -> None:
    assert run("--version")[:2] == (0, f"minebot {__version__}\n")
    code, out, _ = run("play", "--help")
    assert code == 0
    assert "--dry-run" in out


@pytest.mark.parametrize(
    "arguments", [["nothing"], ["play", "--games", "-1"], ["play", "--fast"], ["replay"]]
)
def test_wrong_usage_ends_with_2(run: Any, arguments: list[str]) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "pacman"], "no target 'pacman'"),
        (["--speed", "warp"], "give max, human, or a number"),
        (["--strategy", "luck"], "choose one of"),
        (["--target", "winemine", "--level", "easy"], "'easy' is no level"),
        (["--target", "clone", "--level", "9x9/10"], "has no level 9x9/10"),
        (["--target", "clone", "--launch"], "--launch starts winemine"),
        (["--launch", "--level", "3x3/1"], "has no level 3x3/1"),
    ],
)
def test_values_that_play_cannot_use(
    run: Any, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = run("play", *arguments)
    assert code == 2
    assert words in one_line(err)


@pytest.mark.skipif(sys.platform != "linux", reason="Windows always has a display")
@pytest.mark.parametrize("arguments", [[], ["--dry-run"]])
def test_no_display(run: Any, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = run("play", *arguments)
    assert code == 1
    assert "no display" in one_line(err)


@pytest.mark.skipif(sys.platform != "linux", reason="Windows always has a display")
def test_doctor_without_a_display_says_what_to_do(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    code, out, _ = run("doctor")
    assert code == 1
    assert "make play" in out
    assert "winemine, winmine" in out


def test_doctor_on_a_display(run: Any, display: str) -> None:  # noqa: ARG001
    code, out, _ = run("doctor")
    assert code == 0
    assert "1280 x 900 pixels at (0, 0)" in " ".join(out.split())
    assert "the pointer is at" in out


def test_no_game_on_the_screen(run: Any, display: str) -> None:  # noqa: ARG001
    code, _, err = run("play")
    assert code == 3
    assert "no Minesweeper" in one_line(err)


def test_replay_prints_the_board_and_moves(run: Any) -> None:
    code, out, _ = run("replay", RUNNING)
    assert code == 0
    board = Board.parse("\n".join(out.splitlines()[1:11]))
    assert board.lines() == RUNNING.with_suffix(".txt").read_text().split("\n\n")[0].splitlines()[-9:]
    assert "open row 7, column 0: counting, safe" in out


def test_replay_json(run: Any) -> None:
    code, out, err = run("replay", "--json", RUNNING, WON)
    assert (code, err) == (0, "")
    running, won = (json.loads(line) for line in out.splitlines())
    assert set(running) == {"image", "boards", "error"}
    assert running["image"] == str(RUNNING)
    assert running["error"] is None
    (board,) = running["boards"]
    assert list(board) == [
        "skin", "rows", "cols", "x", "y", "pitch_x", "pitch_y", "state", "mines_left", "cells", "moves",
    ]  # fmt: skip
    assert (board["skin"], board["rows"], board["cols"], board["state"]) == ("winemine", 9, 9, "running")
    assert (board["x"], board["y"], board["pitch_x"], board["pitch_y"]) == (5, 52, 16, 16)
    assert board["mines_left"] == 10
    assert {"row": 7, "col": 0, "action": "open", "risk": 0.0, "reason": "counting"} in board["moves"]
    assert won["boards"][0]["state"] == "won"
    assert won["boards"][0]["moves"] == []


def test_overlay_draws_the_moves_and_leaves_the_rest(run: Any, tmp_path: Path) -> None:
    drawn = tmp_path / "marks.png"
    assert run("replay", RUNNING, "--overlay", drawn)[0] == 0
    before, after = cv2.imread(str(RUNNING)), cv2.imread(str(drawn))
    assert before is not None
    assert after is not None
    changed = (before != after).any(2)
    assert changed[52 + 7 * 16 : 52 + 8 * 16, 5 : 5 + 16].any()  # the safe cell at row 7, column 0
    assert not changed[:52].any()


def test_overlays_of_several_pictures_stand_apart(run: Any, tmp_path: Path) -> None:
    assert run("replay", RUNNING, WON, "--overlay", tmp_path / "marks.png")[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"marks-{path.stem}.png" for path in (RUNNING, WON)}


def test_pictures_that_are_none(run: Any, tmp_path: Path) -> None:
    whole = RUNNING.read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "empty.png").write_bytes(b"")
    for name, words in (("missing.png", "no picture"), ("cut.png", ""), ("empty.png", "")):
        code, out, err = run("replay", tmp_path / name)
        assert (code, out) == (1, "")
        assert name in one_line(err)
        assert words in err


def test_a_picture_without_a_board(run: Any, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 300, 3), 128, np.uint8))
    code, _, err = run("replay", tmp_path / "grey.png")
    assert code == 3
    assert "no Minesweeper board" in one_line(err)


def test_one_bad_picture_does_not_lose_the_others(run: Any, tmp_path: Path) -> None:
    code, out, _ = run("replay", "--json", tmp_path / "missing.png", RUNNING)
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 1
    assert "missing.png" in first["error"]
    assert first["boards"] == []
    assert second["error"] is None


def test_a_damaged_skin_folder(run: Any, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates" / "winmine", tmp_path / "mine")
    (tmp_path / "mine" / "3.png").unlink()
    code, _, err = run("replay", RUNNING, "--skins", tmp_path)
    assert code == 1
    assert "3.png" in one_line(err)


def test_a_skin_of_ones_own_is_used(run: Any, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates" / "winemine", tmp_path / "mine")
    code, out, _ = run("replay", "--json", RUNNING, "--skins", tmp_path)
    assert code == 0
    assert json.loads(out)["boards"][0]["skin"] in ("mine", "winemine")


def test_an_overlay_that_cannot_be_written(run: Any, tmp_path: Path) -> None:
    code, _, err = run("replay", RUNNING, "--overlay", tmp_path / "no" / "such" / "folder.png")
    assert code == 1
    assert "cannot be written" in one_line(err)


def test_debug_shows_where(run: Any) -> None:
    _, _, err = run("play", "--speed", "warp", "--debug")
    assert "Traceback" in err
