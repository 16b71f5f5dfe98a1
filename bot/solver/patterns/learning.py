"""Learning a scheme from a position in which the library is stuck, though something is proven there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.board import Board
from bot.solver.constraints import System, bits
from bot.solver.counting import Known
from bot.solver.exact import prove_parts
from bot.solver.explain.proofs import constraints_for
from bot.solver.patterns.drawing import Place
from bot.solver.patterns.library import Library
from bot.solver.patterns.making import ordered, scheme_of
from bot.solver.patterns.matching import NONE, Chosen, Frontier, connected
from bot.solver.patterns.placements import settles
from bot.solver.patterns.scheme import Scheme

_MOST = 8  # numbers of a scheme: more of them never meet again
_TRIED = 2000  # sets of numbers that are looked at for the smallest one


class Learner:
    """A library that grows where it is stuck.

    Whether anything is to be learned is asked of all placements of mines that fit the numbers: where these
    prove no cell safe, it is left at that. ``learned`` are the schemes that came with time, the oldest first;
    ``tell`` is told of each.
    """

    def __init__(self, schemes: Iterable[Scheme], tell: Callable[[Scheme], None] = lambda _: None) -> None:
        self._library = Library(schemes)
        self._tell = tell
        self.learned: list[Scheme] = []

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known`` with what the schemes add, those included that are learned on the way."""
        while True:
            known = self._library.settle(system, known)
            if known.clash or known.safe & system.playable:
                return known
            lesson = learned_from(system, known)
            if lesson is None:
                return known
            self.learned.append(lesson)
            self._library.add(lesson)
            self._tell(lesson)


def learned_from(system: System, known: Known) -> Scheme | None:
    """Return a scheme of as few numbers as found that settles a cell which is not ``known``.

    None if all numbers together prove no further cell safe, or if that takes more of them than a scheme has.
    """
    proven = prove_parts(system, known)
    new = proven.safe & ~known.safe & system.playable
    if proven.clash or not new:
        return None
    frontier = Frontier.of(system, known)
    chosen = _smallest(frontier) or _shrunk(system, frontier, new)
    return None if chosen is None else ordered(_scheme(system, frontier, chosen))


def _smallest(frontier: Frontier) -> Chosen | None:
    """Return the smallest set of numbers that settles a cell, None if too many have to be tried."""
    left = _TRIED
    for size in range(2, _MOST + 1):
        for chosen in connected(frontier, size):
            if _settles(chosen):
                return chosen
            left -= 1
            if not left:
                return None
    return None


def _shrunk(system: System, frontier: Frontier, new: int) -> Chosen | None:
    """Return numbers that settle a cell of ``new``, none of which can be spared; None if too many."""
    cell = next(bits(new))
    proof = constraints_for(Board(system.board.states), cell)
    sources = {constraint.source for constraint in proof}
    numbers = [i for i, index in enumerate(frontier.indices) if system.sources[index] in sources]
    if len(numbers) > 2 * _MOST:
        return None
    for number in numbers.copy():
        rest = [other for other in numbers if other != number]
        if _settles(_chosen(frontier, rest)):
            numbers = rest
    chosen = _chosen(frontier, numbers)
    return chosen if len(numbers) <= _MOST and _settles(chosen) else None


def _chosen(frontier: Frontier, numbers: list[int]) -> Chosen:
    chosen = NONE
    for number in numbers:
        chosen = chosen.joined(frontier, number)
    return chosen


def _settles(chosen: Chosen) -> bool:
    rooms = tuple(group.cells.bit_count() for group in chosen.groups)
    return settles(chosen.needs, [group.chosen for group in chosen.groups], rooms)


def _scheme(system: System, frontier: Frontier, chosen: Chosen) -> Scheme:
    places = [_place(system.sources[frontier.indices[number]]) for number in chosen.numbers]
    cells = {group.chosen: [_place(cell) for cell in system.cells(group.cells)] for group in chosen.groups}
    return scheme_of(places, chosen.needs, cells)


def _place(cell: tuple[int, int] | None) -> Place:
    assert cell is not None, "the mine total is no number"
    return cell[0], cell[1]
