"""Find a placement of all mines that fits every number and the mine total, or explain why there is none.

The search is that of Urbas (2006): area by area, it places all mines of one number at a time, and backtracks
when they do not fit. It takes the numbers of an area from the front or the back of the list, at random: the
direction can change the work by orders of magnitude. A group only has a number of mines, in any of its cells.

If that takes too long, for example on boards that do not split into small areas, the constraint solver
OR-tools CP-SAT takes over: a variable for the mines of each group, an equation for each number, and one for
the mine total. It runs in one thread from a given seed, so that it always finds the same placement.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, chain, islice, takewhile
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Board, Cell, State
from bot.counting_rules import neighbour_sum
from bot.errors import PlacementError
from bot.installation import needs
from bot.solver.conflict import cannot_hold, contradicting_numbers, keep_numbers
from bot.solver.constraints import System
from bot.solver.exact import (
    Component,
    TooLargeError,
    attainable,
    may_fit,
    product,
    tally_total,
)
from bot.solver.explain.phrases import mines_words
from bot.solver.explain.proofs import Window, reaches
from bot.solver.published.puzzle import Area, Clash, Mines, Puzzle, puzzle_of
from bot.words import cell_words

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Tick = Callable[[], None]  # called at every step; ends the search by raising an exception
_STEPS = 5_000  # steps of the search over areas before the constraint solver takes over; tens of milliseconds
_SOLUTIONS = 2  # solutions kept of an area for each number of mines: enough to know whether there is another
_BUDGET = 200_000  # the most states for counting one area; a second of plain Python
# The parts searched for a contradiction: how many times each has grown, and how far apart they are in cells.
_PARTS = ((1, 3), (2, 3), (3, 6))
_MOST_CELLS = 2_000  # the most cells in a part
_OPEN = -1
_EFFORT = 2.0  # a limit in the constraint solver's unit, the same on every machine: about as many seconds
_INTERVAL = 0.02  # seconds between two calls of ``check``


class Method(Enum):
    """The method that searches for a placement."""

    AUTO = "auto"  # the search over areas, then the constraint solver if that takes too long
    URBAS = "urbas"  # the search over areas, all mines of one number at once
    CONSTRAINTS = "constraints"  # the constraint solver


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """All mines of ``board``, bool (rows, cols), including shown ones, and the method that found them."""

    board: Board
    mines: npt.NDArray[np.bool_]
    method: Method

    @property
    def full(self) -> Board:
        """The board with every cell opened: mines shown, all other cells with their numbers."""
        states = neighbour_sum(self.mines)
        states[self.mines] = State.MINE
        states[self.board.states == State.EXPLODED] = State.EXPLODED
        return Board(states, int(self.mines.sum()))

    def held(self, cells: Sequence[int]) -> int:
        """Return how many of ``cells``, which are indices row by row, are mines."""
        return int(self.mines.flat[list(cells)].sum())


class _TooLongError(Exception):
    """The search over areas took too many steps; caught in this module."""


def _never() -> None:
    """Do nothing: a ``check`` that never ends the search."""


def place(
    board: Board, *, method: Method = Method.AUTO, seed: int = 0, check: Tick = _never
) -> Placement | None:
    """Return a placement of mines that fits all numbers and the total of ``board``; None if there is none.

    Flagged, question-marked and unreadable cells may hold a mine or not, like covered cells; wrong flags hold
    none. The same ``seed`` finds the same placement. ``check`` is called repeatedly and ends the search by
    raising an exception. Raises PlacementError if the constraint solver is needed and cannot be used.
    """
    puzzle = puzzle_of(board)
    if isinstance(puzzle, Clash) or not puzzle.has_room:
        return None
    found, used = _tried(puzzle, method, seed, check)
    return _placement(puzzle, found[0], used, seed) if found else None


def another(
    board: Board,
    placement: Placement,
    *,
    method: Method = Method.AUTO,
    seed: int = 0,
    check: Tick = _never,
) -> Placement | None:
    """Return a placement other than ``placement``, which fits ``board``; None if it is the only one.

    The arguments are those of `place`.
    """
    puzzle = puzzle_of(board)
    if isinstance(puzzle, Clash):
        return None
    if exchanged := _exchanged(puzzle, placement.mines):
        mines = placement.mines.copy()
        for cell in exchanged:
            mines.flat[cell] = not mines.flat[cell]
        return Placement(board, mines, placement.method)
    first = tuple(map(placement.held, puzzle.free))
    found, used = _tried(puzzle, method, seed, check, unlike=first)
    others = [chosen for chosen in found if chosen != first]
    return _placement(puzzle, others[0], used, seed) if others else None


def _tried(
    puzzle: Puzzle, method: Method, seed: int, check: Tick, unlike: Mines | None = None
) -> tuple[Sequence[Mines], Method]:
    """Return up to two choices, and the method used; with ``unlike``, one differs from it if any does."""
    left = iter(range(_STEPS))

    def tick() -> None:
        check()
        if method is Method.AUTO and next(left, None) is None:
            raise _TooLongError

    if method is not Method.CONSTRAINTS:
        try:
            coin = np.random.default_rng(seed)
            return choose(puzzle, coin, tick, most=1 if unlike is None else 2), Method.URBAS
        except _TooLongError:
            pass
    chosen = _by_constraints(puzzle, seed, check, unlike)
    return [] if chosen is None else [chosen], Method.CONSTRAINTS


def _placement(puzzle: Puzzle, chosen: Mines, method: Method, seed: int) -> Placement:
    """Return the placement with ``chosen`` mines in each group, in random cells of the group."""
    anywhere = np.random.default_rng(seed)
    mines = np.isin(puzzle.board.states, tuple(SHOWN_MINES))
    mines.flat[list(puzzle.forced)] = True
    for cells, number in zip(puzzle.free, chosen, strict=True):
        if number:
            mines.flat[anywhere.permutation(cells)[:number]] = True
    return Placement(puzzle.board, mines, method)


def _exchanged(puzzle: Puzzle, mines: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return one or two cells that can be flipped without changing any number; () if there are none."""
    if puzzle.rest is None and puzzle.outside:
        return puzzle.outside[:1]
    for cells in puzzle.free:
        held = [cell for cell in cells if mines.flat[cell]]
        if 0 < len(held) < len(cells):
            return held[0], next(cell for cell in cells if cell not in held)
    return ()


