"""The built-in window as a program: boards that are looked for, errors, signals, its command line."""

from __future__ import annotations

import ctypes
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

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from bot.board import State
from bot.errors import LaunchError, NoGuessError
from bot.game.best_times import FILE
from bot.game.round import Progress
from bot.levels import Level
from bot.targets.launch import virtual_display
from bot.ui.application import _ended_by_errors, _ended_by_signals, _load_platform
from conftest import PATIENCE, Run
from drawn_game import (
    MIDST,
    Driven,
    Start,
    wait_until,
    words,
)

LOST = """
import ctypes, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from bot.cli.window_process import exit_after
from bot.ui.application import run_application

class Window(QWidget):
    def closeEvent(self, event):
        print("closed")

def lose():
    print("shown", flush=True)
    connection = ctypes.c_void_p(QApplication.instance().nativeInterface().connection())
    while not ctypes.CDLL("libxcb.so.1").xcb_connection_has_error(connection):
        time.sleep(0.01)

def make(scale):
    QTimer.singleShot(0, lose)
    return Window()

exit_after(lambda: run_application("lost", make))
"""


def test_a_board_without_guesses_is_laid_after_the_first_click(make: Start) -> None:
    driven = make(rule="no-guess")
    driven.click(MIDST)
    assert words(driven).startswith("Looking for a board")
    wait_until(lambda: driven.window.game.progress is Progress.RUNNING)
    assert driven.board[MIDST] == 0
    assert words(driven) == ""


@pytest.mark.parametrize("mines", [10, 65])
def test_another_game_ends_a_search(make: Start, mines: int) -> None:
    """With so many mines on so few cells a search would take very long."""
    driven = make(rule="no-guess", level=Level(9, 9, mines))
    driven.click(MIDST)
    driven.window.new()
    seen: list[object] = []
    driven.window.work(lambda: "done", seen.append)  # comes after the search
    wait_until(lambda: bool(seen))
    assert driven.window.game.progress is Progress.READY
    assert driven.board.count(State.COVERED) == 81
    assert words(driven) == ""


def test_where_there_is_no_such_board_that_is_said(make: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NoGuessError("there is no such board")

    monkeypatch.setattr("bot.game.noguess.no_guess_mines", fail)
    driven = make(rule="no-guess")
    driven.click(MIDST)
    wait_until(lambda: driven.window.game.waiting is None)
    assert words(driven) == "there is no such board"
    assert driven.board.count(State.COVERED) == 81


def test_an_error_in_a_callback_ends_the_window_and_is_raised(driven: Driven) -> None:
    seen: list[object] = []

    def fail() -> None:
        seen.append(1 // len(seen))

    QTimer.singleShot(0, driven.window, fail)
    with pytest.raises(ZeroDivisionError), _ended_by_errors(QApplication.quit):
        QApplication.exec()


def test_a_library_that_is_missing_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt itself would end the whole program."""

    def missing(_path: str) -> None:
        raise OSError("libxcb-cursor.so.0: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    with pytest.raises(LaunchError, match=r"libxcb-cursor\.so\.0: .*; .* apt-get install .*libxcb-cursor0"):
        _load_platform()


def test_qt_is_loaded_for_this_command_only() -> None:
    program = "import bot.cli.commands, sys; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=PATIENCE).returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
def test_without_a_screen_it_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    code, _, err = run("game")
    assert code == 1
    assert err.startswith("minebot: there is no display")
    assert err.count("\n") == 1


def start_program(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "game", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "default.warning=false"},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("number", "code", "err"), [("SIGINT", 4, "minebot: stopped: Ctrl+C was pressed\n"), ("SIGTERM", 143, "")]
)
def test_signals_end_it_quietly(number: str, code: int, err: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{", encoding="utf-8")  # put aside when the window is there
    program = start_program("--times", str(tmp_path), "--rule", "no-guess")
    wait_until(lambda: not (tmp_path / FILE).exists())  # from now on, also before it is shown
    program.send_signal(getattr(signal, number))
    assert program.communicate(timeout=PATIENCE) == ("", err)
    assert program.returncode == code


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="virtual displays are for Linux")
def test_a_display_that_goes_away_is_told() -> None:
    with ExitStack() as stack:
        try:
            stack.enter_context(virtual_display())
        except LaunchError as error:
            pytest.skip(str(error))
        program = subprocess.Popen(
            [sys.executable, "-c", LOST],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "QT_QPA_PLATFORM": "xcb"},
        )
        assert program.stdout is not None
        assert program.stdout.readline() == "shown\n"
    out, err = program.communicate(timeout=PATIENCE)
    assert (out, program.returncode) == ("closed\n", 1)
    assert err.splitlines()[-1].startswith("minebot: the connection to the display was lost")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on Windows")
def test_a_signal_that_nohup_ignores_leaves_it_open() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _ended_by_signals() as came:
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert not came


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--level", "huge"), "'huge' is no level: give beginner, intermediate, expert or ROWSxCOLS/MINES"),
        (("--level", "5x5/4"), "give 1 to 100 rows and 8 to 100 columns"),
        (("--rule", "kind"), "--rule kind: choose one of safe, winmine, opening, any, no-guess"),
        (("--scale", "0"), "--scale 0: give 0.5 to 8"),
        (("--scale", "nan"), "--scale nan: give 0.5 to 8"),
        (("--seed", "-1"), "--seed -1: give a number from 0 on"),
    ],
)
def test_wrong_arguments_are_said_in_one_line(arguments: tuple[str, ...], words: str, run: Run) -> None:
    code, _, err = run("game", *arguments)
    assert code == 2
    assert err.startswith("minebot: ")
    assert words in err
    assert err.count("\n") == 1
