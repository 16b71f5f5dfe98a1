"""Cells that touch no opened number."""

from __future__ import annotations

from bot.solver.kernel.compiled import inlined
from bot.solver.kernel.layout import (
    CELLS,
    COMPONENTS,
    LENGTH,
    LOW,
    MINES_LEFT,
    TOTAL_KNOWN,
    UNKNOWN,
    UNKNOWNS,
    Position,
    Topology,
    Work,
)
from bot.solver.kernel.states import last_state


@inlined
def touches(topology: Topology, position: Position, cell: int) -> bool:
    """Return whether a cell touches an opened number."""
    opened = 0
    for index in range(topology.degree[cell]):
        opened += position.shown[topology.near[cell, index]] >= 0
    return opened > 0


@inlined
def mixes(topology: Topology, position: Position, work: Work, cell: int) -> bool:
    """Return whether a cell must teach something, since mines outside can lie next to it or elsewhere.

    That is cheaply seen: some of the cells that touch no opened number touch this cell, some do not, and
    in every solution there are mines and safe cells among them. Where components are kept APART their mines
    are not counted, and that is only likely.
    """
    least, most = 0, 0
    for component in range(work.size[COMPONENTS]):
        state = last_state(work, component)
        least += work.state[LOW, state]
        most += work.state[LOW, state] + work.state[LENGTH, state] - 1
    near, outside = 0, position.tally[UNKNOWNS] - work.size[CELLS] - (not touches(topology, position, cell))
    for index in range(topology.degree[cell]):
        other = topology.near[cell, index]
        near += position.shown[other] == UNKNOWN and not touches(topology, position, other)
    mines = position.tally[MINES_LEFT]
    mixed = most < mines < least + outside
    return mixed and 0 < near < outside and position.tally[TOTAL_KNOWN] == 1
