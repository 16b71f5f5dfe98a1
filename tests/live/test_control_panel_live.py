"""The panel controls real runs of our own game: pause, step, and no run that outlives the panel."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)
if sys.platform == "win32":
    pytest.skip("displays as on Linux", allow_module_level=True)

from PySide6.QtWidgets import QComboBox

from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Desktop, Window
from bot.geometry import Pixels, Point, Rect
from bot.levels import EXPERT
from bot.targets.catalogue import find_game
from bot.targets.launch import builtin
from bot.ui.panel import Panel
from bot.ui.panel_run import FILE, Process, SavedPanel, Status
from conftest import PATIENCE, wait_for
from drawn_game import application, settle, wait_until

SEED = 10_000_300
AWAY = Point(5, 5)
REST = 0.5  # seconds without a change, after which a board is painted
HELD = 1.0  # seconds during which a board must not change
ABOVE = 100  # pixels of the window above its board: the timer there goes on
CODES = {"closed": 0, "killed": -signal.SIGKILL, "ended": 128 + signal.SIGTERM}
CHOICES = {"version": 1, "target": "builtin", "speed": "10", "level": "expert"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with saved choices of the panel; locks and pictures are kept in a folder beside them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / FILE).write_text(json.dumps(CHOICES))
    return tmp_path


@pytest.fixture
def panel(folder: Path) -> Iterator[Panel]:
    """A panel that draws into memory, so that it covers nothing."""
    application()
    panel = Panel(SavedPanel(folder), Process)
    panel.show()
    yield panel
    panel.close()
    panel.deleteLater()
    settle()


@pytest.fixture
def game(desktop: Desktop) -> Iterator[Window]:  # noqa: ARG001 - it must be there
    with builtin(EXPERT, "--scale", "1", "--seed", str(SEED)) as window:
        yield window


def board(capture: ScreenCapture, game: Window) -> Pixels:
    place = game.client
    return capture.grab(Rect(place.x, place.y + ABOVE, place.width, place.height - ABOVE)).pixels


def at_rest(capture: ScreenCapture, game: Window) -> Pixels:
    """Return the board once it no longer changes: a click sent before a pause may show after it."""
    last = board(capture, game)
    while True:
        wait(REST)
        before, last = last, board(capture, game)
        if np.array_equal(before, last):
            return last


def wait(seconds: float) -> None:
    """Process the panel's events for some seconds."""
    since = time.monotonic()
    wait_until(lambda: time.monotonic() > since + seconds)


def test_a_run_is_led(panel: Panel, capture: ScreenCapture, mouse: ScreenMouse, game: Window) -> None:
    rounds = list[str]()

    def hear(line: str) -> None:
        if json.loads(line)["event"] == "round":
            rounds.append(line)

    def status() -> Status:
        return panel.run.status

    wait_until(lambda: not panel.looker.running)  # it may have looked before the game was there
    panel.look()
    wait_until(lambda: not panel.looker.running)
    assert "16 x 30 at" in panel.board.caption.text()
    assert not panel.board.picture.pixmap().isNull()
    panel.process.said.connect(hear)
    panel.start.click()
    wait_until(lambda: len(rounds) >= 2)

    panel.pause.click()
    wait_until(lambda: status() is Status.PAUSED)
    mouse.move(AWAY)  # the bot must not move it in a pause
    before, played = at_rest(capture, game), len(rounds)
    wait(HELD)
    assert np.array_equal(board(capture, game), before)
    assert (len(rounds), mouse.position()) == (played, AWAY)

    panel.step.click()
    wait_until(lambda: len(rounds) == played + 1)
    wait_until(lambda: status() is Status.PAUSED)
    mouse.move(AWAY)
    stepped = at_rest(capture, game)
    assert not np.array_equal(stepped, before)
    wait(HELD)
    assert np.array_equal(board(capture, game), stepped)
    assert (len(rounds), mouse.position()) == (played + 1, AWAY)

    speed = panel.fields.fields["speed"]
    assert isinstance(speed, QComboBox)
    speed.setCurrentIndex(speed.findData("max"))
    panel.pause.click()
    wait_until(lambda: panel.run.games >= 1)
    panel.stop.click()
    wait_until(lambda: not panel.run.busy)
    assert (panel.heading.text(), panel.run.why) == ("Stopped", "By an order.")
    assert mouse.position() != AWAY

    panel.step.click()
    wait_until(lambda: status() is Status.PAUSED)
    assert (panel.run.game, panel.run.round) == (1, 1)
    mouse.press("esc")
    wait_until(lambda: not panel.run.busy)
    assert (panel.heading.text(), panel.run.why) == ("Stopped", "Esc was pressed.")


@pytest.mark.parametrize("end", CODES)
def test_no_run_outlives_the_panel(
    folder: Path, desktop: Desktop, mouse: ScreenMouse, capture: ScreenCapture, end: str
) -> None:
    """The game that the run has opened ends with it."""
    line = [sys.executable, "-m", "bot", "panel", "--settings", str(folder)]
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    with subprocess.Popen(line, env=environment) as process:
        try:
            assert wait_for(lambda: _panel(desktop))
            desktop.raise_window(_panel(desktop)[0])
            mouse.press("alt", "s")
            assert wait_for(lambda: find_game(desktop))
            game = find_game(desktop)
            assert game is not None
            fresh = board(capture, game[1])
            assert wait_for(lambda: not np.array_equal(board(capture, game[1]), fresh))
            if end == "closed":
                desktop.ask_to_close(_panel(desktop)[0])
            else:
                process.send_signal(signal.SIGTERM if end == "ended" else signal.SIGKILL)
            assert wait_for(lambda: not _panel(desktop))
            assert process.wait(PATIENCE) == CODES[end]
            assert wait_for(lambda: not find_game(desktop))
        finally:
            process.terminate()


def _panel(desktop: Desktop) -> list[Window]:
    return [window for window in desktop.windows() if window.title == "minebot"]
