"""On terminals of 60, 80 and 120 columns no word is broken, except paths, boards and JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.cli.commands import COMMANDS as NAMES
from conftest import PATIENCE, Run
from fixture_boards import FIXTURES

pytest.importorskip("termios", reason="terminals of a chosen width are made on Unix")

WIDTHS, WIDE = (60, 80, 120), 1000  # columns
RECORDS = FIXTURES / "records"
EACH = """
import json, sys
from bot.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["minebot", *words]
    try:
        main()
    except SystemExit:
        pass
"""
COMMANDS: Sequence[Sequence[object]] = (
    ["--help"],
    *([name, "--help"] for name in NAMES),
    ["doctor"],
    ["stats", "winemine-chords", "winemine-beginner"],  # paths make columns wide
    ["bench", "--games", 2, "--level", "beginner", "--level", "intermediate", "--level", "9x9/35"],
    ["hint", "--all", FIXTURES / "winemine-beginner-running.png"],
    ["replay", FIXTURES / "winemine-beginner-running.png"],
    ["replay", "--check", RECORDS / "winemine-beginner"],
    ["solve", "board.txt"],
    ["hint", "board.txt"],
    ["patterns", "--verify"],
    ["compile"],
    ["play", "--target", "nothing"],
    ["play", "--speed", "warp", "--flags", "none", "--level", "9x9/10"],
    ["replay", "nowhere.png"],
    ["hint", "--cell", "0,0"],
)


def on_terminal(columns: int, folder: Path, *commands: Sequence[object], typed: str = "") -> str:
    """Return what these commands print on a terminal so wide, without colours, in ``folder``."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (40, columns))
    os.write(ours, typed.encode())
    lines = json.dumps([list(map(str, command)) for command in commands])
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment = {**kept, "TERM": "xterm", "XDG_DATA_HOME": str(folder / "data")}
    started = subprocess.Popen(
        [sys.executable, "-c", EACH, lines],
        cwd=folder,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    printed = bytearray()
    while True:
        try:
            printed += os.read(ours, 1 << 16)
        except OSError:  # the program has ended
            break
    os.close(ours)
    started.wait(PATIENCE)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.decode()).replace("\r\n", "\n").replace("\r", "\n")


def words_of(text: str) -> set[str]:
    """Return the words in ``text`` that are neither numbers nor parts of paths."""
    found = (word.strip("│╭╮╰╯─━╸╺") for word in text.split())
    return {word for word in found if re.search("[A-Za-z]", word) and not re.search(r"[\d/\\]", word)}


def too_long(text: str, columns: int) -> list[str]:
    """Return the lines with more characters than ``columns`` that do not end in a path."""
    return [line for line in text.split("\n") if len(line.rstrip()) > columns and "/" not in line.split()[-1]]


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> str:
    return on_terminal(WIDE, at_home(tmp_path_factory.mktemp("wide")), *COMMANDS)


def at_home(folder: Path) -> Path:
    (folder / "board.txt").write_text("2 x 2 / 1\n1.\n2.", encoding="utf-8")
    for name in ("winemine-chords", "winemine-beginner"):
        shutil.copytree(RECORDS / name, folder / name)
    return folder


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.usefixtures("kernel")
def test_no_word_is_broken(columns: int, wide: str, tmp_path: Path) -> None:
    narrow = on_terminal(columns, at_home(tmp_path), *COMMANDS)
    assert "Traceback" not in narrow
    assert words_of(narrow) - words_of(wide) == set()
    assert too_long(narrow, columns) == []
    assert "\N{HORIZONTAL ELLIPSIS}" not in narrow  # nothing is cut off


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.usefixtures("kernel")
def test_the_table_of_games_fits(columns: int, display: str, tmp_path: Path) -> None:
    assert display
    command = ["play", "--launch", "--target", "builtin", "--speed", "max", "--games", 2]
    printed = on_terminal(columns, tmp_path, command)
    assert "final board of game 2" in " ".join(printed.split())
    assert too_long(printed, columns) == []
    assert "\N{HORIZONTAL ELLIPSIS}" not in printed
    whole = {"game", "level", "result", "seconds", "clicks", "guesses", "beginner"}
    assert whole <= words_of(printed)


def test_a_program_gets_each_line_whole(run: Run) -> None:
    _, out, _ = run("stats", *sorted(RECORDS.glob("winemine-*")))
    heading = next(line for line in out.splitlines() if "3BV/s" in line)
    assert heading.split()[0] == "record"
    assert heading.rstrip().endswith("ms to decide")
