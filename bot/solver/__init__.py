"""Decide the next moves on a position: proofs first, then exact risks, then the best guess."""

from bot.solver.decision import Action, Constraint, Decision, Move, Reason
from bot.solver.strategies import BEST, EXACT, STRATEGIES, Strategy, decide, strategy_named

__all__ = [
    "BEST",
    "EXACT",
    "STRATEGIES",
    "Action",
    "Constraint",
    "Decision",
    "Move",
    "Reason",
    "Strategy",
    "decide",
    "strategy_named",
]