# The search over areas


def choose(puzzle: Puzzle, coin: np.random.Generator, tick: Tick, most: int = 1) -> list[Mines]:
    """Return up to ``most`` (at most 2) different ways to fill all sets of ``puzzle.free``, [] for none.

    An exception from ``tick`` ends the search.
    """
    searches = [solutions(area, int(coin.integers(2)) == 1, tick) for area in puzzle.areas]
    firsts = []
    for search in searches:
        first = next(search, None)
        if first is None:
            return []
        firsts.append(first)
    outside = _outside(puzzle, sum(map(sum, firsts)))
    if most == 1 and outside is not None:
        return [(*chain(*firsts), outside)]
    options = []
    for first, search in zip(firsts, searches, strict=True):
        by_mines: dict[int, list[Mines]] = {}
        for mines in chain([first], search):
            same = by_mines.setdefault(sum(mines), [])
            if len(same) < _SOLUTIONS:
                same.append(mines)
        options.append(list(chain(*by_mines.values())))
    return list(islice(_combined(puzzle, options, tick, most), most))


def _outside(puzzle: Puzzle, inside: int) -> int | None:
    """Return the mines in unconstrained cells if ``inside`` are in the areas; None if that is impossible."""
    if puzzle.rest is None:
        return 0
    rest = puzzle.rest - inside
    return rest if 0 <= rest <= len(puzzle.outside) else None


_Path = tuple["_Path", Mines] | None  # solutions of the areas so far, the last one first


def _combined(puzzle: Puzzle, options: Sequence[Sequence[Mines]], tick: Tick, most: int) -> Iterator[Mines]:
    """Yield choices of one solution for each area that meet the total, up to ``most`` for each sum."""
    reached: dict[int, list[_Path]] = {0: [None]}
    for of_area in options:
        further: dict[int, list[_Path]] = {}
        for mines in of_area:
            inside = sum(mines)
            for before, paths in reached.items():
                tick()
                room = further.setdefault(before + inside, [])
                room += [(path, mines) for path in paths[: most - len(room)]]
        reached = further
    for inside, paths in reached.items():
        outside = _outside(puzzle, inside)
        for path in paths if outside is not None else ():
            areas, rest = list[Mines](), path
            while rest is not None:
                rest, mines = rest
                areas.append(mines)
            yield (*chain(*reversed(areas)), outside or 0)


