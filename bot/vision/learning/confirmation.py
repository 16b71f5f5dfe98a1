"""What speaks for what variants show: what has changed from look to look, and the rules of the game.

Numbers never change, a left click opens covered cells and nothing else, and only cells that were clicked or
that an opening reached change at all.

A variant is confirmed when nothing else could be in its place: with any other state there, alone or with two
or three states changing places, no mines explain the position. States that the rules hardly tell apart
(covered, flag and question mark; the three ends of a mine) need evidence of their own as well. What
contradicts the rules is withdrawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from bot.board import CLOSED, MAY_BE_MINE, SHOWN_MINES, Cell, State, States, is_one_of
from bot.rules import closed_zeros, deduce, near
from bot.vision.distortion import SIDE
from bot.vision.learning.looks import NOTHING, Bools, Floats, Ints, LearnedLooks, Trust, Variant

_STILL = 0.5  # grey levels by which a cell may change from look to look and still be the same
_NOISE = 3.0  # times what cells usually change: pictures that come over a network do
_RESTART = 0.5  # of the opened cells are covered again: this is another game
_OPENABLE = (State.COVERED, State.QUESTION)
_AT_ONCE = 2  # cells that change at once are not below the pointer
_OPENED = frozenset(range(9))
_NUMBERS = _OPENED - {0}
_COVERED, _WRONG = int(State.COVERED), int(State.WRONG_FLAG)
_MINE, _EXPLODED = int(State.MINE), int(State.EXPLODED)
_RIVALS = {
    0: _OPENED | {_COVERED},
    **dict.fromkeys(range(1, 9), _OPENED),
    _COVERED: _OPENED,
    int(State.FLAG): _OPENED,
    int(State.QUESTION): _OPENED,
    _MINE: _OPENED | {_WRONG},
    _EXPLODED: _OPENED | {_WRONG},
    _WRONG: _OPENED | {_MINE},
}
_SEVERAL = 3  # cells: neither a pointer nor a stain is on as many, all alike


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
        several = int(covered.sum()) >= _AT_ONCE
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
    half_painted = (old == 0) & (new <= 8)  # a number whose ground was painted first
    misread = other & (old <= 8) & ~half_painted  # an opened cell changed
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


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One look: the variant of each cell, int32 (rows, cols), and what speaks for what they show.

    ``mines`` is the total, None if unknown; ``counted`` says that it was known without the flags on this
    board, and that counter and flags make it up; ``changes`` is what has changed since the last look.
    """

    index: Ints
    mines: int | None = None
    counted: bool = False
    changes: Changes = NO_CHANGES


def possible(positions: States, mines: int | None = None) -> npt.NDArray[np.bool_]:
    """Return which positions, int8 (b, rows, cols), the counting rules do not contradict: bool (b,).

    ``mines`` is the total, None if unknown; then there must be a place for a mine at least. A flag is an
    opinion, and an unreadable cell may be anything.
    """
    fits = np.asarray(~closed_zeros(positions, positions == State.COVERED).any((1, 2)))
    left = positions[fits]
    known = deduce(left, is_one_of(*SHOWN_MINES)[left], is_one_of(*MAY_BE_MINE - SHOWN_MINES)[left])
    least = known.mines.sum((1, 2))
    most = least + known.places.sum((1, 2))
    right = (most > 0) if mines is None else (least <= mines) & (mines <= most)
    fits[fits] = known.possible & right
    return fits


