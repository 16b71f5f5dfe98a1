"""The best time at each level, kept in a file that survives a crash and a damaged neighbour."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from bot.errors import BestTimesError
from bot.files import put_aside, replace_file

FILE = "best-times.json"
ANONYMOUS = "Anonymous"
_VERSION = 1
_LONGEST_NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class BestTime:
    """Who was how fast, and on which day, as YYYY-MM-DD."""

    seconds: float
    name: str
    day: str


class BestTimes:
    """The best times by the name of a category, as ``beginner``; a change is kept on disk at once."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._times: dict[str, BestTime] = {}
        self._writable = True  # not where that would destroy a damaged file

    @property
    def times(self) -> Mapping[str, BestTime]:
        """The best time of each category that has one."""
        return MappingProxyType(self._times)

    def load(self) -> None:
        """Read the file; none is an empty one.

        Raises BestTimesError if it is damaged, after it was put aside, so that nothing in it is lost; or if
        it cannot be read.
        """
        try:
            self._times = _parsed(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self._times = {}
        except OSError as error:
            raise BestTimesError(f"the best times cannot be read: {error}") from error
        except ValueError as error:
            raise BestTimesError(f"{self.path} is damaged ({error}): {self._put_aside()}") from error

    def is_record(self, category: str, seconds: float) -> bool:
        """Return whether nobody was as fast."""
        return category not in self._times or seconds < self._times[category].seconds

    def enter(self, category: str, seconds: float, name: str, day: str) -> None:
        """Keep a new best time, unless another window has kept a better one meanwhile.

        Raises BestTimesError if the file cannot be written.
        """
        with suppress(BestTimesError):  # what is known is kept all the same
            self.load()
        if self.is_record(category, seconds):
            self._times[category] = BestTime(seconds, _shown(name), day)
            self._save()

    def rename(self, category: str, name: str) -> None:
        """Give the best time of a category another name. Raises BestTimesError as `enter` does."""
        if category in self._times:
            self._times[category] = replace(self._times[category], name=_shown(name))
            self._save()

    def reset(self) -> None:
        """Forget all times. Raises BestTimesError if the file cannot be written."""
        self._times = {}
        self._save()

    def _put_aside(self) -> str:
        """Rename the damaged file; return what became of it, in words."""
        try:
            aside = put_aside(self.path)
        except OSError as error:
            self._writable = False
            return f"it stays, and no new times are kept: {error}"
        return f"it is kept as {aside.name}, and the best times begin anew"

    def _save(self) -> None:
        if not self._writable:
            raise BestTimesError(f"the best times cannot be kept: {self.path} is damaged, move it away")
        times = {
            category: {"seconds": best.seconds, "name": best.name, "day": best.day}
            for category, best in self._times.items()
        }
        text = json.dumps({"version": _VERSION, "times": times}, ensure_ascii=False, indent=1)
        try:
            replace_file(self.path, f"{text}\n".encode())
        except OSError as error:
            raise BestTimesError(f"the best times cannot be kept: {error}") from error


def _shown(name: str) -> str:
    return " ".join(name.split())[:_LONGEST_NAME] or ANONYMOUS


def _parsed(text: str) -> dict[str, BestTime]:
    """Return the times in a file. Raises ValueError that says what is wrong with it."""
    content = json.loads(text)
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise ValueError(f"it is no file of version {_VERSION}")
    times = content.get("times")
    if not isinstance(times, dict):
        raise ValueError("it has no times")
    return {str(category): _best_time(category, entry) for category, entry in times.items()}


def _best_time(category: str, entry: object) -> BestTime:
    match entry:
        case {"seconds": int() | float() as seconds, "name": str(name), "day": str(day)}:
            if not isinstance(seconds, bool) and math.isfinite(seconds) and seconds >= 0:
                return BestTime(float(seconds), name, day)
    raise ValueError(f"the time of {category!r} is none")
