"""The cells that a guess may choose, the safest first."""

from __future__ import annotations

from bot.solver.kernel.compiled import inlined
from bot.solver.kernel.layout import NEAR, OUTSIDE_CELLS, UNKNOWN, Floats, Mind, Position, Small
from bot.solver.kernel.outside import touches


@inlined
def better(position: Position, risk: Floats, one: int, other: int) -> bool:
    """Return whether ``one`` is less risky than ``other``; if equal, likelier to be a zero."""
    if risk[one] != risk[other]:
        return risk[one] < risk[other]
    return position.left[one] < position.left[other]


@inlined
def rank(position: Position, risk: Floats, most: int, order: Small) -> int:
    """Write the cells of least risk to ``order``, the best first; return how many, at most ``most``."""
    count = 0
    for cell in range(len(position.shown)):
        if position.shown[cell] != UNKNOWN:
            continue
        if count == most and not better(position, risk, cell, order[count - 1]):
            continue
        place = count if count < most else most - 1
        while place and better(position, risk, cell, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = cell
        count = min(count + 1, most)
    return count


@inlined
def considered(mind: Mind, position: Position, policy: Floats) -> int:
    """Write the cells that are good enough for ``policy`` to ``mind.order``, the safest first.

    Return how many.
    """
    order, risk = mind.order, mind.work.risk
    count = rank(position, risk, len(order), order)
    least, found, outside = policy[NEAR] * (1.0 - risk[order[0]]), 0, 0
    for place in range(count):
        cell = order[place]
        if 1.0 - risk[cell] < least:
            break
        if not touches(mind.topology, position, cell):
            outside += 1
            if outside > policy[OUTSIDE_CELLS]:
                continue
        order[found] = cell
        found += 1
    return found
