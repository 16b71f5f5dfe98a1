"""Ask all stages about the same positions of expert games, and hold what they prove against each other.

Run from the repository root: ``python tests/bench stages``. The games are those of the
published comparisons, begun in the corner and guided by `best`. At every position without a move by counting,
each stage of each strategy is asked alone, upon what counting leaves. It ends with the position if a stage
proves what is not so, what another refutes, or what exact probability does not. Then a table tells how much
of what exact probability proves each stage finds: the positions in which there is something safe, the safe
cells and the mines; and the milliseconds of the processor that a call takes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bot.board import Board, Cell, State
from bot.game.simulation import BASE_SEED, Game
from bot.solver import STRATEGIES, Reason
from bot.solver.constraints import System, mask_of
from bot.solver.counting import Known, count
from bot.solver.engine import Engine, engine_for
from bot.solver.guess import POLICIES
from bot.solver.kernel.layout import SAFE
from bot.solver.ladder import NOTHING, STAGES

EXPERT = (16, 30, 99)
FIRST = Cell(0, 0)
GAMES = 2000
KERNEL = "kernel"
_IN_UNIT = 10  # games
_WIDTH = 110  # figures are never cut off
Asked = tuple[Reason, bool]  # a stage, and whether it is told the mine total
Ask = Callable[[System, Known], Known]


class StageError(Exception):
    """A stage has proven what is not so, or not what it should."""


@dataclass(slots=True)
class Tally:
    """What a stage has found of what exact probability proves, and how long it took."""

    positions: int = 0
    safe: int = 0
    mines: int = 0
    seconds: float = 0.0

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.safe += other.safe
        self.mines += other.mines
        self.seconds += other.seconds


@dataclass(slots=True)
class Survey:
    """All stages on the positions of some games."""

    games: int = 0
    positions: int = 0
    stages: dict[str, Tally] = field(default_factory=dict)

    def add(self, other: Survey) -> None:
        self.games += other.games
        self.positions += other.positions
        for name, tally in other.stages.items():
            self.stages.setdefault(name, Tally()).add(tally)


@cache
def stages() -> Mapping[str, Asked]:
    """Return the stages of all strategies by name, the cheapest first."""
    used = {(reason, how.total) for how in STRATEGIES.values() for reason in how.stages if how.policy is None}
    ordered = sorted(used, key=lambda one: (list(STAGES).index(one[0]), one[1]))
    return {reason.value + (" with the total" if total else ""): (reason, total) for reason, total in ordered}


def users(asked: Asked) -> list[str]:
    """Return the strategies that ask a stage so."""
    return [
        name
        for name, how in STRATEGIES.items()
        if asked[0] in how.stages and asked[1] == how.total and how.policy is None
    ]


def survey(numbers: Iterable[int], seed: int = BASE_SEED) -> Survey:
    """Ask all stages about the positions of the games of these numbers."""
    found = Survey()
    for number in numbers:
        found.games += 1
        for board, mines in positions(seed + number):
            found.positions += 1
            compare(System.of(board), mask_of(mines), found.stages)
    return found


def positions(seed: int) -> Iterator[tuple[Board, np.typing.NDArray[np.bool_]]]:
    """Play a game; yield its positions without a move by counting, and its mines, bool (rows, cols)."""
    game, engine = Game(*EXPERT, seed), engine_for(*EXPERT[:2])
    game.open(FIRST)
    mines = np.zeros(EXPERT[:2], np.bool_)
    for cell in game.mines or ():
        mines[cell] = True
    while not game.over:
        board = game.board
        opened = counted(engine, board)
        if not opened:
            yield board, mines
            opened = chosen(engine, board)
        for cell in opened:
            game.open(cell)


def counted(engine: Engine, board: Board) -> list[Cell]:
    """Return the covered cells that the counting rules prove safe, that for the mine total among them."""
    shown = engine.counted(board)
    assert shown is not None
    cells = [Cell(*cell) for cell in np.argwhere((shown == SAFE) & (board.states == State.COVERED)).tolist()]
    if cells:
        return cells
    system = System.of(board)
    return system.cells(count(system, Known()).safe)


def chosen(engine: Engine, board: Board) -> list[Cell]:
    """Return all cells that are proven safe, or the guess of `best`."""
    safe = np.argwhere(engine.risks(board) == 0).tolist()
    return [Cell(*cell) for cell in safe] or [engine.guess(POLICIES["best"])]


def compare(system: System, mines: int, tallies: dict[str, Tally]) -> None:
    """Ask all stages about a position, whose mines are a mask, and add up what they find.

    Raises StageError if one of them is wrong, or denies another.
    """
    found = dict(ask_all(system, tallies))
    for name, known in found.items():
        if known.clash or known.safe & mines or known.mines & ~mines:
            raise StageError(f"{name} is wrong on\n{system.board}")
    whole = found[KERNEL]
    for name, known in found.items():
        if known.safe & ~whole.safe or known.mines & ~whole.mines:
            raise StageError(f"{name} proves what the kernel does not on\n{system.board}")
        tallies[name].add(Tally(bool(known.safe), known.safe.bit_count(), known.mines.bit_count()))


def ask_all(system: System, tallies: dict[str, Tally]) -> Iterator[tuple[str, Known]]:
    """Yield what each stage proves of a position, counting taken for granted and not timed."""
    heard = {total: system if total else system.without_total for total in (False, True)}
    counted = {total: count(one, Known()) for total, one in heard.items()}
    for name, (reason, total) in stages().items():
        before = Known() if reason is Reason.COUNTING else counted[total]
        began = time.process_time()
        known, _ = STAGES[reason](heard[total], before, NOTHING)
        tallies.setdefault(name, Tally()).seconds += time.process_time() - began
        yield name, known
    began = time.process_time()
    risks = engine_for(*system.board.shape).risks(system.board)
    tallies.setdefault(KERNEL, Tally()).seconds += time.process_time() - began
    yield KERNEL, Known(mask_of(risks == 1), mask_of(risks == 0))


def table(found: Survey) -> Table:
    """Return what each stage has found, as shares of what the kernel proves."""
    drawn = Table(
        title=f"{found.positions} positions of {found.games} expert games without a move by counting"
    )
    for name in ("stage", "strategies"):
        drawn.add_column(name)
    for name in ("positions", "safe cells", "mines", "ms a call"):
        drawn.add_column(name, justify="right")
    whole = found.stages[KERNEL]
    for name, tally in found.stages.items():
        asked = stages().get(name)
        drawn.add_row(
            name,
            ", ".join(users(asked) if asked else [name for name, how in STRATEGIES.items() if how.policy]),
            share(tally.positions, whole.positions),
            share(tally.safe, whole.safe),
            share(tally.mines, whole.mines),
            f"{1000 * tally.seconds / max(1, found.positions):.2f}",
        )
    drawn.caption = (
        f"100 % are {whole.positions} positions with {whole.safe} safe cells, and {whole.mines} mines in all"
    )
    return drawn


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def run(games: int, jobs: int) -> Survey:
    """Survey the games from number 0 on, in some processes, with a progress bar."""
    units = [range(start, min(start + _IN_UNIT, games)) for start in range(0, games, _IN_UNIT)]
    whole = Survey()
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("games", total=games)
        for part in asked_for(units, jobs):
            whole.add(part)
            progress.update(task, completed=whole.games)
    return whole


def asked_for(units: Sequence[range], jobs: int) -> Iterator[Survey]:
    if jobs == 1:
        yield from map(survey, units)
        return
    with ProcessPoolExecutor(jobs) as crew:
        yield from crew.map(survey, units)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    Console(width=_WIDTH).print(table(run(arguments.games, arguments.jobs)))


if __name__ == "__main__":
    main()
