"""What our own window draws, without a screen."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from bot.board import Cell, State
from bot.geometry import Rect
from bot.ui.game.assistant import Marks
from bot.ui.game.drawing import (
    CLASSIC,
    DARK,
    Face,
    Layout,
    Theme,
    cell_picture,
    counter_picture,
    counter_text,
    face_picture,
)
from bot.ui.game.window import SCALES
from drawn_game import MIDST, RIGHT, Driven, Start, application, mines_of, words
from qt_pictures import pixels


@pytest.mark.parametrize("scale", [0.5, *SCALES, 1.1, 1.33, 2.71])
@pytest.mark.parametrize(("rows", "cols"), [(1, 8), (9, 9), (16, 30)])
def test_every_cell_has_the_same_whole_pixels(scale: float, rows: int, cols: int) -> None:
    layout = Layout(rows, cols, scale)
    side = round(16 * scale)
    width, height = layout.size
    seen = np.zeros((height, width), int)
    for row, col in np.ndindex(rows, cols):
        box = layout.cell_box(Cell(row, col))
        assert box.size == (side, side)
        seen[box.y : box.bottom, box.x : box.right] += 1
        for x, y in ((box.x, box.y), (box.right - 1, box.bottom - 1)):
            assert layout.cell_at(x, y) == (row, col)
    assert seen.max() == 1
    assert seen.sum() == rows * cols * side * side
    board = layout.board
    assert layout.cell_at(board.x - 1, board.y) is None
    assert layout.cell_at(board.x, board.bottom) is None


@pytest.mark.parametrize("scale", [0.5, *SCALES])
def test_the_panel_holds_its_parts_apart(scale: float) -> None:
    layout = Layout(9, 8, scale, 3)
    parts = [layout.mine_counter.grown(1), layout.face, layout.timer.grown(1)]
    assert all(one.right <= other.x for one, other in pairwise(parts))
    assert all(layout.panel.covers(part) for part in parts)


def test_at_scale_1_the_measures_are_the_classic_ones() -> None:
    layout = Layout(9, 9)
    assert layout.board == Rect(12, 55, 144, 144)
    assert layout.size == (168, 211)


@pytest.mark.parametrize("theme", [CLASSIC, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", [16, 20, 24, 32, 48, 64])
def test_all_states_look_different(theme: Theme, size: int) -> None:
    application()
    pictures = {state: pixels(cell_picture(state, size, theme)).astype(int) for state in range(15)}
    for one, other in combinations(pictures, 2):
        far = np.abs(pictures[one] - pictures[other]).sum(axis=2) > 90
        assert far.shape == (size, size)
        assert far.mean() > 0.04, (one, other)


def test_a_pressed_cell_is_flat_and_keeps_its_question_mark() -> None:
    application()
    empty = pixels(cell_picture(0, 16, CLASSIC))
    assert np.array_equal(pixels(cell_picture(State.COVERED, 16, CLASSIC, pressed=True)), empty)
    question, pressed = (
        pixels(cell_picture(State.QUESTION, 16, CLASSIC, pressed=pressed)) for pressed in (False, True)
    )
    assert (pressed != question).any()
    assert (pressed != empty).any()


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "000"), (7, "007"), (999, "999"), (1500, "999"), (-1, "-01"), (-99, "-99"), (-321, "-99")],
)
def test_what_a_counter_shows(number: int, text: str) -> None:
    assert counter_text(number, 3) == text


def test_counters_and_faces_look_different() -> None:
    application()
    digits = [pixels(counter_picture(sign, 13, 23, CLASSIC)).tobytes() for sign in "0123456789- "]
    assert len(set(digits)) == 12
    faces = [face_picture(face, 26, DARK, pressed=pressed) for face in Face for pressed in (False, True)]
    assert len({pixels(face).tobytes() for face in faces}) == 8


@pytest.mark.parametrize(("scale", "dark"), [(1.0, False), (1.25, True), (2.0, False)])
def test_what_is_drawn_is_what_the_board_shows(make: Start, scale: float, dark: bool) -> None:
    driven = make(scale=scale, dark=dark)
    driven.click(MIDST)
    driven.click(min(mines_of(driven.window.game, MIDST)), RIGHT)
    picture, places = driven.picture(), driven.window._view.places
    assert picture.shape[:2] == places.size[::-1]
    for cell in driven.board:
        box = places.cell_box(cell)
        wanted = cell_picture(driven.board[cell], box.width, DARK if dark else CLASSIC)
        assert np.array_equal(picture[box.y : box.bottom, box.x : box.right], pixels(wanted)), cell


def test_marks_are_drawn_and_go_with_the_next_click(driven: Driven) -> None:
    driven.click(MIDST)
    plain = driven.picture()
    safe, offer, *_, other = driven.board.cells(State.COVERED)
    driven.window.mark(Marks(safe=frozenset({safe}), proof=frozenset({MIDST}), offer=frozenset({offer})))
    driven.window.say("Because.")
    for cell, colour in ((safe, CLASSIC.safe), (MIDST, CLASSIC.proof), (offer, CLASSIC.offer)):
        wanted = list(bytes.fromhex(colour[1:]))[::-1]
        assert (driven.cell_pixels(cell) == wanted).all(axis=2).sum() > 50
    for _ in range(3):  # a flag, a question mark, nothing
        driven.click(other, RIGHT)
    assert np.array_equal(driven.picture(), plain)
    assert words(driven) == ""
