"""A library of schemes: read from a file, written to one, and applied to positions.

The file is text: a first line that says what it is, then a scheme a line, its order and its drawing, whose
rows are parted by ``/``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from bot.errors import PatternError
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, propagate
from bot.solver.patterns.matching import Frontier, Match, Matcher
from bot.solver.patterns.scheme import Scheme

HEADER = "minebot schemes 1"
_SHIPPED = "schemes.txt"


class Library:
    """Schemes, and how they are applied."""

    def __init__(self, schemes: Iterable[Scheme] = ()) -> None:
        self._schemes: list[Scheme] = []
        self._matcher = Matcher()
        for scheme in schemes:
            self.add(scheme)

    @property
    def schemes(self) -> tuple[Scheme, ...]:
        """All schemes, in the order in which they came."""
        return tuple(self._schemes)

    def add(self, scheme: Scheme) -> None:
        """Take in one more scheme."""
        self._schemes.append(scheme)
        if len(scheme.needs) > 1:  # one number alone is what counting is about
            self._matcher.add(scheme)

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known``, as counting left it, with what the schemes add, or the clash they run into.

        Small schemes come first, and counting after each; it ends where a cell is found that can be opened.
        """
        after = known
        while not (after.clash or after.safe & system.playable):
            before, after = after, self._step(system, after)
            if after.settled == before.settled:
                break
        return after

    def exhausted(self, system: System, known: Known) -> Known:
        """Return ``known`` with all that the schemes add, to the last cell, or the clash they run into."""
        while True:
            after = self._step(system, known)
            if after.clash or after.settled == known.settled:
                return after
            known = after

    def _step(self, system: System, known: Known) -> Known:
        """Return ``known`` with what the smallest schemes add that fit, and what is counted from there."""
        found = self._found(system, known)
        changed = system.total
        for cell in bits(found.settled & ~known.settled):
            changed |= system.touching[cell]
        return propagate(system, found, changed) if found.settled != known.settled else known

    def _found(self, system: System, known: Known) -> Known:
        """Return ``known`` with what the smallest schemes add that fit."""
        frontier = Frontier.of(system, known)
        for size in self._matcher.sizes:
            matches = list(self._matcher.matches(frontier, size))
            if any(match.safe | match.mines for match in matches):
                return known.extended(*_proofs(system, known, matches))
        return known


def _proofs(system: System, known: Known, matches: list[Match]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the cells that matches settle, mines and safe ones, each with as few constraints as prove it."""
    mines, safe = dict[int, int](), dict[int, int]()
    grounds = [(_grounds(system, known, match), match) for match in matches]
    for because, match in sorted(grounds, key=lambda pair: pair[0].bit_count()):
        for settled, cells in ((mines, match.mines), (safe, match.safe)):
            for cell in bits(cells):
                settled.setdefault(cell, because)
    return mines, safe


def _grounds(system: System, known: Known, match: Match) -> int:
    """Return the constraints that prove what a match settles: its numbers, and why these are so small."""
    cells = 0
    for index in bits(match.numbers):
        cells |= system.masks[index]
    return match.numbers | known.reasons(cells)


@cache
def shipped() -> Library:
    """Return the library that was synthesised from nothing; not to be added to."""
    from importlib.resources import files  # slow to import, and not always needed

    text = (files(__package__) / _SHIPPED).read_text(encoding="utf-8")
    return Library(read(text))


def written(schemes: Iterable[Scheme]) -> str:
    """Return schemes as the text of a file; `read` turns it round."""
    return "".join(f"{line}\n" for line in [HEADER, *(f"{scheme.order} {scheme}" for scheme in schemes)])


def read(text: str) -> list[Scheme]:
    """Return the schemes of a file's text. Raises PatternError that names the line that it does not know."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEADER:
        raise PatternError(f"this is no library of schemes: its first line is not {HEADER!r}")
    return list(_schemes(lines))


def _schemes(lines: list[str]) -> Iterator[Scheme]:
    for number, line in enumerate(lines[1:], 2):
        order, _, drawing = line.strip().partition(" ")
        if not (order.isascii() and order.isdigit()):
            raise PatternError(f"line {number}: {line.strip()!r} does not begin with the order of a scheme")
        try:
            yield Scheme.drawn(drawing.split("/"), int(order))
        except PatternError as error:
            raise PatternError(f"line {number}: {error}") from error
