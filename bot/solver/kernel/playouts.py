"""Playing a position out to the end, to see how good a guess is."""

from __future__ import annotations

from bot.solver.kernel.analysis import is_exact
from bot.solver.kernel.compiled import compiled
from bot.solver.kernel.endgame import best_of_few
from bot.solver.kernel.guess import are_few, begin, judge, worth
from bot.solver.kernel.layout import (
    BEST_SHARE,
    Bytes,
    Floats,
    Ints,
    Mind,
    Position,
    Small,
)
from bot.solver.kernel.play import numbers_of, proceed
from bot.solver.kernel.ranking import considered
from bot.solver.kernel.rules import copy, settle, show
from bot.solver.kernel.sampling import draw
from bot.solver.kernel.tree import SOLUTIONS_LISTED, WINS

_TRIES = 1000  # solutions drawn to find one in which a cell is safe


@compiled
def draw_safe(mind: Mind, position: Position, mined: Bytes, seed: Ints, cell: int) -> bool:
    """Draw solutions of the position analysed last until ``cell`` is safe; return whether one was found.

    There is none where solutions are not counted exactly.
    """
    if not is_exact(mind.work):
        return False
    for _ in range(_TRIES):
        draw(position, mind.work, mined, seed)
        if not mined[cell]:
            return True
    return False


@compiled
def play_out(
    mind: Mind, position: Position, policy: Floats, mined: Bytes, numbers: Bytes, first: int, seed: Ints
) -> float:
    """Open ``first`` and play on; return the chance to survive all guesses on the way, -1 if too large.

    Where the board drawn has a mine under a guess, another one is drawn in which that cell is safe: so no
    play-out is cut short, and their mean is the chance to win. ``position`` and the arrays are used up.
    """
    chance, cell = 1.0, first
    while True:
        numbers_of(mind.topology, mined, numbers)
        waiting = show(mind.topology, position, mind.work, cell, numbers[cell], 0)
        settle(mind.topology, position, mind.work, waiting)
        found = proceed(mind, position, numbers)
        if found != 0:
            return chance if found > 0 else -1.0
        if are_few(mind, policy):
            cell = best_of_few(mind.topology, position, mind.work, mind.end)
            if cell >= 0:
                return chance * mind.end.facts[WINS] / mind.end.facts[SOLUTIONS_LISTED]
        cell = judge(mind, position, policy)
        chance *= 1.0 - mind.work.risk[cell]
        if mined[cell] and not draw_safe(mind, position, mined, seed, cell):
            return -1.0


@compiled
def candidates(mind: Mind, position: Position, policy: Floats, cells: Small, worths: Floats) -> int:
    """Fill ``cells`` with those to consider on the position analysed last, and what they are worth.

    Return how many; they are those of least risk. See `Policy` for what ``policy`` says of them.
    """
    count = min(considered(mind, position, policy), len(cells))
    begin(mind)
    for place in range(count):
        cells[place] = mind.order[place]
        worths[place] = worth(mind, position, cells[place], policy[BEST_SHARE])
    return count


@compiled
def compare(
    mind: Mind,
    position: Position,
    inner: Mind,
    other: Position,
    policy: Floats,
    cells: Small,
    seed: Ints,
    boards: Bytes,
    chances: Floats,
) -> bool:
    """Play each of ``cells`` out on solutions that they share as far as they can be safe in them.

    The position is the one analysed last in ``mind.work``; ``inner`` and ``other`` are used meanwhile, and
    ``boards``, (3 * cells of the board,). Set ``chances``, (samples * cells,), to the chance to win of each
    play-out. Return False if one could not be finished.
    """
    if not is_exact(mind.work):
        return False
    size, count = len(position.shown), len(cells)
    common, mined, numbers = boards[:size], boards[size : 2 * size], boards[2 * size :]
    for sample in range(len(chances) // count):
        draw(position, mind.work, common, seed)
        for index in range(count):
            cell = cells[index]
            if common[cell]:
                if not draw_safe(mind, position, mined, seed, cell):
                    return False
            else:
                for other_cell in range(size):
                    mined[other_cell] = common[other_cell]
            copy(position, other)
            chance = play_out(inner, other, policy, mined, numbers, cell, seed)
            if chance < 0.0:
                return False
            chances[sample * count + index] = (1.0 - mind.work.risk[cell]) * chance
    return True
