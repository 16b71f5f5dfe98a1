"""The counting rules: what one constraint alone says, repeated as long as something changes.

A constraint whose mines are all known makes its other cells safe; one that needs all of its open cells
makes them mines (Komarov's two rules, applied to the mine total as well).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.solver.constraints import System, bits, mask_with


@dataclass(frozen=True, slots=True)
class Known:
    """What has been proven so far.

    ``mines`` and ``safe`` are masks of cells. ``because`` gives for each of these cells a mask of
    constraints that prove it, with no other knowledge needed; cells that are not in it were given.
    ``clash``, if not 0, is a mask of constraints that no placement of mines satisfies together.
    """

    mines: int = 0
    safe: int = 0
    because: Mapping[int, int] = field(default_factory=dict)
    clash: int = 0

    @property
    def settled(self) -> int:
        """The cells whose content is proven."""
        return self.mines | self.safe

    def reasons(self, cells: int) -> int:
        """Return the constraints that together prove those of ``cells`` that are settled."""
        return union(self.because, cells & self.settled)

    def extended(self, mines: Mapping[int, int], safe: Mapping[int, int]) -> Known:
        """Return a copy that knows more: cells, each with the constraints that prove it."""
        return Known(
            self.mines | mask_with(mines),
            self.safe | mask_with(safe),
            {**mines, **safe, **self.because},
        )


def count(system: System, known: Known) -> Known:
    """Return ``known`` with all that the counting rules add to it, or with the clash they run into."""
    return propagate(system, known, system.everything)


def propagate(system: System, known: Known, queue: int) -> Known:
    """Apply the counting rules, beginning with the constraints of the mask ``queue``.

    All of them are looked at before anything that follows from them, so that proofs stay short: of what is
    proven in more than one way the reason with the fewest constraints is kept. Then come the constraints that
    hold a cell that was settled, and the mine total when no number has anything more to say.
    """
    mines, safe, because = known.mines, known.safe, dict(known.because)
    masks, needs, touching, total = system.masks, system.needs, system.touching, queue & system.total
    queue ^= total
    while queue or total:
        if not queue:
            queue, total = total, 0
        new_mines, new_safe, clash = dict[int, int](), dict[int, int](), 0
        for index in bits(queue):
            mask = masks[index]
            rest = mask & ~(mines | safe)
            need, size = needs[index] - (mask & mines).bit_count(), rest.bit_count()
            if 0 < need < size or not (need or size):
                continue
            # With all mines found the known mines are the reason; else it is that no other cell is left.
            reason = 1 << index | union(because, mask & (mines if need <= 0 else safe))
            if need < 0 or need > size:
                clash = _shorter(clash, reason)
                continue
            found = new_mines if need else new_safe
            for cell in bits(rest):
                found[cell] = _shorter(found.get(cell, 0), reason)
        if clash:
            return Known(mines, safe, because, clash)
        queue = 0
        if new_mines or new_safe:
            laid = mask_with(new_mines)
            mines, safe = mines | laid, safe | mask_with(new_safe) & ~laid
            because |= new_safe | new_mines
            total = system.total
            for cell in (*new_mines, *new_safe):
                queue |= touching.get(cell, 0)
    return Known(mines, safe, because)


def _shorter(one: int, other: int) -> int:
    return other if not one or other.bit_count() < one.bit_count() else one


def union(constraints: Mapping[int, int], cells: int) -> int:
    """Return the mask of all ``constraints`` that are told of any of the cells of a mask."""
    found = 0
    for cell in bits(cells):
        found |= constraints.get(cell, 0)
    return found
