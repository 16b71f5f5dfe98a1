"""The fault table: the bot plays a game that misbehaves, and a referee checks that it breaks no rule.

::

    python tests/live/faults.py --games 50 --fault lost --fault moves
    python tests/live/faults.py --wine --games 50 --fault moved

For each fault the real command plays games of our own Minesweeper on a virtual screen; with ``--wine`` the
Windows build plays WineMine there. The fault strikes at a random moment of each game. If a run stops, another
one starts, until enough games have been struck. Prints one row per fault, or one object with ``--json``.
Linux only.

Under Wine the referee's hook delays each click, so that Wine may handle its release before its press. With
``--unwatched`` there is no hook: then only buttons that stay pressed are checked, not clicks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import wine_faults
import x11_faults
from bot.errors import BotError, LaunchError, UsageError
from bot.signals import ended_by_signals
from bot.targets.launch import virtual_display, wine_prefix
from referee import Outcome
from windows_python import UnavailableError, windows_python
from wine_match import WineMatch
from x11_match import X11Match

FAULTS = {fault.name: fault for fault in x11_faults.FAULTS}
WINE_FAULTS = {fault.name: fault for fault in wine_faults.FAULTS}
MOST = 10  # the most games in one run
MOST_EMPTY = 5  # the most runs in a row without a struck game
SEED = 10_000_000


@dataclass
class Row:
    """The results for one fault. ``games`` counts struck games, ``stops`` messages with exit codes."""

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

    def add(self, played: Outcome) -> None:
        """Add the results of a run."""
        self.games += played.struck
        self.won += played.won
        self.lost += played.lost
        self.clicks += len(played.run.presses)
        self.stuck += played.stuck
        self.under_way += played.verdict.under_way
        self.broken += played.verdict.broken
        if played.code:
            self.stopped += 1
            words = f"{played.words} [{played.code}]"
            self.stops[words] = self.stops.get(words, 0) + 1

    def filled(self, games: int, match: X11Match | WineMatch, kept: Path | None) -> Iterator[Row]:
        """Play until the fault has struck ``games`` games; yield the row after each run.

        The record of a run that breaks a rule is copied into the folder ``kept``.
        """
        empty = 0
        while self.games < games and empty < MOST_EMPTY:
            played = match.play(min(MOST, games - self.games))
            empty = 0 if played.struck else empty + 1
            self.add(played)
            if kept and played.run.record and played.verdict.broken:
                copytree(played.run.record, kept / f"{self.fault}-{self.games}", dirs_exist_ok=True)
            yield self


def rows(given: argparse.Namespace) -> Iterator[Row]:
    """Test the chosen faults at each speed; yield their rows after each run."""
    speeds = given.speed or (("max",) if given.wine else ("max", "20"))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        faults: dict[str, Any] = WINE_FAULTS if given.wine else FAULTS
        if unknown := [name for name in given.fault if name not in faults]:
            raise UsageError(f"there is no fault {unknown[0]!r}: choose from {', '.join(faults)}")
        stack.enter_context(virtual_display())
        started: Callable[..., X11Match | WineMatch] = X11Match
        if given.wine:
            try:
                python = windows_python()
            except UnavailableError as error:
                raise LaunchError(str(error)) from error
            wine = stack.enter_context(wine_prefix())
            started = partial(WineMatch, wine=wine, python=python, watched=not given.unwatched)
        bar = stack.enter_context(Progress(*columns, console=Console(stderr=True)))
        for fault in (faults[name] for name in given.fault or faults):
            for speed in speeds:
                with started(fault, given.seed, speed) as match:
                    yield from followed(
                        Row(fault.name, speed).filled(given.games, match, given.keep), bar, given.games
                    )


def followed(grown: Iterable[Row], bar: Progress, games: int) -> Iterator[Row]:
    """Yield the rows of one fault, show their progress on ``bar``, and print the rules that were broken."""
    task, known = bar.add_task("", total=games), 0
    for row in grown:
        bar.update(task, completed=row.games, description=f"{row.fault} at {row.speed}")
        for words in row.broken[known:]:
            bar.console.print(f"{row.fault}: {words}", markup=False)
        known = len(row.broken)
        yield row


def table(found: Sequence[Row]) -> Table:
    """Return the rows as a table."""
    headings = ("fault", "speed", "games", "won", "lost", "stopped", "stuck", "clicks", "under way", "broken")
    drawn = Table(*headings, "stopped with")
    for row in found:
        counts = (row.games, row.won, row.lost, row.stopped, row.stuck, row.clicks)
        lists = (len(row.under_way), len(row.broken))
        words = "\n".join(f"{number} x {stop}" for stop, number in row.stops.items())
        drawn.add_row(row.fault, row.speed, *map(str, (*counts, *lists)), words)
    return drawn


def main() -> None:
    """Print the rows when all are complete, or as far as they are after an interruption; then exit.

    The exit code is 1 if a rule was broken, if a run hung, or if a BotError ended the program.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fault", action="append", default=[], help=", ".join(FAULTS))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--speed", action="append", default=[], help="as for minebot play; max and 20")
    parser.add_argument("--wine", action="store_true", help=f"in the Windows build: {', '.join(WINE_FAULTS)}")
    parser.add_argument("--unwatched", action="store_true", help="judge what stays pressed there, not clicks")
    parser.add_argument("--keep", type=Path, help="a folder for the records of runs that break a rule")
    parser.add_argument("--json", action="store_true")
    given, found = parser.parse_args(), dict[tuple[str, str], Row]()
    try:
        for row in rows(given):
            found[row.fault, row.speed] = row
    except BotError as error:
        sys.exit(str(error))
    finally:
        if given.json and found:
            print(json.dumps([asdict(row) for row in found.values()]), flush=True)
        elif found:
            Console(width=160).print(table(list(found.values())))
    sys.exit(any(row.broken or row.stuck for row in found.values()))


if __name__ == "__main__":
    main()