@dataclass(slots=True)
class _Turn:
    """The open groups of one number, the untried ways to fill them, and the way that is placed now."""

    groups: tuple[int, ...]
    ways: Iterator[Mines]
    placed: Mines | None = None


def solutions(area: Area, backwards: bool, tick: Tick) -> Iterator[Mines]:
    """Yield all ways to fill the groups of ``area``; ``backwards`` takes its numbers from the back."""
    sizes, mines = list(map(len, area.groups)), [_OPEN] * len(area.groups)
    needs = [need for _, need in area.numbers]
    rooms = [sum(sizes[group] for group in groups) for groups, _ in area.numbers]
    touching: list[list[int]] = [[] for _ in sizes]  # the numbers of each group
    for number, (groups, _) in enumerate(area.numbers):
        for group in groups:
            touching[group].append(number)

    def put(groups: tuple[int, ...], way: Mines, sign: int) -> None:
        for group, held in zip(groups, way, strict=True):
            mines[group] = held if sign > 0 else _OPEN
            for number in touching[group]:
                needs[number] -= sign * held
                rooms[number] -= sign * sizes[group]

    def next_way(turn: _Turn) -> bool:
        """Replace what ``turn`` placed by its next way that fits the numbers; return whether there is one."""
        if turn.placed is not None:
            put(turn.groups, turn.placed, -1)
        for way in turn.ways:
            tick()
            put(turn.groups, way, 1)
            near = chain(*(touching[group] for group in turn.groups))
            if all(0 <= needs[number] <= rooms[number] for number in near):
                turn.placed = way
                return True
            put(turn.groups, way, -1)
        return False

    order = range(len(needs))[:: -1 if backwards else 1]
    turns: list[_Turn] = []
    while True:
        if len(turns) < len(order):
            number = order[len(turns)]
            open_ = tuple(group for group in area.numbers[number][0] if mines[group] == _OPEN)
            turns.append(_Turn(open_, _ways(needs[number], [sizes[group] for group in open_])))
        else:
            yield tuple(mines)
        while turns and not next_way(turns[-1]):
            turns.pop()
        if not turns:
            return


def _ways(need: int, sizes: Sequence[int]) -> Iterator[Mines]:
    """Yield all ways to divide ``need`` mines among groups of these sizes."""
    if not sizes:
        if not need:
            yield ()
        return
    for here in range(max(0, need - sum(sizes[1:])), min(need, sizes[0]) + 1):
        for others in _ways(need - here, sizes[1:]):
            yield (here, *others)


# The constraint solver


def _by_constraints(puzzle: Puzzle, seed: int, check: Tick, unlike: Mines | None = None) -> Mines | None:
    """Return the number of mines in each group of ``puzzle.free``, None if no placement fits.

    The result must differ from ``unlike``, in which each group must be all mines or have none. An exception
    from ``check`` ends the search. Raises PlacementError if the solver is not installed or fails.
    """
    model = _Model(puzzle, total=True)
    if unlike is not None:
        held = zip(model.variables, puzzle.free, unlike, strict=True)
        changes = [variable if not mines else len(group) - variable for variable, group, mines in held]
        model.model.add(model.sum(changes) >= 1)
    solver, status = model.run(seed, check)
    if status == model.library.INFEASIBLE:
        return None
    if status not in (model.library.OPTIMAL, model.library.FEASIBLE):
        raise PlacementError(f"the constraint solver failed: {solver.status_name()}; try --method urbas")
    return tuple(solver.value(variable) for variable in model.variables)


