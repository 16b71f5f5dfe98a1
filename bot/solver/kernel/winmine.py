"""The weights of the solutions under winmine's rule for the first click.

In winmine all placements are equally likely before the first click, at cell f. If f holds a mine, that mine
moves to the first cell m without a mine, row by row from the top left. So a final placement T (no mine at f)
comes from T itself, and from every S = T - {m} + {f} in which m is the first cell without a mine: in T, m and
all cells before it, except f, are mines. These m form the run of mines with which T begins if f is skipped.
So T comes from 1 + (length of that run) placements, and counts that often: this is its weight.

Summed over all T, this is the number of solutions, plus for every k the number of solutions whose first k
cells, without f, are mines. Each such set is counted as a position of its own, in which these are known. The
sets shrink with k, and the sum ends at a cell that is known to be safe, or when the rest is small enough.
"""

from __future__ import annotations

from math import exp, log

from bot.solver.kernel.analysis import ESTIMATED, EXACT, NOTHING_FITS, is_exact, log_solutions, suppose_mine
from bot.solver.kernel.build.functions import Bytes, Floats, Ints, compiled, helper
from bot.solver.kernel.layout import MINE, UNKNOWN, CountingBuffers, Endgame, Position, Workspace, copy
from bot.solver.kernel.solutions import copy_solution, draw, list_solutions, uniform

_BELOW_ROUNDING = 1e-17
_SMALL = 1e-3  # a share of the solutions that does not matter for a supposed position
_COST_LIMIT = 12_000_000  # of all positions analysed to weigh one, see `analyse`: 0.25 seconds
_LONGEST = 8  # when solutions are drawn, all longer runs count as this; they are rarer than 1 in 100,000


@helper
def begins_the_run(position: Position, cell: int) -> bool:
    """Return whether a mine in ``cell``, or next to it, could lengthen the run of mines."""
    if position.first < 0:
        return False
    for other in range(max(0, cell - position.cols - 1)):
        if other != position.first and position.shown[other] != UNKNOWN and position.shown[other] != MINE:
            return False
    return True


@helper
def _add(position: Position, risk: Floats, inner: Position, supposed: Floats, share: float) -> None:
    """Add the risks ``supposed`` in ``inner``, times its ``share`` of the solutions, to ``risk``."""
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            if inner.shown[cell] == MINE:
                risk[cell] += share
            elif inner.shown[cell] == UNKNOWN:
                risk[cell] += share * supposed[cell]


@helper
def _scale(position: Position, risk: Floats, times: float, parts: float) -> None:
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            risk[cell] = risk[cell] * times / parts


@compiled
def weigh(position: Position, buffers: CountingBuffers, workspace: Workspace, least: float) -> int:
    """Weigh the solutions of a position, analysed in ``buffers``: change its risks and ``mean_weight``.

    Return EXACT, or ESTIMATED if the position is too large: only the terms counted so far are then included.
    Terms after one with less than the share ``least`` of the solutions are left out. Risks of 0 and 1 stay
    the same. ``workspace.weighed`` is overwritten.
    """
    if not is_exact(buffers):
        return ESTIMATED
    inner, other = workspace.weighed, workspace.weighed_buffers
    other.spent = 0
    whole, total, share, found, begun = log_solutions(buffers), 1.0, 0.0, EXACT, False
    copy(position, inner)
    for cell in range(position.cells):
        if cell == position.first:
            continue
        if inner.shown[cell] == UNKNOWN:
            found = suppose_mine(inner, other, cell)
            found = ESTIMATED if other.spent > _COST_LIMIT else found
            if found != EXACT:
                break
            if not begun:
                _scale(position, buffers.risk, total, 1.0)
                begun = True
            share = exp(log_solutions(other) - whole)
        elif inner.shown[cell] != MINE:
            break
        elif not begun:  # a mine in every solution: all solutions are still equally likely
            total += 1.0
            continue
        total += share
        _add(position, buffers.risk, inner, other.risk, share)
        if share < least:
            break
    if begun:
        _scale(position, buffers.risk, 1.0, total)
    buffers.mean_weight = log(total)
    return EXACT if found == NOTHING_FITS else found


@compiled
def weigh_exactly(workspace: Workspace) -> int:
    """Weigh the solutions of ``workspace.position`` if winmine's rule applies; return as `weigh`."""
    position, buffers = workspace.position, workspace.buffers
    if position.first < 0:
        return EXACT
    return weigh(position, buffers, workspace, _BELOW_ROUNDING / position.cells)


@helper
def weigh_roughly(position: Position, buffers: CountingBuffers, workspace: Workspace) -> None:
    """Weigh the solutions of a supposed position if winmine's rule applies and it matters there.

    It matters if the first cell of the run is a mine or touches an opened number. Elsewhere nearly all that
    is known of the board is the same with a mine in it or without.
    """
    cell = 1 if position.first == 0 else 0
    doubt = position.shown[cell] == UNKNOWN and buffers.group_of[cell] >= 0
    if position.first >= 0 and (doubt or position.shown[cell] == MINE):
        weigh(position, buffers, workspace, _SMALL)


@helper
def _run(position: Position, end: Endgame, row: int) -> int:
    """Return the length of the run of mines with which a listed solution begins."""
    run = 0
    for cell in range(position.cells):
        if cell == position.first:
            continue
        what = position.shown[cell]
        if what != MINE and not (what == UNKNOWN and end.mined[end.width * row + end.number[cell]]):
            break
        run += 1
    return run


@helper
def list_by_weight(position: Position, buffers: CountingBuffers, end: Endgame) -> int:
    """List the solutions as `list_solutions`, each as often as it counts; return how many, -1 if too many.

    If all count equally, each is listed once.
    """
    count, alike = list_solutions(position, buffers, end), True
    if position.first < 0:
        return count
    for row in range(count):
        end.used[row] = _run(position, end, row)
        alike = alike and end.used[row] == end.used[0]
    made = count
    for row in range(0 if alike else count):
        for _ in range(end.used[row]):
            if made == end.rows:
                return -1
            copy_solution(end, row, made, position.unknowns)
            made += 1
    return made


@compiled
def draw_by_weight(position: Position, buffers: CountingBuffers, mined: Bytes, seed: Ints) -> None:
    """Draw a random solution as `draw`, but the more often the more it counts."""
    while True:
        draw(position, buffers, mined, seed)
        if position.first < 0:
            return
        run = 0
        for cell in range(position.cells):
            if cell != position.first:
                if not mined[cell]:
                    break
                run += 1
        if uniform(seed) * _LONGEST < 1.0 + min(run, _LONGEST - 1):
            return
