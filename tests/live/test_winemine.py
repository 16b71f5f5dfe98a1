"""Whole games against WineMine on a virtual screen, every cell checked against the true board."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.board import Board, Cell, State
from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.clicker.style import Flags, Style
from bot.desktop.protocols import Button, Desktop, Stroke
from bot.geometry import Point
from bot.levels import BEGINNER, EXPERT, INTERMEDIATE
from bot.vision import load_picture, load_skins, read_grid, read_picture
from checked_play import play
from conftest import PATIENCE, StartGame, wait_for
from truth import true_mines

MOST = 5  # times until there must be flags and chords
REST = 20  # looks that must agree
FAULTS = ("not_finished", "misread_cells", "false_proofs", "wrong_ends", "error")
NONE = {"not_finished": 0, "misread_cells": 0, "false_proofs": 0, "wrong_ends": 0, "error": ""}


def faults(summary: dict[str, object]) -> dict[str, object]:
    return {name: summary[name] for name in FAULTS}


def test_the_known_board_of_a_second() -> None:
    """The generator is that of msvcrt: the first numbers from seed 1 are known (41, 18467, 6334, 26500)."""
    mines = true_mines(1, 1000, 32768, 2, Cell(999, 0))
    assert mines == {Cell(18467 % 1000, 41), Cell(26500 % 1000, 6334)}


@pytest.mark.parametrize(("level", "games"), [("beginner", 15), ("expert", 3)])
def test_games_without_a_fault(start_winemine: StartGame, level: str, games: int, tmp_path: Path) -> None:
    start_winemine({"beginner": BEGINNER, "expert": EXPERT}[level])
    summary = play(games, level, "max", tmp_path)
    assert faults(summary) == NONE
    assert summary["games"] == summary["different_boards"] == games
    pictures = sorted(tmp_path.glob("game-*.png"))
    assert len(pictures) == games
    states = [read_picture(load_picture(picture), load_skins())[0].state.value for picture in pictures]
    assert states.count("won") == summary["wins"]
    assert states.count("lost") == games - int(str(summary["wins"]))


def test_the_level_is_set_by_the_bot(start_winemine: StartGame) -> None:
    start_winemine(INTERMEDIATE)
    for level in ("beginner", "10x12/15"):
        summary = play(1, level, "max")
        assert faults(summary) == NONE


def test_records_are_taken_and_play_goes_on(start_winemine: StartGame) -> None:
    start_winemine(BEGINNER, best_time=999)
    summary = play(8, "beginner", "max")
    assert faults(summary) == NONE
    assert int(str(summary["wins"])) >= 1


def test_speed_10_is_ten_clicks_a_second(start_winemine: StartGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured between the clicks that were sent; on a busy machine they are late, but not soon.

    How exact the schedule is, is tested with a clock of its own.
    """
    times: list[float] = []
    burst = ScreenMouse.burst

    def noted(self: ScreenMouse, strokes: Sequence[Stroke], *others: Any) -> tuple[int, Point]:
        assert len(strokes) == 1
        times.append(time.perf_counter())
        return burst(self, strokes, *others)

    monkeypatch.setattr(ScreenMouse, "burst", noted)
    start_winemine(EXPERT)
    while len(times) < 30:  # a game may be lost at once
        times.clear()
        assert faults(play(1, "expert", "10")) == NONE
    assert 0.095 < statistics.median(later - earlier for earlier, later in pairwise(times)) < 0.15


@pytest.mark.parametrize(
    ("style", "button"),
    [
        (Style(Flags.ALL), Button.MIDDLE),
        (Style(Flags.CHORD), Button.MIDDLE),
        (Style(Flags.CHORD), Button.BOTH),
    ],
    ids=["all", "chord", "chord with both buttons"],
)
def test_flags_and_chords_without_a_fault(start_winemine: StartGame, style: Style, button: Button) -> None:
    start_winemine(INTERMEDIATE)
    flags = chords = 0
    for _ in range(MOST):  # games may be lost before there is anything to mark
        summary = play(3, "intermediate", "max", style=style, chord=button)
        assert faults(summary) == NONE
        flags, chords = int(str(summary["flags"])), int(str(summary["chords"]))
        if flags and (chords or style.flags is not Flags.CHORD):
            break
    assert flags > 0
    assert (chords > 0) is (style.flags is Flags.CHORD)


def test_dry_run_suggests_and_leaves_the_mouse_alone(
    start_winemine: StartGame, mouse: ScreenMouse, tmp_path: Path
) -> None:
    window = start_winemine(BEGINNER)
    mouse.move(Point(5, 5))
    drawn = tmp_path / "marks.png"
    line = [sys.executable, "-m", "bot", "play", "--dry-run", "--json", "--picture", str(drawn)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        fresh = json.loads(process.stdout.readline())
        assert fresh["state"] == "new"
        assert mouse.position() == Point(5, 5)
        x, y = window.client.x + 5 + 8, window.client.y + 52 + 8
        mouse.click(Point(x, y))
        after = json.loads(process.stdout.readline())
        assert after["state"] in ("running", "won")
        assert after["cells"][0][0] != "."
        assert mouse.position() == Point(x, y)
        assert wait_for(drawn.exists)
        process.send_signal(2)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 4
    assert load_picture(drawn).shape[2] == 3


def test_a_dialog_left_open_is_closed_before_play(
    start_winemine: StartGame, desktop: Desktop, mouse: ScreenMouse
) -> None:
    window = start_winemine(BEGINNER)
    desktop.raise_window(window)
    for key in ("f10", "right", "down", "enter"):  # Help, About
        mouse.press(key)
    assert wait_for(lambda: [popup.title for popup in desktop.popups(window)] == ["About WineMine"])
    assert faults(play(1, "beginner", "max")) == NONE
    assert desktop.popups(window) == []


def test_clicks_while_the_board_is_watched_are_read_right(
    start_winemine: StartGame, mouse: ScreenMouse, capture: ScreenCapture
) -> None:
    """Whatever a single grab shows in the middle of repainting, no look ever contradicts the last one."""
    window = start_winemine(EXPERT)
    skins = load_skins()
    assert wait_for(lambda: read_picture(capture.grab(window.client).pixels, skins))  # it may be half painted
    (found,) = read_picture(capture.grab(window.client).pixels, skins)
    skin = next(skin for skin in load_skins() if skin.name == found.skin)
    done = threading.Event()
    boards: list[Board] = []

    def watch() -> None:
        with_eyes = ScreenCapture()
        while not done.is_set():
            boards.append(read_grid(with_eyes.grab(window.client).pixels, found.grid, skin).board)
        with_eyes.close()

    def at_end() -> bool:
        """Return whether a row of looks agrees that the upper row is open, or that a mine has exploded."""
        final, rest = boards[-1:], boards[-REST:]
        over = any(board.count(State.EXPLODED) or State.COVERED not in board.states[0] for board in final)
        return over and rest == final * REST

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for col in range(30):
            mouse.click(
                Point(window.client.x + 5 + 16 * col + 8, window.client.y + 52 + 8),
            )
            time.sleep(0.02)
        assert wait_for(at_end)
    finally:
        done.set()
        watcher.join()
    final = boards[-1]
    settled = [board for board, again in pairwise(boards) if board == again]
    assert settled
    for board in settled[:: max(1, len(settled) // 200)]:
        for cell in board.cells(*range(1, 9)):
            assert board[cell] == final[cell] or final[cell] in (State.MINE, State.EXPLODED)
