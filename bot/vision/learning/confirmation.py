"""Confirming what variants show by the rules of the game, and withdrawing what contradicts them.

A variant is confirmed when nothing else could be in its place: with any other state there, alone or with two
or three states changing places, no mines explain the position. States that the rules hardly tell apart
(covered, flag and question mark; the three ends of a mine) need evidence of their own as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from bot.board import MAY_BE_MINE, SHOWN_MINES, State, States, is_one_of
from bot.rules import closed_zeros, deduce, near
from bot.vision.learning.history import NO_CHANGES, Changes
from bot.vision.learning.looks import NOTHING, Ints, LearnedLooks, Trust, Variant

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
    """Return the variants to withdraw from an impossible position.

    That is the one that was seen least among those without which it is possible; all if there is none.
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
