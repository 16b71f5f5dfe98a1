"""``minebot replay`` of screenshots: what it prints and draws, and what it says of pictures that are none."""

from __future__ import annotations

import json
import math
import re
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.cli import positions
from bot.cli.positions import guess_as_json, move_lines
from bot.game.board_files import read_board
from bot.play.look import may_be_playable
from bot.solver import decide
from bot.vision import load_skins, save_picture
from bot.vision.reading import Side
from conftest import Run, one_line
from drawn_boards import draw_board
from fixture_boards import fixture_boards
from simulated import reading_of

ROOT = Path(__file__).parents[2]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
WON = ROOT / "fixtures" / "winemine-beginner-won.png"


def test_the_board_and_the_moves_are_printed(run: Run) -> None:
    code, out, _ = run("replay", RUNNING)
    assert code == 0
    board = read_board("\n".join(out.splitlines()[1:11])).board
    assert board.lines() == RUNNING.with_suffix(".txt").read_text().split("\n\n")[0].splitlines()[-9:]
    assert "open row 3, columns 5, 6 and 7, and row 8, column 1: counting, safe" in out


@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert", "custom"])
def test_the_first_move_in_a_picture_is_the_one_that_a_hint_explains(run: Run, level: str) -> None:
    picture = ROOT / "fixtures" / f"winemine-{level}-running.png"
    (board,), (hinted,) = (
        json.loads(run(name, "--json", picture)[1])["boards"] for name in ("replay", "hint")
    )
    (hint,), moves = hinted["hints"], [(move["row"], move["col"]) for move in board["moves"]]
    assert moves[0] == (hint["row"], hint["col"])
    if len(moves) > 1:
        assert moves[1] == min(moves[1:], key=lambda cell: math.dist(cell, moves[0]))


def test_json_is_an_object_a_picture(run: Run) -> None:
    code, out, err = run("replay", "--json", RUNNING, WON)
    assert (code, err) == (0, "")
    running, won = (json.loads(line) for line in out.splitlines())
    assert set(running) == {"image", "boards", "error"}
    assert (running["image"], running["error"]) == (str(RUNNING), None)
    (board,) = running["boards"]
    assert list(board) == [
        "skin", "rows", "cols", "x", "y", "pitch_x", "pitch_y", "cut", "open", "state", "mines_left", "cells",
        "moves", "guess", "stuck",
    ]  # fmt: skip
    assert (board["skin"], board["rows"], board["cols"], board["state"]) == ("winemine", 9, 9, "running")
    assert (board["x"], board["y"], board["pitch_x"], board["pitch_y"]) == (5, 52, 16, 16)
    assert board["mines_left"] == 10
    assert {"row": 7, "col": 0, "action": "open", "risk": 0.0, "reason": "counting"} in board["moves"]
    (finished,) = won["boards"]
    assert (finished["state"], finished["moves"]) == ("won", [])
    for one in (board, finished):
        assert (one["stuck"], one["guess"]) == (False, None)


@pytest.mark.parametrize(
    ("name", "mines_left", "hidden", "state", "error"),
    [
        ("winemine-beginner-running", 1, None, "running", "the total of 1 mine"),  # of another game
        ("winemine-beginner-won", 0, (0, 0), "unknown", "nothing left to open on this board: 1 cell cannot"),
        ("winemine-custom-lost", 1, None, "lost", None),  # more mines are shown, but it is over
    ],
)
def test_a_board_that_nothing_can_be_done_on_is_kept(
    run: Run,
    tmp_path: Path,
    name: str,
    mines_left: int,
    hidden: tuple[int, int] | None,
    state: str,
    error: str | None,
) -> None:
    truth = fixture_boards(name)[0].board
    winemine = next(skin for skin in load_skins() if skin.name == "winemine")
    picture, x, y = draw_board(winemine, truth, mines_left)
    lines = truth.lines()
    if hidden is not None:
        row, col = hidden
        place = np.s_[y + 16 * row : y + 16 * (row + 1), x + 16 * col : x + 16 * (col + 1)]
        picture[place] = np.random.default_rng(1).integers(0, 256, (16, 16, 3))
        lines[row] = lines[row][:col] + "-" + lines[row][col + 1 :]
    save_picture(tmp_path / "board.png", picture)
    code, out, err = run("replay", "--json", tmp_path / "board.png")
    assert (code, err) == (0, "")
    (board,) = json.loads(out)["boards"]
    assert (board["cells"], board["state"], board["moves"]) == (lines, state, [])
    assert ("error" in board) == (error is not None)
    assert (error or "") in board.get("error", "")
    code, out, err = run("replay", tmp_path / "board.png")
    assert (code, err) == (0, "")
    assert out.splitlines()[-2:] == [lines[-1], f"no move: {board.get('error', f'the game is {state}')}"]


