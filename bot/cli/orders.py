"""Lines on standard input: orders from another program (``--control``), and answers in a terminal."""

from __future__ import annotations

import sys
from io import StringIO
from queue import Queue
from threading import Thread

from bot.cli.output import note
from bot.errors import UsageError

GONE = "stop the program that gave the orders has ended"
_LONGEST = 1 << 12  # characters of a line; of a longer one, the pieces without its end are dropped
_MOST_WAITING = 100  # lines: another program may write without end


class Orders:
    """The lines of an input, read by a thread: each call returns those that arrived since the last call.

    The end of the input counts as the order to stop: the program that gave orders has crashed or was closed.
    ``file`` is a file descriptor; None is standard input, which nothing else can read from then on.
    """

    def __init__(self, file: int | None = None) -> None:
        self._arrived = Queue[str | OSError](_MOST_WAITING)
        self._ended = False
        self._input = sys.stdin  # which would be closed without a reference
        if file is None:
            file, sys.stdin = self._input.fileno(), StringIO()
        Thread(target=self._read, args=(file,), name="orders", daemon=True).start()

    def __call__(self) -> list[str]:
        """Return the new lines. Raises UsageError if the input cannot be read."""
        lines = list[str]()
        for line in [self._arrived.get() for _ in range(self._arrived.qsize())]:
            if isinstance(line, OSError):
                raise UsageError(f"--control: cannot read orders from standard input ({line})") from line
            lines.append(line)
        self._ended = self._ended or GONE in lines
        return [GONE] if self._ended and not lines else lines

    def _read(self, file: int) -> None:
        try:
            with open(file, encoding="utf-8", errors="replace", closefd=False) as lines:
                while line := lines.readline(_LONGEST):
                    if line.endswith("\n"):
                        self._arrived.put(line.removesuffix("\n"))
        except OSError as error:
            self._arrived.put(error)
        else:
            self._arrived.put(GONE)


class TerminalQuestion:
    """A question in the terminal; the caller waits for the answer, so that the stop key works meanwhile."""

    def __init__(self, file: int | None = None) -> None:
        self._file = file
        self._answers: Orders | None = None  # until it is asked: another question may be asked before

    def __call__(self, question: str) -> bool | None:
        """Return the answer to ``question``: anything but y or yes means no; None if there is none yet."""
        if self._answers is None:
            _forget_typed(sys.stdin.fileno() if self._file is None else self._file)
            self._answers = Orders(self._file)
            note(f"{question} [y/N]")
        return next((line.strip().lower() in ("y", "yes") for line in self._answers()), None)


def _forget_typed(terminal: int) -> None:
    """Forget what was typed before a question: it is no answer to it."""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(terminal, termios.TCIFLUSH)
