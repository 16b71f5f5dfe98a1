"""What clicks and help do in our own window, and what it draws, without a screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from threading import Event

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest

from bot.board import Cell, State
from bot.errors import NoGuessError
from bot.game.round import Aid
from bot.geometry import Grid, Rect
from bot.marks import Kind, Mark, picture_of
from bot.solver.explain.hints import chances
from bot.ui.game.assistant import THINKING
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
from bot.ui.game.window import SCALES, Worker
from bot.verdict import GameState
from drawn_game import (
    LEFT,
    MIDDLE,
    MIDST,
    RIGHT,
    Driven,
    Start,
    application,
    choose,
    entry,
    middle,
    mines_of,
    wait_until,
    words,
)
from qt_pictures import pixels

OTHER = Cell(0, 0)


def shows(driven: Driven, mark: Mark) -> bool:
    """Return whether a mark is on its cell, as the renderer of marks draws it."""
    seen = driven.cell_pixels(mark.cell)
    height, width = seen.shape[:2]
    drawn = picture_of(Grid(0, 0, width, height, 1, 1), [replace(mark, cell=Cell(0, 0))])
    there = drawn[..., 3] > 0
    return bool(there.any() and (seen == drawn[..., :3])[there].all())


def test_a_cell_looks_pressed_until_it_is_released(driven: Driven) -> None:
    flat = pixels(cell_picture(0, 16, CLASSIC))
    driven.down(MIDST)
    assert np.array_equal(driven.cell_pixels(MIDST), flat)
    driven.move(OTHER)
    assert np.array_equal(driven.cell_pixels(OTHER), flat)
    assert not np.array_equal(driven.cell_pixels(MIDST), flat)
    driven.up(OTHER)
    assert driven.window.game.first == OTHER


def test_the_face_watches(driven: Driven) -> None:
    def lose() -> None:
        driven.click(MIDST)
        driven.click(min(mines_of(driven.window.game, MIDST)))
        assert driven.window.game.state is GameState.LOST

    story: tuple[tuple[Callable[[], object], Face], ...] = (
        (lambda: None, Face.IDLE),
        (lambda: driven.down(MIDST), Face.TENSE),
        (lambda: driven.up(MIDST), Face.IDLE),
        (driven.win, Face.WON),
        (driven.window.new, Face.IDLE),
        (lose, Face.LOST),
    )
    for happens, face in story:
        happens()
        box = driven.window._view.places.face
        shown = driven.picture()[box.y : box.bottom, box.x : box.right]
        assert np.array_equal(shown, pixels(face_picture(face, 26, CLASSIC, pressed=False))), face


def with_mines_flagged(driven: Driven) -> tuple[Cell, set[Cell]]:
    """Flag the mines around a number, and return it with the covered cells beside it, which are safe.

    The game has begun with a click at `MIDST`.
    """
    mines, board = mines_of(driven.window.game, MIDST), driven.board
    covered = set(board.cells(State.COVERED))
    number = next(cell for cell, n in board.numbers() if n and covered & {*board.neighbours(cell)} - mines)
    around = covered & {*board.neighbours(number)}
    for mine in around & mines:
        driven.click(mine, RIGHT)
    return number, around - mines


@pytest.mark.parametrize("buttons", [(LEFT, RIGHT), (MIDDLE,)], ids=["both", "middle"])
def test_a_chord_opens_the_neighbours_of_a_number(
    driven: Driven, buttons: tuple[Qt.MouseButton, ...]
) -> None:
    driven.click(MIDST)
    number, safe = with_mines_flagged(driven)
    for button in buttons:
        driven.down(number, button)
    free = min(safe)
    assert np.array_equal(driven.cell_pixels(free), pixels(cell_picture(0, 16, CLASSIC)))
    for button in buttons:
        driven.up(number, button)
    assert all(driven.board[cell] <= 8 for cell in safe)


def test_the_face_and_f2_begin_another_game(driven: Driven) -> None:
    driven.click(MIDST)
    face = middle(driven.window._view.places.face)
    driven.mouse(QEvent.Type.MouseButtonPress, face, LEFT)
    driven.mouse(QEvent.Type.MouseButtonRelease, QPoint(1, 1), LEFT)  # it has slipped off
    assert driven.board.count(State.COVERED) < 81
    driven.mouse(QEvent.Type.MouseButtonPress, face, LEFT)
    driven.mouse(QEvent.Type.MouseButtonRelease, face, LEFT)
    assert driven.board.count(State.COVERED) == 81
    driven.click(MIDST)
    assert entry(driven, "Game", "New").shortcut().toString() == "F2"
    choose(driven, "Game", "New")
    assert driven.board.count(State.COVERED) == 81


def test_question_marks_can_be_switched_off(driven: Driven) -> None:
    driven.click(MIDST, RIGHT)
    driven.mouse(QEvent.Type.MouseButtonDblClick, driven.centre(MIDST), RIGHT)  # the second of two fast ones
    driven.up(MIDST, RIGHT)
    assert driven.board[MIDST] == State.QUESTION
    choose(driven, "Game", "Marks")
    assert driven.board[MIDST] == State.COVERED
    driven.click(MIDST, RIGHT)
    driven.click(MIDST, RIGHT)
    assert driven.board[MIDST] == State.COVERED


def test_the_counters_are_drawn(driven: Driven) -> None:
    for row, col in [*((0, col) for col in range(9)), *((1, col) for col in range(3))]:
        driven.click(Cell(row, col), RIGHT)
    driven.click(Cell(8, 8))
    for seconds, shown in ((41.5, "042"), (958.0, "1000")):
        driven.now += seconds
        picture, places = driven.picture(), driven.window._view.places
        for box, text in ((places.mine_counter, "-02"), (places.timer, shown)):
            drawn = picture[box.y : box.bottom, box.x : box.right]
            assert np.array_equal(drawn, pixels(counter_picture(text, box.width, box.height, CLASSIC)))


def test_a_counter_of_four_digits_shows_each_of_them() -> None:
    """The box stays as it is on a beginner board, and its digits become narrower."""
    application()
    for text in ("888", "8888"):
        lit = pixels(counter_picture(text, 78, 46, CLASSIC))[..., 2].max(axis=0) > 100
        assert np.count_nonzero(np.diff(lit.astype(int)) == 1) == len(text)


def press(driven: Driven, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(driven.window.focusWidget(), key)


UP, DOWN, LEFTWARDS, RIGHTWARDS = Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right


def cursor_of(driven: Driven) -> list[Cell]:
    """Return the cells that have the frame of the cursor."""
    colour = list(bytes.fromhex(CLASSIC.cursor[1:]))[::-1]
    return [cell for cell in driven.board if (driven.cell_pixels(cell) == colour).all(axis=2).sum() > 30]


def test_a_game_is_played_with_keys_alone(driven: Driven) -> None:
    press(driven, Qt.Key.Key_Space, Qt.Key.Key_F)  # there is no cursor yet
    assert driven.board.count(State.COVERED) == 81
    press(driven, UP)
    assert cursor_of(driven) == [MIDST]
    press(driven, Qt.Key.Key_Space)
    assert driven.window.game.first == MIDST
    mines = mines_of(driven.window.game, MIDST)
    at = MIDST
    while not driven.window.game.over:
        covered = set(driven.board.cells(State.COVERED))
        wanted = min(covered - mines, key=lambda cell: abs(cell.row - at.row) + abs(cell.col - at.col))
        press(driven, *[DOWN if wanted.row > at.row else UP] * abs(wanted.row - at.row))
        press(driven, *[RIGHTWARDS if wanted.col > at.col else LEFTWARDS] * abs(wanted.col - at.col))
        at = wanted
        assert cursor_of(driven) == [at]
        press(driven, Qt.Key.Key_Return)
        assert driven.board[at] <= 8
    assert driven.window.game.state is GameState.WON


def test_keys_flag_and_chord_and_stay_on_the_board(driven: Driven) -> None:
    press(driven, UP, *[UP] * 9, *[LEFTWARDS] * 9)
    assert cursor_of(driven) == [OTHER]
    for state in (State.FLAG, State.QUESTION, State.COVERED):
        press(driven, Qt.Key.Key_F)
        assert driven.board[OTHER] == state
    driven.click(MIDST)
    assert cursor_of(driven) == []  # the mouse hides it
    number, safe = with_mines_flagged(driven)
    vertical, horizontal = number.row - 4, number.col - 4
    press(driven, UP, *[DOWN if vertical > 0 else UP] * abs(vertical))
    press(driven, *[RIGHTWARDS if horizontal > 0 else LEFTWARDS] * abs(horizontal), Qt.Key.Key_Space)
    assert all(driven.board[cell] <= 8 for cell in safe)


def test_a_board_that_is_scrolled_follows_the_cursor(make: Start) -> None:
    driven = make(level="60x60/300", scale=2.0)
    press(driven, UP, *[DOWN] * 40, *[RIGHTWARDS] * 40)
    seen = driven.window._view.visibleRegion().boundingRect()
    assert seen.contains(driven.centre(Cell(59, 59)))


# Help


def test_a_hint_counts_as_help_and_survives_another_look(driven: Driven) -> None:
    driven.click(MIDST)
    choose(driven, "Hint", "Hint")
    assert driven.window.game.aid is Aid.SOLVER
    wait_until(lambda: words(driven) not in ("", THINKING))  # its answer would take the place of these marks
    mark = Mark(MIDST, Kind.PROOF)
    driven.window.mark([mark])
    driven.window.say("Because.")
    choose(driven, "View", "Dark")
    assert shows(driven, mark)
    assert words(driven) == "Because."


def test_a_click_on_a_mine_is_refused_once_if_warnings_are_on(driven: Driven) -> None:
    choose(driven, "Hint", "Warn")
    driven.click(MIDST)
    mine = min(mines_of(driven.window.game, MIDST))
    driven.click(mine)
    wait_until(lambda: "Click again to open it anyway." in words(driven))
    assert not driven.window.game.over
    driven.click(mine)
    assert driven.window.game.over
    choose(driven, "Hint", "Warn")
    driven.window.new()
    driven.click(MIDST)
    driven.click(min(mines_of(driven.window.game, MIDST)))
    assert driven.window.game.state is GameState.LOST


def test_clicks_during_a_check_are_carried_out_one_after_the_other(make: Start) -> None:
    driven = make(warn=True)
    driven.click(MIDST)
    known = chances(driven.board, compiled=False)
    for cell in known.certain(0.0):
        driven.click(cell)
    wait_until(lambda: all(driven.board[cell] <= 8 for cell in known.certain(0.0)))
    assert words(driven) == ""


# Boards without guesses


def test_a_board_without_guesses_is_laid_after_the_first_click(make: Start) -> None:
    driven = make(rule="no-guess")
    driven.click(MIDST)
    assert words(driven).startswith("Looking for a board")
    wait_until(lambda: driven.window.game.state is GameState.RUNNING)
    assert driven.board[MIDST] == 0
    assert words(driven) == ""


def test_another_game_ends_a_search(make: Start) -> None:
    """With so many mines on so few cells a search would take very long."""
    driven = make(rule="no-guess", level="9x9/65")
    driven.click(MIDST)
    driven.window.new()
    seen: list[object] = []
    driven.window.work(lambda: "done", seen.append)  # comes after the search
    wait_until(lambda: bool(seen))
    assert driven.window.game.state is GameState.NEW
    assert driven.board.count(State.COVERED) == 81
    assert words(driven) == ""


def test_where_there_is_no_such_board_that_is_said(make: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NoGuessError("there is no such board")

    monkeypatch.setattr("bot.game.noguess.no_guess_mines", fail)
    driven = make(rule="no-guess")
    driven.click(MIDST)
    wait_until(lambda: driven.window.game.waiting is None)
    assert words(driven) == "there is no such board"
    assert driven.board.count(State.COVERED) == 81


# What our own window draws, without a screen


@pytest.mark.parametrize("scale", [0.5, *SCALES, 1.1, 1.33, 2.71])
@pytest.mark.parametrize(("rows", "cols"), [(1, 8), (9, 9), (16, 30)])
def test_every_cell_has_the_same_whole_pixels(scale: float, rows: int, cols: int) -> None:
    layout = Layout(rows, cols, scale)
    side = round(16 * scale)
    width, height = layout.size
    seen = np.zeros((height, width), int)
    for row, col in np.ndindex(rows, cols):
        box = layout.grid.cell_box(Cell(row, col))
        assert box.size == (side, side)
        seen[box.y : box.bottom, box.x : box.right] += 1
        for x, y in ((box.x, box.y), (box.right - 1, box.bottom - 1)):
            assert layout.grid.cell_at(x, y) == (row, col)
    assert seen.max() == 1
    assert seen.sum() == rows * cols * side * side
    board = layout.board
    assert layout.grid.cell_at(board.x - 1, board.y) is None
    assert layout.grid.cell_at(board.x, board.bottom) is None


def test_at_scale_1_the_measures_are_the_classic_ones() -> None:
    layout = Layout(9, 9)
    assert layout.board == Rect(22, 55, 144, 144)
    assert layout.size == (178, 218)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_row_and_the_column_of_a_hint_stand_out(make: Start, scale: float) -> None:
    driven = make(scale=scale)
    cell, places = Cell(2, 6), driven.window._view.places
    plain = driven.picture()
    driven.window.mark([Mark(cell, Kind.NEXT)])
    marked, box = driven.picture(), places.grid.cell_box(cell)
    changed = (marked != plain).any(axis=2)
    rows, cols = places.rulers
    yellow = (marked == list(bytes.fromhex(CLASSIC.found[1:]))[::-1]).all(axis=2)
    beside = np.zeros_like(changed)
    beside[box.y : box.bottom, rows.x : rows.right] = True
    beside[cols.y : cols.bottom, box.x : box.right] = True
    beside[box.y : box.bottom, box.x : box.right] = True
    assert not changed[~beside].any()
    assert yellow[box.y : box.bottom, rows.x : rows.right].mean() > 0.5
    assert yellow[cols.y : cols.bottom, box.x : box.right].mean() > 0.5
    for other in (Cell(0, 0), Cell(8, 8)):  # each of the other numbers is there, too
        place = places.grid.cell_box(other)
        for part in (
            plain[place.y : place.bottom, rows.x : rows.right],
            plain[cols.y : cols.bottom, place.x : place.right],
        ):
            assert part.std() > 10


@pytest.mark.parametrize("theme", [CLASSIC, DARK], ids=["classic", "dark"])
@pytest.mark.parametrize("size", [16, 20, 24, 32, 48, 64])
def test_all_states_look_different(theme: Theme, size: int) -> None:
    application()
    pictures = {state: pixels(cell_picture(state, size, theme)).astype(int) for state in range(15)}
    for one, other in combinations(pictures, 2):
        far = np.abs(pictures[one] - pictures[other]).sum(axis=2) > 90
        assert far.shape == (size, size)
        assert far.mean() > 0.04, (one, other)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "000"), (7, "007"), (999, "999"), (1500, "1500"), (-1, "-01"), (-99, "-99"), (-321, "-321")],
)
def test_what_a_counter_shows(number: int, text: str) -> None:
    assert counter_text(number, 3) == text


@pytest.mark.parametrize(("scale", "dark"), [(1.0, False), (1.25, True), (2.0, False)])
def test_what_is_drawn_is_what_the_board_shows(make: Start, scale: float, dark: bool) -> None:
    driven = make(scale=scale, dark=dark)
    driven.click(MIDST)
    driven.click(min(mines_of(driven.window.game, MIDST)), RIGHT)
    picture, places = driven.picture(), driven.window._view.places
    assert picture.shape[:2] == places.size[::-1]
    for cell in driven.board:
        box = places.grid.cell_box(cell)
        wanted = cell_picture(driven.board[cell], box.width, DARK if dark else CLASSIC)
        assert np.array_equal(picture[box.y : box.bottom, box.x : box.right], pixels(wanted)), cell


def test_marks_are_drawn_and_go_with_the_next_click(driven: Driven) -> None:
    driven.click(MIDST)
    plain = driven.picture()
    safe, offer, mine, *_, other = driven.board.cells(State.COVERED)
    marks = [
        Mark(safe, Kind.NEXT),
        Mark(MIDST, Kind.PROOF),
        Mark(offer, Kind.NEXT, "20%", 0.2),
        Mark(mine, Kind.MINE),
    ]
    driven.window.mark(marks)
    driven.window.say("Because.")
    assert all(shows(driven, mark) for mark in marks)
    changed = (driven.picture() != plain).any(axis=2)
    box = driven.window._view.places.board
    assert 0 < changed[box.y : box.bottom, box.x : box.right].mean() < 0.1  # the cells are seen beside them
    for _ in range(3):  # a flag, a question mark, nothing
        driven.click(other, RIGHT)
    assert np.array_equal(driven.picture(), plain)
    assert words(driven) == ""


def test_an_answer_that_comes_after_its_window_is_deleted_is_dropped() -> None:
    application()
    window, begun, go_on, answered, done = QObject(), Event(), Event(), Event(), list[object]()
    worker = Worker(window)

    def task() -> None:
        begun.set()
        go_on.wait()

    worker.do(task, done.append)
    begun.wait()
    shiboken6.delete(window)
    go_on.set()
    worker.do(answered.set, done.append)
    wait_until(answered.is_set)
    assert done == []
    assert shiboken6.isValid(worker)
