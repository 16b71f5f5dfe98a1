"""The exact chance of a mine in each cell, by counting all solutions, and what is certain by it.

The components are counted apart (`elimination`) and put together by their number of mines; the rest of the
mines lie anywhere outside the frontier. Everything is an integer, so that zero is exact and a proof.

With the mine total known, each solution counts 1. With the total unknown, every total from none to all
cells is taken to be as likely as any other before the game, and all placements of one total as likely as
each other: on a board of N cells a solution with t mines then counts t! (N - t)!, and what is already
open tells how dense the mines are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from math import comb, factorial

from bot.board import Board, Cell
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, count, propagate
from bot.solver.elimination import (
    Component,
    TooLargeError,
    attainable,
    components,
    sums,
    tally,
    tally_total,
    tally_watched,
)

BUDGET = 1_000_000  # for one component; a few seconds of plain Python
CHECK_BUDGET = 20_000  # states in one component when only asking whether anything fits


@dataclass(frozen=True, slots=True)
class Chances:
    """All solutions counted: ``solutions`` in all, ``mines`` for each open cell those with a mine in it.

    ``known`` has what these counts prove, or the clash if there is no solution. An open cell is one that
    was not settled before.
    """

    solutions: int
    mines: dict[int, int]
    known: Known


@dataclass(frozen=True, slots=True)
class Outside:
    """In how many ways mines lie in the ``size`` open cells that no number touches."""

    system: System
    size: int
    known_mines: int

    def ways(self, frontier_mines: int, fixed: int = 0) -> int:
        """Return the ways if so many mines lie on the frontier and ``fixed`` outside cells are mines."""
        size = self.size - fixed
        if self.system.total_known:
            rest = self.system.needs[-1] - self.known_mines - frontier_mines - fixed
            return comb(size, rest) if rest >= 0 else 0
        # The sum over all placements outside, times (N + 1)!, which makes it whole for every ``size``.
        everywhere = self.system.board.rows * self.system.board.cols
        inside = everywhere - size
        mines = self.system.shown_mines.bit_count() + self.known_mines + frontier_mines + fixed
        scale = factorial(everywhere + 1) // factorial(inside + 1)
        return factorial(mines) * factorial(inside - mines) * scale

    def table(self, parts: list[Component], fixed: int = 0) -> list[int]:
        """Return the ways for every number of mines that the cells of ``parts`` can hold."""
        return [self.ways(mines, fixed) for mines in range(sum(part.cells.bit_count() for part in parts) + 1)]

    def weigh(self, counts: list[int], fixed: int = 0) -> int:
        """Return the solutions of the whole board, given those of the frontier by number of mines."""
        return sum(number * self.ways(mines, fixed) for mines, number in enumerate(counts) if number)


def solution_counts(board: Board) -> tuple[int, dict[Cell, int]]:
    """Return the number of solutions of ``board``, and for each unknown cell those with a mine in it.

    With the mine total unknown, solutions have the weights that the module describes. Raises TooLargeError if
    the frontier is too wide to be counted in reasonable time.
    """
    system = System.of(board)
    known = count(system, Known())
    chances = solve(system, known) if not known.clash else Chances(0, {}, known)
    counts = {**chances.mines, **dict.fromkeys(bits(known.safe), 0)}
    counts.update(dict.fromkeys(bits(known.mines), chances.solutions))
    return chances.solutions, {system.cell(i): counts.get(i, 0) for i in bits(system.unknown)}


def solve(system: System, known: Known, budget: int = BUDGET) -> Chances:
    """Count all solutions that are left when ``known`` is settled.

    Raises TooLargeError if a component has more states than ``budget``.
    """
    parts = components(system, known)
    tallies = [tally(part, budget) for part in parts]
    empty = [part.sources for part, found in zip(parts, tallies, strict=True) if not any(found.total)]
    if empty:
        return Chances(0, {}, _clash(system, known, empty[0]))
    outside_cells = _outside_cells(system, known, parts)
    outside = Outside(system, outside_cells.bit_count(), known.mines.bit_count())
    behind = _all_folded([found.total for found in tallies], outside.table(parts))
    solutions = behind[-1][0]
    if not solutions:
        return Chances(0, {}, _clash(system, known, system.everything))
    mines, proofs = {}, {}
    if outside_cells:
        with_mine = _all_folded([found.total for found in tallies], outside.table(parts, 1))[-1][0]
        mines = dict.fromkeys(bits(outside_cells), with_mine)
        proofs = dict.fromkeys(mines, system.everything)
    before = [1]
    for part, found, after in zip(reversed(parts), reversed(tallies), reversed(behind[:-1]), strict=True):
        rest = _folded(before, after)
        before = _times(before, found.total)
        alone = _support(system, known, part.sources)
        for cell, counts in found.mines.items():
            mines[cell] = sum(a * b for a, b in zip(counts, rest, strict=False))
            by_itself = not any(counts) or counts == found.total
            proofs[cell] = alone if by_itself else system.everything
    certain = {cell: proofs[cell] for cell, number in mines.items() if number == solutions}
    never = {cell: proofs[cell] for cell, number in mines.items() if number == 0}
    return Chances(solutions, mines, known.extended(certain, never))


def prove_parts(system: System, known: Known, budget: int = BUDGET) -> Known:
    """Return ``known`` with what single components prove, leaving out those too large to be counted."""
    mines: dict[int, int] = {}
    safe: dict[int, int] = {}
    for part in components(system, known):
        try:
            found = tally(part, budget)
        except TooLargeError:
            continue
        if not any(found.total):
            return _clash(system, known, part.sources)
        proof = _support(system, known, part.sources)
        mines.update({cell: proof for cell, counts in found.mines.items() if counts == found.total})
        safe.update({cell: proof for cell, counts in found.mines.items() if not any(counts)})
    return known.extended(mines, safe)


def clash_of(system: System, known: Known, budget: int = CHECK_BUDGET) -> Known:
    """Return ``known``, with its clash if no placement of mines fits.

    Components too large to be checked are taken to fit, and then so is the total.
    """
    parts = components(system, known)
    possible = 1
    for part in parts:
        try:
            mines = attainable(part, budget)
        except TooLargeError:
            return known
        if not mines:
            return _clash(system, known, part.sources)
        possible = sums(possible, mines)
    outside = _outside_cells(system, known, parts).bit_count()
    rest = system.needs[-1] - known.mines.bit_count() if system.total_known else 0
    fitting = any(0 <= rest - mines <= outside for mines in bits(possible))
    return known if fitting or not system.total_known else _clash(system, known, system.everything)


def fits(board: Board) -> bool:
    """Return whether any placement of mines fits ``board``; True if that takes too long to tell."""
    system = System.of(board)
    known = count(system, Known())
    return not (known.clash or clash_of(system, known).clash)


def mines_possible(system: System, budget: int = CHECK_BUDGET) -> tuple[int, int]:
    """Return the fewest and the most mines that the numbers allow in the unknown cells, total aside.

    The bounds are wider than need be for components that are too large to be checked. To be called where some
    placement of mines satisfies the numbers.
    """
    known = count(system, Known())
    parts = components(system, known)
    least, most = known.mines.bit_count(), (system.unknown & ~known.safe).bit_count()
    for part in parts:
        try:
            mines = attainable(part, budget)
        except TooLargeError:
            continue
        least += (mines & -mines).bit_length() - 1
        most -= part.cells.bit_count() - (mines.bit_length() - 1)
    return least, most


def numbers_shown(system: System, known: Known, cell: int, budget: int = BUDGET) -> dict[int, int]:
    """Return in how many solutions ``cell`` is safe and shows each number; only numbers it can show.

    Raises TooLargeError as `solve` does.
    """
    supposed = propagate(system, known.extended({}, {cell: 0}), system.touching.get(cell, 0) | system.total)
    if supposed.clash:
        return {}
    around = system.around(cell)
    watch = around & system.unknown & ~supposed.settled
    watched, others = Component((), 0, watch, watch), []
    for part in components(system, supposed):
        if part.cells & watch:
            watched = watched.joined(part)
        else:
            others.append(part)
    rest = product([tally_total(part, budget) for part in others])
    outside_cells = _outside_cells(system, supposed, [watched, *others])
    outside = Outside(system, outside_cells.bit_count(), supposed.mines.bit_count())
    certain = (around & (supposed.mines | system.shown_mines)).bit_count()
    weights = {
        certain + number: outside.weigh(product([rest, counts]))
        for number, counts in tally_watched(watched, budget).items()
    }
    return {number: weight for number, weight in weights.items() if weight}


def product(factors: Iterable[list[int]]) -> list[int]:
    """Multiply polynomials given by their coefficients."""
    return reduce(_times, factors, [1])


def _times(first: list[int], second: list[int]) -> list[int]:
    result = [0] * (len(first) + len(second) - 1) if first and second else []
    for i, a in enumerate(first):
        if a:
            for j, b in enumerate(second, i):
                result[j] += a * b
    return result


def _all_folded(totals: list[list[int]], ways: list[int]) -> list[list[int]]:
    """Fold the polynomials into ``ways`` one after the other; return what was there before and after each."""
    folded = [ways]
    for counts in totals:
        folded.append(_folded(counts, folded[-1]))
    return folded


def _folded(counts: list[int], ways: list[int]) -> list[int]:
    """Return for each number of mines in what is left the ways of all that lies elsewhere.

    ``ways`` is that before one part, whose solutions by number of mines are ``counts``, went elsewhere.
    """
    return [
        sum(number * ways[own + mines] for mines, number in enumerate(counts) if number)
        for own in range(len(ways) - len(counts) + 1)
    ]


def _outside_cells(system: System, known: Known, parts: list[Component]) -> int:
    inside = known.settled
    for part in parts:
        inside |= part.cells
    return system.unknown & ~inside


def _support(system: System, known: Known, sources: int) -> int:
    """Return the constraints ``sources`` and those that prove the cells settled among theirs."""
    cells = 0
    for index in bits(sources):
        cells |= system.masks[index]
    return sources | known.reasons(cells)


def _clash(system: System, known: Known, sources: int) -> Known:
    return Known(known.mines, known.safe, known.because, clash=_support(system, known, sources))
