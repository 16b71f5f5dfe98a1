"""Our own Minesweeper, started at a level in a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

from bot.levels import BEGINNER, Level
from bot.screen.launch.programs import running, terminated_by_signals, virtual_display
from bot.screen.launch.wait import no_window_left, wait_for_window, windows_that
from bot.screen.launch.wine import Report, silent
from bot.screen.protocols import Window
from bot.screen.targets import find_target


@contextmanager
def launched_builtin(level: Level = BEGINNER, report: Report = silent) -> Iterator[Window]:
    """Start our own game at ``level``, on a virtual screen if there is none on Linux; yield its window.

    ``report`` is called with a line about each step that takes a while. Raises LaunchError if a program is
    missing or does not start.
    """
    with ExitStack() as stack:
        stack.enter_context(terminated_by_signals())
        if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
            report("starting a virtual screen")
            stack.enter_context(virtual_display())
        report(f"starting the Minesweeper of minebot at {level}")
        yield stack.enter_context(builtin(level))


@contextmanager
def builtin(level: Level = BEGINNER, *options: str) -> Iterator[Window]:
    """Start ``minebot game`` at ``level`` with more ``options``, and yield its window once it is there.

    The best times and settings of the user are not touched: it has others, which are gone at the end. Raises
    LaunchError if no window comes.
    """
    environment = {
        name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"
    }  # it is seen
    with TemporaryDirectory(prefix="minebot-times-", ignore_cleanup_errors=True) as times:
        command = [sys.executable, "-m", "bot", "game", "--level", str(level), "--times", times, *options]
        with no_window_left(_game_windows) as known, running(command, environment) as program:
            yield wait_for_window(program, "the Minesweeper of minebot", known, _game_windows)


def _game_windows() -> list[Window]:
    target = find_target("builtin")
    return windows_that(lambda window: window.title in target.titles)
