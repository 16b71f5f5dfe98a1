"""What clicks do in the built-in window, without a screen; what hints and autoplay are told."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import QEvent, QPoint

from bot.board import Cell, State
from bot.game.round import Deed, Progress
from bot.ui.game.marks import Marks
from bot.ui.game.painting import Face, cell_picture, counter_picture, face_picture
from bot.ui.game.theme import CLASSIC, DARK
from drawn_game import (
    LEFT,
    MIDDLE,
    MIDST,
    RIGHT,
    Driven,
    choose,
    entry,
    middle,
    mines_of,
    words,
)
from qt_pictures import pixels


def test_a_cell_looks_pressed_until_it_is_released(driven: Driven) -> None:
    flat = pixels(cell_picture(0, 16, CLASSIC))
    driven.down(MIDST)
    assert np.array_equal(driven.cell_pixels(MIDST), flat)
    driven.move(Cell(0, 0))
    assert np.array_equal(driven.cell_pixels(Cell(0, 0)), flat)
    assert not np.array_equal(driven.cell_pixels(MIDST), flat)
    driven.up(Cell(0, 0))
    assert driven.board[Cell(0, 0)] <= 8
    assert driven.window.game.first == Cell(0, 0)


def test_the_face_watches(driven: Driven) -> None:
    faces = []
    story: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: driven.down(MIDST),
        lambda: driven.up(MIDST),
        driven.win,
        driven.window.new,
        lambda: lose(driven),
    )
    for happens in story:
        happens()
        box = driven.window._view.places.face
        faces.append(driven.picture()[box.y : box.y + box.height, box.x : box.x + box.width].tobytes())
    kinds = [Face.IDLE, Face.TENSE, Face.IDLE, Face.WON, Face.IDLE, Face.LOST]
    assert faces == [pixels(face_picture(kind, 26, CLASSIC, pressed=False)).tobytes() for kind in kinds]


def lose(driven: Driven) -> None:
    driven.click(MIDST)
    driven.click(min(mines_of(driven.window.game, MIDST)))
    assert driven.window.game.progress is Progress.LOST


def test_a_chord_with_both_buttons_and_with_the_middle_one(driven: Driven) -> None:
    for buttons in ((LEFT, RIGHT), (MIDDLE,)):
        driven.window.new()
        driven.click(MIDST)
        mines = mines_of(driven.window.game, MIDST)
        board = driven.board
        number = next(
            cell
            for cell, shown in board.numbers()
            if shown and any(board[c] == State.COVERED and c not in mines for c in board.neighbours(cell))
        )
        for cell in board.neighbours(number):
            if cell in mines:
                driven.click(cell, RIGHT)
        around = [cell for cell in board.neighbours(number) if board[cell] == State.COVERED]
        free = [cell for cell in around if cell not in mines]
        for button in buttons:
            driven.down(number, button)
        assert np.array_equal(driven.cell_pixels(free[0]), pixels(cell_picture(0, 16, CLASSIC)))
        for button in buttons:
            driven.up(number, button)
        assert all(driven.board[cell] <= 8 for cell in free)


def test_the_face_and_f2_begin_another_game(driven: Driven) -> None:
    driven.click(MIDST)
    face = middle(driven.window._view.places.face)
    driven.mouse(QEvent.Type.MouseButtonPress, face, LEFT)
    assert driven.board.count(State.COVERED) < 81
    driven.mouse(QEvent.Type.MouseButtonRelease, face, LEFT)
    assert driven.board.count(State.COVERED) == 81
    driven.click(MIDST)
    assert entry(driven, "Game", "New").shortcut().toString() == "F2"
    choose(driven, "Game", "New")
    assert driven.board.count(State.COVERED) == 81


def test_a_press_on_the_face_that_slips_off_does_nothing(driven: Driven) -> None:
    driven.click(MIDST)
    driven.mouse(QEvent.Type.MouseButtonPress, middle(driven.window._view.places.face), LEFT)
    driven.mouse(QEvent.Type.MouseButtonRelease, QPoint(1, 1), LEFT)
    assert driven.board.count(State.COVERED) < 81


def test_the_second_of_two_fast_clicks_counts(driven: Driven) -> None:
    driven.down(MIDST, RIGHT)
    driven.up(MIDST, RIGHT)
    driven.mouse(QEvent.Type.MouseButtonDblClick, driven.centre(MIDST), RIGHT)
    assert driven.board[MIDST] == State.QUESTION


def test_question_marks_can_be_switched_off(driven: Driven) -> None:
    driven.click(MIDST, RIGHT)
    driven.click(MIDST, RIGHT)
    assert driven.board[MIDST] == State.QUESTION
    choose(driven, "Game", "Marks")
    assert driven.board[MIDST] == State.COVERED
    driven.click(MIDST, RIGHT)
    driven.click(MIDST, RIGHT)
    assert driven.board[MIDST] == State.COVERED


def test_the_counters_are_drawn(driven: Driven) -> None:
    for col in range(9):
        driven.click(Cell(0, col), RIGHT)
    for col in range(3):
        driven.click(Cell(1, col), RIGHT)
    driven.click(Cell(8, 8))
    driven.now += 41.5
    picture, places = driven.picture(), driven.window._view.places
    for box, text in ((places.mine_counter, "-02"), (places.timer, "042")):
        drawn = picture[box.y : box.y + box.height, box.x : box.x + box.width]
        assert np.array_equal(drawn, pixels(counter_picture(text, box.width, box.height, CLASSIC)))


class Helper:
    """Both at once, noting what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.running = False

    def show(self) -> None:
        self.told.append("hint")

    def forget(self) -> None:
        self.told.append("forget")

    def start(self, speed: float | None) -> None:
        self.running = True
        self.told.append(speed)

    def stop(self) -> None:
        self.running = False
        self.told.append("stop")


