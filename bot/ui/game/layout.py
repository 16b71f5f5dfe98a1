"""Where everything is in the game's picture, in whole pixels at any scale.

At scale 1 a cell is 16 x 16 pixels and cell (0, 0) begins at (12, 55): a raised edge of 3 pixels and a margin
of 6 lie around a sunken panel (edge 2, inside 33 high) and the sunken board (edge 3), 6 apart. In the panel
stand the mine counter on the left, the face in the middle, the timer on the right. Each of these measures is
multiplied by the scale and rounded by itself, so every cell is as large as every other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bot.board import Cell

CELL = 16
FEWEST_COLS = 8  # the panel has no room in fewer
SMALLEST, LARGEST = (1, FEWEST_COLS), (100, 100)  # rows and columns
SMALLEST_SCALE, LARGEST_SCALE = 0.5, 8.0


def can_be_drawn(scale: float) -> bool:
    """Return whether the game can be drawn so large."""
    return SMALLEST_SCALE <= scale <= LARGEST_SCALE


class Box(NamedTuple):
    """A rectangle in pixels of the game's picture; (x, y) is its top left."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Return whether a pixel is inside."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height

    def grown(self, by: int) -> Box:
        """Return the rectangle with ``by`` more pixels on each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places for a board of ``rows`` x ``cols`` at a scale; ``digits`` is how many a counter shows."""

    rows: int
    cols: int
    scale: float = 1.0
    digits: int = 3

    def px(self, units: float) -> int:
        """Return how many pixels ``units`` of scale 1 are, at least one."""
        return max(1, round(units * self.scale))

    @property
    def cell(self) -> int:
        """The side of a cell."""
        return self.px(CELL)

    @property
    def board(self) -> Box:
        """The cells, without the edge around them."""
        panel = self.panel
        top = panel.y + panel.height + self.px(2) + self.px(6) + self.px(3)
        return Box(self._left + self.px(3), top, self.cols * self.cell, self.rows * self.cell)

    @property
    def panel(self) -> Box:
        """The inside of the panel."""
        edge, width = self.px(2), self.cols * self.cell + 2 * self.px(3)
        return Box(self._left + edge, self._left + edge, width - 2 * edge, self.px(33))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        board = self.board
        rest = self.px(3) + self._left
        return board.x + board.width + rest, board.y + board.height + rest

    @property
    def mine_counter(self) -> Box:
        """The digits of the mine counter, without the edge around them."""
        return self._counter(self.panel.x + self.px(6))

    @property
    def timer(self) -> Box:
        """The digits of the timer, without the edge around them."""
        panel = self.panel
        return self._counter(panel.x + panel.width - self.px(6) - self.digits * self.px(13))

    @property
    def face(self) -> Box:
        """The button with the face."""
        side, panel = self.px(26), self.panel
        return Box(panel.x + (panel.width - side) // 2, panel.y + (panel.height - side) // 2, side, side)

    def cell_box(self, cell: Cell) -> Box:
        """Return where a cell is."""
        board = self.board
        return Box(board.x + cell.col * self.cell, board.y + cell.row * self.cell, self.cell, self.cell)

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a pixel, None beside the board."""
        board = self.board
        if not board.holds(x, y):
            return None
        return Cell((y - board.y) // self.cell, (x - board.x) // self.cell)

    @property
    def _left(self) -> int:
        return self.px(3) + self.px(6)

    def _counter(self, x: int) -> Box:
        height, panel = self.px(23), self.panel
        return Box(x, panel.y + (panel.height - height) // 2, self.digits * self.px(13), height)
