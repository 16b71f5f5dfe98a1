"""What was seen of a game so far, and what the difference to the next look says.

Numbers never change, a left click opens covered cells and nothing else, and only cells that were clicked or
that an opening reached change at all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bot.board import CLOSED, Cell, State, States
from bot.vision.distortion import SIDE
from bot.vision.learning.looks import NOTHING, Bools, Floats, Ints, LearnedLooks

_STILL = 0.5  # grey levels by which a cell may change from look to look and still be the same
_NOISE = 3.0  # times what cells usually change: pictures that come over a network do
_RESTART = 0.5  # of the opened cells are covered again: this is another game
_OPENABLE = (State.COVERED, State.QUESTION)
_SEVERAL = 2  # cells that change at once are not below the pointer


@dataclass(frozen=True, slots=True)
class Actions:
    """What was done between two looks: the cells clicked with the left and with the right button.

    None stands for anywhere: somebody else plays.
    """

    clicked: Collection[Cell] | None = ()
    flagged: Collection[Cell] | None = ()


NOTHING_DONE = Actions()
ANYWHERE = Actions(None, None)


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """The last look at a game, and what is certain of its cells.

    ``index`` is the variant of each cell, int32 (rows, cols), ``features`` are their features (rows, cols,
    192). A left click of ours has changed the cells of ``clicked``; those of ``changed`` were covered beyond
    doubt until several changed at once. Both are bool (rows, cols).
    """

    index: Ints
    features: Floats
    clicked: Bools
    changed: Bools

    def restarted(self, knowledge: LearnedLooks, states: States) -> bool:
        """Return whether another game is shown: most of what was opened is covered."""
        if self.index.shape != states.shape:
            return True
        opened = knowledge.states[self.index] <= 8
        return bool((opened & (states == State.COVERED)).sum() > _RESTART * opened.sum())

    def moved(self, features: Floats) -> Bools:
        """Return which cells look different now, bool (rows, cols)."""
        moved = _difference(features, self.features)
        return np.asarray(moved > max(_STILL, _NOISE * float(np.median(moved))), dtype=np.bool_)

    def suspect(self, knowledge: LearnedLooks, index: Ints, features: Floats) -> Bools:
        """Return which cells may only look like the variants of ``index``, bool (rows, cols).

        They have changed and seem to show the same, or to be covered, or have not and could not be read
        before. Another game changes all cells.
        """
        before, after, moved = knowledge.states[self.index], knowledge.states[index], self.moved(features)
        if self.restarted(knowledge, after):
            return np.zeros(index.shape, np.bool_)
        unnamed = (before == State.UNREADABLE) & (self.index != NOTHING) & ~moved
        closed = self.changed & (after == State.COVERED) & (before != State.COVERED) & ~moved
        same = moved & ((before == after) | (after == State.COVERED))
        return np.asarray(same | unnamed | closed)

    def after(self, knowledge: LearnedLooks, features: Floats, done: Actions) -> Past:
        """Return the past with what has happened to the cells since."""
        moved = self.moved(features)
        known = [variant.trusted and variant.state == State.COVERED for variant in knowledge.variants]
        covered = moved & np.array([*known, False], np.bool_)[self.index]
        right = at(done.flagged, moved)
        several = int(covered.sum()) >= _SEVERAL
        return Past(
            self.index,
            self.features,
            self.clicked | (covered & at(done.clicked or (), moved)),
            (self.changed | (covered & several)) & ~right,
        )

    def allowed(self, states: States) -> States:
        """Return states as they were read, without those that cannot be, int8 (rows, cols)."""
        wrong = (self.clicked & np.isin(states, CLOSED)) | (self.changed & (states == State.COVERED))
        return np.where(wrong, State.UNREADABLE, states).astype(np.int8)


def _difference(one: Floats, other: Floats) -> Floats:
    """Return by how many grey levels cells differ, float32 (rows, cols): in the middle, or on opposite sides.

    A grid may be a few pixels off, and then a strip of its neighbour belongs to a cell, but on one side only.
    """
    squares = ((one - other) ** 2).reshape(*one.shape[:2], SIDE, SIDE, 3)
    rim, middle = SIDE // 4, slice(SIDE // 4, -(SIDE // 4))

    def mean(rows: slice, cols: slice) -> Floats:
        return np.asarray(squares[:, :, rows, cols].mean((2, 3, 4)), np.float32)

    first, last = slice(None, rim), slice(-rim, None)
    across = np.minimum(mean(middle, first), mean(middle, last))
    down = np.minimum(mean(first, middle), mean(last, middle))
    return np.asarray(np.sqrt(np.maximum(mean(middle, middle), np.maximum(across, down))), np.float32)


@dataclass(frozen=True, slots=True)
class Changes:
    """What two looks at one game say of variants, by index.

    ``wrong`` cannot be what they were thought to be; ``opened`` were opened, ``revealed`` appeared where a
    left click of ours fell in this game, ``uncovered`` in the place of covered cells; ``flagged`` came or
    went with our right click; ``deaf`` did not answer to our left click.
    """

    wrong: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    revealed: frozenset[int] = frozenset()
    uncovered: frozenset[int] = frozenset()
    flagged: frozenset[int] = frozenset()
    deaf: frozenset[int] = frozenset()


NO_CHANGES = Changes()


def changes(knowledge: LearnedLooks, past: Past, index: Ints, features: Floats, done: Actions) -> Changes:
    """Return what a look says beside the past: the variant of each cell (rows, cols) and its features.

    ``past`` knows already what was ``done`` since (`Past.after`).
    """
    old, new, moved = knowledge.states[past.index], knowledge.states[index], past.moved(features)
    seen = (past.index != NOTHING) & (index != NOTHING)
    other = seen & (old != new) & (old != State.UNREADABLE) & (new != State.UNREADABLE)
    opened = other & (old > 8) & (new <= 8) & at(done.clicked, other)
    marks = {index for index in _of(past.index, opened) if knowledge.states[index] not in _OPENABLE}
    misread = other & (old <= 8)  # an opened cell changed
    pairs = zip(past.index[misread].tolist(), index[misread].tolist(), strict=True)
    suspects = marks | {
        before if not knowledge.variants[before].trusted else after for before, after in pairs
    }
    right = other & at(done.flagged, other)
    deaf = seen & ~moved & at(done.clicked or (), seen) & (old > 8)
    return Changes(
        wrong=frozenset(suspect for suspect in suspects if not knowledge.variants[suspect].trusted),
        opened=_of(past.index, opened),
        revealed=_of(index, past.clicked & (new != State.COVERED)),
        uncovered=_of(index, past.changed & (new != State.COVERED)),
        flagged=_of(index, right & (new > 8)) | _of(past.index, right & (old > 8)),
        deaf=_of(past.index, deaf),
    )


def at(cells: Collection[Cell] | None, like: Bools) -> Bools:
    """Return where the cells are, bool of the shape of ``like``; everywhere for None.

    A look may have found a column or a row less than there are: cells of those are left out.
    """
    chosen, (rows, cols) = np.full(like.shape, cells is None), like.shape
    for cell in cells or ():
        if cell.row < rows and cell.col < cols:
            chosen[cell] = True
    return chosen


def _of(index: Ints, chosen: Bools) -> frozenset[int]:
    return frozenset(int(variant) for variant in np.unique(index[chosen]) if variant != NOTHING)
