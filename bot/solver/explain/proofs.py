"""Proofs that a cell is safe, or a mine, from as few numbers as possible near the cell, and their names.

A set of constraints proves that a cell is safe (or a mine) if no placement with (or without) a mine there
satisfies the set. Numbers farther and farther from the cell are used until they prove it; then all unneeded
numbers are removed. To find a proof with fewer numbers, a search uses placements that say the opposite about
the cell: every proof contains a constraint that such a placement breaks (implicit hitting sets: Ignatiev,
Previti, Liffiton and Marques-Silva 2015, "Smallest MUS extraction with minimal hitting set dualization").

Players name patterns, such as 1-1 and 1-2-1. A name is defined by examples: fields in which players use it.
The solver finds out which cells these fields settle, and by which numbers; a proof from numbers in the same
relation has the same name.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from bot.board import Board, Cell
from bot.solver.conflict import minimal
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, propagate
from bot.solver.decision import Constraint
from bot.solver.exact import has_solution, prove_parts
from bot.solver.explain.reasoning import counted, remaining

_GROWTH = 1.6  # each reach is about so many times as large as the one before
_SEARCHED = 6  # only proofs with fewer numbers than this are searched for
_FAR = 2 * _SEARCHED - 3  # such proofs reach at most so far from the cell

# "+" means that the second number has more than one cell that no other number touches; "C" means that the
# first number has such cells, too, which are then also settled. Short names come first: what the first
# numbers of a longer pattern settle alone gets the shorter name.
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "1-1": (".../11W",),
    "1-1+": (".../11./WWW",),
    "1-2": (".../12W",),
    "1-2C": ("..../W12W", "..../.12W"),
    "1-2+": (".../13./WWW", ".../14./WW."),
    "1-2C+": ("..../W13.", "..../.13.", "..../W14./WWW.", "..../.14./WWW."),
    "1-2-1": (".../121", "..../W121", "..../.121", "...../W121W", "...../.121W", "...../.121."),
    "1-2-2-1": ("..../1221", "...../W1221", "...../.1221", "....../W1221W", "....../.1221W", "....../.1221."),
}
_MOST = 4  # numbers in the longest of them
# What numbers need; and for each set of them whether one cell or more (2) are around exactly these.
Signature = tuple[tuple[int, ...], tuple[tuple[tuple[int, ...], int], ...]]


def _span(place: int, length: int, reach: int) -> range:
    """Return the rows or columns, of ``length``, at most ``reach`` from ``place``; at an edge one more.

    Numbers in that one have no neighbours farther away.
    """
    first, last = place - reach, place + reach
    return range(first if first > 1 else 0, last + 1 if last + 2 < length else length)


def reaches(board: Board) -> Iterator[int]:
    """Yield larger and larger reaches; the last one is that of the whole ``board``."""
    reach, largest = 1, max(board.shape)
    while reach < largest:
        yield reach
        reach = round(reach * _GROWTH + 0.5)
    yield largest


def placed(system: System, chosen: int, known: Known) -> Known:
    """Return ``known`` with all cells of the constraints in the mask ``chosen`` settled, or a clash.

    Use this for few constraints only: each one may double the number of steps.
    """
    known = propagate(system, known, chosen, chosen)
    if known.clash:
        return known
    for index in bits(chosen):
        if rest := system.masks[index] & ~known.settled:
            cell = rest & -rest
            with_mine = placed(system, chosen, known.extended(cell, 0))
            return placed(system, chosen, known.extended(0, cell)) if with_mine.clash else with_mine
    return known


@dataclass(frozen=True, slots=True)
class Proof:
    """Constraints that prove that ``cell`` is safe, or a ``mine``; none of them can be left out."""

    cell: Cell
    mine: bool
    constraints: tuple[Constraint, ...]
    counted: bool  # whether the counting rules alone are enough

    def __len__(self) -> int:
        return len(self.constraints)

    @property
    def cost(self) -> tuple[int, bool]:
        """A sort key, smaller for a simpler proof: fewer constraints, then counting alone."""
        return len(self), not self.counted


@dataclass(slots=True)
class Case:
    """The search for a proof that ``cell`` is safe, or a ``mine``, by numbers at most ``reach`` away.

    The mine total is used only if the numbers of the whole board are.
    """

    system: System
    cell: Cell
    reach: int
    mine: bool
    _near: int = field(init=False)  # the mask of the constraints to use
    _bit: int = field(init=False)  # the mask of the cell
    _broken: list[int] = field(default_factory=list)  # masks of the numbers that one placement breaks

    def __post_init__(self) -> None:
        (row, col), (height, width) = self.cell, self.system.board.shape
        self._bit = 1 << row * width + col
        rows, cols = _span(row, height, self.reach), _span(col, width, self.reach)
        self._near = self.system.everything
        if (len(rows), len(cols)) != (height, width):
            sources = enumerate(self.system.sources)
            self._near = mask_with(i for i, one in sources if one and one.row in rows and one.col in cols)

    @property
    def _turned(self) -> Known:
        """The assumption that a proof must refute: a mine in the cell to prove it safe, and vice versa."""
        return Known(safe=self._bit) if self.mine else Known(mines=self._bit)

    def proof(self) -> Proof | None:
        """Return a proof from the constraints in reach; None if they prove nothing or it takes too long.

        A proof by counting alone is preferred. If possible, the proof does without the mine total, then
        without distant numbers.
        """
        chosen = self._near
        if not self.proven(chosen):
            return None
        if self._proven_by_counting(chosen):
            chosen = self._minimal_part(chosen, self._proven_by_counting)
        return self._proof(self._minimal_part(chosen, self.proven))

    def _minimal_part(self, chosen: int, proves: Callable[[int], bool]) -> int:
        """Return a minimal part of the mask ``chosen`` that still ``proves`` the cell."""
        ordered = sorted(bits(chosen), key=self._distance)
        return mask_with(minimal(ordered, lambda some: proves(mask_with(some)), sys.maxsize))

    def _proven_by_counting(self, chosen: int) -> bool:
        """Return whether the constraints in ``chosen`` prove the cell by counting alone."""
        known = propagate(self.system, Known(), chosen, chosen)
        return bool((known.mines if self.mine else known.safe) & self._bit)

    def proven(self, chosen: int) -> bool:
        """Return whether the constraints in ``chosen`` prove the cell; False if the check takes too long."""
        if chosen & self.system.total or chosen.bit_count() > _SEARCHED:
            return not has_solution(self.system, self._turned, chosen)
        return placed(self.system, chosen, self._turned).clash

    def fewer(self, than: int, budget: Iterator[int]) -> Proof | None:
        """Return a proof with the fewest numbers, but fewer than ``than``; None if none is found.

        The search ends when ``budget`` does, which has an item for each set of constraints that is checked.
        """
        for size in range(1, min(than, _SEARCHED)):
            if chosen := self._within(0, size, budget):
                return self._proof(chosen)
        return None

    def _proof(self, chosen: int) -> Proof:
        by_counting = self._proven_by_counting(chosen)
        return Proof(self.cell, self.mine, self.system.constraints(chosen), by_counting)

    def _within(self, chosen: int, more: int, budget: Iterator[int]) -> int:
        """Return ``chosen`` plus at most ``more`` numbers that together prove the cell; 0 if not found."""
        if next(budget, None) is None:
            return 0
        broken = next((broken for broken in self._broken if not broken & chosen), 0)
        if not broken:
            placement = placed(self.system, chosen, self._turned)
            if placement.clash:
                return chosen
            broken = self._breaks(chosen, placement) if more else 0
            self._broken += [broken] if more else []
        tries = (self._within(chosen | 1 << number, more - 1, budget) for number in bits(broken) if more)
        return next(filter(None, tries), 0)

    def _breaks(self, chosen: int, placement: Known) -> int:
        """Return the numbers that ``placement`` breaks after it was extended to satisfy as many as possible.

        The numbers are tried from the nearest to the farthest; each one satisfied extends the placement.
        """
        broken = 0
        for number in sorted(bits(self._near & self.system.numbers & ~chosen), key=self._distance):
            more = placed(self.system, 1 << number, placement)  # all cells of earlier numbers are settled
            if more.clash:
                broken |= 1 << number
            else:
                placement = more
        return broken

    def _distance(self, number: int) -> int:
        """Return the distance of a number from the cell: 1 if they touch; very large for the mine total."""
        source = self.system.sources[number]
        if source is None:
            return sys.maxsize
        return max(abs(source.row - self.cell.row), abs(source.col - self.cell.col))


def nearest(board: Board, cells: Sequence[Cell], *, mine: bool = False) -> list[Proof]:
    """Return proofs that some of ``cells`` are safe, or mines, from near numbers; [] if none is found.

    The reach grows until no cell without a proof can have a shorter one: a proof with n numbers reaches
    2 n - 1 cells at most, because numbers that share cells are at most two cells apart. A larger reach may
    replace a proof by a simpler one. Beyond a reach of `_FAR`, the first proof ends the search.
    """
    found, system = dict[Cell, Proof](), System.of(board)
    for reach in reaches(board):
        for cell in cells:
            before = found.get(cell)
            proof = None if before and before.counted else Case(system, cell, reach, mine).proof()
            if proof and (before is None or proof.cost < before.cost):
                found[cell] = proof
                if len(proof) == 1 or reach > _FAR or (reach > 1 and len(proof) == 2 and proof.counted):
                    return [*found.values()]
        if found and reach >= 2 * min(map(len, found.values())) - 1:
            break
    return [*found.values()]


def fewest(board: Board, proofs: Sequence[Proof], budget: Iterator[int]) -> list[Proof]:
    """Return the proofs with the fewest constraints, after trying to replace each one by a smaller proof."""
    ordered, system = sorted(proofs, key=len), System.of(board)
    least = len(ordered[0])
    for place, proof in enumerate(ordered):
        than = min(least, len(proof))
        case = Case(system, proof.cell, 2 * min(than, _SEARCHED) - 3, proof.mine)
        if fewer := case.fewer(than, budget):
            ordered[place], least = fewer, len(fewer)
    return [proof for proof in ordered if len(proof) == least]


def name_of(proof: Iterable[Constraint]) -> str:
    """Return the players' name for the pattern by which ``proof`` settles a cell, "" if it has no name."""
    proof = list(proof)
    if any(one.source is None for one in proof):
        return ""
    return _pattern_names().get(_signature(proof), "")


