"""Measures that players use, as minesweepergame.com (the Authoritative Minesweeper wiki) defines them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import cells_where, connected
from bot.counting_rules import near, neighbour_sum


@dataclass(frozen=True, slots=True)
class Clicks:
    """The clicks of a game, by kind, and how many of them were ``effective``.

    A click is effective if it changes the board: if it opens a cell, or sets or removes a mark.
    """

    left: int = 0
    right: int = 0
    chords: int = 0
    effective: int = 0

    def __add__(self, other: Clicks) -> Clicks:
        return Clicks(
            self.left + other.left,
            self.right + other.right,
            self.chords + other.chords,
            self.effective + other.effective,
        )

    @property
    def total(self) -> int:
        """The number of all clicks; a chord counts as one, whichever buttons play it."""
        return self.left + self.right + self.chords

    @property
    def by_kind(self) -> dict[str, int]:
        """The number of clicks of each kind and of all clicks, by their names in JSON."""
        return {
            "clicks": self.total,
            "left_clicks": self.left,
            "right_clicks": self.right,
            "chords": self.chords,
        }

    @property
    def correctness(self) -> float | None:
        """The share of clicks that were effective; None if there was no click."""
        return self.effective / self.total if self.total else None


NO_CLICKS = Clicks()


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a won game: its ``bbbv``, the ``seconds`` it took, and its clicks."""

    bbbv: int
    seconds: float
    clicks: Clicks

    @property
    def bbbv_per_second(self) -> float | None:
        """3BV/s; None if no time has passed."""
        return self.bbbv / self.seconds if self.seconds > 0 else None

    @property
    def ioe(self) -> float | None:
        """The index of efficiency: 3BV / clicks; None without clicks. Without chords it is at most 1."""
        return self.bbbv / self.clicks.total if self.clicks.total else None

    @property
    def throughput(self) -> float | None:
        """3BV / effective clicks, so that IOE = throughput x correctness; None without effective clicks."""
        return self.bbbv / self.clicks.effective if self.clicks.effective else None

    @property
    def rqp(self) -> float:
        """RQP (rapport qualité-prix): seconds / (3BV/s) = seconds^2 / 3BV. Lower is better."""
        return self.seconds**2 / self.bbbv


def bbbv(mines: npt.NDArray[np.bool_]) -> int:
    """Return the 3BV of a board: the fewest left clicks that open it, without chords.

    It is the number of openings plus the number of cells without a mine that touch no opening.
    ``mines`` is bool of shape (rows, cols).
    """
    zeros = ~mines & (neighbour_sum(mines) == 0)
    cells = cells_where(zeros)
    openings = sum(1 for _ in connected(cells, frozenset(cells), *zeros.shape))
    return openings + int((~mines & ~near(zeros)).sum())
