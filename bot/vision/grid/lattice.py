"""How well lines support the cells of a grid, and the rectangle of cells that they support best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.grid.lines import Lines

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.floating]
Places = npt.NDArray[np.intp]

_ALONG = np.array([0.2, 0.35, 0.5, 0.65, 0.8])  # where along a cell's side to look; corners are often round
_BORDER = 255  # strength of the picture's border: a board that was cut out exactly has no line there
_MARGIN = 1.5  # pixels from the border that are at it
_OUTSIDE = 4  # pixels beyond the border that still belong to it
_FAINTEST = 8.0  # a reference below this would take noise for lines


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Strengths of the lines under a grid, at five places along each side of each cell.

    ``vertical`` is uint8 of shape (5, rows, 2 cols + 1), ``horizontal`` (2 rows + 1, 5, cols). Even indices
    are the sides of cells, odd ones the lines that halve them.
    """

    vertical: Pixels
    horizontal: Pixels

    def reference(self, rows: slice = slice(None), cols: slice = slice(None)) -> float:
        """Return the strength that counts as full support, a bit less than the median side of these cells."""
        vertical = self.vertical[:, rows, ::2][:, :, cols].mean(0, dtype=np.float32)
        horizontal = self.horizontal[::2, :, cols][rows].mean(1, dtype=np.float32)
        sides = np.concatenate([vertical.ravel(), horizontal.ravel()])
        return max(_FAINTEST, 0.6 * _median(sides)) if len(sides) else _FAINTEST

    def support(self, reference: float) -> Support:
        """Return how well the lines support each cell if sides of strength ``reference`` count in full."""
        table = _shares(reference)
        vertical, horizontal = table.take(self.vertical).sum(0), table.take(self.horizontal).sum(1)
        middle = (vertical[:, 1::2] + horizontal[1::2]) / 2
        return Support(vertical[:, ::2], horizontal[::2], middle)


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """How much of each side of each cell lies on a line: 0 to 1, rows x (cols + 1) and (rows + 1) x cols.

    ``middle`` is the same for the two lines that halve a cell, (rows, cols): high where all is full of edges.
    """

    vertical: Floats
    horizontal: Floats
    middle: Floats

    @property
    def cells(self) -> Floats:
        """How well each cell is enclosed, (rows, cols): half the mean of its sides, half its second weakest.

        Cells of a board have lines on all sides, apart from one here and there; a place outside the board may
        have a frame or the board itself on one or two.
        """
        left, right, top, bottom = (
            self.vertical[:, :-1],
            self.vertical[:, 1:],
            self.horizontal[:-1],
            self.horizontal[1:],
        )
        mean = (left + right + top + bottom) * np.float32(0.25)
        weaker = np.maximum(np.minimum(left, right), np.minimum(top, bottom))
        second = np.minimum(weaker, np.minimum(np.maximum(left, right), np.maximum(top, bottom)))
        return np.asarray((mean + second) / 2, np.float32)


def sample(lines: Lines, grid: Grid) -> Samples:
    """Return the strengths of ``lines`` under ``grid``; 0 outside the picture."""
    xs = grid.x + grid.pitch_x / 2 * np.arange(2 * grid.cols + 1)
    ys = grid.y + grid.pitch_y / 2 * np.arange(2 * grid.rows + 1)
    along_x, along_y = _along(grid)
    vertical = _sampled(lines.near_vertical, along_y, xs)
    horizontal = _sampled_down(lines.near_horizontal, along_x, ys)
    places = len(_ALONG)
    return Samples(
        vertical.reshape(places, grid.rows, len(xs)), horizontal.reshape(len(ys), places, grid.cols)
    )


def _along(grid: Grid) -> tuple[Places, Places]:
    """Return the pixels to look at along the sides of all columns and of all rows, five for each."""
    x = grid.x + grid.pitch_x * (np.arange(grid.cols) + _ALONG[:, None])
    y = grid.y + grid.pitch_y * (np.arange(grid.rows) + _ALONG[:, None])
    return np.floor(x).astype(np.intp).ravel(), np.floor(y).astype(np.intp).ravel()


def _shares(reference: float) -> Floats:
    """Return what a place of each strength adds to the support of a side; a strong side has 1 in total."""
    strengths = np.arange(256, dtype=np.float32) / np.float32(reference)
    return np.asarray(np.minimum(strengths, 1) / len(_ALONG), np.float32)


def _sampled(strengths: Pixels, along: Places, lines: Doubles) -> Pixels:
    """Return the strengths at rows ``along`` and columns ``lines``: (along, lines)."""
    height, width = strengths.shape
    rows, cols = _inside(along, height), _inside(np.rint(lines).astype(np.intp), width)
    values: Pixels = strengths.take(rows[:, None] * width + cols)
    if _near_border(lines, width):
        values[:, _border(lines, width)] = _BORDER
        values[:, _beyond(lines, width)] = 0
    values[rows != along] = 0
    return values


def _sampled_down(strengths: Pixels, along: Places, lines: Doubles) -> Pixels:
    """Return the strengths at rows ``lines`` and columns ``along``: (lines, along)."""
    height, width = strengths.shape
    rows, cols = _inside(np.rint(lines).astype(np.intp), height), _inside(along, width)
    values: Pixels = strengths.take(rows[:, None] * width + cols)
    if _near_border(lines, height):
        values[_border(lines, height)] = _BORDER
        values[_beyond(lines, height)] = 0
    values[:, cols != along] = 0
    return values


def _near_border(lines: Doubles, length: int) -> bool:
    """Return whether any line is at the picture's border or outside; they are in order."""
    return len(lines) > 0 and bool(lines[0] < _MARGIN or lines[-1] > length - 1 - _MARGIN)


def _inside(places: Places, length: int) -> Places:
    """Return the places, those outside of ``length`` pixels moved to the nearest inside."""
    return np.minimum(np.maximum(places, 0), length - 1)


def _border(lines: Doubles, length: int) -> npt.NDArray[np.bool_]:
    """Return which lines are at the picture's border or outside."""
    return (lines < _MARGIN) | (lines > length - 1 - _MARGIN)


def _beyond(lines: Doubles, length: int) -> npt.NDArray[np.bool_]:
    """Return which lines are farther outside than still belongs to the border."""
    return (lines < -_OUTSIDE - 0.5) | (lines >= length + _OUTSIDE - 0.5)


def _median(values: Floats) -> float:
    """Return the upper median; `numpy.median` takes as long as all the rest does for a few cells."""
    middle = len(values) // 2
    return float(np.partition(values, middle)[middle])


def fewness(grid: Grid) -> float:
    """Return what a grid of few rows and columns keeps of its score."""
    return min(1.0, grid.rows / 8) * min(1.0, grid.cols / 8)
