"""Games guess by guess, for measuring."""

from __future__ import annotations

from bot.solver.kernel.analysis import analyse, learn
from bot.solver.kernel.combine import NOTHING_FITS
from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import (
    MINE,
    MINES_LEFT,
    SAFE,
    SAFES,
    UNKNOWNS,
    Bytes,
    Floats,
    Mind,
    Position,
    Topology,
    Work,
)
from bot.solver.kernel.rules import reset, settle, settled, show
from bot.solver.kernel.winmine import choose_moved, weigh

# How a game ended, where `advance` has no cell to guess: WRONG if a mine was called
# safe, or a safe cell a mine, or the position impossible.
WON, LOST, WRONG = -1, -2, -3


@inlined
def numbers_of(topology: Topology, mines: Bytes, numbers: Bytes) -> None:
    """Fill ``numbers`` with the mines around each cell, -1 for the mines themselves."""
    for cell in range(len(mines)):
        numbers[cell] = -1
        if not mines[cell]:
            count = 0
            for index in range(topology.degree[cell]):
                count += mines[topology.near[cell, index]]
            numbers[cell] = count


@inlined
def open_safe(topology: Topology, position: Position, work: Work, numbers: Bytes) -> None:
    """Open all cells that are deduced safe, and what follows by counting, until no such cell is left.

    A mine among them stays SAFE, so that `_is_right` finds it.
    """
    while position.tally[SAFES]:
        position.tally[SAFES] -= 1
        cell = position.safe[position.tally[SAFES]]
        if numbers[cell] >= 0:
            settled(topology, position, work, show(topology, position, work, cell, numbers[cell], 0))


@compiled
def proceed(mind: Mind, position: Position, numbers: Bytes) -> int:
    """Open all that is proven safe; return 1 if the game is won, 0 if not, -1 if nothing fits."""
    topology, work = mind.topology, mind.work
    while True:
        open_safe(topology, position, work, numbers)
        if position.tally[UNKNOWNS] == position.tally[MINES_LEFT]:
            return 1
        if analyse(topology, position, work) == NOTHING_FITS:
            return -1
        if not learn(topology, position, work):
            return 0


@inlined
def _is_right(position: Position, numbers: Bytes) -> bool:
    """Return whether everything that was proven is so."""
    wrong = 0
    for cell in range(len(numbers)):
        shown, mine = position.shown[cell], numbers[cell] < 0
        wrong += (shown == MINE and not mine) or (shown == SAFE and mine)
    return wrong == 0


@compiled
def begin_game(mind: Mind, position: Position, board: Bytes, numbers: Bytes, mines: int) -> None:
    """Make ``position`` a fresh board with so many mines, and fill ``numbers``, (cells,), for `advance`.

    ``board``, (cells,), has 1 for each mine.
    """
    numbers_of(mind.topology, board, numbers)
    reset(mind.topology, position, mines)


@compiled
def advance(
    mind: Mind, position: Position, policy: Floats, numbers: Bytes, cell: int, first: int, moved: bool
) -> int:
    """Open ``cell`` and all that is proven safe then; return the cell to guess next, or how the game ended.

    ``moved`` says that a mine under the ``first`` cell of the game moves, by winmine's rule.
    """
    topology, work = mind.topology, mind.work
    if numbers[cell] < 0:
        return LOST
    settle(topology, position, work, show(topology, position, work, cell, numbers[cell], 0))
    found = proceed(mind, position, numbers)
    if found < 0 or not _is_right(position, numbers):
        return WRONG
    if found > 0:
        return WON
    if not moved:
        return choose(mind, position, policy)
    weigh(mind, position, first)
    return choose_moved(mind, position, policy, first)
