"""What a better order of clicks than nearest-first would save: 2-opt, on the rounds of expert games.

Run from the repository root: ``python tests/bench tour``. Both orders begin where the
pointer is and end anywhere; 2-opt begins with the order of nearest-first, and turns parts of it round until
none gets shorter. ``at human pace`` is the time that the pointer is on its way then. At full speed a click
takes as long wherever it is.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.bench_style import FIRST
from bot.board import Cell, FirstClick
from bot.clicker.pace import movement_time
from bot.game.simulation import BASE_SEED, Game
from bot.geometry import nearest_first
from bot.levels import EXPERT
from bot.solver import decide

GAMES = 300
CELL = 16  # pixels
Place = tuple[int, int]


def rounds(seed: int) -> Iterator[tuple[Place, list[Place]]]:
    """Play a game; yield where the pointer is before each round, and the cells that are opened in it."""
    game, here = Game(EXPERT.rows, EXPERT.cols, EXPERT.mines, seed, FirstClick.SAFE), (FIRST.row, FIRST.col)
    game.open(FIRST)
    while not game.over:
        cells = [(move.cell.row, move.cell.col) for move in decide(game.board).moves]
        path = nearest_first(cells, here, lambda place: place)
        yield here, path
        for place in path:
            if not game.over:
                game.open(Cell(*place))
        here = path[-1]


def length(start: Place, path: Sequence[Place]) -> float:
    """Return the length of a way in cells."""
    return sum(float(np.hypot(a[0] - b[0], a[1] - b[1])) for a, b in pairwise([start, *path]))


def seconds(start: Place, path: Sequence[Place]) -> float:
    """Return for how long a hand is on that way."""
    return sum(movement_time(CELL * length(a, [b]), CELL) for a, b in pairwise([start, *path]))


def two_opt(start: Place, path: list[Place]) -> list[Place]:
    """Return the path with parts turned round until that makes it no shorter."""
    best, better = path, True
    while better:
        better = False
        for first, last in combinations(range(len(best) + 1), 2):
            turned = best[:first] + best[first:last][::-1] + best[last:]
            if length(start, turned) < length(start, best) - 1e-9:
                best, better = turned, True
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES)
    options = parser.parse_args()
    sums, spent = np.zeros((2, 2)), np.zeros(2)  # of lengths and seconds, for each order; of processor time
    for seed in track(range(BASE_SEED, BASE_SEED + options.games), console=Console(stderr=True)):
        for start, path in rounds(seed):
            began = time.process_time()
            nearest = nearest_first(path, start, lambda place: place)
            middle = time.process_time()
            turned = two_opt(start, nearest)
            spent += middle - began, time.process_time() - middle
            sums += [[length(start, way), seconds(start, way)] for way in (nearest, turned)]
    table = Table("a game", "nearest first", "2-opt", "saved")
    names = ("way in cells", "at human pace, s")
    for name, (near, turned_round) in zip(names, (sums / options.games).T, strict=True):
        table.add_row(name, f"{near:.1f}", f"{turned_round:.1f}", f"{1 - turned_round / near:.1%}")
    near, turned_round = 1000 * spent / options.games
    table.add_row("to find it, ms", f"{near:.1f}", f"{turned_round:.1f}", "")
    Console().print(table)


if __name__ == "__main__":
    main()
