"""What strategies have learned from games, and take into account on the next position.

The solver neither finds nor keeps it: whoever asks for a decision hands it in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bot.solver.constraints import System
    from bot.solver.counting import Known
    from bot.solver.published.experience import Experience


class Patterns(Protocol):
    """A library of patterns: which states around a cell settle it."""

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known`` with what the patterns add to it, each cell with the constraints that prove it."""


@dataclass(slots=True, eq=False)
class Learned:
    """All that has been learned, None for nothing; it may grow while games are played."""

    patterns: Patterns | None = None
    experience: Experience | None = None


NOTHING = Learned()
