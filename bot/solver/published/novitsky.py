"""Patterns (Novitsky 2021): numbers in a small field that settle some of its covered cells.

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

**A library** looks up all small sets of numbers that share cells. If none of its patterns settles a cell
although a safe cell can be proven, a new pattern is made from the numbers of a short proof.

A set of numbers is a mask, bit ``i`` for number ``i``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations, permutations, product
from operator import itemgetter
from pathlib import Path

from bot.board import Board
from bot.errors import PatternError, UsageError
from bot.files import append_to, private_folder, put_aside, read_file
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, apply_counting_rules, extend, unsettled
from bot.solver.decision import Reason
from bot.solver.exact import Group, groups_of, prove_parts
from bot.solver.explain.proofs import nearest
from bot.solver.stages import COUNTING, Stage
from bot.solver.strategies import PlainStrategy

COVERED, SAFE, MINE, WALL = ".", "o", "*", "#"
DIGITS, _CELLS = "012345678", COVERED + SAFE + MINE
_ORDER = _CELLS + DIGITS + WALL  # the image whose marks are earliest here is drawn
_STATES = str.maketrans({SAFE: ".", MINE: ".", WALL: "W"})  # a drawing as the rows of a board
_SHIPPED = Path(__file__).with_name("patterns.txt")
_LARGEST = 1 << 20  # bytes of a library; the shipped one has 16,000
HEADER = "minebot schemes 1"  # the first line of a file
HIGHEST = 4  # the highest order that is tried; proofs of a higher order take too long to be useful
MANY = 8  # the room of a set of numbers if any number of covered cells will do; there are never more than 8
MOST_NUMBERS = 8  # the most numbers in a pattern: larger ones practically never occur again
_SHOWN = 100  # characters of a damaged line in a message

DrawingPlace = tuple[int, int]  # row and column in a drawing
Rows = tuple[str, ...]
Needs = tuple[int, ...]  # for each number, how many mines it needs
CellMarks = tuple[tuple[int, int, str], ...]  # what a pattern says about the cells around sets of its numbers
Key = tuple[Needs, tuple[tuple[int, int], ...]]  # sorted needs, and the sets with their rooms
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A drawing, the order of its proof as explained above, and what it says.

    The order is 0 if it is above `HIGHEST` or not computed. ``needs`` are its numbers, row by row. ``cells``
    are (set of numbers, room, mark), sorted: the room is the most covered cells that there may be around
    exactly these numbers (`MANY`: any number of cells; a missing set: none), the mark says what they are.
    """

    rows: Rows
    order: int
    needs: Needs
    cells: CellMarks

    @classmethod
    def drawn(cls, rows: Sequence[str], order: int = 0) -> Pattern:
        """Return the pattern of a drawing.

        Raises PatternError if it is not a drawing, has more than `MOST_NUMBERS` numbers, settles no cell, has
        a covered cell without a number, or treats exchangeable cells differently.
        """
        name, marks = f"{'/'.join(rows):.{_SHOWN}}", "".join(rows)
        numbers = sum(mark in DIGITS for mark in marks)
        if set(marks) - set(_ORDER) or len({len(row) for row in rows}) != 1 or not numbers:
            raise PatternError(f"{name!r} is not a valid drawing of a pattern")
        if numbers > MOST_NUMBERS:
            raise PatternError(f"the pattern {name} has {numbers} numbers, more than {MOST_NUMBERS}")
        needs, groups = groups_in(rows)
        sets = {group.constraints: [marks[cell] for cell in bits(group.cells)] for group in groups}
        if sum(map(len, sets.values())) < sum(mark in _CELLS for mark in marks):
            raise PatternError(f"the pattern {name} has a covered cell that touches no number")
        if any(len(set(own)) > 1 for own in sets.values()):
            raise PatternError(f"the pattern {name} marks cells that touch the same numbers differently")
        if all(COVERED in own for own in sets.values()):
            raise PatternError(f"the pattern {name} proves no cell safe or a mine")
        # A set of cells holds at most as many mines as its smallest number needs, so with more cells their
        # number does not matter; except if all of them are mines.
        cells = sorted(
            (chosen, len(own) if MINE in own or len(own) < least(needs, chosen) else MANY, own[0])
            for chosen, own in sets.items()
        )
        return cls(tuple(rows), order, needs, tuple(cells))

    @classmethod
    def settled(cls, rows: Sequence[str]) -> Pattern:
        """Return the pattern of a drawing after marking the covered cells that its numbers settle."""
        proven, marks, cols = proven_in(rows), list("".join(rows)), len(rows[0])
        for mark, cells in ((SAFE, proven.safe), (MINE, proven.mines)):
            for cell in bits(cells):
                marks[cell] = mark
        return cls.drawn(["".join(marks[first : first + cols]) for first in range(0, len(marks), cols)])

    @classmethod
    def found(cls, field: Mapping[DrawingPlace, str]) -> Pattern:
        """Return what the numbers of a field settle among its covered cells; the order is not computed.

        Cells beyond the number that makes a difference are not drawn. Raises PatternError if none is settled.
        """
        rows = cls.settled(_rows(field)).rows
        (needs, groups), marks, cols = groups_in(rows), "".join(rows), len(rows[0])
        shown = [place for place, mark in enumerate(marks) if mark in DIGITS]
        for group in groups:
            cells, few = list(bits(group.cells)), least(needs, group.constraints)
            # One covered cell more than the mines, or all of them could be mines.
            most = {SAFE: max(1, few), MINE: len(cells), COVERED: few + 1}[marks[cells[0]]]
            shown += cells[:most]
        return cls.drawn(drawn({divmod(place, cols): marks[place] for place in shown}))

    def __str__(self) -> str:
        return "/".join(self.rows)

    def reordered(self) -> set[CellMarks]:
        """Return the cells for the numbers in each of the orders that sort their needs."""
        same = ([i for i, own in enumerate(self.needs) if own == need] for need in sorted({*self.needs}))
        orders = (sum(parts, ()) for parts in product(*map(permutations, same)))
        return {
            tuple(sorted((moved(chosen, order), room, mark) for chosen, room, mark in self.cells))
            for order in orders
        }

    @property
    def key(self) -> Key:
        """A key that is the same for patterns that differ only in the order of their numbers."""
        rooms = min(tuple((chosen, room) for chosen, room, _ in cells) for cells in self.reordered())
        return tuple(sorted(self.needs)), rooms

    def ordered(self) -> Pattern:
        """Return a copy with ``order`` set to the lowest order that proves it, 0 if above `HIGHEST`."""
        system, wanted = system_of(self.rows), proven_in(self.rows).settled
        orders = (order for order in range(1, HIGHEST + 1) if not wanted & ~prove(system, order).settled)
        return replace(self, order=next(orders, 0))

    def check(self) -> None:
        """Raise PatternError if the pattern is wrong for a placement of mines that it allows."""
        proven, marks = proven_in(self.rows), "".join(self.rows)
        safe, mines = (mask_with(i for i, own in enumerate(marks) if own == mark) for mark in (SAFE, MINE))
        for wrong, why in (
            (proven.clash, "no placement of mines fits its numbers"),
            (safe & ~proven.safe, "a cell that it marks as safe can be a mine"),
            (mines & ~proven.mines, "a cell that it marks as a mine can be safe"),
        ):
            if wrong:
                raise PatternError(f"the pattern {self} is wrong: {why}")


