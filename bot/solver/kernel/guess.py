"""Choosing the cell to open when nothing is proven.

**Unavoidable fifty-fifties.** If one of two neighbouring cells is a mine, only a safe cell that touches just
one of them can show which. If all such cells are mines, every number on the board stays the same when the
mine moves to the other of the two: sooner or later one of them must be guessed. The same is true for the two
diagonals of a square of four cells.

If a cell is in such a fifty-fifty in every solution in which it is a mine, opening it now costs nothing. Half
of the games with the fifty-fifty are lost anyway; in all others the cell is safe and its number comes early.

This assumes that both solutions are equally likely. Under winmine's first-click rule they are not if the mine
is part of the run that decides their weights; such cells are left to the look-ahead.
"""

from __future__ import annotations

from math import log

from bot.solver.kernel.analysis import EXACT, is_exact, log_solutions, suppose_mine
from bot.solver.kernel.build.functions import Floats, compiled, helper
from bot.solver.kernel.endgame import best_of_few
from bot.solver.kernel.judgement import best_judged
from bot.solver.kernel.layout import (
    MINE,
    SAFE,
    SMALL_BOARD,
    UNKNOWN,
    GuessPolicy,
    Position,
    Workspace,
    copy,
)
from bot.solver.kernel.look_ahead import ROUNDING, begin, gives_information, rank, surely_gives_information
from bot.solver.kernel.winmine import begins_the_run

_TRIED = 12  # how many of the least risky cells are searched for one that gives information
_FIFTY_FIFTY_COST_LIMIT = 3_000_000  # cost limit of the search for fifty-fifties, see `analyse`: 0.06 s


@helper
def least_risk(workspace: Workspace) -> int:
    """Return the least risky cell that gives information, or the least risky of all if none does."""
    position = workspace.position
    count = rank(position, workspace.buffers.risk, _TRIED, workspace.order)
    for place in range(count):
        cell = workspace.order[place]
        if surely_gives_information(position, workspace.buffers, cell):
            return cell
        if gives_information(workspace, cell):
            return cell
    return workspace.order[0]


@helper
def _mined(position: Position, risk: Floats, cell: int, least: float) -> bool:
    """Return whether a cell is marked as a mine, or is UNKNOWN with a risk of at least ``least``."""
    return position.shown[cell] == MINE or (position.shown[cell] == UNKNOWN and risk[cell] >= least)


@helper
def _free(position: Position, risk: Floats, cell: int, most: float) -> bool:
    """Return whether a cell is marked as safe, or is UNKNOWN with a risk of at most ``most``."""
    return position.shown[cell] == SAFE or (position.shown[cell] == UNKNOWN and risk[cell] <= most)


@helper
def _touching(position: Position, one: int, other: int) -> bool:
    down = one // position.cols - other // position.cols
    across = one % position.cols - other % position.cols
    return -1 <= down <= 1 and -1 <= across <= 1


@helper
def _closed_off(position: Position, risk: Floats, cell: int, other: int, least: float) -> bool:
    """Return whether all neighbours of a cell that do not touch ``other`` count as mines by `_mined`."""
    for index in range(position.degree[cell]):
        near = position.near[8 * cell + index]
        if not _touching(position, near, other) and not _mined(position, risk, near, least):
            return False
    return True


@helper
def _in_pair(position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float) -> bool:
    for index in range(position.degree[cell]):
        other = position.near[8 * cell + index]
        if (
            position.shown[other] == UNKNOWN
            and _free(seen, risk, other, most)
            and _closed_off(seen, risk, cell, other, least)
            and _closed_off(seen, risk, other, cell, least)
        ):
            return True
    return False


@helper
def _mined_at(seen: Position, risk: Floats, row: int, col: int, least: float) -> bool:
    """Return whether the place is off the board or counts as a mine by `_mined`."""
    if not (0 <= row < seen.rows and 0 <= col < seen.cols):
        return True
    return _mined(seen, risk, row * seen.cols + col, least)


