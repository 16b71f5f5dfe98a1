"""Marks as pixels: few of a cell, so that what changes below them is still seen beside them.

Everything is made of whole pixels that hide what is below, so that whoever knows the marks knows which pixels
of the screen are theirs. A mark keeps to the rim of its cell, its upper left corner, and two thin diagonals.
Rims are open in the middle of each side: by its edges alone a covered cell may be told from an empty one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Rect
from bot.ui.overlay.marks import Kind, Mark

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int, int]  # blue, green, red, and that it is there

GREEN, RED, AMBER, BLUE = (60, 255, 110, 255), (40, 40, 255, 255), (0, 170, 255, 255), (255, 130, 30, 255)
BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)
_RIMS: dict[Kind, Colour] = {
    Kind.SAFE: GREEN,
    Kind.NEXT: GREEN,
    Kind.GUESS: AMBER,
    Kind.FLAG: AMBER,
    Kind.PROOF: BLUE,
}
_SUGGESTED = (Kind.NEXT, Kind.GUESS, Kind.FLAG)
_UNIT = 16  # pixels of a cell for each pixel that a line is wide
_GAP = 0.2  # of a cell: how far a rim is open on each side
_CROSS = 0.25, 0.75  # of a cell: from where to where the diagonals of a mine go
_DIGITS = {  # 3 x 5 dots
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", " # ", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
}  # fmt: skip
_DOTS = {
    digit: np.array([[dot == "#" for dot in line] for line in lines]) for digit, lines in _DIGITS.items()
}


def picture_of(grid: Grid, marks: Iterable[Mark]) -> Picture:
    """Return the marks on ``grid`` as BGRA pixels, uint8 of shape (height, width, 4) of `Grid.rect`.

    The last value is 255 where a mark is, 0 elsewhere.
    """
    picture = np.zeros((grid.rect.height, grid.rect.width, 4), np.uint8)
    for mark in marks:
        box = box_of(grid, mark)
        picture[box.y : box.bottom, box.x : box.right] = _drawn(box.height, box.width, mark.kind, mark.text)
    return picture


def box_of(grid: Grid, mark: Mark) -> Rect:
    """Return where the cell of a mark is in the picture; no two cells share a pixel."""
    x, y = grid.corner(mark.cell)
    left, top = round(x) - grid.rect.x, round(y) - grid.rect.y
    right, bottom = round(x + grid.pitch_x) - grid.rect.x, round(y + grid.pitch_y) - grid.rect.y
    return Rect(left, top, right - left, bottom - top)


@lru_cache(maxsize=1024)
def _drawn(height: int, width: int, kind: Kind, text: str) -> Picture:
    """Return a cell with a mark: of the hundreds on a board most are alike."""
    cell = np.zeros((height, width, 4), np.uint8)
    line = max(1, round(min(height, width) / _UNIT))
    colour, inset = _RIMS.get(kind), 0
    if kind is Kind.MINE:
        _cross(cell, line)
    if colour is not None:
        suggested, inset = kind in _SUGGESTED, line
        _rim(cell, 0, line, WHITE if suggested else colour)
        _rim(cell, line, line, colour if suggested else BLACK)
    if text:
        _plate(cell, inset, line, text, colour or WHITE)
    cell.flags.writeable = False
    return cell


def _rim(cell: Picture, inset: int, width: int, colour: Colour) -> None:
    rows, cols = (np.arange(size) for size in cell.shape[:2])
    edges = np.minimum(np.minimum(rows, rows[::-1])[:, None], np.minimum(cols, cols[::-1]))
    across, down = (np.abs(axis - (len(axis) - 1) / 2) > _GAP / 2 * len(axis) for axis in (cols, rows))
    cell[(edges >= inset) & (edges < inset + width) & across & down[:, None]] = colour


def _cross(cell: Picture, line: int) -> None:
    size = min(cell.shape[:2])
    for step in range(round(size * _CROSS[0]), round(size * _CROSS[1])):
        for start in (step, size - 1 - step):
            left = max(0, start - line // 2)
            cell[step, left : left + line + 1] = RED


def _plate(cell: Picture, inset: int, scale: int, text: str, colour: Colour) -> None:
    """Write black digits on a plate of ``colour`` into the upper left corner."""
    gap = np.zeros((5, 1), bool)
    dots = np.hstack([gap, *(part for digit in text for part in (_DOTS[digit], gap))])
    dots = np.pad(dots, ((1, 1), (0, 0))).repeat(scale, 0).repeat(scale, 1)
    plate = cell[inset : inset + dots.shape[0], inset : inset + dots.shape[1]]
    dots = dots[: plate.shape[0], : plate.shape[1], None]
    plate[:] = np.where(dots, np.array(BLACK, np.uint8), np.array(colour, np.uint8))
