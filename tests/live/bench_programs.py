"""Play real programs that nothing is known of, with and without a window manager, and say what came of it.

Run from the repository root: ``python tests/bench programs``.
No skin, no key, no total of mines is given, and nobody helps. The programs come from Debian (``apt-get
install sgt-puzzles ace-of-penguins xbomb openbox``); others are named with ``--also TITLE COMMAND``, where
TITLE is how their window's title begins. All boards that were read in a game have to agree with the mines at
its end.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.desktop.protocols import Window
from bot.errors import BotError
from bot.play import GameResult, Look, Settings
from bot.targets.launch import terminated_by_signals, virtual_display
from bot.vision import save_picture
from checked_first_sight import Checker
from players import player_on
from programs import at_rest, busy_processes, window_manager, window_of


@dataclass(frozen=True, slots=True)
class Program:
    """A program by what its window's title begins with, and how it is started."""

    title: str
    command: tuple[str, ...]

    def owns(self, window: Window) -> bool:
        """Return whether a window is the program's."""
        return window.title.startswith(self.title)


PROGRAMS: Mapping[str, Program] = {
    "sgt-puzzles": Program("Mines", ("sgt-mines", "9x9n10")),
    "ace-of-penguins": Program("The Ace of Penguins", ("ace-minesweeper",)),
    "xbomb": Program("XBomb", ("xbomb",)),
}


@dataclass
class Outcome:
    """What came of one program; ``unchecked`` are games whose end did not show all mines."""

    name: str
    managed: bool
    games: int = 0
    wins: int = 0
    unknown: int = 0
    misread: int = 0
    unchecked: int = 0
    seconds: float = 0.0
    words: str = ""


@contextmanager
def started(program: Program) -> Iterator[Window]:
    """Start a program in a home of its own; yield its window."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = {
            **os.environ,
            "PATH": f"{os.environ['PATH']}:/usr/games",
            "HOME": home,
            "LANG": "C.UTF-8",
        }
        folder = next((Path(part).parent for part in program.command if Path(part).is_file()), Path.cwd())
        with chdir(folder), window_of([*program.command], environment, program.title, program.owns) as window:
            yield at_rest(window)  # it may look for its pictures in its folder


def play(name: str, program: Program, games: int, *, managed: bool, pictures: Path | None) -> Outcome:
    """Play ``games`` games of a program on the display."""
    outcome, checker, told = Outcome(name, managed), Checker(), list[str]()

    def end(result: GameResult, look: Look) -> None:
        outcome.games += 1
        outcome.wins += result.won is True
        outcome.unknown += result.won is None
        checker.end(outcome.games, look)
        keep(look, f"end-{outcome.games:02d}")

    def keep(look: Look, what: str = "doubt") -> str:
        if pictures is None:
            return "no folder: give --pictures"
        path = pictures / f"{name}-{'managed' if managed else 'bare'}-{what}.png"
        save_picture(path, look.frame.pixels)
        return str(path)

    begun = time.monotonic()
    heard = {"on_round": checker.round, "on_end": end, "keep": keep, "tell": told.append}
    with window_manager() if managed else nullcontext():
        try:
            with started(program) as window, player_on(window, Settings(games), heard) as player:
                for _ in player.play():
                    pass
        except BotError as problem:
            outcome.words = f"{type(problem).__name__}: {problem}"
    outcome.words = "; ".join([outcome.words, *dict.fromkeys(told)] if outcome.words else dict.fromkeys(told))
    outcome.misread, outcome.unchecked = len(checker.misread), len(checker.unchecked)
    outcome.seconds = time.monotonic() - begun
    return outcome


def table(outcomes: list[Outcome], games: int) -> Table:
    """Return the outcomes as a table."""
    shown = Table(title=f"programs that nothing is known of, {games} games each")
    for heading in (
        "program",
        "window manager",
        "ended",
        "won",
        "unknown",
        "misread",
        "unchecked",
        "s a game",
    ):
        shown.add_column(heading, justify="left" if heading in ("program", "window manager") else "right")
    shown.add_column("what was said", overflow="fold")
    for one in outcomes:
        each = f"{one.seconds / one.games:.1f}" if one.games else "-"
        numbers = (one.games, one.wins, one.unknown, one.misread, one.unchecked)
        shown.add_row(one.name, "yes" if one.managed else "no", *map(str, numbers), each, one.words)
    return shown


def main() -> None:
    """Play the programs and print what came of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--also", nargs=2, action="append", default=[], metavar=("TITLE", "COMMAND"))
    parser.add_argument("--busy", type=int, default=0, help="so many processes compute meanwhile")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    programs = {**PROGRAMS, **{title: Program(title, tuple(shlex.split(line))) for title, line in given.also}}
    chosen = [name for name in programs if not given.only or name in given.only]
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    managers = (False, True) if shutil.which("openbox") else (False,)
    runs = [(name, managed) for name in chosen for managed in managers]
    outcomes = []
    with terminated_by_signals(), virtual_display(1600, 1200), busy_processes(given.busy):
        for name, managed in track(runs, "playing", console=Console(file=sys.stderr)):
            played = play(name, programs[name], given.games, managed=managed, pictures=given.pictures)
            outcomes.append(played)
    Console(width=160).print(table(outcomes, given.games))


if __name__ == "__main__":
    main()
