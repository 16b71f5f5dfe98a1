"""Find a placement of all mines that fits every number and the mine total, or explain why there is none.

The counting rules come first. The search is that of Urbas (2006): area by area, the smallest first, it places
all mines of one number at a time, and backtracks when they do not fit. It takes the numbers of an area from
the front or the back of the list, at random: the direction can change the work by orders of magnitude. A
group only has a number of mines, in any of its cells.

If that takes too long, for example on boards that do not split into small areas, the constraint solver
OR-tools CP-SAT takes over: a variable for the mines of each group, an equation for each number, and one for
the mine total. It runs in one thread from a given seed, so that it always finds the same placement.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import Enum
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bot.board import NOT_OPEN, SHOWN_MINES, Board, State, is_one_of
from bot.counting_rules import deduce, neighbour_sum
from bot.errors import PlacementError
from bot.installation import needs
from bot.solver.conflict import Blame, find_blame
from bot.solver.constraints import System, bits
from bot.solver.counting import Known
from bot.solver.exact import (
    Component,
    TooLargeError,
    attainable,
    components,
    groups_of,
    product,
    tally_total,
)
from bot.stop import NEVER, Stop

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Mines = tuple[int, ...]  # how many mines each of some groups holds
_STEPS = 5_000  # steps of the search over areas before the constraint solver takes over; tens of milliseconds
_KEPT = 2  # choices kept for each number of mines: enough to know whether there is another
_BUDGET = 200_000  # the most states for counting one area; a second of plain Python
_EFFORT = 2.0  # a limit in the constraint solver's unit, the same on every machine: about as many seconds
_INTERVAL = 0.02  # seconds between two questions whether the constraint solver may go on


class Method(Enum):
    """The method that searches for a placement."""

    AUTO = "auto"  # the search over areas, then the constraint solver if that takes too long
    URBAS = "urbas"  # the search over areas, all mines of one number at once
    CONSTRAINTS = "constraints"  # the constraint solver


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """All ``mines`` of a board, bool (rows, cols), with the shown ones, and the method that found them."""

    puzzle: Puzzle
    mines: npt.NDArray[np.bool_]
    method: Method

    @property
    def full(self) -> Board:
        """The board with every cell opened: mines shown, all other cells with their numbers."""
        states = neighbour_sum(self.mines)
        states[self.mines] = State.MINE
        states[self.puzzle.board.states == State.EXPLODED] = State.EXPLODED
        return Board(states, int(self.mines.sum()))

    def held(self, groups: Sequence[Sequence[int]]) -> Mines:
        """Return how many mines each of ``groups`` holds; their cells are indices row by row."""
        return tuple(int(self.mines.flat[list(cells)].sum()) for cells in groups)


def place(
    board: Board, *, method: Method = Method.AUTO, seed: int = 0, stop: Stop = NEVER
) -> Placement | None:
    """Return a placement of mines that fits all numbers and the total of ``board``; None if there is none.

    Flagged, question-marked and unreadable cells may hold a mine or not, like covered cells; wrong flags hold
    none. The same ``seed`` finds the same placement. ``stop`` ends the search with its error. Raises
    PlacementError if the constraint solver fails, MissingLibraryError if it is needed but not installed.
    """
    puzzle = Puzzle.of(board)
    return None if puzzle is None else _placed(puzzle, method, seed, stop)


def another(
    placement: Placement, *, method: Method = Method.AUTO, seed: int = 0, stop: Stop = NEVER
) -> Placement | None:
    """Return another placement for the board of ``placement``; None if it is the only one.

    The other arguments, and the errors, are those of `place`.
    """
    puzzle, mines = placement.puzzle, placement.mines.copy()
    if flipped := _exchangeable(puzzle, mines):
        mines.flat[flipped] ^= True
        return Placement(puzzle, mines, placement.method)
    return _placed(puzzle, method, seed, stop, unlike=placement.held(puzzle.groups))


def _exchangeable(puzzle: Puzzle, mines: npt.NDArray[np.bool_]) -> list[int]:
    """Return one or two cells that can be flipped without changing any number; [] if there are none."""
    if puzzle.rest is None and puzzle.outside:
        return [puzzle.outside[0]]
    for cells in puzzle.groups:
        held = mines.flat[list(cells)].tolist()
        if any(held) and not all(held):
            return [cells[held.index(True)], cells[held.index(False)]]
    return []


class _TooLongError(Exception):
    """The search over areas took too many steps; caught in this module."""


def _placed(
    puzzle: Puzzle, method: Method, seed: int, stop: Stop, unlike: Mines | None = None
) -> Placement | None:
    """Return a placement, None if there is none; some group must hold other mines than in ``unlike``."""
    left = iter(range(_STEPS))

    def count_step() -> None:
        if method is Method.AUTO and next(left, None) is None:
            raise _TooLongError

    chance, used = np.random.default_rng(seed), Method.URBAS
    try:
        if method is Method.CONSTRAINTS:
            raise _TooLongError
        chosen = _by_areas(puzzle, chance, Stop(stop.raise_if_stopped, count_step), unlike)
    except _TooLongError:
        chosen, used = _by_constraints(puzzle, seed, stop, unlike), Method.CONSTRAINTS
    if chosen is None:
        return None
    mines = puzzle.known_mines.copy()
    for cells, number in zip(puzzle.groups, chosen, strict=True):
        if number:
            mines.flat[chance.permutation(cells)[:number]] = True
    return Placement(puzzle, mines, used)


# What the counting rules leave


@dataclass(frozen=True, slots=True)
class Area:
    """A component: the cells of its ``groups``, groups ``under`` each number, numbers ``over`` each group.

    These are lists of indices, because the masks of the groups would need much memory on a large board.
    """

    component: Component
    groups: list[tuple[int, ...]]
    under: list[list[int]]
    over: list[list[int]]

    @classmethod
    def of(cls, component: Component) -> Area:
        """Return ``component`` as an area."""
        groups = groups_of(component.constraints)
        over = [list(bits(group.constraints)) for group in groups]
        under: list[list[int]] = [[] for _ in component.constraints]
        for group, numbers in enumerate(over):
            for number in numbers:
                under[number].append(group)
        return cls(component, [tuple(bits(group.cells)) for group in groups], under, over)


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    """The choices that the counting rules leave on ``board``.

    ``known_mines``, bool (rows, cols), are shown or proven. The smallest of the ``areas`` comes first. No
    number touches the cells ``outside``. ``rest`` mines are in all these cells; None if the total is unknown.
    """

    board: Board
    known_mines: npt.NDArray[np.bool_]
    areas: list[Area]
    outside: tuple[int, ...]
    rest: int | None

    @classmethod
    def of(cls, board: Board) -> Puzzle | None:
        """Return the puzzle of ``board``; None if the counting rules find a contradiction.

        The rules come first because each constraint that is left becomes a mask as long as the board.
        """
        states, unknown = board.states, is_one_of(*NOT_OPEN)[board.states]
        found = deduce(states, is_one_of(*SHOWN_MINES)[states], unknown)
        if not found.possible:
            return None
        states = np.where(unknown & ~found.places, State.WRONG_FLAG, states)
        system = System.of(Board(np.where(found.mines, State.MINE, states)))
        parts, outside = components(system, Known()), system.unknown
        for part in parts:
            outside &= ~part.cells
        areas = [Area.of(part) for part in sorted(parts, key=lambda part: part.cells.bit_count())]
        rest = None if board.mines is None else board.mines - int(found.mines.sum())
        return cls(board, found.mines, areas, tuple(bits(outside)), rest)

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The cells of the groups of all areas, and at the end those outside: all sets to choose from."""
        return [*itertools.chain(*(area.groups for area in self.areas)), self.outside]

    def left_outside(self, inside: int) -> int | None:
        """Return how many mines are outside if ``inside`` are in the areas; None if that is impossible."""
        rest = 0 if self.rest is None else self.rest - inside
        return rest if 0 <= rest <= len(self.outside) else None


