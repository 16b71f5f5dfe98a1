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

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Chosen = npt.NDArray[np.intp] | npt.NDArray[np.bool_]
Bools = npt.NDArray[np.bool_]

SIDE = 24  # pixels of a cell that was cut out
_RIM = 2  # pixels of it at each edge that may show the neighbours
_SAMPLE = 96  # cells from which the noise of the picture is measured
_TIGHT, _LOOSE = 2.0, 13.0  # grey levels: bounds of how far a cell may be from its cluster
_NOISE = 3.0  # times the noise: as far may two pictures of one thing be apart
_STROKE = 0.18  # of the contrast in a cell's middle: a 5 and a 6 differ by more
_TEXTURED = 8.0  # grey levels of contrast: a cell that shows more than its ground
_LIGHT = 30.0  # grey levels by which the ground of textured cells may be lighter or darker
_TIE = 1.2  # times the reach: as far may the shapes of tied clusters be apart
_MIDDLE = slice(2, -2)  # of ten, where glyphs are
_EDGE = 8.0  # grey levels beyond the reach: an edge of another cell
_EDGES = 3  # such edges: neighbours that show through account for two
_LINKS = 3  # neighbouring cells that look nearly alike tie two clusters


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The clusters of one board.

    ``cells`` are all cells, uint8 BGR (n, SIDE, SIDE, 3), row by row; ``of_cell`` is the cluster of each,
    int32 (rows, cols); ``sizes`` counts their cells, int32 (K,); ``pictures`` are their mean pictures,
    uint8 (K, SIDE, SIDE, 3); ``contrast`` is how much more than plain ground each shows, and ``reach`` how
    far its cells may be from it, both in grey levels, float32 (K,); ``tied`` is the group of tied clusters that each belongs to, int32 (K,).
    """

    cells: Pixels
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
    look = _look(cells)
    of_cell = _assigned(look)
    count = int(of_cell.max()) + 1
    sizes = np.bincount(of_cell, minlength=count).astype(np.int32)
    means = look.means(of_cell, sizes)
    pictures = _mean_pictures(cells, of_cell, sizes)
    of_cell = of_cell.reshape(grid.rows, grid.cols)
    tied = _tied(look, means, of_cell)
    return Clusters(cells, of_cell, sizes, pictures, means.contrast, means.reach, tied)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What is compared: shapes with their ground taken away (n, f), grounds (n, 3), contrast, reach (n,).

    ``edges`` are the four edges, less the ground, (n, 12).
    """

    shapes: Floats
    grounds: Floats
    edges: Floats
    contrast: Floats
    reach: Floats

    def at(self, chosen: Chosen) -> _Look:
        return _Look(*(part[chosen] for part in self._parts))

    @property
    def _parts(self) -> tuple[Floats, ...]:
        return self.shapes, self.grounds, self.edges, self.contrast, self.reach

    def means(self, of_cell: Ints, sizes: Ints) -> _Look:
        """Return the mean look of every cluster."""
        member = np.zeros((len(sizes), len(of_cell)), np.float32)
        member[of_cell, np.arange(len(of_cell))] = 1 / sizes[of_cell]
        return _Look(*(member @ part for part in self._parts))


def _look(cells: Pixels) -> _Look:
    inner = cells[:, _RIM:-_RIM, _RIM:-_RIM].astype(np.float32)
    count, side = len(cells), inner.shape[1] // 2
    halved = inner.reshape(count, side, 2, side, 2, 3).mean((2, 4)).reshape(count, -1, 3)
    grounds = halved.mean(1)
    shapes = halved - grounds[:, None]
    middle = shapes.reshape(count, side, side, 3)[:, _MIDDLE, _MIDDLE]
    contrast = np.sqrt(((middle - middle.mean((1, 2), keepdims=True)) ** 2).mean((1, 2, 3)))
    shapes = shapes.reshape(count, -1)
    least = min(max(_TIGHT, _NOISE * _noise(shapes)), _LOOSE)
    reach = np.clip(_STROKE * contrast, least, _LOOSE)
    contrast = np.sqrt((shapes**2).mean(1))
    return _Look(shapes, grounds, _edges(cells, grounds), contrast, reach)


