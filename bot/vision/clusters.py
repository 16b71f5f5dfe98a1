"""Group cells that look alike, for boards of unknown art: each cluster holds cells of one state only.

Clusters are narrow, so a state may have several: due to a gradient, a checkerboard or compression noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from bot.board import COVERED, States
from bot.geometry import Grid, Pixels
from bot.vision.distortion import (
    FAINT,
    Bools,
    Floats,
    Indices,
    Ints,
    as_squares,
    cells_of,
    softened,
    unstretched,
)

Chosen = Indices | Bools

SIDE = 24  # pixels: width and height of a cell that was cut out
_HALF = SIDE // 2  # pixels: width and height of a cell when compared; its rim may show the neighbours
_SAMPLE = 96  # cells from which the noise of the picture is measured
_TIGHT, _LOOSE = 2.0, 13.0  # grey levels: least and greatest distance of a cell from its cluster's look
_NOISE = 3.0  # times the noise: two pictures of one thing may differ by that much
_STROKE = 0.18  # of the contrast in a cell's middle: a 5 and a 6 differ by more
_MIDDLE = slice(2, -2)  # of ten rows or columns: where glyphs are
_INSIDE = np.zeros((_HALF, _HALF), np.bool_)
_AROUND = np.pad(np.pad(_INSIDE, 2, constant_values=True), 4)  # SIDE x SIDE: a ring
_LIGHT = 30.0  # grey levels by which the background of textured cells may be lighter or darker
RIM = 1 / 8  # of the rows or columns on each side of a cell, where no number is
# Of the contrast: one pair in 700 of the same number differs by more, and a third of the pairs of others.
_OTHER_SIGN = 0.5
_EDGES = 3  # edges beyond the reach that make another look: neighbours that show through explain two


@dataclass(frozen=True, slots=True, eq=False)
class CellFeatures:
    """The features by which n cells are compared.

    ``grounds`` are the mean colours of the cells without their edges, (n, 3). ``shapes`` are the inner pixels
    minus the ground, float32 (n, f), and ``squares`` their sums of squares, (n,). ``edges`` are the colours
    of the four edges minus the ground, (n, 12). ``contrast`` is the size of ``shapes``, and ``reach`` the
    largest distance from a cell of the same look: both root mean squares in grey levels, (n,).
    """

    shapes: Floats
    squares: Floats
    grounds: Floats
    edges: Floats
    contrast: Floats
    reach: Floats

    def mean(self, chosen: Chosen) -> CellFeatures:
        """Return the mean features of the ``chosen`` cells."""
        some = self.at(chosen)
        shape = some.shapes.mean(0, keepdims=True)
        parts = (some.grounds, some.edges, some.contrast, some.reach)
        return CellFeatures(shape, _squares(shape), *(part.mean(0, keepdims=True) for part in parts))

    def alike(self, other: CellFeatures) -> Indices:
        """Return the indices of the cells that look like ``other``, which holds a single cell."""
        reach = np.minimum(self.reach, other.reach)
        squares = self.squares + other.squares - 2 * (self.shapes @ other.shapes[0])
        near = np.flatnonzero(squares <= self.shapes.shape[1] * reach**2 + 0.1)
        some, reach = self.at(near), reach[near]
        ground = some.grounds - other.grounds
        light = ground.mean(1)
        colour = np.abs(ground - light[:, None]).max(1)
        edges = np.abs(some.edges - other.edges).reshape(-1, 4, 3).max(2)
        other_edges = (edges > reach[:, None] + FAINT).sum(1) >= _EDGES
        below_glyph = float(other.contrast[0]) > FAINT  # lightness counts less there
        near_light = np.abs(light) <= (_LIGHT if below_glyph else reach)
        return near[np.asarray((colour <= reach) & near_light & ~other_edges, np.bool_)]

    def at(self, chosen: Chosen) -> CellFeatures:
        """Return the features of the ``chosen`` cells."""
        parts = (self.shapes, self.squares, self.grounds, self.edges, self.contrast, self.reach)
        return CellFeatures(*(part[chosen] for part in parts))


def _looks_of(cells: Pixels) -> CellFeatures:
    """Return the features of cells, uint8 BGR (n, SIDE, SIDE, 3)."""
    column = cells.reshape(-1, SIDE, 3)
    small = cv2.resize(column, (_HALF, len(column) // 2), interpolation=cv2.INTER_AREA)
    small = small.reshape(len(cells), -1).astype(np.float32)
    ground_of, edges_of = _averages()
    grounds = small @ ground_of
    less = small.reshape(len(cells), _HALF, _HALF, 3) - grounds[:, None, None]
    inner = less[:, 1:-1, 1:-1]
    shapes = np.ascontiguousarray(inner).reshape(len(cells), -1)
    squares = _squares(shapes)
    middle = np.ascontiguousarray(inner[:, _MIDDLE, _MIDDLE]).reshape(len(cells), -1)
    least = min(max(_TIGHT, _NOISE * _noise(shapes)), _LOOSE)
    reach = np.clip(_STROKE * _colour_spread(middle), least, _LOOSE)
    edges = less.reshape(len(cells), -1) @ edges_of
    return CellFeatures(shapes, squares, grounds, edges, np.sqrt(squares / shapes.shape[1]), reach)


@lru_cache(maxsize=1)
def _averages() -> tuple[Floats, Floats]:
    """Return the matrices that turn halved cells into the mean colours of their inside and four edges."""
    where = np.zeros((5, _HALF, _HALF), np.float32)
    where[0, 1:-1, 1:-1] = 1
    where[1, 0], where[2, -1], where[3, :, 0], where[4, :, -1] = 1, 1, 1, 1
    where /= where.sum((1, 2), keepdims=True)
    colours = np.einsum("axy,cd->xycad", where, np.eye(3, dtype=np.float32)).reshape(-1, 5, 3)
    return np.ascontiguousarray(colours[:, 0]), np.ascontiguousarray(colours[:, 1:].reshape(-1, 12))


def _colour_spread(pictures: Floats) -> Floats:
    """Return the standard deviation of the colours of each picture (n, pixels * 3), in grey levels."""
    pixels = pictures.shape[1] // 3
    mean = pictures @ np.tile(np.eye(3, dtype=np.float32), (pixels, 1)) / pixels
    squares = np.einsum("ij,ij->i", pictures, pictures) / pixels - np.einsum("ij,ij->i", mean, mean)
    return np.asarray(np.sqrt(squares.clip(0) / 3), dtype=np.float32)


def _noise(shapes: Floats) -> float:
    """Return the noise of the picture: the median distance of a cell from the cell most like it."""
    sample = shapes[np.linspace(0, len(shapes) - 1, min(_SAMPLE, len(shapes))).astype(int)]
    squares = (sample**2).sum(1)
    apart = squares[:, None] + squares - 2 * sample @ sample.T
    np.fill_diagonal(apart, np.inf)
    return float(np.median(np.sqrt(apart.min(1).clip(0) / shapes.shape[1])))


def _squares(shapes: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", shapes, shapes), dtype=np.float32)


def find_clusters(pixels: Pixels, grid: Grid) -> Ints:
    """Return the cluster of each cell of ``grid`` on a BGR picture, int32 (rows, cols).

    Each starts from the first cell without a cluster: take the cells near it, then those near their mean.
    """
    looks = _looks_of(_cut(pixels, grid))
    of_cell = np.full(len(looks.shapes), -1, np.int32)
    cluster = 0
    for cell in range(len(of_cell)):
        if of_cell[cell] >= 0:
            continue
        near = looks.alike(looks.at(np.array([cell])))
        near = looks.alike(looks.mean(near[of_cell[near] < 0]))
        near = near[of_cell[near] < 0]
        of_cell[near] = cluster
        of_cell[cell] = cluster
        cluster += 1
    return of_cell.reshape(grid.rows, grid.cols)


def grounds_of(pixels: Pixels, grid: Grid) -> Floats:
    """Return the background colour of each cell, between its glyph and its bevel: float32 (rows, cols, 3)."""
    colours = np.median(_cut(pixels, grid)[:, _AROUND], axis=1)
    return np.asarray(colours.reshape(grid.rows, grid.cols, 3), dtype=np.float32)


def other_signs(pixels: Pixels, grid: Grid, clusters: Ints, states: States, support: Floats) -> Bools:
    """Return which cells show another number than they were read as, bool (rows, cols).

    One number has one sign, though its ground may differ. Of the looks read as the same number, that with the
    most ``support`` shows it, and those with another sign do not. Looks are the ``clusters`` of cells,
    ``states`` are read from them, and ``support`` says in nats how surely; all three are (rows, cols).
    """
    wrong, features = np.zeros(states.shape, np.bool_), None
    for state in range(1, COVERED):
        shown = states == state
        looks = [shown & (clusters == cluster) for cluster in np.unique(clusters[shown])]
        if len(looks) < 2:
            continue
        if features is None:
            features = softened(unstretched(pixels, grid, SIDE), SIDE).reshape(*states.shape, -1)
        looks.sort(key=lambda look: float(support[look].mean()) * (1 + math.log2(look.sum())))
        *others, known = (features[look].mean(0) for look in looks)
        for look, feature in zip(looks[:-1], others, strict=True):
            wrong |= look & (not shows_same_sign(feature, known[None]))
    return wrong


def shows_same_sign(feature: Floats, known: Floats) -> bool:
    """Return whether a picture (f,) has the sign of the ``known`` one, (n, f), on the likest ground."""
    grounds, signs = _grounds_and_signs(np.concatenate([feature[None], known]))
    away = np.abs(grounds[1:] - grounds[0]).max(1)
    nearest = int(away.argmin())
    apart = _root_mean_square(signs[nearest + 1 :][:1] - signs[:1])[0]
    return bool(apart - away[nearest] <= _OTHER_SIGN * _root_mean_square(signs[[0, nearest + 1]]).max())


def contrasts(features: Floats) -> Floats:
    """Return the contrast of each softened picture (n, f) to its background: root mean square, (n,)."""
    return _root_mean_square(_grounds_and_signs(features)[1])


def _grounds_and_signs(features: Floats) -> tuple[Floats, Floats]:
    """Return the ground of each softened picture (n, f), BGR (n, 3), and what stands on it."""
    squares = as_squares(features)
    rim = round(RIM * squares.shape[1])
    inside = squares[:, rim:-rim, rim:-rim]
    ground = np.median(inside, axis=(1, 2), keepdims=True)
    return ground[:, 0, 0], np.asarray(inside - ground, np.float32)


def _root_mean_square(pictures: Floats) -> Floats:
    return np.asarray(np.sqrt((pictures**2).mean((1, 2, 3))), np.float32)


def _cut(pixels: Pixels, grid: Grid) -> Pixels:
    """Return the cells of a grid, uint8 BGR (n, SIDE, SIDE, 3), row by row."""
    cells = cells_of(unstretched(pixels, grid, SIDE), SIDE)
    return np.ascontiguousarray(cells).reshape(-1, SIDE, SIDE, 3)
