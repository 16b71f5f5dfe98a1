"""What numbers alone say about mines, for all cells of one position or of many at once.

Arrays are (..., rows, cols). In an array of ``numbers`` the values 0 to 8 are opened numbers, and any larger
value says that there is none, so that the states of `bot.board` serve as they are. Which cells are mines, and
which others may be, is given beside them: it depends on what a flag is believed to be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

NO_NUMBER = np.int8(9)  # in an array of numbers, as any larger value

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.signedinteger[Any]]


def neighbour_sum(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the sum over the up to eight neighbours of each cell, (..., rows, cols).

    A mask is counted in int8; other values keep their dtype, which must hold the sum of nine of them.
    """
    wide = _padded(values if values.dtype != np.bool_ else values.view(np.int8))
    lines = wide[..., :-2, :] + wide[..., 1:-1, :] + wide[..., 2:, :]
    total = lines[..., :-2] + lines[..., 1:-1] + lines[..., 2:]
    return np.asarray(total - wide[..., 1:-1, 1:-1])


def near(mask: Bools) -> Bools:
    """Return the cells that are in a mask or have a neighbour in it, bool (..., rows, cols)."""
    wide = _padded(mask)
    lines = wide[..., :-2, :] | wide[..., 1:-1, :] | wide[..., 2:, :]
    return np.asarray(lines[..., :-2] | lines[..., 1:-1] | lines[..., 2:], np.bool_)


def closed_zeros(numbers: Numbers, covered: Bools) -> Bools:
    """Return the zeros with a covered cell at a side, which no game leaves: zeros open what is around them.

    Some games leave closed what only touches a zero's corner.
    """
    wide = _padded(covered)
    beside = wide[..., :-2, 1:-1] | wide[..., 2:, 1:-1] | wide[..., 1:-1, :-2] | wide[..., 1:-1, 2:]
    return np.asarray((numbers == 0) & beside, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """How many mines each number has around it at ``least`` and at ``most``, int8 (..., rows, cols).

    At least the mines that are known, at most those and all ``places``: other cells that may be mines.
    """

    numbers: Numbers
    places: Bools
    least: npt.NDArray[np.int8]
    most: npt.NDArray[np.int8]

    @classmethod
    def of(cls, numbers: Numbers, mines: Bools, places: Bools) -> Bounds:
        """Return the bounds of a position in which ``mines`` are known and ``places`` may be mines."""
        least = neighbour_sum(mines)
        return cls(numbers, places, least, least + neighbour_sum(places))

    @property
    def broken(self) -> Bools:
        """The numbers that no placement of mines can explain."""
        wrong = (self.numbers < self.least) | (self.numbers > self.most)
        return np.asarray(wrong & (self.numbers <= 8), np.bool_)

    @property
    def safe(self) -> Bools:
        """The places around a number whose mines are all known."""
        return np.asarray(self.places & near(self.numbers == self.least), np.bool_)

    @property
    def mines(self) -> Bools:
        """The places around a number that needs them all."""
        return np.asarray(self.places & near(self.numbers == self.most), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Deduction:
    """All that the counting rules prove: the ``mines``, and the ``places`` that may still be mines.

    ``possible`` tells for each position, bool (...), whether they ran into no contradiction; where they did,
    no more was deduced.
    """

    mines: Bools
    places: Bools
    possible: Bools


def deduce(numbers: Numbers, mines: Bools, places: Bools) -> Deduction:
    """Apply the counting rules to each number by itself, until they prove nothing new."""
    *boards, rows, cols = numbers.shape
    numbers = numbers.reshape(-1, rows, cols)
    mines, places = (cells.reshape(-1, rows, cols).copy() for cells in (mines, places))
    possible = np.ones(len(numbers), np.bool_)
    left = np.arange(len(numbers))
    while len(left):
        bounds = Bounds.of(numbers[left], mines[left], places[left])
        laid, safe = bounds.mines, bounds.safe
        fits = ~(bounds.broken | laid & safe).any((1, 2))
        possible[left] = fits
        goes_on = fits & (laid | safe).any((1, 2))
        left, laid, safe = left[goes_on], laid[goes_on], safe[goes_on]
        mines[left] |= laid
        places[left] &= ~(laid | safe)
    shape = (*boards, rows, cols)
    return Deduction(mines.reshape(shape), places.reshape(shape), possible.reshape(tuple(boards)))


def _padded(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    *boards, rows, cols = values.shape
    padded = np.zeros((*boards, rows + 2, cols + 2), values.dtype)  # np.pad takes many times as long
    padded[..., 1:-1, 1:-1] = values
    return padded
