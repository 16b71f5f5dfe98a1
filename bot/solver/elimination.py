"""Counting the solutions of one component exactly, one group of cells after another.

Cells under the same constraints form a *group*: only the number of mines among them matters. The groups
of a component are taken in an order that keeps few constraints open. A *state* is what the constraints
still need after some groups; all placements that lead to the same state are counted together.

A count of solutions by their number of mines is a polynomial, and stands here in one int: the count for
``m`` mines in the ``width`` bits from bit ``m * width``. A component of n cells has at most 2**n solutions,
so that n + 1 bits never overflow, and sums and products of such ints are those of the polynomials.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from bot.solver.constraints import System, bits
from bot.solver.counting import Known

SLOT = 4  # bits for what one constraint still needs: at most 8
WATCHED = 8  # where the slot of the watched mines begins; each of them takes one off
POLYNOMIAL = 50_000  # cells to the power of three, at which multiplying costs as much as the rest of a state
_CHEAP = 300  # states in an order of groups, to which it does not pay to look for a better one


class TooLargeError(Exception):
    """A component has more states than the budget allows. Caught inside the solver."""


@dataclass(frozen=True, slots=True)
class Component:
    """Constraints that share cells, directly or over others, reduced to the cells that are still open.

    Each of ``constraints`` is (mask of cells, mines among them); ``sources`` is the mask of the constraints
    of the system that they come from, ``cells`` the mask of all cells. Mines in ``watch`` are counted apart.
    """

    constraints: tuple[tuple[int, int], ...]
    sources: int
    cells: int
    watch: int = 0

    def joined(self, other: Component) -> Component:
        """Return the component that holds the constraints and cells of both."""
        return Component(
            self.constraints + other.constraints,
            self.sources | other.sources,
            self.cells | other.cells,
            self.watch | other.watch,
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that stand under the same constraints; ``constraints`` is a mask of indices in the component."""

    cells: int
    constraints: int
    watched: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One group in its turn: what each number of mines does to a state, and how many ways there are.

    ``unit`` is taken off the state for each mine. ``limits`` holds (shift of a constraint's slot, cells of
    it that come later). ``ways[k]`` is the polynomial of k mines in the group, ``with_mine[k]`` that of those
    in which one cell of it, named beforehand, is a mine.
    """

    unit: int
    limits: tuple[tuple[int, int], ...]
    ways: tuple[int, ...]
    with_mine: tuple[int, ...]

    def choices(self, state: int) -> range:
        """Return the numbers of mines after which no constraint is over-full or out of reach."""
        least, most = 0, len(self.ways) - 1
        for shift, later in self.limits:
            need = state >> shift & (1 << SLOT) - 1
            if need < most:
                most = need
            if need - later > least:
                least = need - later
        return range(least, most + 1)


@dataclass(frozen=True, slots=True)
class Tally:
    """The solutions of a component by their number of mines: index m holds those with m mines.

    ``total`` counts all of them, ``mines`` for each cell those in which it is a mine.
    """

    total: list[int]
    mines: dict[int, list[int]]


def components(system: System, known: Known) -> list[Component]:
    """Split the open constraints of numbers into independent components."""
    sources: dict[tuple[int, int], int] = {}
    for index in bits(system.numbers):
        rest = system.masks[index] & ~known.settled
        if rest:
            need = system.needs[index] - (system.masks[index] & known.mines).bit_count()
            sources[rest, need] = sources.get((rest, need), 0) | 1 << index
    parts: list[Component] = []
    for constraint, source in sources.items():
        part = Component((constraint,), source, constraint[0])
        for other in [other for other in parts if other.cells & constraint[0]]:
            parts.remove(other)
            part = part.joined(other)
        parts.append(part)
    return parts


def tally(component: Component, budget: int) -> Tally:
    """Return the solutions of ``component``, in all and for each cell.

    Raises TooLargeError if more than ``budget`` is spent: one for each state, more where the polynomials are
    long.
    """
    groups = _ordered(_groups(component))
    width = component.cells.bit_count() + 1
    steps = _steps(component, groups, width)
    layers = _forward(component, steps, budget)
    behind = {0: 1} if 0 in layers[-1] else {}
    mines: dict[int, list[int]] = {}
    for group, step, layer in zip(reversed(groups), reversed(steps), reversed(layers[:-1]), strict=True):
        behind, marked = _backward(step, layer, behind)
        mines.update(dict.fromkeys(bits(group.cells), _unpacked(marked, width)))
    return Tally(_unpacked(layers[-1].get(0, 0), width), mines)


def _backward(step: Step, layer: dict[int, int], behind: dict[int, int]) -> tuple[dict[int, int], int]:
    """Return for each state before ``step`` the ways to the end, and the solutions with one cell a mine.

    ``layer`` holds the placements that lead to these states, ``behind`` the ways on from those after it.
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