@cache
def _pattern_names() -> Mapping[Signature | None, str]:
    """Return the name for each signature of a proof in one of the `EXAMPLES`."""
    names: dict[Signature | None, str] = {}
    for name, examples in EXAMPLES.items():
        for rows in examples:
            board, safe, mines = settled_in(rows)
            for mine, cells in ((False, safe), (True, mines)):
                for cell in cells:
                    for proof in nearest(board, [cell], mine=mine):
                        names.setdefault(_signature(proof.constraints), name)
    return names


def settled_in(rows: str) -> tuple[Board, list[Cell], list[Cell]]:
    """Return the field of an example, and the cells of it that are proven safe and proven mines."""
    board = Board.from_rows(rows.split("/"))
    system = System.of(board)
    known = prove_parts(system, Known())
    return board, system.cells(known.safe), system.cells(known.mines)


def _signature(proof: Sequence[Constraint]) -> Signature | None:
    """Return a key that stays the same if the field is rotated or mirrored, or if cells are exchanged in it.

    Numbers whose cells are all settled by counting are left out, after they have reduced the needs of the
    others. Of the cells around the same numbers, it only matters whether there is one or more. Return None
    if more numbers are left than any pattern with a name has.
    """
    known = counted(proof).known
    numbers = [(rest, need) for rest, need in (remaining(one, known) for one in proof) if rest]
    if len(numbers) > _MOST:
        return None
    return min(
        (tuple(need for _, need in order), _cell_groups([cells for cells, _ in order]))
        for order in permutations(numbers)
    )


def _cell_groups(numbers: Sequence[frozenset[Cell]]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the sets of ``numbers`` around the cells, each once, with 1 for one cell, 2 for several."""
    around = (
        tuple(place for place, cells in enumerate(numbers) if cell in cells)
        for cell in frozenset[Cell]().union(*numbers)
    )
    return tuple(sorted((chosen, min(2, count)) for chosen, count in Counter(around).items()))
