"""The menus and dialogs of the built-in window, without a screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from bot.game.best_times import FILE
from bot.game.round import Progress
from bot.levels import LEVELS, Level
from bot.ui.game.dialogs import CustomDialog
from bot.ui.game.layout import Layout
from bot.ui.game.theme import DARK
from drawn_game import (
    BEGINNER,
    MIDST,
    Driven,
    Start,
    choose,
    dialog,
    entry,
    fill_in,
    press_button,
    settle,
    wait_until,
    words,
)


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


def test_the_first_number_of_a_custom_size_takes_the_keys_from_the_start(driven: Driven) -> None:
    asked = CustomDialog(driven.window, Level(8, 10, 12), lambda _level: None)
    rows = asked.findChildren(QLineEdit)[0]
    assert asked.focusWidget() is rows
    assert rows.selectedText() == "8"


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


def test_a_board_larger_than_the_screen_can_be_scrolled(make: Start) -> None:
    driven = make(level=Level(100, 100, 1000), scale=2.0)
    area = driven.window._body._area
    room = driven.window.screen().availableSize()
    assert area.width() <= room.width()
    assert area.height() <= room.height()
    assert area.verticalScrollBar().maximum() > 0
    assert driven.window._view.places.digits == 4


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


def test_a_custom_size_makes_no_record(make: Start) -> None:
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


def test_damaged_best_times_are_said_below_the_board(tmp_path: Path, make: Start) -> None:
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    assert "it is kept as best-times.damaged.json" in words(make())
