"""Programs that the bot was not made for, played on a virtual screen."""

from __future__ import annotations

import shutil

import pytest

from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.desktop.protocols import Desktop
from bot.geometry import Point
from bot.levels import LEVELS
from bot.play import Settings
from bot.targets import find_game
from checked_first_sight import play
from conftest import wait_for
from page import Page, open_page
from players import player_on, touch
from programs import GAMES, started

TRIES = 8
SOON = 20.0  # seconds until it is tried again


def need(program: str) -> None:
    if shutil.which(program, path="/usr/games:/usr/bin") is None:
        pytest.skip(f"{program} is not installed")


@pytest.mark.parametrize("name", GAMES)
def test_the_programs_are_found(name: str, desktop: Desktop) -> None:
    need(name)
    with started(name, next(iter(GAMES[name].sizes))) as window:
        found = find_game(desktop)
        assert found is not None
        assert (found[0].name, found[1]) == (name, window)
    assert wait_for(lambda: find_game(desktop) is None)  # nothing is left running


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize(
    ("name", "program", "scale"),
    [
        ("xdemineur", "xdemineur", 1.0),
        ("kmines", "kmines", 1.0),
        ("gnome-mines", "gnome-mines", 1.0),
        ("page", "chromium", 1.25),
    ],
)
def test_a_game_is_played_without_any_skin(name: str, program: str, scale: float) -> None:
    """The boards are of chance, an honest stop is no fault, and an early loss may not show every mine.

    So one of a few games must come to an end that tells what was on the board.
    """
    need(program)
    for _ in range(TRIES):
        summary = play(name, 1, skins=False, scale=scale)
        assert summary["misread_cells"] == 0
        if summary["games"] == 1 and summary["cells_checked"]:
            break
    assert summary["error"] == ""
    assert summary["cells_checked"]


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("offered", ["buttons", "list"])
def test_a_level_is_found_on_a_page(offered: str) -> None:
    need("chromium")
    level = LEVELS["intermediate"]
    with (
        open_page(levels=offered, restart="button", art="dark") as page,
        player_on(page.window, Settings(1, level), {}) as player,
    ):
        assert player.game.open(level).reading.board.shape == level.size


def opens_first_cell(page: Page, mouse: ScreenMouse) -> bool:
    """Return whether the first cell of a new game opens where the page says that it is.

    The page knows where it is from a click, and loses those that come before it is painted.
    """
    touch(page.window, mouse)
    game = page.latest.game + 1
    mouse.press("f2")
    if not wait_for(lambda: page.latest.game == game, SOON):
        return False
    x, y, *_ = page.latest.place
    mouse.click(Point(round(x + 12), round(y + 12)))
    return wait_for(lambda: page.mines(game), SOON)


def test_the_page_tells_what_it_shows(desktop: Desktop, mouse: ScreenMouse, capture: ScreenCapture) -> None:
    need("chromium")
    with open_page(rows=5, cols=6, mines=4, seed=3) as page:
        assert wait_for(lambda: page.shown)
        desktop.raise_window(page.window)
        assert any(opens_first_cell(page, mouse) for _ in range(TRIES))
        x, y, width, height = page.latest.place
        assert (width, height) == (6 * 24, 5 * 24)
        assert capture.grab().rect.contains(Point(round(x), round(y)))
        assert len(page.latest.mines) == 4
        assert page.latest.board[0, 0] <= 8
        assert page.latest.board.problems() == []
