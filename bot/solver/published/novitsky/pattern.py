"""A pattern: numbers in a small field that settle some of its covered cells.

**A drawing** is text, one character a cell: ``0``-``8`` a number, ``.`` a covered cell, ``o`` a covered cell
that is certainly safe, ``*`` one that is certainly a mine, ``#`` anything else: a known mine, an opened cell,
or a place off the board. A drawing stands for many fields. A number in it says how many mines are missing:
each known mine reduces the numbers around it by one. So known mines, opened cells and places off the board
are equivalent: none of them can hold a missing mine. Cells around exactly the same numbers are exchangeable,
so only their number matters. A proof stays valid with fewer cells for the mines, so a drawing shows the most
cells that there may be. Rotating and mirroring change no count, so a drawing stands for its images as well.

**Orders.** A pattern is proven by the counting rules alone. Order 1 is counting: if all mines of a number are
known, its other cells are safe; if it needs all of its unsettled cells, they are mines. Order n supposes a
mine in each of the unsettled cells of a number in turn, and applies order n - 1 to each case. If a case leads
to a contradiction, its cell is safe. If all other cases settle a cell in the same way, that is proven.

A set of numbers is a mask, bit ``i`` for number ``i``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

from bot.board import Board
from bot.errors import PatternError
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, apply_counting_rules, extend
from bot.solver.exact import prove_parts

COVERED, SAFE, MINE, WALL = ".", "o", "*", "#"
DIGITS, _CELLS = "012345678", COVERED + SAFE + MINE
_ORDER = _CELLS + DIGITS + WALL  # the image whose marks are earliest here is drawn
_STATES = str.maketrans({SAFE: ".", MINE: ".", WALL: "W"})  # a drawing as the rows of a board
HEADER = "minebot schemes 1"  # the first line of a file
HIGHEST = 4  # the highest order that is tried; proofs of a higher order take too long to be useful
MANY = 8  # the room of a set of numbers if any number of covered cells will do; there are never more than 8
MOST_NUMBERS = 8  # the most numbers in a pattern: larger ones practically never occur again
_SHOWN = 100  # characters of a damaged line in a message

Place = tuple[int, int]  # row and column in a drawing
Rows = tuple[str, ...]
Needs = tuple[int, ...]  # for each number, how many mines it needs


class Rule(NamedTuple):
    """What a pattern says.

    ``needs`` are its numbers. ``rooms`` gives for each set of numbers the most covered cells that there may
    be around exactly these numbers (`MANY`: any number of cells; a missing set: none). The cells around the
    sets in ``safe`` are safe, those around the sets in ``mines`` are mines. All sets are sorted.
    """

    needs: Needs
    rooms: tuple[tuple[int, int], ...]
    safe: tuple[int, ...]
    mines: tuple[int, ...]

    def reordered(self) -> set[Rule]:
        """Return the rule with its numbers in each of the orders that sort their needs."""
        same = ([i for i, own in enumerate(self.needs) if own == need] for need in sorted({*self.needs}))
        orders = (sum(parts, ()) for parts in product(*map(permutations, same)))
        return {
            Rule(
                tuple(sorted(self.needs)),
                tuple(sorted((moved(chosen, order), room) for chosen, room in self.rooms)),
                tuple(sorted(moved(chosen, order) for chosen in self.safe)),
                tuple(sorted(moved(chosen, order) for chosen in self.mines)),
            )
            for order in orders
        }


@dataclass(frozen=True, slots=True)
class Pattern:
    """A drawing, the rule with its numbers row by row, and the order of the proof, as explained above.

    The order is 0 if it is above `HIGHEST` or not computed.
    """

    rows: Rows
    order: int
    rule: Rule

    @classmethod
    def drawn(cls, rows: Sequence[str], order: int = 0) -> Pattern:
        """Return the pattern of a drawing.

        Raises PatternError if it is not a drawing, has more than `MOST_NUMBERS` numbers, settles no cell, has
        a covered cell without a number, or treats exchangeable cells differently.
        """
        name, numbers = f"{'/'.join(rows):.{_SHOWN}}", places_of(DIGITS, rows)
        if set("".join(rows)) - set(_ORDER) or len({len(row) for row in rows}) != 1 or not numbers:
            raise PatternError(f"{name!r} is not a valid drawing of a pattern")
        if len(numbers) > MOST_NUMBERS:
            raise PatternError(f"the pattern {name} has {len(numbers)} numbers, more than {MOST_NUMBERS}")
        needs = tuple(int(rows[row][col]) for row, col in numbers)
        sets = {
            chosen: [rows[row][col] for row, col in cells]
            for chosen, cells in sets_around(numbers, places_of(_CELLS, rows)).items()
        }
        if 0 in sets:
            raise PatternError(f"the pattern {name} has a covered cell that touches no number")
        if any(len(set(marks)) > 1 for marks in sets.values()):
            raise PatternError(f"the pattern {name} marks cells that touch the same numbers differently")
        mines = tuple(sorted(chosen for chosen, marks in sets.items() if MINE in marks))
        safe = tuple(sorted(chosen for chosen, marks in sets.items() if SAFE in marks))
        if not (mines or safe):
            raise PatternError(f"the pattern {name} proves no cell safe or a mine")
        # A set of cells holds at most as many mines as its smallest number needs, so with more cells their
        # number does not matter; except if all of them are mines.
        rooms = {
            chosen: len(marks) if chosen in mines or len(marks) < least(needs, chosen) else MANY
            for chosen, marks in sets.items()
        }
        return cls(tuple(rows), order, Rule(needs, tuple(sorted(rooms.items())), safe, mines))

    @classmethod
    def found(cls, field: Mapping[Place, str]) -> Pattern:
        """Return what the numbers of a field settle among its covered cells; the order is not computed.

        Cells beyond the number that makes a difference are not drawn. Raises PatternError if none is settled.
        """
        rows = marked(_rows(field))
        numbers = places_of(DIGITS, rows)
        marks = {(row, col): rows[row][col] for row, col in numbers}
        needs = tuple(map(int, marks.values()))
        for chosen, cells in sets_around(numbers, places_of(_CELLS, rows)).items():
            mark, few = rows[cells[0][0]][cells[0][1]], least(needs, chosen)
            # One covered cell more than the mines, or all of them could be mines.
            shown = {SAFE: max(1, few), MINE: len(cells), COVERED: few + 1}[mark]
            marks.update(dict.fromkeys(cells[:shown], mark))
        return cls.drawn(drawn(marks))

    def __str__(self) -> str:
        return "/".join(self.rows)

    @property
    def key(self) -> Rule:
        """A key that is the same for patterns that differ only in the order of their numbers."""
        return min(self.rule.reordered())

    def ordered(self) -> Pattern:
        """Return a copy with ``order`` set to the lowest order that proves it, 0 if above `HIGHEST`."""
        system, wanted = system_of(self.rows), proven_in(self.rows).settled
        orders = range(1, HIGHEST + 1)
        enough = (order for order in orders if not wanted & ~prove(system, order).settled)
        return replace(self, order=next(enough, 0))

    def fault(self) -> str:
        """Return why the pattern is wrong, "" if it is right, by all placements of mines that it allows."""
        proven = proven_in(self.rows)
        if proven.clash:
            return "no placement of mines fits its numbers"
        for place, mark in enumerate("".join(self.rows)):
            if mark == SAFE and not proven.safe >> place & 1:
                return "a cell that it marks as safe can be a mine"
            if mark == MINE and not proven.mines >> place & 1:
                return "a cell that it marks as a mine can be safe"
        return ""


def least(needs: Sequence[int], chosen: int) -> int:
    """Return how many mines the smallest number in the set ``chosen`` needs."""
    return min(needs[i] for i in bits(chosen))


@lru_cache(maxsize=1 << 12)  # more than the synthesis needs
def moved(chosen: int, order: tuple[int, ...]) -> int:
    """Return the set ``chosen`` after the numbers are put in another order: ``order[i]`` becomes ``i``."""
    return sum(1 << place for place, number in enumerate(order) if chosen >> number & 1)


# Drawings


def places_of(marks: str, rows: Sequence[str]) -> list[Place]:
    """Return where a drawing has one of ``marks``, row by row."""
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in marks]


def sets_around(numbers: Sequence[Place], cells: Iterable[Place]) -> dict[int, list[Place]]:
    """Return those of ``cells`` that are adjacent to exactly the numbers of a set, for each such set."""
    sets: dict[int, list[Place]] = {}
    for row, col in cells:
        near = (i for i, (r, c) in enumerate(numbers) if max(abs(r - row), abs(c - col)) == 1)
        sets.setdefault(mask_with(near), []).append((row, col))
    return sets


def marked(rows: Sequence[str]) -> Rows:
    """Return a drawing in which the covered cells are marked that its numbers settle."""
    proven, marks, cols = proven_in(rows), list("".join(rows)), len(rows[0])
    for mark, cells in ((SAFE, proven.safe), (MINE, proven.mines)):
        for cell in bits(cells):
            marks[cell] = mark
    return tuple("".join(marks[first : first + cols]) for first in range(0, len(marks), cols))


def drawn(marks: Mapping[Place, str]) -> Rows:
    """Return the smallest drawing of ``marks``; rotated and mirrored marks give the same drawing."""
    rows, images = _rows(marks), list[Rows]()
    for _ in range(4):
        rows = tuple(map("".join, zip(*reversed(rows), strict=True)))  # a quarter turn
        images += [rows, rows[::-1]]
    return min(images, key=lambda rows: (len(rows), [_ORDER.index(mark) for mark in "".join(rows)]))


def _rows(marks: Mapping[Place, str]) -> Rows:
    rows, cols = zip(*marks, strict=True)
    return tuple(
        "".join(marks.get((row, col), WALL) for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def written(patterns: Iterable[Pattern]) -> str:
    """Return the text of a file with ``patterns``, one a line after its order; `read` is the inverse."""
    return "".join(f"{line}\n" for line in [HEADER, *(f"{one.order} {one}" for one in patterns)])


def read(text: str) -> list[Pattern]:
    """Return the patterns in the text of a file. Raises PatternError that names the line at fault."""
    lines, patterns = text.splitlines(), list[Pattern]()
    if not lines or lines[0].strip() != HEADER:
        raise PatternError(f"this is not a pattern library: the first line must be {HEADER!r}")
    for number, line in enumerate(lines[1:], 2):
        order, _, drawing = line.strip().partition(" ")
        if order not in map(str, range(HIGHEST + 1)):
            shown = f"{line.strip():.{_SHOWN}}"
            raise PatternError(f"line {number}: {shown!r} does not begin with the order of a pattern")
        try:
            patterns.append(Pattern.drawn(drawing.split("/"), int(order)))
        except PatternError as error:
            raise PatternError(f"line {number}: {error}") from error
    return patterns


# Proofs


def system_of(rows: Sequence[str]) -> System:
    """Return the numbers of a drawing as constraints on its covered cells."""
    return System.of(Board.from_rows(row.translate(_STATES) for row in rows))


def proven_in(rows: Sequence[str]) -> Known:
    """Return the cells that the numbers of a drawing settle, or a clash, by all placements of mines."""
    system = system_of(rows)
    counted = apply_counting_rules(system, Known())
    return counted if counted.clash else prove_parts(system, counted)


def prove(system: System, order: int, known: Known | None = None) -> Known:
    """Return all cells that proofs of ``order`` settle, or a clash; start at ``known``."""
    known, before = known or apply_counting_rules(system, Known()), None
    while order > 1 and not known.clash and known != before:
        before = known
        for mask, need in zip(system.masks, system.needs, strict=True):
            # If all its mines are known, counting has settled its other cells.
            if not known.clash and need > (mask & known.mines).bit_count():
                known = _suppose(system, order - 1, known, mask & ~known.settled)
    return known


def _suppose(system: System, order: int, known: Known, cells: int) -> Known:
    """Return ``known`` and what a mine in each of ``cells`` in turn proves, or a clash if no case fits."""
    refuted, mines, safe = 0, -1, -1
    for cell in bits(cells):
        case = prove(system, order, extend(system, known, 1 << cell, 0))
        if case.clash:
            refuted |= 1 << cell
        else:
            mines, safe = mines & case.mines, safe & case.safe
    return replace(known, clash=True) if refuted == cells else extend(system, known, mines, safe | refuted)
