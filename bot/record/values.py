"""The values of a record's lines, of which each has to be of its kind: a file may hold anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

FAR = 10_000_000_000  # no number in a record is as far from zero

T = TypeVar("T")


def whole(value: Any, least: int = -FAR, most: int = FAR) -> int:
    """Return a whole number between two others. Raises ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r:.40} is no whole number from {least} to {most}")
    return value


def number(value: Any, least: float = -FAR, most: float = FAR) -> float:
    """Return a finite number between two others. Raises ValueError for anything else."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError(f"{value!r:.40} is no number from {least:g} to {most:g}")
    return float(value)


def text(value: Any) -> str:
    """Return a text that can be written as UTF-8. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is no text")
    value.encode()  # half a character raises a ValueError, too
    return value


def truth(value: Any) -> bool:
    """Return a value that is true or false. Raises ValueError for anything else."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is neither true nor false")
    return value


def one_of(known: Iterable[str], value: Any) -> str:
    """Return a word that is one of the ``known``. Raises ValueError for anything else."""
    words = list(known)
    if value not in words:
        raise ValueError(f"{value!r:.40} is none of {', '.join(words)}")
    return str(value)


def maybe(read: Callable[[Any], T], value: Any) -> T | None:
    """Return what ``read`` makes of a value, or None as it is. Raises what ``read`` does."""
    return None if value is None else read(value)
