"""What to do next on a position: proofs first, then exact chances, then the best guess."""

from bot.solver.decision import Action, Constraint, Decision, Move, Proof, Reason
from bot.solver.strategies import STRATEGIES, decide

__all__ = ["STRATEGIES", "Action", "Constraint", "Decision", "Move", "Proof", "Reason", "decide"]
