"""The ladder of stages: how far it leads on a position, and the risks that the last of them counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.errors import ContradictionError
from bot.solver.constraints import System, bits
from bot.solver.contradiction import contradict
from bot.solver.counting import Known, count
from bot.solver.decision import Reason
from bot.solver.elimination import TooLargeError
from bot.solver.probability import clash_of, prove_parts, solve

Risks = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Finding:
    """How far the ladder led: what is proven, which stage proved it, and the risk of every open cell.

    ``risks`` is None if no stage counted the solutions, or if they are too many to be counted.
    """

    known: Known
    reasons: dict[int, Reason] = field(default_factory=dict)
    risks: Risks | None = None


def climb(system: System, ladder: tuple[Reason, ...], *, compiled: bool = False) -> Finding:
    """Apply the stages of ``ladder`` in turn until one proves a cell safe that can be opened.

    With ``compiled`` the kernel counts the solutions. Raises ContradictionError if no placement of mines
    fits.
    """
    finding = Finding(Known())
    for reason in ladder:
        stage = _solve_compiled if compiled and reason is Reason.PROBABILITY else STAGES[reason]
        known, risks = stage(system, finding.known)
        _raise_if_clash(system, known)
        new = known.settled & ~finding.known.settled
        reasons = {**finding.reasons, **dict.fromkeys(bits(new), reason)}
        finding = Finding(known, reasons, risks)
        if known.safe & (system.openable | system.flagged):
            break
    if finding.risks is None:
        _raise_if_clash(system, clash_of(system, finding.known))
    return finding


def _count(system: System, known: Known) -> tuple[Known, None]:
    return count(system, known), None


def _contradict(system: System, known: Known) -> tuple[Known, None]:
    return contradict(system, known), None


def _solve(system: System, known: Known) -> tuple[Known, Risks | None]:
    try:
        chances = solve(system, known)
    except TooLargeError:
        return prove_parts(system, known), None
    least = sys.float_info.min  # keeps a chance too small for a float apart from a proven zero
    risks = {index: max(mines / chances.solutions, least) for index, mines in chances.mines.items()}
    return chances.known, risks


def _solve_compiled(system: System, known: Known) -> tuple[Known, Risks | None]:
    """Let the kernel count; where it proves a cell safe, or nothing fits, plain counting says why."""
    from bot.solver.engine import engine_for  # compiles, and is of no use to simpler strategies

    try:
        chances = engine_for(*system.board.shape).risks(system.board)
    except ValueError:
        return _solve(system, known)
    if chances is None:
        return _solve(system, known)
    risks = chances.ravel().tolist()
    left = list(bits(system.unknown & ~known.settled))
    safe = [index for index in left if risks[index] == 0.0]
    if safe:
        solved, exact = _solve(system, known)
        if exact is not None:
            return solved, exact
    certain = [index for index in left if risks[index] == 1.0]
    why = system.everything
    found = known.extended(dict.fromkeys(certain, why), dict.fromkeys(safe, why))
    return found, {index: risks[index] for index in left}


Stage = Callable[[System, Known], tuple[Known, Risks | None]]
STAGES: Mapping[Reason, Stage] = {
    Reason.COUNTING: _count,
    Reason.CONTRADICTION: _contradict,
    Reason.PROBABILITY: _solve,
}


def _raise_if_clash(system: System, known: Known) -> None:
    if known.clash:
        raise ContradictionError(
            f"no placement of mines fits this board: {system.describe(known.clash)} cannot hold together; "
            "a cell was read wrongly, or the total is not that of this game"
        )
