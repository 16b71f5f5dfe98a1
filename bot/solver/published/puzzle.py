"""A position as a puzzle: forced mines, groups of equivalent cells, and areas linked only by the mine total.

Cells are numbered row by row. Unlike in `bot.solver.constraints`, time and memory do not grow with the square
of the board's size, so that a board of a million cells can be handled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from bot.board import NOT_OPEN, SHOWN_MINES, Board, is_one_of
from bot.counting_rules import neighbour_sum

Group = tuple[int, ...]  # cells under the same numbers: which of them are mines makes no difference elsewhere
Mines = tuple[int, ...]  # how many mines each of some groups holds
_OPEN, _SAFE, _MINE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Number:
    """An opened number: its unknown cells, the mines that it still needs, and its own cell ``source``."""

    cells: tuple[int, ...]
    need: int
    source: int


@dataclass(frozen=True, slots=True)
class Area:
    """Groups and the numbers around them, linked to the rest of the board only by the mine total.

    Each of ``numbers`` is a tuple: the indices of its groups in ``groups``, and the mines in these groups.
    """

    groups: tuple[Group, ...]
    numbers: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def size(self) -> int:
        """The number of cells in the area."""
        return sum(map(len, self.groups))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The choices that are left on a board when the forced mines are found.

    ``areas`` are sorted, the smallest first. ``outside`` are the unconstrained cells, which no number
    touches. ``rest`` is the number of mines in the areas and ``outside``, None if the total is unknown.
    """

    board: Board
    forced: tuple[int, ...]
    areas: tuple[Area, ...]
    outside: Group
    rest: int | None

    @property
    def free(self) -> Iterator[Group]:
        """The groups of all areas and then the unconstrained cells: all sets of cells to choose from."""
        for area in self.areas:
            yield from area.groups
        yield self.outside

    @property
    def has_room(self) -> bool:
        """Whether the number of mines left is not negative, and does not exceed the cells to choose from."""
        return self.rest is None or 0 <= self.rest <= sum(map(len, self.free))


@dataclass(frozen=True, slots=True)
class Clash:
    """A contradiction that the counting rules found at the number in cell ``source``."""

    source: int


def puzzle_of(board: Board) -> Puzzle | Clash:
    """Return the puzzle of ``board``, or the contradiction that the counting rules find."""
    numbers = _numbers(board)
    found = _forced(numbers, board.states.size)
    if isinstance(found, Clash):
        return found
    constraints: dict[tuple[int, ...], int] = {}
    for number in numbers:
        cells = tuple(cell for cell in number.cells if found[cell] == _OPEN)
        need = number.need - sum(found[cell] == _MINE for cell in number.cells)
        if cells and constraints.setdefault(cells, need) != need:
            return Clash(number.source)
    unknown = np.flatnonzero(np.isin(board.states.ravel(), NOT_OPEN)).tolist()
    mines = tuple(cell for cell in unknown if found[cell] == _MINE)
    touched = {cell for cells in constraints for cell in cells}
    outside = tuple(cell for cell in unknown if found[cell] == _OPEN and cell not in touched)
    rest = None if board.mines is None else board.mines - board.count(*SHOWN_MINES) - len(mines)
    return Puzzle(board, mines, _areas(constraints), outside, rest)


def _numbers(board: Board) -> list[Number]:
    """Return the opened numbers that have unknown cells around them, or do not fit the shown mines."""
    rows, cols = board.shape
    opened, unknown = board.states <= 8, np.isin(board.states, NOT_OPEN)
    places = np.pad(np.where(unknown, np.arange(rows * cols).reshape(rows, cols), -1), 1, constant_values=-1)
    ways = [(down, right) for down, right in product(range(3), range(3)) if (down, right) != (1, 1)]
    around = [places[down : down + rows, right : right + cols][opened] for down, right in ways]
    needs = (board.states - neighbour_sum(is_one_of(*SHOWN_MINES)[board.states]))[opened]
    lists = np.stack(around, axis=1).tolist(), needs.tolist(), np.flatnonzero(opened).tolist()
    numbers = (
        Number(tuple(cell for cell in near if cell >= 0), need, source)
        for near, need, source in zip(*lists, strict=True)
    )
    return [number for number in numbers if number.cells or number.need]


def _forced(numbers: Sequence[Number], size: int) -> bytearray | Clash:
    """Apply the counting rules until nothing changes; return the state of each cell, or a contradiction."""
    touching: dict[int, list[int]] = {}
    for position, number in enumerate(numbers):
        for cell in number.cells:
            touching.setdefault(cell, []).append(position)
    needs, left = [number.need for number in numbers], [len(number.cells) for number in numbers]
    found, waiting = bytearray(size), list(range(len(numbers)))
    while waiting:
        position = waiting.pop()
        need, number = needs[position], numbers[position]
        if not 0 <= need <= left[position]:
            return Clash(number.source)
        if not left[position] or 0 < need < left[position]:
            continue
        state = _MINE if need else _SAFE
        for cell in number.cells:
            if found[cell] == _OPEN:
                found[cell] = state
                for other in touching[cell]:
                    left[other] -= 1
                    needs[other] -= state == _MINE
                waiting.extend(touching[cell])
    return found


def _areas(constraints: Mapping[tuple[int, ...], int]) -> tuple[Area, ...]:
    """Return areas of constraints that share cells, directly or through others; the smallest first."""
    over: dict[int, list[int]] = {}  # the constraints on each cell
    for position, cells in enumerate(constraints):
        for cell in cells:
            over.setdefault(cell, []).append(position)
    groups: dict[tuple[int, ...], list[int]] = {}  # the cells under the same constraints
    for cell, positions in over.items():
        groups.setdefault(tuple(positions), []).append(cell)
    own: list[list[int]] = [[] for _ in constraints]  # the groups of each constraint
    under, cells_of = list(groups), [tuple(cells) for cells in groups.values()]
    for group, positions_of_group in enumerate(under):
        for position in positions_of_group:
            own[position].append(group)
    needs, areas, seen = list(constraints.values()), list[Area](), set[int]()
    for first in range(len(needs)):
        members, waiting = set[int](), [] if first in seen else [first]
        while waiting:
            position = waiting.pop()
            if position not in members:
                members.add(position)
                waiting += [other for group in own[position] for other in under[group]]
        if members:
            seen |= members
            inside = sorted({group for position in members for group in own[position]})
            place = {group: number for number, group in enumerate(inside)}
            numbers = [(tuple(place[group] for group in own[one]), needs[one]) for one in sorted(members)]
            areas.append(Area(tuple(cells_of[group] for group in inside), tuple(numbers)))
    return tuple(sorted(areas, key=lambda area: area.size))
