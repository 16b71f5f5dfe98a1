"""Play WineMine on the screen, and compare every cell that was read with the true board.

::

    python tests/live/checked_play.py --games 300 --level beginner --speed max

Prints one JSON object, which includes this process's memory and open handles after the first hundred games
and after the last. WineMine must be on the screen; ``--launch`` (Linux) starts it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bot.clicker.style import Flags
from bot.desktop import open_desktop
from bot.desktop.protocols import Button
from bot.errors import BotError, GameNotFoundError
from bot.play.look import Look
from bot.play.results import GameResult, Settings
from bot.signals import ended_by_signals
from bot.targets.catalogue import find_game, find_target, parse_level
from bot.vision import load_skins, save_picture
from programs import Listeners, player_on
from truth import TruthChecker

FIRST = 100  # games after which everything that is kept for good has been loaded


@dataclass(frozen=True, slots=True)
class Use:
    """The resources of a process: resident memory now and at most (in MB), open files, threads."""

    games: int
    memory: float
    peak: float
    handles: int
    threads: int

    @classmethod
    def of(cls, process: int, games: int) -> Use:
        """Return the resources that ``process`` uses now."""
        folder = Path("/proc") / str(process)
        lines = (line.partition(":") for line in (folder / "status").read_text().splitlines())
        status = {name: value.split() for name, _, value in lines}
        memory, peak = (int(status[name][0]) / 1024 for name in ("VmRSS", "VmHWM"))
        handles = len(list((folder / "fd").iterdir()))
        return cls(games, round(memory, 1), round(peak, 1), handles, int(status["Threads"][0]))


def growth(uses: list[Use]) -> dict[str, Any]:
    """Return all ``uses``, and the growth from the first games to the last."""
    told: dict[str, Any] = {"uses": [asdict(use) for use in uses]}
    if len(uses) >= 2:
        first, last = next((use for use in uses if use.games == FIRST), uses[0]), uses[-1]
        told["memory_growth"] = round(last.memory / first.memory - 1, 4)
        told["more_handles"] = last.handles - first.handles
    return told


def play(
    games: int,
    level: str,
    speed: str,
    pictures: Path | None = None,
    flags: Flags = Flags.NONE,
    chord: Button = Button.MIDDLE,
) -> dict[str, object]:
    """Play games of WineMine; return the figures of the run and all differences from the true boards."""
    checker, results, wanted = TruthChecker(), [], parse_level(level, find_target("winemine"))
    uses: list[Use] = []

    def end(result: GameResult, look: Look) -> None:
        checker.end(result, look)
        results.append(result)
        if sys.platform == "linux" and len(results) in (1, FIRST, games):
            uses.append(Use.of(os.getpid(), len(results)))
        if pictures is not None:
            save_picture(pictures / f"game-{len(results):04d}.png", look.frame.pixels)
        print(
            f"\r{len(results)} of {games} games, {sum(r.won is True for r in results)} won",
            end="",
            file=sys.stderr,
        )

    error = ""
    with closing(open_desktop()) as desktop:
        found = find_game(desktop, "winemine")
    if found is None:
        raise GameNotFoundError("start WineMine first, or give --launch")
    target, settings = replace(found[0], chord=chord), Settings(games, wanted, flags=flags)
    told = Listeners(round=checker.round, end=end)
    with player_on(found[1], settings, told, target=target, skins=load_skins(), speed=speed) as player:
        try:
            for _ in player.play():
                pass
        except BotError as problem:
            error = f"{type(problem).__name__}: {problem}"
    print(file=sys.stderr)
    return summary(games, level, results, checker, error) | growth(uses)


def summary(
    games: int, level: str, results: list[GameResult], checker: TruthChecker, error: str
) -> dict[str, object]:
    """Return the figures of a run. ``seconds_won`` is the median time from the first click to the win."""
    wins = [result for result in results if result.won]
    return {
        "level": level,
        "games": len(results),
        "not_finished": games - len(results),
        "wins": len(wins),
        "win_rate": len(wins) / len(results) if results else None,
        "seconds_won": statistics.median(result.seconds for result in wins) if wins else None,
        "misread_cells": len(checker.misread),
        "false_proofs": len(checker.false_proofs),
        "wrong_ends": len(checker.wrong_ends),
        "different_boards": len(checker.boards),
        "looks_again": sum(result.misreads for result in results),
        "clicks": sum(result.spent.total for result in results),
        "flags": sum(result.spent.right for result in results),
        "chords": sum(result.spent.chords for result in results),
        "ioe": _mean([result.measures["ioe"] for result in results if result.measures]),
        "clicks_again": sum(result.retries for result in results),
        "error": error,
    }


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.mean(known) if known else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", default="beginner")
    parser.add_argument("--speed", default="max")
    parser.add_argument("--flags", default="none")
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--launch", action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        if options.launch:
            from bot.targets.launch import launched

            stack.enter_context(ended_by_signals())  # so that the programs started here end as well
            winemine = find_target("winemine")
            stack.enter_context(launched(winemine, parse_level(options.level, winemine)))
        flags = Flags(options.flags)
        print(json.dumps(play(options.games, options.level, options.speed, options.pictures, flags)))


if __name__ == "__main__":
    main()
