"""Count the functions and files of the bot that run between a picture and the click that follows it.

Run from the repository root: ``PYTHONPATH=.:tests python tests/tools/count_passes.py --list``. A game is
played on the simulated screen. A way begins after a capture of the screen that follows the last clicks, and
ends before the next clicks are sent. `sys.setprofile` notes each function of ``bot`` that is entered in
between, once; lambdas and comprehensions belong to the function around them. The way with the median number
of functions is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from rich.console import Console
from rich.table import Table

import bot
from bot.capture import PatientCapture
from bot.levels import EXPERT
from bot.play.results import Settings
from bot.play.watcher import BoardWatcher
from simulated import SimulatedScreen
from watched_player import WatchedPlayer, screen

HOME = Path(bot.__file__).parent
Passes = dict[tuple[str, str], int]  # calls by file and function, in order of the first call


class Counter:
    """Counts the functions entered between a capture and the clicks that follow it."""

    def __init__(self) -> None:
        self.ways: list[Passes] = []
        self._now: Passes | None = None
        self._known: dict[CodeType, tuple[str, str] | None] = {}

    def grabbed(self) -> None:
        """Begin a way, unless one has already begun."""
        if self._now is None:
            self._now = {}

    def sent(self) -> None:
        """End the current way, if there is one."""
        if self._now:
            self.ways.append(self._now)
        self._now = None

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Count a function that is entered."""
        if self._now is None or event != "call":
            return
        code = frame.f_code
        if code not in self._known:
            path = Path(code.co_filename)
            named = not code.co_name.startswith("<") and path.is_relative_to(HOME)
            self._known[code] = (str(path.relative_to(HOME)), code.co_qualname) if named else None
        if (entered := self._known[code]) is not None:
            self._now[entered] = self._now.get(entered, 0) + 1


@contextmanager
def _between(screen: SimulatedScreen, counter: Counter) -> Iterator[None]:
    """Call ``counter`` at each capture and each burst of clicks, and for each function in the block."""
    grab, burst = screen.grab, screen.burst

    def grabbed(*args: Any) -> Any:
        try:
            return grab(*args)
        finally:
            counter.grabbed()

    def sent(*args: Any) -> Any:
        counter.sent()
        return burst(*args)

    vars(screen).update(grab=grabbed, burst=sent)
    sys.setprofile(counter)
    try:
        yield
    finally:
        sys.setprofile(None)


def ways(games: int) -> list[Passes]:
    """Return the functions of each way, without the first way of each game."""
    there, counter = screen(level=EXPERT), Counter()
    watcher = BoardWatcher(PatientCapture(there, there.clock, there), [there.skin], there.window)
    player = WatchedPlayer(there, Settings(games), watcher=watcher).player
    found: list[Passes] = []
    with _between(there, counter):
        for _ in player.play():
            found += counter.ways[1:]
            counter.ways.clear()
    return found


def main() -> None:
    """Print the way with the median number of functions."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="list the functions, too")
    args = parser.parse_args()
    found = sorted(ways(args.games), key=len)
    way = found[len(found) // 2]
    console = Console()
    if args.list:
        table = Table("file", "functions, in the order in which they are entered")
        for file in dict.fromkeys(file for file, _ in way):
            table.add_row(file, ", ".join(name for place, name in way if place == file))
        console.print(table)
    files = {file for file, _ in way}
    console.print(f"{len(found)} ways; the median one passes {len(way)} functions in {len(files)} files")


if __name__ == "__main__":
    main()
