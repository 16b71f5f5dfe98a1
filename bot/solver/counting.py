"""Proofs by the counting rules, and by assumptions that the rules refute (Komarov).

The counting rules: if all mines of a constraint are known, its other cells are safe; if it needs as many
mines as it has unsettled cells, they are all mines. The rules are applied until nothing changes. If assuming
that a cell is a mine (or safe) leads them to a contradiction, the cell is safe (or a mine).
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.solver.constraints import System, bits


@dataclass(frozen=True, slots=True)
class Known:
    """The cells proven so far: the mask of those that are ``mines``, and the mask of those that are ``safe``.

    If ``clash`` is true, no placement of mines satisfies the constraints, and the masks mean nothing.
    """

    mines: int = 0
    safe: int = 0
    clash: bool = False

    @property
    def settled(self) -> int:
        """The mask of all cells that are proven: mines and safe cells."""
        return self.mines | self.safe

    def extended(self, mines: int, safe: int) -> Known:
        """Return a copy with the masks ``mines`` and ``safe`` added."""
        return Known(self.mines | mines, self.safe | safe)


def apply_counting_rules(system: System, known: Known) -> Known:
    """Return ``known`` with all cells that the counting rules prove, or with a clash."""
    return propagate(system, known, system.everything)


def propagate(system: System, known: Known, queue: int, among: int = -1) -> Known:
    """Return ``known`` with all that the counting rules prove; ``clash`` is true if they contradict it.

    First apply the constraints in the mask ``queue``; for each cell settled, also those that contain it and
    are in the mask ``among`` (-1: all). The mine total comes last, when the numbers settle nothing more.
    """
    mines, safe = known.mines, known.safe
    masks, needs, touching, total = system.masks, system.needs, system.touching, system.total & among
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
        queue |= total & ~lowest
        while rest:  # as `bits` does, but faster for the few cells of a number
            cell = rest & -rest
            rest ^= cell
            queue |= touching.get(cell.bit_length() - 1, 0) & among
    return Known(mines, safe)


def unsettled(system: System, known: Known, among: int = -1) -> dict[int, tuple[int, int]]:
    """Return the numbers in the mask ``among`` (-1: all) that have cells which are not ``known``.

    For the index of each of them, the mask of these cells, and how many of them are mines.
    """
    numbers: dict[int, tuple[int, int]] = {}
    for index in bits(system.numbers & among):
        mask = system.masks[index]
        if rest := mask & ~known.settled:
            numbers[index] = rest, system.needs[index] - (mask & known.mines).bit_count()
    return numbers


def extend(system: System, known: Known, mines: int, safe: int) -> Known:
    """Return ``known`` with the masks ``mines`` and ``safe``, and all that counting proves from them."""
    changed = system.total | system.constraints_on(mines | safe)
    return propagate(system, known.extended(mines, safe), changed)


def contradict(system: System, known: Known, among: int = -1) -> Known:
    """Return ``known``, from `apply_counting_rules`, with all that single assumptions prove, or a clash.

    Each frontier cell in the mask ``among`` (-1: all) is assumed to be a mine, then to be safe. This is
    repeated while it proves something, but no safe cell that a move can click.
    """
    while True:
        after = _one_round(system, known, among)
        if after.clash or after.settled == known.settled or after.safe & system.playable:
            return after
        known = after


def _one_round(system: System, known: Known, among: int) -> Known:
    mines = safe = 0
    for constraints, cells in _frontier_groups(system, known, among).items():
        cell, queue = cells & -cells, constraints | system.total
        if propagate(system, known.extended(cell, 0), queue).clash:
            safe |= cells
        elif propagate(system, known.extended(0, cell), queue).clash:
            mines |= cells
    return extend(system, known, mines, safe)


def _frontier_groups(system: System, known: Known, among: int) -> dict[int, int]:
    """Return the unsettled frontier cells in ``among``, grouped by the constraints that contain them.

    A proof for one cell of a group holds for every cell of it, because the cells can be exchanged.
    """
    groups: dict[int, int] = {}
    wanted = among & ~known.settled
    for cell, constraints in system.touching.items():
        if wanted >> cell & 1:
            groups[constraints] = groups.get(constraints, 0) | 1 << cell
    return groups
