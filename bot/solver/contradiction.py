"""Hypothesis and contradiction: suppose that one frontier cell is a mine, or is safe, and count.

If the counting rules then run into a clash, the cell is the opposite of what was supposed (Komarov).
"""

from __future__ import annotations

from bot.solver.constraints import System, bits
from bot.solver.counting import Known, propagate


def contradict(system: System, known: Known, among: int = -1) -> Known:
    """Return ``known``, as `count` left it, with what single hypotheses add, or the clash they run into.

    Repeats while it finds mines and nothing that can be opened. Hypotheses are made of the cells of the mask
    ``among`` alone, of all cells if it is -1.
    """
    while True:
        after = _one_round(system, known, among)
        progress = after.settled != known.settled
        if after.clash or not progress or after.safe & system.playable:
            return after
        known = after


def _one_round(system: System, known: Known, among: int) -> Known:
    mines: dict[int, int] = {}
    safe: dict[int, int] = {}
    for cells in _groups(system, known, among):
        cell = next(bits(cells))
        if clash := _suppose(system, known, cell, mine=True):
            safe.update(dict.fromkeys(bits(cells), clash))
        elif clash := _suppose(system, known, cell, mine=False):
            mines.update(dict.fromkeys(bits(cells), clash))
    changed = system.total
    for cell in (*mines, *safe):
        changed |= system.touching[cell]
    return propagate(system, known.extended(mines, safe), changed)


def _groups(system: System, known: Known, among: int) -> list[int]:
    """Return the open frontier cells of ``among``, as masks of those that are under the same constraints.

    What is proven of one cell of a group is proven of each, by exchanging the two.
    """
    groups: dict[int, int] = {}
    wanted = among & ~known.settled
    for cell, constraints in system.touching.items():
        if wanted >> cell & 1:
            groups[constraints] = groups.get(constraints, 0) | 1 << cell
    return list(groups.values())


def _suppose(system: System, known: Known, cell: int, *, mine: bool) -> int:
    """Return the constraints that clash if ``cell`` is a mine (or safe); 0 if none do."""
    supposed = known.extended({cell: 0}, {}) if mine else known.extended({}, {cell: 0})
    return propagate(system, supposed, system.touching[cell] | system.total).clash
