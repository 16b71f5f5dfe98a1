"""Compute the best first click of small boards and of the three levels, for each rule of the first click.

Run from the repository root: ``python tests/bench first_clicks --write``. On the boards on which whole games
can be searched (two rows or more, up to 25 cells, 200,000 placements of mines), the wins of the best play are
counted for each first cell, over all placements; not by winmine's rule, since its boards are larger. On the
three levels, "fast" plays games for each first cell near a corner, and more with the four best cells.
``--write`` stores the table where the solver finds it. Of cells that are as good (on the levels: within the
error), the first one is taken, on the levels the usual one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import combinations, product
from math import comb, isqrt, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from bot.bench.plan import Boards, PlayOptions, Unit, fingerprint
from bot.bench.running import local, play_compiled
from bot.bench.statistics import Z
from bot.board import Board, Cell, FirstClick, neighbours
from bot.levels import LEVELS, Level
from bot.solver import STRATEGIES
from bot.solver.analysis import analyse
from bot.solver.guess import FIRST_CLICKS, usual_first_cell
from bot.solver.kernel.endgame import begin_search, wins_after
from bot.solver.kernel.layout import MINED, SMALL_BOARD

MOST_PLACEMENTS = 200_000
RULES = FirstClick.SAFE, FirstClick.OPENING, FirstClick.WINMINE
NEAR = 5  # rows and columns from the corner on the levels
SEED = 40_000_000
EQUAL = 1e-9


class Row(NamedTuple):
    """A row of the table: the best first cell of a board, and the chance to win with it in percent."""

    rows: int
    cols: int
    mines: int
    rule: str
    row: int
    col: int
    wins: float


def small_boards() -> Iterator[tuple[int, int, int]]:
    """Yield rows, columns (no fewer) and mines of the boards on which whole games are searched."""
    for rows in range(2, isqrt(SMALL_BOARD) + 1):
        for cols in range(rows, SMALL_BOARD // rows + 1):
            for mines in range(1, rows * cols):
                if comb(rows * cols, mines) <= MOST_PLACEMENTS:
                    yield rows, cols, mines


def placements(cells: int, mines: int) -> npt.NDArray[np.int8]:
    """Return all placements of mines, (placements, cells), 1 for a mine."""
    chosen = np.array(list(combinations(range(cells), mines)), np.intp).reshape(-1, mines)
    found = np.zeros((len(chosen), cells), np.int8)
    np.put_along_axis(found, chosen, 1, axis=1)
    return found


def searched(board: tuple[int, int, int]) -> list[Row]:
    """Return the best first cell of a board by each rule, by a search of all games."""
    rows, cols, mines = board
    every = placements(rows * cols, mines)
    workspace = analyse(Board.covered(rows, cols, mines)).workspace
    end = workspace.endgame
    end.budget, budget = 1 << 60, end.budget
    end.cell[: rows * cols] = end.number[: rows * cols] = range(rows * cols)
    end.mined[: every.size] = every.ravel()
    begin_search(workspace.position, end, len(every))
    safe, opening = dict[Cell, float](), dict[Cell, float]()
    for row, col in product(range((rows + 1) // 2), range((cols + 1) // 2)):
        index, free = row * cols + col, rows * cols - 1 - len(neighbours(rows, cols, Cell(row, col)))
        safe[Cell(row, col)] = wins_after(end, index, MINED - 1) / comb(rows * cols - 1, mines)
        if mines <= free:
            opening[Cell(row, col)] = wins_after(end, index, 0) / comb(free, mines)
    end.budget = budget
    found = list[Row]()
    for rule, rates in ((FirstClick.SAFE, safe), (FirstClick.OPENING, opening)):
        if rates:
            best = max(rates.values())
            cell = next(cell for cell, rate in rates.items() if rate > best - EQUAL)
            found.append(Row(rows, cols, mines, rule.value, *cell, round(100 * best, 4)))
    return found


def won(boards: Boards, start: int, stop: int) -> int:
    """Return how many of the games from ``start`` to ``stop`` "fast" wins."""
    unit = Unit(boards, STRATEGIES["fast"], start, stop, PlayOptions(), fingerprint())
    return sum(game.won for game in play_compiled(unit))


def played(level: Level, rule: FirstClick, games: int) -> Row:
    """Return the best first cell of a level by games."""
    rows, cols, mines = level.rows, level.cols, level.mines
    usual = usual_first_cell(rows, cols, rule)
    near = [Cell(*place) for place in product(range(NEAR), range(NEAR))]
    if rule is FirstClick.WINMINE:
        near += [Cell(rows - 1 - cell.row, cols - 1 - cell.col) for cell in near]
    boards = {cell: Boards(rows, cols, mines, rule, cell, SEED) for cell in near}
    few = games // 20
    first = {cell: won(one, 0, few) for cell, one in boards.items()}
    good = sorted(first, key=lambda cell: -first[cell])[:4]
    more = {cell: won(boards[cell], few, few + games) for cell in {*good, usual}}
    best = max(more, key=lambda cell: more[cell])
    if more[best] - more[usual] < Z * sqrt(2 * more[best] * (1 - more[best] / games)):
        best = usual
    return Row(rows, cols, mines, rule.value, *best, round(100 * more[best] / games, 2))


def main() -> None:
    """Print the table, and store it if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200_000, help="on a level, for each of the best cells")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--write", action="store_true", help="store the table for the solver")
    asked = parser.parse_args()
    boards = list(small_boards())
    levels = list(product(LEVELS.values(), RULES))
    console = Console(stderr=True)
    with local(asked.jobs) as crew:
        of_levels = crew.executor.map(partial(played, games=asked.games), *zip(*levels, strict=True))
        of_boards = crew.executor.map(searched, boards)
        found = [row for rows in track(of_boards, "boards", len(boards), console=console) for row in rows]
        found += track(of_levels, "levels", len(levels), console=console)
    text = "".join(",".join(map(str, row)) + "\n" for row in [Row._fields, *found])
    if asked.write:
        FIRST_CLICKS.write_text(text, encoding="utf-8")
        print(f"written: {FIRST_CLICKS}")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
