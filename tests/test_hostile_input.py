"""Hostile input: devices for files, absurd numbers, files that unpack to gigabytes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardless import paste
from bot.board import State
from bot.vision import load_skins
from conftest import Run, one_line
from drawn_boards import draw_board, played

ROOT = Path(__file__).parents[1]
RUNNING = ROOT / "fixtures" / "winemine-beginner-running.png"
RECORD = ROOT / "fixtures" / "records" / "winemine-chords"
SKIN = ROOT / "templates" / "winmine"
MEMORY = 1 << 30  # bytes that a command may take
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither such files nor such limits")


@cache
def one_colour(width: int, height: int) -> bytes:
    """Return a small PNG of any size."""
    packer = zlib.compressobj(9)
    row = b"\0" + b"\xc0" * (3 * width)
    data = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", data),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def peak_memory(*arguments: object) -> int:
    """Run minebot, and return the most memory that it took, in bytes."""
    code = "import resource; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    program = f"import subprocess, sys; subprocess.run(sys.argv[1:]); {code}"
    command = [sys.executable, "-c", program, sys.executable, "-m", "bot", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    return int(done.stdout.splitlines()[-1]) * 1024


@posix
@pytest.mark.parametrize("kind", ["device", "pipe", "link"])
@pytest.mark.parametrize(
    "command",
    [
        ["replay", "x.png"],
        ["hint", "x.png"],
        ["solve", "x.png"],
        ["learn", "new", "x.png"],
        ["patterns", "--verify", "--library", "x.png"],
        ["replay", "record"],
        ["stats", "record"],
        ["replay", RUNNING, "--skins", "skins"],
        ["replay", RUNNING, "--skins", "drawn"],
    ],
)
def test_devices_and_pipes_are_no_files(
    command: Sequence[object], kind: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SKIN, tmp_path / "skins" / "one")
    shutil.copytree(SKIN, tmp_path / "drawn" / "one")
    (tmp_path / "record").mkdir()
    places = ["x.png", "record/record.jsonl", "skins/one/skin.toml", "drawn/one/1.png"]
    for place in map(Path, places):
        place.unlink(missing_ok=True)
        if kind == "device":
            place.symlink_to("/dev/zero")
        else:
            os.mkfifo(place if kind == "pipe" else place.with_suffix(".pipe"))
        if kind == "link":
            place.symlink_to(place.with_suffix(".pipe").absolute())
    code, out, err = run(*command)
    assert (code, out) == (1, "")
    assert "it is not an ordinary file" in one_line(err)


@posix
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "command",
    [
        ["patterns", "--window", "3", "--numbers", "1", "--output"],
        ["bench", "--games", "1", "--level", "4x4/2", "--strategy", "counting", "--checkpoint"],
    ],
)
def test_an_output_that_is_a_pipe_is_named(command: Sequence[str], run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "results.pipe"
    os.mkfifo(pipe)
    code, _, err = run(*command, pipe)
    assert code in (1, 2)
    assert pipe.name in one_line(err)
    assert "None" not in err


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("digits = 3", "digits = 1000000000", "Expected `int` <= 9 - at `$.counter.digits`"),
        ("digits = 3", "digits = 1000", "Expected `int` <= 9 - at `$.counter.digits`"),
        ("digits = 3", "digits = " + "9" * 5000, "skin.toml"),
        ("reach = 26", "reach = nan", "at `$.reach`"),
        ("reach = 26", "reach = 1e300", "at `$.reach`"),
        ("reach = 26", "reach = " + "[" * 30_000, "skin.toml"),
        ("reach = 26", "reach = 26\n" + "a" * 70_000 + " = 1", "more than 65,536 bytes"),
    ],
)
def test_absurd_skins_are_refused(before: str, after: str, words: str, run: Run, tmp_path: Path) -> None:
    skin = tmp_path / "one"
    shutil.copytree(SKIN, skin)
    text = (skin / "skin.toml").read_text(encoding="utf-8")
    assert before in text
    (skin / "skin.toml").write_text(text.replace(before, after), encoding="utf-8")
    code, _, err = run("replay", RUNNING, "--skins", tmp_path)
    assert code == 1
    assert words in one_line(err)


@pytest.mark.parametrize("command", ["hint", "solve"])
def test_a_text_of_many_cells_is_refused(command: str, run: Run, tmp_path: Path) -> None:
    field = tmp_path / "field.txt"
    for size, words in ((1 << 25, "more than 4 MiB"), (1_200_000, "more than 250,000 cells")):
        field.write_bytes(b"9,\n" * (size // 3))
        code, _, err = run(command, field)
        assert code == 1
        assert words in one_line(err)


@posix
def test_pictures_of_absurd_sizes_are_refused_by_their_headers(tmp_path: Path) -> None:
    picture = tmp_path / "large.png"
    picture.write_bytes(one_colour(16_000, 16_000))
    assert picture.stat().st_size < 1 << 20
    assert peak_memory("replay", picture) < MEMORY / 4


def test_many_boards_in_a_picture_are_all_read(tmp_path: Path, run: Run) -> None:
    winmine = next(skin for skin in load_skins() if skin.name == "winmine")
    games = [played(9, 9, seed) for seed in range(64)]
    lefts = [(game.mines or 0) - game.count(State.FLAG) for game in games]
    drawn = [draw_board(winmine, game, left)[0] for game, left in zip(games, lefts, strict=True)]
    tall, wide = drawn[0].shape[0] + 14, drawn[0].shape[1] + 14
    desktop = np.full((8 * tall + 14, 8 * wide + 14, 3), (130, 110, 60), np.uint8)
    for place, one in enumerate(drawn):
        paste(desktop, one, 14 + place % 8 * wide, 14 + place // 8 * tall)
    picture = tmp_path / "many.png"
    picture.write_bytes(cv2.imencode(".png", desktop)[1].tobytes())
    code, out, _ = run("replay", picture, "--json")
    boards = json.loads(out)["boards"]
    assert code == 0
    assert len(boards) == 64
    assert {(board["rows"], board["cols"], board["skin"]) for board in boards} == {(9, 9, "winmine")}


@posix
@pytest.mark.parametrize("options", [["--check"], ["--report", "page.html"], ["--film", "film.mp4"]])
def test_a_record_that_unpacks_to_gigabytes(
    options: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    png = base64.b64encode(one_colour(16_000, 16_000)).decode("ascii")
    lines = (RECORD / "record.jsonl").read_text(encoding="utf-8").splitlines()
    with Path("record.jsonl").open("w", encoding="utf-8") as record:
        for values in map(json.loads, lines):
            if values.get("kind") == "picture" and values["whole"]:
                values |= {"png": png, "box": [0, 0, 16_000, 16_000], "whole": True}
            record.write(json.dumps(values) + "\n")
    assert peak_memory("replay", tmp_path, *options) < MEMORY


def claiming(png: bytes) -> bytes:
    """Return a PNG whose pixels claim to take two gigabytes of the file."""
    place = png.index(b"IDAT") - 4
    return png[:place] + struct.pack(">I", 0x7FFFFFFF) + png[place + 4 :]


@posix
def test_pngs_that_claim_gigabytes(tmp_path: Path) -> None:
    picture, skin = tmp_path / "picture.png", tmp_path / "skins" / "one"
    picture.write_bytes(claiming(RUNNING.read_bytes()))
    shutil.copytree(SKIN, skin)
    (skin / "1.png").write_bytes(claiming((SKIN / "1.png").read_bytes()))
    lines = (RECORD / "record.jsonl").read_text(encoding="utf-8").splitlines()
    with (tmp_path / "record.jsonl").open("w", encoding="utf-8") as record:
        for values in map(json.loads, lines):
            if values.get("kind") == "picture":
                values["png"] = base64.b64encode(claiming(base64.b64decode(values["png"]))).decode("ascii")
            record.write(json.dumps(values) + "\n")
    assert peak_memory("replay", picture) < MEMORY / 4
    assert peak_memory("replay", RUNNING, "--skins", skin.parent) < MEMORY / 4
    assert peak_memory("replay", tmp_path, "--check") < MEMORY / 4


@posix
@pytest.mark.parametrize("content", [one_colour(16_000, 16_000), claiming(one_colour(16, 16))[:-40]])
def test_damaged_pictures_of_a_skin_are_told_in_one_line(content: bytes, tmp_path: Path) -> None:
    skin = tmp_path / "one"
    shutil.copytree(SKIN, skin)
    (skin / "1.png").write_bytes(content)
    code, said = run_with(lambda: None, "replay", RUNNING, "--skins", tmp_path)
    assert code == 1
    assert "1.png is not a picture that can be read" in one_line(said)


@posix
def test_experience_that_unpacks_to_millions_of_neighbourhoods(tmp_path: Path) -> None:
    count = 3_000_000
    columns = b"".join(struct.pack("<" + kind, 1) * count for kind in "qHH")
    packed = zlib.compress(columns, 9)
    (tmp_path / "experience.bin").write_bytes(
        b'minebot experience 1\n{"entries": %d, "games": 1}\n%s' % (count, packed)
    )
    board = tmp_path / "board.txt"
    board.write_text("4 x 4 / 4\n....\n.2..\n..2.\n....\n", encoding="utf-8")
    assert peak_memory("hint", board, "--strategy", "korlyakova", "--learned", tmp_path) < MEMORY / 2


# Standard streams


def run_with(change: Callable[[], None], *arguments: object, **environment: str) -> tuple[int, str]:
    """Run minebot after ``change`` in its process; return its exit code and its messages."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", *map(str, arguments)],
        env=os.environ | environment,
        preexec_fn=change,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stderr.decode()


@posix
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_closed_standard_streams_do_no_harm(closed: Sequence[int], tmp_path: Path) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    marks = tmp_path / "marks.png"
    code, said = run_with(close, "replay", RUNNING, "--overlay", marks)
    assert (code, said) == (0, "")
    assert marks.read_bytes().startswith(b"\x89PNG")
    assert run_with(close, "--version") == (0, "")
    code, said = run_with(close, "solve")
    assert "Traceback" not in said
    assert "empty" in said or 0 not in closed or 2 in closed


@posix
def test_a_terminal_that_knows_ascii_alone(tmp_path: Path) -> None:
    named = tmp_path / "picture é.png"
    shutil.copy(RUNNING, named)
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    for arguments in (["play", "--help"], ["replay", named], ["replay", "--json", named]):
        assert run_with(lambda: None, *arguments, **ascii_only) == (0, "")
