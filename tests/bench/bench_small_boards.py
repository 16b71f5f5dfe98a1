"""Play all placements of mines on small boards, and compare the wins with the exact optimum.

Run from the repository root: ``python tests/bench small_boards``.
"""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.progress import track
from rich.table import Table

from all_placements import OPTIMA, WAYS, win_rate

HEADINGS = ("board", "safe corner", "safe, own cell", "opening, corner", "no promise, own cell")


def compare() -> Table:
    """Return a table of win rates, each with what it lacks to the optimum."""
    table = Table(*HEADINGS, title="wins of all placements, % (lacking to the optimum)")
    for (rows, cols, mines), optimum in track(OPTIMA.items(), "boards"):
        rates = [win_rate(rows, cols, mines, rule, first) for rule, first in WAYS]
        row = [f"{rate:.4f} ({best - rate:.4f})" for rate, best in zip(rates, optimum, strict=True)]
        table.add_row(f"{rows}x{cols}/{mines}", *row)
    return table


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    Console().print(compare())


if __name__ == "__main__":
    main()
