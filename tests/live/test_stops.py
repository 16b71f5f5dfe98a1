"""What ends a run of the real command, and what it leaves behind: its record, its pictures, the mouse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import pytest

from bot.clicker.mouse import ScreenMouse
from bot.geometry import Point
from bot.levels import BEGINNER
from conftest import PATIENCE, StartGame, wait_for

if sys.platform == "win32":
    pytest.skip("displays and disks as on Linux", allow_module_level=True)

from Xlib.display import Display

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


@pytest.mark.usefixtures("ready")
def test_a_killed_run_leaves_its_record_whole_and_the_display_free(
    environment: dict[str, str], play: Play, tmp_path: Path
) -> None:
    record = tmp_path / "run.jsonl"
    with (
        record.open("wb") as file,
        subprocess.Popen(line("--games", "0", "--json"), stdout=file, env=environment) as first,
    ):
        try:
            assert wait_for(lambda: record.read_bytes().count(b"\n") >= 2)
            second = play("--json")
        finally:
            first.kill()
    assert (second.returncode, second.stdout, second.stderr.count("\n")) == (1, "", 1)
    assert f"another minebot (process {first.pid}) plays on the display" in second.stderr
    *lines, rest = record.read_text().split("\n")
    assert rest == ""
    assert len(lines) >= 2
    assert all(json.loads(told)["outcome"] in ("won", "lost") for told in lines)
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
