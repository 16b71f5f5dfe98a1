"""Finding a placement of all mines that fits a position: over areas, or by a constraint solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Board, State
from bot.rules import neighbour_sum
from bot.solver.placer import areas, model
from bot.solver.placer.areas import Chosen
from bot.solver.placer.model import Check
from bot.solver.placer.puzzle import Clash, Group, Puzzle, puzzle_of

_STEPS = 5_000  # of the search over areas, before the constraint solver takes over; tens of milliseconds


class Method(Enum):
    """How a placement is looked for."""

    AUTO = "auto"  # over areas, and by constraints where that takes too long
    URBAS = "urbas"  # over areas, all mines of one number at once
    CONSTRAINTS = "constraints"  # by a kept constraint solver


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """All mines of ``board``, bool (rows, cols), shown ones among them, and which method found them."""

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


class _TooLongError(Exception):
    """The search over areas took its steps. Caught here."""


def _never() -> None:
    """Let a search take as long as it takes."""


def place(
    board: Board, *, method: Method = Method.AUTO, seed: int = 0, check: Check = _never
) -> Placement | None:
    """Return a placement of all mines that satisfies every number of ``board`` and its total; None if none.

    Flagged, question-marked and unreadable cells may hold a mine or not, as covered ones may; wrong flags
    do not. The same ``seed`` finds the same placement. ``check`` is called all the time, and ends the
    search by raising. Raises PlacementError if the constraint solver is needed and cannot be used.
    """
    puzzle = puzzle_of(board)
    if isinstance(puzzle, Clash) or not puzzle.has_room:
        return None
    found, used = _tried(
        method,
        check,
        lambda tick: areas.choose(puzzle, np.random.default_rng(seed), tick),
        lambda: model.choose(puzzle, seed, check),
    )
    return _placement(puzzle, found[0], used, seed) if found else None


def another(
    board: Board,
    placement: Placement,
    *,
    method: Method = Method.AUTO,
    seed: int = 0,
    check: Check = _never,
) -> Placement | None:
    """Return a placement that differs from ``placement``, which fits ``board``; None if that is the only one.

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
    first = _chosen(puzzle, placement.mines)
    found, used = _tried(
        method,
        check,
        lambda tick: areas.choose(puzzle, np.random.default_rng(seed), tick, most=2),
        lambda: model.choose(puzzle, seed, check, unlike=first),
    )
    others = [chosen for chosen in found if chosen != first]
    return _placement(puzzle, others[0], used, seed) if others else None


def _tried(
    method: Method,
    check: Check,
    over_areas: Callable[[areas.Tick], Sequence[Chosen]],
    by_constraints: Callable[[], Chosen | None],
) -> tuple[Sequence[Chosen], Method]:
    """Return what the method finds, and which it was in the end."""
    if method is not Method.CONSTRAINTS:
        try:
            return over_areas(_counted(check, _STEPS) if method is Method.AUTO else check), Method.URBAS
        except _TooLongError:
            pass
    chosen = by_constraints()
    return [] if chosen is None else [chosen], Method.CONSTRAINTS


def _counted(check: Check, steps: int) -> areas.Tick:
    """Return ``check`` that ends the search after so many steps."""
    left = iter(range(steps))

    def tick() -> None:
        check()
        if next(left, None) is None:
            raise _TooLongError

    return tick


def _placement(puzzle: Puzzle, chosen: Chosen, method: Method, seed: int) -> Placement:
    """Return the mines of ``chosen``, those of each group in any of its cells."""
    anywhere = np.random.default_rng(seed)
    mines = np.isin(puzzle.board.states, tuple(SHOWN_MINES))
    mines.flat[list(puzzle.forced)] = True
    for cells, number in zip(puzzle.free, chosen.free, strict=True):
        if number:
            mines.flat[anywhere.permutation(cells)[:number]] = True
    return Placement(puzzle.board, mines, method)


def _exchanged(puzzle: Puzzle, mines: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return cells that can change between mine and none without harm, () if there is no free choice."""
    if puzzle.rest is None and puzzle.outside:
        return puzzle.outside[:1]
    for cells in puzzle.free:
        held = [cell for cell in cells if mines.flat[cell]]
        if 0 < len(held) < len(cells):
            return held[0], next(cell for cell in cells if cell not in held)
    return ()


def _chosen(puzzle: Puzzle, mines: npt.NDArray[np.bool_]) -> Chosen:
    def held(cells: Group) -> int:
        return sum(bool(mines.flat[cell]) for cell in cells)

    return Chosen(tuple(tuple(map(held, area.groups)) for area in puzzle.areas), held(puzzle.outside))
