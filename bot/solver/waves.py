"""Counting wave by wave: all constraints at once, then what follows from them, so that proofs stay short."""

from __future__ import annotations

from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, union


def spread(system: System, known: Known, queue: int) -> Known:
    """Return ``known`` with what counting adds, beginning with the constraints of the mask ``queue``.

    It adds what `counting.propagate` does, or finds a clash where that does. Of what one wave proves in more
    than one way the reason with the fewest constraints is kept; the mine total is heard when no number has
    anything more to say.
    """
    mines, safe, because = known.mines, known.safe, dict(known.because)
    total = system.total
    while queue or total:
        if not queue:
            queue, total = total, 0
        new_mines, new_safe = dict[int, int](), dict[int, int]()
        clash = 0
        for index in bits(queue):
            mask = system.masks[index]
            rest = mask & ~(mines | safe)
            need, size = system.needs[index] - (mask & mines).bit_count(), rest.bit_count()
            if 0 < need < size or not (need or size):
                continue
            reason = 1 << index | union(because, mask & (mines if need <= 0 else safe))
            if need < 0 or need > size:
                clash = _shorter(clash, reason)
                continue
            found = new_mines if need else new_safe
            for cell in bits(rest):
                found[cell] = _shorter(found.get(cell, 0), reason)
        if clash:
            return Known(mines, safe, because, clash)
        proven_mines, proven_safe = mask_with(new_mines), mask_with(new_safe)
        queue = union(system.touching, proven_mines | proven_safe)
        mines |= proven_mines
        safe |= proven_safe & ~mines
        because = {**new_safe, **new_mines, **because}
        if new_mines or new_safe:
            total = system.total
    return Known(mines, safe, because)


def _shorter(one: int, other: int) -> int:
    return other if not one or other.bit_count() < one.bit_count() else one
