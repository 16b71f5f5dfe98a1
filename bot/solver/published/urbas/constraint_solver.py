"""Placements by a constraint solver, OR-tools CP-SAT, for fields that do not split into small areas.

A variable counts the mines of a group, each number is one equation over them, and the mine total another. The
search runs on one thread from a given seed, so that it always finds the same.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.errors import PlacementError
from bot.solver.published.urbas.puzzle import Mines, Puzzle

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Check = Callable[[], None]  # called every so often; ends the search by raising
_EFFORT = 2.0  # the solver's own measure, the same on every machine: about as many seconds
_INTERVAL = 0.02  # seconds between two of these calls


def choose(puzzle: Puzzle, seed: int, check: Check, unlike: Mines | None = None) -> Mines | None:
    """Return how many mines each set of ``puzzle.free`` holds, None if no placement fits.

    With ``unlike``, in each of whose groups all cells are mines or none, another than that. What ``check``
    raises ends the search. Raises PlacementError without the solver.
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


def mines_bound(puzzle: Puzzle, check: Check, *, most: bool) -> tuple[int, bool]:
    """Return the fewest or ``most`` mines besides forced ones, and whether there is a placement with so many.

    To be called where the numbers can be satisfied; the total is left aside. Where it would take long to
    find the true bound, it is a wider one.
    """
    model = _Model(puzzle, total=False)
    mines = model.sum(model.variables)
    model.model.maximize(mines) if most else model.model.minimize(mines)
    solver, status = model.run(0, check, effort=_EFFORT)
    return round(solver.best_objective_bound), status == model.library.OPTIMAL


class _Model:
    """The equations of a puzzle, and the search for what satisfies them."""

    def __init__(self, puzzle: Puzzle, *, total: bool) -> None:
        try:
            from ortools.sat.python import cp_model  # takes a second, and small fields need none of it
        except ImportError as error:
            raise PlacementError(
                f"the constraint solver for large fields cannot be used ({error}): "
                "install it with `pip install ortools`, or use the method urbas"
            ) from error
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

    def run(self, seed: int, check: Check, effort: float = math.inf) -> tuple[cp_model.CpSolver, object]:
        """Search in a thread of its own, so that Ctrl+C works meanwhile; return also its status."""
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
