"""Reading pictures that others made: nothing of the laboratory is in the project, so this may skip."""

from __future__ import annotations

import pytest

from bot.verdict import GameState
from bot.vision import Reading, load_skins, read_picture
from picture_changes import mistakes
from screens import Screen, needs_screens, screens

pytestmark = needs_screens

SCREENS = screens()
COUNTERS = {
    "msx_win10_gif_dithered": 27,  # with 13 flags: 40 mines; the index says 21
    "winmine_html_cursor_flag": None,  # scaled so that the 6 runs into the frame
}
HIDDEN = 4  # cells that a pointer can hide
STATES = {"won": GameState.WON, "lost": GameState.LOST}


def at_true_place(readings: list[Reading], screen: Screen) -> list[Reading]:
    return [
        reading
        for reading in readings
        if abs(reading.grid.x - screen.grid.x) <= 3 and abs(reading.grid.y - screen.grid.y) <= 3
    ]


def each(*, classic: bool) -> pytest.MarkDecorator:
    """Run a test on each picture of a classic board, or on each other."""
    chosen = [screen for screen in SCREENS if screen.classic is classic]
    return pytest.mark.parametrize("screen", chosen, ids=lambda screen: screen.name)


@each(classic=True)
def test_classic_boards_are_read_without_a_mistake(screen: Screen) -> None:
    readings = read_picture(screen.pixels, load_skins(), every=True)
    assert len(readings) == 1
    (reading,) = at_true_place(readings, screen)
    wrong, unreadable = mistakes(reading.board.lines(), screen.rows)
    assert wrong == 0
    pointer = "cursor" in screen.notes or "cursor" in screen.name
    assert unreadable <= (HIDDEN if pointer else 0)
    assert reading.mines_left == COUNTERS.get(screen.name, screen.mines_left)
    if screen.state in STATES:
        assert reading.state is STATES[screen.state]
    else:
        assert reading.state in (GameState.NEW, GameState.RUNNING)


@each(classic=False)
def test_no_other_board_is_read_wrong(screen: Screen) -> None:
    readings = read_picture(screen.pixels, load_skins(), every=True)
    right = at_true_place(readings, screen)
    assert readings == right
    for reading in readings:
        assert mistakes(reading.board.lines(), screen.rows)[0] == 0
        assert reading.mines_left in (screen.mines_left, None)
