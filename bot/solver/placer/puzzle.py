"""A position as its placer sees it: forced mines, groups of free choices, and areas tied by the total alone.

Cells are numbered row by row. Unlike `bot.solver.constraints` nothing here grows with the square of the
board, so that a board of a million cells is no trouble.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import NOT_OPEN, SHOWN_MINES, Board, is_one_of
from bot.rules import neighbour_sum

Group = tuple[int, ...]  # cells under the same numbers: which of them are mines makes no difference elsewhere
_OPEN, _SAFE, _MINE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Number:
    """What an opened number still needs, and its unknown cells; ``source`` is the cell that shows it."""

    cells: tuple[int, ...]
    need: int
    source: int


@dataclass(frozen=True, slots=True)
class Area:
    """Groups and the numbers over them, tied to the rest of the board by the mine total alone.

    Each of ``numbers`` is (positions of its groups in ``groups``, mines among them).
    """

    groups: tuple[Group, ...]
    numbers: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def size(self) -> int:
        """How many cells it has."""
        return sum(map(len, self.groups))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """What is left to choose on a board when the forced mines are found.

    ``areas`` come smallest first. ``outside`` are the unconstrained cells, which no number touches. ``rest``
    is how many mines the areas and the outside hold together, None if the total is unknown.
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
        """Whether the mines that are left are not fewer than none, nor more than the cells to choose from."""
        return self.rest is None or 0 <= self.rest <= sum(map(len, self.free))


@dataclass(frozen=True, slots=True)
class Clash:
    """The cell of a number, row by row, at which the counting rules ran into a contradiction."""

    source: int


def shown_mines(board: Board) -> int:
    """Return how many mines are shown on ``board``."""
    return board.count(*SHOWN_MINES)


def puzzle_of(board: Board) -> Puzzle | Clash:
    """Return what is to be chosen on ``board``, or where forcing mines ran into a contradiction."""
    numbers = _numbers(board)
    found = _forced(numbers, board.states.size)
    if isinstance(found, Clash):
        return found
    unknown = np.isin(board.states.ravel(), NOT_OPEN)
    mines = tuple(index for index in np.flatnonzero(unknown).tolist() if found[index] == _MINE)
    constraints = _open(numbers, found)
    if isinstance(constraints, Clash):
        return constraints
    touched = {cell for cells in constraints for cell in cells}
    outside = [i for i in np.flatnonzero(unknown).tolist() if found[i] == _OPEN and i not in touched]
    rest = None if board.mines is None else board.mines - shown_mines(board) - len(mines)
    return Puzzle(board, mines, _areas(constraints), tuple(outside), rest)


def _numbers(board: Board) -> list[Number]:
    """Return what the opened numbers say; one with nothing unknown around it only if it is wrong."""
    rows, cols = board.shape
    index = np.full((rows + 2, cols + 2), -1)
    index[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    unknown = np.zeros((rows + 2, cols + 2), np.bool_)
    unknown[1:-1, 1:-1] = np.isin(board.states, NOT_OPEN)
    opened = board.states <= 8
    places = np.where(unknown, index, -1)
    around = np.stack([part[opened] for part in _around(places)], axis=1)
    needs = (board.states - neighbour_sum(is_one_of(*SHOWN_MINES)[board.states]))[opened]
    found = []
    rows_of = zip(around.tolist(), needs.tolist(), np.flatnonzero(opened).tolist(), strict=True)
    for near, need, source in rows_of:
        cells = tuple(cell for cell in near if cell >= 0)
        if cells or need:
            found.append(Number(cells, need, source))
    return found


def _around(padded: npt.NDArray[np.generic]) -> Iterator[npt.NDArray[np.generic]]:
    rows, cols = padded.shape[0] - 2, padded.shape[1] - 2
    for down in range(3):
        for right in range(3):
            if (down, right) != (1, 1):
                yield padded[down : down + rows, right : right + cols]


def _forced(numbers: Sequence[Number], size: int) -> bytearray | Clash:
    """Apply the counting rules as long as they find something; return what each cell is then."""
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


def _open(numbers: Sequence[Number], found: bytearray) -> dict[tuple[int, ...], int] | Clash:
    """Return the open cells of each number and the mines that it needs there, the same cells only once."""
    constraints: dict[tuple[int, ...], int] = {}
    for number in numbers:
        cells = tuple(cell for cell in number.cells if found[cell] == _OPEN)
        need = number.need - sum(found[cell] == _MINE for cell in number.cells)
        if cells and constraints.setdefault(cells, need) != need:
            return Clash(number.source)
    return constraints


def _areas(constraints: dict[tuple[int, ...], int]) -> tuple[Area, ...]:
    """Split constraints into those that share cells, directly or over others; the smallest first."""
    touching: dict[int, list[int]] = {}
    for position, cells in enumerate(constraints):
        for cell in cells:
            touching.setdefault(cell, []).append(position)
    numbers, seen, areas = list(constraints.items()), bytearray(len(constraints)), []
    for position in range(len(numbers)):
        if not seen[position]:
            members = sorted(_together(position, numbers, touching, seen))
            areas.append(_area([numbers[member] for member in members]))
    return tuple(sorted(areas, key=lambda area: area.size))


def _together(
    first: int,
    numbers: Sequence[tuple[tuple[int, ...], int]],
    touching: dict[int, list[int]],
    seen: bytearray,
) -> Iterator[int]:
    waiting = [first]
    seen[first] = True
    while waiting:
        position = waiting.pop()
        yield position
        for cell in numbers[position][0]:
            for other in touching[cell]:
                if not seen[other]:
                    seen[other] = True
                    waiting.append(other)


def _area(numbers: Sequence[tuple[tuple[int, ...], int]]) -> Area:
    under: dict[int, list[int]] = {}
    for position, (cells, _) in enumerate(numbers):
        for cell in cells:
            under.setdefault(cell, []).append(position)
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell, positions in under.items():
        groups.setdefault(tuple(positions), []).append(cell)
    of_number: list[list[int]] = [[] for _ in numbers]
    for group, over in enumerate(groups):
        for position in over:
            of_number[position].append(group)
    needs = [need for _, need in numbers]
    return Area(
        tuple(map(tuple, groups.values())),
        tuple((tuple(members), need) for members, need in zip(of_number, needs, strict=True)),
    )
