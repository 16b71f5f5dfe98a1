"""The stages that prove cells safe, applied one after the other, and the risks that the last one counts."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bot.solver.conflict import contradiction
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, contradict, count
from bot.solver.decision import Reason
from bot.solver.exact import TooLargeError, fits, has_solution, prove_parts, solve
from bot.solver.published.novitsky.library import Library, shipped
from bot.solver.published.pestov import elements

if TYPE_CHECKING:
    from bot.solver.published.korlyakova import Experience

Risks = Mapping[int, float]


@dataclass(slots=True, eq=False)
class Learned:
    """What a strategy has learned from games, None for nothing; it may grow while games are played."""

    patterns: Library | None = None
    experience: Experience | None = None


NOTHING = Learned()


@dataclass(frozen=True, slots=True)
class StageResult:
    """What the stages proved, which of them proved each safe cell, and the risk of open cells.

    ``risks`` is None if no stage counted the solutions, or if they are too many to be counted; estimates of
    them are not ``exact``.
    """

    known: Known
    reasons: dict[int, Reason] = field(default_factory=dict)
    risks: Risks | None = None
    exact: bool = True

    def extended(self, known: Known, reason: Reason) -> StageResult:
        """Return a copy with what is ``known`` by now, of which the new safe cells are proven by a stage."""
        new = known.safe & ~self.known.safe
        return replace(self, known=known, reasons={**self.reasons, **dict.fromkeys(bits(new), reason)})

    def estimated(self, system: System) -> dict[int, float]:
        """Return the risk of each unknown cell: 0.0 or 1.0 if it is settled, a rough one if not counted."""
        settled = {**dict.fromkeys(bits(self.known.safe), 0.0), **dict.fromkeys(bits(self.known.mines), 1.0)}
        return {**(self.risks or estimate(system, self.known)), **settled}


def estimate(system: System, known: Known) -> dict[int, float]:
    """Return a rough risk for each open cell, strictly between 0 and 1.

    A cell on the frontier takes the worst share of missing mines among the numbers it touches. A cell off
    it takes the share of missing mines among all open cells; with the total unknown, the mean of the
    frontier's, or a half if there is no frontier. To be called when the counting rules prove nothing more.
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


def climb(
    system: System, stages: tuple[Reason, ...], learned: Learned = NOTHING, *, total: bool = True
) -> StageResult:
    """Apply the ``stages`` in turn until one proves a cell safe that can be opened.

    Without ``total`` they do not use the mine total. Raises ContradictionError if no placement of mines fits,
    the total included.
    """
    result, said = StageResult(Known()), system if total else system.without_total
    for reason in stages:
        known, risks = STAGES[reason](said, result.known, learned)
        if known.clash:
            raise contradiction(system, fits)
        result = replace(result.extended(known, reason), risks=risks)
        if known.safe & system.playable:
            break
    if result.risks is None and not has_solution(system, result.known):
        raise contradiction(system, fits)
    return result


def _probability(system: System, known: Known, _learned: Learned) -> tuple[Known, Risks | None]:
    try:
        chances = solve(system, known)
    except TooLargeError:
        return prove_parts(system, known), None
    # A chance too near to 0 or 1 for a float is kept apart from a proof.
    least, most = sys.float_info.min, math.nextafter(1.0, 0.0)
    risks = {cell: min(max(mines / chances.solutions, least), most) for cell, mines in chances.mines.items()}
    return chances.known, risks


Stage = Callable[[System, Known, Learned], tuple[Known, Risks | None]]
STAGES: Mapping[Reason, Stage] = {
    Reason.COUNTING: lambda system, known, _: (count(system, known), None),
    Reason.ELEMENTS: lambda system, known, _: (elements(system, known), None),
    Reason.CONTRADICTION: lambda system, known, _: (contradict(system, known), None),
    Reason.PATTERN: lambda system, known, learned: (
        (learned.patterns or shipped()).settle(system, known),
        None,
    ),
    Reason.PROBABILITY: _probability,
}
