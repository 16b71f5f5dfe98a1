"""``minebot patterns``: find all patterns from the basic rules alone, show them, and check them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import patterns_file
from bot.cli.output import complain, console, progress, say
from bot.errors import PatternError, UsageError
from bot.solver.published.novitsky.library import (
    drawn_examples,
    first_fault,
    load,
    load_learned,
    names_in,
    shipped,
)
from bot.solver.published.novitsky.pattern import HEADER, HIGHEST, Pattern, Rows, written
from bot.solver.published.novitsky.synthesis import MOST, WINDOWS, Extent, synthesised
from bot.words import counted

_OUTPUT = Path("patterns.txt")


def patterns(
    output: Annotated[Path, typer.Option(help="File to write the patterns to.", dir_okay=False)] = _OUTPUT,
    window: Annotated[
        int, typer.Option(min=WINDOWS[0], max=WINDOWS[-1], help="Rows and columns of the mini-fields.")
    ] = WINDOWS[-1],
    orders: Annotated[
        int, typer.Option(min=1, max=HIGHEST, help="How deep a proof may nest assumptions; 1: counting only.")
    ] = HIGHEST,
    numbers: Annotated[
        int, typer.Option(min=1, max=len(MOST), help="How many numbers a pattern may have.")
    ] = len(MOST),
    show: Annotated[
        bool, typer.Option("--list", help="Instead, draw the patterns of a library with their names.")
    ] = False,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Instead, check a library with all placements of mines."),
    ] = False,
    library: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The library for --list and --verify. Default: the shipped one and the learned patterns.",
        ),
    ] = None,
) -> None:
    """Find the patterns of the strategy novitsky from the basic rules alone; this takes minutes.

    A pattern is a small field whose numbers prove some of its cells safe or mines. It also holds rotated and
    mirrored, and with known mines around it. The shipped library was made by this command.
    """
    if library is not None and not (show or verify):
        raise UsageError("--library is only for --list and --verify: add one of them")
    if show or verify:
        patterns = (
            load(library) if library else [*shipped().patterns, *load_learned(patterns_file(), complain)]
        )
        if show:
            _list(patterns)
        if verify:
            if found := first_fault(patterns):
                raise PatternError(found)
            say(f"{_counted(patterns)}: each is true for all placements of mines")
        return
    _check_output(output)
    _synthesise(Extent(window, orders, MOST[:numbers]), output)


def _check_output(output: Path) -> None:
    """Raise UsageError unless ``output`` can be written and is new, empty or a library of patterns."""
    try:
        with output.open("a+", encoding="utf-8") as file:
            file.seek(0)
            begins = file.read(len(HEADER))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not a library of patterns"
        raise UsageError(f"--output {output}: cannot write there ({why}): give another file") from error
    if begins not in ("", HEADER):
        raise UsageError(
            f"--output {output}: it is not a library of patterns, so it is not overwritten: give another file"
        )


def _synthesise(extent: Extent, output: Path) -> None:
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = TextColumn("finding patterns"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    with progress(*columns) as bar:
        task = bar.add_task("")
        found = synthesised(extent, lambda done, whole: bar.update(task, completed=done, total=whole))
    text = written(found)
    output.write_text(text, encoding="utf-8", newline="\n")
    same = ", the same as the shipped ones" if text == written(shipped().patterns) else ""
    say(f"{_counted(found)}{same}, written to {output}")


def _counted(patterns: Sequence[Pattern]) -> str:
    orders = sorted(Counter(pattern.order for pattern in patterns).items())
    each = ", ".join(f"{number} of order {order or f'above {HIGHEST}'}" for order, number in orders)
    return f"{counted(len(patterns), 'pattern')} ({each})"


def _list(patterns: Sequence[Pattern]) -> None:
    """Draw all patterns, and the fields with names that follow from them."""
    from rich.columns import Columns
    from rich.text import Text

    out, names = console(), names_in(patterns)
    out.print("digits: mines still to find around; o safe, * mine, . covered, # anything that is known\n")
    for title, blocks in _chapters(patterns, names):
        out.print(f"{title}\n", style="bold", markup=False)
        out.print(Columns([Text(block) for block in blocks], padding=(0, 4)), "")
    out.print("Fields with a name\n", style="bold")
    out.print(Columns([Text(_block(name, rows)) for name, rows in drawn_examples()], padding=(0, 4)))


def _chapters(patterns: Sequence[Pattern], names: dict[Rows, str]) -> Iterator[tuple[str, list[str]]]:
    kinds = sorted({(len(pattern.needs), pattern.order) for pattern in patterns})
    for numbers, order in kinds:
        chosen = [one for one in patterns if (len(one.needs), one.order) == (numbers, order)]
        title = f"{counted(numbers, 'number')}, order {order or f'above {HIGHEST}'}: {len(chosen)}"
        yield title, [_block(names.get(pattern.rows, ""), pattern.rows) for pattern in chosen]


def _block(name: str, rows: Sequence[str]) -> str:
    return "\n".join([*([name] if name else []), *(" ".join(row) for row in rows), ""])
