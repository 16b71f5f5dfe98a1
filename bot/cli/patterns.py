"""``minebot patterns``: find all patterns from the basic rules alone, show them, and check them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.columns import Columns
from rich.text import Text

from bot.cli.options import patterns_file
from bot.cli.output import complain, console, note, progress, say
from bot.errors import UsageError
from bot.files import PUBLIC, append_to, refused_as_usage, replace_file
from bot.solver.explain.proofs import EXAMPLES
from bot.solver.published.novitsky import HEADER, HIGHEST, Library, Pattern, learner, load, shipped, written
from bot.solver.published.synthesis import MOST, WINDOWS, synthesised
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
        patterns = load(library) if library else learner(patterns_file(), note, complain).patterns
        if show:
            _list(patterns)
        if verify:
            for pattern in patterns:
                pattern.check()
            say(f"{_counted(patterns)}: each is true for all placements of mines")
        return
    _check_output(output)
    with progress() as bar:
        new = synthesised(
            window, orders, MOST[:numbers], lambda work: bar.track(work, description="finding patterns")
        )
    text = written(new)
    with refused_as_usage(f"--output {output}: cannot write there", "file"):
        replace_file(output, text.encode(), PUBLIC)
    same = ", the same as the shipped ones" if text == written(shipped().patterns) else ""
    say(f"{_counted(new)}{same}, written to {output}")


def _check_output(output: Path) -> None:
    """Raise UsageError unless ``output`` can be written and is new, empty or a library of patterns."""
    refused = refused_as_usage(f"--output {output}: cannot write there", "file")
    with refused, append_to(output, "a+b") as file:
        file.seek(0)
        begins = file.read(len(HEADER)).decode(errors="replace")
    if begins not in ("", HEADER):
        raise UsageError(
            f"--output {output}: it is not a library of patterns, so it is not overwritten: give another file"
        )


def _counted(patterns: Sequence[Pattern]) -> str:
    orders = sorted(Counter(pattern.order for pattern in patterns).items())
    each = ", ".join(f"{number} of order {order or f'above {HIGHEST}'}" for order, number in orders)
    return f"{counted(len(patterns), 'pattern')} ({each})"


def _list(patterns: Sequence[Pattern]) -> None:
    """Draw all patterns, and the fields with names that follow from them."""
    out = console()
    fields = {
        name: [Pattern.settled(rows.replace("W", "#").split("/")) for rows in examples]
        for name, examples in EXAMPLES.items()
    }
    out.print("digits: mines still to find around; o safe, * mine, . covered, # anything that is known\n")
    for (numbers, order), chosen in groupby(sorted(patterns, key=_kind), _kind):
        blocks = [_block(_names(pattern, fields), pattern) for pattern in chosen]
        title = f"{counted(numbers, 'number')}, order {order or f'above {HIGHEST}'}: {len(blocks)}"
        out.print(f"{title}\n", style="bold", markup=False)
        out.print(Columns([Text(block) for block in blocks], padding=(0, 4)), "")
    out.print("Fields with a name\n", style="bold")
    simplest = [_block(name, own[0]) for name, own in fields.items()]
    out.print(Columns([Text(block) for block in simplest], padding=(0, 4)))


def _kind(pattern: Pattern) -> tuple[int, int]:
    return len(pattern.needs), pattern.order


def _names(pattern: Pattern, fields: Mapping[str, Sequence[Pattern]]) -> str:
    """Return the names of the fields in which ``pattern`` settles a cell."""
    library = Library([pattern])
    return ", ".join(name for name, own in fields.items() if any(library.covers(one.key) for one in own))


def _block(name: str, pattern: Pattern) -> str:
    return "\n".join([*([name] if name else []), *(" ".join(row) for row in pattern.rows), ""])
