"""A library of patterns: matching on a board, learning from positions, files, and the names of patterns.

All small sets of numbers that share cells are looked up in the library. If none of its patterns settles a
cell although a safe cell can be proven, a `Learner` makes a new pattern from the numbers of a short proof.

The names that players give to patterns are defined by examples: fields in which players use the name. The
solver finds out which cells these fields settle, and by which numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial, reduce
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bot.board import Board, Cell
from bot.errors import PatternError, UsageError
from bot.files import put_aside, read_file
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, propagate
from bot.solver.decision import Constraint, Reason
from bot.solver.exact import prove_parts
from bot.solver.explain.proofs import nearest
from bot.solver.published.novitsky.pattern import (
    HEADER,
    MINE,
    MOST_NUMBERS,
    SAFE,
    WALL,
    Pattern,
    Rows,
    Settled,
    moved,
    orders,
    orders_like,
    prove,
    read,
    settles,
)
from bot.solver.stages import COUNTING, Stage
from bot.solver.strategies import PlainStrategy

_SHIPPED = Path(__file__).with_name("patterns.txt")
_LARGEST = 1 << 20  # bytes of a library; the shipped one has 16,000

Needs = tuple[int, ...]
Wanted = frozenset[Needs]  # the needs of patterns and of parts of them, each sorted
Say = Callable[[str], None]


class Group(NamedTuple):
    """The cells around exactly the numbers of the mask ``chosen``."""

    chosen: int
    cells: int


@dataclass(slots=True)
class Frontier:
    """The numbers of a position that have unsettled cells around them.

    For each number: the index of its constraint, the mask of its unsettled cells, how many of these are
    mines, and the mask of the numbers that share such a cell with it.
    """

    indices: list[int] = field(default_factory=list)
    masks: list[int] = field(default_factory=list)
    needs: list[int] = field(default_factory=list)
    near: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, system: System, known: Known) -> Frontier:
        """Return the numbers around which some cells are not ``known``."""
        found = cls()
        for index in bits(system.numbers):
            rest = system.masks[index] & ~known.settled
            if rest:
                found.indices.append(index)
                found.masks.append(rest)
                found.needs.append(system.needs[index] - (system.masks[index] & known.mines).bit_count())
        masks = found.masks
        found.near = [sum(1 << j for j, other in enumerate(masks) if other & mask) for mask in masks]
        return found


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some numbers of a frontier, in the order in which they were added, their needs and their groups."""

    numbers: tuple[int, ...] = ()
    needs: Needs = ()
    groups: tuple[Group, ...] = ()

    @classmethod
    def of(cls, frontier: Frontier, numbers: Iterable[int]) -> Chosen:
        """Return the selection of these ``numbers`` of ``frontier``."""
        return reduce(lambda chosen, number: chosen.joined(frontier, number), numbers, cls())

    def joined(self, frontier: Frontier, number: int) -> Chosen:
        """Return a copy with one more number."""
        left, bit, groups = frontier.masks[number], 1 << len(self.numbers), list[Group]()
        for chosen, cells in self.groups:
            inside = cells & left
            if inside:
                groups.append(Group(chosen | bit, inside))
                left ^= inside
            if inside != cells:
                groups.append(Group(chosen, cells ^ inside))
        if left:
            groups.append(Group(bit, left))
        return Chosen((*self.numbers, number), (*self.needs, frontier.needs[number]), tuple(groups))

    @property
    def settles(self) -> bool:
        """Whether the numbers settle a cell, or contradict each other."""
        rooms = tuple(group.cells.bit_count() for group in self.groups)
        return settles(self.needs, [group.chosen for group in self.groups], rooms)


