"""How a benchmark is shown while it runs, and summed up when it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from types import TracebackType
from typing import NamedTuple, Self

from rich.box import SIMPLE
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.bench.memory import peak_memory
from bot.bench.plan import Played
from bot.bench.results import Results, Summary
from bot.bench.statistics import Estimate, difference, mean, win_rate
from bot.cli.output import begin, console, print_json, side_console

_WIDTH = 150  # figures are never cut off: a narrower terminal breaks the lines
_PAUSE = 10.0  # seconds between two lines of progress where there is no terminal


class BenchReport:
    """A progress bar with the running rates; a table and the differences, or JSON lines, at the end.

    With ``outcomes`` the JSON tells how each game ended, however many there are.
    """

    def __init__(self, results: Sequence[Results], *, json_lines: bool, outcomes: bool = False) -> None:
        self._results, self._json, self._outcomes = results, json_lines, outcomes
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[rates]}", markup=False),
            console=side_console(),
        )
        total = sum(one.games for one in results)
        there = sum(one.count for one in results)
        self._task = self._progress.add_task("", total=total, completed=there, rates="")
        self._told = time.monotonic()
        self._memory = 0.0

    def add(self, results: Results, start: int, played: Played) -> None:
        """Take in some games and show how far everything is."""
        self._progress.update(self._task, advance=results.add(start, played))
        self._memory = max(self._memory, played.memory)
        now = time.monotonic()
        if self._progress.console.is_terminal:
            self._progress.update(self._task, rates=self._rates())
        elif now - self._told >= _PAUSE:
            self._told = now
            self._progress.console.print(self._rates(), markup=False)

    def __enter__(self) -> Self:
        """Begin to show progress, on a terminal only."""
        begin(self._progress)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Sum up, also when the run was stopped: all games up to the first that is missing."""
        if self._progress.console.is_terminal:
            self._progress.stop()
        summaries = [one.summary() for one in self._results]
        if self._json:
            for summary in summaries:
                print_json(summary.as_json(outcomes=self._outcomes))
        else:
            self._print(summaries)

    def _print(self, summaries: Sequence[Summary]) -> None:
        out = console()
        out.width = max(out.width, _WIDTH)
        out.print(_table(summaries))
        for line in (*_differences(summaries), *_advantages(summaries)):
            out.print(line, markup=False)
        if peak_memory() and self._memory:
            here, playing = (f"{most:.0f} MB" for most in (peak_memory(), self._memory))
            out.print(f"most memory: {here} here, {playing} where games were played", markup=False)

    def _rates(self) -> str:
        """Return the rates so far, one by one where they are few."""
        several = len({one.boards for one in self._results}) > 1
        return " · ".join(
            f"{f'{one.boards.level} ' if several else ''}{one.strategy} {_rate(one)}" for one in self._results
        )


def _rate(results: Results) -> str:
    count = results.count
    rate = f"{100 * results.wins / count:.2f} % of {count}" if count else "-"
    against = results.how.against
    return f"{rate}, {_points(results.gain)} over {against.strategy}" if against and count > 1 else rate


def _table(summaries: Sequence[Summary]) -> Table:
    boards = summaries[0].of.boards
    levels = {one.of.boards.level for one in summaries}
    firsts = {one.of.boards.first for one in summaries}
    title = [
        *(levels if len(levels) == 1 else []),
        f"rule {boards.rule.value}",
        *[f"first click {first.row},{first.col}" for first in firsts if len(firsts) == 1],
        f"boards from seed {boards.seed}",
    ]
    table = Table(title=", ".join(title), box=SIMPLE, padding=(0, 1, 0, 0))
    unwanted = {"level"} if len(levels) == 1 else set[str]()
    unwanted |= {"stuck, %"} if summaries[0].of.how.guess else set()
    columns = [column for column in _COLUMNS if column.heading not in unwanted]
    for column in columns:
        words = column.heading in ("level", "strategy")
        table.add_column(column.heading, justify="left" if words else "right", no_wrap=True)
    for summary in summaries:
        table.add_row(*(column.text(summary) for column in columns))
    return table


class _Column(NamedTuple):
    heading: str
    text: Callable[[Summary], str]


def _won(summary: Summary) -> Estimate:
    return win_rate(int(summary.won.sum()), len(summary.won))


def _ms(name: str) -> Callable[[Summary], str]:
    return lambda summary: f"{getattr(summary.times, name):.3f}" if summary.times else "-"


def _decision(ms: float | None) -> str:
    return "-" if ms is None else f"{ms:.3f}"


_COLUMNS = (
    _Column("level", lambda one: one.of.boards.level),
    _Column("strategy", lambda one: one.of.strategy),
    _Column("games", lambda one: str(len(one.won))),
    _Column("won, %", lambda one: f"{100 * _won(one).value:.2f}" if len(one.won) else "-"),
    _Column(
        "95 %", lambda one: f"{100 * _won(one).low:.2f}-{100 * _won(one).high:.2f}" if len(one.won) else "-"
    ),
    _Column("stuck, %", lambda one: f"{100 * one.stuck.mean():.2f}" if len(one.won) else "-"),
    _Column("ms a game", _ms("mean")),
    _Column("median", _ms("median")),
    _Column("99 %", _ms("p99")),
    _Column("longest", _ms("max")),
    _Column("ms a decision: 99 %", lambda one: _decision(one.of.slow_decision)),
    _Column("longest", lambda one: _decision(one.of.slowest_decision)),
    _Column("guesses", lambda one: f"{one.guesses.mean():.2f}" if len(one.won) else "-"),
)


def _differences(summaries: Sequence[Summary]) -> Iterator[str]:
    """Compare every two strategies on the boards that both have played."""
    for one, other in combinations(summaries, 2):
        games = min(len(one.won), len(other.won))
        if one.of.boards == other.of.boards and games:
            found = difference(other.won[:games], one.won[:games])
            yield (
                f"{one.of.boards.level}: {other.of.strategy} - {one.of.strategy} = {_points(found)} "
                f"on the same {games} boards"
            )


def _advantages(summaries: Sequence[Summary]) -> Iterator[str]:
    """Tell how much more often each strategy wins than the one with which its guesses were compared."""
    for one in summaries:
        against, games = one.of.how.against, len(one.won)
        if against is not None and games:
            yield (
                f"{one.of.boards.level}: {one.of.strategy} - {against.strategy} = "
                f"{_points(mean(one.gained))} by the advantages of {games} games, where "
                f"{one.differing.mean():.2f} guesses a game differ, played out {against.games} times each"
            )


def _points(found: Estimate) -> str:
    return f"{100 * found.value:+.2f} points ({100 * found.low:+.2f} to {100 * found.high:+.2f})"
