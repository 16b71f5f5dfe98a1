"""Marks that are drawn on pictures."""

from __future__ import annotations

import numpy as np

from bot.board import Cell
from bot.geometry import Grid
from bot.marks.picture_marks import draw_hint, enlarged


def test_a_picture_is_enlarged_until_marks_can_be_read() -> None:
    pixels = np.arange(60 * 60 * 3, dtype=np.uint8).reshape(60, 60, 3)
    for pitch, factor in ((12.0, 3), (16.0, 2), (29.5, 2), (30.0, 1), (80.0, 1)):
        grid = Grid(5, 3.5, pitch, pitch + 1, 4, 4)
        larger, found = enlarged(pixels, [Grid(0, 0, 100, 100, 4, 4), grid])
        assert found == factor
        assert np.array_equal(larger[::factor, ::factor], pixels)
        assert grid.enlarged(factor).corner(Cell(1, 2)) == tuple(
            factor * at for at in grid.corner(Cell(1, 2))
        )
    assert enlarged(pixels, [])[1] == 1
    screen = np.broadcast_to(pixels[:1, :1], (4320, 7680, 3))  # one of 8K would take 400 MB
    assert enlarged(screen, [Grid(0, 0, 16, 16, 9, 9)])[1] == 1


def test_how_a_hint_is_drawn() -> None:
    ground = np.full((100, 100, 3), 128, np.uint8)
    grid = Grid(10, 10, 16, 16, 5, 5)
    drawn = {
        "safe": draw_hint(ground, grid, Cell(1, 1)),
        "mine": draw_hint(ground, grid, Cell(1, 1), mine=True),
        "risk": draw_hint(ground, grid, Cell(1, 1), risk=0.25),
    }
    middle = {name: picture[28, 38].tolist() for name, picture in drawn.items()}  # beside the cross
    assert middle["safe"][1] > max(middle["safe"][0], middle["safe"][2])
    assert middle["mine"][2] > max(middle["mine"][:2])
    assert middle["risk"][2] > middle["risk"][1] > middle["risk"][0]
    assert (drawn["risk"][26:42, 44:70] != 128).any()  # the percentage
    assert (drawn["safe"][26:42, 44:70] == 128).all()
    assert (ground == 128).all()
