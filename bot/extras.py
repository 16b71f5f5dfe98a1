"""Libraries that only a few commands need: how to install those that are missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bot.errors import MissingLibraryError

DISTRIBUTION = "minesweeper-bot"  # the name in pyproject.toml; "minebot" is another project on PyPI


def install_command(extra: str = "") -> str:
    """Return the command that installs minebot with an optional part of it, such as "film"."""
    return f"pip install '{DISTRIBUTION}[{extra}]'" if extra else f"pip install {DISTRIBUTION}"


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Turn an ImportError in the block into a MissingLibraryError: ``what`` needs the optional ``extra``."""
    try:
        yield
    except ImportError as error:
        if getattr(sys, "frozen", False):
            why = "which this program does not contain: install minebot for Python, and there"
        else:
            why = "which is not installed:"
        raise MissingLibraryError(f"{what} needs {error.name}, {why} {install_command(extra)}") from error
