"""The fault table: the bot plays a window that misbehaves, and a referee sees whether it breaks a rule.

::

    python tests/live/faults.py --games 50 --fault lost --fault moves

For each fault the real command plays games of our own Minesweeper on a virtual screen of its own; the fault
strikes at a random moment of each game. A run that stops is begun again, until as many games have been
struck. Prints one row a fault, or with ``--json`` one object. Linux only.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.errors import BotError, UsageError
from bot.screen.launch.programs import ended_by_signals, virtual_display
from buttons import ButtonWatch
from desktop_faults import DESKTOP_FAULTS
from fault import Fault
from game_faults import GAME_FAULTS
from match import Match, Outcome

FAULTS = {fault.name: fault for fault in (*GAME_FAULTS, *DESKTOP_FAULTS)}
MOST = 10  # games of one run
MOST_EMPTY = 5  # runs in a row without one struck game
SEED = 10_000_000


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
        self.under_way += run.verdict.under_way
        self.broken += run.verdict.broken
        if run.code is None:
            self.stuck += 1
        elif run.code:
            self.stopped += 1
            words = f"{run.words} [{run.code}]"
            self.stops[words] = self.stops.get(words, 0) + 1


def tested(fault: Fault, games: int, seed: int, speed: str) -> Iterator[Row]:
    """Play until a fault has struck so many games; yield what has come of it so far, run by run."""
    row, empty = Row(fault.name, speed), 0
    with ButtonWatch() as watch, Match(fault, random.Random(seed), seed, watch) as match:
        while row.games < games and empty < MOST_EMPTY:
            run = match.play(min(MOST, games - row.games), speed)
            empty = 0 if run.struck else empty + 1
            row.add(run)
            yield row


def shown(rows: Sequence[Row]) -> Table:
    """Return the table of the rows."""
    headings = ("fault", "speed", "games", "won", "lost", "stopped", "stuck", "clicks", "under way", "broken")
    table = Table(*headings, "stopped with")
    for row in rows:
        counts = (row.games, row.won, row.lost, row.stopped, row.stuck, row.clicks)
        lists = (len(row.under_way), len(row.broken))
        words = "\n".join(f"{number} x {stop}" for stop, number in row.stops.items())
        table.add_row(row.fault, row.speed, *map(str, (*counts, *lists)), words)
    return table


def chosen(names: Sequence[str]) -> list[Fault]:
    """Return the faults of those names, all if there are none. Raises UsageError for a name of none."""
    if unknown := [name for name in names if name not in FAULTS]:
        raise UsageError(f"there is no fault {unknown[0]!r}: choose of {', '.join(FAULTS)}")
    return [FAULTS[name] for name in names or FAULTS]


def played(names: Sequence[str], games: int, seed: int, speeds: Sequence[str]) -> Iterator[Row]:
    """Test those faults on a virtual screen, each at those speeds; yield their rows as they grow."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    faults = chosen(names)
    with virtual_display(), Progress(*columns, console=Console(stderr=True)) as progress:
        for fault in faults:
            for speed in speeds:
                task, known = progress.add_task(f"{fault.name} at {speed}", total=games), 0
                for row in tested(fault, games, seed, speed):
                    progress.update(task, completed=row.games)
                    for words in row.broken[known:]:
                        progress.console.print(f"{fault.name}: {words}", markup=False)
                    known = len(row.broken)
                    yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fault", action="append", default=[], help=", ".join(FAULTS))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--speed", action="append", default=[], help="as for minebot play; max and 20")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows: list[Row] = []
    try:
        with ended_by_signals():
            for row in played(given.fault, given.games, given.seed, given.speed or ("max", "20")):
                rows[:] = [*(one for one in rows if one is not row), row]
    except BotError as error:
        sys.exit(str(error))
    finally:  # also of a table that was broken off
        if given.json and rows:
            print(json.dumps([asdict(row) for row in rows]), flush=True)
        elif rows:
            Console(width=160).print(shown(rows))
    sys.exit(any(row.broken or row.stuck for row in rows))


if __name__ == "__main__":
    main()
