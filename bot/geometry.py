"""Points, rectangles, pictures with a place, the grid; every conversion between coordinate systems.

============ =================== ========================================================================
system       type                unit and origin
============ =================== ========================================================================
screen       `Point`, `Rect`     physical pixels of the whole desktop; (0, 0) is the top left of the
                                 primary monitor, so monitors to its left or above have negative values
frame        floats ``x, y``     pixels of one picture (`Frame`); (0, 0) is its top left corner, integer
                                 values are the left and top edges of pixels
cell         `bot.board.Cell`    (row, col); (0, 0) is the top left cell
============ =================== ========================================================================

frame to screen: `Frame.to_screen`; cell to frame: `Grid.centre`, `Grid.corner`; frame to cell:
`Grid.cell_at`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
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

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.height

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def area(self) -> int:
        """How many pixels it holds."""
        return self.width * self.height

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.width <= 0 or self.height <= 0

    @property
    def centre(self) -> Point:
        """The pixel in the middle."""
        return Point(self.x + self.width // 2, self.y + self.height // 2)

    def contains(self, point: Point) -> bool:
        """Return whether ``point`` lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def covers(self, other: Rect) -> bool:
        """Return whether ``other`` lies wholly inside."""
        return self.intersection(other) == other

    def intersection(self, other: Rect) -> Rect:
        """Return the part that both share; it is empty if they share none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(0, right - x), max(0, bottom - y))

    def cut(self, pixels: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        """Return the part of a picture, or of a mask, that lies inside; nothing of it is copied."""
        return pixels[max(0, self.y) : max(0, self.bottom), max(0, self.x) : max(0, self.right)]

    def moved(self, dx: int, dy: int) -> Rect:
        """Return a copy moved by ``dx`` to the right and ``dy`` down."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def grown(self, margin: int) -> Rect:
        """Return a copy with ``margin`` more pixels on each side."""
        return Rect(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture: pixels (height, width, 3) uint8 BGR, the screen point of its top left, its time in seconds.

    The time is that of `time.perf_counter` just after the grab. A picture from a file stands at (0, 0).
    """

    pixels: Pixels
    origin: Point = Point(0, 0)
    time: float = 0.0

    @property
    def rect(self) -> Rect:
        """Where it is on the screen."""
        height, width = self.pixels.shape[:2]
        return Rect(self.origin.x, self.origin.y, width, height)

    def to_screen(self, x: float, y: float) -> Point:
        """Return the screen pixel in which the frame position (x, y) lies."""
        return Point(self.origin.x + int(np.floor(x)), self.origin.y + int(np.floor(y)))

    def on_screen(self, rect: Rect) -> Rect:
        """Return the part of the screen that a rectangle of this picture shows."""
        return rect.moved(self.origin.x, self.origin.y)

    def crop(self, rect: Rect) -> Self:
        """Return the part inside ``rect`` (screen pixels, clipped to this frame) as a frame of its own."""
        inside = self.rect.intersection(rect)
        x, y = inside.x - self.origin.x, inside.y - self.origin.y
        pixels = self.pixels[y : y + inside.height, x : x + inside.width]
        return type(self)(pixels, Point(inside.x, inside.y), self.time)


@dataclass(frozen=True, slots=True)
class Grid:
    """Where a board is in a frame: top left of cell (0, 0), cell size in pixels, number of cells.

    All four measures are floats, since real screens have cells of 24.4 pixels.
    """

    x: float
    y: float
    pitch_x: float
    pitch_y: float
    rows: int
    cols: int

    @property
    def width(self) -> float:
        """Width of all columns in pixels."""
        return self.cols * self.pitch_x

    @property
    def height(self) -> float:
        """Height of all rows in pixels."""
        return self.rows * self.pitch_y

    @property
    def rect(self) -> Rect:
        """The smallest rectangle of whole frame pixels that holds every cell."""
        x, y = int(np.floor(self.x)), int(np.floor(self.y))
        right, bottom = int(np.ceil(self.x + self.width)), int(np.ceil(self.y + self.height))
        return Rect(x, y, right - x, bottom - y)

    def corner(self, cell: Cell) -> tuple[float, float]:
        """Return the frame position (x, y) of a cell's top left corner."""
        return self.x + cell.col * self.pitch_x, self.y + cell.row * self.pitch_y

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Return the frame position (x, y) of a cell's centre."""
        return self.x + (cell.col + 0.5) * self.pitch_x, self.y + (cell.row + 0.5) * self.pitch_y

    def cell_rect(self, cell: Cell) -> Rect:
        """Return the smallest rectangle of whole frame pixels that holds a cell."""
        return Grid(*self.corner(cell), self.pitch_x, self.pitch_y, 1, 1).rect

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell in which the frame position (x, y) lies, None outside the board."""
        col, row = int(np.floor((x - self.x) / self.pitch_x)), int(np.floor((y - self.y) / self.pitch_y))
        return Cell(row, col) if 0 <= row < self.rows and 0 <= col < self.cols else None

    def part(self, top: int, left: int, bottom: int, right: int) -> Grid:
        """Return the cells from (top, left) up to (bottom, right), ends exclusive; they may lie beyond it."""
        x, y = self.x + left * self.pitch_x, self.y + top * self.pitch_y
        return replace(self, x=x, y=y, rows=bottom - top, cols=right - left)

    def apart(self, other: Grid) -> float:
        """Return how far the corners of another grid are from those of this one, in cells of this one."""
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
    """Return the things in an order: from ``start``, the nearest remaining one is always the next.

    ``place`` says where a thing is, in the unit of ``start``; of things as near, the first comes first.
    """
    waiting, ordered, here = list(things), list[T](), start
    while waiting:
        nearest = min(waiting, key=lambda thing: math.dist(here, place(thing)))
        waiting.remove(nearest)
        ordered.append(nearest)
        here = place(nearest)
    return ordered
