"""What was seen on a picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.geometry import Grid


class GameState(Enum):
    """How far a game is."""

    NEW = "new"
    RUNNING = "running"
    WON = "won"
    LOST = "lost"

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self in (GameState.WON, GameState.LOST)


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands beside the board: the mine counter (mines minus flags, may be negative), None if unread."""

    mines_left: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One board as it was read.

    ``confidence`` is float32 of shape (rows, cols), 0 (could be anything) to 1; ``board`` has
    `State.UNREADABLE` where it was too low. ``board.mines`` is the total, from the mine counter and the
    flags, None if the counter was not read. ``skin`` names the skin that fitted, ``scale`` its stretching.
    """

    grid: Grid
    board: Board
    panel: Panel
    state: GameState
    skin: str
    scale: float
    confidence: npt.NDArray[np.float32]

    @property
    def unreadable(self) -> list[Cell]:
        """The cells that could not be read."""
        return self.board.cells(State.UNREADABLE)
