"""What ends a run of the real command, and what it leaves behind: its record, its pictures, the mouse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Window
from bot.errors import RecordError
from bot.geometry import Point
from bot.levels import BEGINNER, EXPERT
from bot.record import load_record
from bot.targets.launch import Wine
from bot.vision import load_skins, read_picture
from conftest import PATIENCE, StartGame, wait_for

if sys.platform == "win32":
    pytest.skip("displays and disks as on Linux", allow_module_level=True)

from Xlib.display import Display

AWAY = Point(900, 700)  # where no game is
Play = Callable[..., "subprocess.CompletedProcess[str]"]
NO_DISK = 77
ALONE = ["unshare", "-rm"]  # with mounts of its own
ON_FULL_DISK = f"""
mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero > "$0/taken" || exit {NO_DISK}
left=$1; shift; "$@"; code=$?; ls -A "$0" > "$left"; exit $code
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.fixture
def ready(start_winemine: StartGame, mouse: ScreenMouse) -> None:
    start_winemine(BEGINNER)
    mouse.move(Point(5, 5))


@pytest.fixture
def play(environment: dict[str, str]) -> Play:
    """Return a function that runs ``minebot play`` to its end."""

    def run(
        *arguments: str, within: Sequence[str] = (), stdout: IO[str] | int = subprocess.PIPE
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*within, *line(*arguments)],
            env=environment,
            text=True,
            timeout=PATIENCE,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )

    return run


def line(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", "play", "--speed", "max", *arguments]


def buttons_down() -> int:
    """Return the mask of the mouse buttons that are held down."""
    display = Display()
    mask = int(display.screen().root.query_pointer().mask)
    display.close()
    return mask & 0x1F00


def rounds_in(folder: Path) -> list[int]:
    """Return the number of rounds of each game that the record has by now."""
    try:
        return [len(game.rounds) for game in load_record(folder).games]
    except RecordError:
        return []  # it has not begun


@pytest.mark.usefixtures("ready")
def test_a_killed_run_leaves_its_records_whole_and_the_display_free(
    environment: dict[str, str], play: Play, tmp_path: Path
) -> None:
    told, folder = tmp_path / "run.jsonl", tmp_path / "record"
    command = line("--games", "0", "--json", "--record", str(folder))
    with told.open("wb") as file, subprocess.Popen(command, stdout=file, env=environment) as first:
        try:
            assert wait_for(lambda: sum(rounds > 1 for rounds in rounds_in(folder)) > 1)
            second = play("--json")
        finally:
            first.kill()
    assert (second.returncode, second.stdout, second.stderr.count("\n")) == (1, "", 1)
    assert f"another minebot (process {first.pid}) plays on the display" in second.stderr
    *lines, rest = told.read_text().split("\n")
    assert rest == ""
    assert lines
    assert all(json.loads(words)["outcome"] in ("won", "lost") for words in lines)
    record = load_record(folder)
    last = record.games[-1]  # on a busy machine the run goes on until it is killed
    place = f"in game {last.number}, after round" if last.final is None else f"after game {last.number}"
    assert record.missing[0].startswith(f"the run was cut off {place}")
    looks = [seen for game in record.games for seen in game.looks]
    assert all(seen.time > before.time for before, seen in pairwise(looks))
    pictures = [record.picture(seen) for seen in looks[:-1]]  # that of the last may have been on its way
    assert {picture.shape for picture in pictures} == {pictures[0].shape}
    assert not np.array_equal(pictures[0], pictures[1])
    third = play("--json")
    assert (third.returncode, third.stderr) == (0, "")
    assert json.loads(third.stdout.splitlines()[-1])["games"] == 1


@pytest.mark.usefixtures("ready")
def test_a_full_disk_is_told_of_once_and_play_goes_on(play: Play, tmp_path: Path) -> None:
    """The disk is real: a file system of one block, which is taken."""
    refused = subprocess.run([*ALONE, "true"], stderr=subprocess.PIPE, text=True)
    if refused.returncode:
        pytest.skip(f"no file systems of one's own here: {refused.stderr.strip()}")
    pictures, left = tmp_path / "pictures", tmp_path / "left"
    pictures.mkdir()
    options = ["--games", "2", "--json", "--pictures", str(pictures)]
    done = play(*options, within=[*ALONE, "sh", "-c", ON_FULL_DISK, str(pictures), str(left)])
    if done.returncode == NO_DISK:
        pytest.skip(f"no file system may be mounted here: {done.stderr}")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "cannot be written: No space left on device; play goes on without" in done.stderr
    assert [json.loads(told)["games"] for told in done.stdout.splitlines()[2:]] == [2]
    assert left.read_text() == "taken\n"  # no part of a picture
    assert buttons_down() == 0


@pytest.mark.usefixtures("ready")
def test_a_record_that_cannot_be_written_ends_the_run(play: Play) -> None:
    with Path("/dev/full").open("w") as full:
        done = play("--games", "9", "--json", stdout=full)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr
    assert buttons_down() == 0


@contextmanager
def expert_run(environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Play expert games at ten clicks a second until something ends that."""
    command = line("--games", "0", "--level", "expert", "--speed", "10", "--json")
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **piped) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end of a run; return its exit code and what it complained of, which is one line."""
    errors = process.communicate(timeout=PATIENCE)[1]
    assert errors.count("\n") == 1
    return process.returncode, errors


def opened(capture: ScreenCapture, window: Window) -> int:
    """Return how many cells are open on the screen now."""
    (reading,) = read_picture(capture.grab(window.client).pixels, load_skins())
    return reading.board.count(*range(9))


def wait_until_playing(mouse: ScreenMouse, window: Window) -> None:
    """Wait until the pointer travels over the window."""
    assert wait_for(lambda: window.client.contains(mouse.position()))


def take(mouse: ScreenMouse, process: subprocess.Popen[str]) -> None:
    """Move the mouse away until that is heeded, as a person would: the bot may just be moving it, too."""
    mouse.move(AWAY)
    while process.poll() is None:
        if mouse.position() != AWAY:
            mouse.move(AWAY)
        time.sleep(0.01)


def test_a_hand_on_the_mouse_stops_it(
    start_winemine: StartGame, mouse: ScreenMouse, capture: ScreenCapture, environment: dict[str, str]
) -> None:
    window = start_winemine(EXPERT)
    mouse.move(Point(5, 5))
    with expert_run(environment) as process:
        wait_until_playing(mouse, window)
        time.sleep(0.55)
        take(mouse, process)
        code, errors = ended(process)
        assert mouse.position() == AWAY  # it did not click once more
    assert code == 4
    assert "the mouse was moved by hand" in errors
    before = opened(capture, window)
    time.sleep(0.5)
    assert opened(capture, window) == before


def test_escape_stops_it(start_winemine: StartGame, mouse: ScreenMouse, environment: dict[str, str]) -> None:
    window = start_winemine(EXPERT)
    mouse.move(Point(5, 5))
    with expert_run(environment) as process:
        wait_until_playing(mouse, window)
        time.sleep(0.3)
        mouse.press("esc")
        code, errors = ended(process)
    assert code == 4
    assert "Esc was pressed" in errors


def test_a_closed_game_stops_it(
    start_winemine: StartGame, wine: Wine, mouse: ScreenMouse, environment: dict[str, str]
) -> None:
    window = start_winemine(EXPERT)
    mouse.move(Point(5, 5))
    with expert_run(environment) as process:
        wait_until_playing(mouse, window)
        wine.stop()
        code, errors = ended(process)
    assert code == 1
    assert "closed" in errors
