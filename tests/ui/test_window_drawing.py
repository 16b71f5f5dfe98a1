"""What the built-in window draws, without a screen."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)


from bot.board import Cell, State
from bot.ui.game.layout import Box, Layout
from bot.ui.game.marks import Marks
from bot.ui.game.menus import SCALES
from bot.ui.game.painting import Face, cell_picture, counter_picture, face_picture
from bot.ui.game.shapes import counter_text
from bot.ui.game.theme import CLASSIC, DARK, THEMES, Theme
from drawn_game import MIDST, RIGHT, Driven, Start, application, mines_of, words
from qt_pictures import pixels

STATES = range(15)


@pytest.mark.parametrize("scale", [0.5, *SCALES, 1.1, 1.33, 2.71])
@pytest.mark.parametrize(("rows", "cols"), [(1, 8), (9, 9), (16, 30)])
def test_every_cell_has_the_same_whole_pixels(scale: float, rows: int, cols: int) -> None:
    layout = Layout(rows, cols, scale)
    side = round(16 * scale)
    width, height = layout.size
    seen = np.zeros((height, width), int)
    for row in range(rows):
        for col in range(cols):
            box = layout.cell_box(Cell(row, col))
            assert (box.width, box.height) == (side, side)
            seen[box.y : box.y + side, box.x : box.x + side] += 1
            assert (
                layout.cell_at(box.x, box.y)
                == layout.cell_at(box.x + side - 1, box.y + side - 1)
                == (row, col)
            )
    assert seen.max() == 1
    assert seen.sum() == rows * cols * side * side
    board = layout.board
    assert layout.cell_at(board.x - 1, board.y) is None
    assert layout.cell_at(board.x, board.y + board.height) is None


@pytest.mark.parametrize("scale", [0.5, *SCALES])
def test_the_panel_holds_its_parts_apart(scale: float) -> None:
    layout = Layout(9, 8, scale, 3)
    parts = [layout.mine_counter.grown(1), layout.face, layout.timer.grown(1)]
    assert all(one.x + one.width <= other.x for one, other in pairwise(parts))
    for part in parts:
        assert layout.panel.holds(part.x, part.y)
        assert layout.panel.holds(part.x + part.width - 1, part.y + part.height - 1)


def test_at_scale_1_the_measures_are_the_classic_ones() -> None:
    layout = Layout(9, 9)
    assert layout.board == Box(12, 55, 144, 144)
    assert layout.size == (168, 211)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [16, 20, 24, 32, 48, 64])
def test_all_states_look_different(theme: Theme, size: int) -> None:
    application()
    pictures = [pixels(cell_picture(state, size, theme)).astype(int) for state in STATES]
    for one in STATES:
        assert pictures[one].shape == (size, size, 3)
        for other in range(one):
            far = np.abs(pictures[one] - pictures[other]).sum(axis=2) > 90
            assert far.mean() > 0.04, (one, other)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_numbers_have_their_colours(theme: Theme) -> None:
    application()
    for number, colour in enumerate(theme.numbers, 1):
        wanted = list(bytes.fromhex(colour[1:]))[::-1]
        picture = pixels(cell_picture(number, 16, theme))
        assert (picture == wanted).all(axis=2).sum() >= 8, number


def test_a_pressed_cell_is_flat_and_keeps_its_question_mark() -> None:
    application()
    drawn = {
        (state, pressed): pixels(cell_picture(state, 16, CLASSIC, pressed=pressed))
        for state in (0, State.COVERED, State.QUESTION)
        for pressed in (False, True)
    }
    assert np.array_equal(drawn[State.COVERED, True], drawn[0, False])
    assert (drawn[State.QUESTION, True] != drawn[State.QUESTION, False]).any()
    assert (drawn[State.QUESTION, True] != drawn[0, False]).any()


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "000"), (7, "007"), (999, "999"), (1500, "999"), (-1, "-01"), (-99, "-99"), (-321, "-99")],
)
def test_what_a_counter_shows(number: int, text: str) -> None:
    assert counter_text(number, 3) == text


def test_drawing_does_not_wear_out_none() -> None:
    """Some versions of Qt's Python side count its users wrongly, which ends Python 3.11 after a while."""
    application()
    before = sys.getrefcount(None)
    for _ in range(30):
        cell_picture(State.MINE, 16, CLASSIC)
    assert sys.getrefcount(None) > before - 30


def test_counters_and_faces_look_different() -> None:
    application()
    digits = [pixels(counter_picture(sign, 13, 23, CLASSIC)).tobytes() for sign in "0123456789- "]
    assert len(set(digits)) == 12
    faces = [
        pixels(face_picture(face, 26, DARK, pressed=p)).tobytes() for face in Face for p in (False, True)
    ]
    assert len(set(faces)) == 8


def test_what_is_drawn_is_what_the_board_shows(make: Start) -> None:
    for scale, dark in ((1.0, False), (1.25, True), (2.0, False)):
        driven = make(scale=scale, dark=dark)
        driven.click(MIDST)
        driven.click(next(iter(mines_of(driven.window.game, MIDST))), RIGHT)
        picture, places = driven.picture(), driven.window._view.places
        assert picture.shape[:2] == places.size[::-1]
        for cell in driven.board:
            box = places.cell_box(cell)
            drawn = picture[box.y : box.y + box.height, box.x : box.x + box.width]
            wanted = pixels(cell_picture(driven.board[cell], box.width, driven.options.theme))
            assert np.array_equal(drawn, wanted), cell


def test_marks_are_drawn_and_go_with_the_next_click(driven: Driven) -> None:
    driven.click(MIDST)
    plain = driven.picture()
    covered = driven.board.cells(State.COVERED)
    marks = Marks(safe=frozenset(covered[:1]), proof=frozenset({MIDST}), offer=frozenset(covered[1:2]))
    driven.window.mark(marks)
    driven.window.say("Because.")
    for cell, colour in ((covered[0], CLASSIC.safe), (MIDST, CLASSIC.proof), (covered[1], CLASSIC.offer)):
        wanted = list(bytes.fromhex(colour[1:]))[::-1]
        assert (driven.cell_pixels(cell) == wanted).all(axis=2).sum() > 50
    driven.click(covered[-1], RIGHT)
    driven.click(covered[-1], RIGHT)
    driven.click(covered[-1], RIGHT)
    assert np.array_equal(driven.picture(), plain)
    assert words(driven) == ""
