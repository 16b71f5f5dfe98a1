"""Reading a board at first sight: no template, only shapes, colours and the rules of the game."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.levels import USUAL_SIZES
from bot.vision.cells import Cells
from bot.vision.fit import resized
from bot.vision.grid.gaps import between_gaps
from bot.vision.panel import game_state, total_mines, with_counter
from bot.vision.partial import with_partly_hidden
from bot.vision.reading import Panel, Reading, doubts_of
from bot.vision.stretch import inside
from bot.vision.unknown.clusters import Clusters, find_few_clusters
from bot.vision.unknown.edges import blank_sides, empty_sides, goes_on, without_foreign_lines
from bot.vision.unknown.labels import Labelling, label
from bot.vision.unknown.settle import settled
from bot.vision.unknown.shapes import score_shapes
from bot.vision.unknown.trust import (
    accepted,
    board_score,
    cell_confidence,
    certain_cells,
    promising,
    reasons,
    to_states,
)

UNKNOWN = "unknown"
_LOOKS = 4  # times that a grid is corrected and read again
_CELLS = 4000  # that are looked at, when a grid is corrected
_SETTLED = 3  # times that doubts are settled by what is certain then
_MOSTLY = 0.8  # of the cells are certain: then they settle the others
_SMALLEST = 4  # rows or columns
_PAIR = 2  # cells: as many may look alike because of one pointer


@dataclass(frozen=True, slots=True, eq=False)
class FirstSight:
    """A board whose art was never seen before.

    ``reading`` is what it shows, its skin is named "unknown"; ``clusters`` is the cluster of every cell,
    int32 (rows, cols): cells of one cluster look alike; ``certain`` says which cells are beyond doubt, bool
    (rows, cols), the others are unreadable, or partly hidden and read by what is left of them; ``score``
    ranks rival grids of one place, larger is better.
    """

    reading: Reading
    clusters: npt.NDArray[np.int32]
    certain: npt.NDArray[np.bool_]
    score: float

    @property
    def certain_states(self) -> States:
        """What the cells show that are beyond doubt, int8 (rows, cols), `State.UNREADABLE` elsewhere."""
        return np.where(self.certain, self.reading.board.states, State.UNREADABLE).astype(np.int8)


def read_unknown(pixels: Pixels, grid: Grid, mines_left: int | None = None) -> FirstSight | None:
    """Return what a BGR picture (height, width, 3) shows on ``grid``; None if that is no whole board.

    Rows and columns that are missing at its edges are added, those that are none of the board are left out:
    the reading's grid is the board's. ``mines_left`` is what the mine counter shows, if that was read; a
    fresh board of an unusual size needs one, which is looked for.
    """
    looked_at = 0
    for _ in range(_LOOKS):
        look = _look(pixels, grid)
        if look is None or not promising(look.clusters, look.labelling, look.certain):
            return None
        corrected = _corrected(pixels, grid, look)
        if corrected == grid:
            return _judged(pixels, grid, look, mines_left) or _in_gaps(pixels, grid, look, mines_left)
        looked_at, grid = looked_at + look.certain.size, corrected
        if looked_at + grid.rows * grid.cols > _CELLS:
            return None
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    clusters: Clusters
    labelling: Labelling
    certain: npt.NDArray[np.bool_]

    @property
    def states(self) -> npt.NDArray[np.int8]:
        return to_states(self.labelling, self.clusters, self.certain)


def _judged(pixels: Pixels, grid: Grid, look: _Look, mines_left: int | None) -> FirstSight | None:
    """Return the board that was seen on its grid; None if it may be none."""
    if _accepted(look, mines_left is not None):
        return _first_sight(pixels, grid, look, mines_left)
    if not _accepted(look, counted=True):
        return None
    sight = _first_sight(pixels, grid, look, None)
    reading = with_counter(pixels, sight.reading)
    return None if reading.panel.mines_left is None else replace(sight, reading=reading)


def _in_gaps(pixels: Pixels, grid: Grid, look: _Look, mines_left: int | None) -> FirstSight | None:
    """Return the fresh board of which lines tell only one side of the gaps; None if there is none."""
    middle = between_gaps(pixels, grid) if look.clusters.count == 1 else grid
    if middle == grid or (again := _look(pixels, middle)) is None:
        return None
    return _judged(pixels, middle, again, mines_left)


def _accepted(look: _Look, counted: bool) -> bool:
    return accepted(look.clusters, look.labelling, look.certain, counted)


def _look(pixels: Pixels, grid: Grid) -> _Look | None:
    clusters = find_few_clusters(pixels, grid)
    if clusters is None:
        return None
    labelling = label(clusters, score_shapes(clusters.pictures))
    certain = certain_cells(clusters, labelling)
    for _ in range(_SETTLED):
        if certain.all() or certain.mean() < _MOSTLY:
            break
        labelling = settled(labelling, labelling.unit_of[clusters.of_cell], certain)
        before, certain = certain, certain_cells(clusters, labelling)
        if (before == certain).all():
            break
    return _Look(clusters, labelling, certain)


def _corrected(pixels: Pixels, grid: Grid, look: _Look) -> Grid:
    """Return ``grid`` with one row or column more or less where that is better; itself if it is the board."""
    labels = look.labelling.labels[look.labelling.unit_of]
    states = labels[look.clusters.of_cell]
    for side in empty_sides(states):
        if min(grid.rows, grid.cols) > _SMALLEST:
            return resized(grid, side, -1)
    for side in goes_on(pixels, grid, look.clusters, labels):
        return resized(grid, side, 1)
    foreign = without_foreign_lines(grid, look.clusters, states, look.certain)
    return _usual(grid, [*(resized(grid, side, -1) for side in blank_sides(states)), *foreign])


def _usual(grid: Grid, smaller: list[Grid]) -> Grid:
    """Return the first of ``smaller`` grids that has a usual size if ``grid`` has none; else itself."""
    if (grid.rows, grid.cols) in USUAL_SIZES:
        return grid
    return next((less for less in smaller if (less.rows, less.cols) in USUAL_SIZES), grid)


def _first_sight(pixels: Pixels, grid: Grid, look: _Look, mines_left: int | None) -> FirstSight:
    visible, unique = inside(pixels, grid), (look.clusters.sizes <= _PAIR)[look.clusters.of_cell]
    full = Cells(look.states, cell_confidence(look.clusters, look.labelling))
    cells = with_partly_hidden(pixels, grid, full, visible, unique)
    board = Board(cells.states, total_mines(cells.states, mines_left))
    doubts = doubts_of(reasons(look.clusters, look.labelling, cells.readable, visible))
    reading = Reading(
        grid, board, Panel(mines_left), game_state(board), UNKNOWN, 1.0, cells.confidence, doubts
    )
    certain = look.certain & (cells.states == look.states)
    score = board_score(certain, look.states.astype(np.int32), look.labelling.cost)
    return FirstSight(reading, look.clusters.of_cell, certain, score)
