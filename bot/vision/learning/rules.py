"""Whether any placement of mines can explain a position, for many positions at once.

What the counting rules find impossible is impossible; what they let pass may still be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import MAY_BE_MINE, SHOWN_MINES, State, is_one_of
from bot.rules import closed_zeros, deduce

Ints = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]


def possible(positions: Ints, mines: int | None = None) -> Bools:
    """Return which positions, int8 (b, rows, cols), the counting rules do not contradict: bool (b,).

    ``mines`` is the total, None if unknown; then there must be a place for a mine at least. A flag is an
    opinion, and an unreadable cell may be anything.
    """
    fits = np.asarray(~closed_zeros(positions, positions == State.COVERED).any((1, 2)))
    left = positions[fits]
    known = deduce(left, is_one_of(*SHOWN_MINES)[left], is_one_of(*MAY_BE_MINE - SHOWN_MINES)[left])
    least = known.mines.sum((1, 2))
    most = least + known.places.sum((1, 2))
    right = (most > 0) if mines is None else (least <= mines) & (mines <= most)
    fits[fits] = known.possible & right
    return fits
