"""Which of the proven cells are clicked in a round, and how: with left clicks alone, flags, or chords.

Chords are chosen as in ZiNi (by Elias Åkesson, described at minesweepergame.com), which counts the clicks of
a greedy player who knows the whole board: the chord that saves most is chosen, again and again, until none
saves anything. Here the same is done with the cells that are proven so far. A burst of clicks is sent without
a look in between, so none of them may come after the one that ends the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import chain

import numpy as np

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
from bot.counting_rules import NO_NUMBER, neighbour_sum
from bot.solver.decision import Action, Decision, Move, Reason
from bot.targets.catalogue import Target

Legs = tuple[tuple[Move, ...], ...]  # each leg is a tour of its own; all are sent without a look between
_MARKABLE = frozenset({State.COVERED, State.QUESTION})
_NEAR_ONE = 8  # so many cells at most can all touch one cell


@dataclass(frozen=True)
class Proven:
    """The proven cells of ``board``: ``safe`` ones, which can be opened by a click, and ``mines``.

    An opening spreads only over zeros, so a click can open only its own cell and cells around those that may
    be zeros.

    Uncertain numbers and flags must be unreadable on ``board``. Unreadable cells count as closed: ``closed``
    are all cells that are not open and not proven to be mines. ``missing`` is how many mines, besides the
    proven ones, each number has (`NO_NUMBER` where there is none), ``mines_left`` the same for the total.
    """

    board: Board
    safe: frozenset[Cell]
    mines: Set[Cell]
    closed: frozenset[Cell] = field(init=False)
    missing: States = field(init=False)
    mines_left: int | None = field(init=False)

    def __post_init__(self) -> None:
        states, mined = self.board.states, is_one_of(*SHOWN_MINES)[self.board.states]
        for cell in self.mines:
            mined[cell] = True
        vars(self).update(
            closed=frozenset(self.board.cells(*NOT_OPEN)) - self.mines,
            missing=np.where(states <= 8, states - neighbour_sum(mined), NO_NUMBER),
            mines_left=None if self.board.mines is None else self.board.mines - int(mined.sum()),
        )

    @classmethod
    def by(cls, decision: Decision, board: Board) -> Proven:
        """Return the cells that ``decision`` has proven on ``board``; a guess proves only mines."""
        moves = (move for move in decision.moves if move.action is Action.OPEN and move.risk == 0)
        return cls(board, frozenset(move.cell for move in moves), frozenset(decision.mines))

    def closed_around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of ``cell`` that are not open."""
        return [other for other in self.board.neighbours(cell) if self.board[other] in NOT_OPEN]

    @cached_property
    def zeros(self) -> frozenset[Cell]:
        """The safe cells that are proven to be zeros: each opens all its neighbours."""
        return frozenset(cell for cell in self.safe if self.safe.issuperset(self.closed_around(cell)))

    @cached_property
    def openings(self) -> list[list[Cell]]:
        """The proven zeros in groups that are connected: a click on one zero opens its whole group."""
        return list(connected(sorted(self.zeros), self.zeros, *self.board.shape))

    @cached_property
    def borders(self) -> frozenset[Cell]:
        """The safe cells that proven zeros open, without those zeros themselves."""
        around = (other for zero in self.zeros for other in self.board.neighbours(zero))
        return frozenset(cell for cell in around if cell in self.safe and cell not in self.zeros)

    @cached_property
    def maybe_zeros(self) -> frozenset[Cell]:
        """The closed cells that may be zeros, as far as is proven.

        A cell cannot be one if it touches a proven mine. Nor can it be one if it and its neighbours include
        all closed cells around a number that has more mines: at least one of these cells is a mine.
        """
        rows, cols = self.board.shape
        shown = (*self.mines, *self.board.cells(*SHOWN_MINES))
        found = set(self.closed).difference(*(neighbours(rows, cols, mine) for mine in shown))
        numbers = cells_where((self.missing > 0) & (self.missing < NO_NUMBER))
        places = [self.closed.intersection(neighbours(rows, cols, cell)) for cell in numbers]
        if self.mines_left and len(self.closed) <= _NEAR_ONE:
            places.append(self.closed)
        for cells in places:
            if cells:
                found -= found.intersection(*((cell, *neighbours(rows, cols, cell)) for cell in cells))
        return frozenset(found)

    def reach(self, cells: Collection[Cell]) -> set[Cell]:
        """Return ``cells`` and all other closed cells that opening them may open, wherever the mines are."""
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
        """Return whether the game may be won if no more cells than ``opened`` are opened.

        It is not if more cells stay closed than can be mines, on the whole board or around one number.
        Unreadable cells may be open already.
        """
        left = [cell for cell in self.closed - opened if self.board[cell] != State.UNREADABLE]
        if self.mines_left is not None and len(left) > self.mines_left:
            return False
        mask = np.zeros(self.board.shape, np.bool_)
        for cell in left:
            mask[cell] = True
        return not np.any(neighbour_sum(mask) > self.missing)


class Flags(Enum):
    """A style of play, by the mines that are flagged."""

    NONE = "none"  # NF: left clicks only
    ALL = "all"  # every proven mine
    CHORD = "chord"  # those that let chords save clicks

    @property
    def without_chords(self) -> Flags:
        """The same without chords: instead of mines for chords, all proven mines are flagged."""
        return Flags.ALL if self is Flags.CHORD else self


