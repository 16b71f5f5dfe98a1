"""A library of patterns: matching on a board, learning from positions, and files.

All small sets of numbers that share cells are looked up in the library. If none of its patterns settles a
cell although a safe cell can be proven, a new pattern is made from the numbers of a short proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cache, partial
from itertools import combinations
from pathlib import Path

from bot.board import Board
from bot.errors import PatternError, UsageError
from bot.files import put_aside, read_file
from bot.solver.constraints import System, bits, mask_with
from bot.solver.counting import Known, extend, unsettled
from bot.solver.decision import Reason
from bot.solver.exact import groups_of, prove_parts
from bot.solver.explain.proofs import nearest
from bot.solver.published.novitsky.pattern import (
    COVERED,
    HEADER,
    MOST_NUMBERS,
    Needs,
    Pattern,
    Place,
    Rule,
    read,
)
from bot.solver.stages import COUNTING, Stage
from bot.solver.strategies import PlainStrategy

_SHIPPED = Path(__file__).with_name("patterns.txt")
_LARGEST = 1 << 20  # bytes of a library; the shipped one has 16,000

Say = Callable[[str], None]


def connected(
    near: Mapping[int, int], needs: Mapping[int, int], size: int, wanted: Set[Needs]
) -> Iterator[list[int]]:
    """Yield each set of ``size`` numbers that are connected by shared cells and whose needs are ``wanted``.

    ``near`` has the mask of the numbers that share cells with each number. ``wanted`` must contain the needs
    of smaller sets, too: a set with other needs is not extended. The order is that of Wernicke's enumeration
    of connected subgraphs, which yields no set twice.
    """

    def grown(chosen: list[int], ahead: int, seen: int) -> Iterator[list[int]]:
        """Yield the sets that extend ``chosen`` by ``ahead``; numbers ``seen`` are not added to ``ahead``."""
        if tuple(sorted([needs[number] for number in chosen])) not in wanted:
            return
        if len(chosen) == size:
            yield chosen
            return
        for number in bits(ahead):
            ahead &= ~(1 << number)
            yield from grown([*chosen, number], ahead | near[number] & ~seen, seen | near[number])

    for first in near:
        later = -1 << first + 1
        yield from grown([first], near[first] & later, near[first] | ~later)


class Library:
    """A collection of patterns that settles cells of a position.

    If it has ``on_new``, it learns a new pattern where its patterns settle no cell, but the placements of
    mines that fit the numbers prove one safe; ``on_new`` is called with each new pattern.
    """

    def __init__(
        self, patterns: Iterable[Pattern] = (), on_new: Callable[[Pattern], None] | None = None
    ) -> None:
        self.patterns: list[Pattern] = []
        self._on_new = on_new
        self._rules: dict[Needs, dict[Rule, dict[int, int]]] = {}  # with their rooms, by sorted needs
        self._wanted: dict[int, set[Needs]] = {}  # by the number of numbers, and the needs of parts of them
        for pattern in patterns:
            self.add(pattern)

    def add(self, pattern: Pattern) -> None:
        """Add a pattern."""
        self.patterns.append(pattern)
        needs = tuple(sorted(pattern.rule.needs))
        same = self._rules.setdefault(needs, {})
        same.update((rule, dict(rule.rooms)) for rule in pattern.rule.reordered())
        if len(needs) > 1:  # counting covers single numbers
            parts = (combinations(needs, count) for count in range(1, len(needs) + 1))
            self._wanted.setdefault(len(needs), set()).update(*parts)

    def covers(self, rule: Rule) -> bool:
        """Return whether the patterns settle a cell wherever ``rule`` does; its needs must be sorted."""
        settled = dict(rule.rooms)
        return any(
            not settled.keys().isdisjoint(one.safe + one.mines) for one in self._fitting(rule.needs, settled)
        )

    def _fitting(self, needs: Needs, sizes: Mapping[int, int]) -> Iterator[Rule]:
        """Iterate over the rules for sorted ``needs`` and so many cells around each set of the numbers."""
        for rule, rooms in self._rules.get(needs, {}).items():
            if all(size <= rooms.get(chosen, 0) for chosen, size in sizes.items()):
                yield rule

    def settle(self, system: System, known: Known) -> Known:
        """Return ``known``, which counting gave, with the cells that the patterns settle, or a clash.

        The smallest patterns are tried first, with counting after each step, until a cell can be opened.
        """
        while not (known.clash or known.safe & system.playable):
            mines, safe = self._settled(system, known)
            if mines | safe:
                known = extend(system, known, mines, safe)
            elif self._on_new and (lesson := learned_from(system, known)):
                self.add(lesson)
                self._on_new(lesson)
            else:
                break
        return known

    def _settled(self, system: System, known: Known) -> tuple[int, int]:
        """Return the masks of the mines and of the safe cells that the smallest fitting patterns settle."""
        numbers = unsettled(system, known)
        needs = {index: need for index, (_, need) in numbers.items()}
        near = {index: system.constraints_on(cells) for index, (cells, _) in numbers.items()}
        mines = safe = 0
        for size, wanted in sorted(self._wanted.items()):
            for chosen in connected(near, needs, size, wanted):
                ordered = sorted(chosen, key=needs.__getitem__)
                groups = groups_of([numbers[index] for index in ordered])
                sizes = {group.constraints: group.cells.bit_count() for group in groups}
                for rule in self._fitting(tuple(needs[index] for index in ordered), sizes):
                    mines |= sum(group.cells for group in groups if group.constraints in rule.mines)
                    safe |= sum(group.cells for group in groups if group.constraints in rule.safe)
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
    field: dict[Place, str] = {}
    for index, (cells, need) in numbers.items():
        field |= dict.fromkeys(system.cells(cells), COVERED)
        if source := system.sources[index]:
            field[source] = str(need)
    return Pattern.found(field).ordered()


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
        check(patterns)
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {path}: name a library of patterns") from error
    except OSError as error:
        raise PatternError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise PatternError(f"{path}: this is not a pattern library: it is not a text file") from error
    except PatternError as error:
        raise PatternError(f"{path}: {error}") from error
    return patterns


def check(patterns: Iterable[Pattern]) -> None:
    """Raise PatternError if a pattern is wrong; it says which one and why."""
    for pattern in patterns:
        if wrong := pattern.fault():
            raise PatternError(f"the pattern {pattern} is wrong: {wrong}")


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


def learner(path: Path, say: Say, complain: Say) -> Library:
    """Return a library of the shipped patterns and those of ``path``, which appends new ones there."""
    known = [*shipped().patterns, *load_learned(path, complain)]
    return Library(known, PatternRecorder(path, say, complain).record)


# The strategy


def _settled(system: System, known: Known, library: Library | None) -> tuple[Known, None]:
    return (library or shipped()).settle(system, known), None


def strategy_with(library: Library | None) -> PlainStrategy:
    """Return the strategy novitsky with the patterns of ``library``, None: those that are shipped."""
    stage = Stage(Reason.PATTERN, partial(_settled, library=library))
    return PlainStrategy("novitsky", (COUNTING, stage), learns=True)


STRATEGY = strategy_with(None)