@helper
def _in_square(
    position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    row, col = cell // position.cols, cell % position.cols
    for corner in range(4):
        down, across = 2 * (corner >> 1) - 1, 2 * (corner & 1) - 1
        if not (0 <= row + down < position.rows and 0 <= col + across < position.cols):
            continue
        one, other = cell + across, cell + down * position.cols
        opposite = other + across
        if (
            position.shown[one] == position.shown[other] == position.shown[opposite] == UNKNOWN
            and _free(seen, risk, one, most)
            and _free(seen, risk, other, most)
            and _mined(seen, risk, opposite, least)
            and _mined_at(seen, risk, row - down, col - across, least)
            and _mined_at(seen, risk, row - down, col + 2 * across, least)
            and _mined_at(seen, risk, row + 2 * down, col - across, least)
            and _mined_at(seen, risk, row + 2 * down, col + 2 * across, least)
        ):
            return True
    return False


@compiled
def in_fifty_fifty(
    position: Position, seen: Position, risk: Floats, cell: int, least: float, most: float
) -> bool:
    """Return whether a cell, if it is a mine, is in a fifty-fifty of cells UNKNOWN in ``position``.

    UNKNOWN cells of ``seen`` count as mines from a risk of ``least`` on, and as safe up to ``most``.
    """
    return _in_pair(position, seen, risk, cell, least, most) or _in_square(
        position, seen, risk, cell, least, most
    )


@compiled
def unavoidable(workspace: Workspace, cell: int) -> bool:
    """Return whether an UNKNOWN cell is in a fifty-fifty in every solution in which it is a mine.

    ``workspace.position`` must be analysed in ``workspace.buffers``. ``workspace.supposed`` is overwritten.
    """
    position, inner, other = workspace.position, workspace.supposed, workspace.supposed_buffers
    if begins_the_run(position, cell):
        return False
    # a cell that is always a mine (or always safe) if this cell is a mine is so at least as often
    least = workspace.buffers.risk[cell] - ROUNDING
    if not in_fifty_fifty(position, position, workspace.buffers.risk, cell, least, 1.0 - least):
        return False
    copy(position, inner)
    if suppose_mine(inner, other, cell) != EXACT:
        return False
    return in_fifty_fifty(position, inner, other.risk, cell, 1.0, 0.0)


@helper
def unavoidable_guess(workspace: Workspace) -> int:
    """Return the safest frontier cell for which `unavoidable` is true, -1 if there is none.

    The cost is added to ``workspace.supposed_buffers.spent``. On large boards the search ends early, at the
    cost limit.
    """
    chosen = -1
    for index in range(workspace.buffers.frontier_cells):
        cell = workspace.buffers.frontier[index]
        if workspace.supposed_buffers.spent > _FIFTY_FIFTY_COST_LIMIT:
            break
        safer = chosen < 0 or workspace.buffers.risk[cell] < workspace.buffers.risk[chosen]
        if safer and unavoidable(workspace, cell):
            chosen = cell
    return chosen


@helper
def are_few(workspace: Workspace, policy: GuessPolicy) -> bool:
    """Return whether the position analysed last has few enough solutions for the exact endgame search.

    On small boards, policies that look ahead search all that there is room for.
    """
    most = policy.endgame
    if policy.near > 0.0 and workspace.position.cells <= SMALL_BOARD:
        most = workspace.endgame.rows / 2
    return most >= 1.0 and log_solutions(workspace.buffers) <= log(most) + ROUNDING


@compiled
def guess(workspace: Workspace, policy: GuessPolicy) -> int:
    """Return the cell to guess where the endgame is not searched.

    If ``policy`` looks ahead, an unavoidable fifty-fifty comes first; else the next moves decide, and what
    was learned about them. If it does not, the risks decide.
    """
    begin(workspace)
    if policy.near <= 0.0 or not is_exact(workspace.buffers):
        return least_risk(workspace)
    cell = unavoidable_guess(workspace)
    return cell if cell >= 0 else best_judged(workspace, policy)


@compiled
def choose(workspace: Workspace, policy: GuessPolicy) -> int:
    """Return the cell to guess in the position that was analysed last in ``workspace.buffers``."""
    cell = -1
    if are_few(workspace, policy):
        cell = best_of_few(workspace.position, workspace.buffers, workspace.endgame)
    return cell if cell >= 0 else guess(workspace, policy)