# The search over areas

_Path = tuple["_Path", Mines] | None  # choices for the areas so far, the last one first


def _by_areas(puzzle: Puzzle, coin: np.random.Generator, stop: Stop, unlike: Mines | None) -> Mines | None:
    """Return how many mines each group holds, other than ``unlike``; None if no placement fits."""
    searches = [solutions(area, int(coin.integers(2)) == 1, stop) for area in puzzle.areas]
    firsts = list[Mines]()
    for search in searches:
        first = next(search, None)
        if first is None:
            return None
        firsts.append(first)
    outside = puzzle.left_outside(sum(map(sum, firsts)))
    if outside is not None and (chosen := (*itertools.chain(*firsts), outside)) != unlike:
        return chosen
    reached: dict[int, list[_Path]] = {0: [None]}
    for first, search in zip(firsts, searches, strict=True):
        options: dict[int, list[Mines]] = {}
        for mines in itertools.chain([first], search):
            same = options.setdefault(sum(mines), [])
            same += [mines][: _KEPT - len(same)]
        shorter, reached = reached, {}
        for before, paths in shorter.items():
            for inside, choices in options.items():
                stop.raise_if_stopped()
                longer = reached.setdefault(before + inside, [])
                both = [(path, mines) for path in paths for mines in choices]
                longer += both[: _KEPT - len(longer)]
    for inside, paths in reached.items():
        outside = puzzle.left_outside(inside)
        for path in paths if outside is not None else ():
            areas, rest = list[Mines](), path
            while rest is not None:
                rest, mines = rest
                areas.append(mines)
            if (chosen := (*itertools.chain(*reversed(areas)), outside or 0)) != unlike:
                return chosen
    return None


