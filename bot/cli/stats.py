"""``minebot stats``: sums over records of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.box import SIMPLE
from rich.table import Table

from bot.cli.options import DebugOption
from bot.cli.output import complain, console, print_json
from bot.errors import BotError, RecordError
from bot.session import load_record
from bot.session.stats import Sums, sums_of, together

_WIDTH = 120  # of all columns but the first; they are never cut off: a narrower terminal breaks the lines


def stats(
    records: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders that `minebot play --record` has written."),
    ],
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw wins, times, speed and the truth of risks into this file.", dir_okay=False),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a record, then one with all of them.")
    ] = False,
    _debug: DebugOption = False,
) -> None:
    """Sum up recorded runs: games won, times, clicks, guesses and whether their risks were true."""
    if plot is not None:
        from bot.bench.plots import check_plot

        check_plot(plot)
    sums, code = _loaded(records)
    if sums:
        every = [*sums, together(sums)] if len(sums) > 1 or json_lines else sums
        if json_lines:
            for one in every:
                print_json(one.as_json())
        else:
            _print(every)
        if plot is not None:
            _draw(sums, plot)
    if code:
        raise typer.Exit(code)


def _loaded(places: Sequence[Path]) -> tuple[list[Sums], int]:
    """Return the sums of all that can be read; complain of what cannot, and return the code for that."""
    sums, code = list[Sums](), 0
    for place in places:
        try:
            record = load_record(place)
        except BotError as error:
            complain(str(error))
            code = code or error.exit_code
            continue
        for words in record.missing:
            complain(f"{place}: {words}")
        sums.append(sums_of(record))
    return sums, code


def _draw(sums: Sequence[Sums], plot: Path) -> None:
    from bot.session.plots import draw  # takes a while

    try:
        draw(sums, plot)
    except OSError as error:
        raise RecordError(f"the plot {plot} cannot be written: {error.strerror}") from error


class _Column(NamedTuple):
    heading: str
    text: Callable[[Sums], str]


def _figure(name: str, form: str) -> _Column:
    headings = {
        "seconds": "seconds",
        "bbbv_per_second": "3BV/s",
        "ioe": "IOE",
        "clicks": "clicks",
        "guesses": "guesses",
        "misreads": "misreads",
        "retries": "sent again",
        "ms_to_decide": "ms to decide",
    }

    def text(one: Sums) -> str:
        value = one.as_json()[name]
        return "-" if value is None else format(value, form)

    return _Column(headings[name], text)


_COLUMNS = (
    _Column("record", lambda one: one.name),
    _Column("games", lambda one: str(one.games)),
    _Column("rounds", lambda one: str(one.rounds)),
    _Column("won, %", lambda one: f"{100 * one.rate.value:.1f}" if one.games else "-"),
    _Column("95 %", lambda one: f"{100 * one.rate.low:.1f}-{100 * one.rate.high:.1f}" if one.games else "-"),
    _figure("seconds", ".2f"),
    _figure("bbbv_per_second", ".1f"),
    _figure("ioe", ".2f"),
    _figure("clicks", ".1f"),
    _figure("guesses", ".2f"),
    _figure("misreads", "d"),
    _figure("retries", "d"),
    _figure("ms_to_decide", ".1f"),
)


def _print(sums: Sequence[Sums]) -> None:
    table = Table(title="records", box=SIMPLE, padding=(0, 1, 0, 0))
    for column in _COLUMNS:
        table.add_column(
            column.heading, justify="left" if column.heading == "record" else "right", no_wrap=True
        )
    for one in sums:
        table.add_row(*(column.text(one) for column in _COLUMNS))
    out = console()
    out.width = max(out.width, _WIDTH + max(len(one.name) for one in sums))
    out.print(table)
    for line in _guess_words(sums[-1]):
        out.print(line, markup=False)


def _guess_words(one: Sums) -> Iterator[str]:
    """Yield whether guesses were as risky as was said."""
    if one.guesses:
        lost, expected = sum(guess.lost for guess in one.guesses), sum(guess.risk for guess in one.guesses)
        yield f"{len(one.guesses)} guesses of a counted risk: {lost} lost the game, {expected:.1f} expected"
    yield "seconds, 3BV/s and IOE are medians of the games that were won; clicks and guesses are means"