def _mines_bound(puzzle: Puzzle, check: Tick, *, most: bool) -> tuple[int, bool]:
    """Return the fewest or ``most`` mines besides forced ones, and whether there is a placement with so many.

    The numbers must be satisfiable; the total is ignored. If the true bound would take too long to find, a
    wider bound is returned.
    """
    model = _Model(puzzle, total=False)
    mines = model.sum(model.variables)
    model.model.maximize(mines) if most else model.model.minimize(mines)
    solver, status = model.run(0, check, effort=_EFFORT)
    return round(solver.best_objective_bound), status == model.library.OPTIMAL


class _Model:
    """The equations of a puzzle for OR-tools, and the search for a solution of them."""

    def __init__(self, puzzle: Puzzle, *, total: bool) -> None:
        with needs("solve", "the constraint solver for large boards (all but --method urbas)"):
            from ortools.sat.python import cp_model  # takes a second, and small boards do not need it
        self.library, self.sum = cp_model, cp_model.LinearExpr.sum
        self.model = model = cp_model.CpModel()
        self.variables = [model.new_int_var(0, len(group), "") for group in puzzle.free]
        first = 0
        for area in puzzle.areas:
            for groups, need in area.numbers:
                model.add(self.sum([self.variables[first + group] for group in groups]) == need)
            first += len(area.groups)
        if total and puzzle.rest is not None:
            model.add(self.sum(self.variables) == puzzle.rest)

    def run(self, seed: int, check: Tick, effort: float = math.inf) -> tuple[cp_model.CpSolver, object]:
        """Search in a separate thread, so that Ctrl+C works; return the solver and its status.

        ``check`` is called repeatedly; an exception in it ends the search. ``effort`` limits the search, in
        units of about a second; a search that reaches it has the status FEASIBLE or UNKNOWN.
        """
        solver, statuses = self.library.CpSolver(), list[object]()
        solver.parameters.max_deterministic_time = effort
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % 2**31
        solver.parameters.catch_sigint_signal = False
        search = threading.Thread(target=lambda: statuses.append(solver.solve(self.model)), daemon=True)
        search.start()
        try:
            while search.is_alive():
                search.join(_INTERVAL)
                check()
        finally:
            # A search that has not begun yet ignores the first call.
            while search.is_alive():
                solver.stop_search()
                search.join(_INTERVAL)
        return solver, statuses[0] if statuses else self.library.UNKNOWN


# Counting


@dataclass(frozen=True, slots=True)
class Count:
    """The number of placements: ``number`` if ``exact``, otherwise at least ``number``."""

    number: int
    exact: bool
    too_wide: int = 0  # the number of cells of the largest area that could not be counted, 0 if none


def count_placements(placement: Placement, check: Tick) -> Count:
    """Return how many placements fit the board of ``placement``, which is one of them.

    ``check`` is called between the areas, and ends the count by raising an exception.
    """
    puzzle = puzzle_of(placement.board)
    if isinstance(puzzle, Clash):
        return Count(0, exact=True)
    totals, too_wide = [[1]], 0
    for area in puzzle.areas:
        check()
        try:
            totals.append(tally_total(component_of(area), _BUDGET))
        except TooLargeError:  # a lower bound: the solutions with the same number of mines in each group
            too_wide = max(too_wide, area.size)
            held = list(map(placement.held, area.groups))
            ways = prod(comb(len(group), mines) for group, mines in zip(area.groups, held, strict=True))
            totals.append([0] * sum(held) + [ways])
    size, rest, number = len(puzzle.outside), puzzle.rest, 0
    for inside, count in enumerate(product(totals)):
        if rest is None:
            number += count << size
        elif inside <= rest:
            number += count * comb(size, rest - inside)
    return Count(number, not too_wide, too_wide)


def component_of(area: Area) -> Component:
    """Return the area as a component of `bot.solver.exact`, its cells numbered from 0."""
    ends = list(accumulate(map(len, area.groups)))
    masks = [(1 << end) - (1 << end - len(group)) for end, group in zip(ends, area.groups, strict=True)]
    constraints = tuple((sum(masks[group] for group in groups), need) for groups, need in area.numbers)
    return Component(constraints, (1 << area.size) - 1)


# Why there is none


@dataclass(frozen=True, slots=True)
class Blame:
    """Why there is no placement: ``words``, and the ``cells`` of the numbers, or the ``total``, at fault."""

    words: str
    cells: tuple[Cell, ...] = ()
    total: bool = False