def test_numbers_at_an_open_side_contradict_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.from_rows(["001..", "00111", "00000", "00100"])
    reading = replace(reading_of(board), open=frozenset({Side.BOTTOM}))
    monkeypatch.setattr(positions, "read_picture", lambda *_, **__: [reading])
    assert may_be_playable(reading, None)
    for command in ("replay", "hint"):
        code, out, _ = run(command, RUNNING)
        assert (code, "ow 1, column 5" in out) == (0, True), out


def test_a_guess_is_explained() -> None:
    decision = decide(Board.from_rows(["....", ".2..", "...."], 3))
    guess, *others = move_lines(decision, "")
    assert re.fullmatch(r"open row \d, column \d: guess by endgame, risk [\d.]+%, won in [\d.]+%", guess)
    assert 1 <= len(others) <= 3
    for line in others:
        assert re.fullmatch(r"  or row \d, column \d: risk [\d.]+%, wins (?:[\d.]+% )?as often", line)
    explained = guess_as_json(decision)
    assert explained is not None
    assert explained["judgement"] == "endgame"
    assert (explained["win_chance"], explained["exact"]) == (decision.win_chance, True)
    assert len(explained["alternatives"]) == len(decision.alternatives)
    cell = decision.moves[0].cell
    first = {"row": cell.row, "col": cell.col, "risk": decision.risk, "score": 1.0}
    assert explained["alternatives"][0] == first


def test_moves_are_drawn_into_a_picture_and_the_rest_is_left_alone(run: Run, tmp_path: Path) -> None:
    drawn = tmp_path / "marks.png"
    assert run("replay", RUNNING, "--overlay", drawn)[0] == 0
    before, after = cv2.imread(str(RUNNING)), cv2.imread(str(drawn))
    assert before is not None
    assert after is not None
    # Cells of 16 pixels are too small for numbers, so the picture is twice as large.
    changed = (before.repeat(2, axis=0).repeat(2, axis=1) != after).any(2)
    assert changed[2 * (52 + 7 * 16) : 2 * (52 + 8 * 16), 10 : 2 * (5 + 16)].any()  # the safe cell (7, 0)
    assert not changed[: 2 * 52].any()


def test_each_of_several_pictures_has_a_drawing_of_its_own(run: Run, tmp_path: Path) -> None:
    assert run("replay", RUNNING, WON, "--overlay", tmp_path / "marks.png")[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"marks-{path.stem}.png" for path in (RUNNING, WON)}


