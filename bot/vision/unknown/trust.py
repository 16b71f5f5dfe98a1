"""Whether what was read on a grid is a whole Minesweeper board, and which of its cells are certain."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.levels import USUAL_SIZES
from bot.rules import near
from bot.vision.reading import Doubt
from bot.vision.unknown.clusters import Clusters
from bot.vision.unknown.labels import Labelling
from bot.vision.unknown.logic import HIDDEN, broken, order

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_GAP = 2.0  # nats between a unit's label and its second: from there on it is certain
_LEAST = 4  # cells a side of the smallest board
_SEEN = 0.6  # of all cells must be certain: the rest may be under a window
_LOOSE = 0.08  # of all cells may be doubtful one by one
_POINTER = 4  # cells that a pointer can cover
_BROKEN = 0.01  # of all cells may contradict their neighbours
_LIKELY = -1.6  # log-probability of a shape: what the rules alone make of a cell is not certain
_UNLIKELY, _CLEAR_GAP = -3.0, 5.0  # log-probability and nats: unless everything else is much more unlikely
_OTHERWISE = -2.5  # log-probability of a blank or covered cell's shape: below, it looks like the other
_SHAPE = -0.8  # mean log-probability of the shapes of what was read
_SOLID = 0.75  # of the rectangle around cells that a window covers is doubtful
_ORDERED = 0.97  # of the clusters' cells stand in odd rows only, or in even ones: half a cell is no cell
_HALVES = 0.6  # of the contrast: as much do halves of a cell differ, the same cells at odd pixels less
_FAINT = 4.0  # grey levels
_ORDER, _ORDER_OF_CELL = 40.0, 0.1  # nats, of a board and of each cell, by which its opened cells fit
_OPENING = 3  # numbers around blanks, at least
_MAY_BE_MINES = (State.COVERED, State.FLAG, State.MINE, State.EXPLODED)
_MINES = 0.02  # of the cells, at least, may be mines
_FRESH_STATES = (State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE)
_LOST_STATES = (*_FRESH_STATES, State.MINE, State.EXPLODED, State.WRONG_FLAG)
_FRESH = 0.9  # of the cells of a board without a large opening are covered, and certain
_COVERED = -0.7  # log-probability of the shape of a fresh board's cells: they must look covered, not blank


def cell_confidence(clusters: Clusters, labelling: Labelling) -> Floats:
    """Return how sure the state of each cell is, 0 to 1, float32 (rows, cols)."""
    gap = labelling.gap[labelling.unit_of][clusters.of_cell]
    return np.asarray(1 - np.exp(-gap), dtype=np.float32)


def certain_cells(clusters: Clusters, labelling: Labelling) -> Bools:
    """Return which cells are certain: clearly that label, and in no contradiction to their neighbours.

    Mines are shown where one has exploded only.
    """
    states = labelling.labels[labelling.unit_of][clusters.of_cell]
    gap = labelling.gap[labelling.unit_of][clusters.of_cell]
    shape = labelling.shape[labelling.unit_of][clusters.of_cell]
    own_shape = labelling.own_shape[labelling.unit_of][clusters.of_cell]
    least = np.where((shape >= _LIKELY) & (own_shape < _OTHERWISE), 2 * _GAP, _GAP)
    likely = (gap >= least) & (shape >= _LIKELY) | (gap >= _CLEAR_GAP) & (shape >= _UNLIKELY)
    strange = (states == HIDDEN) | (states == State.MINE) & ~(states == State.EXPLODED).any()
    return np.asarray(likely & ~strange & ~near(broken(states)))


def promising(clusters: Clusters, labelling: Labelling, certain: Bools) -> bool:
    """Return whether this may be a board on a grid with some rows or columns too many or too few."""
    states = labelling.labels[labelling.unit_of][clusters.of_cell]
    fresh = np.isin(states, _FRESH_STATES).mean() >= _SEEN
    return bool(certain.mean() >= _SEEN / 2 and (fresh or order(states) >= _ORDER / 2))


def accepted(clusters: Clusters, labelling: Labelling, certain: Bools, counted: bool) -> bool:
    """Return whether a whole Minesweeper board can look and be labelled like that.

    ``counted`` says that a mine counter was read beside it: a fresh board of an unusual size needs one.
    """
    states = labelling.labels[labelling.unit_of][clusters.of_cell]
    if min(states.shape) < _LEAST or certain.mean() < _SEEN or not _game(states, labelling, certain, counted):
        return False
    loose = _scattered(~certain).sum()
    shape = labelling.shape[labelling.unit_of][clusters.of_cell]
    return bool(
        loose <= max(_POINTER, _LOOSE * states.size)
        and broken(states).sum() <= max(1, _BROKEN * states.size)
        and shape[certain].mean() >= _SHAPE
        and not _halved(clusters)
    )


def _game(states: Ints, labelling: Labelling, certain: Bools, counted: bool) -> bool:
    """Return whether there is a game: opened cells that can stand like that only there, or (nearly) none.

    One that was lost soon shows its mines among covered cells, one of them exploded.
    """
    seen = np.where(certain, states, HIDDEN).astype(np.int32)
    opening = (seen >= 1) & (seen <= 8) & near(seen == 0)
    if opening.sum() >= _OPENING and order(seen) >= max(_ORDER, _ORDER_OF_CELL * states.size):
        return bool(np.isin(states, _MAY_BE_MINES).mean() >= _MINES)
    lost = np.count_nonzero(states == State.EXPLODED) == 1
    fresh = np.isin(states, _LOST_STATES if lost else _FRESH_STATES).mean()
    covered = labelling.labels == State.COVERED
    looks_covered = covered.any() and labelling.own_shape[covered].min() >= _COVERED
    clear = min(fresh, certain.mean()) >= _FRESH
    return bool(clear and looks_covered and (counted or states.shape in USUAL_SIZES))


def _scattered(doubtful: Bools) -> Bools:
    """Return the cells that are not part of a block that a window may cover."""
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(doubtful.astype(np.uint8), connectivity=4)
    width, height = boxes[:, cv2.CC_STAT_WIDTH], boxes[:, cv2.CC_STAT_HEIGHT]
    count = boxes[:, cv2.CC_STAT_AREA]
    loose = (count <= _POINTER) | (count < _SOLID * width * height)
    return np.asarray(doubtful & loose[labels])


def _halved(clusters: Clusters) -> bool:
    """Return whether cells alternate from row to row or from column to column: they are parts of cells.

    On a checkerboard a cell's look follows from the sum of row and column, not from either alone.
    """
    pictures = clusters.pictures.reshape(clusters.count, -1).astype(np.float32)
    for lines in (clusters.of_cell, clusters.of_cell.T):
        even, odd = (
            np.bincount(lines[first::2].ravel(), minlength=clusters.count).astype(np.float32)
            for first in (0, 1)
        )
        if np.abs(even - odd).sum() < _ORDERED * lines.size:
            continue
        apart = pictures.T @ (even / even.sum()) - pictures.T @ (odd / odd.sum())
        contrast = float((clusters.contrast * clusters.sizes).sum() / lines.size)
        if np.sqrt((apart**2).mean()) >= max(_FAINT, _HALVES * contrast):
            return True
    return False


def board_score(certain: Bools, states: Ints, cost: float) -> float:
    """Return how much of how large a board was read, to rank rival grids of one place.

    ``cost`` is that of its labelling. Outer rows and columns that are all covered or all blank count for
    nothing: ground beside a board looks like that too.
    """
    doubts = 2 * float((~certain).sum()) + 4 * float(broken(states).sum())
    return float(certain[_without_plain_edges(states)].sum()) - doubts - cost


def _without_plain_edges(states: Ints) -> tuple[slice, slice]:
    """Return the rows and columns between the outermost ones that are neither all covered nor all blank."""
    plain = (states == 0, states == State.COVERED)
    rows, cols = (np.flatnonzero(~(plain[0].all(axis) | plain[1].all(axis))) for axis in (1, 0))
    if not len(rows):
        return slice(0), slice(0)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(cols[0]), int(cols[-1]) + 1)


def to_states(labelling: Labelling, clusters: Clusters, certain: Bools) -> npt.NDArray[np.int8]:
    """Return what each cell shows, `State.UNREADABLE` where that is not certain, int8 (rows, cols)."""
    states = labelling.labels[labelling.unit_of][clusters.of_cell]
    return np.where(certain, states, State.UNREADABLE).astype(np.int8)


def reasons(clusters: Clusters, labelling: Labelling, certain: Bools, visible: Bools) -> npt.NDArray[np.int8]:
    """Return why each cell is not certain, as a `Doubt`, 0 where it is, int8 (rows, cols).

    ``visible`` says which cells lie in the picture.
    """
    states = labelling.labels[labelling.unit_of][clusters.of_cell]
    gap = labelling.gap[labelling.unit_of][clusters.of_cell]
    hidden = states == HIDDEN
    scattered = _scattered(~certain)
    cases = [
        (certain, 0),
        (~visible, Doubt.OUTSIDE),
        (hidden & ~scattered, Doubt.COVERED),
        (near(broken(states)), Doubt.CHANGED),
        (~hidden & (gap < _GAP), Doubt.AMBIGUOUS),
    ]
    chosen = np.select([case for case, _ in cases], [int(doubt) for _, doubt in cases], int(Doubt.STRANGE))
    return chosen.astype(np.int8)
