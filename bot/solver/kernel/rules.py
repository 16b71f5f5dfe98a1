"""Opening cells, and the two counting rules from a queue of numbers that changed."""

from __future__ import annotations

from bot.solver.kernel.compiled import compiled, helper
from bot.solver.kernel.layout import MINE, SAFE, UNKNOWN, CountingBuffers, Position, Topology
from bot.solver.kernel.structs import Bytes, Small


@helper
def reset(topology: Topology, position: Position, mines: int) -> None:
    """Make ``position`` a fresh board with so many mines."""
    for cell in range(position.cells):
        position.shown[cell] = UNKNOWN
        position.left[cell] = topology.degree[cell]
        position.mines[cell] = 0
    position.unknowns = position.cells
    position.mines_left = mines
    position.safes = 0
    position.total_known = 1


@helper
def copy(source: Position, target: Position) -> None:
    """Make ``target`` equal to ``source``."""
    for cell in range(source.cells):
        target.shown[cell] = source.shown[cell]
        target.left[cell] = source.left[cell]
        target.mines[cell] = source.mines[cell]
    target.unknowns = source.unknowns
    target.mines_left = source.mines_left
    target.total_known = source.total_known
    target.safes = source.safes
    for index in range(source.safes):
        target.safe[index] = source.safe[index]


@helper
def enqueue(shown: Bytes, queue: Small, queued: Bytes, cell: int, waiting: int) -> int:
    """Put an opened number into the queue unless it is there; return the queue's length."""
    if shown[cell] >= 0 and not queued[cell]:
        queued[cell] = 1
        queue[waiting] = cell
        waiting += 1
    return waiting


@helper
def mark(
    topology: Topology, position: Position, buffers: CountingBuffers, cell: int, what: int, waiting: int
) -> int:
    """Make an UNKNOWN cell MINE or SAFE; return the length of the queue of numbers to look at."""
    position.shown[cell] = what
    position.unknowns -= 1
    if what == MINE:
        position.mines_left -= 1
    else:
        position.safe[position.safes] = cell
        position.safes += 1
    for index in range(topology.degree[cell]):
        other = topology.near[8 * cell + index]
        position.left[other] -= 1
        if what == MINE:
            position.mines[other] += 1
        waiting = enqueue(position.shown, buffers.queue, buffers.queued, other, waiting)
    return waiting


@helper
def show(
    topology: Topology, position: Position, buffers: CountingBuffers, cell: int, number: int, waiting: int
) -> int:
    """Open a cell that shows ``number``; return the length of the queue."""
    if position.shown[cell] == UNKNOWN:
        position.unknowns -= 1
        for index in range(topology.degree[cell]):
            other = topology.near[8 * cell + index]
            position.left[other] -= 1
            waiting = enqueue(position.shown, buffers.queue, buffers.queued, other, waiting)
    position.shown[cell] = number
    return enqueue(position.shown, buffers.queue, buffers.queued, cell, waiting)


@compiled
def settle(topology: Topology, position: Position, buffers: CountingBuffers, waiting: int) -> bool:
    """Apply the counting rules until the queue is empty; return False if a number cannot be met."""
    fits = True
    while waiting:
        waiting -= 1
        cell = buffers.queue[waiting]
        buffers.queued[cell] = 0
        left = position.left[cell]
        need = position.shown[cell] - position.mines[cell]
        if need < 0 or need > left:
            fits = False
        if not fits or left == 0 or (0 < need < left):
            continue
        what = SAFE if need == 0 else MINE
        for index in range(topology.degree[cell]):
            other = topology.near[8 * cell + index]
            if position.shown[other] == UNKNOWN:
                waiting = mark(topology, position, buffers, other, what, waiting)
    return fits


@compiled
def take(topology: Topology, position: Position, buffers: CountingBuffers, states: Bytes, mines: int) -> bool:
    """Fill ``position`` from what a board shows, `MINE` and `SAFE` included, and apply the counting rules.

    ``states`` is as `Position.shown`; ``mines`` the total, -1 if that is not known. Return False if a number
    cannot be met.
    """
    reset(topology, position, max(0, mines))
    position.total_known = mines >= 0
    waiting = 0
    for cell in range(position.cells):
        if states[cell] >= 0:
            waiting = show(topology, position, buffers, cell, states[cell], waiting)
        elif states[cell] != UNKNOWN:
            waiting = mark(topology, position, buffers, cell, states[cell], waiting)
    position.safes = 0  # only what is deduced from here on is news
    return settle(topology, position, buffers, waiting)
