"""Confirm or withdraw the learned states of variants, by changes between looks and by the rules of the game.

Numbers never change, a left click opens only covered cells, and only cells that were clicked or reached by an
opening change at all. (A variant is one look of a state, see `bot.vision.learning.looks`.)

A variant is confirmed when every other state is impossible for it: then no mines explain the position, even
if two or three states change places. States that the rules hardly distinguish (covered, flag and question
mark; mine, exploded mine and wrong flag) also need other evidence. A state that contradicts the rules is
withdrawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from bot.board import CLOSED, COVERED, MAY_BE_MINE, OPENED, SHOWN_MINES, Cell, State, States, is_one_of
from bot.counting_rules import deduce, near, zeros_beside_covered
from bot.verdict import SEVERAL
from bot.vision.distortion import Bools, Floats, Ints, as_squares
from bot.vision.learning.looks import NOTHING, LearnedLooks, Trust, Variant

_STILL = 0.5  # grey levels by which a cell may change from look to look and still be the same
_NOISE = 3.0  # times the median change of cells: pictures sent over a network change everywhere
_RESTART = 0.5  # of the opened cells are covered again in another game
_OPENABLE = (State.COVERED, State.QUESTION)
_AT_ONCE = 2  # cells that change at once: the pointer is not the cause
_ANY_OPENED = frozenset(OPENED)
_NUMBERS = _ANY_OPENED - {0}
_MARKED = is_one_of(State.FLAG, State.QUESTION)
_WRONG = int(State.WRONG_FLAG)
_MINE, _EXPLODED = int(State.MINE), int(State.EXPLODED)
_RIVALS = {
    0: _ANY_OPENED | {COVERED},
    **dict.fromkeys(OPENED[1:], _ANY_OPENED),
    COVERED: _ANY_OPENED,
    int(State.FLAG): _ANY_OPENED,
    int(State.QUESTION): _ANY_OPENED,
    _MINE: _ANY_OPENED | {_WRONG},
    _EXPLODED: _ANY_OPENED | {_WRONG},
    _WRONG: _ANY_OPENED | {_MINE},
}


@dataclass(frozen=True, slots=True)
class Actions:
    """The cells that were clicked with the left and with the right button between two looks.

    None means that any cell may have been clicked, because somebody else plays.
    """

    clicked: Collection[Cell] | None = ()
    flagged: Collection[Cell] | None = ()


NOTHING_DONE = Actions()
ANYWHERE = Actions(None, None)


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """The last look at a game, and which of its cells have certainly changed.

    ``index`` is the variant of each cell, int32 (rows, cols), ``features`` are their features (rows, cols,
    f). ``clicked`` are certainly covered cells that our left clicks have changed; ``changed`` are certainly
    covered cells that have changed together with others; ``marked`` had a flag or a question mark. The last
    three are bool (rows, cols).
    """

    index: Ints
    features: Floats
    clicked: Bools
    changed: Bools
    marked: Bools

    def restarted(self, knowledge: LearnedLooks, states: States) -> bool:
        """Return whether ``states`` show another game: most opened cells are covered again."""
        if self.index.shape != states.shape:
            return True
        opened = knowledge.states[self.index] < COVERED
        return bool((opened & (states == State.COVERED)).sum() > _RESTART * opened.sum())

    def moved(self, features: Floats) -> Bools:
        """Return which cells look different now, bool (rows, cols)."""
        moved = _difference(features, self.features)
        return np.asarray(moved > max(_STILL, _NOISE * float(np.median(moved))), dtype=np.bool_)

    def suspect(self, knowledge: LearnedLooks, index: Ints, features: Floats) -> Bools:
        """Return which cells may not really show the variants of ``index``, bool (rows, cols).

        Such a cell has changed but seems to have its old state or, if it had no mark, to be covered; or it is
        unchanged although it was unreadable, or has changed earlier and seems covered. In another game no
        cell is suspect.
        """
        before, after, moved = knowledge.states[self.index], knowledge.states[index], self.moved(features)
        if self.restarted(knowledge, after):
            return np.zeros(index.shape, np.bool_)
        unnamed = (before == State.UNREADABLE) & (self.index != NOTHING) & ~moved
        closed = self.changed & (after == State.COVERED) & (before != State.COVERED) & ~moved
        same = moved & ((before == after) | ((after == State.COVERED) & ~_MARKED[before]))
        return np.asarray(same | unnamed | closed)

    def after(self, knowledge: LearnedLooks, features: Floats, done: Actions) -> Past:
        """Return the past with the changes of the cells since then; ``done`` are the clicks in between."""
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
            self.marked | _MARKED[knowledge.states[self.index]],
        )

    def allowed(self, states: States) -> States:
        """Return ``states``, int8 (rows, cols), with `State.UNREADABLE` instead of impossible ones."""
        wrong = (self.clicked & np.isin(states, CLOSED)) | (self.changed & (states == State.COVERED))
        return np.where(wrong, State.UNREADABLE, states).astype(np.int8)


def _difference(one: Floats, other: Floats) -> Floats:
    """Return the difference of cells in the middle or on two opposite sides, in grey levels (rows, cols).

    A difference on one side only is ignored: a grid a few pixels off shows a strip of a neighbour there.
    """
    squares = as_squares((one - other) ** 2)
    rim = squares.shape[2] // 4
    middle = slice(rim, -rim)

    def mean(rows: slice, cols: slice) -> Floats:
        return np.asarray(squares[:, :, rows, cols].mean((2, 3, 4)), np.float32)

    first, last = slice(None, rim), slice(-rim, None)
    across = np.minimum(mean(middle, first), mean(middle, last))
    down = np.minimum(mean(first, middle), mean(last, middle))
    return np.asarray(np.sqrt(np.maximum(mean(middle, middle), np.maximum(across, down))), np.float32)


@dataclass(frozen=True, slots=True)
class Changes:
    """The evidence about variants, given by index, from the changes between two looks at one game.

    ``wrong`` ones cannot have the states that they were read as. ``opened`` ones were opened, ``revealed``
    ones appeared where we have left-clicked in this game, ``uncovered`` ones in place of covered cells.
    ``flagged`` ones appeared or vanished by our right click; ``deaf`` ones ignored our left click.
    """

    wrong: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    revealed: frozenset[int] = frozenset()
    uncovered: frozenset[int] = frozenset()
    flagged: frozenset[int] = frozenset()
    deaf: frozenset[int] = frozenset()


NO_CHANGES = Changes()


def changes_since(
    knowledge: LearnedLooks, past: Past, index: Ints, features: Floats, done: Actions
) -> Changes:
    """Return the changes from ``past`` to a new look with variants ``index`` (rows, cols) and ``features``.

    ``past`` must already include the clicks ``done`` in between (`Past.after`).
    """
    old, new, moved = knowledge.states[past.index], knowledge.states[index], past.moved(features)
    seen = (past.index != NOTHING) & (index != NOTHING)
    other = seen & (old != new) & (old != State.UNREADABLE) & (new != State.UNREADABLE)
    opened = other & (old >= COVERED) & (new < COVERED) & at(done.clicked, other)
    marks = {index for index in _of(past.index, opened) if knowledge.states[index] not in _OPENABLE}
    half_painted = (old == 0) & (new < COVERED)  # a number whose background was painted first
    misread = other & (old < COVERED) & ~half_painted  # an opened cell changed
    pairs = zip(past.index[misread].tolist(), index[misread].tolist(), strict=True)
    suspects = marks | {
        before if not knowledge.variants[before].trusted else after for before, after in pairs
    }
    right = other & at(done.flagged, other)
    deaf = seen & ~moved & at(done.clicked or (), seen) & (old >= COVERED)
    return Changes(
        wrong=frozenset(suspect for suspect in suspects if not knowledge.variants[suspect].trusted),
        opened=_of(past.index, opened),
        revealed=_of(index, past.clicked & (new != State.COVERED)),
        uncovered=_of(index, past.changed & (new != State.COVERED)),
        flagged=_of(index, right & (new >= COVERED)) | _of(past.index, right & (old >= COVERED)),
        deaf=_of(past.index, deaf),
    )


def at(cells: Collection[Cell] | None, like: Bools) -> Bools:
    """Return a mask of ``cells``, bool with the shape of ``like``; None stands for all cells.

    Cells outside that shape are left out, since a look may have missed a row or a column of the board.
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
    """One look: the variant of each cell, int32 (rows, cols), and the evidence for their states.

    ``marked`` are cells that had a mark, bool (rows, cols): an opening passes by them. ``mines`` is the
    total, None if unknown. ``counted`` says that the total was known before this look, and that mine counter
    and flags add up to it. ``changes`` is the evidence since the last look.
    """

    index: Ints
    marked: Bools
    mines: int | None = None
    counted: bool = False
    changes: Changes = NO_CHANGES

    def possible(self, positions: States) -> Bools:
        """Return which positions, int8 (b, rows, cols), the counting rules do not contradict: bool (b,).

        There must be a place for at least one mine. A flag may be wrong, and an unreadable cell may be
        anything. Marked cells may be covered beside a zero.
        """
        fits = np.asarray(
            ~zeros_beside_covered(positions, (positions == State.COVERED) & ~self.marked).any((1, 2))
        )
        left = positions[fits]
        known = deduce(left, is_one_of(*SHOWN_MINES)[left], is_one_of(*MAY_BE_MINE - SHOWN_MINES)[left])
        least = known.mines.sum((1, 2))
        most = least + known.places.sum((1, 2))
        right = (most > 0) if self.mines is None else (least <= self.mines) & (self.mines <= most)
        fits[fits] = known.possible & right
        return fits


