"""Print what it is worth to know winmine's rule: a mine under the first click moves to the top left.

Run from the repository root: ``python tests/bench winmine --games 2000``. The same
boards are played from each first cell twice: once with the chances of that rule, once with all placements
of mines taken to be equally likely, as under other rules. To choose a first cell, give a ``--seed`` of your
own, so that it is not chosen on the boards that it is measured on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.bench.plan import parse_first, parse_size
from bot.bench.statistics import Estimate, difference, win_rate
from bot.board import Cell, FirstClick
from bot.game.simulation import BASE_SEED, mines_of_games
from bot.solver.engine import guess_policy
from bot.solver.guess import POLICIES
from kernel_checks import engine, play_many

CELLS = ("0,0", "0,29", "15,0", "15,29", "8,15")
BATCH = 100
Won = npt.NDArray[np.bool_]


def batches(start: int, games: int) -> Sequence[tuple[int, int]]:
    stop = start + games
    return [(begin, min(begin + BATCH, stop)) for begin in range(start, stop, BATCH)]


def played(size: tuple[int, int, int], first: Cell, strategy: str, seeds: range) -> Iterator[Won]:
    """Yield which of the boards of ``seeds`` are won with and without the rule."""
    rows, cols, mines = size
    boards = mines_of_games(rows, cols, mines, seeds, first, FirstClick.WINMINE)
    policy = guess_policy(POLICIES[strategy])
    for moved in (True, False):
        index = first.row * cols + first.col
        won, _ = play_many(engine(rows, cols), policy, boards, mines, index, moved=moved)
        assert (won >= 0).all(), f"a wrong proof on boards {seeds}"
        yield won > 0


def row(cell: str, won: Won) -> list[str]:
    """Return the line of the table for wins with and without the rule, (2, games)."""
    rates = [_shown(win_rate(int(wins.sum()), len(wins))) for wins in won]
    return [cell, *rates, _shown(difference(won[0], won[1]))]


def _shown(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.2f}\n{100 * estimate.low:.2f} to {100 * estimate.high:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="16x30/99")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=BASE_SEED)
    parser.add_argument("--strategy", choices=list(POLICIES), default="best")
    parser.add_argument("--first", nargs="+", default=CELLS, metavar="ROW,COL")
    options = parser.parse_args()
    size = parse_size(options.level)
    console, table = (
        Console(),
        Table("first cell", "by the rule, %", "all alike, %", "gain, points"),
    )
    for text in options.first:
        first, found = parse_first(text, *size, FirstClick.WINMINE), list[Won]()
        work = batches(options.seed, options.games)
        for start, stop in track(work, text, console=Console(stderr=True)):
            found.append(np.array(list(played(size, first, options.strategy, range(start, stop)))))
        table.add_row(*row(text, np.concatenate(found, axis=1)))
    console.print(f"{options.strategy}, {options.level}, {options.games} boards from seed {options.seed}")
    console.print(table)


if __name__ == "__main__":
    main()
