"""How a few constraints settle a cell, step by step, as a person would count them.

The counting rules of `counting`, kept in such a way that what leads to a cell, or to a clash, can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from bot.board import Cell
from bot.solver.decision import Constraint

_PARTS = 3  # numbers that may share cells with one, and settle the rest


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
class Part:
    """How many ``mines`` of a number another one shares with it: at least, or at most."""

    number: Constraint
    mines: int


@dataclass(frozen=True, slots=True)
class Shared:
    """A number, ``second``, and others that settle what it does not share with them.

    At least so many mines as the ``parts`` say are among the cells of ``second``, no two of them in one cell,
    and together that is all that it still needs: its other cells are safe. Turned round (``most``), it shares
    at most so many, and the other cells of ``second`` are as many as it needs besides. ``given`` are the
    known cells of all of them.
    """

    second: Constraint
    parts: tuple[Part, ...]
    most: bool
    given: frozenset[Cell]


def shared(
    constraints: Sequence[Constraint], known: Mapping[Cell, bool], cell: Cell, *, mine: bool
) -> Shared | None:
    """Return numbers that settle ``cell`` by what they share, as ``mine`` says; None if none do.

    Of more than one such set it is one of few numbers, and with few known cells, whose reasons would have to
    be told as well.
    """
    numbers = [constraint for constraint in constraints if constraint.source is not None]
    others = [number for number in numbers if cell not in number.cells]
    found = (
        together
        for second in numbers
        if cell in second.cells
        for parts in _apart(others, second, known, most=mine)
        if (together := _together(second, parts, known, mine=mine))
    )
    return min(found, key=lambda one: (len(one.parts), len(one.given)), default=None)


def _apart(
    others: Sequence[Constraint], second: Constraint, known: Mapping[Cell, bool], *, most: bool
) -> Iterator[tuple[Part, ...]]:
    """Iterate over what others share with ``second``, one, two or three that have no cell of it in common."""
    parts = [part for other in others if (part := _part(other, second, known, most=most))]
    for size in range(1, _PARTS + 1):
        for chosen in combinations(parts, size):
            cells = [(part.number.cells & second.cells) - known.keys() for part in chosen]
            if sum(map(len, cells)) == len(frozenset[Cell]().union(*cells)):
                yield chosen


def _part(other: Constraint, second: Constraint, known: Mapping[Cell, bool], *, most: bool) -> Part | None:
    """Return what ``other`` shares with ``second``, at least or at most; None if that says nothing."""
    (one, needs), two = _left(other, known), second.cells - known.keys()
    both = one & two
    if most:
        return Part(other, min(len(both), needs)) if needs < len(both) else None
    least = needs - len(one - two)
    return Part(other, least) if least > 0 else None


def _together(
    second: Constraint, parts: tuple[Part, ...], known: Mapping[Cell, bool], *, mine: bool
) -> Shared | None:
    """Return ``second`` and its parts if they settle its other cells, None if they do not."""
    cells, needs = _left(second, known)
    shares = sum(part.mines for part in parts)
    inside = frozenset[Cell]().union(*(part.number.cells for part in parts))
    if needs - shares != (len(cells - inside) if mine else 0):
        return None
    return Shared(second, parts, mine, (second.cells | inside) & known.keys())


def _left(constraint: Constraint, known: Mapping[Cell, bool]) -> tuple[frozenset[Cell], int]:
    """Return the cells that are not known, and how many of them are mines."""
    mines = sum(known.get(cell) is True for cell in constraint.cells)
    return constraint.cells - known.keys(), constraint.mines - mines


@dataclass(frozen=True, slots=True)
class Cases:
    """A cell that can neither be a mine nor safe: what counting on from each of the two leads to, a clash."""

    cell: Cell
    mine: tuple[Step, ...]
    safe: tuple[Step, ...]


def cases(constraints: Sequence[Constraint], supposed: Mapping[Cell, bool]) -> Cases | None:
    """Return a cell for which, by what is ``supposed``, nothing is left, told in few steps; None if none."""
    cells = frozenset[Cell]().union(*(one.cells for one in constraints)) - supposed.keys()
    found = (_case(constraints, supposed, cell) for cell in sorted(cells))
    return min(filter(None, found), key=lambda one: len(one.mine) + len(one.safe), default=None)


def _case(constraints: Sequence[Constraint], supposed: Mapping[Cell, bool], cell: Cell) -> Cases | None:
    ends = [to_clash(counted(constraints, {**supposed, cell: mine})) for mine in (True, False)]
    return Cases(cell, *map(tuple, ends)) if all(ends) else None


def to_clash(after: Counted) -> list[Step]:
    """Return the steps that lead to the clash, and that itself; none if there is no clash."""
    return [*after.leading_to(after.clash.given), after.clash] if after.clash else []
