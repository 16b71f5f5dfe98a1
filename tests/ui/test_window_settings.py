"""What is chosen in the built-in window is there again the next time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "PySide6.QtWidgets", reason="install PySide6-Essentials and its libraries", exc_type=ImportError
)

from bot.errors import SettingsError
from bot.game.best_times import FILE as TIMES
from bot.levels import BEGINNER, EXPERT, Level
from bot.ui.game.options import Choices, Options
from bot.ui.game.settings import FILE, KeptChoices
from conftest import Run
from drawn_game import Driven, Start, choose, dialog, fill_in, press_button, words

ALL = Choices(Level(20, 24, 99), "no-guess", 1.5, True, False)


def test_choices_are_kept_and_the_others_stay(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert KeptChoices(folder).load() == Choices()
    one, other = KeptChoices(folder), KeptChoices(folder)
    one.keep(ALL)
    other.keep(Choices(level=EXPERT, dark=False))
    assert one.load() == Choices(EXPERT, "no-guess", 1.5, False, False)
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_what_is_chosen_goes_over_what_was() -> None:
    assert ALL.over(Choices(EXPERT, dark=False)) == ALL
    assert Choices(EXPERT, dark=False).over(ALL) == Choices(EXPERT, "no-guess", 1.5, False, False)
    assert Options(BEGINNER).chosen(Choices()) == Options(BEGINNER)
    assert Options(BEGINNER).chosen(ALL) == Options(Level(20, 24, 99), "no-guess", 1.5, True, False)


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ({"version": 2}, "no file of version 1"),
        ({"version": 1, "level": "9x9"}, "'9x9' is no level"),
        ({"version": 1, "level": 9}, "'9' is no level"),
        ({"version": 1, "level": "9x4/3"}, "9 x 4 cannot be shown"),
        ({"version": 1, "rule": "kind"}, "'kind' is no rule"),
        ({"version": 1, "rule": ["safe"]}, "is no rule"),
        ({"version": 1, "scale": 99}, "99 is no scale"),
        ({"version": 1, "scale": True}, "True is no scale"),
        ({"version": 1, "scale": float("nan")}, "nan is no scale"),
        ({"version": 1, "scale": 10**400}, "is no scale"),
        ({"version": 1, "dark": "yes"}, "dark is 'yes'"),
        ({"version": 1, "question_marks": 1}, "question_marks is 1"),
    ],
)
def test_a_damaged_file_is_put_aside(tmp_path: Path, content: dict[str, Any], wrong: str) -> None:
    text = json.dumps(content)
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    kept = KeptChoices(tmp_path)
    with pytest.raises(SettingsError) as said:
        kept.load()
    assert wrong in str(said.value)
    assert "kept as settings.damaged.json, and the settings begin anew" in str(said.value)
    assert (tmp_path / "settings.damaged.json").read_text(encoding="utf-8") == text
    kept.keep(Choices(dark=True))
    assert kept.load() == Choices(dark=True)


def test_every_choice_in_the_menus_is_kept(make: Start) -> None:
    driven = make()
    assert not (driven.folder / FILE).exists()
    choose(driven, "Game", "Custom")
    fill_in(dialog("Custom Field"), "20", "24", "99")
    press_button(dialog("Custom Field"), "OK")
    assert driven.kept.load() == Choices(level=Level(20, 24, 99))
    choose(driven, "Game", "First Click", "Safe with all its neighbours, and no guess")
    choose(driven, "View", "150 %")
    choose(driven, "View", "Dark")
    choose(driven, "Game", "Marks")
    assert driven.kept.load() == ALL
    choose(driven, "Game", "Expert")
    choose(driven, "View", "Dark")
    assert driven.kept.load() == Choices(EXPERT, "no-guess", 1.5, False, False)


def test_a_choice_that_cannot_be_kept_is_said_and_holds(make: Start, tmp_path: Path) -> None:
    driven = make()
    (tmp_path / FILE).mkdir()
    choose(driven, "Game", "Expert")
    assert driven.window.game.level == EXPERT
    assert "the settings cannot be kept" in words(driven)


def test_the_window_opens_with_what_there_is_to_say(tmp_path: Path, make: Start) -> None:
    assert words(make()) == ""
    (tmp_path / TIMES).write_text("{", encoding="utf-8")
    driven = Driven(tmp_path, words="The settings begin anew.")
    assert words(driven).startswith("The settings begin anew. ")
    assert "best-times.damaged.json" in words(driven)
    driven.window.close()


@pytest.fixture
def opened(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a function that runs ``minebot game``; it returns the options and words of the window."""
    opened: list[tuple[Options, str]] = []
    monkeypatch.setattr("bot.cli.game.check_display", lambda: None)
    monkeypatch.setattr("bot.cli.folders.user_data_path", lambda *_, **__: tmp_path / "data")
    monkeypatch.setattr(
        "bot.ui.application.run_window", lambda options, world: opened.append((options(1.25), world.words))
    )

    def command(*arguments: object) -> tuple[Options, str]:
        assert run("game", *arguments) == (0, "", "")
        return opened[-1]

    return command


def test_options_of_the_command_line_win_for_this_time(opened: Any, tmp_path: Path) -> None:
    assert opened() == (Options(BEGINNER, scale=1.25), "")
    KeptChoices(tmp_path / "data").keep(ALL)
    last = Options(Level(20, 24, 99), "no-guess", 1.5, dark=True, question_marks=False)
    assert opened() == (last, "")
    asked = ("--level", "expert", "--rule", "any", "--scale", 3, "--light", "--question-marks")
    assert opened(*asked) == (Options(EXPERT, "any", 3.0), "")
    assert opened("--no-question-marks", "--dark", "--level", "beginner")[0].level == BEGINNER
    assert opened() == (last, "")


def test_a_folder_of_ones_own_keeps_the_settings_too(opened: Any, tmp_path: Path) -> None:
    KeptChoices(tmp_path / "data").keep(ALL)
    own = tmp_path / "own"
    assert opened("--times", own) == (Options(BEGINNER, scale=1.25), "")
    KeptChoices(own).keep(Choices(dark=True))
    assert opened("--times", own)[0].dark
    assert not opened("--times", own, "--light")[0].dark


def test_damaged_settings_are_said_in_the_window(opened: Any, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff")
    options, said = opened("--times", tmp_path)
    assert options == Options(BEGINNER, scale=1.25)
    assert "it is kept as settings.damaged.json" in said
