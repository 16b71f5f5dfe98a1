"""The desktop game with every switch: the bot plays it, and reports each game as the program knows it."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("PySide6.QtGui", reason="install PySide6-Essentials and the libraries of .ci/packages")

from bench_ends import SWITCHES, Outcome, play
from bot.desktop import open_desktop
from conftest import wait_for
from page import open_window
from test_page_switches import CORNER, FRAME, held, playing

pytestmark = pytest.mark.usefixtures("display")
COMBINATIONS = (  # with 25 mines, games are lost
    "art=flat zoom=100 restart=key mines=10 veil=fade win=red press=frame panel=words turn=300",
    "art=bevel zoom=125 restart=button mines=10 panel=none veil=grey win=mines press=poll turn=600 banner=1",
    "art=round zoom=175 restart=key mines=25 strip=text flood=4 loss=flags end=alert after=deal finale=1000",
    "art=native zoom=100 restart=key mines=10 end=box goal=flags flagged=3 zeros=1 flood=beside strip=plain",
)
SEED = 7  # of the boards


def test_every_switch_is_played() -> None:
    wanted = {f"{name}={value}" for name, values in SWITCHES.items() for value in values}
    assert wanted <= set(" ".join(COMBINATIONS).split())


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_each_game_is_reported_as_the_program_knows_it(combination: str, kernel: None) -> None:  # noqa: ARG001 - compiled
    pairs = (part.split("=") for part in combination.split())
    outcome = Outcome(0, {name: value for name, value in pairs}, 1)  # noqa: C416 - typed
    play(outcome, SEED, Path(__file__).parents[2], window=True)
    assert not outcome.faulty, outcome


@pytest.mark.parametrize(("press", "at_press"), [("click", False), ("frame", True), ("poll", False)])
def test_the_pointer_is_read(press: str, at_press: bool) -> None:
    with playing(open_window, press=press) as player:
        with held(player.page.centre(CORNER)):
            time.sleep(3 * FRAME)
            assert bool(player.mines) is at_press
        assert wait_for(lambda: bool(player.mines), 2.0)


def test_an_alert_is_a_window_that_blocks_the_game() -> None:
    with playing(open_window, end="alert", after="deal") as player, closing(open_desktop()) as desktop:
        player.lose()
        assert wait_for(lambda: bool(desktop.popups(player.page.window)), 5.0)
        player.mouse.click(player.page.centre(CORNER))
        time.sleep(3 * FRAME)
        assert player.page.latest.game == 0
        player.mouse.press("enter")
        assert wait_for(lambda: player.page.latest.game == 1, 5.0)
        assert not player.board.count(*range(9))
