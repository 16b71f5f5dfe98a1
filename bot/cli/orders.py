"""``minebot play --control``: orders from another program, one per line."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Annotated

import typer

from bot.cli.options import PROGRAMS
from bot.errors import UsageError

ControlOption = Annotated[
    bool,
    typer.Option(
        "--control",
        help="Take orders as lines on standard input: pause, go, step (one round), speed 20, layers NAME,... "
        "(of a dry run), stop; and print every round as JSON. Moving the mouse only pauses then. For "
        "`minebot panel` and other programs.",
        rich_help_panel=PROGRAMS,
    ),
]
GONE = "stop the program that gave the orders has ended"
_INPUT = 0  # the file descriptor of standard input
_AT_ONCE = 1 << 16  # bytes per read


class Orders:
    """A non-blocking reader of orders: each call returns the lines that arrived since the last call.

    The end of the file counts as the order to stop: the program that gave orders has crashed or was closed.
    """

    def __init__(self, file: int = _INPUT) -> None:
        self._file, self._rest, self._ended = file, b"", False
        self._thread: _Reader | None = None  # reads if it is unknown whether reading would block

    def __call__(self) -> list[str]:
        """Return the new lines. Raises UsageError if the file cannot be read."""
        try:
            for data in self._read():
                self._rest, self._ended = self._rest + data, not data
        except OSError as error:
            raise UsageError(f"--control: cannot read orders from standard input ({error})") from error
        *lines, self._rest = self._rest.split(b"\n")
        return [*(line.decode(errors="replace") for line in lines), *([GONE] if self._ended else [])]

    def _read(self) -> Iterator[bytes]:
        while not self._ended:
            if self._thread is None and (readable := _is_readable(self._file)) is None:
                self._thread = _Reader(self._file)
            if self._thread is not None:
                yield from self._thread.read()
                return
            if not readable:
                return
            yield os.read(self._file, _AT_ONCE)


class _Reader:
    """Reads a file in a daemon thread, which ends with the program even while it waits for input."""

    def __init__(self, file: int) -> None:
        self._file, self._data = file, SimpleQueue[bytes | OSError]()
        threading.Thread(target=self._work, name="orders", daemon=True).start()

    def read(self) -> Iterator[bytes]:
        """Yield the data that has arrived, b"" at the end of the file. Raises OSError if reading failed."""
        while not self._data.empty():
            data = self._data.get()
            if isinstance(data, OSError):
                raise data
            yield data

    def _work(self) -> None:
        data = b"x"
        while data:
            try:
                data = os.read(self._file, _AT_ONCE)
            except OSError as error:
                self._data.put(error)
                return
            self._data.put(data)


def _is_readable(file: int) -> bool | None:
    """Return whether a read returns at once, with data or at the end of the file; None if that is unknown.

    On Windows this peeks at the pipe, because a thread that waits for it would block all other calls for it.
    Peeking is impossible, and the result None, for a console and, under Wine, for a pipe from outside.
    """
    if sys.platform == "win32":
        import _winapi
        import msvcrt

        try:
            return bool(_winapi.PeekNamedPipe(msvcrt.get_osfhandle(file), 0)[0])
        except BrokenPipeError:
            return True
        except OSError:
            return None
    return bool(select.select([file], [], [], 0)[0])
