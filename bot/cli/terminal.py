"""What is printed and what is typed: text, JSON lines, orders from another program, answers to questions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from queue import Queue
from threading import Thread
from typing import TYPE_CHECKING

from bot.errors import UsageError
from bot.words import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

_WIDEST = 1000  # more than any table has, in characters
_WORDS = frozenset({"level", "record", "result", "strategy"})  # headings of columns that hold text
GONE = "stop the program that gave the orders has ended"
_LONGEST = 1 << 12  # characters of a line; of a longer one, the pieces without its end are dropped
_MOST_WAITING = 100  # lines: another program may write without end


def console(*, stderr: bool = False) -> Console:
    """Return a console for people: for results, or on ``stderr`` for notes and progress."""
    from rich.console import Console  # slow to import: only after Ctrl+C is handled

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def say(words: str) -> None:
    """Print ``words`` for people on standard output, without interpreting markup in them."""
    console().print(_escaped_lines(words), markup=False)


def note(words: str) -> None:
    """Print a note on standard error, above the progress display if there is one."""
    print(_escaped_lines(words), file=sys.stderr)


def _escaped_lines(words: str) -> str:
    return "\n".join(map(one_line, words.split("\n")))


def can_be_asked() -> bool:
    """Return whether a person sees notes and can type an answer."""
    streams = sys.stdin, sys.stderr  # None in a program without a console
    return all(stream is not None and stream.isatty() for stream in streams)


def progress(*columns: str | ProgressColumn) -> Progress:
    """Return a progress display on standard error, shown only on a terminal.

    Without ``columns`` it has those of rich: description, bar, percentage and time left.
    """
    from rich.progress import Progress

    side = console(stderr=True)
    return Progress(*columns, console=side, disable=not side.is_terminal)


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table as wide as it is: a narrower terminal breaks its lines, but no number is cut off."""
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, box=SIMPLE, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="left" if heading in _WORDS else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    out = console()
    out.width = _WIDEST
    out.print(table)


def complain(message: str) -> None:
    """Print an error message as one line on standard error."""
    line = one_line(" ".join(message.split()))
    print(f"minebot: {line}", file=sys.stderr)


def print_json(values: Mapping[str, object]) -> None:
    """Print one JSON object as one line on standard output, without buffering."""
    print(json.dumps(values), flush=True)


def tell_event(kind: str, **facts: object) -> None:
    """Print an event as one JSON object: its ``kind`` and ``facts``."""
    print_json({"event": kind, **facts})


def tell_news(kind: str, words: str) -> None:
    """Print a change of play, such as "paused" or "playing", as an event."""
    tell_event(kind, words=words)


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
