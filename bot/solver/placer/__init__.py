"""All mines of a position at once: a placement that satisfies every number and the total, or that none does.

The way of Urbas 2006, and a kept constraint solver for fields that do not split into small areas.
"""

from bot.solver.placer.counted import Count, count_placements
from bot.solver.placer.placing import Method, Placement, another, place
from bot.solver.placer.reasons import Blame, blame

__all__ = ["Blame", "Count", "Method", "Placement", "another", "blame", "count_placements", "place"]
