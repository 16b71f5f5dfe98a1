"""Guesses: the first click, the cell of least risk, and the settings of the other ways to choose a cell."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bot.board import Cell, FirstClick
from bot.counting_rules import neighbour_sum
from bot.errors import NothingToOpenError
from bot.solver.constraints import System, array_of, bits
from bot.solver.counting import Known
from bot.solver.decision import ALTERNATIVES, Judgement
from bot.solver.exact import may_fit
from bot.solver.stages import StageResult
from bot.words import counted


class Weights(NamedTuple):
    """The weights of the look-ahead's rating of a guess, which `bot.solver.kernel.look_ahead.worth` applies.

    The worth of a guess is ``safety`` times the logarithm of its chance to be safe, plus the mean, over the
    numbers that it can show, of the worth of the position then. That is a weighted sum: of the safety of the
    ``safest`` cell and its square, of the ``second`` and ``third`` safest cells, of the safety of the best
    ``two_moves``, and, if a cell is proven safe, of 1 (``progress``), log(1 + n) (``safe_cells``) and n
    (``each_safe_cell``), where n is the number of safe cells.

    The defaults were fitted to the chance to win after 121,000 guesses, estimated from 12 play-outs each.
    ``NOTES.md`` says how.
    """

    safety: float = 0.855
    safest: float = -1.838
    safest_squared: float = 1.139
    second: float = 0.286
    third: float = 0.137
    two_moves: float = 0.495
    progress: float = -0.049
    safe_cells: float = 0.042
    each_safe_cell: float = -0.003


class Policy(NamedTuple):
    """The settings by which the compiled kernel chooses a guess.

    Up to ``endgame`` solutions, the full tree of moves is searched, which is exact (0: never). Otherwise a
    look-ahead rates the next three moves, for cells that are at least ``near`` times as safe as the safest;
    at most ``outside`` of them have no opened neighbour. In the third move its safest cell has weight
    ``best_share``, its second safest the rest; if ``third`` is 0, only two moves are rated. ``weights`` are
    those of the rating. If ``judged`` is 1, the rating of the best cells is corrected by what was learned
    from play-outs. If ``near`` is 0, the least risk among the cells that teach something decides instead.

    If ``price`` is not 0, close cells are played out as long as that is expected to add more to the chance to
    win than this, for each unit of work (20 nanoseconds). It is the budget of the policy: the lower the
    price, the more is played.
    """

    endgame: float
    near: float = 0.0
    outside: float = 0.0
    best_share: float = 1.0
    third: float = 1.0
    judged: float = 0.0
    price: float = 0.0
    weights: Weights = Weights()


_BEST = Policy(endgame=16_384, near=0.85, outside=2, best_share=0.8, judged=1)
POLICIES: Mapping[str, Policy] = {  # by the name of a strategy that the compiled kernel plays
    "fast": Policy(endgame=256),
    "best": _BEST,
    "deep": _BEST._replace(price=4e-13),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The cell to guess, how it was chosen, and other good cells.

    Cells are numbered row by row. ``scores`` has the chosen cell first; its values are those of
    `decision.Alternative.score`. ``win_chance`` is exact; it is None if it is not known.
    """

    cell: int
    judgement: Judgement = Judgement.OWN
    scores: Mapping[int, float | None] = field(default_factory=dict)
    win_chance: float | None = None


Chooser = Callable[[System, StageResult, int], Choice]  # its cell is one of those in the mask
FirstClickChooser = Callable[[System, FirstClick], int]  # returns the cell to open first, numbered row by row


FIRST_CLICKS = Path(__file__).with_name("first_clicks.csv")  # by `python tests/bench first_clicks`


@cache
def _best_first_cells() -> Mapping[tuple[int, int, int, str], Cell]:
    """Return the best first cell by rows, columns, mines and rule; boards are at least as wide as high."""
    with FIRST_CLICKS.open(encoding="utf-8", newline="") as file:
        return {
            (int(one["rows"]), int(one["cols"]), int(one["mines"]), one["rule"]): Cell(
                int(one["row"]), int(one["col"])
            )
            for one in csv.DictReader(file)
        }


