"""The reading of a board: its cells, its mine counter and its face, and checks against the reading before.

Between two looks at one game only clicked cells, the cells that they open, and mines shown at its end change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import (
    COVERED,
    MAY_BE_MINE,
    OPENED,
    SHOWN_MINES,
    Board,
    Cell,
    State,
    States,
    cells_where,
    count_states,
)
from bot.counting_rules import near
from bot.geometry import Frame, Grid, Point, Rect
from bot.verdict import Circumstances, GameState, verdict_on
from bot.words import cell_words, counted

_POINTER = Rect(-4, -4, 20, 28)  # pixels that a pointer hides around its tip at 100 % scaling
_END = frozenset({State.MINE, State.EXPLODED, State.WRONG_FLAG})
_UNREADABLE = int(State.UNREADABLE)  # numpy compares with plain integers many times faster
_STAYS = np.isin(range(_UNREADABLE + 1), [*OPENED, *_END])  # by state: whether it is final


class Side(Enum):
    """A side of a board."""

    TOP = "top"
    LEFT = "left"
    BOTTOM = "bottom"
    RIGHT = "right"


class Doubt(Enum):
    """The reason why a cell could not be read; the value continues a sentence after "it"."""

    HIDDEN = "is covered by something else"  # another window, or a dialog
    POINTER = "is under the mouse pointer"
    UNRECOGNISED = "does not look like any known cell state"
    AMBIGUOUS = "could be either of two cell states"  # or two ways of reading it disagree
    OUTSIDE = "lies outside the picture"


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One board as it was read from a picture.

    ``board`` has `State.UNREADABLE` where a cell could not be read; ``doubts`` gives the reason for each such
    cell, if it is known. ``mines_left`` is the value of the mine counter (mines minus flags, may be
    negative), None if it was not read; ``board.mines`` is the total that follows from it and the flags.
    ``skin`` is the name of the skin that matched. ``remembered`` are hidden cells whose states are those of
    the last look. ``cut`` are the sides on which the board continues out of sight for an unknown number of
    rows or columns: one unreadable row or column stands for all of them. ``open`` are sides where it seems to
    end, though nothing shows that it does. ``face`` is the state that a face above the board shows.
    """

    grid: Grid
    board: Board
    skin: str
    mines_left: int | None = None
    doubts: Mapping[Cell, Doubt] = field(default_factory=dict)
    remembered: frozenset[Cell] = frozenset()
    cut: frozenset[Side] = frozenset()
    open: frozenset[Side] = frozenset()
    face: GameState | None = None

    @property
    def state(self) -> GameState:
        """How the game stands, as far as one look can tell."""
        return verdict_on(self.board, Circumstances(self.face)).state

    @property
    def whole(self) -> bool:
        """Whether all of the board lies in the picture."""
        return not self.cut and Doubt.OUTSIDE not in self.doubts.values()

    @property
    def careful(self) -> Board:
        """The board without its total and the numbers at `open` sides, which may have hidden neighbours."""
        if not self.open:
            return self.board
        cells = np.arange(self.board.states.size).reshape(self.board.shape)
        lines = dict(zip(Side, (cells[0], cells[:, 0], cells[-1], cells[:, -1]), strict=True))
        numbers = (divmod(int(cell), self.board.cols) for side in self.open for cell in lines[side])
        return Board(self.board.states).without_numbers(Cell(*cell) for cell in numbers)

    @property
    def unreadable(self) -> list[Cell]:
        """The cells that could not be read."""
        return self.board.cells(State.UNREADABLE) if self.board.count(State.UNREADABLE) else []


def cut_words(reading: Reading) -> str | None:
    """Return a sentence about the sides on which the board continues out of sight; None if it is whole."""
    if not reading.cut:
        return None
    sides = _named(reading.cut)
    return f"part of the board is hidden at the {sides}: the number of hidden rows or columns is unknown"


def side_words(reading: Reading) -> list[str]:
    """Return a sentence for the sides that are cut, and one for those where the board may go on unseen."""
    words = [cut_words(reading)]
    if reading.open:
        sides = _named(reading.open)
        words.append(f"nothing shows that the board ends at the {sides}: the numbers there prove nothing")
    return [sentence for sentence in words if sentence]


def _named(sides: frozenset[Side]) -> str:
    return " and the ".join(side.value for side in Side if side in sides)


def doubt_words(reading: Reading) -> str | None:
    """Return how many cells are unreadable, where, and the commonest reason, in words; None if none are."""
    cells = reading.unreadable
    if not cells:
        return None
    reasons = [reading.doubts[cell] for cell in cells if cell in reading.doubts]
    usual = max(Doubt, key=reasons.count) if reasons else None
    first = next(cell for cell in cells if reading.doubts.get(cell) is usual)
    count = counted(len(cells), "cell")
    why = "" if usual is None else f": it {usual.value}"
    return f"{count} cannot be read, {'' if len(cells) == 1 else 'the first '}at {cell_words(first)}{why}"


def hidden_by_pointer(frame: Frame, tip: Point) -> Rect:
    """Return the part of ``frame``, in its pixels, that a pointer at screen point ``tip`` hides."""
    return _POINTER.moved(tip.x - frame.origin.x, tip.y - frame.origin.y)


def blamed_on_pointer(reading: Reading, frame: Frame, pointer: Callable[[], Point] | None) -> Reading:
    """Return the reading with `Doubt.POINTER` for the unreadable cells that the mouse pointer may hide.

    ``pointer`` is a function that returns the screen point of the pointer's tip; None if that is unknown.
    """
    if pointer is None or not reading.unreadable:
        return reading
    hidden = hidden_by_pointer(frame, pointer())
    rects = ((cell, reading.grid.cell_rect(cell)) for cell in reading.unreadable)
    cells = [cell for cell, rect in rects if not rect.intersection(hidden).empty]
    return replace(reading, doubts={**reading.doubts, **dict.fromkeys(cells, Doubt.POINTER)})


