"""Wine prefixes of our own, kept in the user's cache, and WineMine, started at a level in one of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import platformdirs

from bot.desktop.protocols import Window
from bot.errors import LaunchError
from bot.levels import BEGINNER, LEVELS, Level
from bot.targets import find_target
from bot.targets.programs import Program, find_program, no_window_left, running, wait_for_window, windows_that

Report = Callable[[str], None]

_RUN_PATIENCE = 300.0  # seconds until a run of Wine must end; the longest, the first, takes 13 on slow cores
_END_PATIENCE = 15.0  # seconds until everything in a prefix must have ended
_MOST_PREFIXES = 20
_READY = ".minebot-ready"  # stands in a prefix that was made to its end
_DIFFICULTIES = {level: number for number, level in enumerate(LEVELS.values())}
_CUSTOM = len(_DIFFICULTIES)
_KEY = r"HKEY_CURRENT_USER\Software\Microsoft\WinMine"
_PLACE = (60, 60)  # of the game's window on the screen; its dialogs fit in below and to the right


def silent(_message: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Wine:
    """A Wine prefix that nobody else uses: its folder, and the environment of programs that run in it."""

    prefix: Path
    environment: Mapping[str, str]

    def run(self, *arguments: str) -> None:
        """Run ``wine`` with ``arguments`` to its end. Raises LaunchError if it fails."""
        with self.running(*arguments) as program:
            try:
                code = program.process.wait(_RUN_PATIENCE)
            except subprocess.TimeoutExpired as slow:
                raise LaunchError(f"wine {arguments[0]} does not come to an end") from slow
            if code:
                raise LaunchError(f"wine {arguments[0]} failed: {program.last_words()}")

    @contextmanager
    def running(self, *arguments: str) -> Iterator[Program]:
        """Run ``wine`` with ``arguments`` for as long as the block lasts."""
        with running(["wine", *arguments], self.environment) as program:
            yield program

    def stop(self) -> None:
        """End every program in the prefix, and its server; wait for that for a while."""
        for option in ("-k", "-w"):
            with suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    ["wineserver", option],
                    env=self.environment,
                    check=False,  # it fails where nothing runs
                    stderr=subprocess.DEVNULL,
                    timeout=_END_PATIENCE,
                )


@contextmanager
def wine_prefix(report: Report = silent, folder: Path | None = None) -> Iterator[Wine]:
    """Yield a Wine prefix under ``folder`` (None: the user's cache), made if there is none; needs a display.

    Prefixes are kept for the next time. One is used by one process at a time: if the first is in use, the
    second is taken, and so on. Raises LaunchError if Wine is missing or a prefix cannot be made.
    """
    for program in ("wine", "wineserver"):
        find_program(program, "wine wine64")
    folder = folder or platformdirs.user_cache_path("minebot")
    with _claimed(folder) as prefix:
        wine = Wine(prefix, _wine_environment(prefix))
        wine.stop()  # what a killed run may have left
        try:
            with _writing(prefix):
                ready = (prefix / _READY).exists()
            if not ready:
                report(f"making a Wine prefix in {prefix} (once; about 15 seconds)")
                _make(wine)
            yield wine
        finally:
            wine.stop()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn a failure to write ``path`` into a LaunchError that says what to do."""
    try:
        yield
    except OSError as error:
        raise LaunchError(
            f"no Wine prefix can be kept: {path} cannot be written ({error.strerror}): remove it or make it "
            "yours, or set XDG_CACHE_HOME to another folder"
        ) from error


def _make(wine: Wine) -> None:
    with _writing(wine.prefix):
        shutil.rmtree(wine.prefix, ignore_errors=True)  # one that was not made to its end
        wine.prefix.mkdir(parents=True)
    wine.run("wineboot", "-i")
    wine.stop()  # writes the registry to the disk
    with _writing(wine.prefix):
        (wine.prefix / _READY).touch()


def _wine_environment(prefix: Path) -> dict[str, str]:
    """Return the environment for a prefix: no dialogs, messages, menus, nor a debugger that hangs."""
    inherited = {name: value for name, value in os.environ.items() if name != "WINEARCH"}
    overrides = "mscoree,mshtml,winedbg.exe,winemenubuilder.exe=d"
    return {**inherited, "WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": overrides}


@contextmanager
def _claimed(folder: Path) -> Iterator[Path]:
    """Yield the path of the first prefix in ``folder`` that is free, and keep others away from it."""
    if sys.platform == "win32":
        raise LaunchError("Wine is for Linux: Windows runs the game itself")
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, _MOST_PREFIXES + 1):
        prefix = folder / ("wine" if number == 1 else f"wine-{number}")
        lock = _locked(prefix.with_suffix(".lock"))
        if lock is not None:
            with lock:
                yield prefix
            return
    raise LaunchError(f"all {_MOST_PREFIXES} Wine prefixes in {folder} are in use: end some of the games")


def _locked(path: Path) -> IO[str] | None:
    """Return the file at ``path``, made and locked until it is closed; None if another has locked it."""
    import fcntl

    with _writing(path), ExitStack() as stack:
        lock = stack.enter_context(path.open("w"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        stack.pop_all()
        return lock


@contextmanager
def winemine(wine: Wine, level: Level = BEGINNER, best_time: int = 0) -> Iterator[Window]:
    """Start WineMine at ``level`` and yield its window once it is there.

    ``best_time`` is the record of every level in seconds: 0 can never be beaten, so no dialog comes up after
    a win; 999 lets every win be a record. Raises LaunchError if no window comes.
    """
    _write_settings(wine, level, best_time)
    with no_window_left(_game_windows) as known, wine.running("winemine") as program:
        yield wait_for_window(program, "WineMine", known, _game_windows)


def _game_windows() -> list[Window]:
    processes = find_target("winemine").processes
    return windows_that(lambda window: window.process in processes)


def _write_settings(wine: Wine, level: Level, best_time: int) -> None:
    """Write the game's registry values."""
    settings = {
        "Difficulty": _DIFFICULTIES.get(level, _CUSTOM),
        "Height": level.rows,
        "Width": level.cols,
        "Mines": level.mines,
        "Xpos": _PLACE[0],
        "Ypos": _PLACE[1],
        **{f"Time{number}": best_time for number in (1, 2, 3)},
    }
    values = [f'"{name}"=dword:{value:08x}' for name, value in settings.items()]
    text = "\r\n".join(["REGEDIT4", "", f"[{_KEY}]", *values, ""])
    file = wine.prefix / "drive_c" / "winemine.reg"
    with _writing(file):
        file.write_text(text, encoding="ascii", newline="")
    wine.run("regedit", "/S", r"C:\winemine.reg")
