"""What the numbers inside a window of a board prove, by listing all placements of mines around them.

A number counts as inside if it and all open cells around it lie in the window. Shares nothing with the
library of patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.solver.constraints import System, bits
from bot.solver.counting import Known


@dataclass(frozen=True, slots=True)
class Number:
    """The open cells around a number, how many of them are mines, and the cells that it spans with them."""

    cells: int
    mines: int
    top: int
    left: int
    bottom: int
    right: int


def unplayable(system: System) -> System:
    """Return the same numbers with nothing that can be opened, so that a library settles all that it can."""
    return replace(system, openable=0, flagged=0)


def proven_in_windows(system: System, known: Known, size: int) -> int:
    """Return the cells that are safe by the numbers inside some window of ``size`` x ``size`` cells.

    What one window proves is known in all others, until nothing new comes.
    """
    safe, mines = known.safe, known.mines
    while True:
        numbers = _numbers(system, safe | mines, mines)
        before = safe, mines
        for inside in _windows(system, numbers, size):
            more_safe, more_mines = _forced(inside)
            safe, mines = safe | more_safe, mines | more_mines
        if (safe, mines) == before:
            return safe


def _numbers(system: System, settled: int, mines: int) -> list[Number]:
    found = []
    for said in system.mask_constraints:
        rest = said.mask & ~settled
        if said.source is not None and rest:
            rows, cols = zip(*(*system.cells(rest), said.source), strict=True)
            need = said.need - (said.mask & mines).bit_count()
            found.append(Number(rest, need, min(rows), min(cols), max(rows), max(cols)))
    return found


def _windows(system: System, numbers: list[Number], size: int) -> Iterator[list[Number]]:
    """Yield the numbers inside each window that holds any, each such set once."""
    rows, cols = system.board.shape
    inside: dict[tuple[int, int], list[int]] = {}
    for at, number in enumerate(numbers):
        for top in range(max(0, number.bottom - size + 1), min(number.top, rows - size) + 1):
            for left in range(max(0, number.right - size + 1), min(number.left, cols - size) + 1):
                inside.setdefault((top, left), []).append(at)
    for chosen in {tuple(window) for window in inside.values()}:
        yield [numbers[at] for at in chosen]


def _forced(numbers: list[Number]) -> tuple[int, int]:
    """Return the cells that are safe, and those that are mines, in all placements that fit ``numbers``."""
    cells: dict[int, int] = {}  # the cells around exactly these numbers
    for cell in {cell for number in numbers for cell in bits(number.cells)}:
        around = sum(1 << at for at, number in enumerate(numbers) if number.cells >> cell & 1)
        cells[around] = cells.get(around, 0) | 1 << cell
    groups = list(cells.items())
    least, most = [9] * len(groups), [-1] * len(groups)
    for placed in _placements([number.mines for number in numbers], groups, 0):
        least = [min(pair) for pair in zip(least, placed, strict=True)]
        most = [max(pair) for pair in zip(most, placed, strict=True)]
    safe = sum(mask for (_, mask), high in zip(groups, most, strict=True) if high == 0)
    mines = sum(mask for (_, mask), low in zip(groups, least, strict=True) if low == mask.bit_count())
    return safe, mines


def _placements(needs: list[int], groups: list[tuple[int, int]], at: int) -> Iterator[list[int]]:
    """Yield how many mines are in each group from ``at`` on, for all placements that give every need."""
    if at == len(groups):
        if not any(needs):
            yield []
        return
    around, mask = groups[at]
    if any(need and not any(later >> i & 1 for later, _ in groups[at:]) for i, need in enumerate(needs)):
        return
    for mines in range(min([mask.bit_count(), *(needs[i] for i in bits(around))]) + 1):
        rest = [need - mines * (around >> i & 1) for i, need in enumerate(needs)]
        yield from ([mines, *placed] for placed in _placements(rest, groups, at + 1))
