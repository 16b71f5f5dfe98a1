"""Cells that look alike, for art that was never seen: a cluster holds cells of one state only.

A cluster is tight, so one state may have several: a gradient over the board, a checkerboard, compression.
Clusters that differ like that are *tied*: what one of them shows, the other most likely shows too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.stretch import unstretched
from bot.vision.unknown.logic import groups
from bot.vision.unknown.looks import SIDE, Looks, looks_of

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_TIE = 1.2  # times the reach: as far may the shapes of tied clusters be apart
_LINKS = 3  # neighbouring cells that look nearly alike tie two clusters
_LOOKS = 12, 0.25  # and part of the cells: more clusters has no board
_SINGLES = 8, 0.12  # likewise, clusters of one cell


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The clusters of one board.

    ``of_cell`` is the cluster of each cell, int32 (rows, cols); ``sizes`` counts their cells, int32 (K,);
    ``pictures`` are their mean pictures, uint8 (K, SIDE, SIDE, 3); ``contrast`` is how much more than plain
    ground each shows, and ``reach`` how far its cells may be from it, both in grey levels, float32 (K,);
    ``tied`` is the group of tied clusters that each belongs to, int32 (K,).
    """

    of_cell: Ints
    sizes: Ints
    pictures: Pixels
    contrast: Floats
    reach: Floats
    tied: Ints

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.sizes)


def cut_cells(pixels: Pixels, grid: Grid) -> Pixels:
    """Return the cells of ``grid`` cut out of a BGR picture, row by row: uint8 (n, SIDE, SIDE, 3)."""
    canvas = unstretched(pixels, grid, SIDE)
    apart = canvas.reshape(grid.rows, SIDE, grid.cols, SIDE, 3).swapaxes(1, 2)
    return np.ascontiguousarray(apart).reshape(-1, SIDE, SIDE, 3)


def find_clusters(pixels: Pixels, grid: Grid) -> Clusters:
    """Return the cells of ``grid`` sorted into clusters that are never mixed."""
    cells = cut_cells(pixels, grid)
    looks = looks_of(cells)
    return _clusters(grid, cells, looks, _assigned(looks, len(cells), len(cells)))


def find_few_clusters(pixels: Pixels, grid: Grid) -> Clusters | None:
    """Return the same; None, and that soon, if the cells are more varied than those of any board."""
    cells = cut_cells(pixels, grid)
    looks = looks_of(cells)
    most, singles = (int(least + part * len(cells)) for least, part in (_LOOKS, _SINGLES))
    of_cell = _assigned(looks, most, singles)
    return None if of_cell.min() < 0 else _clusters(grid, cells, looks, of_cell)


def _clusters(grid: Grid, cells: Pixels, looks: Looks, of_cell: Ints) -> Clusters:
    sizes = np.bincount(of_cell).astype(np.int32)
    member = np.zeros((len(sizes), len(of_cell)), np.float32)
    member[of_cell, np.arange(len(of_cell))] = 1 / sizes[of_cell]
    pictures = np.rint(member @ cells.reshape(len(cells), -1).astype(np.float32)).clip(0, 255)
    board = of_cell.reshape(grid.rows, grid.cols)
    return Clusters(
        board,
        sizes,
        pictures.astype(np.uint8).reshape(-1, SIDE, SIDE, 3),
        member @ looks.contrast,
        member @ looks.reach,
        _tied(looks, member, board),
    )


def _assigned(looks: Looks, most: int, most_singles: int) -> Ints:
    """Return the cluster of every cell: around a cell, then around the mean of those that are near it.

    From ``most`` clusters or ``most_singles`` cells that look like no other on, the rest gets -1.
    """
    of_cell = np.full(len(looks.shapes), -1, np.int32)
    cluster = singles = 0
    for cell in range(len(of_cell)):
        if of_cell[cell] >= 0:
            continue
        if cluster > most or singles > most_singles:
            break
        near = looks.alike(looks.one(cell))
        near = looks.alike(looks.mean(near[of_cell[near] < 0]))
        near = near[of_cell[near] < 0]
        of_cell[near] = cluster
        of_cell[cell] = cluster
        cluster, singles = cluster + 1, singles + (len(near) <= 1)
    return of_cell


def _tied(looks: Looks, member: Floats, of_cell: Ints) -> Ints:
    """Return the group of each cluster: alike in shape, and in ground where both lie side by side."""
    count = len(member)
    links = np.zeros((count, count), np.int32)
    grounds = looks.grounds.reshape(*of_cell.shape, 3)
    reach = looks.reach.reshape(of_cell.shape)
    for here, there in _side_by_side():
        one, other = of_cell[here], of_cell[there]
        near = np.abs(grounds[here] - grounds[there]).max(-1) <= np.minimum(reach[here], reach[there])
        np.add.at(links, (one[near], other[near]), 1)
    shapes, mean_reach = member @ looks.shapes, member @ looks.reach
    squares = (shapes**2).sum(1)
    apart = (squares[:, None] + squares - 2 * shapes @ shapes.T) / shapes.shape[1]
    alike = np.sqrt(apart.clip(0)) <= _TIE * np.minimum(mean_reach[:, None], mean_reach)
    return groups(alike & (links + links.T >= _LINKS))


def _side_by_side() -> tuple[tuple[tuple[slice, slice], tuple[slice, slice]], ...]:
    every, first, last = slice(None), slice(None, -1), slice(1, None)
    return (((every, first), (every, last)), ((first, every), (last, every)), ((first, first), (last, last)))
