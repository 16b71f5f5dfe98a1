"""Find a placement of all mines that fits every number and the mine total, or explain why there is none.

The counting rules come first. The search is that of Urbas (2006): area by area, the smallest first, it places
all mines of one number at a time, and backtracks when they do not fit. It takes the numbers of an area from
the front or the back of the list, at random: the direction can change the work by orders of magnitude. A
group only has a number of mines, in any of its cells. If the first solutions of the areas do not meet the
mine total, the search begins again, with the numbers of mines that each area can have (`attainable`). Then it
ends no area with a number from which the total cannot be reached.

If that takes too long, for example on boards that do not split into small areas, the constraint solver
OR-tools CP-SAT takes over: a variable for the mines of each group, an equation for each number, and one for
the mine total. It runs in one thread from a given seed, so that it always finds the same placement.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from math import comb, prod
from operator import or_
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
from bot.solver.exact import Component, TooLargeError, attainable, components, groups_of, product, tally_total
from bot.stop import NEVER, Stop

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Mines = tuple[int, ...]  # how many mines each of some groups holds
_STEPS = 5_000  # steps of the search over areas before the constraint solver takes over; tens of milliseconds
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
    board: Board,
    *,
    method: Method = Method.AUTO,
    seed: int = 0,
    stop: Stop = NEVER,
    unlike: Placement | None = None,
) -> Placement | None:
    """Return a placement of mines that fits all numbers and the total of ``board``; None if there is none.

    Flagged, question-marked and unreadable cells may hold a mine or not, like covered cells; wrong flags hold
    none. The same ``seed`` finds the same placement; ``unlike``, one for ``board``, is not found again.
    ``stop`` ends the search with its error. Raises PlacementError if the constraint solver fails,
    MissingLibraryError if it is needed but not installed.
    """
    puzzle = Puzzle.of(board) if unlike is None else unlike.puzzle
    if puzzle is None:
        return None
    if unlike is not None and (flipped := _exchangeable(puzzle, unlike)):
        mines = unlike.mines.copy()
        mines.flat[flipped] ^= True
        return Placement(puzzle, mines, unlike.method)
    chance, used, left = np.random.default_rng(seed), Method.URBAS, iter(range(_STEPS))

    def count_step() -> None:
        if method is Method.AUTO and next(left, None) is None:
            raise TooLargeError

    held = None if unlike is None else unlike.held(puzzle.groups)
    try:
        if method is Method.CONSTRAINTS:
            raise TooLargeError
        found = fillings(puzzle, chance, Stop(stop.raise_if_stopped, count_step))
        chosen = next((mines for mines in found if mines and mines != held), None)
    except TooLargeError:
        chosen, used = _by_constraints(puzzle, seed, stop, held), Method.CONSTRAINTS
    if chosen is None:
        return None
    mines = puzzle.known_mines.copy()
    for cells, number in zip(puzzle.groups, chosen, strict=True):
        if number:
            mines.flat[chance.permutation(cells)[:number]] = True
    return Placement(puzzle, mines, used)


def _exchangeable(puzzle: Puzzle, placement: Placement) -> list[int]:
    """Return one or two cells that can be flipped without changing any number; [] if there are none."""
    if puzzle.rest is None and puzzle.groups[-1]:
        return [puzzle.groups[-1][0]]
    for cells in puzzle.groups:
        held = placement.mines.flat[list(cells)].tolist()
        if any(held) and not all(held):
            return [cells[held.index(True)], cells[held.index(False)]]
    return []


# What the counting rules leave


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    """The choices that the counting rules leave on ``board``.

    ``known_mines``, bool (rows, cols), are shown or proven. The ``areas`` are the components, the smallest
    first. ``groups`` are the cells of their groups, at the end the cells that no number touches. ``numbers``
    are those of the areas, each as the indices of the groups around it and the mines in them; ``over`` are
    the indices of the numbers over each group. ``rest`` mines are in all groups; None if that is unknown.
    """

    board: Board
    known_mines: npt.NDArray[np.bool_]
    areas: list[Component]
    groups: list[tuple[int, ...]]
    numbers: list[tuple[list[int], int]]
    over: list[list[int]]
    rest: int | None

    @classmethod
    def of(cls, board: Board) -> Puzzle | None:
        """Return the puzzle of ``board``; None if the counting rules find a contradiction.

        The rules come first because each constraint that is left becomes a mask as long as the board.
        """
        states, unknown = board.states, is_one_of(*NOT_OPEN)[board.states]
        found = deduce(states, is_one_of(*SHOWN_MINES)[states], unknown)
        rest = None if board.mines is None else board.mines - int(found.mines.sum())
        if not found.possible or (rest is not None and rest < 0):
            return None
        states = np.where(unknown & ~found.places, State.WRONG_FLAG, states)
        system = System.of(Board(np.where(found.mines, State.MINE, states)))
        areas = sorted(components(system, Known()), key=lambda area: area.cells.bit_count())
        outside, groups, over = system.unknown, list[tuple[int, ...]](), list[list[int]]()
        numbers: list[tuple[list[int], int]] = []
        for area in areas:
            outside &= ~area.cells
            around: list[list[int]] = [[] for _ in area.constraints]
            for group in groups_of(area.constraints):
                for number in bits(group.constraints):
                    around[number].append(len(groups))
                over.append([len(numbers) + number for number in bits(group.constraints)])
                groups.append(tuple(bits(group.cells)))
            numbers += ((own, need) for own, (_, need) in zip(around, area.constraints, strict=True))
        return cls(board, found.mines, areas, [*groups, tuple(bits(outside))], numbers, over, rest)

    def allowed(self, stop: Stop) -> list[int]:
        """Return masks of numbers of mines: so many in the first 0, 1, 2, ... areas leave room for the rest.

        An area that is too large for `attainable` counts as if it could have any number.
        """
        outside = len(self.groups[-1])
        allowed = [-1 if self.rest is None else (1 << outside + 1) - 1 << self.rest >> outside]
        for area in reversed(self.areas):
            stop.raise_if_stopped()
            try:
                inside = attainable(area)
            except TooLargeError:
                inside = (1 << area.cells.bit_count() + 1) - 1
            allowed.append(reduce(or_, (allowed[-1] >> mines for mines in bits(inside)), 0))
        return allowed[::-1]

    def filled(self, mines: Mapping[int, int]) -> Mines | None:
        """Return the numbers of mines in all groups, from those in the areas; None if the total is wrong."""
        rest = 0 if self.rest is None else self.rest - sum(mines.values())
        fits = 0 <= rest <= len(self.groups[-1])
        return (*map(mines.__getitem__, range(len(mines))), rest) if fits else None


# The search over areas


def fillings(puzzle: Puzzle, chance: np.random.Generator, stop: Stop) -> Iterator[Mines | None]:
    """Yield all ways to fill the groups, the first one perhaps twice; None for a wrong total."""
    first, turns, mines = 0, list[range](), dict[int, int]()
    for area in puzzle.areas:
        turn = range(first, first + len(area.constraints))[:: int(chance.choice((1, -1)))]
        found = next(search(puzzle, [(number, -1) for number in turn], stop), None)
        if found is None:
            return
        first += len(turn)
        turns.append(turn)
        mines |= found
    yield puzzle.filled(mines)
    possible, *ends = puzzle.allowed(stop)
    pairs = zip(turns, ends, strict=True)
    order = [(number, end if number == turn[-1] else -1) for turn, end in pairs for number in turn]
    yield from map(puzzle.filled, search(puzzle, order, stop)) if possible & 1 else ()


def search(puzzle: Puzzle, order: Sequence[tuple[int, int]], stop: Stop) -> Iterator[dict[int, int]]:
    """Yield all ways to fill the groups around some numbers, as the numbers of mines in them.

    ``order`` has these numbers, each with the mask of how many mines there may be in all after it.
    """
    mines: dict[int, int] = {}  # in the groups that are filled so far
    inside = 0  # all of these

    def need(number: int) -> int:
        groups, around = puzzle.numbers[number]
        return around - sum(mines.get(group, 0) for group in groups)

    def fits(number: int) -> bool:
        groups, _ = puzzle.numbers[number]
        return 0 <= need(number) <= sum(len(puzzle.groups[group]) for group in groups if group not in mines)

    def placed(number: int, allowed: int) -> Iterator[bool]:
        """Place the mines of ``number`` in all ways that fit the others, one by one; yield True for each."""
        nonlocal inside
        open_ = [group for group in puzzle.numbers[number][0] if group not in mines]
        near = {other for group in open_ for other in puzzle.over[group]}
        count = need(number)
        inside += count
        sizes = [range(min(count, len(puzzle.groups[group])) + 1) for group in open_]
        ways = (way for way in itertools.product(*sizes) if sum(way) == count)
        for way in ways if allowed >> inside & 1 else ():
            stop.raise_if_stopped()
            mines.update(zip(open_, way, strict=True))
            if all(map(fits, near)):
                yield True
        inside -= count
        for group in open_:
            mines.pop(group, None)

    turns: list[Iterator[bool]] = []
    while True:
        if len(turns) < len(order):
            turns.append(placed(*order[len(turns)]))
        else:
            yield mines.copy()
        while turns and not next(turns[-1], False):
            turns.pop()
        if not turns:
            return


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
        with needs("the constraint solver for large boards (all but --method urbas)"):
            from ortools.sat.python import cp_model  # takes a second, and small boards do not need it
        self.library, self.model, total = cp_model, cp_model.CpModel(), cp_model.LinearExpr.sum
        self.held = [self.model.new_int_var(0, len(cells), "") for cells in puzzle.groups]
        self.mines = total(self.held)
        for groups, need in puzzle.numbers:
            self.model.add(total([self.held[group] for group in groups]) == need)
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


def count_placements(placement: Placement, stop: Stop = NEVER) -> tuple[int, int]:
    """Return how many placements fit the board of ``placement``, which is one of them, and 0.

    If an area is too wide to count, return the least that it may be, and the number of cells of the widest
    such area. ``stop`` is asked between the areas, and ends the count with its error.
    """
    puzzle, totals, too_wide = placement.puzzle, list[list[int]](), 0
    for area in puzzle.areas:
        stop.raise_if_stopped()
        try:
            totals.append(tally_total(area, _BUDGET))
        except TooLargeError:  # a lower bound: the solutions with the same number of mines in each group
            too_wide = max(too_wide, area.cells.bit_count())
            groups = [cells for cells in puzzle.groups if cells and area.cells >> cells[0] & 1]
            held = placement.held(groups)
            totals.append([0] * sum(held) + [prod(map(comb, map(len, groups), held))])
    size, rest, number = len(puzzle.groups[-1]), puzzle.rest, 0
    for inside, count in enumerate(product(totals)):
        if rest is None:
            number += count << size
        elif inside <= rest:
            number += count * comb(size, rest - inside)
    return number, too_wide


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
    most = known + len(puzzle.groups[-1])
    try:
        for area in puzzle.areas:
            stop.raise_if_stopped()
            inside = attainable(area)
            least, most = least + (inside & -inside).bit_length() - 1, most + inside.bit_length() - 1
        return least, most
    except TooLargeError:
        equations, bounds = Equations(puzzle), list[int]()
    for sign in (1, -1):
        equations.model.minimize(sign * equations.mines)
        solver, _ = equations.solve(0, stop, _EFFORT)
        bounds.append(known + sign * round(solver.best_objective_bound))
    return bounds[0], bounds[1]