def _edges(cells: Pixels, grounds: Floats) -> Floats:
    sides = (cells[:, :_RIM], cells[:, -_RIM:], cells[:, :, :_RIM], cells[:, :, -_RIM:])
    means = [side.mean((1, 2), dtype=np.float32) - grounds for side in sides]
    return np.concatenate(means, axis=1)


def _noise(shapes: Floats) -> float:
    """Return how far cells of one look are apart: the usual distance of a cell to the one most like it."""
    sample = shapes[np.linspace(0, len(shapes) - 1, min(_SAMPLE, len(shapes))).astype(int)]
    squares = (sample**2).sum(1)
    apart = squares[:, None] + squares - 2 * sample @ sample.T
    np.fill_diagonal(apart, np.inf)
    return float(np.median(np.sqrt(apart.min(1).clip(0) / shapes.shape[1])))


def _assigned(look: _Look) -> Ints:
    """Return the cluster of every cell: around a cell, then around the mean of those that are near it."""
    of_cell = np.full(len(look.shapes), -1, np.int32)
    left, cluster = np.arange(len(of_cell)), 0
    while len(left):
        rest = look.at(left)
        near = _alike(rest, look.at(left[:1]))
        mean = rest.at(near).means(np.zeros(int(near.sum()), np.int32), np.array([near.sum()], np.int32))
        near = _alike(rest, mean)
        near[0] = True
        of_cell[left[near]], left, cluster = cluster, left[~near], cluster + 1
    return of_cell


def _alike(look: _Look, one: _Look) -> Bools:
    """Return which cells look like ``one`` in shape and ground; below a glyph light counts less."""
    shape = np.sqrt(((look.shapes - one.shapes) ** 2).mean(1))
    ground = look.grounds - one.grounds
    light = np.abs(ground.mean(1))
    colour = np.abs(ground - ground.mean(1, keepdims=True)).max(1)
    textured = min(float(one.contrast[0]), _LOOSE) > _TEXTURED
    reach = np.minimum(look.reach, one.reach)
    edges = np.abs(look.edges - one.edges).reshape(len(reach), 4, 3).max(2)
    other_edges = (edges > reach[:, None] + _EDGE).sum(1) >= _EDGES
    near = (shape <= reach) & (colour <= reach) & (light <= (_LIGHT if textured else reach))
    return np.asarray(near & ~other_edges, dtype=np.bool_)


def _mean_pictures(cells: Pixels, of_cell: Ints, sizes: Ints) -> Pixels:
    member = np.zeros((len(sizes), len(of_cell)), np.float32)
    member[of_cell, np.arange(len(of_cell))] = 1 / sizes[of_cell]
    means = member @ cells.reshape(len(cells), -1).astype(np.float32)
    return np.rint(means).clip(0, 255).astype(np.uint8).reshape(-1, *cells.shape[1:])


def _tied(look: _Look, means: _Look, of_cell: Ints) -> Ints:
    """Return the group of each cluster: alike in shape, and in ground where both lie side by side."""
    count = len(means.shapes)
    links = np.zeros((count, count), np.int32)
    grounds = look.grounds.reshape(*of_cell.shape, 3)
    reach = look.reach.reshape(of_cell.shape)
    for here, there in _side_by_side():
        one, other = of_cell[here], of_cell[there]
        near = np.abs(grounds[here] - grounds[there]).max(-1) <= np.minimum(reach[here], reach[there])
        np.add.at(links, (one[near], other[near]), 1)
    squares = (means.shapes**2).sum(1)
    apart = squares[:, None] + squares - 2 * means.shapes @ means.shapes.T
    shape = np.sqrt(apart.clip(0) / means.shapes.shape[1])
    alike = shape <= _TIE * np.minimum(means.reach[:, None], means.reach)
    return _groups(alike & (links + links.T >= _LINKS))


def _side_by_side() -> tuple[tuple[tuple[slice, slice], tuple[slice, slice]], ...]:
    every, first, last = slice(None), slice(None, -1), slice(1, None)
    return (((every, first), (every, last)), ((first, every), (last, every)), ((first, first), (last, last)))


def _groups(linked: Bools) -> Ints:
    """Return the number of the connected group of each."""
    group = np.arange(len(linked), dtype=np.int32)
    reached = linked | np.eye(len(linked), dtype=np.bool_)
    while True:
        lowest = np.where(reached, group, len(group)).min(1).astype(np.int32)
        if np.array_equal(lowest, group):
            return group
        group = lowest
