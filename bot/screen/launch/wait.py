"""Waiting for the window of a game that was started."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress

from bot.errors import CaptureError, LaunchError
from bot.screen.launch.programs import Program
from bot.screen.protocols import Window
from bot.screen.windows import open_desktop

_START_PATIENCE = 90.0  # seconds until the game's window must be there
_END_PATIENCE = 5.0  # seconds until it should be gone when its program has ended


def windows_that(belong: Callable[[Window], bool]) -> list[Window]:
    """Return the windows on the screen that belong to a game, the topmost first."""
    with closing(open_desktop()) as desktop:
        return [window for window in desktop.windows() if belong(window)]


@contextmanager
def no_window_left(look: Callable[[], list[Window]]) -> Iterator[set[int]]:
    """Yield the handles of ``look``'s windows before the block, and wait after it until others are gone.

    The window of a program that has ended stays for a moment, and the next start would find it.
    """
    known = {window.handle for window in look()}
    try:
        yield known
    finally:
        deadline = time.monotonic() + _END_PATIENCE
        with suppress(CaptureError):  # the whole display may be gone
            while any(window.handle not in known for window in look()) and time.monotonic() < deadline:
                time.sleep(0.02)


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
