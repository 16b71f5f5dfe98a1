"""The synthesis of a library from nothing: all schemes of few numbers that are not seen by smaller ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from bot.solver.patterns.drawing import Rows, numbers_of
from bot.solver.patterns.fields import Field, fields
from bot.solver.patterns.making import ordered, scheme_of
from bot.solver.patterns.rules import HIGHEST
from bot.solver.patterns.scheme import MANY, Scheme
from bot.solver.patterns.search import Known, Search

Progress = Callable[[int, int], None]  # how much is done, of how much
WINDOWS = range(3, 7)
# How many mines numbers may need: the first for a number alone, the second for two together, and so on.
# Larger ones hardly ever meet, and to look at them takes long.
MOST = (8, 8, 6, 3)
Needs = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the synthesis goes.

    Fields are of ``window`` x ``window`` cells; schemes of an order above ``order`` are left out; ``most`` is
    as `MOST`.
    """

    window: int = 6
    order: int = HIGHEST
    most: tuple[int, ...] = MOST


def synthesised(extent: Extent, progress: Progress) -> list[Scheme]:
    """Return all schemes of an extent, those of few and small numbers first; always the same ones.

    ``progress`` is told from time to time how much is done.
    """
    work = [
        (field, needs)
        for numbers, most in enumerate(extent.most, 1)
        for field in fields(numbers, extent.window, most + 1)
        for needs in product(range(1, most + 1), repeat=numbers)
    ]
    known: Known = {}
    found = {scheme.key: scheme for scheme in _first_order(extent.window)}
    for done, (field, needs) in enumerate(work):
        progress(done, len(work))
        for scheme in _around(field, needs, known):
            key = scheme.key
            found[key] = min(found.get(key, scheme), scheme, key=_spread)
    schemes = [scheme for scheme in _needed(found) if 0 < scheme.order <= extent.order]
    progress(len(work), len(work))
    return schemes


def _spread(scheme: Scheme) -> tuple[int, int, Rows]:
    """Return what is small for a drawing that shows a scheme at its simplest: its numbers close together."""
    numbers = numbers_of(scheme.rows)
    apart = sum(abs(r - row) + abs(c - col) for r, c in numbers for row, col in numbers)
    return apart, len(scheme.rows) * len(scheme.rows[0]), scheme.rows


def _first_order(window: int) -> Iterator[Scheme]:
    """Iterate over what a number says alone: the base rules."""
    (field,) = fields(1, window, MANY)
    for cells in range(1, MANY + 1):
        yield from (_scheme(field, (need,), {1: cells}) for need in (0, cells))


def _around(field: Field, needs: Needs, known: Known) -> Iterator[Scheme]:
    search = Search(needs, field.rooms, known)
    for rooms in sorted(search.found()):
        yield _scheme(field, needs, dict(zip(search.sets, rooms, strict=True)))


def _scheme(field: Field, needs: Needs, rooms: Mapping[int, int]) -> Scheme:
    """Return the scheme with so many cells around each set of numbers, the first that the field has."""
    cells = field.cells()
    return scheme_of(
        field.places, needs, {chosen: cells[chosen][:room] for chosen, room in rooms.items() if room}
    )


def _needed(found: Mapping[tuple[object, ...], Scheme]) -> list[Scheme]:
    """Return the schemes that no other one covers, with their orders: 0 where that is above the highest."""
    kept: dict[Needs, list[Scheme]] = {}
    for key in sorted(found, key=lambda key: (-sum(found[key].rooms.values()), key)):
        same = kept.setdefault(tuple(sorted(found[key].needs)), [])
        if not any(other.covers(found[key]) for other in same):
            same.append(found[key])
    schemes = [ordered(scheme) for same in kept.values() for scheme in same]
    return sorted(schemes, key=lambda scheme: (len(scheme.needs), scheme.order, scheme.key))
