"""Placements by a kept constraint solver, OR-tools CP-SAT, for fields that do not split into small areas.

A variable counts the mines of a group, each number is one equation over them, and the mine total another. The
search runs on one thread from a given seed, so that it always finds the same.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bot.errors import PlacementError
from bot.solver.placer.areas import Chosen, Mines
from bot.solver.placer.puzzle import Puzzle

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Check = Callable[[], None]  # called every so often; ends the search by raising
_EFFORT = 2.0  # the solver's own measure, the same on every machine: about as many seconds
_INTERVAL = 0.02  # seconds between two of these calls


def choose(puzzle: Puzzle, seed: int, check: Check, unlike: Chosen | None = None) -> Chosen | None:
    """Return how many mines each group of ``puzzle`` holds, None if no placement fits.

    With ``unlike``, in each of whose groups all cells are mines or none, another than that. What ``check``
    raises ends the search. Raises PlacementError without the solver.
    """
    model = _Model(puzzle)
    if unlike is not None:
        model.forbid(unlike)
    return model.solved(seed, check)


def mines_bound(puzzle: Puzzle, check: Check, *, most: bool) -> tuple[int, bool]:
    """Return the fewest or ``most`` mines besides forced ones, and whether there is a placement with so many.

    To be called where the numbers can be satisfied; the total is left aside. Where it would take long to
    find the true bound, it is a wider one.
    """
    return _Model(puzzle, total=False).extreme(check, most=most)


class _Model:
    """The equations of a puzzle, and the search for what satisfies them."""

    def __init__(self, puzzle: Puzzle, *, total: bool = True) -> None:
        try:
            from ortools.sat.python import cp_model  # takes a second, and small fields need none of it
        except ImportError as error:
            raise PlacementError(
                f"the constraint solver for large fields cannot be used ({error}): "
                "install it with `pip install ortools`, or use the method urbas"
            ) from error
        self._library = cp_model
        self._model = model = cp_model.CpModel()
        self._sizes = [len(group) for group in puzzle.free]
        self._variables = [model.new_int_var(0, size, "") for size in self._sizes]
        self._areas = [len(area.groups) for area in puzzle.areas]
        first = 0
        for area in puzzle.areas:
            for groups, need in area.numbers:
                model.add(self._sum([self._variables[first + group] for group in groups]) == need)
            first += len(area.groups)
        if total and puzzle.rest is not None:
            model.add(self._sum(self._variables) == puzzle.rest)

    def _sum(self, variables: Sequence[cp_model.LinearExprT]) -> cp_model.LinearExprT:
        return self._library.LinearExpr.sum(variables)

    def forbid(self, chosen: Chosen) -> None:
        """Leave out the placement of ``chosen``, in which every group is full or empty."""
        changes = [
            variable if mines == 0 else size - variable
            for variable, size, mines in zip(self._variables, self._sizes, chosen.free, strict=True)
        ]
        self._model.add(self._sum(changes) >= 1)

    def solved(self, seed: int, check: Check) -> Chosen | None:
        """Return a solution, None if there is none."""
        solver, status = self._run(seed, check)
        if status == self._library.INFEASIBLE:
            return None
        if status not in (self._library.OPTIMAL, self._library.FEASIBLE):
            raise PlacementError(f"the constraint solver failed: {solver.status_name()}; try --method urbas")
        return self._chosen(solver)

    def extreme(self, check: Check, *, most: bool) -> tuple[int, bool]:
        """Return a bound of the mines of all solutions, of which there are some, and whether one meets it."""
        mines = self._sum(self._variables)
        self._model.maximize(mines) if most else self._model.minimize(mines)
        solver, status = self._run(0, check, effort=_EFFORT)
        return round(solver.best_objective_bound), status == self._library.OPTIMAL

    def _chosen(self, solver: cp_model.CpSolver) -> Chosen:
        values = iter(solver.value(variable) for variable in self._variables)
        areas: list[Mines] = [tuple(next(values) for _ in range(size)) for size in self._areas]
        return Chosen(tuple(areas), next(values))

    def _run(self, seed: int, check: Check, effort: float = math.inf) -> tuple[cp_model.CpSolver, object]:
        """Search in a thread of its own, so that Ctrl+C is heeded meanwhile; return also how it ended."""
        solver, statuses = self._library.CpSolver(), list[object]()
        solver.parameters.max_deterministic_time = effort
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed % 2**31
        solver.parameters.catch_sigint_signal = False
        search = threading.Thread(target=lambda: statuses.append(solver.solve(self._model)), daemon=True)
        search.start()
        try:
            while search.is_alive():
                search.join(_INTERVAL)
                check()
        finally:
            # The search may not have begun to listen when it is first told.
            while search.is_alive():
                solver.stop_search()
                search.join(_INTERVAL)
        return solver, statuses[0] if statuses else self._library.UNKNOWN
