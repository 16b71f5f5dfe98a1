"""The exhaustive check of a scheme: every placement of mines in its drawing, one by one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.solver.patterns.drawing import said_by, settled_by
from bot.solver.patterns.scheme import Scheme

Placements = npt.NDArray[np.uint64]  # one a row, bit i for the covered cell i
_CHUNK = 18  # bits of the placements that are looked at together
_MOST = 30  # covered cells whose placements can be listed in reasonable time


def fault(scheme: Scheme) -> str:
    """Return what is wrong with what a scheme says, "" if nothing is.

    All placements of mines in its covered cells that agree with its numbers are looked at.
    """
    numbers, settled = said_by(scheme.rows), settled_by(scheme.rows)
    cells = max(mask.bit_length() for mask, _ in numbers)
    if cells > _MOST:
        return f"{cells} covered cells are too many to try all placements"
    fitting = 0
    for first in range(0, 1 << cells, 1 << _CHUNK):
        placements = np.arange(first, min(first + (1 << _CHUNK), 1 << cells), dtype=np.uint64)
        for mask, mines in numbers:
            placements = placements[_mines_in(placements, mask) == mines]
        fitting += len(placements)
        if np.any(placements & np.uint64(settled.safe)):
            return "a mine can be in a cell that it calls safe"
        if np.any(~placements & np.uint64(settled.mines)):
            return "a cell can be safe that it calls a mine"
    return "" if fitting else "no placement of mines fits its numbers"


def _mines_in(placements: Placements, mask: int) -> npt.NDArray[np.uint8]:
    """Return how many mines each placement has in the cells of a mask."""
    octets = (placements & np.uint64(mask)).astype("<u8").view(np.uint8).reshape(-1, 8)
    counts: npt.NDArray[np.uint8] = np.unpackbits(octets, axis=1).sum(axis=1, dtype=np.uint8)
    return counts