def with_checked_states(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return ``knowledge`` after one look, with contradictory states withdrawn and proven ones confirmed.

    If settled variants alone contradict each other, the look is wrong and nothing is withdrawn or confirmed.
    """
    knowledge = _with_only_numbers(_marked(knowledge, seen), seen)
    while not seen.possible(knowledge.states[seen.index][None])[0]:
        wrong = _to_blame(knowledge, seen)
        if not wrong:
            return knowledge
        knowledge = knowledge.withdrawn(wrong)
    while True:  # each confirmation leaves fewer possible states for the others
        unsure = _present(knowledge, seen)
        knowledge = _without_rivals(knowledge, seen)
        evident = (i for i in unsure if _alone(knowledge, seen, i) and _evident(knowledge, seen, i))
        knowledge = knowledge.changed(
            {index: replace(knowledge.variants[index], trust=Trust.CONFIRMED) for index in evident}
        )
        if _present(knowledge, seen) == unsure:
            return knowledge


def _marked(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return ``knowledge`` with marks on variants that appeared by a click or in place of covered cells."""
    appeared = {index: replace(knowledge.variants[index], opened=True) for index in seen.changes.revealed}
    return _excluding(knowledge.changed(appeared), ((index, COVERED) for index in seen.changes.uncovered))


def _with_only_numbers(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return ``knowledge`` with the only possible number for each unread variant that a click has opened.

    Where cells have marks, a click may have set one instead: some programs look late at where the pointer is.
    """
    if seen.marked.any():
        return knowledge
    for index in sorted(_of(seen.index, knowledge.states[seen.index] == State.UNREADABLE)):
        variant = knowledge.variants[index]
        if not variant.opened:
            continue
        states = [state for state in (*OPENED, _EXPLODED) if state not in variant.denied]
        fits = seen.possible(np.stack([_with(knowledge, seen, {index: state}) for state in states]))
        if fits.sum() == 1 and (only := states[int(fits.argmax())]) != _EXPLODED:
            knowledge = knowledge.changed({index: replace(variant, state=only)})
    return knowledge


def _present(knowledge: LearnedLooks, seen: Seen, trust: Trust = Trust.PROVISIONAL) -> list[int]:
    """Return the variants on the board that have exactly this ``trust`` and a readable state."""
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
    saved = seen.possible(np.stack(positions))
    alone = [index for index, fits in zip(suspects, saved, strict=True) if fits]
    return [min(alone, key=lambda index: knowledge.variants[index].cells)] if alone else suspects


def _with(knowledge: LearnedLooks, seen: Seen, changes: dict[int, int]) -> States:
    """Return the position with other states for some variants; ``changes`` maps indices to states."""
    states = knowledge.states.copy()
    for index, state in changes.items():
        states[index] = state
    return np.asarray(states[seen.index], dtype=np.int8)


def _rearranged(knowledge: LearnedLooks, seen: Seen, cycle: tuple[int, ...]) -> States:
    """Return the position with each state of ``cycle`` replaced by the next, except in trusted variants."""
    following = dict(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
    unsure = ((i, variant.state) for i, variant in enumerate(knowledge.variants) if not variant.trusted)
    return _with(knowledge, seen, {i: following[state] for i, state in unsure if state in following})


def _without_rivals(knowledge: LearnedLooks, seen: Seen) -> LearnedLooks:
    """Return ``knowledge`` with the states excluded for each variant that it cannot possibly show."""
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
    fits = seen.possible(np.stack(positions))
    left = {test for test, fit in zip(tests, fits, strict=True) if fit}
    return _excluding(knowledge, set(tests) - left)


def _with_rival(
    knowledge: LearnedLooks, seen: Seen, index: int, rival: int, shown: Sequence[int]
) -> Iterator[States]:
    """Yield positions in which a variant shows ``rival``, alone or together with other changed states."""
    state = knowledge.variants[index].state
    if (state, rival) == (0, COVERED):  # no rule says that a single cell must be open: swap all
        position = knowledge.states[seen.index]
        swapped = np.where(position == 0, COVERED, np.where(position == COVERED, 0, position))
        yield np.asarray(swapped, dtype=np.int8)
        return
    yield _with(knowledge, seen, {index: rival})
    if any(variant.denied for variant in knowledge.variants):  # then others may be misread too
        for other, third in product(_present(knowledge, seen), sorted(_ANY_OPENED)):
            if other != index:
                yield _with(knowledge, seen, {index: rival, other: third})
    if rival in shown:
        yield _rearranged(knowledge, seen, (state, rival))
        if 0 < state < COVERED and rival > 0:
            for third in sorted(_NUMBERS - {state, rival}):
                yield _rearranged(knowledge, seen, (state, rival, third))


def _excluding(knowledge: LearnedLooks, gone: Iterable[tuple[int, int]]) -> LearnedLooks:
    changes: dict[int, Variant] = {}
    for index, rival in gone:
        variant = changes.get(index, knowledge.variants[index])
        changes[index] = replace(variant, excluded=variant.excluded | {rival})
    return knowledge.changed(changes)


def _alone(knowledge: LearnedLooks, seen: Seen, index: int) -> bool:
    """Return whether the rules allow no other state, or a click has shown that the variant is unopened."""
    variant = knowledge.variants[index]
    if index in seen.changes.opened | seen.changes.flagged and variant.state >= COVERED:
        return True
    return variant.excluded >= _RIVALS[variant.state] - {variant.state}


def _evident(knowledge: LearnedLooks, seen: Seen, index: int) -> bool:
    """Return whether there is the other evidence that the state of a variant needs besides the rules."""
    state, cells = knowledge.variants[index].state, int((seen.index == index).sum())
    if state == 0:
        # Several blanks must have opened neighbours only, and a blank must be beside a number.
        shown, blank = knowledge.states[seen.index], seen.index == index
        closed, numbers = near(shown >= COVERED), near((shown >= 1) & (shown < COVERED))
        return int((blank & ~closed).sum()) >= SEVERAL and bool((blank & numbers).any())
    if state > COVERED and COVERED not in knowledge.trusted:
        return False
    if state in (State.FLAG, State.QUESTION):
        return index in seen.changes.flagged or (state == State.FLAG and seen.counted) or cells >= SEVERAL
    if state == State.COVERED:
        return index in seen.changes.opened or cells >= SEVERAL
    if state in (State.MINE, State.EXPLODED):  # a single mine may be the one that exploded
        return _lost(knowledge.states[seen.index]) and (state == State.EXPLODED or cells > 1)
    return True


def _lost(shown: States) -> bool:
    """Return whether a game was lost: mines are shown, and one has exploded or some cells are still covered.

    On a board that was won, the pictures on all mines may be flags instead.
    """
    mines, exploded = int((shown == _MINE).sum()), int((shown == _EXPLODED).sum())
    return mines > exploded and (exploded > 0 or bool((shown == COVERED).any()))