def connected(frontier: Frontier, size: int, wanted: Wanted) -> Iterator[Chosen]:
    """Yield each set of ``size`` numbers that are connected by shared cells and whose needs are ``wanted``.

    ``wanted`` must contain the needs of smaller sets, too: a set with other needs is not extended. The order
    is that of Wernicke's enumeration of connected subgraphs, which yields no set twice.
    """

    def grown(chosen: Chosen, ahead: int, seen: int) -> Iterator[Chosen]:
        """Yield the sets that extend ``chosen`` by ``ahead``; numbers ``seen`` are not added to ``ahead``."""
        if tuple(sorted(chosen.needs)) not in wanted:
            return
        if len(chosen.numbers) == size:
            yield chosen
            return
        for number in bits(ahead):
            ahead &= ~(1 << number)
            near = frontier.near[number]
            yield from grown(chosen.joined(frontier, number), ahead | near & ~seen, seen | near)

    for first, near in enumerate(frontier.near):
        later = -1 << first + 1
        yield from grown(Chosen.of(frontier, [first]), near & later, near | ~later)


class _Entry(NamedTuple):
    """A pattern with its numbers in a certain order: its rooms, and the sets whose cells it settles."""

    rooms: Mapping[int, int]
    safe: frozenset[int]
    mines: frozenset[int]


class Library:
    """A collection of patterns that settles cells of a position."""

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self.patterns: list[Pattern] = []
        self._by_needs: dict[Needs, list[Pattern]] = {}  # by sorted needs
        self._entries: dict[Needs, list[_Entry]] = {}  # by needs in any order, made when first used
        self._wanted: dict[int, Wanted] = {}  # by the number of numbers
        for pattern in patterns:
            self.add(pattern)

    def add(self, pattern: Pattern) -> None:
        """Add a pattern."""
        self.patterns.append(pattern)
        needs, size = tuple(sorted(pattern.needs)), len(pattern.needs)
        if size > 1:  # counting covers single numbers
            self._by_needs.setdefault(needs, []).append(pattern)
            self._entries.clear()
            parts = {part for count in range(1, size + 1) for part in combinations(needs, count)}
            self._wanted[size] = self._wanted.get(size, frozenset()) | parts

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known``, which counting gave, with the cells that the patterns settle, or a clash.

        The smallest patterns are tried first, with counting after each step, until a cell can be opened.
        """
        while not (known.clash or known.safe & system.playable):
            before, known = known, self._step(system, known)
            if known.settled == before.settled:
                break
        return known

    def _step(self, system: System, known: Known) -> Known:
        """Return ``known`` with what the smallest fitting patterns settle, and counting after that."""
        frontier = Frontier.of(system, known)
        found = (self._matches(frontier, size) for size in sorted(self._wanted))
        safe, mines = next((cells for cells in found if any(cells)), (0, 0))
        changed = system.total
        for cell in bits(safe | mines):
            changed |= system.touching[cell]
        return propagate(system, known.extended(mines, safe), changed)

    def _matches(self, frontier: Frontier, size: int) -> tuple[int, int]:
        """Return the masks of the cells that patterns of ``size`` numbers settle: safe cells, and mines."""
        safe_cells = mine_cells = 0
        for chosen in connected(frontier, size, self._wanted[size]):
            sizes = [(group.chosen, group.cells.bit_count()) for group in chosen.groups]
            for rooms, safe, mines in self._entries_for(chosen.needs):
                if all(size <= rooms.get(numbers, 0) for numbers, size in sizes):
                    safe_cells |= sum(group.cells for group in chosen.groups if group.chosen in safe)
                    mine_cells |= sum(group.cells for group in chosen.groups if group.chosen in mines)
        return safe_cells, mine_cells

    def _entries_for(self, needs: Needs) -> list[_Entry]:
        """Return the patterns with these ``needs``, their numbers in every order that has these needs."""
        if needs not in self._entries:
            found = list[_Entry]()
            for pattern in self._by_needs.get(tuple(sorted(needs)), ()):
                for order in orders_like(pattern.needs, needs):
                    rooms = {moved(chosen, order): room for chosen, room in pattern.rooms.items()}
                    safe, mines = (
                        frozenset(moved(one, order) for one in sets) for sets in (pattern.safe, pattern.mines)
                    )
                    entry = _Entry(rooms, safe, mines)
                    found += [entry] if entry not in found else []
            self._entries[needs] = found
        return self._entries[needs]


class Learner(Library):
    """A library that learns a new pattern when its patterns settle no cell.

    It learns only if the placements of mines that fit the numbers prove a cell safe. ``learned`` are the new
    patterns, the oldest first; ``on_new`` is called with each.
    """

    def __init__(
        self, patterns: Iterable[Pattern], on_new: Callable[[Pattern], None] = lambda _: None
    ) -> None:
        super().__init__(patterns)
        self._on_new = on_new
        self.learned: list[Pattern] = []

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known`` with the cells that the patterns settle, including patterns learned on the way."""
        while True:
            known = super().settle(system, known)
            if known.clash or known.safe & system.playable:
                return known
            lesson = learned_from(system, known)
            if lesson is None:
                return known
            self.learned.append(lesson)
            self.add(lesson)
            self._on_new(lesson)


