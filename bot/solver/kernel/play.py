"""Games played guess by guess, for measurements, or played by proofs alone."""

from __future__ import annotations

from bot.solver.kernel.analysis import NOTHING_FITS, analyse, mark_proven
from bot.solver.kernel.build.functions import Bytes, compiled, helper
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import MINE, SAFE, GuessPolicy, Position, Workspace, reset, settle, show
from bot.solver.kernel.winmine import weigh_exactly

# Results of `advance` when the game has ended. WRONG is an error of the solver: it took a mine for safe, a
# safe cell for a mine, or the position for impossible.
WON, LOST, WRONG = -1, -2, -3


@helper
def numbers_of(position: Position, mines: Bytes, numbers: Bytes) -> None:
    """Fill ``numbers`` with the number of mines around each cell, -1 for the mines themselves."""
    for cell in range(position.cells):
        numbers[cell] = -1
        if not mines[cell]:
            count = 0
            for index in range(position.degree[cell]):
                count += mines[position.near[8 * cell + index]]
            numbers[cell] = count


@compiled
def proceed(workspace: Workspace, numbers: Bytes) -> int:
    """Open all cells that are proven safe; return 1 if the game is won, 0 if not, -1 if no solution fits."""
    position, buffers = workspace.position, workspace.buffers
    while True:
        while position.safes:
            position.safes -= 1
            cell = position.safe[position.safes]
            if numbers[cell] >= 0:  # a mine stays marked as SAFE, so that `_is_right` finds it
                settle(position, buffers, show(position, buffers, cell, numbers[cell], 0))
        if position.unknowns == position.mines_left:
            return 1
        if analyse(position, buffers) == NOTHING_FITS:
            return -1
        if not mark_proven(position, buffers):
            weigh_exactly(workspace)
            return 0


@helper
def _is_right(position: Position, numbers: Bytes) -> bool:
    """Return whether all cells marked as MINE or SAFE are marked correctly."""
    wrong = 0
    for cell in range(position.cells):
        shown, mine = position.shown[cell], numbers[cell] < 0
        wrong += (shown == MINE and not mine) or (shown == SAFE and mine)
    return wrong == 0


@compiled
def begin_game(workspace: Workspace, board: Bytes, numbers: Bytes, mines: int, first: int) -> None:
    """Begin a new game with ``mines`` mines in ``workspace``; fill ``numbers``, (cells,), for `advance`.

    ``board``, (cells,), has 1 for each mine. Under winmine's rule, by which a mine under the first cell of
    the game moves, that is ``first``; else -1.
    """
    workspace.position.first = first
    numbers_of(workspace.position, board, numbers)
    reset(workspace.position, mines)


@compiled
def advance(workspace: Workspace, policy: GuessPolicy, numbers: Bytes, cell: int) -> int:
    """Open ``cell`` and all cells then proven safe; return the cell to guess next, or how the game ended."""
    position, buffers = workspace.position, workspace.buffers
    if numbers[cell] < 0:
        return LOST
    settle(position, buffers, show(position, buffers, cell, numbers[cell], 0))
    found = proceed(workspace, numbers)
    if found < 0 or not _is_right(position, numbers):
        return WRONG
    if found > 0:
        return WON
    return choose(workspace, policy)


@compiled
def left_unproven(workspace: Workspace, board: Bytes, numbers: Bytes, mines: int, first: int) -> int:
    """Open ``first`` and all cells proven safe; return how many cells without a mine stay covered.

    ``board``, (cells,), has 1 for each of the ``mines`` mines, and no mine at ``first``. ``numbers``,
    (cells,), is overwritten. The position of ``workspace`` is left as it is when the proofs end.
    """
    position = workspace.position
    begin_game(workspace, board, numbers, mines, -1)
    waiting = show(position, workspace.buffers, first, numbers[first], 0)
    settle(position, workspace.buffers, waiting)
    proceed(workspace, numbers)
    return position.unknowns - position.mines_left
