"""Decide the next moves on a position: proofs first, then exact risks, then the best guess.

What a strategy of one's own needs is here as well, see `Strategy`.
"""

from bot.solver.constraints import System, bits
from bot.solver.counting import Known
from bot.solver.decision import Action, Constraint, Decision, Judgement, Move, Reason
from bot.solver.guess import Choice, first_click
from bot.solver.stages import CONTRADICTION, COUNTING, PROBABILITY, StageResult, run_stages
from bot.solver.strategies import BEST, DEEP, EXACT, STRATEGIES, Strategy, decide, strategy_named

__all__ = [
    "BEST",
    "CONTRADICTION",
    "COUNTING",
    "DEEP",
    "EXACT",
    "PROBABILITY",
    "STRATEGIES",
    "Action",
    "Choice",
    "Constraint",
    "Decision",
    "Judgement",
    "Known",
    "Move",
    "Reason",
    "StageResult",
    "Strategy",
    "System",
    "bits",
    "decide",
    "first_click",
    "run_stages",
    "strategy_named",
]
