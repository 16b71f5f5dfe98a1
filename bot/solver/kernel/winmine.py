"""The exact chances under winmine's rule for the first click.

There all placements are equally likely before the first click, at cell f. If f holds a mine, that mine moves
to the first free cell m, row by row from the top left, and m is not f. So a final placement T (without f)
comes from T itself, and from every S = T - {m} + {f} whose first free cell is m, which says that m is in T
and so is every cell before m, but for f. Those m are the cells of the run of mines with which T begins when f
is passed over: T comes from 1 + (length of that run) placements, and counts that often.

Counted over all T: the number of solutions, plus for every k the number of those solutions whose first k
cells, f passed over, are mines. Each of these is a position of its own, with k more known mines. They become
fewer with k, and the sum ends where a cell is known to be safe, or where the rest is below rounding.
"""

from __future__ import annotations

from math import exp

from bot.solver.kernel.analysis import ESTIMATED, EXACT, NOTHING_FITS, is_exact, log_solutions, suppose_mine
from bot.solver.kernel.compiled import compiled, helper
from bot.solver.kernel.endgame import best_of_listed
from bot.solver.kernel.guess import PATIENCE, are_few, judge
from bot.solver.kernel.layout import MINE, UNKNOWN, Endgame, GuessPolicy, Position, Workspace, copy
from bot.solver.kernel.solutions import copy_solution, list_solutions
from bot.solver.kernel.structs import Floats

_BELOW_ROUNDING = 1e-17


@helper
def _add(workspace: Workspace, position: Position, share: float) -> None:
    """Add the mines of the supposed position, which has ``share`` of the solutions, to the risks."""
    risk, inner, supposed = workspace.buffers.risk, workspace.supposed.shown, workspace.supposed_buffers.risk
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
def weigh(workspace: Workspace, position: Position, first: int) -> int:
    """Turn the risks of the position analysed last in ``workspace.buffers`` into those under winmine's rule.

    ``first`` is the cell that was opened first. Return EXACT, or ESTIMATED where the position is too large;
    what could be counted then counts. What is 0 or 1 stays so.
    """
    if not is_exact(workspace.buffers):
        return ESTIMATED
    workspace.supposed_buffers.spent = 0
    whole, total, share, found, begun = log_solutions(workspace.buffers), 1.0, 0.0, EXACT, False
    copy(position, workspace.supposed)
    for cell in range(position.cells):
        if cell == first:
            continue
        if workspace.supposed.shown[cell] == UNKNOWN:
            found = suppose_mine(workspace.topology, workspace.supposed, workspace.supposed_buffers, cell)
            found = ESTIMATED if workspace.supposed_buffers.spent > PATIENCE else found
            if found != EXACT:
                break
            if not begun:
                _scale(position, workspace.buffers.risk, total, 1.0)
                begun = True
            share = exp(log_solutions(workspace.supposed_buffers) - whole)
        elif workspace.supposed.shown[cell] != MINE:
            break
        elif not begun:  # a mine in every solution: all are as likely as each other still
            total += 1.0
            continue
        total += share
        _add(workspace, position, share)
        if share * position.cells < _BELOW_ROUNDING:
            break
    if begun:
        _scale(position, workspace.buffers.risk, 1.0, total)
    return EXACT if found == NOTHING_FITS else found


@helper
def _run(position: Position, end: Endgame, row: int, first: int) -> int:
    """Return the length of the run of mines with which a listed solution begins."""
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
    """Repeat the listed solutions until each stands there as often as it counts; return how many there are.

    Where all count alike, nothing is repeated. Return -1 if they are too many.
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


@helper
def _best_of_few(workspace: Workspace, position: Position, first: int) -> int:
    """Return what `endgame.best_of_few` does, under winmine's rule."""
    count = list_solutions(position, workspace.buffers, workspace.endgame)
    count = _repeated(position, workspace.endgame, count, first)
    return best_of_listed(workspace.topology, position, workspace.endgame, count)


@compiled
def choose_moved(workspace: Workspace, position: Position, policy: GuessPolicy, first: int) -> int:
    """Return what `guess.choose` does, after `weigh` with the same ``first`` cell.

    The endgame is exact by that rule. The search of somewhat more solutions is left out: there are too many
    to repeat each as often as it counts.
    """
    if are_few(workspace, policy):
        cell = _best_of_few(workspace, position, first)
        if cell >= 0:
            return cell
    return judge(workspace, position, policy)