def least(needs: Sequence[int], chosen: int) -> int:
    """Return how many mines the smallest number in the set ``chosen`` needs."""
    return min(needs[i] for i in bits(chosen))


@lru_cache(maxsize=1 << 12)  # more than the synthesis needs
def moved(chosen: int, order: tuple[int, ...]) -> int:
    """Return the set ``chosen`` after the numbers are put in another order: ``order[i]`` becomes ``i``."""
    return sum(1 << place for place, number in enumerate(order) if chosen >> number & 1)


# Drawings


def groups_in(rows: Sequence[str]) -> tuple[Needs, list[Group]]:
    """Return the needs of the numbers of a drawing, row by row, and the groups of its covered cells."""
    numbers = list(unsettled(system_of(rows), Known()).values())
    return tuple(need for _, need in numbers), groups_of(numbers)


def drawn(marks: Mapping[DrawingPlace, str]) -> Rows:
    """Return the smallest drawing of ``marks``; rotated and mirrored marks give the same drawing."""
    rows, images = _rows(marks), list[Rows]()
    for _ in range(4):
        rows = tuple(map("".join, zip(*reversed(rows), strict=True)))  # a quarter turn
        images += [rows, rows[::-1]]
    return min(images, key=lambda rows: (len(rows), [_ORDER.index(mark) for mark in "".join(rows)]))


