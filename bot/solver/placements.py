"""Whether any placement of mines satisfies a few constraints, and one that does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.solver.constraints import System, bits
from bot.solver.elimination import Component, attainable, sums
from bot.solver.patterns.rules import Number, Settled, prove

Placement = tuple[int, int]  # the masks of its mines and of its safe cells; other cells are open


def placed(numbers: Sequence[Number], mines: int, safe: int) -> Placement | None:
    """Return a placement that satisfies all ``numbers`` and begins as given, None if there is none.

    Meant for few numbers: the steps may double with each.
    """
    begun = prove(numbers, 1, Settled(safe, mines))
    if begun is None:
        return None
    safe, mines = begun
    open_ = next((rest for mask, _ in numbers if (rest := mask & ~(mines | safe))), 0)
    if not open_:
        return mines, safe
    cell = open_ & -open_
    return placed(numbers, mines | cell, safe) or placed(numbers, mines, safe | cell)


def possible(system: System, chosen: int, mines: int, safe: int, *, budget: int) -> bool:
    """Return whether a placement that begins as given satisfies the constraints of the mask ``chosen``.

    Raises TooLargeError if one component of them has more states than ``budget``.
    """
    numbers = system.said_by(chosen & system.numbers)
    begun = prove(numbers, 1, Settled(safe, mines))
    if begun is None:
        return False
    safe, mines = begun
    counts, open_ = 1, system.unknown & ~(mines | safe)
    for part in _parts(numbers, mines, safe):
        some = attainable(part, budget)
        counts, open_ = sums(counts, some), open_ & ~part.cells
        if not counts:
            return False
    if not chosen & system.total:
        return True
    rest = system.needs[-1] - (mines & system.unknown).bit_count()
    return any(0 <= rest - count <= open_.bit_count() for count in bits(counts))


def _parts(numbers: Iterable[Number], mines: int, safe: int) -> list[Component]:
    """Return the numbers in so far as they are open, as independent components."""
    parts: list[Component] = []
    for mask, number in numbers:
        rest = mask & ~(mines | safe)
        if rest:
            part = Component(((rest, number - (mask & mines).bit_count()),), 0, rest)
            for other in [other for other in parts if other.cells & rest]:
                parts.remove(other)
                part = part.joined(other)
            parts.append(part)
    return parts
