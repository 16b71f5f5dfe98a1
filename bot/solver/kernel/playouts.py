"""Playing a position out to the end, to estimate how good a guess is."""

from __future__ import annotations

from bot.solver.kernel.analysis import is_exact
from bot.solver.kernel.build.functions import Bytes, Floats, Ints, Small, compiled, helper
from bot.solver.kernel.endgame import best_of_few
from bot.solver.kernel.guess import are_few, guess
from bot.solver.kernel.judgement import corrected
from bot.solver.kernel.layout import COMPARED, GuessPolicy, Playouts, Workspace, copy, settle, show
from bot.solver.kernel.look_ahead import NEVER, begin, considered, worth
from bot.solver.kernel.play import numbers_of, proceed
from bot.solver.kernel.winmine import draw_by_weight

_COST_OF_NODE = 20  # of the endgame search, in the unit of `analyse`
_TRIES = 1000  # the most solutions that are drawn to find one in which a cell is safe


@compiled
def draw_safe(workspace: Workspace, mined: Bytes, seed: Ints, cell: int) -> bool:
    """Draw solutions of the position analysed last until ``cell`` is safe; return whether one was found.

    Return False also if the solutions were not counted exactly.
    """
    if not is_exact(workspace.buffers):
        return False
    for _ in range(_TRIES):
        draw_by_weight(workspace.position, workspace.buffers, mined, seed)
        if not mined[cell]:
            return True
    return False


@helper
def play_out(playouts: Playouts, policy: GuessPolicy, first: int) -> float:
    """Open ``first`` and play on; return the chance to survive all guesses after it, -1 if that fails.

    If the drawn board has a mine under a guess, another board is drawn in which that cell is safe. So no
    play-out ends early, and their mean is the chance to win. ``playouts.workspace`` has the position to play;
    the cost is added to ``spent`` of its buffers.
    """
    workspace, position = playouts.workspace, playouts.workspace.position
    mined, numbers = playouts.mined, playouts.numbers
    chance, cell = 1.0, first
    while True:
        numbers_of(position, mined, numbers)
        waiting = show(position, workspace.buffers, cell, numbers[cell], 0)
        settle(position, workspace.buffers, waiting)
        found = proceed(workspace, numbers)
        workspace.buffers.spent += workspace.buffers.cost
        if found != 0:
            return chance if found > 0 else -1.0
        if are_few(workspace, policy):
            cell = best_of_few(position, workspace.buffers, workspace.endgame)
            workspace.buffers.spent += _COST_OF_NODE * workspace.endgame.nodes
            if cell >= 0:
                return chance * workspace.endgame.wins / workspace.endgame.solutions
        cell = guess(workspace, policy)
        workspace.buffers.spent += workspace.supposed_buffers.spent + workspace.next_buffers.spent
        chance *= 1.0 - workspace.buffers.risk[cell]
        if mined[cell] and not draw_safe(workspace, mined, playouts.seed, cell):
            return -1.0


@compiled
def candidates(workspace: Workspace, policy: GuessPolicy, most: int, cells: Small, worths: Floats) -> int:
    """Fill ``cells`` with the cells to consider in the position analysed last, ``worths`` with their worth.

    These are the least risky cells that ``policy`` considers, see `Policy`. If it is ``judged``, their worth
    is `corrected`. Return how many, at most ``most``.
    """
    count = min(considered(workspace, policy), most)
    highest = NEVER
    begin(workspace)
    for place in range(count):
        cells[place] = workspace.order[place]
        worths[place] = worth(workspace, cells[place], policy, NEVER)
        highest = max(highest, worths[place])
    for place in range(count):
        worths[place] = corrected(workspace, policy, cells[place], worths[place], highest)
    return count


@helper
def _play_solution(
    workspace: Workspace,
    playouts: Playouts,
    policy: GuessPolicy,
    cells: Small,
    count: int,
    chances: Floats,
    at: int,
) -> bool:
    """Play out ``count`` cells on the same random solution; set ``chances`` from index ``at`` on.

    A cell that is a mine in it has a solution of its own. Return False if a play-out cannot be finished.
    """
    position, drawn, mined, seed = workspace.position, playouts.drawn, playouts.mined, playouts.seed
    draw_by_weight(position, workspace.buffers, drawn, seed)
    for index in range(count):
        cell = cells[index]
        if drawn[cell]:
            if not draw_safe(workspace, mined, seed, cell):
                return False
        else:
            for other in range(position.cells):
                mined[other] = drawn[other]
        copy(position, playouts.workspace.position)
        chance = play_out(playouts, policy, cell)
        if chance < 0.0:
            return False
        chances[at + index] = (1.0 - workspace.buffers.risk[cell]) * chance
    return True


@compiled
def compare(
    workspace: Workspace,
    playouts: Playouts,
    policy: GuessPolicy,
    cells: Small,
    count: int,
    samples: int,
    chances: Floats,
) -> bool:
    """Play out each of ``count`` cells on random solutions, on the same ones for all cells where possible.

    The position of ``workspace`` must be analysed. Set ``chances``, (samples, count), to the chance to win of
    each play-out. Return False if one cannot be finished.
    """
    if not is_exact(workspace.buffers):
        return False
    for sample in range(samples):
        if not _play_solution(workspace, playouts, policy, cells, count, chances, sample * count):
            return False
    return True


@compiled
def play_out_all(workspace: Workspace, games: Playouts, policy: GuessPolicy) -> bool:
    """Play out the cells of a contest once, see `contest`. Return False if that cannot be finished."""
    at = COMPARED * games.played
    games.played += 1
    return _play_solution(workspace, games, policy, games.cells, games.compared, games.chances, at)
