"""The settings of the game window: its options, the saved choices, and its clock, seeds and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, cast

from bot.errors import SettingsError, UsageError
from bot.files import StateFile
from bot.game.best_times import BestTimes
from bot.game.round import RULES, Clock
from bot.levels import Level, parse_level

FILE = "settings.json"
SMALLEST, LARGEST = (1, 8), (100, 100)  # rows and columns; counters and face need at least 8 columns
SMALLEST_SCALE, LARGEST_SCALE = 0.5, 8.0


def can_be_drawn(scale: float) -> bool:
    """Return whether the game can be drawn at ``scale``."""
    return SMALLEST_SCALE <= scale <= LARGEST_SCALE


class Choices(TypedDict, total=False):
    """The `Options` that the player has chosen; keys of other options are missing."""

    level: Level
    rule: str
    scale: float
    dark: bool
    question_marks: bool


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the window, which the menus change. ``rule`` is one of the names in `round.RULES`."""

    level: Level
    rule: str = "safe"
    scale: float = 1.0
    dark: bool = False
    question_marks: bool = True


@dataclass(frozen=True, slots=True)
class World:
    """The window's connections to the outside: clock, seeds, best times, and a function that saves choices.

    ``words`` is a message to show when the window opens.
    """

    clock: Clock
    next_seed: Callable[[], int]
    times: BestTimes
    keep: Callable[[Choices], None]
    words: str = ""


class SavedChoices:
    """The saved choices of a player, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._file = StateFile(folder / FILE, "the settings", SettingsError)

    def load(self) -> Choices:
        """Return the saved choices, {} without a file. Raises SettingsError if the file cannot be read."""
        return self._file.read(_parsed) or Choices()

    def keep(self, choices: Choices) -> None:
        """Save ``choices``, and leave all others as they were. Raises SettingsError if writing fails."""
        kept = Choices()
        with suppress(SettingsError):  # the new choices are saved even if the old ones are damaged
            kept = self.load()
        every = {**kept, **choices}
        self._file.write({name: str(value) if name == "level" else value for name, value in every.items()})


def _parsed(content: Mapping[str, Any]) -> Choices:
    """Return the choices in ``content`` of a file. Raises ValueError with the reason if one is invalid."""
    given = {name: content[name] for name in Choices.__annotations__ if content.get(name) is not None}
    rule, scale = given.get("rule", "safe"), given.get("scale", 1.0)
    if not (isinstance(rule, str) and rule in RULES):
        raise ValueError(f"{rule!r} is not a rule")
    if isinstance(scale, bool) or not (isinstance(scale, int | float) and can_be_drawn(scale)):
        raise ValueError(f"{scale!r} is not a valid scale")
    for name in ("dark", "question_marks"):
        if not isinstance(given.get(name, False), bool):
            raise ValueError(f"{name} is {given[name]!r}, not true or false")
    try:
        if "level" in given:
            given["level"] = parse_level(str(given["level"]), SMALLEST, LARGEST)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return cast(Choices, given)
