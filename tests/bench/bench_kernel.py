"""Measure how fast the compiled kernel counts, and check it with brute force, a reference and whole games.

Run from the repository root: ``python tests/bench kernel``. A part that fails ends with the position on which
it failed. ``speed`` times positions of expert games without a proven safe cell, in milliseconds of one
thread, taking the fastest of several rounds; ``oracle`` compares small boards of all kinds with brute force;
``reference`` compares positions of expert games with exact counting in plain Python; ``symmetries`` rotates
and mirrors such positions; ``sound`` plays expert games and compares every proof with the mines.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bot.board import Board
from bot.solver.analysis import Analysis
from bot.solver.constraints import System
from bot.solver.counting import Known
from bot.solver.exact import solve
from bot.solver.kernel.analysis import analyse
from bot.solver.kernel.layout import UNKNOWN, Workspace, take
from kernel_checks import EXPERT, against_oracle, against_reference, guesses, turned, wrong_proofs

ROUNDS = 5
PLAIN = 20  # this many of the timed positions are also counted by the reference
COUNTS = {"speed": 1000, "oracle": 10_000, "reference": 2000, "symmetries": 1000, "sound": 100_000}
ASKED = "0.05 mean, 0.2 of 99 %"
Told = Callable[[int], None]
Row = tuple[str, str, str, str]
Thing = TypeVar("Thing")


def fastest(action: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the milliseconds that an action takes in the fastest of several rounds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return 1000 * min(times)


def kernel_call(workspace: Workspace, board: Board) -> Callable[[], object]:
    """Return a function that computes the risks of a board in the kernel alone."""
    shown = np.where(board.states <= 8, board.states, UNKNOWN).astype(np.int8).ravel()
    mines, position = board.mines or 0, workspace.position

    def call() -> None:
        take(position, workspace.buffers, shown, mines)
        analyse(position, workspace.buffers)

    return call


def risks(board: Board) -> object:
    """Analyse a board and compute its risks."""
    return Analysis(board).risks


def plainly(board: Board) -> object:
    """Count the solutions of a board in plain Python."""
    return solve(System.of(board), Known())


def speed(count: int, told: Told) -> Iterator[Row]:
    """Time the same positions in the kernel, as an `Analysis`, and some of them in plain Python."""
    workspace = Workspace(*EXPERT[:2])
    kernel, whole, plain = list[float](), list[float](), list[float]()
    for board in guesses(count):
        kernel.append(fastest(kernel_call(workspace, board)))
        whole.append(fastest(partial(risks, board)))
        if len(plain) < PLAIN:
            plain.append(fastest(partial(plainly, board), 1))
        told(1)
    for name, times in (("kernel", kernel), ("analysis", whole), ("plain Python", plain)):
        mean, median, p99, most = np.mean(times), *np.percentile(times, [50, 99]), np.max(times)
        figures = f"{mean:.4f} mean, {median:.4f} median, {p99:.4f} of 99 %, {most:.4f} longest"
        yield f"speed: {name}", str(len(times)), f"ms: {figures}", ASKED if times is kernel else ""


def oracle(count: int, told: Told) -> Iterator[Row]:
    """Compare small boards with brute force."""
    solvable = sum(counted(against_oracle(range(count)), told))
    yield "oracle", str(count), f"equal, {count - solvable} of them without a solution", "equal"


def reference(count: int, told: Told) -> Iterator[Row]:
    """Compare expert positions with plain Python."""
    solutions = max(counted(against_reference(guesses(count)), told))
    yield "reference", str(count), f"equal to 1e-9, up to {solutions:.0e} solutions", "equal to 1e-9"


def symmetries(count: int, told: Told) -> Iterator[Row]:
    """Rotate and mirror expert positions; all risks must stay the same."""
    checked = sum(1 for board in counted(guesses(count), told) for _ in turned(board))
    yield "symmetries", str(checked), "equal to 1e-12", "equal"


def sound(count: int, told: Told) -> Iterator[Row]:
    """Play games and look for a wrong proof."""
    for strategy in ("fast", "best"):
        wrong = 0
        for games, found in wrong_proofs(count // 2, strategy):
            wrong += found
            told(games)
        yield f"sound: {strategy}", str(count // 2), f"{wrong} games with a wrong proof", "0"
        assert not wrong


def counted(things: Iterable[Thing], told: Told) -> Iterator[Thing]:
    """Yield ``things``, and call ``told`` with 1 after each."""
    for thing in things:
        yield thing
        told(1)


PARTS: dict[str, Callable[[int, Told], Iterator[Row]]] = {
    "speed": speed,
    "oracle": oracle,
    "reference": reference,
    "symmetries": symmetries,
    "sound": sound,
}


def main() -> None:
    """Run the chosen parts and print their results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named"
    )
    for name, count in COUNTS.items():
        parser.add_argument(f"--{name}", type=int, default=count, metavar="N", help=f"how many; {count}")
    asked = parser.parse_args()
    table = Table("part", "count", "found", "asked", title="the compiled kernel")
    with Progress(console=Console(stderr=True)) as progress:
        for part in asked.parts or PARTS:
            count = getattr(asked, part)
            task = progress.add_task(part, total=count)
            for row in PARTS[part](count, partial(progress.advance, task)):
                table.add_row(*row)
    console = Console()
    console.width = max(console.width, 130)
    console.print(table)


if __name__ == "__main__":
    main()
