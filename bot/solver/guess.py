"""What to open when nothing is proven: the first click, the cell of least risk, and how else it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.board import Cell, FirstClick
from bot.errors import NothingToOpenError
from bot.solver.constraints import System, bits
from bot.solver.counting import Known
from bot.solver.decision import ALTERNATIVES, Judgement
from bot.solver.exact import fits
from bot.solver.ladder import Learned, StageResult


class Policy(NamedTuple):
    """How a guess is chosen, in the order of the kernel's indices.

    ``endgame`` is the number of solutions up to which a position is played out exactly, 0 for never. Else the
    next three moves are looked at, for cells at least ``near`` times as safe as the safest, at most
    ``outside`` of them without an opened neighbour; the third move counts by ``best_share`` for its safest
    cell and by the rest for its second. Up to ``search`` solutions the tree of moves is searched to its end
    instead, over the safest cells. With ``near`` 0 the least risk decides, of the cells that teach something.
    """

    endgame: float
    near: float = 0.0
    outside: float = 0.0
    best_share: float = 1.0
    search: float = 0.0


POLICIES: Mapping[str, Policy] = {  # of the strategies that the compiled kernel plays
    "fast": Policy(endgame=256),
    "best": Policy(endgame=256, near=0.85, outside=2, best_share=0.8, search=4096),
}
DEEP = "deep"  # thinks about guesses; where there is nothing to think about, it is the best of the others


def never() -> bool:
    """Return False: go on."""
    return False


@dataclass(frozen=True, slots=True)
class Thinking:
    """How to think about a guess: for so many seconds of ``clock``, in so many threads.

    ``stop`` is called again and again; when it returns true, the thinking ends early.
    """

    seconds: float
    clock: Callable[[], float]
    threads: int = 1
    stop: Callable[[], bool] = never


@dataclass(frozen=True, slots=True)
class Choice:
    """The cell to guess, how it was chosen, and the cells that were nearly as good.

    Cells are numbered row by row. ``scores`` has the chosen cell first; a score is that of
    `decision.Alternative`, None if it was not computed. ``risks`` holds the risk of every cell of the board
    where the choice computed them anew, else None. ``win_chance`` is exact, None if it is not known.
    """

    cell: int
    judgement: Judgement
    scores: Mapping[int, float | None]
    risks: npt.NDArray[np.float64] | None = None
    win_chance: float | None = None


Chooser = Callable[[System, StageResult, Learned], Choice]
Beginning = Callable[[System, FirstClick], int]  # the cell that is opened first, row by row


def first_click(system: System, rule: FirstClick) -> int:
    """Return the cell to open first, the nearest to the best place that can be opened.

    A corner, where a safe first cell is most often a zero; row 3, column 3 (or the centre of a smaller
    board) where the first click is an opening anyway; the corner at the bottom right under winmine's rule,
    which moves a mine under the first click to the top left.
    """
    rows, cols = system.board.shape
    place = {
        FirstClick.OPENING: Cell(min(3, (rows - 1) // 2), min(3, (cols - 1) // 2)),
        FirstClick.WINMINE: Cell(rows - 1, cols - 1),
    }.get(rule, Cell(0, 0))
    return nearest_openable(system, place)


def nearest_openable(system: System, place: Cell) -> int:
    """Return the cell that opens and is nearest to ``place``, the first of several."""
    index = place.row * system.board.cols + place.col
    if system.openable >> index & 1:
        return index

    def distance(index: int) -> int:
        cell = system.cell(index)
        return (cell.row - place.row) ** 2 + (cell.col - place.col) ** 2

    return min(bits(system.openable), key=distance)


def candidates(system: System, known: Known) -> int:
    """Return the cells that a guess may aim at: those that open, or flagged ones if there are no others.

    Raises NothingToOpenError if no cell is covered, or if every one that is left is a mine for certain or
    cannot be read.
    """
    cells = system.openable & ~known.settled or system.flagged & ~known.settled
    if not cells:
        hidden = (system.unknown & ~system.playable & ~known.mines).bit_count()
        why = "all covered cells are mines" if system.unknown else "no cell is covered"
        if hidden:
            why = f"{hidden} cell{'s' * (hidden != 1)} cannot be read"
        raise NothingToOpenError(f"there is nothing left to open on this board: {why}")
    return cells


def is_dead(system: System, known: Known, cell: int) -> bool:
    """Return whether ``cell``, if it is safe, shows the same number in all solutions: it teaches nothing."""
    around, place = system.around(cell), system.cell(cell)
    least = (around & (known.mines | system.shown_mines)).bit_count()
    most = least + (around & system.unknown & ~known.settled).bit_count()
    shown = (number for number in range(least, most + 1) if fits(system.board.replace({place: number})))
    return len(list(islice(shown, 2))) < 2


def safest(system: System, result: StageResult, _learned: Learned) -> Choice:
    """Choose the cell with the least risk, by counts or by estimate.

    Equal risks are settled in favour of cells with few covered neighbours, which are likely to be zeros. What
    is still equal goes from the bottom right up, since winmine's rule puts a mine to the top left now and
    then. Where the solutions were counted, dead cells come only when there is nothing else.
    """
    known, risks = result.known, result.estimated(system)
    covered = system.counts_around(system.unknown & ~known.settled)
    ranked = sorted(bits(candidates(system, known)), key=lambda cell: (risks[cell], covered[cell], -cell))
    chosen = ranked[0]
    if result.risks is not None:
        chosen = next((cell for cell in ranked if not is_dead(system, known, cell)), chosen)
    near = sorted(bits(candidates(system, known)), key=lambda cell: (cell != chosen, risks[cell]))
    return Choice(chosen, Judgement.LEAST_RISK, dict.fromkeys(near[:ALTERNATIVES]))
