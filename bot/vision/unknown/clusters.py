"""Cells that look alike, for art that was never seen: a cluster holds cells of one state only.

A cluster is tight, so one state may have several: a gradient over the board, a checkerboard, compression.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.stretch import unstretched
from bot.vision.unknown.looks import SIDE, Looks, looks_of

Ints = npt.NDArray[np.int32]


def find_clusters(pixels: Pixels, grid: Grid) -> Ints:
    """Return the cluster of each cell of ``grid`` on a BGR picture, int32 (rows, cols)."""
    canvas = unstretched(pixels, grid, SIDE)
    apart = canvas.reshape(grid.rows, SIDE, grid.cols, SIDE, 3).swapaxes(1, 2)
    looks = looks_of(np.ascontiguousarray(apart).reshape(-1, SIDE, SIDE, 3))
    return _assigned(looks).reshape(grid.rows, grid.cols)


def _assigned(looks: Looks) -> Ints:
    """Return the cluster of every cell: around a cell, then around the mean of those that are near it."""
    of_cell = np.full(len(looks.shapes), -1, np.int32)
    cluster = 0
    for cell in range(len(of_cell)):
        if of_cell[cell] >= 0:
            continue
        near = looks.alike(looks.one(cell))
        near = looks.alike(looks.mean(near[of_cell[near] < 0]))
        near = near[of_cell[near] < 0]
        of_cell[near] = cluster
        of_cell[cell] = cluster
        cluster += 1
    return of_cell