@pytest.mark.parametrize("spelling", ["shot.png", "./shot.png", "here/../shot.png", "link.png", "hard.png"])
@pytest.mark.parametrize("command", ["hint", "replay"])
def test_no_drawing_overwrites_the_picture_it_is_made_from(
    command: str, spelling: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    shot = Path(shutil.copy(RUNNING, "shot.png"))
    Path("link.png").symlink_to("shot.png")
    Path("hard.png").hardlink_to("shot.png")
    code, out, err = run(command, "shot.png", "--overlay", spelling)
    assert (code, out) == (2, "")
    assert "would overwrite shot.png, which is read" in one_line(err)
    assert shot.read_bytes() == RUNNING.read_bytes()


def test_several_drawings_overwrite_neither_a_picture_nor_each_other(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one, marked, twin = (tmp_path / name for name in ("a.png", "marks-a.png", "other/a.png"))
    for picture in (one, marked, twin):
        shutil.copy(RUNNING, picture)
    for second, words in ((marked, "would overwrite"), (twin, "would be drawn twice")):
        code, out, err = run("replay", one, second, "--overlay", tmp_path / "marks.png")
        assert (code, out) == (2, "")
        assert words in one_line(err)
    assert all(picture.read_bytes() == RUNNING.read_bytes() for picture in (one, marked, twin))


def test_no_other_output_overwrites_what_is_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "fixtures" / "records" / "winemine-chords", "run")
    for name in ("plot.svg", "page.html", "film.mp4"):
        Path(name).hardlink_to("run/record.jsonl")
    Path("skins/mine").mkdir(parents=True)
    shot = Path(shutil.copy(RUNNING, "skins/mine/shot.png"))
    read = Path("run/record.jsonl").read_bytes()
    for command in (
        ["stats", "run", "--plot", "plot.svg"],
        ["replay", "run", "--report", "page.html"],
        ["replay", "run", "--film", "film.mp4"],
        ["bench", "--games", "1", "--plot", "plot.svg", "--checkpoint", "run/record.jsonl"],
        ["learn", "mine", shot, "--skins", "skins", "--force"],
    ):
        code, out, err = run(*command)
        assert (code, out) == (2, ""), command
        assert re.search("which is read|is in the folder of the skin", err.splitlines()[-1])
    assert (Path("run/record.jsonl").read_bytes(), shot.read_bytes()) == (read, RUNNING.read_bytes())


@pytest.mark.parametrize("command", ["replay", "hint"])
def test_a_drawing_that_cannot_be_written_is_told_before_the_work(
    command: str, run: Run, tmp_path: Path
) -> None:
    for name, words in (
        ("no/such/folder.png", "there is no folder"),
        ("marks.doc", "must end in one of .png, .jpg"),
    ):
        code, out, err = run(command, RUNNING, "--overlay", tmp_path / name)
        assert (code, out) == (2, "")
        assert words in one_line(err)


@pytest.mark.parametrize("command", ["replay", "hint", "play"])
def test_no_board_has_so_many_mines(command: str, run: Run) -> None:
    code, _, err = run(command, *([RUNNING] if command != "play" else []), "--mines", 99_999_999_999)
    assert code == 2
    assert "99999999999 is not in the range" in one_line(err)


@pytest.mark.parametrize(
    ("name", "content", "code", "words"),
    [
        ("missing.png", None, 2, "no picture"),
        ("empty.png", b"", 1, "empty.png"),
        ("cut.png", RUNNING.read_bytes()[:1000], 1, "cut.png"),
        ("grey.png", cv2.imencode(".png", np.full((200, 300, 3), 128, np.uint8))[1].tobytes(), 3, "no Mines"),
        (
            "board.txt",
            b"2 x 2 / 1\n1.\n..\n",
            1,
            "board.txt is a text with a board, and no picture: `minebot",
        ),
    ],
)
def test_files_without_a_board_to_be_seen(
    run: Run, tmp_path: Path, name: str, content: bytes | None, code: int, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    ended, out, err = run("replay", tmp_path / name)
    assert (ended, out) == (code, "")
    assert words in one_line(err)


def test_one_bad_picture_does_not_lose_the_others(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("replay", "--json", tmp_path / "missing.png", RUNNING)
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 2
    assert "missing.png" in first["error"]
    assert (first["boards"], second["error"]) == ([], None)


def test_skins_of_ones_own(run: Run, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates" / "winemine", tmp_path / "mine")
    code, out, _ = run("replay", "--json", RUNNING, "--skins", tmp_path)
    assert code == 0
    assert json.loads(out)["boards"][0]["skin"] in ("mine", "winemine")
    (tmp_path / "mine" / "covered.png").unlink()
    code, _, err = run("replay", RUNNING, "--skins", tmp_path)
    assert code == 1
    assert "covered.png" in one_line(err)


@pytest.mark.parametrize("command", ["stats", "replay"])
def test_a_folder_and_a_record_cannot_speak_to_the_terminal(run: Run, tmp_path: Path, command: str) -> None:
    folder = tmp_path / "[" / "oops]\x1b[2J"
    shutil.copytree(ROOT / "fixtures" / "records" / "builtin-flags", folder)
    path = folder / "record.jsonl"
    before, sent, after = path.read_text("utf-8").partition('"kind":"sent"')
    after = after.replace(',"left"]', ',"\\u001b[31m\\nminebot: x"]', 1)
    path.write_text(before + sent + after, "utf-8")
    code, out, err = run(command, folder, *(["--check"] if command == "replay" else []))
    assert code == (command == "replay")
    assert "oops]\\x1b[2J" in out
    assert "\x1b" not in out + err
    assert "\nminebot: x" not in out
    assert "internal error" not in err
