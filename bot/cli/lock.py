"""A lock that allows only one bot per display: two bots would take the mouse from each other."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from bot.cli.files import data_folder
from bot.cli.terminal import complain
from bot.errors import BusyError
from bot.files import PRIVATE, private_folder, replace_file

_DESKTOP = "desktop"  # on systems where displays have no names
_X_DISPLAY = re.compile(r"(?:unix)?(.*:\d+)(?:\.\d+)?")


def this_display() -> str | None:
    """Return the name of the display, the same for all its screens; None if there is no display."""
    if not sys.platform.startswith("linux"):
        return _DESKTOP
    name = os.environ.get("DISPLAY", "")
    known = _X_DISPLAY.fullmatch(name)
    return known[1] if known else name or None


@contextmanager
def only_bot(display: str | None) -> Iterator[None]:
    """Lock ``display`` against other bots of this user during the block; do nothing if it is None.

    Raises BusyError with the other bot's process number if one has the lock. The operating system releases
    the lock when the process ends, however it ends. If no lock can be created, print an error and go on.
    """
    if display is None:
        yield
        return
    path = data_folder() / "playing" / re.sub(r"[^\w.-]", "_", f"{platform.node()}{display}")
    holder = path.with_name(f"{path.name}.pid")  # a separate file: Windows cannot read a locked one
    lock = _taken(path.with_name(f"{path.name}.lock"))
    if lock is not None and not lock.is_locked:
        where = "this desktop" if display == _DESKTOP else f"the display {display}"
        raise BusyError(f"{_named(holder)} plays on {where} already: stop it first")
    with suppress(OSError):  # for example, the disk is full
        replace_file(holder, str(os.getpid()).encode())
    try:
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        if lock is not None:
            lock.release()


def _taken(path: Path) -> BaseFileLock | None:
    """Return the lock at ``path``, not acquired if another process has it; None if it cannot be created."""
    lock = FileLock(path, mode=PRIVATE)
    try:
        private_folder(path.parent)
        with suppress(Timeout):
            lock.acquire(timeout=0)
    except OSError as error:
        if error.errno == 0:  # Wine: another process has the lock (Windows reports EACCES then)
            return lock
        why = f"cannot create a lock in {path.parent} ({error.strerror})"
        complain(f"{why}: make sure that no other minebot plays on this display")
        return None
    return lock


def _named(holder: Path) -> str:
    """Return words for the bot that has the lock, with its process number if known."""
    try:
        return f"another minebot (process {int(holder.read_text(encoding='ascii'))})"
    except (OSError, ValueError):  # that bot has just started or just ended
        return "another minebot"
