"""Printing: text for people on standard output or standard error, JSON lines on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bot.words import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

_WIDEST = 1000  # more than any table has, in characters
_WORDS = frozenset({"level", "record", "result", "strategy"})  # headings of columns that hold text


def console(*, stderr: bool = False) -> Console:
    """Return a console for people: for results, or on ``stderr`` for notes and progress."""
    from rich.console import Console  # slow to import: only after Ctrl+C is handled

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def say(words: str) -> None:
    """Print ``words`` for people on standard output, without interpreting markup in them."""
    console().print(_shown(words), markup=False)


def note(words: str) -> None:
    """Print a note on standard error, above the progress display if there is one."""
    print(_shown(words), file=sys.stderr)


def _shown(words: str) -> str:
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
