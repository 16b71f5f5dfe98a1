"""The exact risks under winmine's rule for the first click.

In winmine all placements are equally likely before the first click, at cell f. If f holds a mine, that mine
moves to the first cell m without a mine, row by row from the top left. So a final placement T (no mine at f)
comes from T itself, and from every S = T - {m} + {f} in which m is the first cell without a mine: in T, m and
all cells before it, except f, are mines. These m form the run of mines with which T begins if f is skipped.
So T comes from 1 + (length of that run) placements, and counts that often.

Summed over all T, this is the number of solutions, plus for every k the number of solutions whose first k
cells, without f, are mines. Each such set is counted as a position of its own, in which these are known. The
sets shrink with k, and the sum ends at a cell that is known to be safe, or when the rest is below rounding.
"""

from __future__ import annotations

from math import exp

from bot.solver.kernel.analysis import ESTIMATED, EXACT, NOTHING_FITS, is_exact, log_solutions, suppose_mine
from bot.solver.kernel.build.functions import Floats, compiled, helper
from bot.solver.kernel.endgame import best_of_listed
from bot.solver.kernel.guess import are_few, guess
from bot.solver.kernel.layout import MINE, UNKNOWN, Endgame, GuessPolicy, Position, Workspace, copy
from bot.solver.kernel.look_ahead import COST_LIMIT
from bot.solver.kernel.solutions import copy_solution, list_solutions

_BELOW_ROUNDING = 1e-17


@helper
def _add(workspace: Workspace, share: float) -> None:
    """Add the risks in ``workspace.supposed``, times its ``share`` of the solutions, to the risks."""
    position, risk = workspace.position, workspace.buffers.risk
    inner, supposed = workspace.supposed.shown, workspace.supposed_buffers.risk
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            if inner[cell] == MINE:
                risk[cell] += share
            elif inner[cell] == UNKNOWN:
                risk[cell] += share * supposed[cell]


@helper
def _scale(position: Position, risk: Floats, times: float, parts: float) -> None:
    for cell in range(position.cells):
        if position.shown[cell] == UNKNOWN:
            risk[cell] = risk[cell] * times / parts


@compiled
def apply_winmine_rule(workspace: Workspace, first: int) -> int:
    """Turn the risks of the position of ``workspace``, which is analysed, into those under winmine's rule.

    ``first`` is the cell that was opened first. Return EXACT, or ESTIMATED if the position is too large: only
    the terms counted so far are then included. Risks of 0 and 1 stay the same.
    """
    if not is_exact(workspace.buffers):
        return ESTIMATED
    position = workspace.position
    workspace.supposed_buffers.spent = 0
    whole, total, share, found, begun = log_solutions(workspace.buffers), 1.0, 0.0, EXACT, False
    copy(position, workspace.supposed)
    for cell in range(position.cells):
        if cell == first:
            continue
        if workspace.supposed.shown[cell] == UNKNOWN:
            found = suppose_mine(workspace.supposed, workspace.supposed_buffers, cell)
            found = ESTIMATED if workspace.supposed_buffers.spent > COST_LIMIT else found
            if found != EXACT:
                break
            if not begun:
                _scale(position, workspace.buffers.risk, total, 1.0)
                begun = True
            share = exp(log_solutions(workspace.supposed_buffers) - whole)
        elif workspace.supposed.shown[cell] != MINE:
            break
        elif not begun:  # a mine in every solution: all solutions are still equally likely
            total += 1.0
            continue
        total += share
        _add(workspace, share)
        if share * position.cells < _BELOW_ROUNDING:
            break
    if begun:
        _scale(position, workspace.buffers.risk, 1.0, total)
    return EXACT if found == NOTHING_FITS else found


@helper
def _run(position: Position, end: Endgame, row: int, first: int) -> int:
    """Return the length of the run of mines with which a listed solution begins, skipping ``first``."""
    run = 0
    for cell in range(position.cells):
        if cell == first:
            continue
        what = position.shown[cell]
        if what != MINE and not (what == UNKNOWN and end.mined[end.width * row + end.number[cell]]):
            break
        run += 1
    return run


@helper
def _repeated(position: Position, end: Endgame, count: int, first: int) -> int:
    """Repeat each listed solution as often as it counts; return the new length of the list.

    If all count equally, nothing is repeated. Return -1 if there are too many.
    """
    alike = True
    for row in range(count):
        end.used[row] = _run(position, end, row, first)
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
def choose_under_winmine_rule(workspace: Workspace, policy: GuessPolicy, first: int) -> int:
    """Return the cell to guess under winmine's rule, after `weigh` with the same ``first`` cell.

    The endgame search is exact under this rule.
    """
    if are_few(workspace, policy):
        position, end = workspace.position, workspace.endgame
        count = _repeated(position, end, list_solutions(position, workspace.buffers, end), first)
        cell = best_of_listed(position, end, count)
        if cell >= 0:
            return cell
    return guess(workspace, policy)
