"""Explanations in words of why a cell is safe, or a mine, step by step, as a person counts.

The first of these that works is used: the counting rules alone; numbers that share cells; a contradiction if
the cell were the opposite; the same with a second cell, which could then be neither a mine nor safe. If that
takes too many steps, only the numbers of the proof are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from bot.board import SHOWN_MINES, Board, Cell, State
from bot.solver.conflict import keep_numbers
from bot.solver.decision import Constraint, Reason
from bot.solver.exact import mines_possible
from bot.words import cell_words, cells_words, listed, mines_words

_PARTS = 3  # the most numbers that share cells with one number and so settle its other cells


@dataclass(frozen=True, slots=True)
class CountingStep:
    """One conclusion from one constraint, some of whose cells are known.

    ``found`` are the cells that it settles: mines if ``mine``, else safe. ``given`` are the known cells that
    justify this: if ``found`` are safe, the mines that the constraint already has; if ``found`` are mines,
    its safe cells. If it ``clashes``, ``found`` is empty: the constraint has more mines (``given``) than it
    allows, or fewer cells left than it needs mines.
    """

    constraint: Constraint
    found: frozenset[Cell]
    mine: bool
    given: frozenset[Cell]
    clashes: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """The cells ``known`` after counting (True: a mine), the step for each, and the clash, if any."""

    known: Mapping[Cell, bool]
    steps: Mapping[Cell, CountingStep]
    clash: CountingStep | None = None

    def leading_to(self, cells: Iterable[Cell]) -> list[CountingStep]:
        """Return the steps that settle ``cells``; each comes after the steps it depends on."""
        needed, waiting = set[CountingStep](), list(cells)
        while waiting:
            step = self.steps.get(waiting.pop())
            if step is not None and step not in needed:
                needed.add(step)
                waiting.extend(step.given)
        return [step for step in dict.fromkeys(self.steps.values()) if step in needed]


def counted(constraints: Sequence[Constraint], supposed: Mapping[Cell, bool] | None = None) -> Counted:
    """Apply the counting rules until nothing changes, starting from the cells ``supposed`` (True: a mine).

    In each round all numbers are used before anything that follows from them, so that few steps lead to a
    cell. The mine total is used only if the numbers settle nothing more.
    """
    known, steps = dict(supposed or {}), dict[Cell, CountingStep]()
    numbers = [constraint for constraint in constraints if constraint.source is not None]
    totals = [constraint for constraint in constraints if constraint.source is None]
    while new := list(_said(numbers, known)) or list(_said(totals, known)):
        for step in new:
            if step.clashes:
                return Counted(known, steps, step)
            for cell in step.found - known.keys():
                known[cell], steps[cell] = step.mine, step
    return Counted(known, steps)


def _said(constraints: Iterable[Constraint], known: Mapping[Cell, bool]) -> Iterator[CountingStep]:
    """Iterate over the new conclusions that follow from each constraint alone and the ``known`` cells."""
    for constraint in constraints:
        mines = frozenset(cell for cell in constraint.cells if known.get(cell) is True)
        rest = frozenset(cell for cell in constraint.cells if cell not in known)
        need = constraint.mines - len(mines)
        if 0 < need < len(rest) or not (need or rest):
            continue
        given = mines if need <= 0 else constraint.cells - mines - rest
        if need < 0 or need > len(rest):
            yield CountingStep(constraint, frozenset(), need > 0, given, clashes=True)
        else:
            yield CountingStep(constraint, rest, need > 0, given)


@dataclass(frozen=True, slots=True)
class Part:
    """How many ``mines`` of ``number`` are in cells that it shares with another one: at least, or at most."""

    number: Constraint
    mines: int


@dataclass(frozen=True, slots=True)
class Shared:
    """A number, ``second``, and others that settle the cells of ``second`` that it does not share with them.

    Each of ``parts`` has at least so many mines in cells of ``second``; no cell belongs to two parts. These
    are all the mines that ``second`` still needs, so its other cells are safe. If ``most`` is true, the
    parts have at most so many mines there, and ``second`` needs a mine in each of its other cells. ``given``
    are the known cells of all these numbers.
    """

    second: Constraint
    parts: tuple[Part, ...]
    most: bool
    given: frozenset[Cell]


def shared(
    constraints: Sequence[Constraint], known: Mapping[Cell, bool], cell: Cell, *, mine: bool
) -> Shared | None:
    """Return numbers whose shared cells prove that ``cell`` is safe, or a ``mine``; None if there are none.

    Of several such sets, return one with few numbers, then with few known cells, because the reasons for
    known cells must be explained too.
    """
    numbers = [constraint for constraint in constraints if constraint.source is not None]
    others = [number for number in numbers if cell not in number.cells]
    found = (
        together
        for second in numbers
        if cell in second.cells
        for parts in _separate_parts(others, second, known, most=mine)
        if (together := _forced_rest(second, parts, known, mine=mine))
    )
    return min(found, key=lambda one: (len(one.parts), len(one.given)), default=None)


def _separate_parts(
    others: Sequence[Constraint], second: Constraint, known: Mapping[Cell, bool], *, most: bool
) -> Iterator[tuple[Part, ...]]:
    """Iterate over sets of up to `_PARTS` of ``others`` that share separate cells with ``second``."""
    parts = [part for other in others if (part := _part_of(other, second, known, most=most))]
    for size in range(1, _PARTS + 1):
        for chosen in combinations(parts, size):
            cells = [(part.number.cells & second.cells) - known.keys() for part in chosen]
            if sum(map(len, cells)) == len(frozenset[Cell]().union(*cells)):
                yield chosen


def _part_of(other: Constraint, second: Constraint, known: Mapping[Cell, bool], *, most: bool) -> Part | None:
    """Return the least (or ``most``) mines that ``other`` shares with ``second``; None if nothing follows."""
    (one, needs), two = remaining(other, known), second.cells - known.keys()
    both = one & two
    if most:
        return Part(other, min(len(both), needs)) if needs < len(both) else None
    least = needs - len(one - two)
    return Part(other, least) if least > 0 else None


def _forced_rest(
    second: Constraint, parts: tuple[Part, ...], known: Mapping[Cell, bool], *, mine: bool
) -> Shared | None:
    """Return ``second`` with ``parts`` if its other cells must be safe (or mines, if ``mine``), else None."""
    cells, needs = remaining(second, known)
    shares = sum(part.mines for part in parts)
    inside = frozenset[Cell]().union(*(part.number.cells for part in parts))
    if needs - shares != (len(cells - inside) if mine else 0):
        return None
    return Shared(second, parts, mine, (second.cells | inside) & known.keys())


def remaining(constraint: Constraint, known: Mapping[Cell, bool]) -> tuple[frozenset[Cell], int]:
    """Return the cells of ``constraint`` that are not ``known``, and how many of them are mines."""
    mines = sum(known.get(cell) is True for cell in constraint.cells)
    return constraint.cells - known.keys(), constraint.mines - mines


def cases(
    constraints: Sequence[Constraint], supposed: Mapping[Cell, bool]
) -> tuple[Cell, list[CountingStep], list[CountingStep]] | None:
    """Return a cell that can be neither a mine nor safe under ``supposed``; None if there is none.

    The steps to the clash in each of the two cases follow. Of several cells, it is the one with fewest steps.
    """
    found = []
    for cell in sorted(frozenset[Cell]().union(*(one.cells for one in constraints)) - supposed.keys()):
        mine, safe = (to_clash(counted(constraints, {**supposed, cell: mine})) for mine in (True, False))
        if mine and safe:
            found.append((cell, mine, safe))
    return min(found, key=lambda one: len(one[1]) + len(one[2]), default=None)


def to_clash(after: Counted) -> list[CountingStep]:
    """Return the steps that lead to the clash, then the clash itself; [] if there is no clash."""
    return [*after.leading_to(after.clash.given), after.clash] if after.clash else []


_FEW_STEPS = 5  # the most steps that are explained one by one
_NAMED = 8  # the most numbers that are named one by one
_SUPPOSING = {False: "with a mine there", True: "without a mine there"}
_SPLIT = 6  # the most constraints for which the two cases of a second cell are tried


@dataclass(frozen=True, slots=True)
class Why:
    """The reason why ``cell`` is safe, or a mine: ``words`` to follow a colon, and the constraints they use.

    ``stage`` is the first stage that can prove it from these; ``pattern`` is the players' name for it, or "".
    """

    cell: Cell
    words: str
    constraints: tuple[Constraint, ...]
    stage: Reason
    pattern: str = ""

    @property
    def reason(self) -> Reason:
        """The stage of the proof; `Reason.PATTERN` if it is a pattern with a name."""
        return Reason.PATTERN if self.pattern else self.stage

    @property
    def numbers(self) -> tuple[Cell, ...]:
        """The cells of the opened numbers that the proof needs, row by row."""
        return tuple(sorted(one.source for one in self.constraints if one.source is not None))

    @property
    def total(self) -> bool:
        """Whether the proof needs the mine total."""
        return any(one.source is None for one in self.constraints)


def why(board: Board, constraints: Sequence[Constraint], cell: Cell, *, mine: bool = False) -> Why:
    """Return the reason why ``cell`` is safe, or a ``mine``; ``constraints`` must prove it."""
    known = counted(constraints)
    if known.known.get(cell) is mine:
        return _why_counted(board, known.leading_to([cell]), cell)
    pair = shared(constraints, known.known, cell, mine=mine)
    if pair and len(known.leading_to(pair.given)) < _FEW_STEPS:
        return _why_shared(board, known, pair, cell)
    if steps := to_clash(counted(constraints, {cell: not mine})):
        return _why_supposed(board, steps, cell, mine)
    return _in_cases(board, constraints, cell, mine)


def _why_counted(board: Board, steps: Sequence[CountingStep], cell: Cell) -> Why:
    constraints = _once(step.constraint for step in steps)
    if len(steps) <= _FEW_STEPS:
        words = _Sentences(board, cell).of(steps)
    elif steps[-1].constraint.source is None:
        last = _Sentences(board, cell).of(steps[-1:])
        words = f"{last}; this follows from {_source_names(board, constraints)} by the counting rules"
    else:
        words = f"this follows from {_source_names(board, constraints)} by the counting rules"
    return Why(cell, words, constraints, Reason.COUNTING)


def _why_supposed(board: Board, steps: Sequence[CountingStep], cell: Cell, mine: bool) -> Why:
    constraints = _once(step.constraint for step in steps)
    if len(steps) > _FEW_STEPS:
        return Why(cell, _in_general(board, constraints, cell, mine), constraints, Reason.CONTRADICTION)
    words = _Sentences(board, cell, if_so=True).of(steps)
    return Why(cell, f"{_SUPPOSING[mine]}, {words}", constraints, Reason.CONTRADICTION)


def _in_cases(board: Board, constraints: Sequence[Constraint], cell: Cell, mine: bool) -> Why:
    """Return the reason for a cell by the two cases of a second cell, or by naming all numbers."""
    both = cases(constraints, {cell: not mine}) if len(constraints) <= _SPLIT else None
    if both is not None and all(one.source is not None for one in constraints):
        second, as_mine, as_safe = both
        if len(as_mine) + len(as_safe) <= _FEW_STEPS + 1:
            sentences = _Sentences(board, cell, if_so=True)
            words = (
                f"{_SUPPOSING[mine]}, {cell_words(second)} can be neither a mine nor safe: "
                f"as a mine, {sentences.of(as_mine)}; as a safe cell, {sentences.of(as_safe)}"
            )
            named = _once(step.constraint for step in (*as_mine, *as_safe))
            return Why(cell, words, named, Reason.PROBABILITY)
    words = _in_general(board, constraints, cell, mine)
    return Why(cell, words, tuple(constraints), Reason.PROBABILITY)


def _in_general(board: Board, constraints: Sequence[Constraint], cell: Cell, mine: bool) -> str:
    if not constraints:
        return f"{_SUPPOSING[mine]}, no placement of the mines fits"
    fits = f"no placement of the mines fits {_source_names(board, constraints)}"
    return f"{_SUPPOSING[mine]}, {_by_total(board, constraints, cell, mine) or fits}"


def _by_total(board: Board, constraints: Sequence[Constraint], cell: Cell, mine: bool) -> str:
    """Return words for how the numbers need more mines than there are, or have room for fewer; or ""."""
    numbers = [one.source for one in constraints if one.source is not None]
    if len(numbers) == len(constraints) or not numbers:
        return ""
    turned = State.WRONG_FLAG if mine else State.MINE
    least, most = mines_possible(keep_numbers(board.replace({cell: turned}), numbers))
    total = board.mines or 0
    who = _source_names(board, [one for one in constraints if one.source is not None])
    if least > total:
        return f"{who} would need at least {mines_words(least)}, and there are {total}"
    if most < total:
        return f"{who} would leave room for {most} of the {mines_words(total)} at most"
    return ""


def _source_names(board: Board, constraints: Sequence[Constraint]) -> str:
    if len(constraints) > _NAMED:
        total = any(one.source is None for one in constraints)
        return f"{len(constraints) - total} numbers{' and the total of the mines' if total else ''}"
    ordered = sorted(constraints, key=lambda one: (one.source is not None, one.source))  # the total first
    return listed(board.source_words(one.source) for one in ordered)


def _once(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    return tuple(dict.fromkeys(constraints))


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Words for steps that lead to ``cell``, or, if ``if_so``, for steps from supposing its opposite."""

    board: Board
    cell: Cell
    if_so: bool = False

    def of(self, steps: Sequence[CountingStep]) -> str:
        """Return ``steps`` in words; the links between them show which one depends on earlier ones."""
        words = ""
        for number, step in enumerate(steps):
            rests = any(step.given & earlier.found for earlier in steps[:number])
            after = steps[number - 1].found if number and steps[number - 1].mine else frozenset()
            later = frozenset[Cell]().union(*(other.given for other in steps[number + 1 :]))
            link = "; then " if self.if_so else "; so "
            words += (link if rests else "; ") if number else ""
            words += self._clash(step) if step.clashes else self._step(step, after, later)
        return words

    def _step(self, step: CountingStep, after: frozenset[Cell], later: frozenset[Cell]) -> str:
        if step.constraint.source is None:
            return self._of_total(step)
        who = self.board.source_words(step.constraint.source)
        if step.mine:
            left = cells_words(step.found) if len(step.found) == 1 else f"{len(step.found)} cells"
            return f"{who} {self._has} only {left} left for {_its(self.board, step)}"
        mines = step.given | _shown_around(self.board, step.constraint)
        if not mines:
            return f"{who} touches no mine"
        where = "" if mines == {self.cell} else " there" if mines == after else f" at {cells_words(mines)}"
        freed = step.found & later
        are = "would be" if self.if_so else "is" if len(freed) == 1 else "are"
        then = f", so {cells_words(freed)} {are} safe" if freed else ""
        return f"{who} {self._has} its mine{'s' * (len(mines) > 1)}{where}{then}"

    def _of_total(self, step: CountingStep) -> str:
        if not self.board.mines:
            return "the board has no mine"
        mines = mines_words(self.board.mines)
        if step.mine:
            return f"only as many cells {'would be' if self.if_so else 'are'} left as there are mines"
        all_ = " all" if self.board.mines > 1 else ""
        return f"the {mines} {'would be' if self.if_so else 'are' if all_ else 'is'}{all_} found"

    def _clash(self, step: CountingStep) -> str:
        """Return words for a clash, with "would", because it follows from an assumption."""
        constraint = step.constraint
        if constraint.source is None:
            mines = mines_words(self.board.mines or 0)
            if step.mine:
                return f"too few cells would be left for the {mines}"
            return f"there would be more than {mines}"
        who, shown = self.board.source_words(constraint.source), _shown_around(self.board, constraint)
        if not step.mine:
            return f"{who} would touch {mines_words(len(step.given | shown))}"
        places = len(constraint.cells - step.given) + len(shown)
        room = f"only {places} place{'s' * (places > 1)}" if places else "no place"
        return f"{who} would have {room} for its {mines_words(self.board[constraint.source], one='mine')}"

    @property
    def _has(self) -> str:
        return "would have" if self.if_so else "has"


