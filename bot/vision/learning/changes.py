"""What the difference of two looks at one game says: numbers never change, and covered cells open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bot.board import Cell, State
from bot.vision.learning.knowledge import NOTHING, Bools, Ints, Knowledge

_RESTART = 0.5  # of the opened cells are covered again: this is another game
_SEVERAL = 2  # cells that change at once are not below the pointer


@dataclass(frozen=True, slots=True)
class Changes:
    """What two looks say of variants, by index.

    ``wrong`` cannot be what they were thought to be; ``opened`` were opened, ``flagged`` came or went with
    our right click; ``deaf`` did not answer to our left click.
    """

    wrong: frozenset[int]
    opened: frozenset[int]
    flagged: frozenset[int]
    deaf: frozenset[int]


def restarted(knowledge: Knowledge, before: Ints, after: Ints) -> bool:
    """Return whether another game is shown: what was opened is covered. Both are variants (rows, cols)."""
    if before.shape != after.shape:
        return True
    opened = knowledge.states[before] <= 8
    covered = opened & (knowledge.states[after] == State.COVERED)
    return bool(covered.sum() > _RESTART * opened.sum())


def changes(
    knowledge: Knowledge,
    before: Ints,
    after: Ints,
    moved: Bools,
    clicked: Collection[Cell] | None,
    flagged: Collection[Cell] | None,
) -> Changes:
    """Return what two looks at one game say: the variant of each cell then and now.

    ``moved`` are the cells whose pixels differ; ``clicked`` and ``flagged`` were clicked with the left and
    the right button in between, None stands for anywhere.
    """
    old, new = knowledge.states[before], knowledge.states[after]
    seen = (before != NOTHING) & (after != NOTHING)
    other = seen & (old != new) & (old != State.UNREADABLE) & (new != State.UNREADABLE)
    opened = other & (old > 8) & (new <= 8)
    left, right = _at(clicked, before), _at(flagged, before)
    no_marks = {index for index in _of(before, opened & left) if _is_mark(knowledge, index)}
    return Changes(
        wrong=_to_blame(knowledge, before, after, other & (old <= 8))
        | no_marks
        | _same_again(knowledge, before, after, moved),
        opened=_of(before, opened & left),
        flagged=_of(after, other & right & (new > 8)) | _of(before, other & right & (old > 8)),
        deaf=frozenset() if clicked is None else _of(before, seen & left & (before == after) & (old > 8)),
    )


def _to_blame(knowledge: Knowledge, before: Ints, after: Ints, changed: Bools) -> frozenset[int]:
    """Return the variants that were misread where an opened cell changed: the one that is not trusted."""
    pairs = zip(before[changed].tolist(), after[changed].tolist(), strict=True)
    wrong = set()
    for old, new in pairs:
        if not knowledge.variants[old].trusted:
            wrong.add(old)
        elif not knowledge.variants[new].trusted:
            wrong.add(new)
    return frozenset(wrong)


def _same_again(knowledge: Knowledge, before: Ints, after: Ints, moved: Bools) -> frozenset[int]:
    """Return the variants that seem to show what was there before, though several cells have changed to them.

    One cell alone may be lighter because the pointer is over it.
    """
    states = knowledge.states
    again = (
        moved & (before != after) & (states[before] == states[after]) & (states[after] != State.UNREADABLE)
    )
    return frozenset(
        index
        for index in _of(after, again)
        if not knowledge.variants[index].trusted and int((again & (after == index)).sum()) >= _SEVERAL
    )


def _is_mark(knowledge: Knowledge, index: int) -> bool:
    """Return whether a variant is thought to be a flag or a mine: what a left click opens is neither."""
    variant = knowledge.variants[index]
    return not variant.trusted and variant.state not in (State.COVERED, State.QUESTION)


def _at(cells: Collection[Cell] | None, like: Ints) -> Bools:
    chosen = np.full(like.shape, cells is None)
    for cell in cells or ():
        chosen[cell] = True
    return chosen


def _of(index: Ints, chosen: Bools) -> frozenset[int]:
    return frozenset(int(variant) for variant in np.unique(index[chosen]) if variant != NOTHING)
