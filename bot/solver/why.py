"""Why a cell is safe, or a mine, in words: the constraints of its proof, told as a person counts.

In this order, what applies first: the counting rules alone; two numbers and what they share; what would
follow if the cell were the opposite; and where that takes too many steps, the numbers that it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.board import SHOWN_MINES, Board, Cell
from bot.solver.decision import Constraint
from bot.solver.named import cells_words, listed, mines_words, name
from bot.solver.steps import Counted, Shared, Step, counted, shared

_TOLD = 5  # steps that are told one by one
_NAMED = 6  # numbers that are named one by one


@dataclass(frozen=True, slots=True)
class Why:
    """Why a cell is what it is: ``words`` that may follow a colon, and the constraints that they name."""

    words: str
    constraints: tuple[Constraint, ...]

    @property
    def numbers(self) -> tuple[Cell, ...]:
        """The opened numbers that it takes, row by row."""
        return tuple(sorted(one.source for one in self.constraints if one.source is not None))

    @property
    def total(self) -> bool:
        """Whether it takes the mine total."""
        return any(one.source is None for one in self.constraints)


def why(board: Board, constraints: Sequence[Constraint], cell: Cell, *, mine: bool = False) -> Why:
    """Return why ``cell`` is safe, or a mine; the constraints must prove that."""
    known = counted(constraints)
    if known.known.get(cell) is mine:
        return _told(board, known.leading_to([cell]), cell)
    pair = shared(constraints, known.known, cell, mine=mine)
    if pair and len(known.leading_to(pair.given)) < _TOLD:
        return _of_pair(board, known, pair)
    supposed = counted(constraints, {cell: not mine})
    if supposed.clash:
        steps = [*supposed.leading_to(supposed.clash.given), supposed.clash]
        return _told(board, steps, cell, "without a mine there" if mine else "with a mine there")
    return _in_general(board, constraints, "without a mine there" if mine else "with a mine there")


def _told(board: Board, steps: Sequence[Step], cell: Cell, supposing: str = "") -> Why:
    constraints = _once(step.constraint for step in steps)
    if len(steps) > _TOLD:
        if supposing:
            return _in_general(board, constraints, supposing)
        return Why(f"that follows by counting on from {_names(board, constraints)}", constraints)
    words = _Teller(board, cell, bool(supposing)).tell(steps)
    return Why(f"{supposing}, {words}" if supposing else words, constraints)


def _in_general(board: Board, constraints: Sequence[Constraint], supposing: str) -> Why:
    if not constraints:
        return Why(f"{supposing}, no placement of the mines fits", ())
    return Why(f"{supposing}, no placement of the mines fits {_names(board, constraints)}", (*constraints,))


def _names(board: Board, constraints: Sequence[Constraint]) -> str:
    ordered = sorted(constraints, key=lambda one: (one.source is not None, one.source))  # the total first
    named = [name(board, one) for one in ordered[: _NAMED + 1]]
    if len(ordered) > len(named):
        named[_NAMED:] = [f"{len(ordered) - _NAMED} more numbers"]
    return listed(named)


def _once(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    return tuple(dict.fromkeys(constraints))


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells steps that lead to ``cell``, or that would follow ``if_so`` if it were the opposite."""

    board: Board
    cell: Cell
    if_so: bool = False

    def tell(self, steps: Sequence[Step]) -> str:
        """Return the steps in words, each joined to those that it rests on."""
        words = ""
        for number, step in enumerate(steps):
            rests = any(step.given & earlier.found for earlier in steps[:number])
            after = steps[number - 1].found if number and steps[number - 1].mine else frozenset()
            later = frozenset[Cell]().union(*(other.given for other in steps[number + 1 :]))
            link = "; then " if self.if_so else "; so "
            words += (link if rests else "; ") if number else ""
            words += self._clash(step) if step.clashes else self._step(step, after, later)
        return words

    def _step(self, step: Step, after: frozenset[Cell], later: frozenset[Cell]) -> str:
        if step.constraint.source is None:
            return self._of_total(step)
        who = name(self.board, step.constraint)
        if step.mine:
            left = cells_words(step.found) if len(step.found) == 1 else f"{len(step.found)} cells"
            return f"{who} {self._has} only {left} left for {_its(self.board, step)}"
        mines = step.given | _shown_around(self.board, step.constraint)
        if not mines:
            return f"{who} touches no mine"
        where = "" if mines == {self.cell} else " there" if mines == after else f" at {cells_words(mines)}"
        freed = step.found & later
        then = f", so {cells_words(freed)} {self._are(freed)} safe" if freed else ""
        return f"{who} {self._has} its mine{'s' * (len(mines) > 1)}{where}{then}"

    def _of_total(self, step: Step) -> str:
        mines = mines_words(self.board.mines or 0)
        if step.mine:
            return f"only as many cells {'would be' if self.if_so else 'are'} left as there are mines"
        return f"the {mines} {'would be' if self.if_so else 'are'} all found"

    def _clash(self, step: Step) -> str:
        """Return what cannot be; a clash is only told of what is supposed."""
        constraint = step.constraint
        if constraint.source is None:
            mines = mines_words(self.board.mines or 0)
            if step.mine:
                return f"too few cells would be left for the {mines}"
            return f"there would be more than {mines}"
        who, shown = name(self.board, constraint), _shown_around(self.board, constraint)
        if not step.mine:
            return f"{who} would touch {mines_words(len(step.given | shown))}"
        places = len(constraint.cells - step.given) + len(shown)
        room = f"only {places} place{'s' * (places > 1)}" if places else "no place"
        return f"{who} would have {room} for its {mines_words(self.board[constraint.source], one='mine')}"

    @property
    def _has(self) -> str:
        return "would have" if self.if_so else "has"

    def _are(self, cells: frozenset[Cell]) -> str:
        return "would be" if self.if_so else "is" if len(cells) == 1 else "are"


