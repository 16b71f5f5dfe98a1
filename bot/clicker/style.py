"""The manner of playing: which of the proven cells are clicked in a round, and how.

Chords are chosen as ZiNi does (of Elias Åkesson, described at minesweepergame.com), which counts the clicks
of a greedy player who knows the whole board: by the chord that saves most, again and again, until none saves
anything. Here the same is done with what is proven so far. A burst of clicks is sent without a look in
between; `Reach` says whether it may end the game before its last click.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, reduce
from operator import and_

import numpy as np
import numpy.typing as npt

from bot.board import NOT_OPEN, SHOWN_MINES, Board, Cell, State, States, is_one_of
from bot.errors import UsageError
from bot.rules import neighbour_sum
from bot.solver.constraints import array_of, bits, mask_of, mask_with
from bot.solver.decision import Action, Decision, Move, Reason
from bot.targets import Target

Legs = tuple[tuple[Move, ...], ...]  # each is a tour of its own; all are sent in one go
_MARKABLE = frozenset({State.COVERED, State.QUESTION})
_NEAR_ONE = 8  # cells that may all be near another one
_NO_NUMBER = 9


class Flags(Enum):
    """Which mines are flagged."""

    NONE = "none"  # NF: left clicks only
    ALL = "all"  # every one that is proven
    CHORD = "chord"  # those with which chords save clicks


@dataclass(frozen=True, slots=True)
class Style:
    """The manner of playing. An ``efficient`` one takes fewer clicks, and more looks for that."""

    flags: Flags = Flags.NONE
    efficient: bool = False

    @property
    def without_chords(self) -> Style:
        """The same manner, but that all mines are flagged where they save clicks."""
        return replace(self, flags=Flags.ALL) if self.flags is Flags.CHORD else self


NF = Style()


def parse_flags(text: str) -> Flags:
    """Return what ``text`` stands for. Raises UsageError if it is not none, all or chord."""
    try:
        return Flags(text)
    except ValueError:
        names = ", ".join(flags.value for flags in Flags)
        raise UsageError(f"--flags {text}: choose one of {names}") from None


def style_for(target: Target, wanted: Style, tell: Callable[[str], None]) -> Style:
    """Return the ``wanted`` style, or the nearest one where it is not known how the target plays chords."""
    if wanted.flags is not Flags.CHORD or target.chord is not None:
        return wanted
    how = f"it is not known how {target.label} plays chords"
    tell(f"{how}: all mines are flagged, as with --flags all")
    return wanted.without_chords


def styled(decision: Decision, board: Board, style: Style) -> Legs:
    """Return the moves of this round.

    ``board`` is the one decided on, with all that is not sure, flags too, as unreadable. What is opened, by
    chords too, is proven safe by the decision, or is its guess; flags are set on proven mines alone. A flag
    on a proven mine stays where it is; one on a safe cell is taken off first, by moves of the decision.
    """
    proven = Proven.by(decision, board)
    every = (mine for mine in proven.mines if board[mine] in _MARKABLE)
    flags = _flags(every if style.flags is Flags.ALL else (), decision.reason)
    if decision.reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return tuple(leg for leg in (flags, decision.moves) if leg)  # a guess may end the game
    marks = (*flags, *(move for move in decision.moves if move.action is Action.FLAG))
    if style.flags is not Flags.CHORD and not style.efficient:
        moves = (move for move in decision.moves if move.action is Action.OPEN)
        return burst(marks, [Opening(move, frozenset({move.cell})) for move in moves], proven)
    plan = planned(proven, chords=style.flags is Flags.CHORD)
    openings = list(_needed(_openings(plan, decision)))
    marks += _flags(plan.flags, decision.reason)
    if not openings and not plan.flags:
        singles = _thrifty(proven, plan.singles) if style.efficient else plan.singles
        openings = [_left(cell, decision) for cell in singles]
    return burst(marks, openings, proven)


def _flags(mines: Iterable[Cell], reason: Reason) -> tuple[Move, ...]:
    return tuple(Move(mine, Action.FLAG, 1.0, reason) for mine in sorted(mines))


def _openings(plan: Plan, decision: Decision) -> Iterator[Opening]:
    """Iterate over what a plan opens first: by zeros that are proven, and by the chords that are ready."""
    yield from (_left(cell, decision) for cell in plan.openings)
    for chord in plan.ready:
        yield Opening(Move(chord.cell, Action.CHORD, 0.0, decision.reason), chord.opens)


def _left(cell: Cell, decision: Decision) -> Opening:
    return Opening(Move(cell, Action.OPEN, 0.0, decision.reason), frozenset({cell}))


def _needed(openings: Iterable[Opening]) -> Iterator[Opening]:
    """Iterate over the openings without those whose cells the others open as well."""
    waiting = list(openings)
    kept = set[Cell]()
    for number, opening in enumerate(waiting):
        others = kept.union(*(other.cells for other in waiting[number + 1 :]))
        if not opening.cells <= others:
            kept |= opening.cells
            yield opening


def _thrifty(proven: Proven, singles: Iterable[Cell]) -> list[Cell]:
    """Return those of the ``singles`` to be clicked now so that few clicks are made on what opens anyway.

    First what may be zeros, one in each place where they may be, the likeliest first: they may open others.
    With them goes what no zero can open; all others wait until there is nothing else.
    """
    left = list(singles)
    maybe = [cell for cell in left if cell in proven.maybe_zeros]
    maybe.sort(key=lambda cell: sum(other not in proven.safe for other in proven.closed_around(cell)))
    alone = [cell for cell in left if proven.maybe_zeros.isdisjoint((cell, *proven.board.neighbours(cell)))]
    return [*proven.apart(maybe), *alone] or left


@dataclass(frozen=True, slots=True)
class Opening:
    """A left click or a chord, and the proven cells that it opens, whatever they are."""

    move: Move
    cells: frozenset[Cell]


def burst(marks: tuple[Move, ...], openings: Sequence[Opening], proven: Proven) -> Legs:
    """Return the moves that can be sent without looking in between: flags, and what is opened.

    All of them, but no click may come after the one that wins the game: it would land in the dialog that
    follows. If all together may win, the last one is an opening without which a cell stays closed that
    nothing else opens. By itself only a zero opens what was still to be clicked: where there is no such
    last one, what cannot be a zero is sent, and of all others only one.
    """
    moves = tuple(opening.move for opening in openings)
    if len(marks) + len(moves) < 2:
        return (marks + moves,)
    reach = Reach(proven)
    opened = {cell for opening in openings for cell in opening.cells}
    if not (marks or reach.may_be_zero(opened)) or not reach.may_win(reach.of(opened)):
        return (marks + moves,)
    zeros = [opening for opening in openings if reach.may_be_zero(opening.cells)]
    certain = [opening for opening in openings if not reach.may_be_zero(opening.cells)]
    some = (openings, (*certain, *zeros[:1]), openings[:1])
    last = next(found for chosen in some if (found := _with_last(chosen, reach)))
    return tuple(leg for leg in (marks + last[:-1], last[-1:]) if leg)


def _with_last(openings: Sequence[Opening], reach: Reach) -> tuple[Move, ...]:
    """Return the moves of ``openings``, the last of which opens what no other can; () if none does."""
    once = twice = 0
    opened = [reach.of(opening.cells) for opening in openings]
    for cells in opened:
        once, twice = once | cells, twice | once & cells
    own = (place for place, opening in enumerate(openings) if reach.mask(opening.cells) & ~twice)
    last = next(own, None)
    if last is None:
        return ()
    moves = [opening.move for opening in openings]
    return (*moves[:last], *moves[last + 1 :], moves[last])


@dataclass(frozen=True, slots=True)
class Chord:
    """A chord on the number at ``cell``: the safe cells that it ``opens``, and the mines around it.

    ``unflagged`` are those of the mines that have no flag on the screen: it can be played when there is none.
    """

    cell: Cell
    opens: frozenset[Cell]
    unflagged: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Plan:
    """Chords, in the order in which they were chosen, and what is left to be opened one by one.

    ``flags`` are the mines to be flagged for the chords, ``openings`` a zero of each opening that is proven,
    and ``singles`` all other safe cells.
    """

    chords: tuple[Chord, ...]
    flags: frozenset[Cell]
    openings: tuple[Cell, ...]
    singles: tuple[Cell, ...]

    @property
    def ready(self) -> tuple[Chord, ...]:
        """The chords that can be played on the board as it is."""
        return tuple(chord for chord in self.chords if not chord.unflagged)


def planned(proven: Proven, *, chords: bool = True) -> Plan:
    """Return the clicks that open the safe cells of ``proven``, with flags and chords where these save some.

    A chord is chosen if it takes no more clicks than it saves: the flags that it costs stay, and mostly save
    a click more in a later round. (On 40 expert boards that took 172 clicks a game, where choosing only what
    saves some at once took 181.)
    """
    return _Greedy(proven).plan(chords)


class _Greedy:
    """The choice in the making. ``_done`` are the units that are opened by what was chosen."""

    def __init__(self, proven: Proven) -> None:
        self.proven = proven
        self._chosen: list[Chord] = []
        self._flags: set[Cell] = set()
        self._done: set[Cell] = set()

    def plan(self, chords: bool) -> Plan:
        waiting = dict.fromkeys(candidates(self.proven)) if chords else {}
        while waiting:
            best = max(waiting, key=self._worth)
            if self._worth(best)[0] < 0:
                break
            del waiting[best]
            self._choose(best)
        openings = {opening[0] for opening in self.proven.openings}
        left = sorted(self._units_of(self.proven.safe) - self._done)
        return Plan(
            tuple(self._chosen),
            frozenset(self._flags),
            tuple(cell for cell in left if cell in openings),
            tuple(cell for cell in left if cell not in openings),
        )

    @cached_property
    def _unit(self) -> dict[Cell, Cell]:
        """For each safe cell that takes a click the cell that stands for it: all zeros of an opening are one.

        The border of an opening takes none.
        """
        single = self.proven.safe - self.proven.zeros - self.proven.borders
        zeros = {cell: opening[0] for opening in self.proven.openings for cell in opening}
        return {cell: cell for cell in single} | zeros

    def _units_of(self, cells: Set[Cell]) -> set[Cell]:
        return {self._unit[cell] for cell in cells if cell in self._unit}

    def _worth(self, chord: Chord) -> tuple[int, int, Cell]:
        """Return how many clicks a chord saves, and, to choose among equals, how few it costs."""
        cost = 1 + len(chord.unflagged - self._flags)
        return len(self._units_of(chord.opens) - self._done) - cost, -cost, chord.cell

    def _choose(self, chord: Chord) -> None:
        self._chosen.append(chord)
        self._flags |= chord.unflagged
        self._done |= self._units_of(chord.opens)


def candidates(proven: Proven) -> Iterator[Chord]:
    """Iterate over the chords on opened numbers that open nothing but safe cells.

    All other closed cells around such a number are proven mines. Where a flag stands on a cell that is not,
    there is no chord.
    """
    board = proven.board
    beside = {near for safe in proven.safe for near in board.neighbours(safe)}
    for cell in sorted(near for near in beside if 1 <= board[near] <= 8):
        around = frozenset(proven.closed_around(cell))
        mines = around - proven.safe
        unflagged = frozenset(mine for mine in mines if board[mine] != State.FLAG)
        known = mines <= proven.mines and all(board[mine] in _MARKABLE for mine in unflagged)
        if known and len(mines) == board[cell]:
            yield Chord(cell, around & proven.safe, unflagged)


@dataclass(frozen=True)
class Proven:
    """The cells of ``board`` that are proven: ``safe`` ones that a click opens, and ``mines``.

    Numbers of ``board`` that are not sure are to be unreadable, and so are flags.
    """

    board: Board
    safe: frozenset[Cell]
    mines: Set[Cell]

    @classmethod
    def by(cls, decision: Decision, board: Board) -> Proven:
        """Return what a decision on ``board`` has proven: of a guess, only mines."""
        moves = (move for move in decision.moves if move.action is Action.OPEN and move.risk == 0)
        return cls(board, frozenset(move.cell for move in moves), frozenset(decision.mines))

    def is_closed(self, cell: Cell) -> bool:
        """Return whether a cell is not open; what cannot be read is taken to be closed."""
        return self.board[cell] in NOT_OPEN

    def closed_around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell that are not open."""
        return [other for other in self.board.neighbours(cell) if self.is_closed(other)]

    def touches_mine(self, cell: Cell) -> bool:
        """Return whether a neighbour of a cell is a proven mine, so that the cell cannot be a zero."""
        return any(other in self.mines for other in self.board.neighbours(cell))

    @cached_property
    def closed(self) -> frozenset[Cell]:
        """The cells that are not open and not proven to be mines."""
        return frozenset(self.board.cells(*NOT_OPEN)) - self.mines

    @cached_property
    def zeros(self) -> frozenset[Cell]:
        """The safe cells that are proven to be zeros: each opens all around it."""
        return frozenset(cell for cell in self.safe if self.safe.issuperset(self.closed_around(cell)))

    @cached_property
    def openings(self) -> list[list[Cell]]:
        """The proven zeros that touch one another, together: a click on one of them opens all."""
        return list(_connected(sorted(self.zeros), self.board, self.zeros))

    @cached_property
    def borders(self) -> frozenset[Cell]:
        """The safe cells that proven zeros open."""
        around = (other for zero in self.zeros for other in self.board.neighbours(zero))
        return frozenset(cell for cell in around if cell in self.safe and cell not in self.zeros)

    @cached_property
    def maybe_zeros(self) -> frozenset[Cell]:
        """The closed cells that may be zeros, as far as is proven."""
        return frozenset(cell for cell in self.closed if not self.touches_mine(cell))

    def apart(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return those of the ``cells``, taken in turn, that no opening at an earlier one can open.

        All of them may be zeros.
        """
        return [part[0] for part in _connected(cells, self.board, self.maybe_zeros)]


def _connected(cells: Iterable[Cell], board: Board, among: Collection[Cell]) -> Iterator[list[Cell]]:
    """Iterate over the parts of ``among`` that are connected, each from the first of ``cells`` in it."""
    seen = set[Cell]()
    for start in cells:
        if start not in seen:
            seen.add(start)
            part = [start]
            for cell in part:
                near = [other for other in board.neighbours(cell) if other in among and other not in seen]
                seen.update(near)
                part += near
            yield part


@dataclass(frozen=True)
class Reach:
    """What may be opened besides the cells that are clicked, on a board of which something is ``proven``.

    An opening spreads over zeros alone. A cell is none if it touches a proven mine, or all that is left of
    the cells among which a number has more mines. Sets of cells are masks, as in `bot.solver.constraints`,
    but each row has two cells more than the board, which are never closed: what is moved past an edge lands
    there.
    """

    proven: Proven

    def of(self, cells: Iterable[Cell]) -> int:
        """Return what clicks that open ``cells`` may open, however the board may be."""
        opened = self.mask(cells)
        spread, grown = 0, opened & self._maybe_zeros
        while grown != spread:
            spread, grown = grown, self._near(grown) & self._maybe_zeros
        return opened | (self._near(spread) & self._closed)

    def may_be_zero(self, cells: Iterable[Cell]) -> bool:
        """Return whether one of ``cells`` may be a zero."""
        return bool(self.mask(cells) & self._maybe_zeros)

    def may_win(self, opened: int) -> bool:
        """Return whether the game may be won when no more than ``opened`` has been opened.

        It is not if more cells stay closed than can be mines, of all or of those around one number. What
        cannot be read may be open.
        """
        left = self._closed & ~opened & ~mask_of(self._states == State.UNREADABLE)
        if self._mines_left is not None and left.bit_count() > self._mines_left:
            return False
        return not np.any(neighbour_sum(array_of(left, *self._states.shape)) > self._missing)

    def mask(self, cells: Iterable[Cell]) -> int:
        """Return the mask of ``cells``."""
        return mask_with(row * self._width + col for row, col in cells)

    @cached_property
    def _width(self) -> int:
        return self.proven.board.cols + 2

    @cached_property
    def _states(self) -> States:
        """What the cells of a mask show, where proven mines are shown; no mine is beside the board."""
        board = self.proven.board
        states = np.full((board.rows, self._width), State.WRONG_FLAG, np.int8)
        states[:, : board.cols] = board.states
        mined = int(State.MINE)  # numpy takes twice as long to look into a member of an enum
        for mine in self.proven.mines:
            states[mine] = mined
        return states

    @cached_property
    def _closed(self) -> int:
        return mask_of(is_one_of(*NOT_OPEN)[self._states])

    @cached_property
    def _mined(self) -> npt.NDArray[np.bool_]:
        return is_one_of(*SHOWN_MINES)[self._states]

    @cached_property
    def _missing(self) -> States:
        """How many mines, besides the proven ones, each number has; more than any where none stands."""
        return np.where(self._states <= 8, self._states - neighbour_sum(self._mined), np.int8(_NO_NUMBER))

    @cached_property
    def _mines_left(self) -> int | None:
        total = self.proven.board.mines
        return None if total is None else total - int(self._mined.sum())

    @cached_property
    def _maybe_zeros(self) -> int:
        need = (self._missing > 0) & (self._missing < _NO_NUMBER)
        touching = self._near(mask_of(self._mined)) | self._near_all_around(mask_of(need))
        if self._mines_left and self._closed.bit_count() <= _NEAR_ONE:
            touching |= reduce(and_, (self._near(1 << index) for index in bits(self._closed)), self._closed)
        return self._closed & ~touching

    def _near_all_around(self, numbers: int) -> int:
        """Return the cells that are near all closed cells around one of ``numbers``.

        For each way from a number to a cell these are the numbers which have no closed cell in the rows and
        columns that are not near then.
        """
        across, down = _and_beside(self._closed, 1), _and_beside(self._closed, self._width)
        above, below, before, after = across << self._width, across >> self._width, down << 1, down >> 1
        found = 0
        for row, closed in enumerate((across | below, below, 0, above, above | across)):
            for col, beside in enumerate((down | after, after, 0, before, before | down)):
                found |= (numbers & ~(closed | beside)) << row * self._width + col
        return found >> 2 * self._width + 2

    def _near(self, mask: int) -> int:
        """Return the cells of a mask and their neighbours."""
        return _and_beside(_and_beside(mask, 1), self._width)


def _and_beside(mask: int, step: int) -> int:
    """Return the cells of a mask, and those that are one ``step`` before or after them."""
    return mask | mask << step | mask >> step