def usual_first_cell(rows: int, cols: int, rule: FirstClick) -> Cell:
    """Return the cell to open first on most boards.

    It is the top left corner, because a safe corner is the likeliest zero. If the first click is always an
    opening, it is row 3, column 3 (on small boards the centre). Under winmine's rule, which moves a mine
    under the first click to the top left, it is the bottom right corner.
    """
    if rule is FirstClick.WINMINE:
        return Cell(rows - 1, cols - 1)
    if rule is FirstClick.OPENING:
        return Cell(min(3, (rows - 1) // 2), min(3, (cols - 1) // 2))
    return Cell(0, 0)


def first_click(system: System, rule: FirstClick) -> int:
    """Return the cell to open first: the openable cell nearest to the best place.

    Where it was computed which cell wins most often (on the levels, and on boards on which whole games can be
    searched), that is the best place; elsewhere it is the usual one.
    """
    rows, cols = system.board.shape
    promised = FirstClick.SAFE if rule is FirstClick.ANY else rule  # both are won most often from one cell
    turned = rows > cols
    size = (cols, rows) if turned else (rows, cols)
    place = _best_first_cells().get((*size, system.board.mines or 0, promised.value))
    if place is not None and turned:
        place = Cell(place.col, place.row)
    return nearest_openable(system, place or usual_first_cell(rows, cols, rule))


def nearest_openable(system: System, place: Cell) -> int:
    """Return the openable cell nearest to ``place``; of several, the first one row by row."""
    index = place.row * system.board.cols + place.col
    if system.openable >> index & 1:
        return index

    def distance(index: int) -> int:
        cell = system.cell(index)
        return (cell.row - place.row) ** 2 + (cell.col - place.col) ** 2

    return min(bits(system.openable), key=distance)


def candidates(system: System, known: Known) -> int:
    """Return the mask of the cells to guess from: unproven openable cells, or flagged ones if there are none.

    Raises NothingToOpenError if no cell is covered, or if every cell that is left is a proven mine or cannot
    be read.
    """
    cells = system.openable & ~known.settled or system.flagged & ~known.settled
    if not cells:
        hidden = (system.unknown & ~system.playable & ~known.mines).bit_count()
        why = "all covered cells are mines" if system.unknown else "no cell is covered"
        if hidden:
            why = f"{counted(hidden, 'cell')} cannot be read"
        raise NothingToOpenError(f"there is nothing left to open on this board: {why}")
    return cells


def is_dead(system: System, known: Known, cell: int) -> bool:
    """Return whether ``cell``, if safe, shows the same number in all solutions and so teaches nothing."""
    around, place = system.around(cell), system.cell(cell)
    least = (around & (known.mines | system.shown_mines)).bit_count()
    most = least + (around & system.unknown & ~known.settled).bit_count()
    shown = (number for number in range(least, most + 1) if may_fit(system.board.replace({place: number})))
    return len(list(islice(shown, 2))) < 2


def safest_first(
    cells: Iterable[int], risks: Mapping[int, float] | Sequence[float], covered: Sequence[int]
) -> list[int]:
    """Return ``cells`` in the order in which they are guessed: by risk, then the likeliest zero first.

    That is the cell with the fewest ``covered`` neighbours, of those the first, row by row. The kernel ranks
    cells in the same way.
    """
    return sorted(cells, key=lambda cell: (risks[cell], covered[cell], cell))


def safest(system: System, result: StageResult, cells: int) -> Choice:
    """Choose the first of ``cells`` by `safest_first`; the risks are exact or estimated.

    If the solutions were counted, choose a dead cell, whose number can teach nothing, only if all cells are
    dead.
    """
    known, risks = result.known, result.estimated(system)
    covered = neighbour_sum(array_of(system.unknown & ~known.settled, *system.board.shape))
    ranked = safest_first(bits(cells), risks, covered.ravel().tolist())
    chosen = ranked[0]
    if result.risks is not None:
        chosen = next((cell for cell in ranked if not is_dead(system, known, cell)), chosen)
    near = sorted(ranked, key=lambda cell: cell != chosen)
    return Choice(chosen, Judgement.LEAST_RISK, dict.fromkeys(near[:ALTERNATIVES]))
