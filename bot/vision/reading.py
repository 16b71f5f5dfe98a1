"""What was seen on a picture, and what counter and cells say together: the total of mines, the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State, States, cells_where, count_states, is_one_of
from bot.geometry import Frame, Grid, Point, Rect
from bot.rules import Bounds

_POINTER = Rect(-4, -4, 20, 28)  # pixels that a pointer hides around its tip at 100 % scaling


class GameState(Enum):
    """How far a game is."""

    NEW = "new"
    RUNNING = "running"
    WON = "won"
    LOST = "lost"

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self in (GameState.WON, GameState.LOST)


class Side(Enum):
    """A side of a board."""

    TOP = "top"
    LEFT = "left"
    BOTTOM = "bottom"
    RIGHT = "right"


class Doubt(IntEnum):
    """Why a cell could not be read. In arrays of doubts 0 stands for a cell that could be."""

    COVERED = 1  # another window or a dialog lies over it
    POINTER = 2
    CHANGING = 3  # an animation, or a click that is still being painted
    TINTED = 4
    STRANGE = 5  # it looks like no state
    AMBIGUOUS = 6  # it looks like two states, or two ways of reading it disagree
    OUTSIDE = 7
    CHANGED = 8  # it contradicts the last look, or the rules of the game

    @property
    def words(self) -> str:
        """What is the matter with such a cell, to stand after "it"."""
        return _WORDS[self]


_WORDS = {
    Doubt.COVERED: "is covered by something else",
    Doubt.POINTER: "is under the mouse pointer",
    Doubt.CHANGING: "is still changing",
    Doubt.TINTED: "has colours that are changed too much",
    Doubt.STRANGE: "looks like no state of a cell",
    Doubt.AMBIGUOUS: "looks like two states of a cell",
    Doubt.OUTSIDE: "lies outside the picture",
    Doubt.CHANGED: "contradicts what was seen before",
}


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands beside the board.

    ``mines_left`` is what the mine counter shows (mines minus flags, may be negative), None if unread.
    ``counter_at`` is where it was found, in frame pixels, if that had to be looked for.
    """

    mines_left: int | None = None
    counter_at: Rect | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One board as it was read.

    ``confidence`` is float32 of shape (rows, cols), 0 (could be anything) to 1; ``board`` has
    `State.UNREADABLE` where it was too low, and ``doubts`` says why for each such cell whose reason is known.
    ``board.mines`` is the total, from the mine counter and the flags, None if the counter was not read.
    ``skin`` names the skin that fitted, ``scale`` its stretching. ``remembered`` are the cells that are
    hidden now and show what the last look saw there. ``cut`` are the sides on which there are more rows or
    columns than can be seen, nobody knows how many: one that is unreadable stands for all of them.
    """

    grid: Grid
    board: Board
    panel: Panel
    state: GameState
    skin: str
    scale: float
    confidence: npt.NDArray[np.float32]
    doubts: Mapping[Cell, Doubt] = field(default_factory=dict)
    remembered: frozenset[Cell] = frozenset()
    cut: frozenset[Side] = frozenset()

    @property
    def unreadable(self) -> list[Cell]:
        """The cells that could not be read."""
        return self.board.cells(State.UNREADABLE) if self.board.count(State.UNREADABLE) else []


def cut_words(reading: Reading) -> str | None:
    """Return in words on which sides the board goes on unseen, nobody knows how far; None if it is whole."""
    if not reading.cut:
        return None
    sides = " and the ".join(side.value for side in Side if side in reading.cut)
    return f"a part of the board cannot be seen, at the {sides}: nobody can tell how many rows or columns"


def doubts_of(codes: npt.NDArray[np.int8]) -> dict[Cell, Doubt]:
    """Return the doubts in an int8 array of shape (rows, cols); where it is 0 there is none."""
    return {cell: Doubt(int(codes[cell])) for cell in cells_where(codes != 0)}


def doubt_words(reading: Reading) -> str | None:
    """Return in words how many cells could not be read, where, and why most of them; None if all could."""
    cells = reading.unreadable
    if not cells:
        return None
    reasons = [reading.doubts[cell] for cell in cells if cell in reading.doubts]
    usual = max(Doubt, key=reasons.count) if reasons else None
    row, col = next(cell for cell in cells if reading.doubts.get(cell) is usual)
    count = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    why = "" if usual is None else f": it {usual.words}"
    return (
        f"{count} cannot be read, the {'one' if len(cells) == 1 else 'first'} at row {row}, column {col}{why}"
    )


def hidden_by_pointer(frame: Frame, tip: Point) -> Rect:
    """Return what a mouse pointer hides of a frame, in its pixels, whose tip is there on the screen."""
    return _POINTER.moved(tip.x - frame.origin.x, tip.y - frame.origin.y)


def blamed_on_pointer(reading: Reading, frame: Frame, pointer: Callable[[], Point] | None) -> Reading:
    """Return the reading with the pointer as the reason for the cells that it may hide.

    ``pointer`` returns the place of its tip on the screen; None if that is unknown.
    """
    if pointer is None or not reading.unreadable:
        return reading
    hidden = hidden_by_pointer(frame, pointer())
    rects = ((cell, reading.grid.cell_rect(cell)) for cell in reading.unreadable)
    cells = [cell for cell, rect in rects if not rect.intersection(hidden).empty]
    return replace(reading, doubts={**reading.doubts, **dict.fromkeys(cells, Doubt.POINTER)})


def total_mines(states: States, mines_left: int | None) -> int | None:
    """Return the total of mines: what the counter shows and the flags, wrong ones too; None if it is unread.

    A flag that cannot be read would be missing in the sum: then the total is unknown as well.
    """
    if mines_left is None or count_states(states, State.UNREADABLE):
        return None
    total = mines_left + count_states(states, State.FLAG, State.WRONG_FLAG)
    return total if 0 < total <= states.size else None


def with_total(reading: Reading, mines: int | None) -> Reading:
    """Return the reading with that total of mines if its own is unknown, and the state that follows."""
    if mines is None or reading.board.mines is not None:
        return reading
    board = Board(reading.board.states, mines)
    return replace(reading, board=board, state=game_state(board))


def game_state(board: Board) -> GameState:
    """Return how far the game on ``board`` is.

    It is won when all cells that are not opened are mines. Where the total is unknown, flags on all of them
    may tell, or the numbers: each cell that is not opened has one beside it that needs them all.
    """
    if board.count(State.MINE, State.EXPLODED, State.WRONG_FLAG):
        return GameState.LOST
    unflagged = board.count(State.COVERED, State.QUESTION)
    closed = unflagged + board.count(State.FLAG)
    unreadable = board.count(State.UNREADABLE)
    if closed + unreadable == board.states.size:
        return GameState.NEW
    if unreadable:
        return GameState.RUNNING
    if board.mines is not None:
        won = closed == board.mines
    else:
        not_opened = is_one_of(State.FLAG, State.COVERED, State.QUESTION)[board.states]
        bounds = Bounds.of(board.states, np.zeros(board.shape, np.bool_), not_opened)
        won = not unflagged or bool((bounds.mines == not_opened).all())
    return GameState.WON if won else GameState.RUNNING
