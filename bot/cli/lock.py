"""One bot at a time: two on one display would take the mouse from each other."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.files import data_folder
from bot.cli.output import complain
from bot.errors import BusyError

if TYPE_CHECKING:
    from filelock import BaseFileLock

_DESKTOP = "desktop"  # where displays have no names
_X_DISPLAY = re.compile(r"(?:unix)?(.*:\d+)(?:\.\d+)?")


def this_display() -> str | None:
    """Return the name of the display with the mouse, the same for all its screens; None if there is none."""
    if not sys.platform.startswith("linux"):
        return _DESKTOP
    name = os.environ.get("DISPLAY", "")
    known = _X_DISPLAY.fullmatch(name)
    return known[1] if known else name or None


@contextmanager
def only_bot(display: str | None) -> Iterator[None]:
    """Keep other bots of this user off ``display`` for as long as the block lasts; None is no display.

    Raises BusyError that names the other one if there is one. The lock is the system's: it is gone with the
    process, however that ends. Where none can be kept, it complains, and play goes on.
    """
    if display is None:
        yield
        return
    path = data_folder() / "playing" / re.sub(r"[^\w.-]", "_", f"{platform.node()}{display}")
    holder = path.with_name(f"{path.name}.pid")  # Windows lets nobody read a locked file
    lock = _taken(path.with_name(f"{path.name}.lock"))
    if lock is not None and not lock.is_locked:
        where = "this desktop" if display == _DESKTOP else f"the display {display}"
        raise BusyError(f"{_named(holder)} plays on {where} already: stop it first")
    with suppress(OSError):  # a full disk
        holder.write_text(str(os.getpid()), encoding="ascii")
    try:
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        if lock is not None:
            lock.release()


def _taken(path: Path) -> BaseFileLock | None:
    """Return the lock at ``path``, which is ours unless another has it; None if none can be kept there."""
    from filelock import FileLock, Timeout  # only where it plays

    lock = FileLock(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(Timeout):
            lock.acquire(timeout=0)
    except OSError as error:
        if error.errno == 0:  # Wine gives no reason where another process has it; Windows says EACCES
            return lock
        why = f"no lock can be kept in {path.parent} ({error.strerror})"
        complain(f"{why}: see to it that no other minebot plays here")
        return None
    return lock


def _named(holder: Path) -> str:
    """Return what to call the bot that has the lock."""
    try:
        return f"another minebot (process {int(holder.read_text(encoding='ascii'))})"
    except (OSError, ValueError):  # it has just begun, or just ended
        return "another minebot"
