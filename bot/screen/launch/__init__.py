"""Ground to play on where there is none: a virtual screen, Wine, and WineMine on it; and our own game.

Each is a context manager that ends what it started when its block ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot.errors import LaunchError
from bot.levels import BEGINNER, Level
from bot.screen.launch.builtin import builtin, launched_builtin
from bot.screen.launch.programs import terminated_by_signals, virtual_display
from bot.screen.launch.wine import Report, Wine, silent, wine_prefix
from bot.screen.launch.winemine import winemine
from bot.screen.protocols import Window

__all__ = [
    "Report",
    "Wine",
    "builtin",
    "launched",
    "launched_builtin",
    "terminated_by_signals",
    "virtual_display",
    "wine_prefix",
    "winemine",
]


@contextmanager
def launched(level: Level = BEGINNER, report: Report = silent) -> Iterator[Window]:
    """Start WineMine at ``level``, on a virtual screen if there is none; yield its window.

    ``report`` is called with a line about each step that takes a while. Raises LaunchError if a program is
    missing or does not start, and on other systems than Linux.
    """
    if not sys.platform.startswith("linux"):
        raise LaunchError("a game can be launched on Linux only: start Minesweeper yourself, then try again")
    with ExitStack() as stack:
        stack.enter_context(terminated_by_signals())
        if not os.environ.get("DISPLAY"):
            report("starting a virtual screen")
            stack.enter_context(virtual_display())
        wine = stack.enter_context(wine_prefix(report))
        report(f"starting WineMine at {level}")
        yield stack.enter_context(winemine(wine, level))
