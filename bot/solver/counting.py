"""The counting rules, repeated as long as something changes; and hypotheses that they refute (Komarov).

A constraint whose mines are all known makes its other cells safe; one that needs all of its open cells
makes them mines. If a cell that is supposed to be a mine, or safe, leads these rules to a contradiction, it
is the opposite.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.solver.constraints import System, bits


@dataclass(frozen=True, slots=True)
class Known:
    """What has been proven so far: masks of the cells that are ``mines`` and that are ``safe``.

    With a ``clash`` no placement of mines satisfies the constraints, and the masks are of no use.
    """

    mines: int = 0
    safe: int = 0
    clash: bool = False

    @property
    def settled(self) -> int:
        """The cells whose content is proven."""
        return self.mines | self.safe

    def extended(self, mines: int, safe: int) -> Known:
        """Return a copy that knows more cells."""
        return Known(self.mines | mines, self.safe | safe)


def count(system: System, known: Known) -> Known:
    """Return ``known`` with all that the counting rules add to it, or with a clash."""
    return propagate(system, known, system.everything)


def propagate(system: System, known: Known, queue: int, among: int = -1) -> Known:
    """Apply the counting rules, beginning with the constraints in the mask ``queue``.

    When a cell is settled, the constraints that contain it are applied too, if they are in the mask ``among``
    (-1: all). The mine total is the last constraint; it is applied when the numbers settle nothing more.
    """
    mines, safe = known.mines, known.safe
    masks, needs, touching = system.masks, system.needs, system.touching
    while queue:
        lowest = queue & -queue
        queue ^= lowest
        index = lowest.bit_length() - 1
        mask = masks[index]
        rest = mask & ~(mines | safe)
        need, size = needs[index] - (mask & mines).bit_count(), rest.bit_count()
        if not 0 <= need <= size:
            return Known(mines, safe, clash=True)
        if not rest or 0 < need < size:
            continue
        if need:
            mines |= rest
        else:
            safe |= rest
        queue |= system.total & among & ~lowest
        for cell in bits(rest):
            queue |= touching.get(cell, 0) & among
    return Known(mines, safe)


def contradict(system: System, known: Known, among: int = -1) -> Known:
    """Return ``known``, as `count` left it, with what single hypotheses add, or with a clash.

    Repeats while it finds mines and nothing that can be opened. Hypotheses are made of the frontier cells in
    the mask ``among`` alone, of all if it is -1.
    """
    while True:
        after = _one_round(system, known, among)
        if after.clash or after.settled == known.settled or after.safe & system.playable:
            return after
        known = after


def _one_round(system: System, known: Known, among: int) -> Known:
    mines = safe = 0
    for constraints, cells in _groups(system, known, among).items():
        cell, queue = cells & -cells, constraints | system.total
        if propagate(system, known.extended(cell, 0), queue).clash:
            safe |= cells
        elif propagate(system, known.extended(0, cell), queue).clash:
            mines |= cells
    changed = system.total
    for index in bits(mines | safe):
        changed |= system.touching[index]
    return propagate(system, known.extended(mines, safe), changed)


def _groups(system: System, known: Known, among: int) -> dict[int, int]:
    """Return the open frontier cells of ``among`` by the constraints that they are under.

    What is proven of one cell of a group is proven of each, by exchanging the two.
    """
    groups: dict[int, int] = {}
    wanted = among & ~known.settled
    for cell, constraints in system.touching.items():
        if wanted >> cell & 1:
            groups[constraints] = groups.get(constraints, 0) | 1 << cell
    return groups
