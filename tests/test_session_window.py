"""The window in which a record is shown: what it draws and says, and how it is moved through."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from bot.session import Record, load_record
from bot.session.window.window import RecordWindow
from conftest import PATIENCE, Run
from drawn_game import application
from qt_pictures import pixels

RECORDS = Path(__file__).parent.parent / "fixtures" / "records"
Show = Callable[..., RecordWindow]


@pytest.fixture
def record() -> Record:
    return load_record(RECORDS / "winemine-chords")


@pytest.fixture
def show() -> Iterator[Show]:
    windows = list[RecordWindow]()
    application()

    def shown(record: Record, game: int = 0) -> RecordWindow:
        window = RecordWindow(record, game)
        window.show()
        windows.append(window)
        return window

    yield shown
    for window in windows:
        window.close()


def wait_until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        QApplication.processEvents()
        time.sleep(0.001)


def bare(window: RecordWindow) -> None:
    """Let nothing be drawn over the picture, which is shown in its own size."""
    for box in window.boxes.values():
        box.setChecked(False)
    scene = window.canvas.scene
    assert scene is not None
    assert scene.picture is not None
    height, width = scene.picture.shape[:2]
    window.canvas.setMinimumSize(1, 1)
    window.canvas.resize(width, height)


def test_the_picture_of_a_round_is_shown(record: Record, show: Show) -> None:
    window = show(record)
    window.slider.setValue(7)
    bare(window)
    turn = record.games[0].rounds[7]
    picture = record.picture(turn.seen.shot)
    assert np.array_equal(pixels(window.canvas.grab().toImage()), picture)
    assert window.where.text() == f"8 of {len(record.games[0].rounds) + 1}"


def test_what_was_decided_is_drawn_and_told(record: Record, show: Show) -> None:
    window = show(record)
    window.slider.setValue(7)
    wait_until(lambda: "Row 1, column 2 is safe, by the pattern" in window.words.text())
    scene = window.canvas.scene
    assert scene is not None
    assert scene.numbers
    bare(window)
    plain = pixels(window.canvas.grab().toImage()).astype(int)
    for name, box in window.boxes.items():
        box.setChecked(True)
        drawn = pixels(window.canvas.grab().toImage())
        assert bool(np.abs(drawn - plain).max() > 50) is (name != "risks"), name  # none were counted there
        box.setChecked(False)


def test_keys_go_through_the_rounds(record: Record, show: Show) -> None:
    window = show(record, 1)
    rounds = len(record.games[1].rounds)
    window.activateWindow()
    window.canvas.setFocus()
    for by, place in ((1, 1), (1, 2), (-1, 1), (10, 11), (-10, 1), (10**9, rounds), (-(10**9), 0)):
        window.step(by)
        assert window.slider.value() == place
    window.step(10**9)
    assert window.turn is None
    assert window.words.text().splitlines()[1].startswith("won in ")


def test_it_plays_to_the_end_and_again(record: Record, show: Show) -> None:
    window = show(record)
    window.pace.setCurrentText("0.1 s a round")
    window.slider.setValue(window.slider.maximum() - 2)
    QTest.mouseClick(window.play, Qt.MouseButton.LeftButton)
    assert window.play.text() == "stop"
    wait_until(lambda: not window.timer.isActive())
    assert window.slider.value() == window.slider.maximum()
    window.toggle()
    assert (window.slider.value(), window.timer.isActive()) == (0, True)
    window.toggle()
    assert (window.timer.isActive(), window.play.text()) == (False, "play")


def test_a_round_of_years_is_waited_for(record: Record, show: Show) -> None:
    game = record.games[0]
    first = replace(game.rounds[0], seen=replace(game.rounds[0].seen, time=-1e9))
    window = show(replace(record, games=(replace(game, rounds=(first, *game.rounds[1:])),)))
    window.pace.setCurrentText("as played")
    window.toggle()
    assert window.timer.isActive()
    window.stop()


def test_another_game_is_chosen(record: Record, show: Show) -> None:
    window = show(record)
    window.slider.setValue(3)
    window.games.setCurrentIndex(1)
    window.games.activated.emit(1)
    assert window.slider.value() == 0
    assert window.game is record.games[1]
    assert [window.games.itemText(n) for n in range(2)] == ["game 1, won", "game 2, won"]


def test_missing_pictures_and_games_are_told(record: Record, show: Show, tmp_path: Path) -> None:
    window = show(replace(record, folder=tmp_path, _films={}))
    scene = window.canvas.scene
    assert scene is not None
    assert scene.picture is None
    assert pixels(window.canvas.grab().toImage()).std() > 0  # words
    empty = show(replace(record, games=(), missing=("the run was cut off before its first round",)))
    assert "no round was played" in empty.words.text()
    assert "before its first round" in empty.words.text()
    empty.toggle()
    empty.step(1)


def test_its_process_knows_no_opencv() -> None:
    code = "import sys, bot.cli.film, bot.session.window.window; print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_command_opens_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list[list[str]]()

    def started(line: list[str]) -> SimpleNamespace:
        lines.append(line)
        code = len(lines) - 1
        return SimpleNamespace(wait=lambda: code)

    monkeypatch.setattr("bot.cli.window_process.subprocess.Popen", started)
    monkeypatch.setattr("bot.cli.records.check_display", lambda: None)
    assert run("replay", RECORDS / "winemine-chords", "--game", "2")[0] == 0
    assert lines == [[sys.executable, "-m", "bot.cli.film", str(RECORDS / "winemine-chords"), "1"]]
    code, _, err = run("replay", RECORDS / "winemine-killed")
    assert code == 1
    assert err.endswith("the run was cut off in game 2, after round 6\n")
    assert run("replay", RECORDS / "winemine-chords", "--game", "9")[0] == 2
