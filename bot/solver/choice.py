"""How a strategy in plain Python chooses the cell to open where nothing is proven."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.board import FirstClick
from bot.solver.constraints import System, bits
from bot.solver.decision import ALTERNATIVES, Judgement
from bot.solver.guess import candidates, least_risk
from bot.solver.ladder import StageResult
from bot.solver.learned import Learned


@dataclass(frozen=True, slots=True)
class Choice:
    """The cell to open, row by row, how it was chosen, and the cells that were near, the chosen one first.

    ``scores`` are as `decision.Alternative` has them: None where there are none.
    """

    cell: int
    judgement: Judgement
    scores: Mapping[int, float | None]


Chooser = Callable[[System, StageResult, Learned], Choice]
Beginning = Callable[[System, FirstClick], int]  # the cell that is opened first, row by row


def safest(system: System, finding: StageResult, _learned: Learned) -> Choice:
    """Choose the cell with the least risk, by counts or by estimate."""
    known, risks = finding.known, finding.estimated(system)
    chosen = least_risk(system, known, risks, avoid_dead=finding.risks is not None)
    near = sorted(bits(candidates(system, known)), key=lambda cell: (cell != chosen, risks[cell]))
    return Choice(chosen, Judgement.LEAST_RISK, dict.fromkeys(near[:ALTERNATIVES]))