def checked(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return what is known after one look: contradictions withdrawn, and confirmed what allows nothing else.

    A contradiction between settled states alone is left to the reader: something is wrong with the look.
    """
    knowledge = _marked(knowledge, seen)
    while not possible(knowledge.states[seen.index][None], seen.mines)[0]:
        wrong = _to_blame(knowledge, seen)
        if not wrong:
            return knowledge
        knowledge = knowledge.withdrawn(wrong)
    while True:  # what is confirmed leaves less for the others to be
        unsure = _present(knowledge, seen)
        knowledge = _without_rivals(knowledge, seen)
        evident = (i for i in unsure if _alone(knowledge, seen, i) and _evident(knowledge, seen, i))
        knowledge = knowledge.changed(
            {index: replace(knowledge.variants[index], trust=Trust.CONFIRMED) for index in evident}
        )
        if _present(knowledge, seen) == unsure:
            return knowledge


def _marked(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return what is known with notes of what appeared by a click, or where covered cells were."""
    appeared = {index: replace(knowledge.variants[index], opened=True) for index in seen.changes.revealed}
    return _excluding(knowledge.changed(appeared), ((index, _COVERED) for index in seen.changes.uncovered))


def _present(knowledge: LearnedLooks, seen: Seen, trust: Trust = Trust.PROVISIONAL) -> list[int]:
    """Return the variants on the board that are trusted as much as that, and show something."""
    present = (int(index) for index in np.unique(seen.index) if index != NOTHING)
    variants = knowledge.variants
    return [
        index
        for index in present
        if variants[index].trust is trust and variants[index].state != State.UNREADABLE
    ]


def _to_blame(knowledge: LearnedLooks, seen: Seen) -> list[int]:
    """Return the variants to withdraw when a position is impossible.

    Suspects are the provisional variants on the board, or the confirmed ones if none is provisional. If
    withdrawing one suspect makes the position possible, that one is returned; of several such, the one seen
    in the fewest cells. Otherwise all suspects are returned.
    """
    suspects = _present(knowledge, seen) or _present(knowledge, seen, Trust.CONFIRMED)
    if not suspects:
        return []
    positions = [_with(knowledge, seen, {index: int(State.UNREADABLE)}) for index in suspects]
    saved = possible(np.stack(positions), seen.mines)
    alone = [index for index, fits in zip(suspects, saved, strict=True) if fits]
    return [min(alone, key=lambda index: knowledge.variants[index].cells)] if alone else suspects


def _with(knowledge: LearnedLooks, seen: Seen, changes: dict[int, int]) -> States:
    """Return the position with other states for some variants."""
    states = knowledge.states.copy()
    for index, state in changes.items():
        states[index] = state
    return np.asarray(states[seen.index], dtype=np.int8)


def _rearranged(knowledge: LearnedLooks, seen: Seen, cycle: tuple[int, ...]) -> States:
    """Return the position with each state of a cycle replaced by the next one, but where it is trusted."""
    states = knowledge.states.copy()
    unsure = np.array([*(not variant.trusted for variant in knowledge.variants), False])
    for old, new in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        states[unsure & (knowledge.states == old)] = new
    return np.asarray(states[seen.index], dtype=np.int8)


def _without_rivals(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return what is known with the states excluded that are impossible in the place of a variant."""
    tests, positions = [], []
    shown = [int(state) for state in np.unique(knowledge.states[seen.index])]
    for index in _present(knowledge, seen):
        variant = knowledge.variants[index]
        for rival in sorted(_RIVALS[variant.state] - variant.excluded - {variant.state}):
            for position in _with_rival(knowledge, seen, index, rival, shown):
                tests.append((index, rival))
                positions.append(position)
    if not tests:
        return knowledge
    fits = possible(np.stack(positions), seen.mines)
    left = {test for test, fit in zip(tests, fits, strict=True) if fit}
    return _excluding(knowledge, set(tests) - left)


def _with_rival(
    knowledge: LearnedLooks, seen: Seen, index: int, rival: int, shown: Sequence[int]
) -> Iterator[States]:
    """Yield the positions with ``rival`` in the place of a variant, alone or with states changing places."""
    state = knowledge.variants[index].state
    if (state, rival) == (0, _COVERED):  # alone, nothing says that a cell must be open: all change places
        position = knowledge.states[seen.index]
        swapped = np.where(position == 0, _COVERED, np.where(position == _COVERED, 0, position))
        yield np.asarray(swapped, dtype=np.int8)
        return
    yield _with(knowledge, seen, {index: rival})
    if any(variant.denied for variant in knowledge.variants):  # then others may be misread too
        for other, third in product(_present(knowledge, seen), sorted(_OPENED)):
            if other != index:
                yield _with(knowledge, seen, {index: rival, other: third})
    if rival in shown:
        yield _rearranged(knowledge, seen, (state, rival))
        if 0 < state <= 8 and rival > 0:
            for third in sorted(_NUMBERS - {state, rival}):
                yield _rearranged(knowledge, seen, (state, rival, third))


def _excluding(knowledge: LearnedLooks, gone: Iterable[tuple[int, int]]) -> LearnedLooks:
    changes: dict[int, Variant] = {}
    for index, rival in gone:
        variant = changes.get(index, knowledge.variants[index])
        changes[index] = replace(variant, excluded=variant.excluded | {rival})
    return knowledge.changed(changes)


def _alone(knowledge: LearnedLooks, seen: Seen, index: int) -> bool:
    """Return whether the variant can be nothing else by the rules, or has changed as a covered cell does."""
    variant = knowledge.variants[index]
    if index in seen.changes.opened | seen.changes.flagged and variant.state >= State.COVERED:
        return True
    return variant.excluded >= _RIVALS[variant.state] - {variant.state}


def _evident(knowledge: LearnedLooks, seen: Seen, index: int) -> bool:
    """Return whether there is what the rules cannot say: evidence of the kind that the state has."""
    state, cells = knowledge.variants[index].state, int((seen.index == index).sum())
    if state == 0:
        # Several blanks must stand beside opened cells only, some of them beside numbers.
        shown, blank = knowledge.states[seen.index], seen.index == index
        closed, numbers = near(shown > 8), near((shown >= 1) & (shown <= 8))
        return int((blank & ~closed).sum()) >= _SEVERAL and bool((blank & numbers).any())
    if state > State.COVERED and _COVERED not in knowledge.trusted:
        return False
    if state in (State.FLAG, State.QUESTION):
        return index in seen.changes.flagged or (state == State.FLAG and seen.counted) or cells >= _SEVERAL
    if state == State.COVERED:
        return index in seen.changes.opened or cells >= _SEVERAL
    if state in (State.MINE, State.EXPLODED):  # a single mine may be the one that exploded
        return _lost(knowledge.states[seen.index]) and (state == State.EXPLODED or cells > 1)
    return True


def _lost(shown: States) -> bool:
    """Return whether a game was lost: mines are shown, and there is more that is still closed or exploded.

    On a board that was won what stands on all mines may be flags.
    """
    mines, exploded = int((shown == _MINE).sum()), int((shown == _EXPLODED).sum())
    return mines > exploded and (exploded > 0 or bool((shown == _COVERED).any()))
