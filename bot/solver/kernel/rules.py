"""Opening cells, and the two counting rules from a queue of numbers that changed."""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, inlined
from bot.solver.kernel.layout import (
    MINE,
    MINES_LEFT,
    SAFE,
    SAFES,
    TOTAL_KNOWN,
    UNKNOWN,
    UNKNOWNS,
    Bytes,
    Position,
    Small,
    Topology,
    Work,
)


@compiled
def reset(topology: Topology, position: Position, mines: int) -> None:
    """Make ``position`` a fresh board with so many mines."""
    for cell in range(len(position.shown)):
        position.shown[cell] = UNKNOWN
        position.left[cell] = topology.degree[cell]
        position.mines[cell] = 0
    position.tally[UNKNOWNS] = len(position.shown)
    position.tally[MINES_LEFT] = mines
    position.tally[SAFES] = 0
    position.tally[TOTAL_KNOWN] = 1


@compiled
def copy(source: Position, target: Position) -> None:
    """Make ``target`` equal to ``source``."""
    for cell in range(len(source.shown)):
        target.shown[cell] = source.shown[cell]
        target.left[cell] = source.left[cell]
        target.mines[cell] = source.mines[cell]
    for index in range(len(source.tally)):
        target.tally[index] = source.tally[index]
    for index in range(source.tally[SAFES]):
        target.safe[index] = source.safe[index]


@inlined
def enqueue(shown: Bytes, queue: Small, queued: Bytes, cell: int, waiting: int) -> int:
    """Put an opened number into the queue unless it is there; return the queue's length."""
    if shown[cell] >= 0 and not queued[cell]:
        queued[cell] = 1
        queue[waiting] = cell
        waiting += 1
    return waiting


@inlined
def mark(topology: Topology, position: Position, work: Work, cell: int, what: int, waiting: int) -> int:
    """Make an UNKNOWN cell MINE or SAFE; return the length of the queue of numbers to look at."""
    position.shown[cell] = what
    position.tally[UNKNOWNS] -= 1
    if what == MINE:
        position.tally[MINES_LEFT] -= 1
    else:
        position.safe[position.tally[SAFES]] = cell
        position.tally[SAFES] += 1
    for index in range(topology.degree[cell]):
        other = topology.near[cell, index]
        position.left[other] -= 1
        if what == MINE:
            position.mines[other] += 1
        waiting = enqueue(position.shown, work.queue, work.queued, other, waiting)
    return waiting


@inlined
def show(topology: Topology, position: Position, work: Work, cell: int, number: int, waiting: int) -> int:
    """Open a cell that shows ``number``; return the length of the queue."""
    if position.shown[cell] == UNKNOWN:
        position.tally[UNKNOWNS] -= 1
        for index in range(topology.degree[cell]):
            other = topology.near[cell, index]
            position.left[other] -= 1
            waiting = enqueue(position.shown, work.queue, work.queued, other, waiting)
    position.shown[cell] = number
    return enqueue(position.shown, work.queue, work.queued, cell, waiting)


@inlined
def settled(topology: Topology, position: Position, work: Work, waiting: int) -> bool:
    """Apply the counting rules until the queue is empty; return False if a number cannot be met."""
    fits = True
    while waiting:
        waiting -= 1
        cell = work.queue[waiting]
        work.queued[cell] = 0
        left = position.left[cell]
        need = position.shown[cell] - position.mines[cell]
        if need < 0 or need > left:
            fits = False
        if not fits or left == 0 or (0 < need < left):
            continue
        what = SAFE if need == 0 else MINE
        for index in range(topology.degree[cell]):
            other = topology.near[cell, index]
            if position.shown[other] == UNKNOWN:
                waiting = mark(topology, position, work, other, what, waiting)
    return fits


@compiled
def settle(topology: Topology, position: Position, work: Work, waiting: int) -> bool:
    """Apply the counting rules as `settled` does, without being compiled into the caller."""
    return settled(topology, position, work, waiting)


@compiled
def take(topology: Topology, position: Position, work: Work, states: Bytes, mines: int) -> bool:
    """Fill ``position`` from what a board shows, `MINE` and `SAFE` included, and apply the counting rules.

    ``states`` is as `Position.shown`; ``mines`` the total, -1 if that is not known. Return False if a number
    cannot be met.
    """
    reset(topology, position, max(0, mines))
    position.tally[TOTAL_KNOWN] = mines >= 0
    waiting = 0
    for cell in range(len(states)):
        if states[cell] >= 0:
            waiting = show(topology, position, work, cell, states[cell], waiting)
        elif states[cell] != UNKNOWN:
            waiting = mark(topology, position, work, cell, states[cell], waiting)
    position.tally[SAFES] = 0  # only what is deduced from here on is news
    return settle(topology, position, work, waiting)
