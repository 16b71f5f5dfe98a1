"""Points, rectangles, frames and the grid, and all conversions between their coordinate systems.

============ =================== ========================================================================
system       type                unit and origin
============ =================== ========================================================================
screen       `Point`, `Rect`     physical pixels of the whole desktop; (0, 0) is the top left of the
                                 primary monitor, so monitors to its left or above have negative values
frame        floats ``x, y``     pixels of one picture (`Frame`); (0, 0) is its top left corner, integer
                                 values are the left and top edges of pixels
cell         `bot.board.Cell`    (row, col); (0, 0) is the top left cell
============ =================== ========================================================================

frame to screen: `Frame.to_screen`; cell to frame: `Grid.centre`, `.corner`; frame to cell: `Grid.cell_at`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

from bot.board import Cell

T = TypeVar("T")
Kind = TypeVar("Kind", bound=np.generic)
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Point:
    """A pixel of the screen."""

    x: int
    y: int

    def distance(self, other: Point) -> float:
        """Return the distance to ``other`` in pixels."""
        return float(np.hypot(self.x - other.x, self.y - other.y))


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of whole pixels; right and bottom edges are exclusive."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def around(cls, rects: Collection[Rect]) -> Rect:
        """Return the smallest rectangle that contains all ``rects``, of which there must be one."""
        x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
        right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
        return cls(x, y, right - x, bottom - y)

    @property
    def right(self) -> int:
        """The x value of the first pixel column to the right of the rectangle."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The y value of the first pixel row below the rectangle."""
        return self.y + self.height

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height."""
        return self.width, self.height

    @property
    def area(self) -> int:
        """The number of pixels in the rectangle."""
        return self.width * self.height

    @property
    def empty(self) -> bool:
        """Whether the rectangle contains no pixel."""
        return self.width <= 0 or self.height <= 0

    @property
    def centre(self) -> Point:
        """The pixel in the middle."""
        return Point(self.x + self.width // 2, self.y + self.height // 2)

    def contains(self, point: Point) -> bool:
        """Return whether ``point`` lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def covers(self, other: Rect) -> bool:
        """Return whether ``other`` lies completely inside."""
        return self.intersection(other) == other

    def intersection(self, other: Rect) -> Rect:
        """Return the part that both rectangles share; it is empty if they share no pixel."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(0, right - x), max(0, bottom - y))

    def cut(self, pixels: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        """Return the part of a picture or mask that lies inside this rectangle, as a view (no copy)."""
        return pixels[max(0, self.y) : max(0, self.bottom), max(0, self.x) : max(0, self.right)]

    def moved(self, dx: int, dy: int) -> Rect:
        """Return a copy moved by ``dx`` to the right and ``dy`` down."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def grown(self, margin: int) -> Rect:
        """Return a copy with ``margin`` more pixels on each side."""
        return Rect(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture: uint8 BGR ``pixels`` (height, width, 3), its place on the screen and its time.

    ``origin`` is the screen point of the top left pixel, (0, 0) for a picture from a file. ``time`` is the
    value of `time.perf_counter` just after the grab, in seconds.
    """

    pixels: Pixels
    origin: Point = Point(0, 0)
    time: float = 0.0

    @property
    def rect(self) -> Rect:
        """The rectangle of the screen that this frame shows."""
        height, width = self.pixels.shape[:2]
        return Rect(self.origin.x, self.origin.y, width, height)

    def to_screen(self, x: float, y: float) -> Point:
        """Return the screen pixel that contains the frame position (``x``, ``y``)."""
        return Point(self.origin.x + int(np.floor(x)), self.origin.y + int(np.floor(y)))

    def on_screen(self, rect: Rect) -> Rect:
        """Return ``rect``, given in pixels of this frame, in screen pixels."""
        return rect.moved(self.origin.x, self.origin.y)

    def crop(self, rect: Rect) -> Self:
        """Return the part inside ``rect`` (screen pixels, clipped to this frame) as a new frame."""
        inside = self.rect.intersection(rect)
        x, y = inside.x - self.origin.x, inside.y - self.origin.y
        pixels = self.pixels[y : y + inside.height, x : x + inside.width]
        return type(self)(pixels, Point(inside.x, inside.y), self.time)


@dataclass(frozen=True, slots=True)
class Grid:
    """The place of a board in a frame: top left corner of cell (0, 0), cell size and number of cells.

    Position and cell size are floats in pixels, because real screens have cells of, say, 24.4 pixels.
    """

    x: float
    y: float
    pitch_x: float
    pitch_y: float
    rows: int
    cols: int

    @property
    def width(self) -> float:
        """The width of all columns together in pixels."""
        return self.cols * self.pitch_x

    @property
    def height(self) -> float:
        """The height of all rows together in pixels."""
        return self.rows * self.pitch_y

    @property
    def rect(self) -> Rect:
        """The smallest rectangle of whole frame pixels that contains all cells."""
        x, y = int(np.floor(self.x)), int(np.floor(self.y))
        right, bottom = int(np.ceil(self.x + self.width)), int(np.ceil(self.y + self.height))
        return Rect(x, y, right - x, bottom - y)

    def enlarged(self, factor: int) -> Grid:
        """Return the grid in a picture that is enlarged by ``factor``."""
        pitch = factor * self.pitch_x, factor * self.pitch_y
        return Grid(factor * self.x, factor * self.y, *pitch, self.rows, self.cols)

    def corner(self, cell: Cell) -> tuple[float, float]:
        """Return the frame position (x, y) of a cell's top left corner."""
        return self.x + cell.col * self.pitch_x, self.y + cell.row * self.pitch_y

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the frame position (x, y) of a cell's centre."""
        return self.x + (cell.col + 0.5) * self.pitch_x, self.y + (cell.row + 0.5) * self.pitch_y

    def cell_rect(self, cell: Cell) -> Rect:
        """Return the smallest rectangle of whole frame pixels that contains ``cell``."""
        return Grid(*self.corner(cell), self.pitch_x, self.pitch_y, 1, 1).rect

    def cell_box(self, cell: Cell) -> Rect:
        """Return a cell as a rectangle of whole frame pixels; those of different cells never overlap."""
        x, y = self.corner(cell)
        left, top = round(x), round(y)
        return Rect(left, top, round(x + self.pitch_x) - left, round(y + self.pitch_y) - top)

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell that contains the frame position (``x``, ``y``), or None outside the board."""
        col, row = int(np.floor((x - self.x) / self.pitch_x)), int(np.floor((y - self.y) / self.pitch_y))
        return Cell(row, col) if 0 <= row < self.rows and 0 <= col < self.cols else None

    def part(self, top: int, left: int, bottom: int, right: int) -> Grid:
        """Return the grid of cells from (top, left) to (bottom, right), end excluded; it may be larger."""
        x, y = self.x + left * self.pitch_x, self.y + top * self.pitch_y
        return replace(self, x=x, y=y, rows=bottom - top, cols=right - left)

    def largest_edge_distance(self, other: Grid) -> float:
        """Return the largest distance between corresponding edges of both grids, in cells of this grid."""
        left, top = (other.x - self.x) / self.pitch_x, (other.y - self.y) / self.pitch_y
        right = left + (other.width - self.width) / self.pitch_x
        bottom = top + (other.height - self.height) / self.pitch_y
        return max(map(abs, (left, top, right, bottom)))

    def moved(self, dx: float, dy: float) -> Grid:
        """Return a copy moved by ``dx`` to the right and ``dy`` down, in pixels."""
        return Grid(self.x + dx, self.y + dy, self.pitch_x, self.pitch_y, self.rows, self.cols)


def nearest_first(
    things: Iterable[T], start: tuple[int, int], place: Callable[[T], tuple[int, int]]
) -> list[T]:
    """Return ``things`` in greedy order: first the nearest to ``start``, then always the nearest to the last.

    ``place`` returns the position of a thing in the units of ``start``. If two are as near, the first wins.
    """
    waiting, ordered, here = list(things), list[T](), start
    while waiting:
        nearest = min(waiting, key=lambda thing: math.dist(here, place(thing)))
        waiting.remove(nearest)
        ordered.append(nearest)
        here = place(nearest)
    return ordered
