"""Games on all placements of mines on a small board: no sampling, so the win rate is exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, FirstClick, State, neighbours
from bot.solver import Action, decide

# the chance to win with the best play, in percent, by an exhaustive search that shares nothing with this one:
# safe first click in the corner; on the best cell; opening at the corner; no promise, best cell
OPTIMA = {
    (4, 4, 2): (97.1429, 97.1429, 100.0, 85.0),
    (4, 4, 3): (87.9121, 87.9121, 95.9091, 71.4286),
    (4, 4, 4): (69.5238, 70.4029, 84.2424, 52.8022),
    (4, 4, 5): (47.7189, 48.6513, 64.6465, 33.4478),
    (4, 4, 6): (31.0889, 31.6484, 49.1342, 19.7802),
    (5, 5, 2): (96.3768, 96.3768, 97.1429, 88.6667),
    (5, 5, 3): (88.8340, 88.8340, 91.3534, 78.1739),
    (6, 4, 4): (87.9503, 87.9503, 94.5717, 73.2919),
    (5, 5, 4): (77.5080, 77.5080, 82.7068, 65.1067),
}
CORNER = Cell(0, 0)
WAYS = (
    (FirstClick.SAFE, CORNER),
    (FirstClick.SAFE, None),
    (FirstClick.OPENING, CORNER),
    (FirstClick.ANY, None),
)

Placement = frozenset[Cell]
States = npt.NDArray[np.int8]


def placements(rows: int, cols: int, mines: int, rule: FirstClick, first: Cell) -> list[Placement]:
    """Return all placements of mines that ``rule`` allows if ``first`` is opened first."""
    free = {Cell(row, col) for row in range(rows) for col in range(cols)}
    if rule is not FirstClick.ANY:
        free.discard(first)
    if rule is FirstClick.OPENING:
        free.difference_update(neighbours(rows, cols, first))
    return [frozenset(mined) for mined in combinations(sorted(free), mines)]


def open_cells(states: States, cells: Iterable[Cell], mined: Placement) -> States | None:
    """Return ``states`` after left clicks on ``cells``, int8 (rows, cols); None if one of them is a mine."""
    states, waiting = states.copy(), list(cells)
    while waiting:
        cell = waiting.pop()
        if cell in mined:
            return None
        if states[cell] == State.COVERED:
            around = neighbours(*states.shape, cell)
            states[cell] = len(mined.intersection(around))
            waiting += around if states[cell] == 0 else ()
    return states


def win_rate(rows: int, cols: int, mines: int, rule: FirstClick, first: Cell | None = None) -> float:
    """Return the wins of `decide` in percent of all placements; without ``first`` it begins by itself."""
    states = np.full((rows, cols), State.COVERED, np.int8)
    if first is None:
        first = decide(Board(states, mines), rule=rule).moves[0].cell
    every = placements(rows, cols, mines, rule, first)
    return 100 * sum(_wins(states, [first], every, mines, rule)) / len(every)


def _wins(
    states: States, cells: list[Cell], every: list[Placement], mines: int, rule: FirstClick
) -> Iterator[int]:
    """Yield how many of the placements are won, in parts, if ``cells`` are opened now.

    Each position is decided once, for all placements that lead to it.
    """
    seen: dict[bytes, tuple[States, list[Placement]]] = {}
    for mined in every:
        after = open_cells(states, cells, mined)
        if after is not None:
            seen.setdefault(after.tobytes(), (after, []))[1].append(mined)
    for after, alike in seen.values():
        if (after == State.COVERED).sum() == mines:
            yield len(alike)
            continue
        moves = decide(Board(after, mines), rule=rule).moves
        yield from _wins(
            after, [move.cell for move in moves if move.action is Action.OPEN], alike, mines, rule
        )
