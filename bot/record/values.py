"""Values of JSON, as what they are to be.

A line of a record can be in order as JSON, and yet say what no program of ours has written: it was changed by
hand, or by a fault of the disk. Each function here returns its value if it is of that kind and of a size that
makes sense, and raises ValueError if not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePath
from typing import Any, TypeVar

T = TypeVar("T")
Values = Mapping[str, Any]

FAR = 1e9  # nothing in a record is as large: no time in seconds, no place in pixels, no count
_ROUNDING = 1e-6  # by which a sum of chances may be more than 1


def number(value: Any, least: float = -FAR, most: float = FAR) -> float:
    """Return a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r:.40} is no number")
    if not (least <= value <= most and math.isfinite(value)):
        raise ValueError(f"{value!r:.40} is not between {least:g} and {most:g}")
    return float(value)


def whole(value: Any, least: float = -FAR, most: float = FAR) -> int:
    """Return a whole number."""
    if not isinstance(value, int):
        raise ValueError(f"{value!r:.40} is no whole number")
    return int(number(value, least, most))


def chance(value: Any) -> float:
    """Return a number from 0 to 1."""
    return number(value, 0, 1 + _ROUNDING)


def truth(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is neither true nor false")
    return value


def text(value: Any) -> str:
    """Return a text that can be written anywhere: without the character 0, or half a character."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{value!r:.40} is no text")
    value.encode()
    return value


def one_of(value: Any, known: Collection[str]) -> str:
    """Return a text that is known."""
    name = text(value)
    if name not in known:
        raise ValueError(f"{name!r:.40} is none of {', '.join(known)}")
    return name


def file_name(value: Any) -> str:
    """Return the name of a file, which leads to no other folder."""
    name = text(value)
    if not name or PurePath(name).name != name:
        raise ValueError(f"{name!r:.40} is no name of a file")
    return name


def maybe(of: Callable[[Any], T], value: Any) -> T | None:
    """Return what ``of`` returns; None stays None."""
    return None if value is None else of(value)
