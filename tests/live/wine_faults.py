"""The fault table under Wine: the Windows build plays the Windows game, and the desktop does what it may.

::

    python tests/live/wine_faults.py --games 50 --fault moved --fault closed

For each fault the real command of the Windows build plays WineMine on a virtual screen of its own; the fault
strikes at a random moment of each game. A run that stops is begun again, until as many games have been
struck. Prints one row a fault, or with ``--json`` one object. Linux only.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.errors import BotError, UsageError
from bot.screen.launch import ended_by_signals, virtual_display, wine_prefix
from win32_faults import FAULTS, WineFault
from windows_python import UnavailableError, windows_python
from wine_match import Match, Outcome

MOST_EMPTY = 5  # runs in a row without one struck game
SEED = 10_000_000


@dataclass
class Row:
    """What came of one fault. ``games`` counts those that were struck; ``stops`` words with their code."""

    fault: str
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
        self.won += run.verdict.ended.count(True)
        self.lost += run.verdict.ended.count(False)
        self.clicks += run.verdict.clicks
        self.under_way += run.verdict.under_way
        self.broken += run.verdict.broken
        if run.code is None:
            self.stuck += not run.killed
        elif run.code:
            self.stopped += 1
            words = f"{run.words} [{run.code}]"
            self.stops[words] = self.stops.get(words, 0) + 1


def tested(match: Match, games: int) -> Iterator[Row]:
    """Play until a fault has struck so many games; yield what has come of it so far, run by run."""
    row, empty = Row(match.fault.name), 0
    while row.games < games and empty < MOST_EMPTY:
        run = match.play(games - row.games)
        empty = 0 if run.struck else empty + 1
        row.add(run)
        yield row


def shown(rows: Sequence[Row]) -> Table:
    """Return the table of the rows."""
    headings = ("fault", "games", "won", "lost", "stopped", "stuck", "clicks", "under way", "broken")
    table = Table(*headings, "stopped with")
    for row in rows:
        counts = (row.games, row.won, row.lost, row.stopped, row.stuck, row.clicks)
        lists = (len(row.under_way), len(row.broken))
        words = "\n".join(f"{number} x {stop}" for stop, number in row.stops.items())
        table.add_row(row.fault, *map(str, (*counts, *lists)), words)
    return table


def chosen(names: Sequence[str]) -> list[WineFault]:
    """Return the faults of those names, all if there are none. Raises UsageError for a name of none."""
    known = {fault.name: fault for fault in FAULTS}
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"there is no fault {unknown[0]!r}: choose of {', '.join(known)}")
    return [known[name] for name in names or known]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fault", action="append", default=[], help=", ".join(one.name for one in FAULTS))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--speed", default="max")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    rows: list[Row] = []
    with ExitStack() as stack:
        try:
            faults, python = chosen(given.fault), windows_python()
            stack.enter_context(ended_by_signals())
            stack.enter_context(virtual_display())
            wine = stack.enter_context(wine_prefix())
        except (BotError, UnavailableError) as error:
            sys.exit(str(error))
        progress = stack.enter_context(Progress(*columns, console=Console(stderr=True)))
        for fault in faults:
            task = progress.add_task(fault.name, total=given.games)
            rows.append(Row(fault.name))
            with Match(fault, random.Random(given.seed), wine, python, given.speed) as match:
                for row in tested(match, given.games):
                    rows[-1] = row
                    progress.update(task, completed=row.games)
            for words in (*rows[-1].broken, *rows[-1].under_way):
                progress.console.print(f"{fault.name}: {words}", markup=False)
    if given.json:
        print(json.dumps([asdict(row) for row in rows]))
    else:
        Console(width=160).print(shown(rows))
    sys.exit(any(row.broken or row.stuck for row in rows))


if __name__ == "__main__":
    main()
