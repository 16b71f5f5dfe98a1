"""Play programs for which the bot has no skins, on a virtual screen."""

from __future__ import annotations

import shutil

import pytest

import bench_pages
import bench_programs
from bot.desktop.protocols import Desktop
from bot.levels import LEVELS
from bot.play.results import Observer, Settings
from bot.targets.catalogue import find_game
from conftest import wait_for
from page import open_page
from programs import GAMES, player_on, started

TRIES = 8


@pytest.fixture
def need_browser() -> None:
    if shutil.which("chromium") is None:
        pytest.skip("chromium is not installed")


@pytest.fixture(params=["xdemineur", "kmines", "gnome-mines"])
def name(request: pytest.FixtureRequest) -> str:
    if missing := GAMES[request.param].missing:
        pytest.skip(f"{missing} is not installed")
    return str(request.param)


def test_the_programs_are_found(name: str, desktop: Desktop) -> None:
    with started(GAMES[name]) as window:
        found = find_game(desktop)
        assert found is not None
        assert (found[0].name, found[1]) == (name, window)
    assert wait_for(lambda: find_game(desktop) is None)  # nothing is left running


@pytest.mark.usefixtures("display")
def test_a_game_is_played_without_any_skin(name: str) -> None:
    """One of a few games must come to an end that shows what was on the board.

    One game is not enough: boards are random, a stop with a reason is allowed, an early loss may hide mines.
    """
    for _ in range(TRIES):
        outcome = bench_programs.play(name, GAMES[name], 1)
        assert outcome.misread == 0
        if outcome.games and outcome.cells:
            return
    pytest.fail(outcome.words or "no game has shown its mines")


@pytest.mark.usefixtures("display", "need_browser")
def test_a_game_on_a_page_is_played_without_any_skin() -> None:
    for _ in range(TRIES):
        switches: dict[str, bench_pages.Switch] = {"art": "classic", "scale": 1.25, "restart": "key"}
        outcome = bench_pages.play(0, switches, 1, size=(1180, 840))
        assert (outcome.misread, outcome.false_proofs, outcome.false) == (0, 0, 0)
        if outcome.true:
            return
    pytest.fail(outcome.error or "no game was seen to its end")


@pytest.mark.usefixtures("display", "need_browser")
@pytest.mark.parametrize("offered", ["buttons", "list"])
def test_a_level_is_found_on_a_page(offered: str) -> None:
    level = LEVELS["intermediate"]
    with (
        open_page(levels=offered, restart="button", art="dark") as page,
        player_on(page.window, Settings(1, level), Observer()) as player,
    ):
        assert player.game.open(level).reading.board.shape == level.size