def solutions(area: Area, backwards: bool, stop: Stop) -> Iterator[Mines]:
    """Yield all ways to fill the groups of ``area``; ``backwards`` takes its numbers from the back."""
    sizes = list(map(len, area.groups))
    mines: dict[int, int] = {}  # in the groups that are filled so far

    def need(number: int) -> int:
        held = sum(mines.get(group, 0) for group in area.under[number])
        return area.component.constraints[number][1] - held

    def fits(number: int) -> bool:
        return 0 <= need(number) <= sum(sizes[group] for group in area.under[number] if group not in mines)

    def placed(number: int) -> Iterator[bool]:
        """Place the mines of ``number`` in all ways that fit the others, one by one; yield True for each."""
        open_ = [group for group in area.under[number] if group not in mines]
        near = {other for group in open_ for other in area.over[group]}
        for way in _ways(need(number), [sizes[group] for group in open_]):
            stop.raise_if_stopped()
            mines.update(zip(open_, way, strict=True))
            if all(map(fits, near)):
                yield True
        for group in open_:
            mines.pop(group, None)

    order = range(len(area.under))[:: -1 if backwards else 1]
    turns: list[Iterator[bool]] = []
    while True:
        if len(turns) < len(order):
            turns.append(placed(order[len(turns)]))
        else:
            yield tuple(mines[group] for group in range(len(sizes)))
        while turns and not next(turns[-1], False):
            turns.pop()
        if not turns:
            return


def _ways(need: int, sizes: Sequence[int]) -> Iterator[Mines]:
    """Return all ways to divide ``need`` mines among groups of these sizes, which have few cells together."""
    ways = itertools.product(*(range(min(need, size) + 1) for size in sizes))
    return (way for way in ways if sum(way) == need)


# The constraint solver


def _by_constraints(puzzle: Puzzle, seed: int, stop: Stop, unlike: Mines | None) -> Mines | None:
    """Return how many mines each group holds, None if no placement fits.

    The result differs from ``unlike``, in which each group must be all mines or have none.
    """
    equations = Equations(puzzle)
    if unlike is not None:
        held = zip(equations.held, puzzle.groups, unlike, strict=True)
        changes = [len(cells) - mines if before else mines for mines, cells, before in held]
        equations.model.add(equations.library.LinearExpr.sum(changes) >= 1)
    solver, status = equations.solve(seed, stop)
    if status == equations.library.INFEASIBLE:
        return None
    if status != equations.library.OPTIMAL:
        raise PlacementError(f"the constraint solver failed: {solver.status_name()}; try --method urbas")
    return tuple(solver.value(mines) for mines in equations.held)


