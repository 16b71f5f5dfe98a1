"""Of all cells that are proven, the one with the simplest proof: by the fewest numbers, in simple steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bot.board import Board, Cell
from bot.solver.constraints import System
from bot.solver.counting import Known
from bot.solver.decision import Reason
from bot.solver.patterns.naming import name_of
from bot.solver.proofs import Window, windows
from bot.solver.smallest import Case, SearchBudget
from bot.solver.waves import spread
from bot.solver.why import Why, why

_SETS = 120  # sets of numbers that are looked at for a smaller proof; tens of milliseconds at most
_COMPARED = 4  # proofs of one size of which the simplest is told
_NO_FEWER = 2  # numbers of a proof that is not compared with others
_LARGE = 2000  # cells of a board of which only a part is looked at, if that will do
_ORDER = list(Reason)
Proof = tuple[Case, int]  # a cell, and the mask of the constraints that prove it


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why ``cell`` is what it is, in words. ``pattern`` is what players call it, "" if it has no name."""

    cell: Cell
    why: Why
    pattern: str

    @property
    def reason(self) -> Reason:
        """The first stage that finds the cell with these numbers alone; a pattern where it has a name."""
        return Reason.PATTERN if self.pattern else self.why.reason


def simplest(board: Board, cells: Sequence[Cell], *, mine: bool = False) -> Explanation | None:
    """Return the simplest proof that one of ``cells`` is safe, or a mine; None if none is found.

    None of its constraints can be left out. Of two proofs it is that by fewer numbers, and then by the
    simpler stage.
    """
    if board.states.size <= _LARGE:
        return _simplest(board, Window(board, Cell(0, 0)), cells, mine)
    enough = (window for window in windows(board, cells[0]) if window.board.states.size > _LARGE)
    return next(filter(None, (_simplest(board, window, cells, mine) for window in enough)), None)


def _simplest(board: Board, window: Window, cells: Sequence[Cell], mine: bool) -> Explanation | None:
    system, patience = System.of(window.board), SearchBudget(_SETS)
    inside = [place for place in map(window.place, cells) if place is not None]
    proofs = _few(system, [Case(system, place, mine) for place in inside], patience)
    if not proofs:
        return None
    told = [_told(board, window, case, proof) for case, proof in _fewest(proofs, patience)[:_COMPARED]]
    return min(told, key=lambda one: (_ORDER.index(one.why.reason), len(one.why.words)))


def _few(system: System, cases: Sequence[Case], patience: SearchBudget) -> list[Proof]:
    """Return cells with proofs that none of their constraints can be left out of, as far as is worth it.

    If counting settles none of the cells, turned round or not, there is one proof at most.
    """
    known = spread(system, Known(), system.numbers)
    begun = [(case, case.counted(known)) for case in cases]
    proofs = list[Proof]()
    for case, start in sorted(begun, key=_size):
        enough = proofs and (_size(proofs[-1]) <= _NO_FEWER or patience.spent())
        if start and not enough and (proof := case.shrunk(start)):
            proofs.append((case, proof))
    return proofs or list(islice(_by_placements(cases), 1))


def _by_placements(cases: Sequence[Case]) -> Iterator[Proof]:
    for case in cases:
        if proof := case.from_around():
            yield case, proof


def _fewest(proofs: Sequence[Proof], patience: SearchBudget) -> list[Proof]:
    """Return those of the proofs with the fewest constraints, or others that have fewer still."""
    ordered = sorted(proofs, key=_size)
    least = _size(ordered[0])
    for number, (case, proof) in enumerate(ordered):
        if fewer := case.fewer(min(least, _size((case, proof))), patience):
            ordered[number], least = (case, fewer), fewer.bit_count()
    return [one for one in ordered if _size(one) == least]


def _size(proof: Proof) -> int:
    return proof[1].bit_count()


def _told(board: Board, window: Window, case: Case, proof: int) -> Explanation:
    constraints = [window.shifted(one) for one in case.system.constraints(proof)]
    cell = window.outer(case.system.cell(case.place))
    told = why(board, constraints, cell, mine=case.mine)
    name = "" if told.reason is Reason.COUNTING else name_of(case.system, proof)
    return Explanation(cell, told, name)
