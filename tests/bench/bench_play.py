"""Measure how long games take at full speed, compared with a blind replay of the same clicks.

Run from the repository root: ``python tests/bench play --games 40``. WineMine runs on a virtual screen (Linux
only). The clicks of each game that the bot wins are sent again to a game with the same mines, burst by burst;
after each burst the replay only waits until the screen changes. The ratio of the two medians shows how much
time the bot itself adds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.board import State
from bot.capture import ScreenCapture
from bot.clicker.style import Flags
from bot.desktop import ScreenMouse
from bot.desktop.protocols import Button, Capture, Mouse, Stroke, Window
from bot.errors import BotError
from bot.geometry import Pixels, Point, Rect
from bot.levels import Level
from bot.play.look import Look
from bot.play.results import GameResult, Observer, Round, Settings
from bot.record.lines import SentInput
from bot.targets.catalogue import find_target, parse_level
from bot.targets.launch import Wine, virtual_display, wine_prefix, winemine
from bot.vision import load_skins
from programs import player_on
from winemine_memory import Memory

Burst = tuple[Stroke, ...]  # clicks that were sent without a look in between

PATIENCE = 120.0  # seconds in which the screen must change, even on a busy machine
WINEMINE = find_target("winemine")


@dataclass(frozen=True, slots=True)
class Replay:
    """How long a replay took until its final board was shown, and how often it captured the screen."""

    seconds: float
    grabs: int
    waited: float  # seconds of waiting for the screen to change


def replay(
    bursts: Sequence[Burst], capture: Capture, mouse: Mouse, window: Rect, board: Rect, final: Pixels
) -> Replay:
    """Send the bursts; after each, wait until the picture of ``window`` changes, at the end for ``final``.

    ``board`` is the area of the cells on the screen, ``final`` their BGR picture in the won game. Raises
    BotError if the picture that is waited for does not come.
    """
    before, grabs, waited, start = capture.grab(window).pixels, 0, 0.0, time.perf_counter()
    for burst in bursts:
        left = burst
        while left:
            left = left[mouse.burst(left, None, lambda _: None)[0] :]
        began = time.perf_counter()
        while np.array_equal(now := capture.grab(window).pixels, before):
            grabs += 1
            in_time(began, "the screen does not change")
        before, waited = now, waited + time.perf_counter() - began
        grabs += 1
    began = time.perf_counter()
    while not np.array_equal((last := capture.grab(board)).pixels, final):
        grabs += 1
        in_time(began, "the replay ends on another board")
    return Replay(last.time - start, grabs, waited + last.time - began)


def in_time(began: float, complaint: str) -> None:
    if time.perf_counter() > began + PATIENCE:
        raise BotError(complaint)


@dataclass(frozen=True, slots=True)
class Measured:
    """A won game and its replay."""

    result: GameResult
    replay: Replay

    @property
    def ratio(self) -> float:
        return self.result.seconds / self.replay.seconds


class Notes(Observer):
    """The bursts of clicks of the current game, and the final look of the last one."""

    def __init__(self) -> None:
        self.final: Look | None = None
        self._bursts: list[list[Stroke]] = []

    @property
    def bursts(self) -> list[Burst]:
        """The clicks of the game so far, grouped by the looks between them."""
        return [tuple(burst) for burst in self._bursts if burst]

    def sent(self, sent: SentInput) -> None:
        """Add a click; keys are ignored, because they are not part of the game."""
        if self._bursts and sent.point is not None:
            self._bursts[-1].append((sent.point, Button(sent.button)))

    def round(self, turn: Round) -> None:
        if turn.number == 1:
            self._bursts.clear()
        self._bursts.append([])

    def end(self, _: GameResult, look: Look) -> None:
        self.final = look


class Bench:
    """Plays games in WineMine's window and replays those that it wins."""

    def __init__(self, window: Window, wine: Wine, level: Level, flags: Flags, stack: ExitStack) -> None:
        self.capture = stack.enter_context(closing(ScreenCapture()))
        self.memory = stack.enter_context(closing(Memory(wine.prefix, level)))
        self.mouse, self.window, self.notes = ScreenMouse(), window, Notes()
        settings, skins = Settings(0, level, flags=flags), load_skins()
        self.player = stack.enter_context(
            player_on(
                window,
                settings,
                self.notes,
                target=WINEMINE,
                skins=skins,
                speed="max",
                on_sent=self.notes.sent,
            )
        )

    def play(self) -> Iterator[Measured | None]:
        """Play one game after another; yield the measurement of each won game, None for the others."""
        for result in self.player.play():
            yield self._replayed(result) if result.won else None

    def _replayed(self, result: GameResult) -> Measured:
        """Replay the game that was just won; afterwards the pointer is where the player left it."""
        here, final, bursts = self.mouse.position(), self.notes.final, self.notes.bursts
        assert final is not None
        self.player.game.new_game(final)
        self.memory.lay(frozenset(final.reading.board.cells(State.FLAG, State.MINE)))
        board = final.frame.on_screen(final.reading.grid.rect)
        self.mouse.move(Point(board.x, board.y - 4))
        self.mouse.move(here)
        picture = final.frame.crop(board).pixels
        again = replay(bursts, self.capture, self.mouse, self.window.client, board, picture)
        self.mouse.move(here)
        return Measured(result, again)


