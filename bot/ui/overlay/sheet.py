"""One sheet of marks: where they stand, and the very picture of the board that they were made for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bot.board import Cell
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.ui.overlay.drawing import Picture, box_of, picture_of
from bot.ui.overlay.marks import Kind, Mark

_SAMPLE = 24  # marks that stand for all


@dataclass(frozen=True, slots=True)
class Sheet:
    """Marks on a board, as the process that shows them is told.

    ``grid`` is where the board is, in screen pixels; ``words`` stand ``beside`` a rectangle of the screen,
    which is the game's window, or the board itself where that has none.
    """

    grid: Grid
    marks: tuple[Mark, ...]
    words: str
    beside: Rect

    @property
    def rect(self) -> Rect:
        """Where the board is on the screen."""
        return self.grid.rect

    def moved(self, dx: int, dy: int) -> Sheet:
        """Return a copy moved by ``dx`` to the right and ``dy`` down, in pixels."""
        return replace(self, grid=self.grid.moved(dx, dy), beside=self.beside.moved(dx, dy))

    def picture(self) -> Picture:
        """Return the marks as pixels, as `drawing.picture_of` does."""
        return picture_of(self.grid, self.marks)

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of JSON."""
        grid, beside = self.grid, self.beside
        return {
            "grid": [grid.x, grid.y, grid.pitch_x, grid.pitch_y, grid.rows, grid.cols],
            "marks": [[*mark.cell, mark.kind.value, mark.text] for mark in self.marks],
            "words": self.words,
            "beside": [beside.x, beside.y, beside.width, beside.height],
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Sheet:
        """Return the sheet that `as_json` has told of."""
        marks = tuple(Mark(Cell(row, col), Kind(kind), text) for row, col, kind, text in told["marks"])
        return cls(Grid(*told["grid"]), marks, told["words"], Rect(*told["beside"]))


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """A sheet and the picture of the board, without marks, that it was made for: what it may stand on.

    ``clean`` are the pixels of `Sheet.rect`, uint8 BGR; ``marks`` what the sheet shows there, BGRA;
    ``beside`` is 255 where no mark is and 0 elsewhere, of the shape of ``clean``.
    """

    sheet: Sheet
    clean: Pixels
    marks: Picture
    beside: Pixels

    @classmethod
    def of(cls, sheet: Sheet, clean: Pixels) -> Standing:
        """Return a sheet on the pixels of its board."""
        marks = sheet.picture()
        return cls(sheet, clean, marks, np.repeat(~marks[..., 3:], 3, axis=2))

    def moved(self, dx: int, dy: int) -> Standing:
        """Return a copy moved by ``dx`` to the right and ``dy`` down, in pixels."""
        return replace(self, sheet=self.sheet.moved(dx, dy))

    def fits(self, pixels: Pixels, *, marked: bool) -> bool:
        """Return whether ``pixels`` of the board show what the marks were made for.

        With ``marked`` what is below marks does not count.
        """
        if pixels.shape != self.clean.shape:
            return False
        return (
            not ((pixels ^ self.clean) & self.beside).any() if marked else np.array_equal(pixels, self.clean)
        )

    def without_marks(self, frame: Frame) -> Frame | None:
        """Return a picture of the screen with what is below the marks in their place; None if unknown.

        It is known as long as all that is seen of the board shows what the marks were made for.
        """
        rect = self.sheet.rect
        if frame.rect.intersection(rect).empty:
            return frame
        if not frame.rect.covers(rect):
            return None
        x, y = rect.x - frame.origin.x, rect.y - frame.origin.y
        board = frame.pixels[y : y + rect.height, x : x + rect.width]
        if not self.fits(board, marked=True):
            return None
        pixels = frame.pixels.copy()
        pixels[y : y + rect.height, x : x + rect.width] = self.clean
        return Frame(pixels, frame.origin, frame.time)

    def left_over(self, pixels: Pixels) -> bool:
        """Return whether one of some marks all over the board is still wholly seen on its ``pixels``."""
        if pixels.shape != self.clean.shape:
            return False
        same = (pixels == self.marks[..., :3]).all(axis=2) | (self.beside[..., 0] > 0)
        some = self.sheet.marks[:: max(1, len(self.sheet.marks) // _SAMPLE)]
        boxes = (box_of(self.sheet.grid, mark) for mark in some)
        return any(same[box.y : box.bottom, box.x : box.right].all() for box in boxes)
