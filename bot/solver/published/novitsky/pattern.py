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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from bot.errors import PatternError
from bot.solver.constraints import bits

COVERED, SAFE, MINE, WALL = ".", "o", "*", "#"
_DIGITS = "012345678"
_ORDER = COVERED + SAFE + MINE + _DIGITS + WALL  # the image whose marks are earliest here is drawn
HEADER = "minebot schemes 1"  # the first line of a file
HIGHEST = 4  # the highest order that is tried; proofs of a higher order take too long to be useful
MANY = 8  # the room of a set of numbers if any number of covered cells will do; there are never more than 8
MOST_NUMBERS = 8  # the most numbers in a pattern: larger ones practically never occur again
_PERMUTED = 6  # the most numbers that are tried in all orders when two patterns are compared
_SHOWN = 100  # characters of a damaged line in a message

Place = tuple[int, int]  # row and column in a drawing
Rows = tuple[str, ...]
Number = tuple[int, int]  # the mask of the covered cells that it counts, and how many of them are mines
Counts = tuple[int, ...]  # for each group of exchangeable cells how many there are, or how many mines


class Settled(NamedTuple):
    """The mask of the cells that are proven safe, and the mask of those that are proven mines."""

    safe: int = 0
    mines: int = 0


@dataclass(frozen=True, slots=True)
class Pattern:
    """A drawing and its meaning.

    ``needs`` are its numbers, row by row. ``rooms`` gives for each set of numbers the most covered cells that
    there may be around exactly these numbers (`MANY`: any number of cells; a missing set: none). The cells
    around the sets in ``safe`` are safe, those around the sets in ``mines`` are mines. ``order`` is the order
    of its proof, as explained above; 0 if it is above `HIGHEST` or not computed.
    """

    rows: Rows
    order: int
    needs: tuple[int, ...]
    rooms: Mapping[int, int]
    safe: frozenset[int]
    mines: frozenset[int]

    @classmethod
    def drawn(cls, rows: Sequence[str], order: int) -> Pattern:
        """Return the pattern of a drawing.

        Raises PatternError if it is not a drawing, has more than `MOST_NUMBERS` numbers, settles no cell, has
        a covered cell without a number, or treats exchangeable cells differently.
        """
        name, numbers = f"{'/'.join(rows):.{_SHOWN}}", numbers_of(rows)
        if set("".join(rows)) - set(_ORDER) or len({len(row) for row in rows}) != 1 or not numbers:
            raise PatternError(f"{name!r} is not a valid drawing of a pattern")
        if len(numbers) > MOST_NUMBERS:
            raise PatternError(f"the pattern {name} has {len(numbers)} numbers, more than {MOST_NUMBERS}")
        needs = tuple(int(rows[row][col]) for row, col in numbers)
        sets: dict[int, list[str]] = {}
        for row, col in _covered(rows):
            sets.setdefault(touched(numbers, (row, col)), []).append(rows[row][col])
        if 0 in sets:
            raise PatternError(f"the pattern {name} has a covered cell that touches no number")
        if any(len(set(marks)) > 1 for marks in sets.values()):
            raise PatternError(f"the pattern {name} marks cells that touch the same numbers differently")
        mines = frozenset(chosen for chosen, marks in sets.items() if MINE in marks)
        safe = frozenset(chosen for chosen, marks in sets.items() if SAFE in marks)
        if not (mines or safe):
            raise PatternError(f"the pattern {name} proves no cell safe or a mine")
        # A set of cells holds at most as many mines as its smallest number needs, so with more cells their
        # number does not matter; except if all of them are mines.
        rooms = {
            chosen: len(marks) if chosen in mines or len(marks) < _least(needs, chosen) else MANY
            for chosen, marks in sets.items()
        }
        return cls(tuple(rows), order, needs, rooms, safe, mines)

    @classmethod
    def found(
        cls, places: Sequence[Place], needs: Sequence[int], cells: Mapping[int, Sequence[Place]]
    ) -> Pattern:
        """Return the pattern of numbers at ``places`` that need ``needs`` mines; its order is not computed.

        ``cells`` gives for each set of numbers the cells around exactly these. Cells beyond the number that
        makes a difference are not drawn. Raises PatternError if no cell is settled.
        """
        sets, rooms = list(cells), tuple(len(cells[chosen]) for chosen in cells)
        fitting = list(placements(needs, sets, rooms))
        marks = {place: str(need) for place, need in zip(places, needs, strict=True)}
        for chosen, room, held in zip(sets, rooms, zip(*fitting, strict=True), strict=True):
            few = max(1, _least(needs, chosen))
            if max(held) == 0:
                mark, shown = SAFE, min(room, few)
            elif min(held) == room:
                mark, shown = MINE, room
            else:
                mark, shown = COVERED, min(room, few + 1)  # one more, or all of them could be mines
            marks.update(dict.fromkeys(cells[chosen][:shown], mark))
        return cls.drawn(drawn(marks), 0)

    def __str__(self) -> str:
        return "/".join(self.rows)

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is the same for patterns that differ only in the order of their numbers.

        With more than 6 numbers not all orders are tried, so the keys of two such patterns may differ.
        """
        return min(
            (
                tuple(self.needs[i] for i in order),
                tuple(sorted((moved(chosen, order), room) for chosen, room in self.rooms.items())),
                tuple(sorted(moved(chosen, order) for chosen in self.safe)),
                tuple(sorted(moved(chosen, order) for chosen in self.mines)),
            )
            for order in orders(self.needs)
        )

    @property
    def said(self) -> list[Number]:
        """Its numbers as constraints: a mask of its covered cells, row by row, and the mines in them."""
        cells = _covered(self.rows)
        return [
            (sum(1 << i for i, cell in enumerate(cells) if touched([number], cell)), need)
            for number, need in zip(numbers_of(self.rows), self.needs, strict=True)
        ]

    @property
    def settled(self) -> Settled:
        """Its covered cells that are marked as safe and as mines, as masks like those of `said`."""
        marks = [self.rows[row][col] for row, col in _covered(self.rows)]
        safe, mines = (sum(1 << i for i, mark in enumerate(marks) if mark == one) for one in (SAFE, MINE))
        return Settled(safe, mines)

    def ordered(self) -> Pattern:
        """Return a copy with ``order`` set to the lowest order that proves it, 0 if above `HIGHEST`."""
        return replace(self, order=order_of(self.said, self.settled) or 0)

    def covers(self, other: Pattern) -> bool:
        """Return whether this pattern settles a cell wherever ``other`` does."""
        for order in orders_like(self.needs, other.needs):
            rooms = {moved(chosen, order): most for chosen, most in self.rooms.items()}
            settled = {moved(chosen, order) for chosen in self.safe | self.mines}
            fits = all(most <= rooms.get(chosen, 0) for chosen, most in other.rooms.items())
            if fits and any(chosen in other.rooms for chosen in settled):
                return True
        return False

    def fault(self) -> str:
        """Return why the pattern is wrong, "" if it is right.

        All placements of mines in its covered cells that satisfy its numbers are checked.
        """
        numbers, rooms = numbers_of(self.rows), dict[int, int]()
        for cell in _covered(self.rows):
            chosen = touched(numbers, cell)
            rooms[chosen] = rooms.get(chosen, 0) + 1
        fitting = list(placements(self.needs, list(rooms), tuple(rooms.values())))
        if not fitting:
            return "no placement of mines fits its numbers"
        for (chosen, room), held in zip(rooms.items(), zip(*fitting, strict=True), strict=True):
            if chosen in self.safe and max(held) > 0:
                return "a cell that it marks as safe can be a mine"
            if chosen in self.mines and min(held) < room:
                return "a cell that it marks as a mine can be safe"
        return ""


def _least(needs: Sequence[int], chosen: int) -> int:
    """Return how many mines the smallest number in the set ``chosen`` needs."""
    return min(needs[i] for i in bits(chosen))


def moved(chosen: int, order: Sequence[int]) -> int:
    """Return the set ``chosen`` after the numbers are put in another order: ``order[i]`` becomes ``i``."""
    return sum(1 << place for place, number in enumerate(order) if chosen >> number & 1)


def orders_like(needs: Counts, wanted: Counts, before: Counts = ()) -> Iterator[Counts]:
    """Iterate over the permutations, as tuples of indices, that turn ``needs`` into ``wanted``.

    ``before`` is the part of the permutation that is already chosen.
    """
    if len(before) == len(needs) == len(wanted):
        yield before
    for number, need in enumerate(needs if len(before) < len(wanted) else ()):
        if need == wanted[len(before)] and number not in before:
            yield from orders_like(needs, wanted, (*before, number))


def orders(needs: Counts) -> Iterator[Counts]:
    """Iterate over the orders that sort ``needs``; with more than 6 numbers, over only one of them."""
    found = orders_like(needs, tuple(sorted(needs)))
    return found if len(needs) <= _PERMUTED else islice(found, 1)


# Drawings


def numbers_of(rows: Sequence[str]) -> list[Place]:
    """Return where the numbers of a drawing are, row by row."""
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in _DIGITS]


def _covered(rows: Sequence[str]) -> list[Place]:
    marks = (COVERED, SAFE, MINE)
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in marks]


def touched(numbers: Sequence[Place], place: Place) -> int:
    """Return which of ``numbers`` are adjacent to the cell ``place``, as a bit mask."""
    near = (max(abs(row - place[0]), abs(col - place[1])) == 1 for row, col in numbers)
    return sum(1 << i for i, touches in enumerate(near) if touches)


def drawn(marks: Mapping[Place, str]) -> Rows:
    """Return the smallest drawing of ``marks``; rotated and mirrored marks give the same drawing."""
    images = []
    for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        turned = {(down * row, right * col): mark for (row, col), mark in marks.items()}
        images += [_rows(turned), _rows({(col, row): mark for (row, col), mark in turned.items()})]
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


# Proofs order by order


def prove(numbers: Sequence[Number], order: int, known: Settled = Settled()) -> Settled | None:  # noqa: B008
    """Return ``known`` and all cells that proofs of ``order`` settle; None if there is a contradiction."""
    while True:
        counted = _count(numbers, known)
        if counted is None or order == 1:
            return counted
        found = _suppose(numbers, order - 1, counted)
        if found is None or found == counted:
            return found
        known = found


def order_of(numbers: Sequence[Number], wanted: Settled) -> int | None:
    """Return the lowest order that proves what is ``wanted``, None if it is above `HIGHEST`."""
    for order in range(1, HIGHEST + 1):
        found = prove(numbers, order)
        if found and not (wanted.safe & ~found.safe or wanted.mines & ~found.mines):
            return order
    return None


def _count(numbers: Sequence[Number], known: Settled) -> Settled | None:
    safe, mines = known
    changed = True
    while changed:
        changed = False
        for mask, number in numbers:
            need, rest = number - (mask & mines).bit_count(), mask & ~(safe | mines)
            if need < 0 or need > rest.bit_count():
                return None
            if rest and need == 0:
                safe, changed = safe | rest, True
            elif rest and need == rest.bit_count():
                mines, changed = mines | rest, True
    return Settled(safe, mines)


def _suppose(numbers: Sequence[Number], order: int, known: Settled) -> Settled | None:
    """Return ``known`` and what supposing the mines of each number proves; None if every case fails."""
    safe, mines = known
    for mask, number in numbers:
        if number == (mask & mines).bit_count():
            continue  # all its mines are known, and counting settles its other cells
        refuted, shared = 0, Settled(-1, -1)
        for cell in bits(mask & ~(safe | mines)):
            case = prove(numbers, order, Settled(safe, mines | 1 << cell))
            if case is None:
                refuted |= 1 << cell
            else:
                shared = Settled(shared.safe & case.safe, shared.mines & case.mines)
        if refuted and shared == (-1, -1):
            return None
        if shared != (-1, -1):
            safe, mines = safe | shared.safe, mines | shared.mines
        safe |= refuted
    return Settled(safe, mines)


# All ways to place mines around a few numbers


def placements(needs: Sequence[int], sets: Sequence[int], rooms: Counts) -> Iterator[Counts]:
    """Iterate over the ways to place mines so that every number has what it needs: the mines of each group.

    ``sets`` are the masks of the numbers around each group; ``rooms`` are the numbers of cells in each group.
    """
    numbers = [list(bits(chosen)) for chosen in sets]
    left = [[0] * len(needs)]  # for each group: the cells of it and later ones around each number
    for around, room in zip(reversed(numbers), reversed(rooms), strict=True):
        left.insert(0, [more + room * (i in around) for i, more in enumerate(left[0])])

    def placed(needs: list[int], before: Counts) -> Iterator[Counts]:
        group = len(before)
        if group == len(rooms):
            yield before
            return
        around, later = numbers[group], left[group + 1]
        most = min(rooms[group], *(needs[i] for i in around))
        least = max(0, *(needs[i] - later[i] for i in around))
        for mines in range(least, most + 1):
            rest = needs.copy()
            for i in around:
                rest[i] -= mines
            yield from placed(rest, (*before, mines))

    if all(need <= most for need, most in zip(needs, left[0], strict=True)):
        yield from placed(list(needs), ())


def settles(needs: Sequence[int], sets: Sequence[int], rooms: Counts) -> bool:
    """Return whether the numbers settle a group of cells, or contradict each other."""
    without = filled = [group for group, room in enumerate(rooms) if room]  # in all placements so far
    for placed in placements(needs, sets, rooms):
        without = [group for group in without if not placed[group]]
        filled = [group for group in filled if placed[group] == rooms[group]]
        if not (without or filled):
            return False
    return True
