"""Programs that run for as long as a block lasts, a virtual screen, and the windows of a game that starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from bot.desktop import open_desktop
from bot.desktop.protocols import Window
from bot.errors import CaptureError, LaunchError
from bot.signals import ending, heard, leave

_END_PATIENCE = 15.0  # seconds until a program that was told to end is killed
_START_PATIENCE = 90.0  # seconds until the game's window must be there
_GONE_PATIENCE = 5.0  # seconds until it should be gone when its program has ended


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was started, and the file that takes its messages."""

    process: subprocess.Popen[bytes]
    log: IO[bytes]

    def last_words(self) -> str:
        """Return the last line that it wrote."""
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it does not say why")

    def end(self) -> None:
        """Tell it to end, and kill it if it does not."""
        self.process.terminate()
        try:
            self.process.wait(_END_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str] | None = None, keep: int | None = None
) -> Iterator[Program]:
    """Run a program for as long as the block lasts, in a session of its own: Ctrl+C is for us alone.

    ``keep`` is a file descriptor that it inherits.
    """
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            pass_fds=() if keep is None else (keep,),
            start_new_session=True,
        )
        program = Program(process, log)
        try:
            yield program
        finally:
            program.end()


def find_program(name: str, packages: str) -> str:
    """Return the path of a program. Raises LaunchError that names its Debian packages if it is missing."""
    path = shutil.which(name)
    if path is None:
        raise LaunchError(f"{name} is missing: install it with `apt-get install {packages}`")
    return path


@contextmanager
def virtual_display(width: int = 1280, height: int = 900) -> Iterator[str]:
    """Start Xvfb on a free display, with DISPLAY set to it inside the block; yield its name.

    Raises LaunchError if Xvfb is missing or does not start.
    """
    screen = ["-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"]
    command = [find_program("Xvfb", "xvfb"), *screen]
    readable, writable = os.pipe()
    with (
        os.fdopen(readable) as answer,
        running([*command, "-displayfd", str(writable)], keep=writable) as server,
    ):
        os.close(writable)
        number = answer.readline().strip()  # ends without one when the server ends
        if not number:
            raise LaunchError(f"Xvfb does not start: {server.last_words()}")
        before = os.environ.get("DISPLAY")
        os.environ["DISPLAY"] = name = f":{number}"
        try:
            yield name
        finally:
            if before is None:
                del os.environ["DISPLAY"]
            else:
                os.environ["DISPLAY"] = before


@contextmanager
def terminated_by_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into SystemExit inside the block, so that what was started is ended too.

    One that was ignored before, as by nohup, still is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return
    with heard(dict.fromkeys(ending(), leave)):
        yield


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
        deadline = time.monotonic() + _GONE_PATIENCE
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