def blame(board: Board, check: Tick) -> Blame:
    """Return why no placement of mines fits ``board``; there must be none.

    ``check`` is called repeatedly, and ends the search by raising an exception.
    """
    puzzle, numbers = puzzle_of(board), Board(board.states)
    if isinstance(puzzle, Clash):
        cell = Cell(*divmod(puzzle.source, board.cols))
        where = f"the {board[cell]} at {cell_words(cell)}"
        far = f"{where} contradicts other numbers, some of them far away"
        return _first_blamed(board, _growing(numbers, cell), check) or Blame(far, (cell,))
    if board.mines is not None and place(numbers, check=check) is not None:
        return _of_total(board, puzzle, check)
    return _first_blamed(board, _all_parts(numbers, puzzle), check) or Blame(
        "the numbers contradict each other"
    )


def _growing(board: Board, cell: Cell) -> Iterator[Window]:
    """Yield larger and larger parts around ``cell``, of at most `_MOST_CELLS` cells."""
    parts = (Window.around(board, cell, reach) for reach in reaches(board))
    return takewhile(lambda part: part.board.states.size <= _MOST_CELLS, parts)


def _all_parts(board: Board, puzzle: Puzzle) -> Iterator[Window]:
    """Yield parts that together include all groups of the puzzle, and then larger parts."""
    cells = [Cell(*divmod(group[0], board.cols)) for area in puzzle.areas for group in area.groups]
    for growth, apart in _PARTS:
        centres = [[at // apart * apart + apart // 2 for at in cell] for cell in cells]
        within = {Cell(min(row, board.rows - 1), min(col, board.cols - 1)) for row, col in centres}
        for centre in sorted(within):
            yield from islice(_growing(board, centre), growth, growth + 1)


def _first_blamed(board: Board, parts: Iterator[Window], check: Tick) -> Blame | None:
    """Return the numbers that contradict each other in the first part that has no placement, if any."""
    for part in parts:
        check()
        if not may_fit(part.board):
            found = contradicting_numbers(part.board, [cell for cell, _ in part.board.numbers()], may_fit)
            cells = [part.outer(cell) for cell in found if cell is not None]
            words = cannot_hold(System.of(keep_numbers(board, list(cells))), cells)
            return Blame(words, tuple(sorted(cells)))
    return None


def _of_total(board: Board, puzzle: Puzzle, check: Tick) -> Blame:
    """Return how the total contradicts the numbers, which do not contradict each other."""
    mines, places = board.mines or 0, sum(map(len, puzzle.free)) + len(puzzle.forced)
    shown = board.count(*SHOWN_MINES)
    total = f"the total of {mines_words(mines)} cannot be right"
    if mines < shown:
        return Blame(f"{total}: {mines_words(shown)} {'is' if shown == 1 else 'are'} shown", total=True)
    if mines > places + shown:
        return Blame(f"{total}: there are only {places + shown} cells that could hold them", total=True)
    least, is_met = _bound(puzzle, check, most=False)
    if mines < least + shown:
        return Blame(f"{total}: the numbers need at least {mines_words(least + shown)}", total=True)
    most, also_met = _bound(puzzle, check, most=True)
    if mines > most + shown:
        return Blame(f"{total}: the numbers leave room for at most {mines_words(most + shown)}", total=True)
    both = f"{least + shown} or {most + shown} mines, but not {mines}"
    how = both if is_met and also_met else "only other totals"
    return Blame(f"{total}: the numbers allow {how}", total=True)


def _bound(puzzle: Puzzle, check: Tick, *, most: bool) -> tuple[int, bool]:
    """Return the fewest or ``most`` mines, and whether a placement has so many; use the solver if needed."""
    bound = len(puzzle.forced) + (len(puzzle.outside) if most else 0)
    for area in puzzle.areas:
        check()
        try:
            held = attainable(component_of(area))
        except TooLargeError:
            bound, is_met = _mines_bound(puzzle, check, most=most)
            return bound + len(puzzle.forced), is_met
        bound += held.bit_length() - 1 if most else (held & -held).bit_length() - 1
    return bound, True
