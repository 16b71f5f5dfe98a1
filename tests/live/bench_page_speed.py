"""How long games on the test page take at full speed, against a blind replay of the same clicks.

Run from the repository root: ``python tests/bench page_speed``. Nothing
is known of the page at first: its art is learned while it is played. Each game that is won is played once
more without the bot: a page with the same mines gets the same clicks, burst by burst, and between two bursts
nothing but a change of the picture is waited for.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.bench_play import Notes
from bench.blind_replay import Burst, replay
from bench.timed_parts import Stopwatch, TimedMouse
from bot.capture import ScreenCapture
from bot.clicker.mouse import ScreenMouse
from bot.levels import LEVELS, Level
from bot.play import GameResult, Look, Settings
from bot.targets.launch import terminated_by_signals, virtual_display
from page import ARTS, open_page
from players import player_on

SEED = 5000
SIZE = 1400, 900  # pixels of the window


@dataclass
class Games:
    """The games of a page in turn; those that were won have their clicks, and how they ended."""

    notes: Notes
    results: list[GameResult] = field(default_factory=list)
    won: dict[int, tuple[Look, list[Burst]]] = field(default_factory=dict)

    def end(self, result: GameResult, look: Look) -> None:
        if result.won:
            self.won[len(self.results)] = look, self.notes.sent_bursts()
        self.results.append(result)


def measure(level: Level, games: int, art: str) -> list[tuple[float, float]]:
    """Play so many games; return the seconds of each that was won, and of its replay."""
    shown = partial(open_page, level.rows, level.cols, level.mines, art=art, size=SIZE)
    watch = Stopwatch()
    noted = Games(Notes(watch))
    listeners = {"on_round": noted.notes.round, "on_end": noted.end}
    mouse = TimedMouse(ScreenMouse(), watch, noted.notes.sent)
    with (
        shown(seed=SEED) as page,
        player_on(page.window, Settings(games), listeners, speed="max", mouse=mouse) as player,
    ):
        for _ in track(player.play(), "playing", total=games, console=Console(stderr=True)):
            pass
    times = []
    for number, (look, bursts) in track(noted.won.items(), "replaying", console=Console(stderr=True)):
        board = look.frame.on_screen(look.reading.grid.rect)
        with shown(seed=SEED + number) as page, closing(ScreenCapture()) as capture:
            final = look.frame.crop(board).pixels
            again = replay(bursts, capture, ScreenMouse(), page.window.client, board, final)
        times.append((noted.results[number].seconds, again.seconds))
    return times


def rows(found: Mapping[str, list[tuple[float, float]]]) -> Table:
    table = Table(title="seconds of a game that was won: medians")
    for heading in ("level", "won", "the bot", "replay", "ratio"):
        table.add_column(heading, justify="left" if heading == "level" else "right")
    for name, times in found.items():
        if times:
            mine, blind = (statistics.median(one) for one in zip(*times, strict=True))
            table.add_row(name, str(len(times)), f"{mine:.3f}", f"{blind:.3f}", f"{mine / blind:.2f}")
        else:
            table.add_row(name, "0", "-", "-", "-")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--levels", nargs="+", choices=("beginner", "expert"), default=["beginner", "expert"])
    parser.add_argument("--art", choices=ARTS, default="sprites")
    given = parser.parse_args()
    with terminated_by_signals(), virtual_display(1600, 1000):
        found = {name: measure(LEVELS[name], given.games, given.art) for name in given.levels}
    Console(width=100, file=sys.stdout).print(rows(found))


if __name__ == "__main__":
    main()