def _shown_around(board: Board, constraint: Constraint) -> frozenset[Cell]:
    source = constraint.source
    around = () if source is None else board.neighbours(source)
    return frozenset(cell for cell in around if board[cell] in SHOWN_MINES)


def _its(board: Board, step: Step) -> str:
    """Return the mines that a number still needs, in words."""
    source, need = step.constraint.source, len(step.found)
    if source is not None and board[source] == need:
        return f"its {mines_words(need, one='mine')}"
    return f"its last {mines_words(need, one='mine')}"


def _of_pair(board: Board, known: Counted, pair: Shared) -> Why:
    steps = known.leading_to(pair.given)
    before = _Teller(board, Cell(-1, -1)).tell(steps) + "; so " if steps else ""
    words = _at_most(board, pair) if pair.most else _at_least(board, known, pair)
    constraints = _once([*(step.constraint for step in steps), pair.first, pair.second])
    return Why(before + words, constraints)


def _at_least(board: Board, known: Counted, pair: Shared) -> str:
    first, second = name(board, pair.first), name(board, pair.second)
    need = pair.first.mines - sum(known.known.get(cell) is True for cell in pair.first.cells)
    rest = "last " if pair.first.source is None or board[pair.first.source] != need else ""
    no_other = "which has no other" if pair.second.mines == 1 else "which then has all its mines"
    if pair.mines < need:
        touch = "touches" if pair.mines == 1 else "touch"
        return f"at least {pair.mines} of the {rest}{need} mines of {first} {touch} {second} too, {no_other}"
    mines, touch = (f"{need} mines", "touch") if need > 1 else ("mine", "touches")
    return f"the {rest}{mines} of {first} {touch} {second} too, {no_other}"


def _at_most(board: Board, pair: Shared) -> str:
    first, second = name(board, pair.first), name(board, pair.second)
    mines = mines_words(pair.mines) if pair.mines else "no mine"
    most = f"at most {mines}" if pair.mines else mines
    return f"{second} shares {most} with {first}, so all its other cells are mines"
