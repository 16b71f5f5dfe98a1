"""Measure how long decisions take on large boards, and how many are estimates; every proof is checked.

Run from the repository root: ``python tests/bench large 100x100/2000 --games 9``. Games begin with an opening
in the corner. With ``--told`` a mine that is opened is shown and the game goes on, which leads to larger
frontiers than real games have. With ``--scattered 0.3`` such games begin with this share of the safe cells
open, at random places. A decision is one call of the kernel for a board: its risks, and a guess if nothing is
proven. Times are milliseconds of one thread.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.bench.plan import LARGEST, SMALLEST
from bot.board import Board, Cell, FirstClick, State
from bot.counting_rules import near, neighbour_sum
from bot.game.simulation import BASE_SEED, mines_of_games
from bot.levels import parse_level
from bot.solver.analysis import analyse
from bot.solver.guess import POLICIES

LEVELS = ("100x100/2000", "200x200/10000")
GUESSES = 20  # the most guesses in a game that begins scattered
Cells = npt.NDArray[np.bool_]
clock = time.perf_counter if sys.platform == "win32" else time.thread_time


@dataclass(slots=True)
class Course:
    """The decisions of some games: milliseconds of each, whether it was exact, and some counts."""

    ms: list[float] = field(default_factory=list)
    exact: list[bool] = field(default_factory=list)
    guesses: int = 0
    hit: int = 0
    won: int = 0


class Field:
    """A game: its mines and the visible states of its cells."""

    def __init__(self, mined: Cells) -> None:
        self.mined, self.numbers = mined, neighbour_sum(mined.astype(np.int8))
        self.states = np.full(mined.shape, State.COVERED, np.int8)

    def open(self, cells: Cells) -> None:
        """Open cells that are not mines, and the neighbours of every zero among them."""
        while cells.any():
            self.states[cells] = self.numbers[cells]
            cells = near(cells & (self.numbers == 0)) & (self.states == State.COVERED)

    @property
    def board(self) -> Board:
        """The board as a player sees it."""
        return Board(self.states, int(self.mined.sum()))

    @property
    def left(self) -> bool:
        """Whether a safe cell is still covered."""
        return bool(((self.states == State.COVERED) & ~self.mined).any())


def check(risks: npt.NDArray[np.float64], field: Field) -> None:
    """End the program if a proof is wrong."""
    if field.mined[risks == 0].any() or not field.mined[risks == 1].all():
        sys.exit(f"a proof is wrong:\n{field.board}")


def play(field: Field, course: Course, strategy: str, told: bool, most: int) -> None:
    """Play a game to its end, or up to ``most`` guesses, and add its decisions to ``course``."""
    guesses = 0
    while field.left and guesses < most:
        board, began = field.board, clock()
        analysis = analyse(board)
        risks, exact = analysis.risks, analysis.exact
        safe = risks == 0
        if not safe.any():
            safe = np.zeros(board.shape, np.bool_)
            safe.flat[analysis.guess(POLICIES[strategy]).cell] = True
            guesses += 1
        course.ms.append(1000 * (clock() - began))
        course.exact.append(exact)
        check(risks, field)
        if (field.mined & safe).any():
            course.hit += 1
            field.states[safe] = State.MINE
            if not told:
                break
        else:
            field.open(safe)
    course.guesses += guesses
    course.won += not field.left


def games(rows: int, cols: int, mines: int, count: int, scattered: float) -> Iterator[Field]:
    """Yield the games, with their first cells open."""
    for seed in range(BASE_SEED, BASE_SEED + count):
        mined = mines_of_games(rows, cols, mines, [seed], Cell(0, 0), FirstClick.OPENING)[0] == 1
        game = Field(mined.reshape(rows, cols))
        begin = np.zeros((rows, cols), np.bool_)
        begin[0, 0] = not scattered
        if scattered:
            begin = (np.random.default_rng(seed).random((rows, cols)) < scattered) & ~game.mined
        game.open(begin)
        yield game


def row(level: str, course: Course, count: int) -> list[str]:
    """Return the table row for the games of a level."""
    ms = np.array(course.ms)
    middle, rare, worst = np.percentile(ms, [50, 99, 100])
    return [
        level,
        f"{count}, {course.won} won",
        f"{len(ms)}, {course.guesses} guesses, {course.hit} mines hit",
        f"{middle:.1f} / {rare:.1f} / {worst:.0f}",
        f"{100 * (1 - np.mean(course.exact)):.2f} %",
    ]


def main() -> None:
    """Play the chosen games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    levels = f"{' and '.join(LEVELS)} if none is named"
    parser.add_argument("levels", nargs="*", default=LEVELS, metavar="ROWSxCOLS/MINES", help=levels)
    parser.add_argument("--games", type=int, default=20, metavar="N", help="of each; 20")
    parser.add_argument("--strategy", default="best", choices=sorted(POLICIES))
    parser.add_argument("--told", action="store_true", help="play on after a mine")
    parser.add_argument(
        "--scattered", type=float, default=0.0, metavar="SHARE", help="of cells open at first"
    )
    asked = parser.parse_args()
    table = Table("board", "games", "decisions", "median / p99 / worst ms", "estimates")
    for level in asked.levels:
        rows, cols, mines = astuple(parse_level(level, SMALLEST, LARGEST))
        course = Course()
        most = GUESSES if asked.scattered else rows * cols
        begun = games(rows, cols, mines, asked.games, asked.scattered)
        for game in track(begun, level, asked.games, console=Console(stderr=True)):
            play(game, course, asked.strategy, asked.told or asked.scattered > 0, most)
        table.add_row(*row(level, course, asked.games))
    console = Console()
    console.width = max(console.width, 120)
    console.print(table)


if __name__ == "__main__":
    main()