@pytest.fixture
def helper(driven: Driven) -> Helper:
    helper = Helper()
    driven.window._hints = driven.window._autoplay = helper
    driven.window.new()
    helper.told.clear()
    return helper


def test_hint_and_autoplay_call_what_was_handed_in(driven: Driven, helper: Helper) -> None:
    assert entry(driven, "Hint", "Hint").shortcut().toString() == "F3"
    choose(driven, "Hint", "Hint")
    choose(driven, "Hint", "Autoplay", "3 clicks")
    driven.window.play(Deed.OPEN, MIDST)
    assert helper.told == ["hint", 3.0, "forget", "forget"]


def test_what_autoplay_does_in_a_later_game_counts_as_help(driven: Driven) -> None:
    driven.click(MIDST)
    assert not driven.window.game.aided
    driven.window.new()
    driven.window.play(Deed.OPEN, MIDST)
    assert driven.window.game.aided


def test_a_hint_counts_as_help_and_survives_another_look(driven: Driven, helper: Helper) -> None:
    driven.click(MIDST)
    choose(driven, "Hint", "Hint")
    assert helper.told[-1] == "hint"
    assert driven.window.game.aided
    driven.window.mark(Marks(proof=frozenset({MIDST})))
    driven.window.say("Because.")
    choose(driven, "View", "Dark")
    frame = list(bytes.fromhex(DARK.proof[1:]))[::-1]
    assert (driven.cell_pixels(MIDST) == frame).all(axis=2).sum() > 50
    assert words(driven) == "Because."


def test_a_click_of_the_user_stops_autoplay(driven: Driven, helper: Helper) -> None:
    choose(driven, "Hint", "Autoplay", "As fast")
    driven.window.play(Deed.OPEN, MIDST)
    assert helper.running
    driven.down(Cell(0, 0))
    assert not helper.running
    choose(driven, "Hint", "Autoplay", "As fast")
    choose(driven, "Hint", "Autoplay", "Off")
    assert not helper.running


def test_closing_stops_autoplay(driven: Driven, helper: Helper) -> None:
    choose(driven, "Hint", "Autoplay", "As fast")
    driven.window.close()
    assert not helper.running


def test_without_helpers_their_entries_are_grey(driven: Driven) -> None:
    assert not entry(driven, "Hint", "Hint").isEnabled()
    assert not entry(driven, "Hint", "Autoplay").isEnabled()
