"""The style of play: which of the proven cells are clicked in a round, and how.

Chords are chosen as ZiNi does (of Elias Åkesson, described at minesweepergame.com), which counts the clicks
of a greedy player who knows the whole board: by the chord that saves most, again and again, until none saves
anything. Here the same is done with what is proven so far. A burst of clicks is sent without a look in
between, and none may come after the one that ends the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from bot.board import (
    NOT_OPEN,
    SHOWN_MINES,
    Board,
    Cell,
    State,
    States,
    cells_where,
    connected,
    is_one_of,
    neighbours,
)
from bot.errors import UsageError
from bot.rules import NO_NUMBER, neighbour_sum
from bot.solver.decision import Action, Decision, Move, Reason
from bot.targets import Target

Legs = tuple[tuple[Move, ...], ...]  # each is a tour of its own; all are sent in one go
_MARKABLE = frozenset({State.COVERED, State.QUESTION})
_NEAR_ONE = 8  # cells that may all be near another one


@dataclass(frozen=True)
class Proven:
    """The cells of ``board`` that are proven: ``safe`` ones that a click opens, and ``mines``.

    An opening spreads over zeros alone, so clicks open no more than what lies around the cells that may be
    zeros.

    Numbers of ``board`` that are not sure are to be unreadable, and so are flags. What is unreadable counts
    as closed.
    """

    board: Board
    safe: frozenset[Cell]
    mines: Set[Cell]

    @classmethod
    def by(cls, decision: Decision, board: Board) -> Proven:
        """Return what a decision on ``board`` has proven: of a guess, only mines."""
        moves = (move for move in decision.moves if move.action is Action.OPEN and move.risk == 0)
        return cls(board, frozenset(move.cell for move in moves), frozenset(decision.mines))

    def closed_around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell that are not open."""
        return [other for other in self.board.neighbours(cell) if self.board[other] in NOT_OPEN]

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
        return list(connected(sorted(self.zeros), self.zeros, *self.board.shape))

    @cached_property
    def borders(self) -> frozenset[Cell]:
        """The safe cells that proven zeros open."""
        around = (other for zero in self.zeros for other in self.board.neighbours(zero))
        return frozenset(cell for cell in around if cell in self.safe and cell not in self.zeros)

    @cached_property
    def beside_no_mine(self) -> frozenset[Cell]:
        """The closed cells that touch no proven mine."""
        beside = neighbour_sum(self._mined) > 0
        return frozenset(cell for cell in self.closed if not beside[cell])

    @cached_property
    def maybe_zeros(self) -> frozenset[Cell]:
        """The closed cells that may be zeros, as far as is proven.

        None of them touches a proven mine, nor all that is left of the cells among which a number has more
        mines.
        """
        found = set(self.beside_no_mine)
        rows, cols = self.board.shape
        numbers = cells_where((self._missing > 0) & (self._missing < NO_NUMBER))
        places = [self.closed.intersection(neighbours(rows, cols, cell)) for cell in numbers]
        if self._mines_left and len(self.closed) <= _NEAR_ONE:
            places.append(self.closed)
        for cells in places:
            if cells:
                found -= found.intersection(*((cell, *neighbours(rows, cols, cell)) for cell in cells))
        return frozenset(found)

    def apart(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return those of the ``cells``, taken in turn, that no opening at an earlier one can open.

        All of them are among `beside_no_mine`.
        """
        return [part[0] for part in connected(cells, self.beside_no_mine, *self.board.shape)]

    def reach(self, cells: Collection[Cell]) -> set[Cell]:
        """Return what clicks that open ``cells`` may open, however the board may be."""
        rows, cols = self.board.shape
        reached, zeros = set(cells), list(self.maybe_zeros.intersection(cells))
        while zeros:
            for near in neighbours(rows, cols, zeros.pop()):
                if near in self.closed and near not in reached:
                    reached.add(near)
                    if near in self.maybe_zeros:
                        zeros.append(near)
        return reached

    def may_win(self, opened: Set[Cell]) -> bool:
        """Return whether the game may be won when no more than ``opened`` has been opened.

        It is not if more cells stay closed than can be mines, of all or of those around one number. What
        cannot be read may be open.
        """
        left = [cell for cell in self.closed - opened if self.board[cell] != State.UNREADABLE]
        if self._mines_left is not None and len(left) > self._mines_left:
            return False
        return not np.any(neighbour_sum(self._mask(left)) > self._missing)

    def _mask(self, cells: Iterable[Cell]) -> npt.NDArray[np.bool_]:
        mask = np.zeros(self.board.shape, np.bool_)
        for cell in cells:
            mask[cell] = True
        return mask

    @cached_property
    def _mined(self) -> npt.NDArray[np.bool_]:
        return self._mask(self.mines) | is_one_of(*SHOWN_MINES)[self.board.states]

    @cached_property
    def _missing(self) -> States:
        """How many mines, besides the proven ones, each number has; more than any where none stands."""
        states = self.board.states
        return np.where(states <= 8, states - neighbour_sum(self._mined), NO_NUMBER)

    @cached_property
    def _mines_left(self) -> int | None:
        return None if self.board.mines is None else self.board.mines - int(self._mined.sum())


class Flags(Enum):
    """Which mines are flagged."""

    NONE = "none"  # NF: left clicks only
    ALL = "all"  # every one that is proven
    CHORD = "chord"  # those with which chords save clicks


@dataclass(frozen=True, slots=True)
class Style:
    """A style of play. An ``efficient`` one takes fewer clicks, and more looks for that."""

    flags: Flags = Flags.NONE
    efficient: bool = False

    @property
    def without_chords(self) -> Style:
        """The same style, but that all mines are flagged where they save clicks."""
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


@dataclass(frozen=True, slots=True)
class Opening:
    """A left click or a chord, and the proven cells that it opens, whatever they are."""

    move: Move
    cells: frozenset[Cell]


def styled(decision: Decision, board: Board, style: Style) -> Legs:
    """Return the moves of this round.

    ``board`` is the one decided on, with all that is not sure, flags too, as unreadable. What is opened, by
    chords too, is proven safe by the decision, or is its guess; flags are set on proven mines alone. A flag
    on a proven mine stays where it is; one on a safe cell is taken off first, by moves of the decision.
    """
    proven, reason = Proven.by(decision, board), decision.reason

    def flagged(mines: Iterable[Cell]) -> tuple[Move, ...]:
        return tuple(Move(mine, Action.FLAG, 1.0, reason) for mine in sorted(mines))

    def opened(cells: Iterable[Cell]) -> Iterator[Opening]:
        return (Opening(Move(cell, Action.OPEN, 0.0, reason), frozenset({cell})) for cell in cells)

    every = [mine for mine in proven.mines if board[mine] in _MARKABLE]
    flags = flagged(every) if style.flags is Flags.ALL else ()
    if reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return tuple(leg for leg in (flags, decision.moves) if leg)  # a guess may end the game
    marks = (*flags, *(move for move in decision.moves if move.action is Action.FLAG))
    if style.flags is not Flags.CHORD and not style.efficient:
        moves = (move for move in decision.moves if move.action is Action.OPEN)
        return burst(marks, [Opening(move, frozenset({move.cell})) for move in moves], proven)
    plan = planned(proven, chords=style.flags is Flags.CHORD)
    chords = (Opening(Move(one.cell, Action.CHORD, 0.0, reason), one.opens) for one in plan.ready)
    openings = list(_needed([*opened(plan.openings), *chords]))
    if not openings and not plan.flags:
        openings = list(opened(_thrifty(proven, plan.singles) if style.efficient else plan.singles))
    return burst(marks + flagged(plan.flags), openings, proven)


def _needed(openings: Sequence[Opening]) -> Iterator[Opening]:
    """Iterate over the openings without those whose cells the others open as well."""
    kept = set[Cell]()
    for number, opening in enumerate(openings, 1):
        if not opening.cells <= kept.union(*(other.cells for other in openings[number:])):
            kept |= opening.cells
            yield opening


def _thrifty(proven: Proven, singles: Sequence[Cell]) -> Sequence[Cell]:
    """Return those of the ``singles`` to be clicked now so that few clicks are made on what opens anyway.

    First what touches no mine, one in each place where such cells are, the likeliest zero first: it may open
    others. With them goes what no zero can open; all others wait until there is nothing else.
    """
    zeros = proven.beside_no_mine
    maybe = [cell for cell in singles if cell in zeros]
    maybe.sort(key=lambda cell: sum(other not in proven.safe for other in proven.closed_around(cell)))
    alone = (cell for cell in singles if zeros.isdisjoint((cell, *proven.board.neighbours(cell))))
    return [*proven.apart(maybe), *alone] or singles


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
    zeros = [opening for opening in openings if not proven.maybe_zeros.isdisjoint(opening.cells)]
    opened = frozenset[Cell]().union(*(opening.cells for opening in openings))
    if not (marks or zeros) or not proven.may_win(proven.reach(opened)):
        return (marks + moves,)
    certain = [opening for opening in openings if opening not in zeros]
    some = (openings, (*certain, *zeros[:1]), openings[:1])
    last = next(found for chosen in some if (found := _with_last(chosen, proven)))
    return tuple(leg for leg in (marks + last[:-1], last[-1:]) if leg)


def _with_last(openings: Sequence[Opening], proven: Proven) -> tuple[Move, ...]:
    """Return the moves of ``openings``, the last of which opens what no other can; () if none does."""
    reached = Counter(chain.from_iterable(proven.reach(opening.cells) for opening in openings))
    for last in openings:
        if any(reached[cell] == 1 for cell in last.cells):
            return (*(other.move for other in openings if other is not last), last.move)
    return ()


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
    flags: Set[Cell]
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
    # For each safe cell that takes a click the cell that stands for it: all zeros of an opening are one, and
    # its border takes none.
    unit = {cell: opening[0] for opening in proven.openings for cell in opening}
    unit |= {cell: cell for cell in proven.safe - proven.zeros - proven.borders}
    chosen, flags, done = list[Chord](), set[Cell](), set[Cell]()

    def opened_by(chord: Chord) -> set[Cell]:
        return {unit[cell] for cell in chord.opens if cell in unit} - done

    def worth(chord: Chord) -> tuple[int, int, Cell]:
        """Return how many clicks a chord saves, and, to choose among equals, how few it costs."""
        cost = 1 + len(chord.unflagged - flags)
        return len(opened_by(chord)) - cost, -cost, chord.cell

    waiting = list(candidates(proven)) if chords else []
    while waiting and worth(best := max(waiting, key=worth))[0] >= 0:
        waiting.remove(best)
        chosen.append(best)
        flags |= best.unflagged
        done |= opened_by(best)
    zeros = {opening[0] for opening in proven.openings}
    left = sorted(set(unit.values()) - done)
    return Plan(
        tuple(chosen),
        flags,
        tuple(cell for cell in left if cell in zeros),
        tuple(cell for cell in left if cell not in zeros),
    )


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
