"""Play all placements of mines on small boards, and compare the wins with the exact optimum.

Run from the repository root: ``python tests/bench small_boards``. With ``--first``, it instead tries every
first cell of the boards whose games are searched to their end, and prints the best cells; those that are not
where `bot.solver.guess.first_click` begins otherwise are in its table.
"""

from __future__ import annotations

import argparse
from itertools import product

from rich.console import Console
from rich.progress import track
from rich.table import Table

from all_placements import OPTIMA, WAYS, win_rate
from bot.board import Cell, FirstClick

HEADINGS = ("board", "safe corner", "safe, own cell", "opening, corner", "no promise, own cell")
SEARCHED = {(4, 4): range(2, 9), (4, 5): range(2, 6), (4, 6): range(2, 5), (5, 5): range(2, 5)}


def compare() -> Table:
    """Return a table of win rates, each with what it lacks to the optimum."""
    table = Table(*HEADINGS, title="wins of all placements, % (lacking to the optimum)")
    for (rows, cols, mines), optimum in track(OPTIMA.items(), "boards"):
        rates = [win_rate(rows, cols, mines, rule, first) for rule, first in WAYS]
        row = [f"{rate:.4f} ({best - rate:.4f})" for rate, best in zip(rates, optimum, strict=True)]
        table.add_row(f"{rows}x{cols}/{mines}", *row)
    return table


def best_first_cells() -> Table:
    """Return a table of the best first cells by the rule of the first click, as row, column from 0."""
    table = Table("board", "safe, or no promise", "opening", title="best first cell, and wins in %")
    for (rows, cols), counts in SEARCHED.items():
        cells = [Cell(*place) for place in product(range((rows + 1) // 2), range((cols + 1) // 2))]
        for mines in track(counts, f"{rows}x{cols}"):
            found = []
            for rule, room in ((FirstClick.SAFE, 1), (FirstClick.OPENING, 9)):
                if mines > rows * cols - room:
                    continue
                rates = {cell: win_rate(rows, cols, mines, rule, cell) for cell in cells}
                best = max(rates, key=lambda cell: rates[cell])
                found.append(f"{best.row}, {best.col}: {rates[best]:.4f}")
            table.add_row(f"{rows}x{cols}/{mines}", *found)
    return table


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", action="store_true", help="compute the best first cells instead")
    Console().print(best_first_cells() if parser.parse_args().first else compare())


if __name__ == "__main__":
    main()
