"""``minebot stats``: statistics of recorded runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.output import complain, note, print_json, print_table, say
from bot.errors import BotError, RecordError
from bot.record import load_record
from bot.words import counted

if TYPE_CHECKING:
    from bot.record.stats import RunStatistics


def stats(
    records: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders written by `minebot play --record`."),
    ],
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw wins, times, speed and lost guesses by risk into this file.", dir_okay=False),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a record, then one with all of them.")
    ] = False,
) -> None:
    """Sum up recorded runs: games won, times, clicks, guesses, and lost guesses compared with their risk."""
    if plot is not None:
        from bot.bench.plots import check_plot

        check_plot(plot)
    from bot.record.stats import combined  # slow to import

    sums, code = _loaded(records)
    if sums:
        every = [*sums, combined(sums)] if len(sums) > 1 or json_lines else sums
        if json_lines:
            for one in every:
                print_json(one.as_json())
        else:
            _print(every)
        if plot is not None:
            _draw(sums, plot)
    if code:
        raise typer.Exit(code)


def _loaded(places: Sequence[Path]) -> tuple[list[RunStatistics], int]:
    """Return the sums of all readable records, and an exit code; print an error for each unreadable one."""
    from bot.record.stats import statistics_of  # slow to import

    sums: list[RunStatistics] = []
    code = 0
    for place in places:
        try:
            record = load_record(place)
        except BotError as error:
            complain(str(error))
            code = code or error.exit_code
            continue
        for words in record.missing:
            note(f"{place}: {words}")
        sums.append(statistics_of(record))
    return sums, code


def _draw(sums: Sequence[RunStatistics], plot: Path) -> None:
    from bot.record.stats import draw  # slow to import

    try:
        draw(sums, plot)
        note(f"the plot is in {plot}")
    except OSError as error:
        raise RecordError(f"the plot {plot} cannot be written: {error.strerror}") from error


_FIGURES = (  # heading, key in the JSON object, and format
    ("seconds", "seconds", ".2f"),
    ("3BV/s", "bbbv_per_second", ".1f"),
    ("IOE", "ioe", ".2f"),
    ("clicks", "clicks", ".1f"),
    ("guesses", "guesses", ".2f"),
    ("misreads", "misreads", "d"),
    ("sent again", "retries", "d"),
    ("ms to decide", "ms_to_decide", ".1f"),
)


def _print(sums: Sequence[RunStatistics]) -> None:
    headings = ["record", "games", "rounds", "won, %", "95 %", *(heading for heading, _, _ in _FIGURES)]
    print_table("records", headings, map(_row, sums))
    for line in _guess_words(sums[-1]):
        say(line)


def _row(one: RunStatistics) -> list[str]:
    values, rate = one.as_json(), one.rate
    won = f"{100 * rate.value:.1f}" if one.games else "-"
    sure = f"{100 * rate.low:.1f}-{100 * rate.high:.1f}" if one.games else "-"
    known = ((values[name], form) for _, name, form in _FIGURES)
    figures = ["-" if value is None else format(value, form) for value, form in known]
    return [one.name, str(one.games), str(one.rounds), won, sure, *figures]


def _guess_words(one: RunStatistics) -> Iterator[str]:
    """Yield a line that compares lost guesses with their expected number, and one about the columns."""
    if one.guesses:
        lost, expected = sum(guess.lost for guess in one.guesses), sum(guess.risk for guess in one.guesses)
        guesses = counted(len(one.guesses), "guess", "guesses")
        yield f"{guesses} with an exact risk: {lost} lost the game, {expected:.1f} expected"
    yield "seconds, 3BV/s and IOE are medians of the games that were won; clicks and guesses are means"
