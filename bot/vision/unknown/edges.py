"""Whether a grid is the whole board: cells that look like the board's own may stand beside it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision.fit import outermost, resized
from bot.vision.stretch import inside
from bot.vision.unknown.clusters import Clusters, cut_cells
from bot.vision.unknown.logic import HIDDEN
from bot.vision.unknown.looks import halved

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_PART = 0.3  # of the cells of a row look like the board's: it belongs to it
_FEWEST = 2  # such cells
_PLAIN = (0, int(State.COVERED), HIDDEN)
_SMALLEST = 4  # rows or columns
_COMMON = 4  # cells of a cluster: what is rarer may be no cell itself
_SURE = 3.0  # grey levels: as much further than within a cluster may such a cell be off


def goes_on(pixels: Pixels, grid: Grid, clusters: Clusters, labels: Ints) -> list[int]:
    """Return the sides of ``grid`` where the board goes on: top (0), bottom (1), left (2), right (3).

    ``labels`` are the labels of the clusters, int32 (K,). Plain ground may look like a blank cell, so blanks
    do not count, nor does what is rare.
    """
    known = (labels != 0) & (labels != HIDDEN) & (clusters.sizes >= _COMMON)
    return [side for side in range(4) if _like_board(pixels, grid, side, clusters, known)]


def _like_board(pixels: Pixels, grid: Grid, side: int, clusters: Clusters, known: Bools) -> bool:
    line = outermost(resized(grid, side, 1), side)
    visible = inside(pixels, line).ravel()
    if not visible.any() or not known.any():
        return False
    cells = halved(cut_cells(pixels, line)[visible])
    pictures, reach = halved(clusters.pictures[known]), clusters.reach[known]
    squares = (cells**2).sum(1)[:, None] + (pictures**2).sum(1) - 2 * cells @ pictures.T
    apart = np.sqrt(squares.clip(0) / cells.shape[1])
    alike = (apart <= reach + _SURE).any(1)
    return bool(alike.mean() >= _PART and alike.sum() >= _FEWEST)


def empty_sides(labels: Ints) -> list[int]:
    """Return the sides where most of the outermost row or column shows no cell: labels (rows, cols)."""
    outer = (labels[0], labels[-1], labels[:, 0], labels[:, -1])
    return [side for side, line in enumerate(outer) if (line == HIDDEN).mean() > 1 - _PART]


def blank_sides(labels: Ints) -> list[int]:
    """Return the sides where the outermost row or column is all blank, as plain ground beside a board is."""
    outer = (labels[0], labels[-1], labels[:, 0], labels[:, -1])
    return [side for side, line in enumerate(outer) if (line == 0).all()]


def without_foreign_lines(grid: Grid, clusters: Clusters, labels: Ints, certain: Bools) -> Iterator[Grid]:
    """Yield ``grid`` with fewer and fewer of the rows and columns that look like nothing else on it.

    A panel or ground beside a board may be as regular as cells, but it looks different. Such lines show no
    glyph; ``labels`` and ``certain`` are of cells (rows, cols).
    """
    kinds = clusters.tied[clusters.of_cell]
    glyphs = certain & ~np.isin(labels, _PLAIN)
    while True:
        counts = [_foreign(*_turned(side, kinds, glyphs)) for side in range(4)]
        side = int(np.argmax(counts))
        if not counts[side]:
            return
        grid = resized(grid, side, -counts[side])
        kept = slice(counts[side], None) if side in (0, 2) else slice(None, -counts[side])
        where = kept if side < 2 else (slice(None), kept)
        kinds, glyphs = kinds[where], glyphs[where]
        yield grid


def _turned(side: int, kinds: Ints, glyphs: Bools) -> tuple[Ints, Bools]:
    """Return cells (rows, cols) so that the outermost line of a side is the first row."""
    if side >= 2:
        kinds, glyphs = kinds.T, glyphs.T
    return (kinds[::-1], glyphs[::-1]) if side in (1, 3) else (kinds, glyphs)


def _foreign(kinds: Ints, glyphs: Bools) -> int:
    """Return how many of the first rows look like nothing in the others, and have no glyph."""
    shown = np.flatnonzero(glyphs.any(1))
    most = min(int(shown[0]), len(kinds) - _SMALLEST) if len(shown) else 0
    alike = (np.isin(kinds[:rows], kinds[rows:]).mean() for rows in range(most, 0, -1))
    return next((most - tried for tried, part in enumerate(alike) if part < _PART), 0)
