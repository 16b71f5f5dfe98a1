"""Lines on standard input: orders from another program (``--control``), and answers in a terminal."""

from __future__ import annotations

import os
import select
import sys
from queue import SimpleQueue
from threading import Thread

from bot.cli.output import note
from bot.errors import UsageError

GONE = "stop the program that gave the orders has ended"
_INPUT = 0  # the file descriptor of standard input
_AT_ONCE = 1 << 16  # bytes per read
_LONGEST = 1 << 12  # bytes of a line that are kept until its end comes
_MOST_LINES = 100  # that are typed before a question: a terminal gives one line per read


class Orders:
    """A non-blocking reader of orders: each call returns the lines that arrived since the last call.

    The end of the file counts as the order to stop: the program that gave orders has crashed or was closed.
    """

    def __init__(self, file: int = _INPUT) -> None:
        self._file, self._rest, self._ended = file, b"", False
        self._arrived: SimpleQueue[bytes | OSError] | None = None  # from a thread, if a read may block

    def __call__(self) -> list[str]:
        """Return the new lines, of one read: another program may write without end, or never end a line.

        Raises UsageError if the file cannot be read.
        """
        try:
            data = None if self._ended else self._read()
        except OSError as error:
            raise UsageError(f"--control: cannot read orders from standard input ({error})") from error
        self._ended = self._ended or data == b""
        *lines, rest = (self._rest + (data or b"")).split(b"\n")
        self._rest = rest[:_LONGEST]
        return [*(line.decode(errors="replace") for line in lines), *([GONE] if self._ended else [])]

    def _read(self) -> bytes | None:
        """Return data that has arrived, None if there is none, b"" at the end of the file. Raises OSError."""
        if self._arrived is None and (readable := _is_readable(self._file)) is None:
            self._arrived = SimpleQueue()  # a thread may wait; it ends with the program
            Thread(target=_read_all, args=(self._file, self._arrived), name="orders", daemon=True).start()
        if self._arrived is None:
            return os.read(self._file, _AT_ONCE) if readable else None
        data = None if self._arrived.empty() else self._arrived.get()
        if isinstance(data, OSError):
            raise data
        return data


class TerminalQuestion:
    """A question in the terminal; the caller waits for the answer, so that the stop key works meanwhile."""

    def __init__(self, file: int = _INPUT) -> None:
        self._file = file
        self._answers: Orders | None = None  # until it is asked: another question may be asked before

    def __call__(self, question: str) -> bool | None:
        """Return the answer to ``question``: anything but y or yes means no; None if there is none yet."""
        if self._answers is None:
            self._answers = Orders(self._file)
            _forget_typed(self._answers)
            note(f"{question} [y/N]")
        return next((line.strip().lower() in ("y", "yes") for line in self._answers()), None)


def _forget_typed(answers: Orders) -> None:
    """Forget what was typed before the question: it is no answer to it."""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():  # a thread, as of `Orders`, would get it later than the question is shown
            msvcrt.getwch()
    for _ in range(_MOST_LINES):
        answers()


def _read_all(file: int, arrived: SimpleQueue[bytes | OSError]) -> None:
    """Read ``file`` until it ends, and pass on its data, b"" at the end, or the error."""
    data = b"x"
    while data:
        try:
            data = os.read(file, _AT_ONCE)
        except OSError as error:
            arrived.put(error)
            return
        arrived.put(data)


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
