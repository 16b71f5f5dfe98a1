"""Games guess by guess, for measuring, and how far a game goes by proofs alone."""

from __future__ import annotations

from bot.solver.kernel.analysis import NOTHING_FITS, analyse, learn
from bot.solver.kernel.compiled import compiled, helper
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import (
    MINE,
    SAFE,
    CountingBuffers,
    GuessPolicy,
    Position,
    Topology,
    Workspace,
    reset,
    settle,
    show,
)
from bot.solver.kernel.structs import Bytes
from bot.solver.kernel.winmine import choose_moved, weigh

# How a game ended, where `advance` has no cell to guess: WRONG if a mine was called
# safe, or a safe cell a mine, or the position impossible.
WON, LOST, WRONG = -1, -2, -3


@helper
def numbers_of(topology: Topology, mines: Bytes, numbers: Bytes) -> None:
    """Fill ``numbers`` with the mines around each cell, -1 for the mines themselves."""
    for cell in range(topology.rows * topology.cols):
        numbers[cell] = -1
        if not mines[cell]:
            count = 0
            for index in range(topology.degree[cell]):
                count += mines[topology.near[8 * cell + index]]
            numbers[cell] = count


@helper
def open_safe(topology: Topology, position: Position, buffers: CountingBuffers, numbers: Bytes) -> None:
    """Open all cells that are deduced safe, and what follows by counting, until no such cell is left.

    A mine among them stays SAFE, so that `_is_right` finds it.
    """
    while position.safes:
        position.safes -= 1
        cell = position.safe[position.safes]
        if numbers[cell] >= 0:
            settle(topology, position, buffers, show(topology, position, buffers, cell, numbers[cell], 0))


@compiled
def proceed(workspace: Workspace, position: Position, numbers: Bytes) -> int:
    """Open all that is proven safe; return 1 if the game is won, 0 if not, -1 if nothing fits."""
    topology, buffers = workspace.topology, workspace.buffers
    while True:
        open_safe(topology, position, buffers, numbers)
        if position.unknowns == position.mines_left:
            return 1
        if analyse(topology, position, buffers) == NOTHING_FITS:
            return -1
        if not learn(topology, position, buffers):
            return 0


@helper
def _is_right(position: Position, numbers: Bytes) -> bool:
    """Return whether everything that was proven is so."""
    wrong = 0
    for cell in range(position.cells):
        shown, mine = position.shown[cell], numbers[cell] < 0
        wrong += (shown == MINE and not mine) or (shown == SAFE and mine)
    return wrong == 0


@compiled
def begin_game(workspace: Workspace, position: Position, board: Bytes, numbers: Bytes, mines: int) -> None:
    """Make ``position`` a fresh board with so many mines, and fill ``numbers``, (cells,), for `advance`.

    ``board``, (cells,), has 1 for each mine.
    """
    numbers_of(workspace.topology, board, numbers)
    reset(workspace.topology, position, mines)


@compiled
def advance(
    workspace: Workspace,
    position: Position,
    policy: GuessPolicy,
    numbers: Bytes,
    cell: int,
    first: int,
    moved: bool,
) -> int:
    """Open ``cell`` and all that is proven safe then; return the cell to guess next, or how the game ended.

    ``moved`` says that a mine under the ``first`` cell of the game moves, by winmine's rule.
    """
    topology, buffers = workspace.topology, workspace.buffers
    if numbers[cell] < 0:
        return LOST
    settle(topology, position, buffers, show(topology, position, buffers, cell, numbers[cell], 0))
    found = proceed(workspace, position, numbers)
    if found < 0 or not _is_right(position, numbers):
        return WRONG
    if found > 0:
        return WON
    if not moved:
        return choose(workspace, position, policy)
    weigh(workspace, position, first)
    return choose_moved(workspace, position, policy, first)


@compiled
def left_unproven(
    workspace: Workspace, position: Position, board: Bytes, numbers: Bytes, mines: int, first: int
) -> int:
    """Open ``first`` and all that is proven safe; return how many cells without a mine stay covered.

    ``board``, (cells,), has 1 for each of the ``mines`` mines, and none at ``first``; ``numbers``, (cells,),
    is used meanwhile. ``position`` is left where the proofs end.
    """
    numbers_of(workspace.topology, board, numbers)
    reset(workspace.topology, position, mines)
    waiting = show(workspace.topology, position, workspace.buffers, first, numbers[first], 0)
    settle(workspace.topology, position, workspace.buffers, waiting)
    proceed(workspace, position, numbers)
    return position.unknowns - position.mines_left
