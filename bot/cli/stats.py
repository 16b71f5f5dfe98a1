"""``minebot stats``: statistics of recorded runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.charts import save_charts
from bot.cli.terminal import complain, note, print_json, print_table, say
from bot.errors import BotError
from bot.files import check_output, check_spares
from bot.record.lines import LINES, load_record
from bot.record.stats import RunStatistics, charts_of, combined, statistics_of
from bot.words import counted, measure_name, measure_words


def stats(
    records: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders written by `minebot play --record`."),
    ],
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            help="Draw wins, times, speed and lost guesses by risk into this file.",
            dir_okay=False,
        ),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a record, then one with all of them.")
    ] = False,
) -> None:
    """Sum up recorded runs: games won, times, clicks, guesses, and lost guesses compared with their risk."""
    if plot is not None:
        check_output(plot, "--plot", ".svg")
        check_spares(plot, "--plot", [place / LINES for place in records])
    sums, code = _loaded(records)
    if sums:
        every = [*sums, combined(sums)] if len(sums) > 1 or json_lines else sums
        if json_lines:
            for one in every:
                print_json(one.as_json())
        else:
            headings = ["record", "games", "rounds", "won, %", "95 %", *map(measure_name, _COLUMNS)]
            print_table("records", headings, map(_row, every))
            for line in _guess_words(every[-1]):
                say(line)
        if plot is not None:
            save_charts(plot, charts_of(sums), 3)
            note(f"the plot is in {plot}")
    if code:
        raise typer.Exit(code)


def _loaded(places: Sequence[Path]) -> tuple[list[RunStatistics], int]:
    """Return the sums of all readable records, and an exit code; print an error for each unreadable one."""
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


_COLUMNS = (  # keys in the JSON object
    *("seconds", "bbbv_per_second", "ioe", "clicks", "guesses", "misreads", "retries", "ms_to_decide"),
)


def _row(one: RunStatistics) -> list[str]:
    values, rate = one.as_json(), one.rate
    won = f"{100 * rate.value:.1f}" if one.games else "-"
    sure = f"{100 * rate.low:.1f}-{100 * rate.high:.1f}" if one.games else "-"
    figures = (measure_words(name, values[name], "-") for name in _COLUMNS)
    return [one.name, str(one.games), str(one.rounds), won, sure, *figures]


def _guess_words(one: RunStatistics) -> Iterator[str]:
    """Yield a line that compares lost guesses with their expected number, and one about the columns."""
    if one.guesses:
        lost, expected = sum(guess.lost for guess in one.guesses), sum(guess.risk for guess in one.guesses)
        guesses = counted(len(one.guesses), "guess", "guesses")
        yield f"{guesses} with an exact risk: {lost} lost the game, {expected:.1f} expected"
    yield "seconds, 3BV/s and IOE are medians of the games that were won; clicks and guesses are means"
