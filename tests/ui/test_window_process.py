"""A window in a process of its own: how it ends, and how it is closed with the process that waits for it."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from bot.cli.window_process import PATIENCE as CLOSING
from bot.cli.window_process import run_window
from bot.errors import LaunchError
from bot.signals import heard, leave
from bot.ui.panel.choices import FILE
from conftest import PATIENCE, wait_for

if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)

Show = Callable[[str], None]
READY = "open('ready', 'w').write(str(os.getpid()))"
HEEDFUL = (
    f"signal.signal(signal.SIGTERM, lambda *_: (open('kept', 'w'), sys.exit())); {READY}; time.sleep(999)"
)
DEAF = f"signal.signal(signal.SIGTERM, signal.SIG_IGN); {READY}; time.sleep(999)"


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Return a function that runs a process of this code as a window."""
    monkeypatch.chdir(tmp_path)

    def run(code: str) -> None:
        (tmp_path / "shown.py").write_text(f"import os, signal, sys, time\n{code}\n")
        run_window("shown")

    return run


@pytest.fixture
def told_to_end(tmp_path: Path) -> None:
    """This process gets SIGTERM as soon as the window is there."""

    def tell() -> None:
        if wait_for(lambda: (tmp_path / "ready").exists() and (tmp_path / "ready").read_text()):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=tell, daemon=True).start()


def end(show: Show, code: str) -> int:
    """Show a window until this process is told to end; return the process that the window was."""
    with heard({signal.SIGTERM: leave}), pytest.raises(SystemExit) as ended:
        show(code)
    assert ended.value.code == 128 + signal.SIGTERM
    return int(Path("ready").read_text())


def test_its_code_is_handed_on(show: Show) -> None:
    show("pass")
    with pytest.raises(typer.Exit) as ended:
        show("sys.exit(3)")
    assert ended.value.exit_code == 3


def test_a_crash_is_told(show: Show) -> None:
    with pytest.raises(LaunchError, match=r"the window has crashed or was killed \(SIGKILL\)"):
        show("os.kill(os.getpid(), signal.SIGKILL)")


@pytest.mark.usefixtures("told_to_end")
def test_it_closes_itself_when_the_other_process_is_to_end(show: Show) -> None:
    process = end(show, HEEDFUL)
    assert Path("kept").exists()
    assert not alive(process)


@pytest.mark.usefixtures("told_to_end")
def test_one_that_does_not_close_is_killed(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.window_process.PATIENCE", 0.1)
    assert not alive(end(show, DEAF))


@pytest.mark.parametrize(
    ("number", "code", "err"),
    [(signal.SIGINT, 4, "minebot: stopped: Ctrl+C was pressed\n"), (signal.SIGTERM, 143, "")],
)
def test_the_panel_keeps_what_was_chosen(number: int, code: int, err: str, tmp_path: Path) -> None:
    """Its file is damaged, and put aside once the window heeds signals."""
    pytest.importorskip("PySide6.QtWidgets", reason="install PySide6-Essentials", exc_type=ImportError)
    (tmp_path / FILE).write_text("{")
    program = subprocess.Popen(
        [sys.executable, "-m", "bot", "panel", "--settings", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "default.warning=false"},
    )
    assert wait_for(lambda: not (tmp_path / FILE).exists())
    program.send_signal(number)
    assert program.communicate(timeout=PATIENCE)[1] == err
    assert program.returncode == code
    assert json.loads((tmp_path / FILE).read_text())["version"] == 1


def test_the_panel_has_time_to_end_its_run() -> None:
    pytest.importorskip("PySide6.QtWidgets", reason="install PySide6-Essentials", exc_type=ImportError)
    process = importlib.import_module("bot.ui.panel.process")
    assert CLOSING * 1000 > process.PATIENCE + 2 * process._WORD


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
