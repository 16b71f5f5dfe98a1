"""Check the types of values in a record's lines: a damaged file may hold anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

FAR = 10_000_000_000  # the largest absolute value that a number in a record may have

T = TypeVar("T")


def whole(value: Any, least: int = -FAR, most: int = FAR) -> int:
    """Return ``value`` if it is an int from ``least`` to ``most``. Raises ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r:.40} is not a whole number from {least} to {most}")
    return value


def number(value: Any, least: float = -FAR, most: float = FAR) -> float:
    """Return ``value`` as a float if it is a number from ``least`` to ``most``, else raise ValueError."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError(f"{value!r:.40} is not a number from {least:g} to {most:g}")
    return float(value)


def text(value: Any) -> str:
    """Return ``value`` if it is a str that can be written as UTF-8. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is not text")
    value.encode()  # a lone surrogate raises UnicodeEncodeError, which is a ValueError
    return value


def truth(value: Any) -> bool:
    """Return ``value`` if it is a bool. Raises ValueError for anything else."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r:.40} is not true or false")
    return value


def one_of(known: Iterable[str], value: Any) -> str:
    """Return ``value`` if it is one of the ``known`` words. Raises ValueError for anything else."""
    words = list(known)
    if value not in words:
        raise ValueError(f"{value!r:.40} is not one of {', '.join(words)}")
    return str(value)


def maybe(read: Callable[[Any], T], value: Any) -> T | None:
    """Return ``read(value)``, or None if ``value`` is None. Raises what ``read`` raises."""
    return None if value is None else read(value)
