"""Pictures of Minesweeper and the truth about the boards in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bot.board import States
from bot.geometry import Grid, Pixels
from bot.verdict import GameState
from bot.vision.reading import Side

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TrueBoard:
    """A board in a picture: grid, states, int8 (rows, cols), which cells are hidden, bool (rows, cols).

    ``hidden`` is None if all cells can be seen, ``state`` and ``mines``, bool (rows, cols), if nobody asks.
    ``sides`` tells for each side whether the board "ends" there in view, is "cut", as more of it lies out of
    sight, or nobody could tell ("open"); None if nobody asks. ``mines_left`` is what its mine counter shows,
    None if there is none or nobody asks.
    """

    grid: Grid
    states: States
    hidden: Mask | None = None
    state: GameState | None = None
    mines: Mask | None = None
    sides: Mapping[Side, str] | None = None
    mines_left: int | None = None

    @property
    def visible(self) -> Mask:
        """Which cells are to be read, bool (rows, cols)."""
        return np.ones(self.states.shape, np.bool_) if self.hidden is None else ~self.hidden


@dataclass(frozen=True, slots=True, eq=False)
class TruePicture:
    """A BGR picture, uint8 (height, width, 3), the boards in it, and tags that were found on drawing it."""

    pixels: Pixels
    boards: Sequence[TrueBoard]
    tags: Mapping[str, str] = field(default_factory=dict)
