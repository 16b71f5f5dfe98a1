"""Cells that look alike decide together, and only where nothing else can be meant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision import Skin, load_skins
from bot.vision.cells import Cells, agreed, first_tone, read_pictures, read_points
from bot.vision.colours import refined
from bot.vision.groups import with_groups
from bot.vision.stretch import scale_of, unstretched
from bot.vision.tone import softened
from drawn_boards import draw_board, played
from picture_changes import jpeg
from stress import read_case, stress_cases

SKINS = {skin.name: skin for skin in load_skins() if skin.name in ("winemine", "winmine")}
BOARD = played(16, 30, 3)


def alone_and_together(picture: Pixels, grid: Grid, skin: Skin) -> tuple[Cells, Cells]:
    """Return the cells as each is read for itself, and as all are read together."""
    canvas, scale = unstretched(picture, grid, skin.cell), scale_of(grid, skin.cell)
    tone = refined(softened(canvas, skin.cell), skin, scale, first_tone(canvas, skin))
    cells = agreed(read_points(canvas, tone, skin, scale), read_pictures(canvas, tone, skin, scale))
    visible = np.ones(cells.states.shape, np.bool_)
    return cells, with_groups(cells, canvas, skin, scale, tone, visible)


@pytest.mark.parametrize(("stretch", "damage"), [("1.1", "jpeg 50"), ("1.37 cubic", "gif 16 dithered")])
def test_blurred_boards_are_read_nearly_whole(stretch: str, damage: str) -> None:
    for case in stress_cases(tuple(SKINS.values()), [stretch], [damage]):
        result = read_case(case, (case.skin,))
        assert result.wrong == 0, case.art
        assert result.unreadable <= 0.02 * result.cells, case.art


@pytest.mark.parametrize("name", SKINS)
def test_nothing_is_added_to_what_is_read_already(name: str) -> None:
    picture, x, y = draw_board(SKINS[name], BOARD)
    alone, together = alone_and_together(picture, Grid(x, y, 16, 16, 16, 30), SKINS[name])
    assert alone.readable.all()
    assert together is alone


@pytest.mark.parametrize("name", SKINS)
@pytest.mark.parametrize("quality", [75, 30])
def test_a_plain_window_over_the_board_shows_no_blank_cells(name: str, quality: int) -> None:
    skin = SKINS[name]
    picture, x, y = draw_board(skin, BOARD)
    blank = skin.template(0)[8, 8]
    picture[y + 40 : y + 150, x + 90 : x + 300] = blank
    grid = Grid(x, y, 16, 16, 16, 30)
    alone, together = alone_and_together(jpeg(picture, quality), grid, skin)
    hidden = np.zeros(BOARD.shape, np.bool_)
    hidden[3:9, 6:18] = True
    added = together.readable & ~alone.readable
    assert not (added & hidden).any()
    assert (together.states == BOARD.states)[together.readable & ~hidden].all()


@pytest.mark.parametrize(
    ("shown", "other"), [(State.FLAG, State.QUESTION), (State.QUESTION, State.FLAG), (2, 1), (2, 3), (3, 2)]
)
def test_looks_that_the_rules_do_not_confirm_are_not_read(shown: int, other: int) -> None:
    """A state is drawn so that it looks a little more like another: all of its cells are nearest to that."""
    skin = SKINS["winmine"]
    templates = skin.templates.copy()
    true, false = (int(np.searchsorted(skin.states, state)) for state in (shown, other))
    templates[true] = (0.46 * templates[true] + 0.54 * templates[false]).astype(np.uint8)
    picture, x, y = draw_board(replace(skin, templates=templates), BOARD)
    _, together = alone_and_together(picture, Grid(x, y, 16, 16, 16, 30), skin)
    cells = BOARD.states == shown
    assert cells.sum() >= 5
    assert not together.readable[cells].any()
    assert (together.states == BOARD.states)[together.readable].all()
