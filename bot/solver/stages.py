"""The stages that prove cells safe, applied one after another, and the risks of unsettled cells."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from bot.solver.conflict import contradiction
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, apply_counting_rules, contradict, unsettled
from bot.solver.decision import Reason
from bot.solver.exact import TooLargeError, has_solution, may_fit, prove_parts, solve

if TYPE_CHECKING:
    from bot.solver.analysis import Analysis

Risks = Mapping[int, float]


class Stage(NamedTuple):
    """A way to prove cells.

    ``apply`` returns what is known after it; if it counts the solutions, also the risk of each cell.
    """

    reason: Reason
    apply: Callable[[System, Known], Known | tuple[Known, Risks | None]]


@dataclass(frozen=True, slots=True)
class StageResult:
    """The cells that the stages proved, the stage that proved each safe cell, and risks.

    ``risks`` is None if the last stage did not count the solutions, or could not because there are too many.
    ``exact`` is false if the risks are estimates. ``analysis`` is that of the kernel, None without it.
    """

    known: Known
    reasons: dict[int, Reason] = field(default_factory=dict)
    risks: Risks | None = None
    exact: bool = True
    analysis: Analysis | None = field(default=None, repr=False, compare=False)

    def extended(self, known: Known, reason: Reason) -> StageResult:
        """Return a copy with ``known``; ``reason`` is the stage that proved its new safe cells."""
        new = known.safe & ~self.known.safe
        return replace(self, known=known, reasons={**self.reasons, **dict.fromkeys(bits(new), reason)})

    def estimated(self, system: System) -> dict[int, float]:
        """Return the risk of each unknown cell: 0.0 or 1.0 if proven, an `estimate` if ``risks`` is None."""
        settled = {**dict.fromkeys(bits(self.known.safe), 0.0), **dict.fromkeys(bits(self.known.mines), 1.0)}
        return {**(self.risks or estimate(system, self.known)), **settled}


def estimate(system: System, known: Known) -> dict[int, float]:
    """Return a rough risk for each unsettled cell, strictly between 0 and 1.

    A number's share is its missing mines divided by its unsettled cells. A frontier cell gets the greatest
    share of the numbers it touches, other cells get the share of the mine total. If that is unknown, they get
    the mean risk of the frontier, or 0.5. Call this only when the counting rules prove nothing more.
    """
    risks, left = dict[int, float](), system.unknown & ~known.settled
    for rest, need in unsettled(system, known).values():
        share = need / rest.bit_count()
        risks |= {cell: max(share, risks.get(cell, 0.0)) for cell in bits(rest)}
    if not system.total_known:
        outside = sum(risks.values()) / len(risks) if risks else 0.5
    else:
        outside = (system.needs[-1] - known.mines.bit_count()) / max(1, left.bit_count())
    return {cell: risks.get(cell, outside) for cell in bits(left)}


def run_stages(system: System, stages: Sequence[Stage], *, total: bool = True) -> StageResult:
    """Apply ``stages`` in turn until one proves a safe cell that can be opened or unflagged.

    If ``total`` is false, the stages do not use the mine total. Raises ContradictionError if no placement of
    mines fits the numbers and the mine total.
    """
    result, said = StageResult(Known()), system if total else system.without_total
    for stage in stages:
        found = stage.apply(said, result.known)
        known, risks = found if isinstance(found, tuple) else (found, None)
        if known.clash:
            raise contradiction(system, may_fit)
        result = replace(result.extended(known, stage.reason), risks=risks)
        if known.safe & system.playable:
            break
    if result.risks is None and not has_solution(system, result.known):
        raise contradiction(system, may_fit)
    return result


def probability(system: System, known: Known) -> tuple[Known, Risks | None]:
    """Count all solutions: return what they prove, and the risks; no risks if there are too many to count."""
    try:
        chances = solve(system, known)
    except TooLargeError:
        return prove_parts(system, known), None
    # Exactly 0.0 and 1.0 are proofs; a risk that would be rounded to one of them is not.
    least, most = sys.float_info.min, math.nextafter(1.0, 0.0)
    risks = {cell: min(max(mines / chances.solutions, least), most) for cell, mines in chances.mines.items()}
    return chances.known, risks


COUNTING = Stage(Reason.COUNTING, apply_counting_rules)
CONTRADICTION = Stage(Reason.CONTRADICTION, contradict)
PROBABILITY = Stage(Reason.PROBABILITY, probability)
