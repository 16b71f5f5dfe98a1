"""Measure how long placing all mines takes on large scattered fields and on fields of fours.

Run from the repository root: ``python tests/bench solve``. For each share of shown cells there are
``--fields`` fields of 100x100 with a known number of mines, and the same fields with one number raised by
one, which may have no placement. Every placement is checked, character by character; the numbers that are
blamed for a contradiction are checked by brute force if they touch few enough cells. A wrong answer ends the
program. Seconds are wall time, and processor time, which is the time on an otherwise idle machine. Ctrl+C
ends it and prints the results so far.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import placements
from bot.board import Board, Cell, State
from bot.game.simulation import BASE_SEED
from bot.solver.published.urbas import Method, Placement, blame, place
from oracle import fitting

SIZE = 100
FOURS = (placements.lattice_of_fours, placements.stripes_of_fours, placements.knights_of_fours)
FEW = 18  # the most cells for which brute force lists all placements


@dataclass(slots=True)
class Times:
    """Seconds of many searches, in wall time and processor time."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def place(self, board: Board, method: Method) -> Placement | None:
        """Return a placement for ``board`` after checking it, and add the time of the search."""
        began, used = time.perf_counter(), time.process_time()
        found = place(board, method=method)
        self.wall.append(time.perf_counter() - began)
        self.processor.append(time.process_time() - used)
        if found is not None and (wrong := placements.wrong(board, found.full)):
            sys.exit(f"a placement is wrong: {wrong}\n{board}")
        return found

    @property
    def cells(self) -> list[str]:
        """The two cells of these times in the table."""
        return [
            f"{np.median(seconds):.2f} / {np.quantile(seconds, 0.99):.2f} / {max(seconds):.2f}"
            if seconds
            else "-"
            for seconds in (self.wall, self.processor)
        ]


@dataclass(slots=True)
class Answers:
    """The answers for fields of one kind."""

    times: Times = field(default_factory=Times)
    placed: int = 0
    by_constraints: int = 0
    none: int = 0
    named: int = 0
    refuted: int = 0

    def look_at(self, board: Board, method: Method) -> None:
        """Search for a placement; if there is none, for the numbers that cause the contradiction."""
        found = self.times.place(board, method)
        if found is not None:
            self.placed += 1
            self.by_constraints += found.method is Method.CONSTRAINTS
            return
        self.none += 1
        cells = blame(board).cells
        self.named += bool(cells)
        if cells and (listed := refuted(board, cells)) is not None:
            self.refuted += 1
            if not listed:
                sys.exit(f"{cells} do not contradict each other on\n{board}")


def refuted(board: Board, cells: Sequence[Cell]) -> bool | None:
    """Return whether no placement satisfies the numbers of ``cells``, by listing all; None if too many."""
    near = [[other for other in board.neighbours(cell) if board[other] == State.COVERED] for cell in cells]
    if len({cell for around in near for cell in around}) > FEW:
        return None
    _, fit = fitting([(frozenset(around), board[cell]) for around, cell in zip(near, cells, strict=True)])
    return not len(fit)


def scattered(share: float, density: float, fields: int) -> Iterator[tuple[int, Board]]:
    """Yield the fields of one kind with their seeds."""
    for seed in range(BASE_SEED, BASE_SEED + fields):
        yield seed, placements.scattered(SIZE, SIZE, round(density * SIZE**2), share, seed)


def bench_scattered(table: Table, share: float, density: float, fields: int, method: Method) -> None:
    """Add the rows for one kind of fields: unchanged, and with one number raised."""
    true, false = Answers(), Answers()
    name = f"{share:.0%} shown, {density:.0%} mines"
    progress = track(scattered(share, density, fields), name, fields, console=Console(stderr=True))
    try:
        for seed, board in progress:
            true.look_at(board, method)
            if true.none:
                sys.exit(f"no placement was found on a field that has one:\n{board}")
            false.look_at(placements.raised(board, seed), method)
    finally:
        add_rows(table, name, true, false)


def add_rows(table: Table, name: str, true: Answers, false: Answers) -> None:
    """Add the answers for the unchanged fields, and for those with one number raised."""
    for kind, answers in ((name, true), ("a number raised", false)):
        told = f"{answers.placed} placed, {answers.by_constraints} of them by constraints"
        if answers.none:
            told += f"; {answers.none} none, {answers.named} named, {answers.refuted} of them refuted too"
        table.add_row(kind, told, *answers.times.cells)


def bench_fours(table: Table, method: Method) -> None:
    """Add a row for each field of fours: with unknown mines, and with totals at and beyond the bounds."""
    for size in (10, 20, 30):
        for fours in FOURS:
            times, found = Times(), []
            board = fours(size)
            least, most = bounds(board)
            for mines in (None, least, (least + most) // 2, most, least - 1, most + 1):
                found.append(times.place(Board(board.states, mines), method) is not None)
            if found != [True] * 4 + [False] * 2:
                sys.exit(f"a field of fours with {least} to {most} mines was answered {found}:\n{board}")
            name = f"{size}x{size} {fours.__name__.replace('_', ' ')}"
            table.add_row(name, f"4 totals placed, {least} to {most}; 2 none", *times.cells)


def bounds(board: Board) -> tuple[int, int]:
    """Return the fewest and the most mines, by bisection over the totals with a placement by constraints."""

    def fits(mines: int) -> bool:
        return place(Board(board.states, mines), method=Method.CONSTRAINTS) is not None

    some = place(board)
    if some is None:
        sys.exit(f"no placement was found on a field that has one:\n{board}")
    low, inside = -1, int(some.mines.sum())
    high = inside
    while inside - low > 1:
        middle = (low + inside) // 2
        low, inside = (low, middle) if fits(middle) else (middle, inside)
    beyond = board.count(State.COVERED) + 1
    while beyond - high > 1:
        middle = (high + beyond) // 2
        high, beyond = (middle, beyond) if fits(middle) else (high, middle)
    return inside, high


def main() -> None:
    """Run the chosen searches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--fields", type=int, default=200, metavar="N", help="of each share; 200")
    parser.add_argument("--share", type=float, nargs="*", default=[0.2, 0.4, 0.6], help="of cells shown")
    parser.add_argument("--density", type=float, nargs="*", default=[0.2], help="of mines")
    parser.add_argument("--method", choices=[method.value for method in Method], default=Method.AUTO.value)
    asked = parser.parse_args()
    method = Method(asked.method)
    place(placements.lattice_of_fours(6), method=Method.CONSTRAINTS)  # loads the constraint solver
    table = Table("fields", "answers", "wall s: median / p99 / worst", "processor s: median / p99 / worst")
    with suppress(KeyboardInterrupt):
        for density in asked.density:
            for share in asked.share:
                bench_scattered(table, share, density, asked.fields, method)
        bench_fours(table, method)
    console = Console()
    console.width = max(console.width, 150)
    console.print(table)


if __name__ == "__main__":
    main()
