"""How long games take at full speed, against a blind replay of the same clicks on the same boards.

Run from the repository root: ``python tests/bench play --games 40``. WineMine is started on
a virtual screen of its own (Linux only). Each game that the bot wins is played once more by nobody: its
clicks are sent again, burst by burst, to a game with the same mines, and after each burst nothing but a
change of the screen is waited for. The two medians give the bot's own share of its time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bench.blind_replay import Burst, GameMemory, Replay, mines_of, process_of, replay
from bench.timed_parts import Stopwatch, TimedCapture, TimedDesktop, TimedMouse, TimedWatcher
from bot.capture import ScreenCapture
from bot.clicker import MaxPace
from bot.clicker.mouse import ScreenMouse
from bot.clicker.style import Style, parse_flags
from bot.desktop import open_desktop
from bot.desktop.protocols import Stroke, Window
from bot.errors import BotError
from bot.geometry import Point
from bot.levels import Level
from bot.play import GameResult, Look, Player, Round, Settings
from bot.targets import find_target, parse_level
from bot.targets.launch import virtual_display, wine_prefix, winemine
from bot.vision import load_skins

WINEMINE = find_target("winemine")


@dataclass(frozen=True, slots=True)
class Parts:
    """The seconds of each part of a game, those of them in which the bot was at work, and its calls."""

    seconds: Mapping[str, float]
    processor: Mapping[str, float]
    calls: Mapping[str, float]

    @classmethod
    def of(cls, watch: Stopwatch) -> Parts:
        return cls(dict(watch.seconds), dict(watch.processor), dict(watch.calls))


@dataclass(frozen=True, slots=True)
class Measured:
    """A game that was won, and its replay."""

    result: GameResult
    replay: Replay
    parts: Parts

    @property
    def ratio(self) -> float:
        return self.result.seconds / self.replay.seconds


@dataclass
class Notes:
    """What is taken down of the game under way."""

    stopwatch: Stopwatch
    bursts: list[list[Stroke]] = field(default_factory=list)
    parts: Parts | None = None
    final: Look | None = None

    def round(self, turn: Round) -> None:
        if turn.number == 1:
            self.bursts.clear()
            self.parts = None
            self.stopwatch.restart()
        self.bursts.append([])

    def sent(self, strokes: Sequence[Stroke]) -> None:
        if self.bursts:
            self.bursts[-1] += strokes

    def ended(self) -> None:
        self.parts = self.parts or Parts.of(self.stopwatch)

    def end(self, _: GameResult, look: Look) -> None:
        self.final = look

    def sent_bursts(self) -> list[Burst]:
        return [tuple(burst) for burst in self.bursts if burst]


class Bench:
    """Plays games in a window and replays those that are won."""

    def __init__(self, window: Window, level: Level, style: Style, stack: ExitStack) -> None:
        desktop = stack.enter_context(closing(open_desktop()))
        self.capture = stack.enter_context(closing(ScreenCapture()))
        self.mouse, self.window = ScreenMouse(), window
        self.memory = GameMemory(process_of(window.handle), level.rows, level.cols, level.mines)
        watch = Stopwatch()
        self.notes = Notes(watch)
        there = TimedDesktop(desktop, watch)
        mouse = TimedMouse(self.mouse, watch, self.notes.sent)
        watcher = TimedWatcher(
            TimedCapture(self.capture, watch), there, load_skins(), watch, window, pointer=mouse.position
        )
        watcher.stopwatch, watcher.ended = watch, self.notes.ended
        self.player = Player(
            watcher,
            mouse,
            there,
            WINEMINE,
            MaxPace(),
            watch,
            Settings(0, level, style=style),
            on_round=self.notes.round,
            on_end=self.notes.end,
        )

    def play(self) -> Iterator[tuple[GameResult, Measured | None]]:
        """Play game after game; yield each, and what was measured if it was won."""
        for result in self.player.play():
            yield result, self._replayed(result) if result.won else None

    def _replayed(self, result: GameResult) -> Measured:
        """Replay the game that was just won; its pointer is put back to where the player left it."""
        notes, here = self.notes, self.mouse.position()
        assert notes.final is not None
        assert notes.parts is not None
        reading, frame = notes.final.reading, notes.final.frame
        parts, bursts = notes.parts, notes.sent_bursts()
        self.player.game.new_game(notes.final)
        self.memory.lay(mines_of(reading.board))
        board = frame.on_screen(reading.grid.rect)
        self.mouse.move(Point(board.x, board.y - 4))
        self.mouse.move(here)
        again = replay(bursts, self.capture, self.mouse, self.window.client, board, frame.crop(board).pixels)
        self.mouse.move(here)
        return Measured(result, again, parts)


def row(name: str, values: list[float], digits: int = 3) -> list[str]:
    cut = statistics.quantiles(values, n=20) if len(values) > 1 else values * 19
    return [name, *(f"{value:.{digits}f}" for value in (statistics.median(values), cut[0], cut[-1]))]


def summary(games: int, played: list[Measured]) -> dict[str, Any]:
    """Return the figures of a run: medians over the games that were won."""
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
        "clicks": statistics.mean(one.result.clicks for one in played),
        "clicks_again": sum(one.result.retries for one in played),
        "looks_again": sum(one.result.misreads for one in played),
        "bbbv": statistics.mean(one.result.bbbv or 0 for one in played),
        "parts": _means([one.parts.seconds for one in played]),
        "processor": _means([one.parts.processor for one in played]),
        "calls": _means([one.parts.calls for one in played]),
        "replay_grabs": statistics.mean(one.replay.grabs for one in played),
        "replay_waits": statistics.mean(one.replay.waited for one in played),
    }


def _means(counts: list[Mapping[str, float]]) -> dict[str, float]:
    names = sorted({name for count in counts for name in count})
    return {name: statistics.mean(count.get(name, 0.0) for count in counts) for name in names}


def tables(level: Level, found: dict[str, Any], played: list[Measured]) -> Iterator[Table]:
    times = Table(title=f"{found['wins']} of {found['games']} games at {level} were won: seconds a game")
    for heading in ("", "median", "5 %", "95 %"):
        times.add_column(heading, justify="right" if heading else "left")
    times.add_row(*row("the bot", [one.result.seconds for one in played]))
    times.add_row(*row("blind replay", [one.replay.seconds for one in played]))
    times.add_row(*row("ratio", [one.ratio for one in played], 2))
    yield times
    parts = Table(
        title=f"where the bot's time goes: {found['looks']:.0f} looks, {found['clicks']:.0f} clicks"
    )
    for heading in ("", "ms a game", "share", "at work", "calls"):
        parts.add_column(heading, justify="right" if heading else "left")
    whole = sum(found["parts"].values())
    for name, seconds in sorted(found["parts"].items(), key=lambda item: -item[1]):
        share, work = f"{seconds / whole:.0%}", f"{1000 * found['processor'][name]:.1f}"
        parts.add_row(name, f"{1000 * seconds:.1f}", share, work, f"{found['calls'].get(name, 0):.0f}")
    yield parts


def measure(bench: Bench, games: int, console: Console) -> list[Measured]:
    """Return what was measured of so many games; the progress tells the medians so far."""
    played = list[Measured]()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=games)
        try:
            for number, (_, measured) in enumerate(bench.play(), 1):
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
    parser.add_argument("--json", action="store_true", help="print one JSON object in place of the tables")
    options = parser.parse_args()
    level, style = parse_level(options.level, WINEMINE), Style(parse_flags(options.flags))
    with ExitStack() as stack:
        try:
            stack.enter_context(virtual_display())
            window = stack.enter_context(winemine(stack.enter_context(wine_prefix()), level))
            played = measure(Bench(window, level, style, stack), options.games, Console(stderr=True))
        except (BotError, PermissionError) as error:
            sys.exit(str(error))
    if not played:
        sys.exit("no game was won: play more with --games")
    found = summary(options.games, played)
    if options.json:
        print(json.dumps(found))
    else:
        for table in tables(level, found, played):
            Console(width=100).print(table)
        print(f"the bot's median is {found['ratio']:.2f} times that of the replay")


if __name__ == "__main__":
    main()
