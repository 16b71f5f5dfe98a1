"""Ground to play on where there is none: a virtual screen, Wine, and WineMine on it; and our own game.

Each is a context manager that ends what it started when its block ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

from bot.desktop.protocols import Window
from bot.errors import LaunchError
from bot.levels import BEGINNER, Level
from bot.targets import find_target
from bot.targets.programs import (
    no_window_left,
    running,
    terminated_by_signals,
    virtual_display,
    wait_for_window,
    windows_that,
)
from bot.targets.wine import Report, Wine, silent, wine_prefix, winemine

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
    with _screen(report), wine_prefix(report) as wine:
        report(f"starting WineMine at {level}")
        with winemine(wine, level) as window:
            yield window


@contextmanager
def launched_builtin(level: Level = BEGINNER, report: Report = silent) -> Iterator[Window]:
    """Start our own game at ``level``, on a virtual screen if there is none on Linux; yield its window.

    ``report`` is called with a line about each step that takes a while. Raises LaunchError if a program is
    missing or does not start.
    """
    with _screen(report):
        report(f"starting the Minesweeper of minebot at {level}")
        with builtin(level) as window:
            yield window


@contextmanager
def _screen(report: Report) -> Iterator[None]:
    """Start a virtual screen if there is none on Linux; what the block starts is ended at signals, too."""
    with terminated_by_signals(), ExitStack() as stack:
        if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
            report("starting a virtual screen")
            stack.enter_context(virtual_display())
        yield


@contextmanager
def builtin(level: Level = BEGINNER, *options: str) -> Iterator[Window]:
    """Start ``minebot game`` at ``level`` with more ``options``, and yield its window once it is there.

    The best times and settings of the user are not touched: it has others, which are gone at the end. Raises
    LaunchError if no window comes.
    """
    environment = {**os.environ}
    environment.pop("QT_QPA_PLATFORM", None)  # it is to be seen
    with TemporaryDirectory(prefix="minebot-times-", ignore_cleanup_errors=True) as times:
        command = [sys.executable, "-m", "bot", "game", "--level", str(level), "--times", times, *options]
        with no_window_left(_game_windows) as known, running(command, environment) as program:
            yield wait_for_window(program, "the Minesweeper of minebot", known, _game_windows)


def _game_windows() -> list[Window]:
    target = find_target("builtin")
    return windows_that(lambda window: window.title in target.titles)