def _rows(marks: Mapping[DrawingPlace, str]) -> Rows:
    rows, cols = zip(*marks, strict=True)
    return tuple(
        "".join(marks.get((row, col), WALL) for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


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
            if known.clash or need <= (mask & known.mines).bit_count():
                continue  # if all its mines are known, counting has settled its other cells
            refuted, mines, safe = 0, -1, -1
            for cell in bits(cells := mask & ~known.settled):
                case = prove(system, order - 1, extend(system, known, 1 << cell, 0))
                if case.clash:
                    refuted |= 1 << cell
                else:
                    mines, safe = mines & case.mines, safe & case.safe
            none_fits = refuted == cells
            known = Known(clash=True) if none_fits else extend(system, known, mines, safe | refuted)
    return known


# Libraries


def connected(near: Mapping[int, int], fits: Callable[[list[int]], bool]) -> Iterator[list[list[int]]]:
    """Yield the sets of one number, of two, and so on, that are connected by shared cells and that ``fits``.

    ``near`` has the mask of the numbers that share cells with each number. A set that does not fit is not
    extended.
    """
    sets = {1 << number: around for number, around in near.items()}  # with the numbers near them
    while sets:
        sets = {chosen: around for chosen, around in sets.items() if fits(list(bits(chosen)))}
        yield [list(bits(chosen)) for chosen in sets]
        sets = {
            chosen | 1 << number: around | near[number]
            for chosen, around in sets.items()
            for number in bits(around & ~chosen)
        }


class Library:
    """A collection of patterns that settles cells of a position.

    If it has ``on_new``, it learns a new pattern where its patterns settle no cell, but the placements of
    mines that fit the numbers prove one safe; ``on_new`` is called with each new pattern.
    """

    def __init__(
        self, patterns: Iterable[Pattern] = (), on_new: Callable[[Pattern], None] | None = None
    ) -> None:
        self.patterns: list[Pattern] = []
        self.on_new = on_new
        self._cells: dict[Needs, list[dict[int, tuple[int, str]]]] = {}  # of the patterns, by sorted needs
        self._wanted = set[Needs]()  # the needs of the patterns, and of parts of them
        for pattern in patterns:
            self.add(pattern)

    def add(self, pattern: Pattern) -> None:
        """Add a pattern."""
        self.patterns.append(pattern)
        needs = tuple(sorted(pattern.needs))
        same = self._cells.setdefault(needs, [])
        same += ({chosen: (room, mark) for chosen, room, mark in cells} for cells in pattern.reordered())
        self._wanted.update(*(combinations(needs, count) for count in range(1, len(needs) + 1)))

    def covers(self, key: Key) -> bool:
        """Return whether the patterns settle a cell wherever the pattern with this key does."""
        needs, rooms = key
        return any(self._marks(needs, dict(rooms)))

    def _marks(self, needs: Needs, sizes: Mapping[int, int]) -> Iterator[tuple[int, str]]:
        """Yield (set, mark) for the cells that patterns settle around sets of numbers with sorted ``needs``.

        ``sizes`` says how many cells there are around each set.
        """
        for cells in self._cells.get(needs, ()):
            if all(size <= cells.get(chosen, (0, ""))[0] for chosen, size in sizes.items()):
                yield from ((chosen, cells[chosen][1]) for chosen in sizes if cells[chosen][1] != COVERED)

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known``, which counting gave, with the cells that the patterns settle, or a clash.

        The smallest patterns are tried first, with counting after each step, until a cell can be opened.
        """
        while not (known.clash or known.safe & system.playable):
            mines, safe = self._settled_by_smallest(system, known)
            if mines | safe:
                known = extend(system, known, mines, safe)
            elif self.on_new and (lesson := learned_from(system, known)):
                self.add(lesson)
                self.on_new(lesson)
            else:
                break
        return known

    def _settled_by_smallest(self, system: System, known: Known) -> tuple[int, int]:
        """Return the masks of the mines and of the safe cells that the smallest fitting patterns settle."""
        numbers = unsettled(system, known)
        near = {index: system.constraints_on(cells) for index, (cells, _) in numbers.items()}
        mines = safe = 0

        def needs(chosen: list[int]) -> Needs:
            return tuple(sorted([numbers[index][1] for index in chosen]))

        for sets in connected(near, lambda chosen: needs(chosen) in self._wanted):
            for chosen in sets:
                ordered = sorted((numbers[index] for index in chosen), key=itemgetter(1))
                cells = {group.constraints: group.cells for group in groups_of(ordered)}
                sizes = {around: own.bit_count() for around, own in cells.items()}
                for around, mark in self._marks(needs(chosen), sizes):
                    mines |= cells[around] if mark == MINE else 0
                    safe |= cells[around] if mark == SAFE else 0
            if mines | safe:
                break
        return mines, safe


def learned_from(system: System, known: Known) -> Pattern | None:
    """Return a new pattern of few numbers that settles a cell which is not ``known``.

    Return None if the numbers prove no further cell safe, or if the proof needs more than `MOST_NUMBERS`.
    """
    proven = prove_parts(system, known)
    new = proven.safe & ~known.safe & system.playable
    if proven.clash or not new:
        return None
    proof = min(nearest(Board(system.board.states), system.cells(new)), key=len, default=None)
    sources = {one.source for one in proof.constraints} if proof else set()
    numbers = {i: number for i, number in unsettled(system, known).items() if system.sources[i] in sources}
    if not 0 < len(numbers) <= MOST_NUMBERS:
        return None
    for index in [*numbers]:  # some may only be needed to prove a known cell
        proven = prove_parts(system, known, mask_with(other for other in numbers if other != index))
        if proven.clash or proven.settled != known.settled:
            del numbers[index]
    field: dict[DrawingPlace, str] = {}
    for index, (cells, need) in numbers.items():
        field |= dict.fromkeys(system.cells(cells), COVERED)
        if source := system.sources[index]:
            field[source] = str(need)
    return Pattern.found(field).ordered()


# Files


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


@cache
def shipped() -> Library:
    """Return the library that comes with the program, made by `synthesis`. Do not add patterns to it."""
    return Library(read(_SHIPPED.read_text(encoding="utf-8")))


def load(path: Path) -> list[Pattern]:
    """Return the patterns of a file, each of them checked by trying all placements of mines.

    Raises UsageError if there is no such file; PatternError if it cannot be read, if it is damaged, or if one
    of its patterns is wrong.
    """
    try:
        patterns = read(read_file(path, _LARGEST).decode())
        for pattern in patterns:
            pattern.check()
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {path}: name a library of patterns") from error
    except OSError as error:
        raise PatternError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise PatternError(f"{path}: this is not a pattern library: it is not a text file") from error
    except PatternError as error:
        raise PatternError(f"{path}: {error}") from error
    return patterns


def load_learned(path: Path, complain: Say) -> list[Pattern]:
    """Return the learned patterns of a file; rename a file that cannot be used, and complain about it."""
    if not path.exists():
        return []
    try:
        return load(path)
    except PatternError as error:
        try:
            where = f"the file was renamed to {put_aside(path).name}"
        except OSError as failed:
            where = f"the file cannot be renamed ({failed.strerror})"
        complain(f"{error}; {where}, and learning starts again without it")
        return []


def learner(path: Path, say: Say, complain: Say) -> Library:
    """Return a library of the shipped patterns and those of ``path``, which appends new ones there.

    Each new one is printed with ``say``; ``complain`` is called the first time that it cannot be written.
    """
    complained = False

    def append(pattern: Pattern) -> None:
        nonlocal complained
        try:
            private_folder(path.parent)
            text = written([pattern]) if not path.exists() else f"{pattern.order} {pattern}\n"
            with append_to(path) as file:
                file.write(text.encode())
        except OSError as error:
            if not complained:
                failed = f"{path} cannot be written ({error.strerror})"
                complain(f"{failed}; new patterns will be lost when the program ends")
            complained = True
        else:
            say(f"learned the pattern {pattern}")

    return Library([*shipped().patterns, *load_learned(path, complain)], append)


# The strategy


def _settled_with(system: System, known: Known, library: Library | None) -> Known:
    return (library or shipped()).settle(system, known)


def strategy_with(library: Library | None) -> PlainStrategy:
    """Return the strategy novitsky with the patterns of ``library``, None: those that are shipped."""
    stage = Stage(Reason.PATTERN, partial(_settled_with, library=library))
    return PlainStrategy("novitsky", (COUNTING, stage), learns=True)


STRATEGY = strategy_with(None)