def flags_for(target: Target, wanted: Flags, tell: Callable[[str], None]) -> Flags:
    """Return the ``wanted`` flags, without chords if it is unknown how the target plays them."""
    if wanted is not Flags.CHORD or target.chord is not None:
        return wanted
    how = f"minebot does not know how to chord in {target.label}"
    tell(f"{how}: all mines are flagged, as with --flags all")
    return wanted.without_chords


@dataclass(frozen=True, slots=True)
class Opening:
    """A left click or a chord, and the proven safe cells that it always opens."""

    move: Move
    cells: frozenset[Cell]


def styled(decision: Decision, board: Board, style: Flags) -> Legs:
    """Return the moves of this round.

    ``board`` is the one decided on, with all uncertain cells, flags too, made unreadable. Every cell that is
    opened, by chords too, is proven safe by the decision, or is its guess. Flags are set only on proven
    mines. A flag on a proven mine stays; one on a safe cell is first taken off by a move of the decision.
    """
    proven, reason = Proven.by(decision, board), decision.reason

    def flagged(mines: Iterable[Cell]) -> tuple[Move, ...]:
        return tuple(Move(mine, Action.FLAG, 1.0, reason) for mine in sorted(mines))

    every = [mine for mine in proven.mines if board[mine] in _MARKABLE]
    flags = flagged(every) if style is Flags.ALL else ()
    if reason in (Reason.GUESS, Reason.FIRST_CLICK):
        return tuple(leg for leg in (flags, decision.moves) if leg)  # a guess may end the game
    marks = (*flags, *(move for move in decision.moves if move.action is Action.FLAG))
    if style is not Flags.CHORD:
        moves = (move for move in decision.moves if move.action is Action.OPEN)
        return burst(marks, [Opening(move, frozenset({move.cell})) for move in moves], proven)
    openings, mines = planned(proven, reason)
    return burst(marks + flagged(mines), openings, proven)


def _without_redundant(openings: Sequence[Opening]) -> Iterator[Opening]:
    """Yield the openings without those whose cells are all opened by others."""
    kept = set[Cell]()
    for number, opening in enumerate(openings, 1):
        if not opening.cells <= kept.union(*(other.cells for other in openings[number:])):
            kept |= opening.cells
            yield opening


def burst(marks: tuple[Move, ...], openings: Sequence[Opening], proven: Proven) -> Legs:
    """Return the moves that can be sent without a look in between: the ``marks``, then ``openings``.

    No click may come after the one that wins the game: it would hit the dialog that follows. So if all moves
    together may win, the last one must open a cell that no other move can open. If there is no such move,
    some are left out: all openings that may be zeros but one, or all openings but one. Only zeros can open
    the cells of other moves.
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
    """Return the moves of ``openings``, ending with one that opens a cell no other can; () if none does."""
    reached = Counter(chain.from_iterable(proven.reach(opening.cells) for opening in openings))
    for last in openings:
        if any(reached[cell] == 1 for cell in last.cells):
            return (*(other.move for other in openings if other is not last), last.move)
    return ()


@dataclass(frozen=True, slots=True)
class Chord:
    """A chord on the number at ``cell``, the safe cells that it ``opens``, and the ``unflagged`` mines.

    These are the mines around ``cell`` without a flag on the screen: the chord needs a flag on each of them.
    """

    cell: Cell
    opens: frozenset[Cell]
    unflagged: frozenset[Cell]


def planned(proven: Proven, reason: Reason) -> tuple[list[Opening], set[Cell]]:
    """Return the clicks that open the safe cells of ``proven`` now, and the mines to flag for later chords.

    A chord is chosen if it takes no more clicks than it saves: its flags stay, and mostly save another click
    in a later round. (On 40 expert boards this took 172 clicks a game; choosing only chords that save clicks
    at once took 181.) Cells that are no proven zeros are opened by left clicks only if there is nothing else
    to do. The moves have this ``reason``.
    """
    # Maps each safe cell that needs a click to the cell that is clicked for it: all zeros of an opening
    # share one, and the border of an opening needs none.
    unit = {cell: opening[0] for opening in proven.openings for cell in opening}
    zeros = set(unit.values())
    unit |= {cell: cell for cell in proven.safe - proven.zeros - proven.borders}
    chosen, flags, done = list[Chord](), set[Cell](), set[Cell]()

    def opened_by(chord: Chord) -> set[Cell]:
        return {unit[cell] for cell in chord.opens if cell in unit} - done

    def worth(chord: Chord) -> tuple[int, int, Cell]:
        """Return how many clicks a chord saves, then what decides among equals: lower cost, then place."""
        cost = 1 + len(chord.unflagged - flags)
        return len(opened_by(chord)) - cost, -cost, chord.cell

    waiting = list(candidates(proven))
    while waiting and worth(best := max(waiting, key=worth))[0] >= 0:
        waiting.remove(best)
        chosen.append(best)
        flags |= best.unflagged
        done |= opened_by(best)
    left = sorted(set(unit.values()) - done)
    clicks = [Opening(Move(cell, Action.OPEN, 0.0, reason), frozenset({cell})) for cell in left]
    chords = (
        Opening(Move(one.cell, Action.CHORD, 0.0, reason), one.opens) for one in chosen if not one.unflagged
    )
    openings = list(_without_redundant([*(one for one in clicks if one.move.cell in zeros), *chords]))
    return (openings if openings or flags else clicks), flags


def candidates(proven: Proven) -> Iterator[Chord]:
    """Yield the chords on opened numbers that open only safe cells.

    All other closed cells around such a number are proven mines. If one of its neighbours has a flag but is
    not a proven mine, there is no chord.
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
