"""Play many games by the real command, and see whether its memory and open handles stay as they are.

::

    python tests/live/soak.py --games 5000 --level beginner

Starts WineMine, or with ``--target builtin`` our own game, on a virtual screen if there is none. Prints one
JSON object: what the process held after the first games, after each hundred, and before the last. Linux only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.errors import BotError
from bot.targets import find_target, parse_level
from bot.targets.launch import launched, launched_builtin

FIRST = 100  # games, until all that is kept for good has been made, and between two looks


@dataclass(frozen=True, slots=True)
class Use:
    """What a process holds: its memory and the most that it was (resident, in MB), its files, its threads."""

    games: int
    memory: float
    peak: float
    handles: int
    threads: int

    @classmethod
    def of(cls, process: int, games: int) -> Use:
        """Return what the process holds now."""
        folder = Path("/proc") / str(process)
        lines = (line.partition(":") for line in (folder / "status").read_text().splitlines())
        status = {name: value.split() for name, _, value in lines}
        memory, peak = (int(status[name][0]) / 1024 for name in ("VmRSS", "VmHWM"))
        handles = len(list((folder / "fd").iterdir()))
        return cls(games, round(memory, 1), round(peak, 1), handles, int(status["Threads"][0]))


class Soak:
    """A run of ``minebot play``, whose games are counted as it tells of them."""

    def __init__(self, target: str, games: int, speed: str, pictures: str) -> None:
        self.games = games
        self.uses: list[Use] = []
        self.results: list[dict[str, Any]] = []
        self.sums: dict[str, Any] = {}
        options = ["--target", target, "--games", str(games), "--speed", speed, "--pictures", pictures]
        self._command = [sys.executable, "-m", "bot", "play", "--json", *options]

    def play(self) -> Iterator[int]:
        """Play; yield how many games are over, after each. All output of the command goes where ours goes."""
        with subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    told = json.loads(line)
                    if "ended_by" in told:
                        self.sums = told
                        break
                    self.results.append(told)
                    if not len(self.results) % FIRST or len(self.results) in (1, self.games - 1):
                        self.uses.append(Use.of(process.pid, len(self.results)))
                    yield len(self.results)
            finally:
                process.terminate()

    def summary(self) -> dict[str, Any]:
        """Return what was held when, and the sums of the run."""
        return growth(self.uses) | {"sums": self.sums}


def growth(uses: list[Use]) -> dict[str, Any]:
    """Return what was held when, and how much more it was at last than after the first games."""
    told: dict[str, Any] = {"uses": [asdict(use) for use in uses]}
    if len(uses) >= 2:
        first, last = next((use for use in uses if use.games == FIRST), uses[0]), uses[-1]
        told["memory_growth"] = round(last.memory / first.memory - 1, 4)
        told["more_handles"] = last.handles - first.handles
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--level", default="beginner")
    parser.add_argument("--speed", default="max")
    parser.add_argument("--target", choices=("winemine", "builtin"), default="winemine")
    options = parser.parse_args()
    start = launched if options.target == "winemine" else launched_builtin
    level = parse_level(options.level, find_target(options.target))
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with ExitStack() as stack:
        pictures = stack.enter_context(tempfile.TemporaryDirectory())
        try:
            stack.enter_context(start(level))
        except BotError as error:
            sys.exit(str(error))
        soak = Soak(options.target, options.games, options.speed, pictures)
        progress = stack.enter_context(Progress(*columns, console=console))
        task = progress.add_task("", total=options.games)
        for count in soak.play():
            won = sum(result["won"] for result in soak.results)
            progress.update(task, completed=count, description=f"{won} won")
    print(json.dumps(soak.summary()))


if __name__ == "__main__":
    main()
