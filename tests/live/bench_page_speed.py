"""Measure full-speed games on the test page against a blind replay of the same clicks.

Run from the repository root: ``python tests/bench page_speed``. The bot has no skin for the page and learns
its look during play. Then the clicks of each won game are sent once more, without reading the screen, to a
page with the same mines, as in ``python tests/bench play``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping
from contextlib import closing
from functools import partial

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.bench_play import Burst, Notes, replay
from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse
from bot.errors import BotError
from bot.levels import LEVELS, Level
from bot.play.look import Look
from bot.play.results import Settings
from bot.signals import ended_by_signals
from bot.targets.launch import virtual_display
from page import ARTS, open_page
from programs import player_on

SEED = 5000
SIZE = 1400, 900  # pixels of the window


def measure(level: Level, games: int, art: str) -> list[tuple[float, float]]:
    """Play ``games`` games; return the seconds of each won game and of its replay.

    Raises BotError if the games cannot be played, or if a replay ends differently from its game.
    """
    shown = partial(open_page, level.rows, level.cols, level.mines, art=art, size=SIZE)
    console, notes = Console(stderr=True), Notes()
    won: list[tuple[int, float, Look, list[Burst]]] = []
    with (
        shown(seed=SEED) as page,
        player_on(page.window, Settings(games), notes, speed="max", on_sent=notes.sent) as player,
    ):
        played = track(player.play(), f"playing {level}", total=games, console=console)
        for number, result in enumerate(played):
            if result.won and notes.final is not None:
                won.append((number, result.seconds, notes.final, notes.bursts))
    times = []
    for number, seconds, final, bursts in track(won, "replaying", console=console):
        board = final.frame.on_screen(final.reading.grid.rect)
        with shown(seed=SEED + number) as page, closing(ScreenCapture()) as capture:
            picture = final.frame.crop(board).pixels
            again = replay(bursts, capture, ScreenMouse(), page.window.client, board, picture)
        times.append((seconds, again.seconds))
    return times


def table(found: Mapping[str, list[tuple[float, float]]]) -> Table:
    """Return a table with the medians of each level."""
    drawn = Table(
        "level", "won", "the bot", "replay", "ratio", title="seconds of a game that was won: medians"
    )
    for name, times in found.items():
        mine, blind = (statistics.median(seconds) for seconds in zip(*times, strict=True))
        drawn.add_row(name, str(len(times)), f"{mine:.3f}", f"{blind:.3f}", f"{mine / blind:.2f}")
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--levels", nargs="+", choices=("beginner", "expert"), default=["beginner", "expert"])
    parser.add_argument("--art", choices=ARTS, default="sprites")
    given = parser.parse_args()
    try:
        with ended_by_signals(), virtual_display(1600, 1000):
            found = {name: measure(LEVELS[name], given.games, given.art) for name in given.levels}
    except BotError as error:
        sys.exit(str(error))
    if not all(found.values()):
        sys.exit("no game of a level was won: play more with --games")
    Console(width=100).print(table(found))


if __name__ == "__main__":
    main()
