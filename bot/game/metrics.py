"""Measures that players use, as minesweepergame.com (the Authoritative Minesweeper wiki) defines them."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from operator import add

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
        return Clicks(*map(add, astuple(self), astuple(other)))

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


def measures(bbbv: int, seconds: float, clicks: Clicks) -> dict[str, float | None]:
    """Return the measures of a won game by their names in JSON; None for one that divides by 0.

    IOE (index of efficiency) is 3BV / clicks, at most 1 without chords; throughput is 3BV / effective clicks,
    so that IOE = throughput x correctness. RQP (rapport qualité-prix) is seconds / (3BV/s): lower is better.
    """
    return {
        "seconds": seconds,
        "bbbv": bbbv,
        "bbbv_per_second": bbbv / seconds if seconds > 0 else None,
        "clicks": clicks.total,
        "ioe": bbbv / clicks.total if clicks.total else None,
        "correctness": clicks.correctness,
        "throughput": bbbv / clicks.effective if clicks.effective else None,
        "rqp": seconds**2 / bbbv,
    }


def bbbv(mines: npt.NDArray[np.bool_]) -> int:
    """Return the 3BV of a board: the fewest left clicks that open it, without chords.

    It is the number of openings plus the number of cells without a mine that touch no opening.
    ``mines`` is bool of shape (rows, cols).
    """
    zeros = ~mines & (neighbour_sum(mines) == 0)
    cells = cells_where(zeros)
    openings = sum(1 for _ in connected(cells, frozenset(cells), *zeros.shape))
    return openings + int((~mines & ~near(zeros)).sum())
