"""Guesses: the first click, the cell of least risk, and the settings of the other ways to choose a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
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
    ``best_share``, its second safest the rest. ``weights`` are those of the rating. If ``judged`` is 1, the
    rating of the best cells is corrected by what was learned from play-outs. If ``near`` is 0, the least risk
    among the cells that teach something decides instead.
    """

    endgame: float
    near: float = 0.0
    outside: float = 0.0
    best_share: float = 1.0
    judged: float = 0.0
    weights: Weights = Weights()


POLICIES: Mapping[str, Policy] = {  # by the name of a strategy that the compiled kernel plays
    "fast": Policy(endgame=256),
    "best": Policy(endgame=16_384, near=0.85, outside=2, best_share=0.8, judged=1),
}
THINK = 1.0  # seconds that it thinks about a guess unless another time is given
DEEP = "deep"  # the strategy that thinks about guesses; where thinking cannot help, it guesses as "best" does


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long to think about a guess (``seconds`` of ``clock``), and in how many ``threads``.

    If ``samples`` is given, games are played out on so many solutions instead, however long that takes. Then
    the same position always leads to the same guess.
    """

    seconds: float
    clock: Callable[[], float]
    threads: int = 1
    samples: int | None = None


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


# The best first cells (row, col) on small boards, by number of mines, where they are not those of the rule of
# thumb. Whole games were searched: `python tests/bench small_boards --first`. Boards are wider than high.
_BEST_FIRST: Mapping[bool, Mapping[tuple[int, int], Mapping[int, Cell]]] = {  # True: it opens its neighbours
    False: {
        (4, 4): {**dict.fromkeys(range(4, 8), Cell(0, 1)), 8: Cell(1, 1)},
        (4, 5): {5: Cell(1, 0)},
    },
    True: {(4, 5): {2: Cell(1, 0)}, (4, 6): {2: Cell(0, 0)}, (5, 5): {2: Cell(0, 0)}},
}


def first_click(system: System, rule: FirstClick) -> int:
    """Return the cell to open first: the openable cell nearest to the best place.

    The best place is the top left corner, because a safe corner is the likeliest zero. If the first click is
    always an opening, it is row 3, column 3 (on small boards the centre). Under winmine's rule, which moves a
    mine under the first click to the top left, it is the bottom right corner. On some small boards, where
    whole games can be searched, another cell is better, and chosen.
    """
    rows, cols = system.board.shape
    if rule is FirstClick.WINMINE:
        return nearest_openable(system, Cell(rows - 1, cols - 1))
    opening = rule is FirstClick.OPENING
    thumb = Cell(min(3, (rows - 1) // 2), min(3, (cols - 1) // 2)) if opening else Cell(0, 0)
    of_size = _BEST_FIRST[opening].get((min(rows, cols), max(rows, cols)), {})
    place = of_size.get(system.board.mines or 0, thumb)
    if place != thumb and rows > cols:
        place = Cell(place.col, place.row)
    return nearest_openable(system, place)


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
