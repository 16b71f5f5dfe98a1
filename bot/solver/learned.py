"""What strategies have learned from games, and take into account on the next position.

The solver neither finds nor keeps it: whoever asks for a decision hands it in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bot.solver.constraints import System
    from bot.solver.counting import Known
    from bot.solver.neighbourhoods import Keys


class Patterns(Protocol):
    """A library of schemes: which states around a cell settle it."""

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known`` with what the schemes add to it, each cell with the constraints that prove it."""


class Experience(Protocol):
    """How choices went in neighbourhoods that looked alike."""

    @property
    def alike(self) -> Experience:
        """The same of simpler neighbourhoods: those of `neighbourhoods.simpler`."""

    @property
    def digest(self) -> str:
        """A short text that changes with all that was learned."""

    def recalled(self, keys: Keys) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return the mean risk in each neighbourhood of ``keys``, and how often it was met; arrays (n,)."""


@dataclass(frozen=True, slots=True)
class Learned:
    """All that has been learned; None stands for nothing."""

    patterns: Patterns | None = None
    experience: Experience | None = None


NOTHING = Learned()
