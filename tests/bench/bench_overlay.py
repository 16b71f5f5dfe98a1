"""Measure how soon marks follow a changed position on the screen, and how much processor time they use.

Run from the repository root: ``python tests/bench overlay``. On a virtual screen, a dry run marks expert
games of WineMine while a simulated user clicks on the suggested cells. The screen is captured all the time.
Times count from the first picture in which the board has changed after a click. ``change to new marks`` ends
with the first picture of the final state with its marks, ``change to old marks gone`` when the clicked cell
no longer has its mark. ``click to change`` is the game's own response to right clicks, with and without the
dry run. The shares of one processor are those of the dry run and of the process that shows the marks.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from bot.board import Cell
from bot.capture import ScreenCapture
from bot.desktop import ScreenMouse, open_desktop
from bot.desktop.protocols import Button, Window
from bot.geometry import Grid, Pixels, Point, Rect
from bot.levels import EXPERT
from bot.targets.launch import Wine, virtual_display, wine_prefix, winemine
from conftest import wait_for
from shown import START, DryRun, compositor, dry_run, is_next

MOVES = 200
SETTLED = 0.4  # seconds without a change after which a picture counts as that of the new marks
PATIENCE = 20.0  # seconds in which a click must lead to new marks
REST = 10.0  # seconds for which processor time is measured while nobody clicks
ANSWERS = 60  # right clicks to measure, with the dry run and without
GRID = Grid(5, 52, 16, 16, 16, 30)  # of WineMine's expert board in its window
_FAR = Cell(15, 29)
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Tally:
    """Times in milliseconds, one per click."""

    updated: list[float] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    answered_alone: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """The pictures of the board since a click, each with the time in seconds when it was first seen."""

    clicked: float
    shots: list[tuple[float, Pixels]]

    @property
    def changed(self) -> float:
        """The time at which the board first looked different from before the click."""
        return self.shots[1][0]

    def settled(self, now: float) -> bool:
        """Return whether the last picture has stayed for `SETTLED` seconds."""
        return len(self.shots) > 1 and now > self.shots[-1][0] + SETTLED


class User:
    """A simulated user who plays WineMine and watches the screen."""

    def __init__(self, window: Window, capture: ScreenCapture, mouse: ScreenMouse) -> None:
        self.window, self.capture, self.mouse = window, capture, mouse
        self.rect: Rect = GRID.rect.moved(window.client.x, window.client.y)

    def board(self) -> Pixels:
        return self.capture.grab(self.rect).pixels

    def marked(self, pixels: Pixels, cell: Cell) -> bool:
        """Return whether a picture of the board shows the mark of the suggested click at a cell."""
        return is_next(pixels, GRID.moved(-GRID.x, -GRID.y), cell)

    def marks(self) -> list[Cell]:
        pixels = self.board()
        cells = (Cell(row, col) for row, col in np.ndindex(GRID.rows, GRID.cols))
        return [cell for cell in cells if self.marked(pixels, cell)]

    def click(self, cell: Cell, button: Button, enough: Callable[[Film, float], bool]) -> Film:
        """Click on a cell and capture the board until ``enough(film, now)``, or until `PATIENCE` is over."""
        x, y = GRID.centre(cell)
        before = self.board()
        point = Point(self.window.client.x + int(x), self.window.client.y + int(y))
        self.mouse.click(point, button)
        film = Film(time.perf_counter(), [(0.0, before)])
        while not enough(film, now := time.perf_counter()) and now < film.clicked + PATIENCE:
            pixels = self.board()
            if not np.array_equal(pixels, film.shots[-1][1]):
                film.shots.append((time.perf_counter(), pixels))
        return film

    def answers(self) -> list[float]:
        """Return the milliseconds from right clicks on a new board to the first change after each."""
        self.mouse.press("f2")
        time.sleep(1.0)  # until the board and its marks are drawn again
        films = [
            self.click(_FAR, Button.RIGHT, lambda film, _now: len(film.shots) > 1) for _ in range(ANSWERS)
        ]
        return [1000 * (film.changed - film.clicked) for film in films]


def play(run: DryRun, user: User, moves: int, tally: Tally) -> None:
    """Click on suggested cells until ``moves`` moves are measured; F2 starts new games."""
    told = run.next(START)
    while told is not None and len(tally.updated) < moves:
        hint = told["hint"]
        if hint is None or hint["row"] is None:
            user.mouse.press("f2")
            told = run.next(PATIENCE)
            continue
        cell = Cell(hint["row"], hint["col"])
        wait_for(lambda cell=cell: user.marks() == [cell], PATIENCE)  # type: ignore[misc]  # called at once
        film = user.click(cell, Button.LEFT, Film.settled)
        told = run.next(PATIENCE)
        while told is not None and (later := run.next(0.1)) is not None:
            told = later
        if told is not None and user.marks():
            measure(film, user, cell, tally)


def measure(film: Film, user: User, cell: Cell, tally: Tally) -> None:
    stale = [at for at, pixels in film.shots[1:] if user.marked(pixels, cell)]
    until = next((at for at, _ in film.shots if stale and at > stale[-1]), film.changed)
    tally.gone.append(1000 * (until - film.changed))
    tally.updated.append(1000 * (film.shots[-1][0] - film.changed))


def seconds_used(process: int) -> float:
    """Return the processor time in seconds that a process and all its descendants have used."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    return (int(stat[11]) + int(stat[12])) / _TICKS + sum(seconds_used(int(child)) for child in children)


def share_at_rest(process: int) -> float:
    """Return the share of one processor that a process and its descendants use during `REST` seconds."""
    before, start = seconds_used(process), time.perf_counter()
    time.sleep(REST)
    return (seconds_used(process) - before) / (time.perf_counter() - start)


@contextmanager
def game(wine: Wine) -> Iterator[User]:
    with (
        winemine(wine, EXPERT) as window,
        closing(ScreenCapture()) as capture,
        closing(open_desktop()) as desktop,
    ):
        desktop.raise_window(window)
        yield User(window, capture, ScreenMouse())


def line(table: Table, name: str, values: Sequence[float]) -> None:
    median, high = np.percentile(values, [50, 99])
    table.add_row(name, str(len(values)), f"{median:.1f}", f"{high:.1f}", f"{max(values):.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--compositor", default="", help="a compositor to be run, with its options")
    options = parser.parse_args()
    tally = Tally()
    with ExitStack() as stack:
        stack.enter_context(virtual_display())
        above = options.compositor.split()
        stack.enter_context(compositor(*above) if above else nullcontext())
        wine = stack.enter_context(wine_prefix())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with game(wine) as user:
            tally.answered_alone = user.answers()
        with game(wine) as user, dry_run(folder) as run:
            start, used = time.perf_counter(), 0.0
            play(run, user, options.moves, tally)
            used = seconds_used(run.process.pid) / (time.perf_counter() - start)
            at_rest = share_at_rest(run.process.pid)
            tally.answered = user.answers()
    table = Table("milliseconds", "clicks", "median", "p99", "most")
    line(table, "change to new marks", tally.updated)
    line(table, "change to old marks gone", tally.gone)
    line(table, "click to change, with marks", tally.answered)
    line(table, "click to change, without", tally.answered_alone)
    console = Console(width=100)
    console.print(table)
    console.print(f"of one processor: {used:.1%} while it is played (start included), {at_rest:.1%} at rest")


if __name__ == "__main__":
    main()
