"""The Qt application and the processes of its windows: how they end, by signals, errors and lost displays."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from bot.errors import LaunchError
from bot.targets.launch import virtual_display
from bot.ui.application import run_application
from bot.ui.game.saved import TIMES
from bot.ui.panel_run import FILE as PANEL
from conftest import PATIENCE, Run, wait_for

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="there are other ways on other systems"
)

PROGRAM = """
import ctypes, os, signal, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from bot.signals import ended_by_signals
from bot.ui.application import run_application

class Window(QWidget):
    def closeEvent(self, event):
        print("closed")

def lose_display():
    print("shown", flush=True)
    connection = ctypes.c_void_p(QApplication.instance().nativeInterface().connection())
    while not ctypes.CDLL("libxcb.so.1").xcb_connection_has_error(connection):
        time.sleep(0.01)

def fail():
    raise ValueError("this cannot be")

def hang_up():
    os.kill(os.getpid(), signal.SIGHUP)
    QTimer.singleShot(1000, QApplication.quit)

def make(scale):
    QTimer.singleShot(0, {happens})
    return Window()

with ended_by_signals():
    run_application("tested", make)
"""


def start(*command: str, platform: str = "offscreen") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": platform, "QT_LOGGING_RULES": "default.warning=false"},
    )


def test_an_error_in_a_callback_ends_the_window_and_is_raised() -> None:
    program = start("-c", PROGRAM.format(happens="fail"))
    out, err = program.communicate(timeout=PATIENCE)
    assert (out, program.returncode) == ("closed\n", 1)
    assert err.splitlines()[-1] == "ValueError: this cannot be"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on Windows")
def test_a_signal_that_nohup_ignores_leaves_it_open() -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    program = start("-c", ignored + PROGRAM.format(happens="hang_up"))
    assert program.communicate(timeout=PATIENCE) == ("closed\n", "")
    assert program.returncode == 0


@linux
def test_a_display_that_goes_away_is_told() -> None:
    with ExitStack() as stack:
        try:
            stack.enter_context(virtual_display())
        except LaunchError as error:
            pytest.skip(str(error))
        program = start("-c", PROGRAM.format(happens="lose_display"), platform="xcb")
        assert program.stdout is not None
        assert program.stdout.readline() == "shown\n"
    out, err = program.communicate(timeout=PATIENCE)
    assert (out, program.returncode) == ("closed\n", 1)
    assert err.splitlines()[-1].startswith("bot.errors.CaptureError: the connection to the display was lost")


@linux
def test_a_library_that_is_missing_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt itself would end the whole program."""

    def missing(_path: str) -> None:
        raise OSError("libxcb-cursor.so.0: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    monkeypatch.setenv("QT_ENABLE_HIGHDPI_SCALING", "0")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    with pytest.raises(LaunchError, match=r"libxcb-cursor\.so\.0: .*; .* apt-get install .*libxcb-cursor0"):
        run_application("tested", lambda _scale: pytest.fail("no window is made"))


@linux
def test_without_a_screen_it_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = run("game")
    assert code == 1
    assert err.startswith("minebot: no display was found")
    assert err.count("\n") == 1


def test_commands_without_a_window_need_no_qt() -> None:
    code = "import sys, bot.cli.commands; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=PATIENCE).returncode == 0


@posix
@pytest.mark.parametrize("command", [("game", "--rule", "no-guess", "--times"), ("panel", "--settings")])
@pytest.mark.parametrize(
    ("number", "code", "err"),
    [(signal.SIGINT, 4, "minebot: stopped: Ctrl+C was pressed\n"), (signal.SIGTERM, 143, "")],
)
def test_signals_end_it_quietly(
    command: tuple[str, ...], number: int, code: int, err: str, tmp_path: Path
) -> None:
    """What was chosen is kept. A damaged file is put aside once the window heeds signals."""
    file = tmp_path / (TIMES if command[0] == "game" else PANEL)
    file.write_text("{", encoding="utf-8")
    program = start("-m", "bot", *command, str(tmp_path))
    assert wait_for(lambda: not file.exists())  # from now on, also before it is shown
    program.send_signal(number)
    assert program.communicate(timeout=PATIENCE) == ("", err)
    assert program.returncode == code
    if command[0] == "panel":
        assert json.loads(file.read_text())["version"] == 1


def test_qt_is_told_where_its_plugins_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On Windows, it looks for them in a folder with ? in place of letters of another language."""
    import PySide6
    from PySide6.QtWidgets import QApplication

    class ToldError(Exception):
        pass

    def tell(path: str) -> None:
        raise ToldError(path)

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(PySide6, "__path__", [str(tmp_path / "Jürgen Иван")])
    monkeypatch.setattr(QApplication, "addLibraryPath", tell)
    with pytest.raises(ToldError) as told:
        run_application("tests", lambda _: pytest.fail("it goes on"))
    assert str(told.value) == str(tmp_path / "Jürgen Иван" / "plugins")
