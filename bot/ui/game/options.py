"""How the window begins: its options, what was chosen of them last, and what it takes from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from bot.errors import SettingsError, UsageError
from bot.files import StateFile
from bot.game.best_times import BestTimes
from bot.game.round import RULES, Clock
from bot.levels import Level, parse_level

FILE = "settings.json"
SMALLEST, LARGEST = (1, 8), (100, 100)  # rows and columns; the panel has no room in fewer columns
SMALLEST_SCALE, LARGEST_SCALE = 0.5, 8.0


def can_be_drawn(scale: float) -> bool:
    """Return whether the game can be drawn so large."""
    return SMALLEST_SCALE <= scale <= LARGEST_SCALE


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen of the `Options`; None where nothing was."""

    level: Level | None = None
    rule: str | None = None
    scale: float | None = None
    dark: bool | None = None
    question_marks: bool | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What is not None, by its name."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in values if value is not None}

    def over(self, others: Choices) -> Choices:
        """Return these, and of the ``others`` what was not chosen here."""
        return replace(others, **self.given)


@dataclass(frozen=True, slots=True)
class Options:
    """How the window begins; the menus change it. ``rule`` is one of the names in `round.RULES`."""

    level: Level
    rule: str = "safe"
    scale: float = 1.0
    dark: bool = False
    question_marks: bool = True

    def chosen(self, choices: Choices) -> Options:
        """Return the options with what was chosen in its place."""
        return replace(self, **choices.given)


@dataclass(frozen=True, slots=True)
class World:
    """What the window takes from outside: time, chance and the disk.

    ``words`` are what there is to say when it opens.
    """

    clock: Clock
    next_seed: Callable[[], int]
    times: BestTimes
    keep: Callable[[Choices], None]
    words: str = ""


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
    level, rule, scale = (content.get(name) for name in ("level", "rule", "scale"))
    if rule is not None and not (isinstance(rule, str) and rule in RULES):
        raise ValueError(f"{rule!r} is no rule")
    number = isinstance(scale, int | float) and not isinstance(scale, bool)
    if scale is not None and not (number and can_be_drawn(scale)):
        raise ValueError(f"{scale!r} is no scale")
    dark, question_marks = content.get("dark"), content.get("question_marks")
    for name, value in (("dark", dark), ("question_marks", question_marks)):
        if value is not None and not isinstance(value, bool):
            raise ValueError(f"{name} is {value!r}, neither true nor false")
    try:
        known = None if level is None else parse_level(str(level), SMALLEST, LARGEST)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return Choices(known, rule, scale, dark, question_marks)
