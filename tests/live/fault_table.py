"""A table of faults: what came of each, how it is filled run by run, and how it is printed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.errors import BotError, UsageError

MOST_EMPTY = 5  # runs in a row without one struck game
SEED = 10_000_000

Named = TypeVar("Named")


class Verdict(Protocol):
    """What a referee says of a run: broken rules, and clicks that were under way when a fault came."""

    @property
    def broken(self) -> list[str]: ...

    @property
    def under_way(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one run of the bot. ``stuck`` says that it hung, and had to be killed."""

    struck: int
    won: int
    lost: int
    clicks: int
    code: int | None
    words: str
    stuck: bool
    verdict: Verdict


@dataclass
class Row:
    """What came of one fault. ``games`` counts those that were struck; ``stops`` words with their code."""

    fault: str
    speed: str
    games: int = 0
    won: int = 0
    lost: int = 0
    stopped: int = 0
    stuck: int = 0
    clicks: int = 0
    under_way: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    stops: dict[str, int] = field(default_factory=dict)

    def add(self, run: Outcome) -> None:
        """Take in a run."""
        self.games += run.struck
        self.won += run.won
        self.lost += run.lost
        self.clicks += run.clicks
        self.stuck += run.stuck
        self.under_way += run.verdict.under_way
        self.broken += run.verdict.broken
        if run.code:
            self.stopped += 1
            words = f"{run.words} [{run.code}]"
            self.stops[words] = self.stops.get(words, 0) + 1

    def filled(self, games: int, play: Callable[[int], Outcome]) -> Iterator[Row]:
        """Play until the fault has struck so many games; yield the row as it grows, run by run.

        ``play`` is called with the number of games that are missing.
        """
        empty = 0
        while self.games < games and empty < MOST_EMPTY:
            run = play(games - self.games)
            empty = 0 if run.struck else empty + 1
            self.add(run)
            yield self


def last_words(complaints: str) -> str:
    """Return the last line of what a program complains of, without its name."""
    lines = [line for line in complaints.splitlines() if line.strip()]
    return lines[-1].removeprefix("minebot: ") if lines else ""


def chosen(names: Sequence[str], faults: Mapping[str, Named]) -> list[Named]:
    """Return the faults of those names, all if there are none. Raises UsageError for a name of none."""
    if unknown := [name for name in names if name not in faults]:
        raise UsageError(f"there is no fault {unknown[0]!r}: choose of {', '.join(faults)}")
    return [faults[name] for name in names or faults]


def options(words: str, faults: Iterable[str]) -> argparse.ArgumentParser:
    """Return the options of a script that prints a table."""
    parser = argparse.ArgumentParser(description=words.splitlines()[0])
    parser.add_argument("--fault", action="append", default=[], help=", ".join(faults))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--speed", action="append", default=[], help="as for minebot play; max and 20")
    parser.add_argument("--json", action="store_true")
    return parser


def progress() -> Progress:
    """Return what shows on standard error how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


def followed(rows: Iterable[Row], bar: Progress, games: int) -> Iterator[Row]:
    """Yield the rows of one fault as they grow, and show them on ``bar``, which tells of broken rules too."""
    task, known = bar.add_task("", total=games), 0
    for row in rows:
        bar.update(task, completed=row.games, description=f"{row.fault} at {row.speed}")
        for words in row.broken[known:]:
            bar.console.print(f"{row.fault}: {words}", markup=False)
        known = len(row.broken)
        yield row


def print_table(grown: Iterable[Row], *, as_json: bool) -> None:
    """Print the rows once all have grown, or as far as they have if that is broken off, and exit.

    The exit code is 1 if a rule was broken or a run hung, or if an error of the bot's ends it.
    """
    rows: list[Row] = []
    try:
        for row in grown:
            rows[:] = [*(one for one in rows if one is not row), row]
    except BotError as error:
        sys.exit(str(error))
    finally:
        if as_json and rows:
            print(json.dumps([asdict(row) for row in rows]), flush=True)
        elif rows:
            Console(width=160).print(_table(rows))
    sys.exit(any(row.broken or row.stuck for row in rows))


def _table(rows: Sequence[Row]) -> Table:
    headings = ("fault", "speed", "games", "won", "lost", "stopped", "stuck", "clicks", "under way", "broken")
    table = Table(*headings, "stopped with")
    for row in rows:
        counts = (row.games, row.won, row.lost, row.stopped, row.stuck, row.clicks)
        lists = (len(row.under_way), len(row.broken))
        words = "\n".join(f"{number} x {stop}" for stop, number in row.stops.items())
        table.add_row(row.fault, row.speed, *map(str, (*counts, *lists)), words)
    return table
