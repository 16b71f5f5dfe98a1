"""What the game window saves, the player's choices and best times, and what it takes from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from bot.errors import SettingsError, UsageError
from bot.files import StateFile
from bot.game.round import RULES, Clock
from bot.levels import parse_level

SETTINGS, TIMES = "settings.json", "best-times.json"
SMALLEST, LARGEST = (1, 8), (100, 100)  # rows and columns; counters and face need at least 8 columns
SMALLEST_SCALE, LARGEST_SCALE = 0.5, 8.0


class Options(Struct, omit_defaults=True, frozen=True):
    """The options of the window, which the menus change; they are saved where they are not the first ones.

    ``rule`` is one of the names in `round.RULES`; a ``scale`` of 0 is that of the screen. With ``warn``, a
    click that is not safe is refused once.
    """

    level: str = "beginner"
    rule: str = "safe"
    scale: Annotated[float, Meta(ge=SMALLEST_SCALE, le=LARGEST_SCALE)] = 0.0
    dark: bool = False
    question_marks: bool = True
    warn: bool = False

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"{self.rule!r} is not a rule")
        try:
            parse_level(self.level, SMALLEST, LARGEST)
        except UsageError as error:
            raise ValueError(str(error)) from error

    def changed(self, **choices: Any) -> Options:
        """Return a copy with ``choices``; those that are None leave an option as it is."""
        return structs.replace(self, **{name: it for name, it in choices.items() if it is not None})


@dataclass(frozen=True, slots=True)
class BestTime:
    """A best time in seconds, and its day as YYYY-MM-DD."""

    seconds: Annotated[float, Meta(ge=0)]
    day: str


class _SavedTimes(Struct):
    times: dict[str, BestTime]


class BestTimes:
    """The best time of each category, such as ``beginner``; each change is saved at once."""

    def __init__(self, folder: Path) -> None:
        self._file = StateFile(folder / TIMES, _SavedTimes, "the best times")
        self.times: Mapping[str, BestTime] = {}  # of each category that has one

    def load(self) -> None:
        """Read the file, if there is one.

        Raises SettingsError if it cannot be read, or is damaged; a damaged file is first moved aside.
        """
        saved = self._file.read()
        self.times = {} if saved is None else saved.times

    def is_record(self, category: str, seconds: float) -> bool:
        """Return whether ``seconds`` is less than the best time of ``category``, or it has none yet."""
        return category not in self.times or seconds < self.times[category].seconds

    def enter(self, category: str, seconds: float, day: str) -> None:
        """Save a new best time, unless the file has a better one by now, saved by another window.

        Raises SettingsError if the file cannot be written.
        """
        with suppress(SettingsError):  # if the file cannot be read, save the times in memory
            self.load()
        if self.is_record(category, seconds):
            self._save({**self.times, category: BestTime(seconds, day)})

    def reset(self) -> None:
        """Delete all times. Raises SettingsError if the file cannot be written."""
        self._save({})

    def _save(self, times: dict[str, BestTime]) -> None:
        self.times = times
        self._file.write(_SavedTimes(times))


@dataclass(frozen=True, slots=True)
class World:
    """The window's connections to the outside: clock, seeds, best times, and `SavedOptions.keep`.

    ``words`` is a message to show when the window opens. ``bot_plays`` returns whether minebot clicks on this
    screen now: no window can see from a click who made it.
    """

    clock: Clock
    next_seed: Callable[[], int]
    times: BestTimes
    keep: Callable[..., None]
    words: str = ""
    bot_plays: Callable[[], bool] = lambda: False


class SavedOptions(StateFile[Options]):
    """The file with the options that a player has chosen, in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / SETTINGS, Options, "the settings")

    def load(self) -> Options:
        """Return the saved options, the first ones without a file. Raises what `read` raises."""
        return self.read() or Options()

    def keep(self, **choices: Any) -> None:
        """Save ``choices``, and leave all others as they were. Raises SettingsError if writing fails."""
        kept = Options()
        with suppress(SettingsError):  # the new choices are saved even if the old ones are damaged
            kept = self.load()
        self.write(kept.changed(**choices))
