"""The best time of each level, kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from bot.errors import BestTimesError
from bot.files import StateFile

FILE = "best-times.json"
ANONYMOUS = "Anonymous"
_LONGEST_NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class BestTime:
    """A best time in seconds, the name of the player, and the day as YYYY-MM-DD."""

    seconds: Annotated[float, Meta(ge=0)]
    name: str
    day: str


class _Saved(Struct):
    times: dict[str, BestTime]


class BestTimes:
    """The best time of each category, such as ``beginner``; each change is saved at once."""

    def __init__(self, folder: Path) -> None:
        self._file = StateFile(folder / FILE, _Saved, "the best times", BestTimesError)
        self.times: Mapping[str, BestTime] = {}  # of each category that has one

    def load(self) -> None:
        """Read the file, if there is one.

        Raises BestTimesError if it cannot be read, or is damaged; a damaged file is first moved aside.
        """
        saved = self._file.read()
        self.times = {} if saved is None else saved.times

    def is_record(self, category: str, seconds: float) -> bool:
        """Return whether ``seconds`` is less than the best time of ``category``, or it has none yet."""
        return category not in self.times or seconds < self.times[category].seconds

    def enter(self, category: str, seconds: float, name: str, day: str) -> None:
        """Save a new best time, unless the file has a better one by now, saved by another window.

        Raises BestTimesError if the file cannot be written.
        """
        with suppress(BestTimesError):  # if the file cannot be read, save the times in memory
            self.load()
        if self.is_record(category, seconds):
            self._save({**self.times, category: BestTime(seconds, _shown(name), day)})

    def rename(self, category: str, name: str) -> None:
        """Change the player's name of a best time. Raises BestTimesError if the file cannot be written."""
        if category in self.times:
            renamed = replace(self.times[category], name=_shown(name))
            self._save({**self.times, category: renamed})

    def reset(self) -> None:
        """Delete all times. Raises BestTimesError if the file cannot be written."""
        self._save({})

    def _save(self, times: dict[str, BestTime]) -> None:
        self.times = times
        self._file.write(_Saved(times))


def _shown(name: str) -> str:
    return " ".join(name.split())[:_LONGEST_NAME] or ANONYMOUS
