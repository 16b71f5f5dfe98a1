"""Cells that are partly hidden by a pointer: read by what of them is still to be seen.

A cell that could not be read is compared with the cells of the same board that were. If it is in some state,
all that differs from that state's pictures is the pointer: one compact blob in shades of grey, or what a
shade of grey makes of the cell below it where its edge is soft. What is white or black in the hull of the
blob may be the pointer too, even where it looks right. What is left must look like that state and, at enough
pixels, clearly unlike each other one, and must leave no room for a mark that the board shows nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell, State, States, contradictions
from bot.geometry import Grid, Pixels
from bot.rules import near
from bot.vision.cells import Cells
from bot.vision.pointer import (
    Labels,
    difference,
    hidden_by,
    is_coloured,
    may_hide_mark,
    pieces_of,
    pointer_among,
    rim_of,
    touched,
)
from bot.vision.stretch import unstretched

Bools = npt.NDArray[np.bool_]
Slices = tuple[slice, slice]

_SIDES = 12, 32  # pixels of a cell that is compared
_CELLS, _SPAN = 16, 5  # cells that a pointer may touch, in so many rows and columns
_SUSPECTS = 12  # cells that look like no others; a board with more of them is damaged
_POINTERS = 2  # there is one on a screen, which may leave two traces; more are something else
_EXAMPLES = 6  # of each state, the nearest ones
_LIKE, _MOST_LIKE, _NOISE = 16, 48, 2.0  # grey levels: as far may like pixels be apart; times the noise
_UNLIKE = 2  # times as far: a pixel that is further off is clearly another
_MARGIN = 0.02  # of a cell must be clearly another than in each other state
_INK, _OTHER_INK = 0.5, 56.0  # part of a number that tells it, and grey levels by which others differ
_LEAST_SURE, _SURE = 0.5, 0.85  # confidence


def with_partly_hidden(
    pixels: Pixels, grid: Grid, cells: Cells, visible: Bools, unique: Bools | None = None
) -> Cells:
    """Return the cells on ``grid`` of a BGR picture with those read that a pointer hides in part only.

    ``visible`` says which cells lie in the picture, bool (rows, cols). Those of ``unique`` were read, but
    look like no others: they are unreadable from now on if what was read is the pointer. The confidence in
    what is read below a pointer is lower than in other cells.
    """
    strange = unread = ~cells.readable & visible
    suspect = np.zeros_like(strange) if unique is None else unique & visible & ~strange
    if strange.all() or not (strange | suspect).any():
        return cells
    side = int(np.clip(round((grid.pitch_x + grid.pitch_y) / 2), *_SIDES))
    canvas = unstretched(pixels, grid, side)
    cut = canvas.reshape(grid.rows, side, grid.cols, side, 3).swapaxes(1, 2)
    if 0 < suspect.sum() <= _SUSPECTS:
        strange = strange | _colourless(cut, cells.states, strange, suspect)
    known = np.where(strange, State.UNREADABLE, cells.states).astype(np.int8)
    views = [_View.of(cut, known, strange, area, bool(unread[area].any())) for area in _areas(strange)]
    pointers = [view for view in views if view.blob.any()]
    return _below(pointers, cells) if 0 < len(pointers) <= _POINTERS else cells


def _colourless(cut: Pixels, states: States, strange: Bools, suspect: Bools) -> Bools:
    """Return which of the suspect cells differ from all others by shades of grey only, as a pointer does."""
    known = np.where(strange | suspect, State.UNREADABLE, states).astype(np.int8)
    colourless = np.zeros_like(suspect)
    for row, col in np.argwhere(suspect).tolist() if (known != State.UNREADABLE).any() else []:
        examples = _Examples.near(cut, known, (slice(row, row + 1), slice(col, col + 1)))
        apart = difference(examples.pictures, cut[row, col])
        best = (apart > examples.reach).sum((1, 2)).argmin()
        blob = apart[best] > examples.reach
        colourless[row, col] = not is_coloured(blob, cut[row, col], examples.pictures[best])
    return colourless


def _areas(strange: Bools) -> Iterator[Slices]:
    """Yield the rows and columns in which strange cells are so close that one pointer may hide them."""
    count, _, boxes, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=8)
    for left, top, width, height, cells in boxes[1:count].tolist():
        if max(width, height) <= _SPAN and cells <= _CELLS:
            down = slice(max(0, top - 1), min(strange.shape[0], top + height + 1))
            yield down, slice(max(0, left - 1), min(strange.shape[1], left + width + 1))


def _below(pointers: list[_View], cells: Cells) -> Cells:
    """Return the cells as they are below pointers."""
    states, confidence = cells.states.copy(), cells.confidence.copy()
    for view in pointers:
        for cell in view.offs:
            if view.touches(cell):
                states[cell], confidence[cell] = view.state_of(cell)
    return _lawful(cells, Cells(states, confidence))


@dataclass(frozen=True, slots=True, eq=False)
class _Examples:
    """How cells of this board look that were read.

    ``pictures`` is uint8 (m, n, n, 3), ``states`` (int8, m) what they show, ``places`` (int, m x 2) where
    they stand. Pixels of one look are no further apart than ``reach``, in grey levels.
    """

    pictures: Pixels
    states: States
    places: npt.NDArray[np.intp]
    reach: int

    @classmethod
    def near(cls, cut: Pixels, known: States, area: Slices) -> _Examples:
        """Return the nearest examples of each state."""
        places = np.argwhere(known != State.UNREADABLE)
        middle = np.array([(part.start + part.stop - 1) / 2 for part in area])
        places = places[np.abs(places - middle).max(1).argsort(kind="stable")]
        states = known[tuple(places.T)]
        chosen = np.concatenate([np.flatnonzero(states == state)[:_EXAMPLES] for state in np.unique(states)])
        pictures = cut[tuple(places[chosen].T)]
        return cls(pictures, states[chosen], places[chosen], _reach(pictures, states[chosen]))

    def others(self, cell: Cell, state: int) -> Pixels:
        """Return the pictures of ``state`` but for the cell itself."""
        return np.asarray(self.pictures[(self.states == state) & (self.places != cell).any(1)])

    def tells_number(self, index: int, right: Bools) -> bool:
        """Return whether an example shows a number of which enough is seen where ``right`` says so, (n, n).

        Its colour must tell it from the other numbers: then no number that is not on the board is mistaken
        for it by the part that both share.
        """
        state, ink = int(self.states[index]), self._ink(index)
        if not 0 < state <= 8 or (ink & right).sum() < max(1, _INK * ink.sum()):
            return False
        others = [int(np.flatnonzero(self.states == other)[0]) for other in np.unique(self.states)]
        others = [other for other in others if 0 < self.states[other] <= 8 and self.states[other] != state]
        inks = {other: self._ink(other) for other in others}
        own = self.pictures[index][ink].mean(0)
        colours = [self.pictures[other][inks[other]].mean(0) for other in others if inks[other].any()]
        return bool(colours) and min(float(np.abs(colour - own).max()) for colour in colours) > _OTHER_INK

    def _ink(self, index: int) -> Bools:
        """Return which pixels of an example are unlike all blank cells; none if there are no such."""
        blank = self.pictures[self.states == 0]
        if not len(blank):
            return np.zeros(self.pictures.shape[1:3], np.bool_)
        return np.asarray(difference(blank, self.pictures[index]).min(0) > _UNLIKE * self.reach)


def _reach(pictures: Pixels, states: States) -> int:
    """Return how far pixels of cells in one state may be apart."""
    alike = (pictures[states == state] for state in np.unique(states))
    noise = [np.percentile(difference(same[1:], same[0]).min(0), 98) for same in alike if len(same) > 1]
    return int(np.clip(_NOISE * np.median(noise), _LIKE, _MOST_LIKE)) if noise else _LIKE


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """Strange cells and those around them, (rows, cols) of n x n pixels, and what hides parts of them.

    ``offs`` tells of each strange cell how far each pixel is from each example, uint8 (m, n, n); ``seen`` are
    all pixels, ``below`` what they would be with nothing before them, uint8 (rows * n, cols * n, 3);
    ``pieces`` numbers where they are something else, int32, ``blob`` is what of that may be a pointer, and
    ``hidden`` what it may hide, bool (rows * n, cols * n).
    """

    examples: _Examples
    corner: Cell
    side: int
    offs: dict[Cell, Pixels]
    seen: Pixels
    below: Pixels
    pieces: Labels
    blob: Bools
    hidden: Bools

    @classmethod
    def of(cls, cut: Pixels, known: States, strange: Bools, area: Slices, unread: bool) -> _View:
        """Return the view of an area of a board whose cells are cut out, uint8 (rows, cols, n, n, 3).

        ``unread`` says whether any of its cells was unreadable from the first: else a pointer must lie on
        several cells, since the only mark of its kind on a board looks like a small pointer within one.
        """
        examples = _Examples.near(cut, known, area)
        corner, side = Cell(area[0].start, area[1].start), cut.shape[2]
        seen, below, offs = cut[area], cut[area].copy(), {}
        for row, col in np.ndindex(*seen.shape[:2]):
            cell = Cell(corner.row + row, corner.col + col)
            pictures = examples.pictures if strange[cell] else examples.others(cell, int(known[cell]))
            apart = difference(pictures, seen[row, col])
            if strange[cell]:
                offs[cell] = apart
            if len(pictures):
                below[row, col] = pictures[(apart > examples.reach).sum((1, 2)).argmin()]
        seen, below = _joined(seen), _joined(below)
        pieces = pieces_of(difference(below, seen) > examples.reach, _enlarged(strange[area], side), side)
        ends = rim_of(strange.shape, side)[_enlarged_slices(area, side)]
        blob = pointer_among(pieces, seen, below, ends, side, unread)
        return cls(examples, corner, side, offs, seen, below, pieces, blob, hidden_by(blob, seen, side))

    def touches(self, cell: Cell) -> bool:
        """Return whether the pointer touches a cell, and nothing else there is strange."""
        place = self._place(cell)
        blob = self.blob[place]
        return (
            touched(blob)
            and not touched((self.pieces[place] > 0) & ~blob)
            and not is_coloured(blob, self.seen[place], self.below[place])
        )

    def state_of(self, cell: Cell) -> tuple[int, float]:
        """Return what a cell shows, and how sure that is; `State.UNREADABLE` if that cannot be told."""
        off, examples, place = self.offs[cell], self.examples, self._place(cell)
        best = int((off > examples.reach).sum((1, 2)).argmin())
        right = ~self.hidden[place] & (off[best] <= examples.reach)
        against = [
            (right & (off[examples.states == other].min(0) > _UNLIKE * examples.reach)).mean()
            for other in np.unique(examples.states)
            if other != examples.states[best]
        ]
        margin = float(min(against, default=0))
        if margin < _MARGIN or (may_hide_mark(self.blob[place]) and not examples.tells_number(best, right)):
            return int(State.UNREADABLE), 0.0
        return int(examples.states[best]), min(_SURE, _LEAST_SURE + margin)

    def _place(self, cell: Cell) -> Slices:
        top, left = (cell.row - self.corner.row) * self.side, (cell.col - self.corner.col) * self.side
        return slice(top, top + self.side), slice(left, left + self.side)


def _joined(cells: Pixels) -> Pixels:
    """Return cells (rows, cols, n, n, 3) as one picture."""
    rows, cols, side = cells.shape[:3]
    return np.ascontiguousarray(cells.swapaxes(1, 2)).reshape(rows * side, cols * side, 3)


def _enlarged(cells: Bools, side: int) -> Bools:
    """Return a mask of cells as one of their pixels."""
    return np.repeat(np.repeat(cells, side, 0), side, 1)


def _enlarged_slices(area: Slices, side: int) -> Slices:
    down, across = area
    return slice(down.start * side, down.stop * side), slice(across.start * side, across.stop * side)


def _lawful(before: Cells, after: Cells) -> Cells:
    """Return ``after`` without what was read newly beside a cell that now contradicts its neighbours."""
    new = contradictions(after.states) & ~contradictions(before.states)
    wrong = near(new) & (before.states != after.states)
    states = np.where(wrong, np.int8(State.UNREADABLE), after.states)
    return Cells(states, np.where(wrong, np.float32(0), after.confidence))