def learned_from(system: System, known: Known) -> Pattern | None:
    """Return a new pattern of few numbers that settles a cell which is not ``known``.

    Return None if the numbers prove no further cell safe, or if the proof needs more than `MOST_NUMBERS`.
    """
    proven = prove_parts(system, known)
    new = proven.safe & ~known.safe & system.playable
    if proven.clash or not new:
        return None
    proofs = nearest(Board(system.board.states), system.cells(new))
    sources = {one.source for proof in sorted(proofs, key=len)[:1] for one in proof.constraints}
    frontier = Frontier.of(system, known)
    numbers = [i for i, index in enumerate(frontier.indices) if system.sources[index] in sources]
    if not 0 < len(numbers) <= MOST_NUMBERS:
        return None
    for number in numbers.copy():  # some may only be needed to prove a known cell
        rest = [other for other in numbers if other != number]
        if Chosen.of(frontier, rest).settles:
            numbers = rest
    chosen = Chosen.of(frontier, numbers)
    places = [_place(system.sources[frontier.indices[number]]) for number in numbers]
    cells = {group.chosen: [_place(cell) for cell in system.cells(group.cells)] for group in chosen.groups}
    return Pattern.found(places, chosen.needs, cells).ordered()


def _place(cell: tuple[int, int] | None) -> tuple[int, int]:
    assert cell is not None, "the mine total has no place"
    return cell[0], cell[1]


# Files


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
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {path}: name a library of patterns") from error
    except OSError as error:
        raise PatternError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise PatternError(f"{path}: this is not a pattern library: it is not a text file") from error
    except PatternError as error:
        raise PatternError(f"{path}: {error}") from error
    if found := first_fault(patterns):
        raise PatternError(f"{path}: {found}")
    return patterns


def first_fault(patterns: Sequence[Pattern]) -> str:
    """Return words that say which of the patterns is wrong and why, "" if all of them are right."""
    said = ((pattern, pattern.fault()) for pattern in patterns)
    return next((f"the pattern {pattern} is wrong: {wrong}" for pattern, wrong in said if wrong), "")


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


