"""Exact risks, and proofs, by counting all solutions in plain Python.

Cells under the same constraints form a *group*: only the number of mines among them matters. Each component
is counted alone, one group after another, in an order that keeps few constraints open. A *state* is the
number of mines that each constraint still needs after some groups. All placements that lead to the same state
are counted together. Then the components are combined by their numbers of mines; the other mines lie anywhere
off the frontier. All counts are integers, so a count of zero is exact and is a proof.

The numbers of solutions with 0, 1, 2, ... mines are the coefficients of a polynomial. Within a component, one
int holds it: the count for ``m`` mines is in the ``width`` bits from bit ``m * width``. A component of n
cells has at most 2**n solutions, so n + 1 bits never overflow, and ints add and multiply as polynomials do.

If the mine total is known, each solution has weight 1. If it is unknown, all totals from 0 to the number of
cells are taken to be equally likely before the game, and so are all placements with the same total. On a
board of N cells, a solution with t mines then has weight t! (N - t)!, and the opened numbers show how dense
the mines are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import comb, factorial
from operator import or_

import numpy as np

from bot.board import Board
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, apply_counting_rules, propagate, unsettled

SLOT = 4  # bits of a state for the mines that one constraint still needs: at most 8
POLYNOMIAL = 50_000  # cells**3 at which multiplying polynomials costs as much as the rest of a state
BUDGET = 1_000_000  # cost allowed for one component: a few seconds of plain Python
CHECK_BUDGET = 20_000  # states allowed for one component in the check whether any placement fits
_CHEAP = 300  # an order of groups with at most so many states is good enough


class TooLargeError(Exception):
    """A component needs more states than the budget allows; the solver catches this error itself."""


@dataclass(frozen=True, slots=True)
class Component:
    """Constraints that share cells, directly or through other constraints, limited to unsettled cells.

    Each of ``constraints`` is (mask of its cells, number of mines in them); ``cells`` is the mask of all.
    """

    constraints: tuple[tuple[int, int], ...]
    cells: int


@dataclass(frozen=True, slots=True)
class Group:
    """Cells under the same constraints; ``constraints`` is a mask of the indices of these."""

    cells: int
    constraints: int


@dataclass(frozen=True, slots=True)
class GroupStep:
    """The step of the count that places the mines of one group, whose ``cells`` are a mask.

    ``unit`` is subtracted from the state for each mine. ``limits`` holds, for each constraint on the group,
    the shift of its slot and how many of its cells belong to later groups. ``ways[k]`` is the polynomial of
    the placements of k mines in the group, ``with_mine[k]`` of those with a mine in one particular cell.
    """

    cells: int
    unit: int
    limits: tuple[tuple[int, int], ...]
    ways: tuple[int, ...]
    with_mine: tuple[int, ...]

    def choices(self, state: int) -> range:
        """Return the numbers of mines in the group after which every constraint can still be satisfied."""
        least, most = 0, len(self.ways) - 1
        for shift, later in self.limits:
            need = state >> shift & (1 << SLOT) - 1
            if need < most:
                most = need
            if need - later > least:
                least = need - later
        return range(least, most + 1)


def components(system: System, known: Known, among: int = -1) -> list[Component]:
    """Return the components of the opened numbers in the mask ``among`` (-1: all), without settled cells."""
    left = unsettled(system, known, among)
    parts, waiting = list[Component](), mask_with(left)
    while waiting:
        cells, constraints, queue = 0, dict[tuple[int, int], None](), waiting & -waiting
        while queue:
            waiting &= ~queue
            found = [left[index] for index in bits(queue)]
            constraints |= dict.fromkeys(found)
            fresh = reduce(or_, (mask for mask, _ in found)) & ~cells
            cells |= fresh
            queue = system.constraints_on(fresh) & waiting
        parts.append(Component(tuple(constraints), cells))
    return parts


def tally(component: Component) -> tuple[list[int], dict[int, list[int]]]:
    """Return the numbers of solutions with 0, 1, 2, ... mines: all, and, for each cell, with a mine in it.

    Raises TooLargeError if the cost exceeds `BUDGET`. A state costs 1, or more if the polynomials are long.
    """
    width = component.cells.bit_count() + 1
    steps = _steps(component, width)
    layers = _forward(component, steps, BUDGET)
    behind = {0: 1} if 0 in layers[-1] else {}
    mines: dict[int, list[int]] = {}
    for step, layer in zip(reversed(steps), reversed(layers[:-1]), strict=True):
        behind, marked = _backward(step, layer, behind)
        mines.update(dict.fromkeys(bits(step.cells), _unpacked(marked, width)))
    return _unpacked(layers[-1].get(0, 0), width), mines


def _backward(step: GroupStep, layer: dict[int, int], behind: dict[int, int]) -> tuple[dict[int, int], int]:
    """Return the ways from each state before ``step`` to the end, and the solutions with a mine in one cell.

    That is any one cell of the step's group. ``layer`` holds the placements that lead to each state before
    the step, ``behind`` the ways from each state after it to the end.
    """
    ahead, marked = {}, 0
    for state, before in layer.items():
        ways = with_mine = 0
        for k in step.choices(state):
            after = behind.get(state - k * step.unit)
            if after:
                ways += after * step.ways[k]
                with_mine += after * step.with_mine[k]
        if ways:
            ahead[state] = ways
            marked += before * with_mine
    return ahead, marked


def attainable(component: Component) -> int:
    """Return the mask of the numbers of mines that solutions of ``component`` have; 0 if it has none.

    This is much faster than `tally`. Raises TooLargeError if more than `CHECK_BUDGET` states are needed.
    """
    budget = CHECK_BUDGET
    reached = {_start(component): 1}
    for step in _steps(component, width=0):
        layer, reached = reached, {}
        for state, before in layer.items():
            for k in step.choices(state):
                target = state - k * step.unit
                reached[target] = reached.get(target, 0) | before << k
        budget -= len(reached)
        if budget < 0:
            raise TooLargeError
    return next(iter(reached.values()), 0)


def tally_total(component: Component, budget: int) -> list[int]:
    """Return the numbers of solutions of ``component`` with 0, 1, 2, ... mines, as `tally` does first."""
    width = component.cells.bit_count() + 1
    layers = _forward(component, _steps(component, width), budget)
    return _unpacked(layers[-1].get(0, 0), width)


def _forward(component: Component, steps: list[GroupStep], budget: int) -> list[dict[int, int]]:
    """Return the states at the start and after each step, each with the placements that lead to it."""
    weight = 1 + component.cells.bit_count() ** 3 // POLYNOMIAL
    layers = [{_start(component): 1}]
    for step in steps:
        reached: dict[int, int] = {}
        for state, before in layers[-1].items():
            for k in step.choices(state):
                target = state - k * step.unit
                reached[target] = reached.get(target, 0) + before * step.ways[k]
        layers.append(reached)
        budget -= weight * len(reached)
        if budget < 0:
            raise TooLargeError
    return layers


def _start(component: Component) -> int:
    return sum(need << SLOT * index for index, (_, need) in enumerate(component.constraints))


def groups_of(constraints: Sequence[tuple[int, int]]) -> list[Group]:
    """Return the groups of cells under ``constraints``, each of them (mask of its cells, number of mines)."""
    under: dict[int, int] = {}
    for index, (mask, _) in enumerate(constraints):
        for cell in bits(mask):
            under[cell] = under.get(cell, 0) | 1 << index
    groups: dict[int, int] = {}
    for cell in sorted(under):
        groups[under[cell]] = groups.get(under[cell], 0) | 1 << cell
    return [Group(cells, above) for above, cells in groups.items()]


def _ordered(groups: list[Group]) -> list[Group]:
    """Return the groups in a greedy order, or in the one that starts at its last group if that costs less."""
    if not groups:
        return []
    first = min(groups, key=lambda group: group.constraints.bit_count())
    there, cost_there = _greedy(groups, first)
    if cost_there <= _CHEAP:
        return there
    back, cost_back = _greedy(groups, there[-1])
    return there if cost_there <= cost_back else back


def _greedy(groups: list[Group], first: Group) -> tuple[list[Group], int]:
    """Return the groups in an order that keeps few constraints open, and the number of states it may need."""
    left: dict[int, int] = {}
    for group in groups:
        for index in bits(group.constraints):
            left[index] = left.get(index, 0) + 1
    waiting, order, opened, cost, chosen = list(groups), [], 0, 0, first
    while True:
        waiting.remove(chosen)
        order.append(chosen)
        opened |= chosen.constraints
        for index in bits(chosen.constraints):
            left[index] -= 1
            if not left[index]:
                opened ^= 1 << index
        cost += 1 << opened.bit_count()
        if not waiting:
            return order, cost
        lone = sum(1 << index for index, count in left.items() if count == 1)
        near = [group for group in waiting if group.constraints & opened] or waiting
        chosen = min(
            near,
            key=lambda group: (
                (group.constraints & ~opened & ~lone).bit_count()
                - (group.constraints & opened & lone).bit_count()
            ),
        )


def _steps(component: Component, width: int) -> list[GroupStep]:
    later = [mask for mask, _ in component.constraints]
    steps = []
    for group in _ordered(groups_of(component.constraints)):
        limits, unit = [], 0
        for index in bits(group.constraints):
            later[index] &= ~group.cells
            limits.append((SLOT * index, later[index].bit_count()))
            unit |= 1 << SLOT * index
        size = group.cells.bit_count()
        ways = tuple(comb(size, k) << k * width for k in range(size + 1))
        with_mine = (0, *(comb(size - 1, k) << (k + 1) * width for k in range(size)))
        steps.append(GroupStep(group.cells, unit, tuple(limits), ways, with_mine))
    return steps


def _unpacked(packed: int, width: int) -> list[int]:
    counts, ones = [], (1 << width) - 1
    while packed:
        counts.append(packed & ones)
        packed >>= width
    return counts


@dataclass(frozen=True, slots=True)
class SolutionCounts:
    """The number of all ``solutions``, and of those with a mine in each cell that was unsettled (``mines``).

    ``known`` holds what these counts prove, or a clash if there is no solution.
    """

    solutions: int
    mines: dict[int, int]
    known: Known


def _ways_outside(system: System, known: Known, outside: int, frontier: int, fixed: int = 0) -> list[int]:
    """Return the ways to place the mines of ``outside`` unsettled cells off the frontier, ``fixed`` of them.

    The list has them for 0, 1, 2, ... unproven mines in the ``frontier`` cells of the frontier. If the total
    is unknown, ways are weighted as above.
    """
    size, mines = outside - fixed, known.mines.bit_count() + fixed
    if system.total_known:
        rest = system.needs[-1] - mines
        return [comb(size, rest - inside) if inside <= rest else 0 for inside in range(frontier + 1)]
    # The sum of t! (N - t)! over these placements is mines! (inside - mines)! (N + 1)! / (inside + 1)!.
    everywhere, mines = system.board.rows * system.board.cols, mines + system.shown_mines.bit_count()
    inside = everywhere - size
    scale = factorial(everywhere + 1) // factorial(inside + 1)
    return [factorial(m) * factorial(inside - m) * scale for m in range(mines, mines + frontier + 1)]


def solve(system: System, known: Known) -> SolutionCounts:
    """Count all solutions that agree with ``known``.

    Raises TooLargeError if a component has too many states.
    """
    parts = components(system, known)
    tallies = [tally(part) for part in parts]
    totals = [total for total, _ in tallies]
    outside = system.unknown & ~known.settled & ~reduce(or_, (part.cells for part in parts), 0)
    size, frontier = outside.bit_count(), sum(part.cells.bit_count() for part in parts)
    behind = [[0]]
    if all(map(any, totals)):
        behind = _all_folded(totals, _ways_outside(system, known, size, frontier))
    solutions = behind[-1][0]
    if not solutions:
        return SolutionCounts(0, {}, replace(known, clash=True))
    mines: dict[int, int] = {}
    if outside:
        with_mine = _all_folded(totals, _ways_outside(system, known, size, frontier, 1))[-1][0]
        mines = dict.fromkeys(bits(outside), with_mine)
    before = [1]
    for (total, in_cells), after in zip(reversed(tallies), reversed(behind[:-1]), strict=True):
        rest = _folded(before, after)
        before = _times(before, total)
        for cell, counts in in_cells.items():
            mines[cell] = sum(a * b for a, b in zip(counts, rest, strict=False))
    always = mask_with(cell for cell, number in mines.items() if number == solutions)
    never = mask_with(cell for cell, number in mines.items() if number == 0)
    return SolutionCounts(solutions, mines, known.extended(always, never))


def prove_parts(system: System, known: Known, among: int = -1) -> Known:
    """Return ``known`` with all that each component proves alone, or with a clash; skip too large ones.

    Only the numbers in the mask ``among`` (-1: all) are used.
    """
    mines = safe = 0
    for part in components(system, known, among):
        try:
            total, in_cells = tally(part)
        except TooLargeError:
            continue
        if not any(total):
            return replace(known, clash=True)
        mines |= mask_with(cell for cell, counts in in_cells.items() if counts == total)
        safe |= mask_with(cell for cell, counts in in_cells.items() if not any(counts))
    return known.extended(mines, safe)


def has_solution(system: System, known: Known, among: int = -1) -> bool:
    """Return whether a placement that agrees with ``known`` satisfies all constraints in ``among`` (-1: all).

    Return True if a component has too many states to check.
    """
    known = propagate(system, known, system.everything & among, among)
    if known.clash:
        return False
    counts, outside = 1, system.unknown & ~known.settled
    for part in components(system, known, among):
        try:
            mines = attainable(part)
        except TooLargeError:
            return True
        if not mines:
            return False
        counts = reduce(or_, (mines << number for number in bits(counts)))
        outside &= ~part.cells
    if not system.total & among:
        return True
    rest = system.needs[-1] - known.mines.bit_count()
    return any(0 <= rest - mines <= outside.bit_count() for mines in bits(counts))


def may_fit(board: Board) -> bool:
    """Return whether any placement of mines fits ``board``; True if the check would take too long."""
    return has_solution(System.of(board), Known())


def mines_possible(board: Board) -> tuple[int, int]:
    """Return the fewest and the most mines, with the shown ones, that the opened numbers of ``board`` allow.

    The mine total must be unknown, and some placement must fit the numbers. The bounds are too wide if a
    component is too large to check.
    """
    system = System.of(board)
    known = apply_counting_rules(system, Known())
    least = (system.shown_mines | known.mines).bit_count()
    most = (system.shown_mines | system.unknown & ~known.safe).bit_count()
    for part in components(system, known):
        try:
            mines = attainable(part)
        except TooLargeError:
            continue
        least += (mines & -mines).bit_length() - 1
        most -= part.cells.bit_count() - (mines.bit_length() - 1)
    return least, most


def product(factors: Iterable[list[int]]) -> list[int]:
    """Return the product of polynomials, each a list of coefficients."""
    return reduce(_times, factors, [1])


def _times(first: list[int], second: list[int]) -> list[int]:
    return np.convolve(np.array(first, object), np.array(second, object)).tolist() if first and second else []


def _all_folded(totals: list[list[int]], ways: list[int]) -> list[list[int]]:
    """Return ``ways``, and the results of folding ``totals`` into it one after another (see `_folded`)."""
    folded = [ways]
    for counts in totals:
        folded.append(_folded(counts, folded[-1]))
    return folded


def _folded(counts: list[int], ways: list[int]) -> list[int]:
    """Return the ways of everything outside a set of components, after one component has left the set.

    ``ways[n]`` are the ways of everything outside the whole set if the set holds n mines; the result has the
    same for the set without that component. ``counts[m]`` are the component's solutions with m mines.
    """
    folded: list[int] = np.correlate(np.array(ways, object), np.array(counts, object), "valid").tolist()
    return folded