def row(name: str, values: list[float], digits: int = 3) -> list[str]:
    cut = statistics.quantiles(values, n=20, method="inclusive") if len(values) > 1 else values * 19
    return [name, *(f"{value:.{digits}f}" for value in (statistics.median(values), cut[0], cut[-1]))]


def summary(games: int, played: list[Measured]) -> dict[str, Any]:
    """Return the figures of a run: medians over the won games."""
    mine = [one.result.seconds for one in played]
    blind = [one.replay.seconds for one in played]
    return {
        "games": games,
        "wins": len(played),
        "seconds": statistics.median(mine),
        "replay_seconds": statistics.median(blind),
        "ratio": statistics.median(mine) / statistics.median(blind),
        "ratio_of_games": statistics.median(one.ratio for one in played),
        "looks": statistics.mean(one.result.rounds for one in played),
        "clicks": statistics.mean(one.result.spent.total for one in played),
        "clicks_again": sum(one.result.retries for one in played),
        "looks_again": sum(one.result.misreads for one in played),
        "bbbv": statistics.mean(one.result.bbbv or 0 for one in played),
        "replay_grabs": statistics.mean(one.replay.grabs for one in played),
        "replay_waits": statistics.mean(one.replay.waited for one in played),
    }


def table(level: Level, found: dict[str, Any], played: list[Measured]) -> Table:
    times = Table(title=f"{found['wins']} of {found['games']} games at {level} were won: seconds a game")
    for heading in ("", "median", "5 %", "95 %"):
        times.add_column(heading, justify="right" if heading else "left")
    times.add_row(*row("the bot", [one.result.seconds for one in played]))
    times.add_row(*row("blind replay", [one.replay.seconds for one in played]))
    times.add_row(*row("ratio", [one.ratio for one in played], 2))
    return times


def measure(bench: Bench, games: int, console: Console) -> list[Measured]:
    """Measure ``games`` games; the progress bar shows the median so far."""
    played = list[Measured]()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=games)
        try:
            for number, measured in enumerate(bench.play(), 1):
                played += [measured] if measured else []
                middle = statistics.median(one.result.seconds for one in played) if played else 0.0
                progress.update(task, completed=number, description=f"{len(played)} won, {middle:.2f} s")
                if number == games:
                    break
        except (BotError, KeyboardInterrupt) as end:
            console.print(f"ended early: {end}", markup=False)
    return played


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--level", default="expert")
    parser.add_argument("--flags", default="none")
    parser.add_argument("--json", action="store_true", help="print one JSON object in place of the table")
    options = parser.parse_args()
    level, flags = parse_level(options.level, WINEMINE), Flags(options.flags)
    with ExitStack() as stack:
        try:
            stack.enter_context(virtual_display())
            wine = stack.enter_context(wine_prefix())
            window = stack.enter_context(winemine(wine, level))
            played = measure(Bench(window, wine, level, flags, stack), options.games, Console(stderr=True))
        except BotError as error:
            sys.exit(str(error))
    if not played:
        sys.exit("no game was won: play more with --games")
    found = summary(options.games, played)
    if options.json:
        print(json.dumps(found))
    else:
        Console(width=100).print(table(level, found, played))
        print(f"the bot's median is {found['ratio']:.2f} times that of the replay")


if __name__ == "__main__":
    main()
