"""Measure how few numbers hints name and how long they take, and check that none is wrong or superfluous.

Run from the repository root: ``python tests/bench hints``. From each expert game, played by `best`, one
position is drawn in which something is proven, and one in which counting alone finds no proof. An oracle
checks each hint; it shares only the board with the solver. It is OR-tools CP-SAT, which gets only the numbers
named by the hint. It must find no placement with a mine in the cell; but if any one of the numbers is left
out, it must find one. A wrong hint, or one on a mine, ends the program. Milliseconds are wall time in one
thread, without the first hint, which also loads the names of patterns.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from ortools.sat.python import cp_model
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.board import Board, Cell, State
from bot.game.simulation import BASE_SEED, Game
from bot.solver import STRATEGIES, Decision, Reason, decide
from bot.solver.explain.hints import Hint, explain

EXPERT = (16, 30, 99)
POSITIONS = 1000
SHOWN_SENTENCES = 0
_WIDTH = 110  # so that numbers are never cut off


class WrongHintError(Exception):
    """A hint whose numbers do not prove it, or with a superfluous number, or on a mine."""


@dataclass(frozen=True, slots=True)
class Position:
    """A board in which something is proven, the decision on it, and its mines."""

    board: Board
    decision: Decision
    mines: frozenset[Cell]


@dataclass(slots=True)
class Tally:
    """The hints for one kind of positions, and the times they took."""

    hints: list[Hint] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    @property
    def numbers(self) -> list[int]:
        """The number of numbers each hint names; the mine counter counts as one."""
        return [len(hint.numbers) + hint.total for hint in self.hints]

    def add(self, position: Position) -> None:
        """Make the hint for a position and check it. Raises WrongHintError if it is wrong."""
        began = time.perf_counter()
        hint = explain(position.board, position.decision)
        self.milliseconds.append(1000 * (time.perf_counter() - began))
        self.hints.append(hint)
        if wrong := wrong_about(position, hint):
            raise WrongHintError(f"{wrong}: {hint.sentence}\n{position.board}")


def wrong_about(position: Position, hint: Hint) -> str:
    """Return what is wrong with a hint, "" if nothing is."""
    if hint.cell is None or not hint.proven:
        return "nothing is said to be proven"
    if hint.cell in position.mines:
        return "the cell is a mine"
    if possible(position.board, hint.numbers, hint.total, hint.cell):
        return "the numbers do not prove it"
    for spared in hint.numbers:
        fewer = [number for number in hint.numbers if number != spared]
        if not possible(position.board, fewer, hint.total, hint.cell):
            return f"the number at {spared} can be spared"
    if hint.total and not possible(position.board, hint.numbers, False, hint.cell):
        return "the mine total can be spared"
    return ""


def possible(board: Board, numbers: Sequence[Cell], total: bool, mine: Cell) -> bool:
    """Return whether a placement with a mine at ``mine`` satisfies ``numbers``; with ``total``, also that."""
    model = cp_model.CpModel()
    unknown = board.cells(State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE)
    mined = {cell: model.new_bool_var(f"{cell}") for cell in unknown}
    model.add(mined[mine] == 1)
    for number in numbers:
        near = [mined[cell] for cell in board.neighbours(number) if cell in mined]
        model.add(sum(near) == board[number] - _shown(board, board.neighbours(number)))
    if total:
        model.add(sum(mined.values()) == (board.mines or 0) - _shown(board, board))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def _shown(board: Board, cells: Iterator[Cell] | Sequence[Cell] | Board) -> int:
    return sum(board[cell] in (State.MINE, State.EXPLODED) for cell in cells)


def positions_of(seed: int, *, hard: bool) -> list[Position]:
    """Return the positions of a game in which something is proven; if ``hard``, not by counting."""
    game, found = Game(*EXPERT, seed), []
    while not game.over:
        board = game.board
        decision = decide(board)
        proven = decision.reason not in (Reason.FIRST_CLICK, Reason.GUESS)
        if proven and not (hard and decision.reason is Reason.COUNTING):
            found.append((board, decision))
        for move in decision.moves:
            if not game.over:
                game.open(move.cell)
    return [Position(board, decision, game.mines or frozenset()) for board, decision in found]


def drawn(count: int, seed: int, *, hard: bool) -> Iterator[Position]:
    """Yield ``count`` positions: from each game that has any, one drawn with the game's seed."""
    while count:
        if found := positions_of(seed, hard=hard):
            yield found[int(np.random.default_rng(seed).integers(len(found)))]
            count -= 1
        seed += 1


def measure(positions: Iterator[Position]) -> Tally:
    """Return the hints for some positions, after checking all of them."""
    tally = Tally()
    for position in positions:
        tally.add(position)
    return tally


def warm_up() -> None:
    """Load the names of patterns once, which takes a tenth of a second."""
    board = Board.from_rows(["....", "W11W"])
    explain(board, decide(board, strategy=STRATEGIES["exact"]))


def tables(tallies: dict[str, Tally]) -> Iterator[Table]:
    """Yield the tables of results for each kind of positions."""
    table = Table(title="hints")
    for heading in (
        "positions",
        "",
        "numbers: median",
        "mean",
        "most",
        "ms: median",
        "99 %",
        "longest",
        "letters",
    ):
        table.add_column(heading, justify="right" if heading != "positions" else "left", no_wrap=True)
    for name, tally in tallies.items():
        numbers, times = tally.numbers, tally.milliseconds
        table.add_row(
            name,
            str(len(numbers)),
            f"{np.median(numbers):g}",
            f"{np.mean(numbers):.2f}",
            str(max(numbers)),
            f"{np.median(times):.2f}",
            f"{np.quantile(times, 0.99):.1f}",
            f"{max(times):.0f}",
            f"{np.median([len(hint.sentence) for hint in tally.hints]):g}",
        )
    yield table
    for name, tally in tallies.items():
        kinds = Counter((hint.reason.value, hint.pattern) for hint in tally.hints)
        table = Table(title=f"{name}: how they are proven")
        for heading in ("by", "pattern", "hints", "numbers: 1", "2", "3", "4", "5 and more"):
            table.add_column(heading, justify="left" if heading in ("by", "pattern") else "right")
        for kind, count in kinds.most_common():
            sizes = Counter(
                min(5, number)
                for number, hint in zip(tally.numbers, tally.hints, strict=True)
                if (hint.reason.value, hint.pattern) == kind
            )
            table.add_row(*kind, str(count), *(str(sizes[size] or "") for size in range(1, 6)))
        yield table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=POSITIONS, help="how many of each kind")
    parser.add_argument("--seed", type=int, default=BASE_SEED, help="of the first game")
    parser.add_argument(
        "--words", type=int, default=SHOWN_SENTENCES, help="so many sentences of each kind are printed"
    )
    arguments = parser.parse_args()
    warm_up()
    tallies = dict[str, Tally]()
    for name, hard in (("any", False), ("not by counting", True)):
        positions = drawn(arguments.positions, arguments.seed, hard=hard)
        progress = track(positions, name, arguments.positions, console=Console(stderr=True))
        try:
            tallies[name] = measure(iter(progress))
        except WrongHintError as error:
            sys.exit(str(error))
    console = Console(width=_WIDTH)
    for table in tables(tallies):
        console.print(table)
    for tally in tallies.values():
        for hint in tally.hints[: arguments.words]:
            console.print(hint.sentence, soft_wrap=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
