"""How minebot is installed: for Python or as a built program, with which optional libraries."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from bot.errors import MissingLibraryError

SYSTEM_PACKAGES = (  # of Debian: what OpenCV, mss and Qt need
    "libgl1 libglib2.0-0 libxcb-randr0 libxcb-render0 libxcb-shm0 libxcb-xfixes0 libegl1 libfontconfig1 "
    "libdbus-1-3 libx11-xcb1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 "
    "libxcb-render-util0 libxcb-shape0 libxcb-sync1 libxcb-xkb1"
)
BLOCKED, _NOT_FOUND = 4551, 126  # Windows: a policy forbids the program; a library that it needs is missing
PANEL = "minebot-panel"  # the built program for double clicks on Windows: without a console, or pipes


def is_built() -> bool:
    """Return whether this is a program that PyInstaller has built, which needs no Python."""
    return bool(getattr(sys, "frozen", False))


def minebot_command(*arguments: object) -> list[str]:
    """Return the command that runs this minebot with ``arguments`` in another process.

    Python gets the path of the package, and -P: from the current folder, no code is run.
    """
    if is_built():
        here = Path(sys.executable)
        start = [str(here.with_stem("minebot") if here.stem == PANEL else here)]
    else:
        start = [sys.executable, "-P", str(Path(__file__).with_name("__main__.py"))]
    return [*start, *map(str, arguments)]


def apart() -> dict[str, Any]:
    """Return the options with which `subprocess.Popen` starts a process without this terminal.

    Ctrl+C does not reach it, and on Windows no console opens for it.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def start_minebot(*arguments: object, errors: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
    """Start minebot with ``arguments``, silent, and without this terminal: Ctrl+C there does not stop it.

    Its standard error goes to the file ``errors``, if given. Raises OSError if the process cannot be started.
    """
    silent = subprocess.DEVNULL
    return subprocess.Popen(
        minebot_command(*arguments),
        stdin=silent,
        stdout=silent,
        stderr=silent if errors is None else errors,
        **apart(),
    )


@contextmanager
def in_environment(name: str, value: str) -> Iterator[None]:
    """Set a variable of the environment for the length of the block."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before


def repair_words() -> str:
    """Return what to do where a part of minebot is missing or does not work."""
    return "unpack the whole zip of minebot again" if is_built() else "install minebot again"


def missing_library_words(error: Exception | None = None) -> str:
    """Return what to do where a library cannot be loaded, for the reason of ``error``."""
    if sys.platform == "win32":
        number = _windows_error(error)
        if number == BLOCKED:
            return (
                "Smart App Control of Windows blocks it, and knows no exceptions: minebot runs only where "
                "that is off (Windows Security, App & browser control)"
            )
        if number == _NOT_FOUND and isinstance(error, ImportError) and error.name == "cv2":
            return (
                "on Windows N, install the Media Feature Pack first (Settings, Optional features); elsewhere "
                f"{repair_words()}"
            )
    system = f"; on Debian also apt-get install {SYSTEM_PACKAGES}" if sys.platform == "linux" else ""
    return f"{repair_words()}{system}"


def _windows_error(error: Exception | None) -> int | None:
    """Return the number that Windows gives to ``error``: an ImportError has only words, in any language."""
    if sys.platform == "win32" and isinstance(error, ImportError) and error.path:
        try:
            ctypes.WinDLL(error.path)  # fails in the same way
        except OSError as again:
            error = again
    return getattr(error, "winerror", None)


@contextmanager
def needs(what: str) -> Iterator[None]:
    """Turn an ImportError in the block into a MissingLibraryError: ``what`` needs an optional library.

    The message names the library itself: anybody could publish something under a name of ours on PyPI.
    """
    try:
        yield
    except ImportError as error:
        if is_built():
            why = "which this program does not contain: install minebot for Python, and there"
        else:
            why = "which is not installed:"
        library = str(error.name).split(".")[0]
        raise MissingLibraryError(f"{what} needs {library}, {why} pip install {library}") from error
