"""Pictures of few colours are read by what their colours make of a skin."""

from __future__ import annotations

import numpy as np

from bot.geometry import Grid
from bot.vision import load_skins
from bot.vision.cells import PLAIN
from bot.vision.palette import palette_of, shown_in
from drawn_boards import draw_board, played
from picture_changes import gif, jpeg
from stress import read_case, stress_cases

SKIN = next(skin for skin in load_skins() if skin.name == "winmine")
PICTURE, X, Y = draw_board(SKIN, played(16, 30, 3))
GRID = Grid(X, Y, 16, 16, 16, 30)


def test_the_colours_of_a_board_are_counted() -> None:
    eight = gif(PICTURE, 8)
    palette = palette_of(eight, GRID)
    assert palette is not None
    assert 2 <= len(palette) <= 8
    assert {tuple(colour) for colour in eight[Y : Y + 256, X : X + 480].reshape(-1, 3).tolist()} == set(
        palette
    )


def test_many_colours_are_no_palette_nor_is_one() -> None:
    assert palette_of(jpeg(PICTURE, 75), GRID) is None
    assert palette_of(np.full_like(PICTURE, 192), GRID) is None
    assert palette_of(PICTURE, GRID.moved(1000, 0)) is None


def test_a_skin_is_shown_in_the_nearest_colours() -> None:
    shown = shown_in(SKIN, PLAIN, ((0, 0, 0), (200, 200, 200), (255, 0, 0)))
    assert shown.name == SKIN.name
    assert set(np.unique(shown.template(0).reshape(-1, 3), axis=0)[:, 0].tolist()) <= {0, 200}
    assert [255, 0, 0] in shown.template(1).reshape(-1, 3).tolist()
    assert shown_in(SKIN, PLAIN, ((0, 0, 0), (200, 200, 200), (255, 0, 0))) is shown


def test_boards_whose_inks_have_become_one_are_read() -> None:
    for case in stress_cases((SKIN,), ["1.75 cubic"], ["gif 8 dithered"]):
        result = read_case(case, (SKIN,))
        assert result.wrong == 0, case.art
        assert result.unreadable <= 0.05 * result.cells, case.art
