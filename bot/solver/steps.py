"""How a few constraints settle a cell, step by step, as a person would count them.

The counting rules of `counting`, kept in such a way that what leads to a cell, or to a clash, can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.board import Cell
from bot.solver.decision import Constraint


@dataclass(frozen=True, slots=True)
class Step:
    """What one constraint says where some of its cells are known.

    ``found`` are cells that it settles: mines if ``mine``, else safe. ``given`` are the known cells that this
    rests on: the mines that it counts, or the safe cells that leave no other place. Where it
    ``clashes`` there are more mines than it counts (``given``), or too few places, and nothing is found.
    """

    constraint: Constraint
    found: frozenset[Cell]
    mine: bool
    given: frozenset[Cell]
    clashes: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """What is ``known`` after counting (True: a mine), by which step, and the clash that ended it, if any."""

    known: Mapping[Cell, bool]
    steps: Mapping[Cell, Step]
    clash: Step | None = None

    def leading_to(self, cells: Iterable[Cell]) -> list[Step]:
        """Return the steps that settle ``cells``, each after those that it rests on."""
        needed, waiting = set[Step](), list(cells)
        while waiting:
            step = self.steps.get(waiting.pop())
            if step is not None and step not in needed:
                needed.add(step)
                waiting.extend(step.given)
        return [step for step in dict.fromkeys(self.steps.values()) if step in needed]


def counted(constraints: Sequence[Constraint], supposed: Mapping[Cell, bool] | None = None) -> Counted:
    """Count until nothing changes, beginning with what is ``supposed`` (True: a mine).

    All numbers are looked at in turn before anything that follows from them, so that few steps lead to a
    cell; the mine total is looked at when they have nothing more to say.
    """
    known, steps = dict(supposed or {}), dict[Cell, Step]()
    numbers = [constraint for constraint in constraints if constraint.source is not None]
    totals = [constraint for constraint in constraints if constraint.source is None]
    while new := list(_said(numbers, known)) or list(_said(totals, known)):
        for step in new:
            if step.clashes:
                return Counted(known, steps, step)
            for cell in step.found - known.keys():
                known[cell], steps[cell] = step.mine, step
    return Counted(known, steps)


def _said(constraints: Iterable[Constraint], known: Mapping[Cell, bool]) -> Iterator[Step]:
    """Iterate over what each of the constraints says by itself that is not known."""
    for constraint in constraints:
        mines = frozenset(cell for cell in constraint.cells if known.get(cell) is True)
        rest = frozenset(cell for cell in constraint.cells if cell not in known)
        need = constraint.mines - len(mines)
        if 0 < need < len(rest) or not (need or rest):
            continue
        given = mines if need <= 0 else constraint.cells - mines - rest
        if need < 0 or need > len(rest):
            yield Step(constraint, frozenset(), need > 0, given, clashes=True)
        else:
            yield Step(constraint, rest, need > 0, given)


@dataclass(frozen=True, slots=True)
class Shared:
    """Two numbers that settle what they do not share.

    At least ``mines`` mines of ``first`` are among the cells of ``second``, all that it still needs:
    its other cells are safe. Turned round (``most``), they share at most ``mines``, and the other cells of
    ``second`` are as many as it needs besides. ``given`` are the known cells of both.
    """

    first: Constraint
    second: Constraint
    mines: int
    most: bool
    given: frozenset[Cell]


def shared(
    constraints: Sequence[Constraint], known: Mapping[Cell, bool], cell: Cell, *, mine: bool
) -> Shared | None:
    """Return two of the constraints that settle ``cell`` together, as ``mine`` says; None if none do.

    Of more than one such pair it is one with few known cells, whose reasons would have to be told as well.
    """
    numbers = [constraint for constraint in constraints if constraint.source is not None]
    pairs = (
        pair
        for second in numbers
        if cell in second.cells
        for first in numbers
        if cell not in first.cells
        if (pair := _pair(first, second, known, mine=mine))
    )
    return min(pairs, key=lambda pair: len(pair.given), default=None)


def _pair(first: Constraint, second: Constraint, known: Mapping[Cell, bool], *, mine: bool) -> Shared | None:
    (one, needs_one), (two, needs_two) = _left(first, known), _left(second, known)
    both = one & two
    most, least = min(len(both), needs_one), max(0, needs_one - len(one - two))
    given = (first.cells | second.cells) & known.keys()
    if mine and needs_two - most == len(two - one):
        return Shared(first, second, most, True, given)
    if not mine and 0 < least == needs_two:
        return Shared(first, second, least, False, given)
    return None


def _left(constraint: Constraint, known: Mapping[Cell, bool]) -> tuple[frozenset[Cell], int]:
    """Return the cells that are not known, and how many of them are mines."""
    mines = sum(known.get(cell) is True for cell in constraint.cells)
    return constraint.cells - known.keys(), constraint.mines - mines
