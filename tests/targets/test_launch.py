"""What is started for the game, and that it ends. Scripts stand in for Wine, which other tests use."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from Xlib.display import Display

from bot.errors import LaunchError
from bot.levels import Level
from bot.targets.catalogue import find_target
from bot.targets.launch import launched, virtual_display, wine_prefix
from conftest import PATIENCE

if not sys.platform.startswith("linux"):
    pytest.skip("games are launched on Linux only", allow_module_level=True)

ROOT = Path(__file__).parents[2]
WINEMINE = find_target("winemine")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds the only programs that can be found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def calls(programs: Path, tmp_path: Path) -> Path:
    """A file in which wine and wineserver write down how they were called."""
    log = tmp_path / "calls"
    log.touch()
    script(programs / "wine", f'echo "wine $* in $WINEPREFIX" >> {log}; /bin/mkdir -p "$WINEPREFIX/drive_c"')
    script(programs / "wineserver", f'echo "wineserver $* in $WINEPREFIX" >> {log}')
    return log


def script(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def alive(display: str) -> bool:
    """Return whether an X server answers under that name."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(f"/tmp/.X11-unix/X{display.removeprefix(':')}") == 0


def test_a_virtual_display_lasts_as_long_as_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":before")
    with ExitStack() as stack:
        try:
            name = stack.enter_context(virtual_display(320, 200))
        except LaunchError as error:
            pytest.skip(str(error))
        assert os.environ["DISPLAY"] == name
        assert alive(name)
        with virtual_display(320, 200) as second:
            assert second != name
            assert os.environ["DISPLAY"] == second
        assert os.environ["DISPLAY"] == name
    assert os.environ["DISPLAY"] == ":before"
    assert not alive(name)


def test_a_virtual_display_admits_nobody_else() -> None:
    if os.getuid():
        pytest.skip("only root can become another user")
    ask = (
        "import os, sys, Xlib.display, Xlib.support.unix_connect\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "Xlib.display.Display(sys.argv[1])"
    )
    with ExitStack() as stack:
        try:
            name = stack.enter_context(virtual_display(320, 200))
        except LaunchError as error:
            pytest.skip(str(error))
        assert Path(os.environ["XAUTHORITY"]).stat().st_mode & 0o777 == 0o600
        Display(name).close()
        command = [sys.executable, "-c", ask, name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert "Authorization required" in done.stderr


def test_a_missing_program_is_one_clear_error(programs: Path, tmp_path: Path) -> None:
    assert list(programs.iterdir()) == []
    with pytest.raises(LaunchError, match="Xvfb is missing: install it with `apt-get install xvfb`"):
        virtual_display().__enter__()
    with pytest.raises(LaunchError, match="wine is missing: install it with `apt-get install wine wine64`"):
        wine_prefix(folder=tmp_path).__enter__()


def test_launching_says_what_is_missing(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(programs.iterdir()) == []
    monkeypatch.delenv("DISPLAY", raising=False)
    reports = list[str]()
    with (
        pytest.raises(LaunchError, match="Xvfb is missing"),
        launched(WINEMINE, Level(9, 9, 10), reports.append),
    ):
        pass
    assert reports == ["starting a virtual screen"]


def test_launching_is_for_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(LaunchError, match="start Minesweeper yourself"):
        launched(WINEMINE).__enter__()


def test_a_display_that_does_not_start_is_one_clear_error(programs: Path) -> None:
    script(programs / "Xvfb", "echo starting >&2; echo no fonts here >&2; exit 1")
    with pytest.raises(LaunchError, match="Xvfb does not start: no fonts here"):
        virtual_display().__enter__()


def test_a_prefix_is_made_once(calls: Path, tmp_path: Path) -> None:
    folder, reports = tmp_path / "cache", list[str]()
    for _ in range(2):
        with wine_prefix(reports.append, folder) as wine:
            assert wine.prefix == folder / "wine"
            assert wine.environment["WINEDLLOVERRIDES"] == "mscoree,mshtml,winedbg.exe,winemenubuilder.exe=d"
        assert calls.read_text().splitlines()[-2:] == [
            f"wineserver {option} in {wine.prefix}" for option in ("-k", "-w")
        ]
    assert calls.read_text().count("wine wineboot -i") == 1
    assert len(reports) == 1


def test_a_prefix_that_was_not_finished_is_made_anew(calls: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    half = folder / "wine" / "half"
    half.parent.mkdir(parents=True)
    half.touch()
    with wine_prefix(folder=folder):
        assert not half.exists()
    assert calls.read_text().count("wine wineboot -i") == 1


def test_a_prefix_in_use_is_left_alone(calls: Path, tmp_path: Path) -> None:
    with wine_prefix(folder=tmp_path) as first, wine_prefix(folder=tmp_path) as second:
        assert [first.prefix.name, second.prefix.name] == ["wine", "wine-2"]
    with wine_prefix(folder=tmp_path) as again:
        assert again.prefix.name == "wine"
    assert calls.read_text().count("wine wineboot -i") == 2


def test_a_cache_that_cannot_be_written_is_one_clear_error(calls: Path) -> None:
    with pytest.raises(LaunchError, match=r"below a file is not writable .Not a directory"):
        wine_prefix(folder=calls / "below a file").__enter__()


def test_a_failing_wine_is_one_clear_error(programs: Path, calls: Path, tmp_path: Path) -> None:
    assert calls.exists()
    script(programs / "wine", "echo; echo wine: no space left; echo; exit 3")
    with pytest.raises(LaunchError, match="wine wineboot failed: wine: no space left"):
        wine_prefix(folder=tmp_path).__enter__()


def test_a_terminated_program_takes_its_display_along() -> None:
    code = (
        "import time\n"
        "from bot.signals import ended_by_signals\n"
        "from bot.targets.launch import virtual_display\n"
        "with ended_by_signals(), virtual_display() as name:\n"
        "    print(name, flush=True)\n"
        "    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as program:
        assert program.stdout is not None
        name = program.stdout.readline().strip()
        if not name:
            pytest.skip("no virtual display: install xvfb")
        assert alive(name)
        program.terminate()
        assert program.wait(PATIENCE) == 128 + signal.SIGTERM, program.communicate()
    assert not alive(name)
