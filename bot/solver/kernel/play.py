"""Whole games inside the kernel, for measuring."""

from __future__ import annotations

from bot.solver.kernel.analysis import analyse, learn
from bot.solver.kernel.combine import EXACT
from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.guess import choose
from bot.solver.kernel.layout import (
    MINES_LEFT,
    SAFES,
    UNKNOWNS,
    Bytes,
    Floats,
    Mind,
    Position,
    Small,
    Topology,
    Work,
)
from bot.solver.kernel.rules import reset, settle, settled, show
from bot.solver.kernel.winmine import choose_moved, weigh


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
    """Open all cells that are deduced safe, and what follows by counting, until no such cell is left."""
    while position.tally[SAFES]:
        position.tally[SAFES] -= 1
        cell = position.safe[position.tally[SAFES]]
        settled(topology, position, work, show(topology, position, work, cell, numbers[cell], 0))


@compiled
def proceed(mind: Mind, position: Position, numbers: Bytes) -> int:
    """Open all that is proven safe; return 1 if the game is won, 0 if not, -1 if it cannot be analysed."""
    topology, work = mind.topology, mind.work
    while True:
        open_safe(topology, position, work, numbers)
        if position.tally[UNKNOWNS] == position.tally[MINES_LEFT]:
            return 1
        if analyse(topology, position, work) != EXACT:
            return -1
        if not learn(topology, position, work):
            return 0


@inlined
def play(
    mind: Mind,
    position: Position,
    policy: Floats,
    numbers: Bytes,
    mines: int,
    first: int,
    moved: bool,
    guesses: Small,
) -> int:
    """Play a game; return 1 if it is won, 0 if it is lost, -1 if a position could not be analysed.

    ``moved`` says that a mine under the first click moves, by winmine's rule. ``guesses``, (1,), counts the
    guesses after the first click.
    """
    topology, work = mind.topology, mind.work
    reset(topology, position, mines)
    guesses[0] = 0
    cell = first
    while numbers[cell] >= 0:
        settle(topology, position, work, show(topology, position, work, cell, numbers[cell], 0))
        found = proceed(mind, position, numbers)
        if found != 0:
            return found
        if moved:
            if weigh(mind, position, first) != EXACT:
                return -1
            cell = choose_moved(mind, position, policy, first)
        else:
            cell = choose(mind, position, policy)
        guesses[0] += 1
    return 0


@compiled
def play_many(
    mind: Mind,
    position: Position,
    policy: Floats,
    boards: Bytes,
    mines: int,
    first: int,
    moved: bool,
    won: Bytes,
    guesses: Small,
    numbers: Bytes,
) -> None:
    """Play all ``boards``, (games * cells,) with 1 for a mine; set ``won``, (games,), as `play` returns it.

    ``guesses``, (games,), is set to how many cells each game guessed; ``numbers``, (cells,), is used
    meanwhile. ``first`` is opened first; ``moved`` is as in `play`.
    """
    size = len(mind.topology.degree)
    for game in range(len(won)):
        numbers_of(mind.topology, boards[game * size : (game + 1) * size], numbers)
        won[game] = play(mind, position, policy, numbers, mines, first, moved, guesses[game : game + 1])
