"""Waiting for the window of a game that was started."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import closing

from bot.errors import LaunchError
from bot.screen.launch.programs import Program
from bot.screen.protocols import Window
from bot.screen.windows import open_desktop

_START_PATIENCE = 90.0  # seconds until the game's window must be there


def windows_that(belong: Callable[[Window], bool]) -> list[Window]:
    """Return the windows on the screen that belong to a game, the topmost first."""
    with closing(open_desktop()) as desktop:
        return [window for window in desktop.windows() if belong(window)]


def wait_for_window(
    program: Program, label: str, known: Collection[int], look: Callable[[], list[Window]]
) -> Window:
    """Return the first window of ``look`` that is none of the ``known`` handles.

    Raises LaunchError if ``program``, which should open it, ends, or opens none for a long time.
    """
    deadline = time.monotonic() + _START_PATIENCE
    while time.monotonic() < deadline:
        new = [window for window in look() if window.handle not in known]
        if new:
            return new[0]
        if program.process.poll() is not None:
            raise LaunchError(f"{label} ended at once: {program.last_words()}")
        time.sleep(0.1)
    raise LaunchError(f"{label} shows no window: is the display that DISPLAY names in order?")
