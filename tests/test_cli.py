"""The commands as a user types them: what they print, and the code that they end with."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import typer

from bot import __version__
from bot.board import Board
from bot.cli.commands import app
from bot.cli.explain import guess_as_json, move_lines
from bot.solver import STRATEGIES, decide
from bot.vision import load_skins, save_picture
from drawn_boards import draw_board
from fixture_boards import fixture_boards

ROOT = Path(__file__).parents[1]
FRESH = ROOT / "fixtures" / "winemine-beginner-fresh.png"
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
WON = ROOT / "fixtures" / "winemine-beginner-won.png"


def one_line(text: str) -> str:
    assert text.startswith("minebot: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text
    return text


def test_every_command_and_option_has_a_help_text() -> None:
    group = typer.main.get_command(app)
    commands = group.commands  # type: ignore[attr-defined]
    assert set(commands) == {
        "bench",
        "console",
        "doctor",
        "game",
        "hint",
        "learn",
        "learn-experience",
        "panel",
        "patterns",
        "play",
        "replay",
        "solve",
        "stats",
    }
    for name, command in commands.items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_version_and_help(run: Any) -> None:
    assert run("--version")[:2] == (0, f"minebot {__version__}\n")
    code, out, _ = run("play", "--help")
    assert code == 0
    assert "--dry-run" in out


def test_without_a_command_there_is_help(run: Any) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "replay" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "No such command 'nothing': see `minebot --help`"),
        (["play", "--games", "-1"], "-1 is not in the range x>=0: see `minebot play --help`"),
        (["play", "--fast"], "--fast"),
        (["play", "--target"], "requires an argument"),
        (["replay"], "Missing argument"),
        (["--debug"], "Missing command"),
    ],
)
def test_wrong_usage_is_one_line_and_ends_with_2(run: Any, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err.splitlines()[-1]
    if "--debug" not in arguments:
        one_line(err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "pacman"], "no target 'pacman'"),
        (["--speed", "warp"], "give max, human, or a number"),
        (["--strategy", "luck"], "choose one of"),
        (["--think", "0"], "--think 0: give a number of seconds above 0"),
        (["--think", "-2"], "--think -2: give a number of seconds above 0"),
        (["--think", "nan"], "--think nan: give a number of seconds above 0"),
        (["--think", "inf"], "--think inf: give a number of seconds above 0"),
        (["--think", "long"], "is not a valid float"),
        (["--think", "1", "--strategy", "fast"], "only the strategy deep thinks, leave out --strategy fast"),
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
    assert out.count("make play") == 1
    assert out.count("needs a display") == 4


def test_doctor_on_a_display(run: Any, display: str) -> None:  # noqa: ARG001
    code, out, _ = run("doctor")
    assert code == 0
    assert "1280 x 900 pixels at (0, 0)" in " ".join(out.split())
    assert "the pointer is at" in out
    assert "a dry run can lay them over the game" in " ".join(out.split())


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
        "skin", "rows", "cols", "x", "y", "pitch_x", "pitch_y", "cut", "state", "mines_left", "cells",
        "moves", "guess", "stuck",
    ]  # fmt: skip
    assert (board["skin"], board["rows"], board["cols"], board["state"]) == ("winemine", 9, 9, "running")
    assert (board["x"], board["y"], board["pitch_x"], board["pitch_y"]) == (5, 52, 16, 16)
    assert board["mines_left"] == 10
    assert {"row": 7, "col": 0, "action": "open", "risk": 0.0, "reason": "counting"} in board["moves"]
    assert won["boards"][0]["state"] == "won"
    assert won["boards"][0]["moves"] == []
    assert board["stuck"] is won["boards"][0]["stuck"] is False
    assert board["guess"] is won["boards"][0]["guess"] is None


@pytest.mark.parametrize(
    ("name", "mines_left", "hidden", "state", "error"),
    [
        ("winemine-beginner-running", 1, None, "running", "the total of 1 mine"),  # of another game
        ("winemine-beginner-won", 0, (0, 0), "running", "nothing left to open on this board: 1 cell cannot"),
        ("winemine-custom-lost", 1, None, "lost", None),  # more mines are shown, but it is over
    ],
)
def test_replay_keeps_a_board_that_nothing_can_be_done_on(
    run: Any,
    tmp_path: Path,
    name: str,
    mines_left: int,
    hidden: tuple[int, int] | None,
    state: str,
    error: str | None,
) -> None:
    truth = fixture_boards(name)[0].board
    picture, x, y = draw_board(
        next(skin for skin in load_skins() if skin.name == "winemine"), truth, mines_left
    )
    lines = truth.lines()
    if hidden is not None:
        row, col = hidden
        place = np.s_[y + 16 * row : y + 16 * (row + 1), x + 16 * col : x + 16 * (col + 1)]
        picture[place] = np.random.default_rng(1).integers(0, 256, (16, 16, 3))
        lines[row] = lines[row][:col] + "-" + lines[row][col + 1 :]
    save_picture(tmp_path / "board.png", picture)
    code, out, err = run("replay", "--json", tmp_path / "board.png")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    (board,) = answer["boards"]
    assert answer["error"] is None
    assert (board["cells"], board["state"], board["moves"]) == (lines, state, [])
    assert ("error" in board) == (error is not None)
    code, out, err = run("replay", tmp_path / "board.png")
    assert (code, err) == (0, "")
    *_, last_row, why = out.splitlines()
    assert last_row == lines[-1]
    if error is not None:
        assert error in board["error"]
        assert "\n" not in board["error"]
        assert why == f"no move: {board['error']}"
    else:
        assert why == f"no move: the game is {state}"


def test_a_guess_is_explained() -> None:
    decision = decide(Board.from_rows(["....", ".2..", "...."], 3))
    guess, *others = move_lines(decision, "")
    assert re.fullmatch(r"open row \d, column \d: guess by endgame, risk [\d.]+%, won in [\d.]+%", guess)
    assert 1 <= len(others) <= 3
    for line in others:
        assert re.fullmatch(r"  or row \d, column \d: risk [\d.]+%, wins [\d.]+% as often", line)
    explained = guess_as_json(decision)
    assert explained is not None
    assert explained["judgement"] == "endgame"
    assert (explained["win_chance"], explained["exact"]) == (decision.win_chance, True)
    assert explained["alternatives"][0] == {
        "row": decision.moves[0].cell.row,
        "col": decision.moves[0].cell.col,
        "risk": decision.risk,
        "score": 1.0,
    }
    assert len(explained["alternatives"]) == len(decision.alternatives)


def test_a_risk_that_is_estimated_is_told_as_such() -> None:
    decision = decide(Board.from_rows(["....", ".2..", "...."], 3), strategy=STRATEGIES["counting"])
    assert all("risk about " in line for line in move_lines(decision, ""))
    explained = guess_as_json(decision)
    assert explained is not None
    assert explained["exact"] is False


def test_replay_may_think(run: Any) -> None:
    code, out, err = run("replay", "--think", "0.05", "--json", FRESH)
    assert code == 0, err
    (board,) = json.loads(out)["boards"]
    assert board["guess"] is None
    assert board["moves"][0]["reason"] == "first click"


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
    (tmp_path / "mine" / "covered.png").unlink()
    code, _, err = run("replay", RUNNING, "--skins", tmp_path)
    assert code == 1
    assert "covered.png" in one_line(err)


def test_a_skin_of_ones_own_is_used(run: Any, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates" / "winemine", tmp_path / "mine")
    code, out, _ = run("replay", "--json", RUNNING, "--skins", tmp_path)
    assert code == 0
    assert json.loads(out)["boards"][0]["skin"] in ("mine", "winemine")


def test_an_overlay_that_cannot_be_written(run: Any, tmp_path: Path) -> None:
    code, _, err = run("replay", RUNNING, "--overlay", tmp_path / "no" / "such" / "folder.png")
    assert code == 1
    assert "cannot be written" in one_line(err)


@pytest.mark.parametrize(
    "line",
    [
        "--debug play --speed warp",
        "play --debug --speed warp",
        "play --speed warp --debug",
        "play --games -1 --debug",
    ],
)
def test_debug_shows_where_from_anywhere_on_the_line(run: Any, line: str) -> None:
    _, _, err = run(*line.split())
    assert "Traceback" in err


def test_debug_may_be_a_value(run: Any) -> None:
    code, _, err = run("replay", "--", "--debug")
    assert code == 1
    assert "no picture --debug" in one_line(err)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [("SIGINT", 4, "minebot: stopped: Ctrl+C was pressed\n"), ("SIGTERM", 143, ""), ("SIGHUP", 129, "")],
)
def test_a_signal_ends_the_whole_run(
    run: Any, monkeypatch: pytest.MonkeyPatch, name: str, code: int, words: str
) -> None:
    if not hasattr(signal, name):
        pytest.skip(f"there is no {name} here")
    number, loaded = getattr(signal, name), list[Path]()
    before = signal.signal(number, signal.default_int_handler)

    def load(picture: Path) -> None:
        loaded.append(picture)
        signal.raise_signal(number)

    monkeypatch.setattr("bot.cli.replay.load_picture", load)
    try:
        assert run("replay", "--json", RUNNING, WON) == (code, "", words)
        assert signal.getsignal(number) == signal.default_int_handler
    finally:
        signal.signal(number, before)
    assert loaded == [RUNNING]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on Windows")
def test_a_signal_that_nohup_ignores_is_ignored(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def load(_: Path) -> np.ndarray:
        signal.raise_signal(signal.SIGHUP)
        return np.zeros((50, 50, 3), np.uint8)

    monkeypatch.setattr("bot.cli.replay.load_picture", load)
    try:
        assert run("replay", "black.png")[0] == 3
    finally:
        signal.signal(signal.SIGHUP, before)


def test_ctrl_c_is_heeded_in_the_background_too(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    monkeypatch.setattr("bot.cli.replay.load_picture", lambda _: signal.raise_signal(signal.SIGINT))
    try:
        assert run("replay", RUNNING)[0] == 4
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_is_heeded_before_the_commands_are_loaded(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "bot.cli.commands":
                signal.raise_signal(signal.SIGINT)

    monkeypatch.delitem(sys.modules, "bot.cli.commands")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert run("--version") == (4, "", "minebot: stopped: Ctrl+C was pressed\n")


def test_the_entry_point_loads_no_library() -> None:
    code = "import sys, bot.cli; print({'numpy', 'cv2', 'typer', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("options", [["--json"], []])
def test_a_full_disk_is_one_clear_line(options: list[str]) -> None:
    command = [sys.executable, "-m", "bot", "replay", str(RUNNING), *options]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - it is no file to be made
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert os.strerror(28) in one_line(done.stderr)
