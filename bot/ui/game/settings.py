"""What was chosen in the window last, kept until the next time."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.errors import SettingsError, UsageError
from bot.files import StateFile
from bot.game.round import RULES
from bot.levels import Level, parse_level
from bot.ui.game.layout import LARGEST, SMALLEST, can_be_drawn
from bot.ui.game.options import Choices

FILE = "settings.json"


class KeptChoices:
    """The choices of a player in a folder; a new one is kept on disk at once."""

    def __init__(self, folder: Path) -> None:
        self._file = StateFile(folder / FILE, "the settings", SettingsError)

    def load(self) -> Choices:
        """Return what was kept. Raises SettingsError if that is damaged or cannot be read."""
        return self._file.read(_parsed) or Choices()

    def keep(self, choices: Choices) -> None:
        """Keep these choices, and all others as they were. Raises SettingsError if they cannot be written."""
        kept = Choices()
        with suppress(SettingsError):  # what is chosen now is kept all the same
            kept = self.load()
        given = choices.over(kept).given
        level = {"level": str(given["level"])} if "level" in given else {}
        self._file.write({**given, **level})


def _parsed(content: Mapping[str, Any]) -> Choices:
    """Return the choices in a file. Raises ValueError that says what is wrong with it."""
    rule, scale = content.get("rule"), content.get("scale")
    if rule is not None and not (isinstance(rule, str) and rule in RULES):
        raise ValueError(f"{rule!r} is no rule")
    number = isinstance(scale, int | float) and not isinstance(scale, bool)
    if scale is not None and not (number and can_be_drawn(scale)):
        raise ValueError(f"{scale!r} is no scale")
    dark, question_marks = (_switch(content, name) for name in ("dark", "question_marks"))
    return Choices(_level(content.get("level")), rule, scale, dark, question_marks)


def _level(text: object) -> Level | None:
    if text is None:
        return None
    try:
        return parse_level(str(text), SMALLEST, LARGEST)
    except UsageError as error:
        raise ValueError(str(error)) from error


def _switch(content: Mapping[str, Any], name: str) -> bool | None:
    value = content.get(name)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, neither true nor false")
    return value
