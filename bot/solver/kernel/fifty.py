"""Fifty-fifties that cannot be avoided.

Two cells that touch, one of them a mine, can only be told apart by a safe cell that touches just one of them.
If all such cells are mines, the same numbers will be seen everywhere with the mine in the other cell: one of
the two has to be guessed some day. The same holds of the two diagonals of a square of four cells.

So if a cell is a mine only where it belongs to such a fifty-fifty, opening it now costs nothing: half of
those games are lost at any time, in all others the cell is safe, and what it shows comes early.

That takes all solutions to be equally likely. Under winmine's rule the two sides of a fifty-fifty near the
top left may differ, and what is said here holds of the others only: there it is a rule of thumb.
"""

from __future__ import annotations

from bot.solver.kernel.analysis import EXACT, suppose_mine
from bot.solver.kernel.compiled import compiled, helper
from bot.solver.kernel.layout import MINE, SAFE, UNKNOWN, Position, Topology, Workspace
from bot.solver.kernel.rules import copy
from bot.solver.kernel.structs import Floats

_ROUNDING = 1e-9
_PATIENCE = 3_000_000  # what all that is supposed may take, see `analyse`: 0.06 seconds


@helper
def _mined(position: Position, risk: Floats, cell: int, least: float) -> bool:
    """Return whether a cell is a mine, or at least so risky."""
    return position.shown[cell] == MINE or (position.shown[cell] == UNKNOWN and risk[cell] >= least)


@helper
def _free(position: Position, risk: Floats, cell: int, most: float) -> bool:
    """Return whether a cell is safe, or at most so risky."""
    return position.shown[cell] == SAFE or (position.shown[cell] == UNKNOWN and risk[cell] <= most)


@helper
def _touching(topology: Topology, one: int, other: int) -> bool:
    down = one // topology.cols - other // topology.cols
    across = one % topology.cols - other % topology.cols
    return -1 <= down <= 1 and -1 <= across <= 1


@helper
def _closed_off(
    topology: Topology, position: Position, risk: Floats, cell: int, other: int, least: float
) -> bool:
    """Return whether all that touches a cell, but not ``other``, is a mine or at least so risky."""
    for index in range(topology.degree[cell]):
        near = topology.near[8 * cell + index]
        if not _touching(topology, near, other) and not _mined(position, risk, near, least):
            return False
    return True


@helper
def _in_pair(
    topology: Topology, position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    for index in range(topology.degree[cell]):
        other = topology.near[8 * cell + index]
        if (
            position.shown[other] == UNKNOWN
            and _free(seen, risk, other, most)
            and _closed_off(topology, seen, risk, cell, other, least)
            and _closed_off(topology, seen, risk, other, cell, least)
        ):
            return True
    return False


@helper
def _mined_at(topology: Topology, seen: Position, risk: Floats, row: int, col: int, least: float) -> bool:
    """Return whether there is no cell here, or it is a mine, or at least so risky."""
    if not (0 <= row < topology.rows and 0 <= col < topology.cols):
        return True
    return _mined(seen, risk, row * topology.cols + col, least)


@helper
def _in_square(
    topology: Topology, position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    row, col = cell // topology.cols, cell % topology.cols
    for corner in range(4):
        down, across = 2 * (corner >> 1) - 1, 2 * (corner & 1) - 1
        if not (0 <= row + down < topology.rows and 0 <= col + across < topology.cols):
            continue
        one, other = cell + across, cell + down * topology.cols
        opposite = other + across
        if (
            position.shown[one] == position.shown[other] == position.shown[opposite] == UNKNOWN
            and _free(seen, risk, one, most)
            and _free(seen, risk, other, most)
            and _mined(seen, risk, opposite, least)
            and _mined_at(topology, seen, risk, row - down, col - across, least)
            and _mined_at(topology, seen, risk, row - down, col + 2 * across, least)
            and _mined_at(topology, seen, risk, row + 2 * down, col - across, least)
            and _mined_at(topology, seen, risk, row + 2 * down, col + 2 * across, least)
        ):
            return True
    return False


@compiled
def stands(
    topology: Topology, position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    """Return whether a cell, a mine, is in a fifty-fifty of cells that are UNKNOWN in ``position``.

    A mine in ``seen`` is what has a risk of ``least`` or more, safe what has one of ``most`` or less.
    """
    return _in_pair(topology, position, seen, risk, cell, least, most) or _in_square(
        topology, position, seen, risk, cell, least, most
    )


@compiled
def unavoidable(workspace: Workspace, position: Position, cell: int) -> bool:
    """Return whether an UNKNOWN cell is in a fifty-fifty in every solution in which it is a mine.

    To be asked of the position analysed last in ``workspace.buffers``; what is supposed for that replaces
    ``workspace.supposed``.
    """
    topology, inner, other = workspace.topology, workspace.supposed, workspace.supposed_buffers
    # what is a mine, or safe, whenever this cell is a mine is so at least as often
    least = workspace.buffers.risk[cell] - _ROUNDING
    if not stands(topology, position, position, workspace.buffers.risk, cell, least, 1.0 - least):
        return False
    copy(position, inner)
    if suppose_mine(topology, inner, other, cell) != EXACT:
        return False
    return stands(topology, position, inner, other.risk, cell, 1.0, 0.0)


@helper
def unavoidable_guess(workspace: Workspace, position: Position) -> int:
    """Return the safest cell whose mines all belong to fifty-fifties that cannot be avoided, -1 if none does.

    What that takes is spent in ``workspace.supposed_buffers``; large boards are searched as far as patience
    goes.
    """
    chosen = -1
    for index in range(workspace.buffers.frontier_cells):
        cell = workspace.buffers.frontier[index]
        if workspace.supposed_buffers.spent > _PATIENCE:
            break
        safer = chosen < 0 or workspace.buffers.risk[cell] < workspace.buffers.risk[chosen]
        if safer and unavoidable(workspace, position, cell):
            chosen = cell
    return chosen
