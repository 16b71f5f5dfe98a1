"""The built-in window without a screen: what it draws, what clicks and menus do, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import QEvent, QPoint, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton

from bot.board import Cell, State
from bot.cli import main
from bot.errors import NoGuessError
from bot.game.best_times import FILE
from bot.game.levels import LEVELS, Level
from bot.game.presses import Deed
from bot.game.round import Progress
from bot.game.window.app import _ended_by_errors
from bot.game.window.layout import Box, Layout
from bot.game.window.marks import Marks
from bot.game.window.menus import SCALES
from bot.game.window.options import Options
from bot.game.window.painting import Face, cell_picture, counter_picture, face_picture
from bot.game.window.shapes import counter_text
from bot.game.window.theme import CLASSIC, DARK, THEMES, Theme
from drawn_game import BEGINNER, LEFT, MIDDLE, RIGHT, Driven, application, middle, mines_of, settle
from qt_pictures import pixels

MIDST = Cell(4, 4)
STATES = range(15)

Make = Callable[..., Driven]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Driven] = []

    def start(**options: Any) -> Driven:
        made.append(Driven(tmp_path, replace(Options(BEGINNER), **options)))
        return made[-1]

    yield start
    for driven in made:
        driven.window.close()
        driven.window.deleteLater()
    settle()


@pytest.fixture
def driven(make: Make) -> Driven:
    return make()


def entry(driven: Driven, *path: str) -> QAction:
    """Return an entry of the menus by the texts of the menus and its own."""
    actions = driven.window.menuBar().actions()
    for text in path:
        action = next(a for a in actions if a.text().replace("&", "").startswith(text))
        menu = action.menu()
        actions = menu.actions() if menu is not None else []  # type: ignore[attr-defined]
    return action


def choose(driven: Driven, *path: str) -> None:
    entry(driven, *path).trigger()
    settle()


def dialog(title: str) -> QDialog:
    """Return the open dialog with that title."""
    settle()
    widgets = QApplication.topLevelWidgets()
    [found] = [w for w in widgets if isinstance(w, QDialog) and w.isVisible() and w.windowTitle() == title]
    return found


def press_button(dialog: QDialog, text: str) -> None:
    [button] = [b for b in dialog.findChildren(QPushButton) if b.text().replace("&", "") == text]
    button.click()
    settle()


def words(driven: Driven) -> str:
    return driven.window._body._words.text()


# The picture


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


def test_what_is_drawn_is_what_the_board_shows(make: Make) -> None:
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


# Clicks


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


# Menus and dialogs


def test_levels_are_chosen_from_the_menu(driven: Driven) -> None:
    for name, level in LEVELS.items():
        choose(driven, "Game", name.capitalize())
        assert driven.window.game.level == level
        ticked = [a.text() for a in driven.window._menus.levels if a.isChecked()]
        assert ticked == [f"&{name.capitalize()}"]
        assert driven.window._view.size().toTuple() == Layout(level.rows, level.cols).size


def test_a_level_stands_where_the_real_game_has_it(driven: Driven) -> None:
    """Below New, in this order: a bot counts the lines."""
    lines = [a.text().replace("&", "") for a in entry(driven, "Game").menu().actions() if not a.isSeparator()]  # type: ignore[attr-defined]
    assert lines[:5] == ["New", "Beginner", "Intermediate", "Expert", "Custom..."]


def fill_in(dialog: QDialog, *texts: str) -> None:
    for field, text in zip(dialog.findChildren(QLineEdit), texts, strict=True):
        field.setText(text)


def test_a_custom_size(driven: Driven) -> None:
    choose(driven, "Game", "Custom")
    fill_in(dialog("Custom Field"), "8", "10", "12")
    press_button(dialog("Custom Field"), "OK")
    assert driven.window.game.level == Level(8, 10, 12)
    assert [a.text() for a in driven.window._menus.levels if a.isChecked()] == ["&Custom..."]
    driven.click(MIDST)
    assert driven.board.shape == (8, 10)


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        (("9", "9", ""), "give the number of mines"),
        (("nine", "9", "10"), "'nine' is no number of rows"),
        (("9", "-9", "10"), "'-9' is no number of columns"),
        (("9", "7", "10"), "give 1 to 100 rows and 8 to 100 columns"),
        (("9", "9", "81"), "9 x 9 cells cannot hold 81 mines: give 1 to 80"),
        (("9", "9", "1" * 5000), "is no number of mines"),
    ],
)
def test_a_custom_size_that_cannot_be_is_said(driven: Driven, texts: tuple[str, ...], complaint: str) -> None:
    choose(driven, "Game", "Custom")
    asked = dialog("Custom Field")
    fill_in(asked, *texts)
    press_button(asked, "OK")
    assert asked.isVisible()
    assert complaint in " ".join(label.text() for label in asked.findChildren(QLabel))
    press_button(asked, "Cancel")
    assert driven.window.game.level == BEGINNER


def test_a_record_asks_for_a_name_and_shows_the_best_times(driven: Driven, tmp_path: Path) -> None:
    driven.click(MIDST)
    driven.now += 12.25
    driven.win()
    asked = dialog("New Best Time")
    fill_in(asked, "Ada")
    press_button(asked, "OK")
    shown = [label.text() for label in dialog("Best Times").findChildren(QLabel)]
    assert shown[1:3] == ["12.250 s", "Ada"]
    press_button(dialog("Best Times"), "Close")
    kept = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))["times"]
    assert kept["beginner"]["name"] == "Ada"
    assert words(driven).startswith("Won in 12.250 s. 3BV ")
    driven.window.new()
    driven.click(MIDST)
    driven.now += 30
    driven.win()
    settle()
    assert not QApplication.activeModalWidget()


def test_a_best_time_is_kept_before_its_name_is_known(driven: Driven, tmp_path: Path) -> None:
    driven.win()
    assert dialog("New Best Time").isVisible()
    driven.window.close()
    kept = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))["times"]
    assert kept["beginner"]["name"] == "Anonymous"


def test_help_makes_no_record(driven: Driven) -> None:
    driven.window.game.aided = True
    driven.win()
    settle()
    assert not QApplication.activeModalWidget()
    assert "with help" in words(driven)


def test_a_custom_size_makes_no_record(make: Make) -> None:
    driven = make(level=Level(9, 9, 9))
    driven.win()
    settle()
    assert driven.window.game.progress is Progress.WON
    assert not QApplication.activeModalWidget()


def test_best_times_are_reset_only_if_that_is_wanted(driven: Driven) -> None:
    driven.times.enter("beginner", 5.0, "Ada", "2026-11-20")
    choose(driven, "Game", "Best Times")
    press_button(dialog("Best Times"), "Reset")
    press_button(dialog("Reset Best Times"), "Keep them")
    assert "beginner" in driven.times.times
    press_button(dialog("Best Times"), "Reset")
    press_button(dialog("Reset Best Times"), "Forget them")
    assert not driven.times.times
    labels = [label.text() for label in dialog("Best Times").findChildren(QLabel)]
    assert labels[:2] == ["Beginner", "none yet"]


def test_damaged_best_times_are_said_below_the_board(tmp_path: Path, make: Make) -> None:
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    assert f"it is kept as {FILE}.damaged" in words(make())


def test_scale_and_colours_change_without_touching_the_game(driven: Driven) -> None:
    driven.click(MIDST)
    board = driven.board
    choose(driven, "View", "250 %")
    choose(driven, "View", "Dark")
    assert driven.board == board
    assert driven.window._view.places.cell == 40
    assert driven.cell_pixels(MIDST).shape == (40, 40, 3)
    ground = list(bytes.fromhex(DARK.opened[1:]))[::-1]
    assert (driven.cell_pixels(MIDST) == ground).all(axis=2).mean() > 0.4


def test_words_that_are_long_get_more_lines(driven: Driven) -> None:
    before = driven.window.height()
    driven.window.say("The 1 at row 2, column 3 has its mine already. " * 4)
    label = driven.window._body._words
    assert label.height() >= label.heightForWidth(label.width())
    wait_until(lambda: driven.window.height() > before)
    driven.window.say("")
    wait_until(lambda: driven.window.height() == before)


def test_a_board_larger_than_the_screen_can_be_scrolled(make: Make) -> None:
    driven = make(level=Level(100, 100, 1000), scale=2.0)
    area = driven.window._body._area
    room = driven.window.screen().availableSize()
    assert area.width() <= room.width()
    assert area.height() <= room.height()
    assert area.verticalScrollBar().maximum() > 0
    assert driven.window._view.places.digits == 4


# Boards that need no guess


def wait_until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 400  # the solver may have to be compiled
    while not what():
        assert time.monotonic() < deadline
        settle()
        time.sleep(0.01)


def test_a_board_without_guesses_is_laid_after_the_first_click(make: Make) -> None:
    driven = make(rule="no-guess")
    driven.click(MIDST)
    assert words(driven).startswith("Looking for a board")
    wait_until(lambda: driven.window.game.progress is Progress.RUNNING)
    assert driven.board[MIDST] == 0
    assert words(driven) == ""


@pytest.mark.parametrize("mines", [10, 65])
def test_another_game_ends_a_search(make: Make, mines: int) -> None:
    """With so many mines on so few cells a search would take very long."""
    driven = make(rule="no-guess", level=Level(9, 9, mines))
    driven.click(MIDST)
    driven.window.new()
    seen: list[object] = []
    driven.window.work(lambda: "done", seen.append)  # comes after the search
    wait_until(lambda: bool(seen))
    assert driven.window.game.progress is Progress.READY
    assert driven.board.count(State.COVERED) == 81
    assert words(driven) == ""


def test_where_there_is_no_such_board_that_is_said(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NoGuessError("there is no such board")

    monkeypatch.setattr("bot.game.noguess.no_guess_mines", fail)
    driven = make(rule="no-guess")
    driven.click(MIDST)
    wait_until(lambda: driven.window.game.waiting is None)
    assert words(driven) == "there is no such board"
    assert driven.board.count(State.COVERED) == 81


# Hints and autoplay, handed in


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


# As a program


def test_an_error_in_a_callback_ends_the_window_and_is_raised(driven: Driven) -> None:
    seen: list[object] = []

    def fail() -> None:
        seen.append(1 // len(seen))

    QTimer.singleShot(0, driven.window, fail)
    with pytest.raises(ZeroDivisionError), _ended_by_errors(QApplication.quit):
        QApplication.exec()


def test_qt_is_loaded_for_this_command_only() -> None:
    program = "import bot.cli.commands, sys; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=100).returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
def test_without_a_screen_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(sys, "argv", ["minebot", "game"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    err = capsys.readouterr().err
    assert err.startswith("minebot: there is no display")
    assert err.count("\n") == 1


def start_program(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "game", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "default.warning=false"},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    ("number", "code", "err"), [("SIGINT", 4, "minebot: stopped: Ctrl+C was pressed\n"), ("SIGTERM", 143, "")]
)
def test_signals_end_it_quietly(number: str, code: int, err: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{", encoding="utf-8")  # put aside when the window is there
    program = start_program("--times", str(tmp_path), "--rule", "no-guess")
    wait_until(lambda: not (tmp_path / FILE).exists())
    time.sleep(0.5)
    program.send_signal(getattr(signal, number))
    assert program.communicate(timeout=60) == ("", err)
    assert program.returncode == code


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--level", "huge"), "'huge' is no level: give beginner, intermediate, expert or ROWSxCOLS/MINES"),
        (("--level", "5x5/4"), "give 1 to 100 rows and 8 to 100 columns"),
        (("--rule", "kind"), "--rule kind: choose one of safe, winmine, opening, any, no-guess"),
        (("--scale", "0"), "--scale 0: give 0.5 to 8"),
        (("--scale", "nan"), "--scale nan: give 0.5 to 8"),
        (("--seed", "-1"), "--seed -1: give a number from 0 on"),
    ],
)
def test_wrong_arguments_are_said_in_one_line(
    arguments: tuple[str, ...],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["minebot", "game", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("minebot: ")
    assert words in err
    assert err.count("\n") == 1
