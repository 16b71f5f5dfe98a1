"""All mines of a position at once: a placement that satisfies every number and the total, or that none does.

The way of Urbas 2006, and OR-tools for fields that do not split into small areas.
"""

from bot.solver.published.urbas.placing import (
    Blame,
    Count,
    Method,
    Placement,
    another,
    blame,
    count_placements,
    place,
)

__all__ = ["Blame", "Count", "Method", "Placement", "another", "blame", "count_placements", "place"]