def attainable(component: Component, budget: int) -> int:
    """Return the numbers of mines that solutions of ``component`` can have, as a mask; 0 if there is none.

    Much quicker than counting. Raises TooLargeError after ``budget`` states.
    """
    reached = {_start(component): 1}
    for step in _steps(component, _ordered(_groups(component)), width=0):
        layer, reached = reached, {}
        for state, before in layer.items():
            for k in step.choices(state):
                target = state - k * step.unit
                reached[target] = reached.get(target, 0) | before << k
        budget -= len(reached)
        if budget < 0:
            raise TooLargeError
    return next(iter(reached.values()), 0)


def sums(first: int, second: int) -> int:
    """Return the mask of all sums of a number of ``first`` and a number of ``second``."""
    sums = 0
    for number in bits(first):
        sums |= second << number
    return sums


def tally_total(component: Component, budget: int) -> list[int]:
    """Return the solutions of ``component`` by their number of mines, as `tally` does, without the cells."""
    return tally_watched(component, budget).get(0, [])


def tally_watched(component: Component, budget: int) -> dict[int, list[int]]:
    """Return the solutions of ``component`` apart for each number of mines among its watched cells.

    The lists are by the number of mines in the whole component. Raises TooLargeError as `tally` does.
    """
    width = component.cells.bit_count() + 1
    steps = _steps(component, _ordered(_groups(component)), width)
    shift = SLOT * len(component.constraints)
    last = _forward(component, steps, budget)[-1]
    begin = WATCHED if component.watch else 0
    return {begin - (state >> shift): _unpacked(ways, width) for state, ways in last.items()}


def _forward(component: Component, steps: list[Step], budget: int) -> list[dict[int, int]]:
    """Return for each moment the states that can be reached, with the placements that lead there."""
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
    needs = [need for _, need in component.constraints] + [WATCHED] * bool(component.watch)
    return sum(need << SLOT * index for index, need in enumerate(needs))


def _groups(component: Component) -> list[Group]:
    under: dict[int, int] = {}
    for index, (mask, _) in enumerate(component.constraints):
        for cell in bits(mask):
            under[cell] = under.get(cell, 0) | 1 << index
    groups: dict[tuple[int, bool], int] = {}
    for cell in bits(component.cells):
        key = under.get(cell, 0), bool(component.watch >> cell & 1)
        groups[key] = groups.get(key, 0) | 1 << cell
    return [Group(cells, constraints, watched) for (constraints, watched), cells in groups.items()]


def _ordered(groups: list[Group]) -> list[Group]:
    """Return the groups in a greedy order from an end; if that is dear, perhaps back from where it led."""
    if not groups:
        return []
    first = min(groups, key=lambda group: group.constraints.bit_count())
    there, cost_there = _greedy(groups, first)
    if cost_there <= _CHEAP:
        return there
    back, cost_back = _greedy(groups, there[-1])
    return there if cost_there <= cost_back else back


def _greedy(groups: list[Group], first: Group) -> tuple[list[Group], int]:
    """Order the groups so that each opens few new constraints and closes many; and what it will cost."""
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


def _steps(component: Component, groups: Iterable[Group], width: int) -> list[Step]:
    later = [mask for mask, _ in component.constraints]
    steps = []
    for group in groups:
        limits = []
        unit = int(group.watched) << SLOT * len(component.constraints)
        for index in bits(group.constraints):
            later[index] &= ~group.cells
            limits.append((SLOT * index, later[index].bit_count()))
            unit |= 1 << SLOT * index
        size = group.cells.bit_count()
        ways = tuple(comb(size, k) << k * width for k in range(size + 1))
        with_mine = (0, *(comb(size - 1, k) << (k + 1) * width for k in range(size)))
        steps.append(Step(unit, tuple(limits), ways, with_mine))
    return steps


def _unpacked(packed: int, width: int) -> list[int]:
    counts, ones = [], (1 << width) - 1
    while packed:
        counts.append(packed & ones)
        packed >>= width
    return counts
