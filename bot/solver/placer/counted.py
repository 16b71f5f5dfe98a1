"""How many placements fit a position: exactly where its areas are narrow, else at least how many."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import comb, prod

from bot.solver.exact import Component, TooLargeError, product, tally_total
from bot.solver.placer.model import Check
from bot.solver.placer.placing import Placement
from bot.solver.placer.puzzle import Area, Clash, Puzzle, puzzle_of

_BUDGET = 200_000  # states of one area; a second of plain Python


@dataclass(frozen=True, slots=True)
class Count:
    """How many placements there are: exactly ``number``, or at least that."""

    number: int
    exact: bool
    too_wide: int = 0  # cells of the largest area that was too wide to be counted


def count_placements(placement: Placement, check: Check) -> Count:
    """Return how many placements fit the board of ``placement``, which is one of them.

    ``check`` is called between the areas, and ends the count by raising.
    """
    puzzle = puzzle_of(placement.board)
    if isinstance(puzzle, Clash):
        return Count(0, exact=True)
    totals, too_wide = [[1]], 0
    for area in puzzle.areas:
        check()
        try:
            totals.append(tally_total(component_of(area), _BUDGET))
        except TooLargeError:
            too_wide = max(too_wide, area.size)
            totals.append(_like(area, placement))
    inside = product(totals)
    ways = _ways_outside(puzzle, len(inside))
    number = sum(count * way for count, way in zip(inside, ways, strict=True))
    return Count(number, not too_wide, too_wide)


def component_of(area: Area) -> Component:
    """Return the area as elimination takes it, its cells numbered from 0."""
    ends = list(accumulate(map(len, area.groups)))
    masks = [(1 << end) - (1 << end - len(group)) for end, group in zip(ends, area.groups, strict=True)]
    constraints = tuple((sum(masks[group] for group in groups), need) for groups, need in area.numbers)
    return Component(constraints, 0, (1 << area.size) - 1)


def _like(area: Area, placement: Placement) -> list[int]:
    """Return the solutions that differ from ``placement`` only in where the mines of a group lie."""
    held = [sum(bool(placement.mines.flat[cell]) for cell in group) for group in area.groups]
    ways = prod(comb(len(group), mines) for group, mines in zip(area.groups, held, strict=True))
    return [0] * sum(held) + [ways]


def _ways_outside(puzzle: Puzzle, length: int) -> list[int]:
    """Return in how many ways mines lie in the unconstrained cells, for each number of them in the areas."""
    size, rest = len(puzzle.outside), puzzle.rest
    if rest is None:
        return [1 << size] * length
    return [comb(size, rest - inside) if inside <= rest else 0 for inside in range(length)]