def total_mines(states: States, mines_left: int | None) -> int | None:
    """Return the total of mines: the mine counter plus all flags, wrong ones too; None if it is unknown.

    It is unknown if the counter or any cell cannot be read, since that cell may be a flag, or if the sum does
    not fit the board.
    """
    if mines_left is None or count_states(states, State.UNREADABLE):
        return None
    total = mines_left + count_states(states, State.FLAG, State.WRONG_FLAG)
    shown, places = count_states(states, *SHOWN_MINES), count_states(states, *MAY_BE_MINE)
    return total if max(1, shown) <= total <= places else None


def with_total(reading: Reading, mines: int | None) -> Reading:
    """Return the reading with ``mines`` as its total, if its own total is unknown."""
    if mines is None or reading.board.mines is not None:
        return reading
    return replace(reading, board=Board(reading.board.states, mines))


def check_change(before: Board, after: Board, clicked: Collection[Cell] | None) -> list[str]:
    """Return a message for each impossible change between two boards of one game; [] if there is none.

    ``clicked`` are the cells that were clicked since ``before``, or also earlier; None if any cell may have
    been clicked. Unreadable cells may be anything.
    """
    if before.shape != after.shape:
        return [f"the board size changed from {before.rows} x {before.cols} to {after.rows} x {after.cols}"]
    was, now, over = before.states, after.states, _over(after)
    half_painted = (was == 0) & (now < COVERED)  # the background of a number is painted first
    changed = (was != now) & (was != _UNREADABLE) & (now != _UNREADABLE) & ~half_painted
    wrong, found = changed & _STAYS[was], list[str]()
    if clicked is not None and not over and any(cell not in clicked for cell in cells_where(changed)):
        wrong |= changed & ~_may_have_changed(before, after, clicked)
    if None not in (before.mines, after.mines) and before.mines != after.mines and not over:
        found.append(
            f"the mine counter and the flags give {after.mines} mines now, but gave {before.mines} before: "
            "a flag or the counter was misread"
        )
    for cell in cells_where(wrong):
        where = f"at {cell_words(cell)}"
        if before[cell] < State.COVERED:
            found.append(f"the number {where} has changed")
        elif before[cell] in _END:
            found.append(f"the mine {where} has disappeared")
        elif after[cell] < State.COVERED:
            found.append(f"the cell {where} has opened without a click")
        else:
            found.append(f"the mark {where} has changed without a click")
    return found


def _over(board: Board) -> bool:
    """Return whether the game is over: the program itself may then open and mark any cell."""
    return board.count(*_END) > 0 or board.count(State.COVERED, State.QUESTION, State.UNREADABLE) == 0


def _may_have_changed(before: Board, after: Board, clicked: Collection[Cell]) -> npt.NDArray[np.bool_]:
    """Return the cells, bool (rows, cols), that clicks can have changed: these and all that opened with them.

    Programs differ in how far an opening goes: newly opened or unreadable cells that touch each other belong
    to it, and so do the marks beside them. A click on a number is a chord and opens its neighbours.
    """
    touched, cols = np.zeros(after.shape, np.bool_), after.cols
    touched.reshape(-1)[[row * cols + col for row, col in clicked]] = True
    may_be_open = (after.states < COVERED) | (after.states == _UNREADABLE)
    start, new = touched & may_be_open, (before.states != after.states) & may_be_open
    count, patches = cv2.connectedComponents((start | new).view(np.uint8), connectivity=8)
    opened = np.zeros(count, np.bool_)  # by patch; patch 0 is all other cells
    opened[patches[start]] = True
    return touched | near(opened[patches])


def with_memory(reading: Reading, before: Board, clicked: Collection[Cell] | None) -> Reading:
    """Return the reading with hidden cells filled in from the board ``before`` and added to ``remembered``.

    Only cells that cannot have changed are filled in: numbers; and, during a game with known clicks, any cell
    whose patch of adjacent hidden cells has no clicked cell and no newly opened zero in or beside it.
    """
    hidden = [
        cell for cell in reading.unreadable if reading.doubts.get(cell) in (Doubt.HIDDEN, Doubt.POINTER)
    ]
    if not hidden or before.shape != reading.board.shape:
        return reading
    still = (
        set() if clicked is None or _over(reading.board) else _still(reading.board, before, clicked, hidden)
    )
    known = {cell: before[cell] for cell in hidden if before[cell] < State.COVERED or cell in still}
    doubts = {cell: doubt for cell, doubt in reading.doubts.items() if cell not in known}
    board = reading.board.replace(known)
    return replace(reading, board=board, doubts=doubts, remembered=reading.remembered | known.keys())


def _still(after: Board, before: Board, clicked: Collection[Cell], hidden: Collection[Cell]) -> set[Cell]:
    """Return the hidden cells whose patch has no clicked cell and no newly opened zero in or beside it."""
    mask, active = np.zeros(before.shape, np.uint8), (after.states == 0) & (before.states != 0)
    for cell in hidden:
        mask[cell] = 1
    for cell in clicked:
        active[cell] = True
    _, patches = cv2.connectedComponents(mask, connectivity=8)
    touched = set(np.unique(patches[near(active)]))
    return {cell for cell in hidden if patches[cell] not in touched and before[cell] != State.UNREADABLE}