class PatternRecorder:
    """A recorder that adds each learned pattern to a file, and complains once if that fails."""

    def __init__(self, path: Path, say: Say, complain: Say) -> None:
        self._path, self._say, self._complain = path, say, complain
        self._failed = False

    def record(self, pattern: Pattern) -> None:
        """Append a pattern to the file, and print a message with ``say``."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new = not self._path.exists()
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{HEADER}\n" * new + f"{pattern.order} {pattern}\n")
        except OSError as error:
            if not self._failed:
                failed = f"{self._path} cannot be written ({error.strerror})"
                self._complain(f"{failed}; new patterns will be lost when the program ends")
            self._failed = True
            return
        self._say(f"learned the pattern {pattern}")


def learner(path: Path, say: Say, complain: Say) -> Learner:
    """Return a learner that knows the shipped patterns and those of ``path``, and appends new ones there."""
    known = [*shipped().patterns, *load_learned(path, complain)]
    return Learner(known, PatternRecorder(path, say, complain).record)


# The strategy


def _settled(system: System, known: Known, library: Library | None) -> tuple[Known, None]:
    return (library or shipped()).settle(system, known), None


def strategy_with(library: Library | None) -> PlainStrategy:
    """Return the strategy novitsky with the patterns of ``library``, None: those that are shipped."""
    stage = Stage(Reason.PATTERN, partial(_settled, library=library))
    return PlainStrategy("novitsky", (COUNTING, stage), learns=True)


STRATEGY = strategy_with(None)

# Names

# The names that players use. "+" means that the second number has more than one cell that no other number
# touches; "C" means that the first number has such cells, too, which are then also settled. Short names come
# first: what the first numbers of a longer pattern settle alone gets the shorter name.
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
Signature = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]


def name_of(proof: Iterable[Constraint]) -> str:
    """Return the players' name for the pattern by which ``proof`` settles a cell, "" if it has no name."""
    proof = list(proof)
    if any(one.source is None for one in proof):
        return ""
    return _names().get(_signature(proof), "")


@cache
def _names() -> Mapping[Signature, str]:
    """Return the name for each signature of a proof in one of the `EXAMPLES`."""
    names: dict[Signature, str] = {}
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


def names_in(patterns: Sequence[Pattern]) -> dict[Rows, str]:
    """Return the names of ``patterns``, by drawing: the names of the examples that a pattern covers."""
    named = [
        (name, Pattern.drawn(drawing_of(rows), 0)) for name, examples in EXAMPLES.items() for rows in examples
    ]
    names = {
        pattern.rows: dict.fromkeys(name for name, field in named if pattern.covers(field))
        for pattern in patterns
    }
    return {rows: ", ".join(found) for rows, found in names.items() if found}


def drawn_examples() -> list[tuple[str, Rows]]:
    """Return the names, each with the drawing of the simplest field that has it."""
    return [(name, drawing_of(examples[0])) for name, examples in EXAMPLES.items()]


def drawing_of(rows: str) -> Rows:
    """Return the field of an example as a drawing in which the settled cells are marked."""
    _, safe, mines = settled_in(rows)
    marks = np.array([list(line.replace("W", WALL)) for line in rows.split("/")])
    for mark, cells in ((SAFE, safe), (MINE, mines)):
        for cell in cells:
            marks[cell] = mark
    return tuple("".join(line) for line in marks)


def _signature(proof: Sequence[Constraint]) -> Signature:
    """Return a key that stays the same if the field is rotated or mirrored, or if cells are exchanged in it.

    Numbers whose cells are all settled by counting are left out, after they have reduced the needs of the
    others. Of the cells around the same numbers, it only matters whether there is one or more.
    """
    cells = sorted(frozenset[Cell]().union(*(one.cells for one in proof)))
    numbers = [(mask_with(map(cells.index, one.cells)), one.mines) for one in proof]
    safe, mines = prove(numbers, 1) or Settled()
    rest = [(mask & ~(safe | mines), need - (mask & mines).bit_count()) for mask, need in numbers]
    rest = [(mask, need) for mask, need in rest if mask]
    groups: dict[int, int] = {}
    for cell in {cell for mask, _ in rest for cell in bits(mask)}:
        chosen = sum(1 << i for i, (mask, _) in enumerate(rest) if mask >> cell & 1)
        groups[chosen] = min(2, groups.get(chosen, 0) + 1)
    needs = tuple(need for _, need in rest)
    return min(
        (
            tuple(needs[i] for i in order),
            tuple(sorted((moved(chosen, order), size) for chosen, size in groups.items())),
        )
        for order in orders(needs)
    )
