"""The ladder of stages: how far it leads on a position, and the risks that the last of them counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from bot.solver.conflict import contradiction
from bot.solver.constraints import System, bits
from bot.solver.contradiction import contradict
from bot.solver.counting import Known, count
from bot.solver.decision import Proof, Reason
from bot.solver.exact import TooLargeError, clash_of, fits, prove_parts, solve
from bot.solver.explain.proofs import constraints_for
from bot.solver.learned import NOTHING, Learned
from bot.solver.published.novitsky.library import shipped
from bot.solver.published.novitsky.names import name_of
from bot.solver.published.pestov import elements, spared

Risks = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class StageResult:
    """How far the ladder led: what is proven, which stage proved each safe cell, and the risk of open cells.

    ``risks`` is None if no stage counted the solutions, or if they are too many to be counted; estimates of
    them are not ``exact``.
    """

    known: Known
    reasons: dict[int, Reason] = field(default_factory=dict)
    risks: Risks | None = None
    exact: bool = True

    def proof(self, system: System, index: int) -> Proof:
        """Return why a safe cell is safe: its stage, and constraints that suffice."""
        reason, because = self.reasons[index], self.known.because.get(index, 0)
        if not because:
            return Proof(reason, partial(constraints_for, system.board, index))
        if reason is Reason.ELEMENTS:
            return Proof(reason, lambda: system.constraints(spared(system, index, because)))
        name = name_of(system, because) if reason is Reason.PATTERN else ""
        return Proof(reason, partial(system.constraints, because), name)

    def estimated(self, system: System) -> dict[int, float]:
        """Return the risk of each unknown cell: 0.0 or 1.0 if it is settled, a rough one if not counted."""
        settled = {**dict.fromkeys(bits(self.known.safe), 0.0), **dict.fromkeys(bits(self.known.mines), 1.0)}
        return {**(self.risks or estimate(system, self.known)), **settled}


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


def climb(
    system: System, ladder: tuple[Reason, ...], learned: Learned = NOTHING, *, total: bool = True
) -> StageResult:
    """Apply the stages of ``ladder`` in turn until one proves a cell safe that can be opened.

    Without ``total`` the stages are not told the mine total. Raises ContradictionError if no placement of
    mines fits, the total included.
    """
    finding, heard = StageResult(Known()), system if total else system.without_total
    for reason in ladder:
        known, risks = STAGES[reason](heard, finding.known, learned)
        _raise_if_clash(system, known)
        new = known.safe & ~finding.known.safe
        reasons = {**finding.reasons, **dict.fromkeys(bits(new), reason)}
        finding = StageResult(known, reasons, risks)
        if known.safe & system.playable:
            break
    if finding.risks is None:
        _raise_if_clash(system, clash_of(system, finding.known))
    return finding


def told_total(system: System, finding: StageResult) -> StageResult:
    """Return ``finding``, of a ladder that was not told the mine total, with what counting it adds."""
    known = count(system, finding.known)
    new = known.safe & ~finding.known.safe
    return replace(
        finding, known=known, reasons={**finding.reasons, **dict.fromkeys(bits(new), Reason.COUNTING)}
    )


def _count(system: System, known: Known, _learned: Learned) -> tuple[Known, None]:
    return count(system, known), None


def _bound(system: System, known: Known, _learned: Learned) -> tuple[Known, None]:
    return elements(system, known), None


def _contradict(system: System, known: Known, _learned: Learned) -> tuple[Known, None]:
    return contradict(system, known), None


def _match(system: System, known: Known, learned: Learned) -> tuple[Known, None]:
    return (learned.patterns or shipped()).settle(system, known), None


def _solve(system: System, known: Known, _learned: Learned) -> tuple[Known, Risks | None]:
    try:
        chances = solve(system, known)
    except TooLargeError:
        return prove_parts(system, known), None
    least = sys.float_info.min  # keeps a chance too small for a float apart from a proven zero
    risks = {index: max(mines / chances.solutions, least) for index, mines in chances.mines.items()}
    return chances.known, risks


Stage = Callable[[System, Known, Learned], tuple[Known, Risks | None]]
STAGES: Mapping[Reason, Stage] = {
    Reason.COUNTING: _count,
    Reason.ELEMENTS: _bound,
    Reason.CONTRADICTION: _contradict,
    Reason.PATTERN: _match,
    Reason.PROBABILITY: _solve,
}


def _raise_if_clash(system: System, known: Known) -> None:
    if known.clash:
        raise contradiction(system, known.clash, fits)
