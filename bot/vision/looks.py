"""What every cell of a board at a known place shows, pixel by pixel, and which cells show something else."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels

Look = bytes  # all pixels of a cell; before them its width where not all are equally wide


class Places:
    """Where the cells of ``grid`` lie in the part of a picture that is `Grid.rect`.

    Cells are counted row by row.
    """

    def __init__(self, grid: Grid) -> None:
        self._rows = _edges(grid.y, grid.pitch_y, grid.rows)
        self._cols = _edges(grid.x, grid.pitch_x, grid.cols)
        self._heights, self._widths = np.unique(np.diff(self._rows)), np.unique(np.diff(self._cols))
        self._even = len(self._heights) == len(self._widths) == 1
        self._starts = 3 * self._cols[:-1]
        self._different = np.empty((grid.rect.height, grid.rect.width, 3), np.uint8)

    def changed(self, area: Pixels, before: Pixels) -> npt.NDArray[np.intp]:
        """Return the cells that are not the same in two pictures (height, width, 3) of the board."""
        cv2.absdiff(area, before, dst=self._different)
        lines = self._rows_together(self._different.reshape(len(area), -1))
        cells: npt.NDArray[np.uint8] = np.maximum.reduceat(lines, self._starts, axis=1)
        return np.flatnonzero(cells)

    def looks(self, area: Pixels, cells: npt.NDArray[np.intp]) -> list[Look]:
        """Return what some cells show in a picture (height, width, 3) of the board."""
        rows, cols = np.divmod(cells, len(self._cols) - 1)
        if not self._even:
            return [self._look(area, row, col) for row, col in zip(rows.tolist(), cols.tolist(), strict=True)]
        height, width = int(self._heights[0]), int(self._widths[0])
        lines = area[: self._rows[-1], : self._cols[-1]].reshape(len(self._rows) - 1, height, -1, 3 * width)
        shown = lines[rows, :, cols].reshape(len(cells), height * width * 3)
        looks: list[Look] = shown.view(f"V{shown.shape[1]}")[:, 0].tolist()
        return looks

    def _rows_together(self, different: Pixels) -> Pixels:
        """Return the largest value in each column (of all pixel columns) of each row of cells."""
        if len(self._heights) == 1:
            together: Pixels = (
                different[: self._rows[-1]].reshape(len(self._rows) - 1, -1, different.shape[1]).max(1)
            )
            return together
        return np.stack([different[top:bottom].max(0) for top, bottom in pairwise(self._rows.tolist())])

    def _look(self, area: Pixels, row: int, col: int) -> Look:
        left, right = int(self._cols[col]), int(self._cols[col + 1])
        shown = area[self._rows[row] : self._rows[row + 1], left:right]
        return (right - left).to_bytes(2) + shown.tobytes()


def _edges(start: float, pitch: float, count: int) -> npt.NDArray[np.intp]:
    """Return where cells begin, in pixels from the first one's, and after them where the last one ends."""
    edges: npt.NDArray[np.float64] = np.floor(start + np.arange(count + 1) * pitch) - np.floor(start)
    return edges.astype(np.intp)
