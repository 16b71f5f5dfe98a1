"""The counting rules: what each number says about its neighbours, for one position or many at once.

Arrays have the shape (..., rows, cols). In an array of ``numbers``, 0 to 8 are opened numbers and any larger
value means "no number", so the states of `bot.board` can be used directly. The known mines and the cells that
may be mines are separate arguments, because the caller decides whether a flag counts as a mine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

NO_NUMBER = np.int8(9)  # marks a cell without a number; any larger value does the same

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.signedinteger[Any]]


def neighbour_sum(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return for each cell the sum of ``values`` over its neighbours, as an array (..., rows, cols).

    A bool mask is summed as int8. Other values keep their dtype, which must be able to hold a sum of nine.
    """
    wide = _padded(values if values.dtype != np.bool_ else values.view(np.int8))
    lines = wide[..., :-2, :] + wide[..., 1:-1, :] + wide[..., 2:, :]
    total = lines[..., :-2] + lines[..., 1:-1] + lines[..., 2:]
    return np.asarray(total - wide[..., 1:-1, 1:-1])


def near(mask: Bools) -> Bools:
    """Return the cells that are in ``mask`` or have a neighbour in it, as a bool array (..., rows, cols)."""
    wide = _padded(mask)
    lines = wide[..., :-2, :] | wide[..., 1:-1, :] | wide[..., 2:, :]
    return np.asarray(lines[..., :-2] | lines[..., 1:-1] | lines[..., 2:], np.bool_)


def zeros_beside_covered(numbers: Numbers, covered: Bools) -> Bools:
    """Return the zeros with a covered cell directly above, below, left or right: games always open those.

    Diagonal neighbours are not checked, because some games leave them covered.
    """
    wide = _padded(covered)
    beside = wide[..., :-2, 1:-1] | wide[..., 2:, 1:-1] | wide[..., 1:-1, :-2] | wide[..., 1:-1, 2:]
    return np.asarray((numbers == 0) & beside, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The ``least`` and the ``most`` mines around each cell, as int8 arrays (..., rows, cols).

    ``least`` counts the known mines; ``most`` adds all ``places``: the other cells that may be mines.
    """

    numbers: Numbers
    places: Bools
    least: npt.NDArray[np.int8]
    most: npt.NDArray[np.int8]

    @classmethod
    def of(cls, numbers: Numbers, mines: Bools, places: Bools) -> Bounds:
        """Return the bounds for a position with known ``mines`` and with ``places`` that may be mines."""
        least = neighbour_sum(mines)
        return cls(numbers, places, least, least + neighbour_sum(places))

    @property
    def broken(self) -> Bools:
        """The numbers below ``least`` or above ``most``: no placement of mines fits them."""
        wrong = (self.numbers < self.least) | (self.numbers > self.most)
        return np.asarray(wrong & (self.numbers <= 8), np.bool_)

    @property
    def safe(self) -> Bools:
        """The places that are proven safe: all mines of a neighbouring number are already known."""
        return np.asarray(self.places & near(self.numbers == self.least), np.bool_)

    @property
    def mines(self) -> Bools:
        """The places that are proven mines: a neighbouring number needs all its places."""
        return np.asarray(self.places & near(self.numbers == self.most), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Deduction:
    """Everything that the counting rules prove: the ``mines``, and the ``places`` that may still be mines.

    ``possible`` is a bool array (...) with one value per position: false if the rules found a contradiction.
    The deduction for that position stopped there.
    """

    mines: Bools
    places: Bools
    possible: Bools


def deduce(numbers: Numbers, mines: Bools, places: Bools) -> Deduction:
    """Apply the counting rules to each single number, again and again, until they prove nothing new."""
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
    padded = np.zeros((*boards, rows + 2, cols + 2), values.dtype)  # many times faster than np.pad
    padded[..., 1:-1, 1:-1] = values
    return padded