def _shown_around(board: Board, constraint: Constraint) -> frozenset[Cell]:
    source = constraint.source
    around = () if source is None else board.neighbours(source)
    return frozenset(cell for cell in around if board[cell] in SHOWN_MINES)


def _its(board: Board, step: CountingStep) -> str:
    """Return words for the mines that a number still needs: "its 2 mines" or "its last mine"."""
    source, need = step.constraint.source, len(step.found)
    last = "" if source is not None and board[source] == need else "last "
    return f"its {last}{mines_words(need, one='mine')}"


def _why_shared(board: Board, known: Counted, pair: Shared, cell: Cell) -> Why:
    steps = known.leading_to(pair.given)
    before = _Sentences(board, Cell(-1, -1)).of(steps) + "; so " if steps else ""
    words = _at_most(board, pair) if pair.most else _at_least(board, known, pair)
    constraints = [*(step.constraint for step in steps), *(part.number for part in pair.parts), pair.second]
    return Why(cell, before + words, _once(constraints), Reason.ELEMENTS)


def _at_least(board: Board, known: Counted, pair: Shared) -> str:
    mines = listed(_mines_of(board, known, part) for part in pair.parts)
    touch = "touches" if sum(part.mines for part in pair.parts) == 1 else "touch"
    no_other = "which has no other" if pair.second.mines == 1 else "which then has all its mines"
    return f"{mines} {touch} {board.source_words(pair.second.source)} too, {no_other}"


def _mines_of(board: Board, known: Counted, part: Part) -> str:
    """Return words for a number's mines that touch another number too: "at least 1 of the 2 mines of ...".

    ``part`` is the number and how many mines it shares; ``known`` is what counting has proven before.
    """
    number = part.number
    _, need = remaining(number, known.known)
    rest = "last " if number.source is None or board[number.source] != need else ""
    if part.mines < need:
        return f"at least {part.mines} of the {rest}{need} mines of {board.source_words(number.source)}"
    return f"the {rest}{f'{need} mines' if need > 1 else 'mine'} of {board.source_words(number.source)}"


def _at_most(board: Board, pair: Shared) -> str:
    shares = listed(
        f"{f'at most {mines_words(part.mines)}' if part.mines else 'no mine'} with "
        f"{board.source_words(part.number.source)}"
        for part in pair.parts
    )
    return f"{board.source_words(pair.second.source)} shares {shares}, so all its other cells are mines"
