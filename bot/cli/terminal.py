"""What is printed and what is typed: text, JSON lines, orders from another program, answers to questions."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import takewhile
from queue import Queue
from textwrap import wrap
from threading import Thread
from typing import TYPE_CHECKING, TextIO

from bot.errors import UsageError
from bot.words import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

_WIDEST = 1000  # more than any table has, in characters
_BAR = 15  # characters: leaves room for the news beside it
_WORDS = frozenset({"level", "record", "result", "strategy"})  # headings of columns that hold text
GONE = "stop the program that gave the orders has ended"
_LONGEST = 1 << 12  # characters of a line; of a longer one, the pieces without its end are dropped
_MOST_WAITING = 100  # lines: another program may write without end


def console(*, stderr: bool = False) -> Console:
    """Return a console for people: for results, or on ``stderr`` for notes and progress."""
    from rich.console import Console  # slow to import: only after Ctrl+C is handled

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def say(words: str) -> None:
    """Print ``words`` for people on standard output."""
    print(_fitted(words, sys.stdout))


def note(words: str) -> None:
    """Print a note on standard error, above the progress display if there is one."""
    print(_fitted(words, sys.stderr), file=sys.stderr)


def _fitted(words: str, out: TextIO) -> str:
    """Return ``words`` with each character that cannot be seen escaped, wrapped at words for a terminal.

    A file or a pipe gets each line as a whole, since programs read those.
    """
    lines = [one_line(line) for line in words.split("\n")]
    if out.isatty():
        width = shutil.get_terminal_size().columns
        split = partial(
            wrap, width=width, break_long_words=False, break_on_hyphens=False
        )  # no path, no option
        lines = ["\n".join(split(line)) for line in lines]
    return "\n".join(lines)


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


def progress_with_news(*columns: str | ProgressColumn) -> Progress:
    """Return a progress display with a bar, ``columns``, and the field "news", whose lines break at words."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.table import Column

    news = TextColumn("{task.fields[news]}", markup=False, table_column=Column())
    return progress(BarColumn(_BAR), MofNCompleteColumn(), *columns, news)


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; on a terminal that is too narrow for it, with its rows as columns, a few at a time.

    No number is cut off. A file or a pipe gets the whole width.
    """
    say(title)
    out, left = console(), list(rows)
    fits, out.width = out.width if out.is_terminal else _WIDEST, _WIDEST
    whole = _table(headings, left, upright=False)
    if out.measure(whole).maximum <= fits:
        out.print(whole)
        return
    while left:
        tables = (_table(headings, left[:count], upright=True) for count in range(1, len(left) + 1))
        fitting = list(takewhile(lambda table: out.measure(table).maximum <= fits, tables))
        out.print(fitting[-1] if fitting else _table(headings, left[:1], upright=True))
        del left[: len(fitting) or 1]


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, upright: bool) -> Table:
    """Return a table of ``rows`` under ``headings``, or with both as columns if it is ``upright``."""
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    cells = [headings, *rows]
    cells = list(zip(*cells, strict=True)) if upright else cells
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0), show_header=not upright)
    for heading in cells[0]:
        words = heading in _WORDS or (upright and heading == headings[0])
        table.add_column(heading, justify="left" if words else "right", no_wrap=True)
    for row in cells if upright else cells[1:]:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    return table


def complain(message: str) -> None:
    """Print an error message on standard error, as one line if that is no terminal."""
    print(_fitted(f"minebot: {' '.join(message.split())}", sys.stderr), file=sys.stderr)


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
