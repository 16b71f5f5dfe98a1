"""The menus and dialogs of our own window, without a screen; what is chosen there is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QSpinBox

from bot.errors import SettingsError
from bot.game.round import Aid
from bot.levels import BEGINNER, EXPERT, LEVELS, Level
from bot.ui.game.drawing import DARK, Layout
from bot.ui.game.saved import SETTINGS, TIMES, Options, SavedOptions
from bot.ui.game.window import first_scale
from conftest import Run
from drawn_game import (
    MIDST,
    Driven,
    Start,
    choose,
    dialog,
    entry,
    fill_in,
    press_button,
    settle,
    strip,
    wait_until,
    words,
)

ALL = Options(level="20x24/99", rule="no-guess", scale=1.5, dark=True, question_marks=False, warn=True)


def game_menu(driven: Driven) -> list[tuple[str, bool]]:
    """Return the entries of the menu Game, and which are ticked."""
    menu = entry(driven, "Game").menu()
    assert isinstance(menu, QMenu)
    return [(a.text().replace("&", ""), a.isChecked()) for a in menu.actions() if not a.isSeparator()]


def ticked(driven: Driven) -> list[str]:
    return [text for text, tick in game_menu(driven)[:5] if tick]


def shown(title: str) -> list[str]:
    return [label.text() for label in dialog(title).findChildren(QLabel)]


def test_levels_are_chosen_from_the_menu(driven: Driven) -> None:
    """They stand where the real game has them, below New: a bot counts the lines."""
    names = [name.capitalize() for name in LEVELS]
    assert [text for text, _ in game_menu(driven)[:5]] == ["New", *names, "Custom..."]
    for name, level in zip(names, LEVELS.values(), strict=True):
        choose(driven, "Game", name)
        assert driven.window.game.level == level
        assert ticked(driven) == [name]
        assert driven.window._view.size().toTuple() == Layout(level.rows, level.cols).size


def test_a_custom_size(driven: Driven) -> None:
    choose(driven, "Game", "Custom")
    rows = dialog("Custom Field").findChildren(QSpinBox)[0]
    assert (dialog("Custom Field").focusWidget(), rows.lineEdit().selectedText()) == (rows, "9")  # of keys
    fill_in(dialog("Custom Field"), "8", "10", "12")
    press_button(dialog("Custom Field"), "OK")
    assert driven.window.game.level == Level(8, 10, 12)
    assert ticked(driven) == ["Custom..."]
    driven.click(MIDST)
    assert driven.board.shape == (8, 10)


@pytest.mark.parametrize(
    ("texts", "level"),
    [
        (("9", "12", ""), Level(9, 12, 10)),  # what cannot be is replaced by what was there
        (("9", "7", "5"), Level(9, 9, 5)),
        (("16", "16", "40"), Level(16, 16, 40)),
    ],
)
def test_only_a_size_that_can_be_is_typed(driven: Driven, texts: tuple[str, ...], level: Level) -> None:
    choose(driven, "Game", "Custom")
    asked = dialog("Custom Field")
    for text in texts:
        QTest.keyClick(asked.focusWidget(), Qt.Key.Key_Backspace)  # all of it is selected
        QTest.keyClicks(asked.focusWidget(), text)
        last = text is texts[-1]
        QTest.keyClick(asked.focusWidget(), Qt.Key.Key_Return if last else Qt.Key.Key_Tab)
    settle()
    assert driven.window.game.level == level


def test_too_many_mines_are_refused(driven: Driven) -> None:
    choose(driven, "Game", "Custom")
    asked = dialog("Custom Field")
    fill_in(asked, "9", "9", "81")
    press_button(asked, "OK")
    assert "9 x 9 cells cannot hold 81 mines: give 1 to 80" in " ".join(shown("Custom Field"))
    press_button(asked, "Cancel")
    assert driven.window.game.level == BEGINNER


def test_the_first_window_is_one_of_the_sizes_in_the_menu() -> None:
    assert [first_scale(text) for text in (1.0, 1.25, 1.5, 2.0, 3.0)] == [1.5, 2.0, 2.5, 3.0, 4.0]


def test_the_title_fits_above_a_beginner_board(make: Start) -> None:
    window = make(scale=first_scale(1.0)).window
    font = QFont(window.font())
    font.setPixelSize(12)  # as in Windows at 100 %
    buttons, icon = 3 * 46, 24
    title = QFontMetrics(font).horizontalAdvance(window.windowTitle())
    assert buttons + icon + title <= window.width()


def test_scale_and_colours_change_without_touching_the_game(driven: Driven) -> None:
    driven.click(MIDST)
    board = driven.board
    choose(driven, "View", "250 %")
    choose(driven, "View", "Dark")
    assert driven.board == board
    assert driven.cell_pixels(MIDST).shape == (40, 40, 3)
    ground = list(bytes.fromhex(DARK.opened[1:]))[::-1]
    assert (driven.cell_pixels(MIDST) == ground).all(axis=2).mean() > 0.4


def test_words_that_are_long_get_more_lines(driven: Driven) -> None:
    before = driven.window.height()
    driven.window.say("The 1 at row 2, column 3 has its mine already. " * 4)
    label = driven.window._words
    assert label.height() >= label.heightForWidth(label.width())
    wait_until(lambda: driven.window.height() > before)
    driven.window.say("")
    wait_until(lambda: driven.window.height() == before)


def test_the_strip_below_the_board_is_never_empty(driven: Driven) -> None:
    keys = "F1: how to play, F2: new game, F3: hint."
    assert strip(driven) == f"Beginner. {keys}"
    height = driven.window.height()
    driven.now = 0.0
    driven.click(MIDST)
    driven.now += 7.5
    driven.win()
    assert strip(driven).startswith("Won in 7.500 s, the best time. ")
    settle()
    assert driven.window.height() == height  # a window that grows at the end would look like another one
    driven.window.new()
    assert strip(driven) == f"Beginner, best time 7.500 s. {keys}"
    choose(driven, "Game", "First Click", "Safe with all its neighbours, and no guess")
    assert strip(driven) == f"Beginner. {keys}"  # such boards have best times of their own
    choose(driven, "Game", "Expert")
    assert strip(driven) == f"Expert. {keys}"


# Best times


def test_a_record_is_said_and_kept(driven: Driven, tmp_path: Path) -> None:
    driven.click(MIDST)
    driven.now += 12.25
    driven.win()
    assert words(driven).startswith("Won in 12.250 s, the best time. 3BV ")
    kept = json.loads((tmp_path / TIMES).read_text(encoding="utf-8"))["times"]
    assert [(category, best["seconds"]) for category, best in kept.items()] == [("beginner", 12.25)]
    choose(driven, "Game", "Best Times")
    assert shown("Best Times")[1] == "12.250 s"
    press_button(dialog("Best Times"), "Close")
    driven.window.new()
    driven.click(MIDST)
    driven.now += 30
    driven.win()
    assert words(driven).startswith("Won in 30.000 s. 3BV ")


@pytest.mark.parametrize(
    ("level", "aid"), [(BEGINNER, Aid.SOLVER), (Level(9, 9, 9), Aid.NONE)], ids=["help", "custom"]
)
def test_neither_help_nor_a_custom_size_makes_a_record(make: Start, level: Level, aid: Aid) -> None:
    driven = make(level=str(level))
    driven.window.game.aid = aid
    driven.win()
    assert words(driven).startswith("Won in")
    assert "best" not in words(driven)
    assert ("with help" in words(driven)) is (aid is Aid.SOLVER)
    assert not driven.times.times


def test_no_best_time_while_a_bot_plays(driven: Driven) -> None:
    driven.bot = True
    driven.click(MIDST)
    driven.bot = False  # it leaves the rest to the player
    driven.win()
    assert words(driven).startswith("Won in 0.000 s, played by minebot. 3BV ")
    assert not driven.times.times
    driven.window.new()
    driven.win()
    assert "the best time" in words(driven)


def test_best_times_are_reset_only_if_that_is_wanted(driven: Driven) -> None:
    driven.times.enter("beginner", 5.0, "2026-11-20")
    choose(driven, "Game", "Best Times")
    press_button(dialog("Best Times"), "Reset")
    press_button(dialog("Reset Best Times"), "Keep them")
    assert "beginner" in driven.times.times
    press_button(dialog("Best Times"), "Reset")
    press_button(dialog("Reset Best Times"), "Forget them")
    assert not driven.times.times
    assert shown("Best Times")[:2] == ["Beginner", "none yet"]
    assert "best time" not in strip(driven)


# What is kept


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ({"version": 2}, "Invalid enum value 2 - at `$.version`"),
        ({"version": 1, "level": "9x9"}, "'9x9' is not a level"),
        ({"version": 1, "rule": "fair"}, "'fair' is not a rule"),
        ({"version": 1, "scale": True}, "got `bool` - at `$.scale`"),
        ({"version": 1, "scale": float("nan")}, "JSON is malformed"),
        ({"version": 1, "scale": 9}, "Expected `float` <= 8.0 - at `$.scale`"),
        ({"version": 1, "dark": "yes"}, "got `str` - at `$.dark`"),
    ],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: dict[str, Any], wrong: str) -> None:
    (tmp_path / SETTINGS).write_text(json.dumps(content), encoding="utf-8")
    kept = SavedOptions(tmp_path)
    with pytest.raises(SettingsError) as said:
        kept.load()
    assert wrong in str(said.value)
    assert "renamed to settings.damaged.json, and the settings are reset" in str(said.value)
    kept.keep(dark=True)
    assert kept.load() == Options(dark=True)


def test_every_choice_in_the_menus_is_kept(driven: Driven) -> None:
    assert not (driven.folder / SETTINGS).exists()
    choose(driven, "Game", "Custom")
    fill_in(dialog("Custom Field"), "20", "24", "99")
    press_button(dialog("Custom Field"), "OK")
    assert driven.kept.load() == Options(level="20x24/99")
    choose(driven, "Game", "First Click", "Safe with all its neighbours, and no guess")
    choose(driven, "View", "150 %")
    choose(driven, "View", "Dark")
    choose(driven, "Game", "Marks")
    choose(driven, "Hint", "Warn")
    assert driven.kept.load() == ALL
    choose(driven, "Game", "Expert")
    choose(driven, "View", "Dark")
    assert driven.kept.load() == ALL.changed(level="expert", dark=False)


def test_a_choice_that_cannot_be_kept_is_said_and_holds(driven: Driven, tmp_path: Path) -> None:
    (tmp_path / SETTINGS).mkdir()
    choose(driven, "Game", "Expert")
    assert driven.window.game.level == EXPERT
    assert "the settings cannot be saved" in words(driven)


def test_the_window_opens_with_what_there_is_to_say(tmp_path: Path, make: Start) -> None:
    assert words(make()) == ""
    (tmp_path / TIMES).write_text("{", encoding="utf-8")
    driven = Driven(tmp_path, words="The settings are reset.")
    assert words(driven).startswith("The settings are reset. ")
    assert "it was renamed to best-times.damaged.json" in words(driven)
    driven.window.close()


@pytest.fixture
def opened(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a function that runs ``minebot game``; it returns the options and words of the window."""
    opened: list[tuple[Options, str]] = []
    monkeypatch.setattr("bot.cli.windows.check_display", lambda: None)
    monkeypatch.setattr("bot.cli.files.user_data_path", lambda *_, **__: tmp_path / "data")
    monkeypatch.setattr(
        "bot.ui.game.window.MinesweeperWindow", lambda options, world: opened.append((options, world.words))
    )
    monkeypatch.setattr("bot.ui.application.run_application", lambda _name, make: make(1.25))

    def command(*arguments: object) -> tuple[Options, str]:
        assert run("game", *arguments) == (0, "", "")
        return opened[-1]

    return command


def test_options_of_the_command_line_win_for_this_time(opened: Any, tmp_path: Path) -> None:
    assert opened() == (Options(scale=2.0), "")
    SavedOptions(tmp_path / "data").write(ALL)
    assert opened() == (ALL, "")
    asked = ("--level", "expert", "--rule", "any", "--scale", 3, "--light", "--question-marks")
    assert opened(*asked) == (Options("expert", "any", 3.0, warn=True), "")
    assert opened("--no-question-marks", "--dark", "--level", "beginner")[0].level == "beginner"
    assert opened() == (ALL, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--level", "huge"), "'huge' is not a level: use beginner, intermediate, expert or ROWSxCOLS/MINES"),
        (("--rule", "kind"), "--rule kind: choose one of safe, winmine, opening, any, no-guess"),
        (("--scale", "0"), "--scale 0: give 0.5 to 8"),
        (("--seed", "-1"), "-1 is not in the range x>=0"),
    ],
)
def test_wrong_arguments_are_said_in_one_line(arguments: tuple[str, ...], words: str, run: Run) -> None:
    code, _, err = run("game", *arguments)
    assert (code, err.startswith("minebot: "), err.count("\n")) == (2, True, 1)
    assert words in err
