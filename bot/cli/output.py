"""What the commands print: words for people on standard error or output, JSON lines on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

_WORDS = frozenset({"level", "record", "result", "strategy"})  # headings of columns that hold no figures


def console() -> Console:
    """Return where tables and texts for people go: standard output."""
    from rich.console import Console  # takes a while: not before Ctrl+C works

    return Console(highlight=False, soft_wrap=True)


def side_console() -> Console:
    """Return where progress and notes go, so that JSON on standard output stays clean: standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(words: str) -> None:
    """Print words for people on standard output, as they stand."""
    console().print(words, markup=False)


def note(words: str) -> None:
    """Print a note on standard error, as it stands."""
    side_console().print(words, markup=False)


def progress(*columns: str | ProgressColumn) -> Progress:
    """Return a progress display on standard error, which is shown on a terminal only."""
    from rich.progress import Progress

    side = side_console()
    return Progress(*columns, console=side, disable=not side.is_terminal)


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> None:
    """Print a table at least ``width`` wide: a narrower terminal breaks its lines, no figure is cut off."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(title=title, box=SIMPLE, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="left" if heading in _WORDS else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    out = console()
    out.width = max(out.width, width)
    out.print(table)


def complain(message: str) -> None:
    """Print one line that says what is wrong."""
    line = " ".join(message.split())
    print(f"minebot: {line}", file=sys.stderr)


def print_json(values: Mapping[str, object]) -> None:
    """Print one object on a line of its own, at once."""
    print(json.dumps(values, ensure_ascii=False), flush=True)