class Equations:
    """A puzzle for OR-tools: a variable for the mines that each group holds, and their sum ``mines``."""

    def __init__(self, puzzle: Puzzle) -> None:
        with needs("solve", "the constraint solver for large boards (all but --method urbas)"):
            from ortools.sat.python import cp_model  # takes a second, and small boards do not need it
        self.library, self.model, total = cp_model, cp_model.CpModel(), cp_model.LinearExpr.sum
        self.held = [self.model.new_int_var(0, len(cells), "") for cells in puzzle.groups]
        self.mines = total(self.held)
        first = 0
        for area in puzzle.areas:
            for groups, (_, need) in zip(area.under, area.component.constraints, strict=True):
                self.model.add(total([self.held[first + group] for group in groups]) == need)
            first += len(area.groups)
        if puzzle.rest is not None:
            self.model.add(self.mines == puzzle.rest)

    def solve(self, seed: int, stop: Stop, effort: float = math.inf) -> tuple[cp_model.CpSolver, object]:
        """Search in a separate thread, so that Ctrl+C works; return the solver and its status.

        ``stop`` ends the search with its error. ``effort`` limits the search, in units of about a second; a
        search that reaches it has the status FEASIBLE or UNKNOWN.
        """
        solver = self.library.CpSolver()
        solver.parameters.max_deterministic_time = effort
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % 2**31
        solver.parameters.catch_sigint_signal = False
        with ThreadPoolExecutor(1) as thread:
            search = thread.submit(solver.solve, self.model)
            try:
                while wait([search], _INTERVAL).not_done:
                    stop.raise_if_stopped()
            finally:
                while not search.done():  # a search that has not begun yet ignores the first call
                    solver.stop_search()
                    wait([search], _INTERVAL)
        return solver, search.result()


# Counting


@dataclass(frozen=True, slots=True)
class Count:
    """The number of placements: ``number`` if ``exact``, otherwise at least ``number``."""

    number: int
    exact: bool
    too_wide: int = 0  # the number of cells of the largest area that could not be counted, 0 if none


def count_placements(placement: Placement, stop: Stop = NEVER) -> Count:
    """Return how many placements fit the board of ``placement``, which is one of them.

    ``stop`` is asked between the areas, and ends the count with its error.
    """
    puzzle, totals, too_wide = placement.puzzle, [[1]], 0
    for area in puzzle.areas:
        stop.raise_if_stopped()
        try:
            totals.append(tally_total(area.component, _BUDGET))
        except TooLargeError:  # a lower bound: the solutions with the same number of mines in each group
            too_wide = max(too_wide, area.component.cells.bit_count())
            held = placement.held(area.groups)
            totals.append([0] * sum(held) + [prod(map(comb, map(len, area.groups), held))])
    size, rest, number = len(puzzle.outside), puzzle.rest, 0
    for inside, count in enumerate(product(totals)):
        if rest is None:
            number += count << size
        elif inside <= rest:
            number += count * comb(size, rest - inside)
    return Count(number, not too_wide, too_wide)


# Why there is none


def blame(board: Board, *, stop: Stop = NEVER) -> Blame:
    """Return why no placement of mines fits ``board``; there must be none. ``stop`` is that of `place`."""

    def fits(part: Board) -> bool:
        rows, cols = np.nonzero(part.states <= 8)
        if part.mines is None and rows.size:  # only the cells around its numbers matter
            top, left = max(0, rows.min() - 1), max(0, cols.min() - 1)
            part = Board(part.states[top : rows.max() + 2, left : cols.max() + 2])
        return place(part, stop=stop) is not None

    return find_blame(board, fits, lambda part: _totals(part, stop))


def _totals(board: Board, stop: Stop) -> tuple[int, int]:
    """Return the fewest and the most mines that the numbers of ``board`` allow; some placement must fit it.

    If that would take too long to find, the fewest are too few, or the most too many.
    """
    puzzle = Puzzle.of(board)
    assert puzzle is not None
    known = least = int(puzzle.known_mines.sum())
    most = known + len(puzzle.outside)
    try:
        for area in puzzle.areas:
            stop.raise_if_stopped()
            inside = attainable(area.component)
            least, most = least + (inside & -inside).bit_length() - 1, most + inside.bit_length() - 1
        return least, most
    except TooLargeError:
        equations, bounds = Equations(puzzle), list[int]()
    for sign in (1, -1):
        equations.model.minimize(sign * equations.mines)
        solver, _ = equations.solve(0, stop, _EFFORT)
        bounds.append(known + sign * round(solver.best_objective_bound))
    return bounds[0], bounds[1]
