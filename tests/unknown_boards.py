"""Wrong grids near that of a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.geometry import Grid


def wrong_grids(grid: Grid) -> Iterator[tuple[str, Grid]]:
    """Yield grids that are not the board's: beside it by a part of a cell, too coarse, too fine."""
    wide, tall = grid.pitch_x, grid.pitch_y
    yield "half a cell right", replace(grid.moved(wide / 2, 0), cols=grid.cols - 1)
    yield "half a cell down", replace(grid.moved(0, tall / 2), rows=grid.rows - 1)
    yield "half a cell off", replace(grid.moved(wide / 2, tall / 2), rows=grid.rows - 1, cols=grid.cols - 1)
    yield "a third off", replace(grid.moved(wide / 3, tall / 3), rows=grid.rows - 1, cols=grid.cols - 1)
    yield "cells of half the size", Grid(grid.x, grid.y, wide / 2, tall / 2, 2 * grid.rows, 2 * grid.cols)
    yield "cells of half the width", replace(grid, pitch_x=wide / 2, cols=2 * grid.cols)
    yield "cells of twice the size", Grid(grid.x, grid.y, 2 * wide, 2 * tall, grid.rows // 2, grid.cols // 2)
    yield "a wrong pitch", replace(grid, pitch_x=wide * grid.cols / (grid.cols + 1), cols=grid.cols + 1)


def cut_grids(grid: Grid) -> Iterator[tuple[str, Grid]]:
    """Yield grids with a row or column too many or too few."""
    yield "a row less", replace(grid, rows=grid.rows - 1)
    yield "a column less at the left", replace(grid.moved(grid.pitch_x, 0), cols=grid.cols - 1)
    yield "a row more at the top", replace(grid.moved(0, -grid.pitch_y), rows=grid.rows + 1)
    yield "a column more", replace(grid, cols=grid.cols + 1)
