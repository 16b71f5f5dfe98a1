"""A rough risk for each cell, for strategies without exact counting and for frontiers too wide to count."""

from __future__ import annotations

from bot.solver.constraints import System, bits
from bot.solver.counting import Known


def estimate(system: System, known: Known) -> dict[int, float]:
    """Return a rough risk for each open cell, strictly between 0 and 1.

    A cell on the frontier takes the worst share of missing mines among the numbers it touches. A cell off
    it takes the share of missing mines among all open cells; with the total unknown, the mean of the
    frontier's, or a half if there is no frontier. To be called when the counting rules have no more to say.
    """
    risks: dict[int, float] = {}
    for index in bits(system.numbers):
        rest = system.masks[index] & ~known.settled
        share = _share(system, known, index)
        for cell in bits(rest):
            risks[cell] = max(share, risks.get(cell, 0.0))
    if system.total_known:
        outside = _share(system, known, len(system.masks) - 1)
    else:
        outside = sum(risks.values()) / len(risks) if risks else 0.5
    return {cell: risks.get(cell, outside) for cell in bits(system.unknown & ~known.settled)}


def _share(system: System, known: Known, index: int) -> float:
    mask = system.masks[index]
    rest = (mask & ~known.settled).bit_count()
    return (system.needs[index] - (mask & known.mines).bit_count()) / rest if rest else 0.0
