"""The bot plays our own window through the screen, and reads every cell correctly."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from bot.board import Board, Cell, FirstClick
from bot.clicker.style import Flags
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Desktop, Window
from bot.game.simulation import mines_of_game
from bot.geometry import Point
from bot.levels import BEGINNER, INTERMEDIATE, Level
from bot.play.results import GameResult, Settings
from bot.solver import STRATEGIES
from bot.targets.catalogue import find_game, find_target
from bot.targets.launch import builtin, running, virtual_display, wait_for_window, windows_that
from bot.vision import load_skins
from conftest import PATIENCE, wait_for
from programs import Listeners, player_on
from truth import TruthChecker

SEED = 10_000_200
MOST = 12  # games in which one must be won; three of four are
SEEDS = range(SEED, SEED + 60)  # setting a level starts games, and so does asking for one
TARGET = find_target("builtin")
SKINS = [skin for skin in load_skins() if skin.name in TARGET.skins]


def boards(final: Board, first: Cell, _seconds: range) -> list[frozenset[Cell]]:
    rows, cols, mines = final.rows, final.cols, final.mines or 0
    return [mines_of_game(rows, cols, mines, seed, first, FirstClick.SAFE) for seed in SEEDS]


def played(window: Window, level: Level, games: int, flags: Flags = Flags.NONE) -> list[GameResult]:
    """Play until a game is won, or ``games`` games are over; all readings and proofs must be true."""
    checker, results = TruthChecker(boards), list[GameResult]()
    settings = Settings(games, level, STRATEGIES["exact"], flags=flags)
    told = Listeners(round=checker.round, end=checker.end)
    with player_on(window, settings, told, target=TARGET, skins=SKINS, speed="max") as player:
        for result in player.play():
            results.append(result)
            if result.won:
                break
    assert (checker.misread, checker.false_proofs, checker.wrong_ends) == ([], [], [])
    return results


@pytest.mark.parametrize("options", [(), ("--dark",), ("--scale", "2"), ("--scale", "2", "--dark")])
def test_a_game_is_won_and_every_cell_read_right(desktop: Desktop, options: tuple[str, ...]) -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED), *options) as window:
        found = find_game(desktop)
        assert found is not None
        assert (found[0].name, found[1].handle) == ("builtin", window.handle)
        assert played(window, BEGINNER, MOST)[-1].won


@pytest.mark.usefixtures("display")
def test_the_level_is_set_by_its_menu() -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED)) as window:
        results = [played(window, level, 1)[0] for level in (INTERMEDIATE, Level(10, 12, 15), BEGINNER)]
    assert [result.level for result in results] == ["intermediate", "10x12/15", "beginner"]


@pytest.mark.usefixtures("display")
def test_chords_are_played() -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED)) as window:
        results = played(window, BEGINNER, MOST, Flags.CHORD)
    assert sum(result.spent.chords for result in results) > 0


@pytest.mark.usefixtures("left_handed")
def test_a_left_handed_mouse_plays_too() -> None:
    with builtin(BEGINNER, "--scale", "1", "--seed", str(SEED)) as window:
        results = played(window, BEGINNER, MOST, Flags.CHORD)
    assert results[-1].won
    assert sum(result.spent.chords for result in results) > 0


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("depth", [15, 16, 30])
def test_a_screen_of_another_depth_is_played_on(depth: int) -> None:
    with virtual_display(depth=depth), builtin(BEGINNER, "--scale", "1", "--seed", str(SEED)) as window:
        assert played(window, BEGINNER, MOST)[-1].won


def test_a_window_that_is_closed_in_a_game_ends_quietly(
    desktop: Desktop, mouse: ScreenMouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)  # tests without a screen may have set it
    look = partial(windows_that, lambda window: window.title in TARGET.titles)
    command = [sys.executable, "-m", "bot", "game", "--seed", str(SEED), "--times", str(tmp_path)]
    with running(command) as program:
        window = wait_for_window(program, "the window", (), look)
        desktop.raise_window(window)
        mouse.click(Point(window.client.centre.x, window.client.bottom - 40))
        mouse.press("f3")  # ask for a hint
        desktop.ask_to_close(window)
        assert wait_for(lambda: desktop.refresh(window) is None)
        assert program.process.wait(PATIENCE) == 0  # the solver may still be computing the hint
        assert program.last_words() == "it does not say why"
