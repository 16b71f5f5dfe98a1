"""A position: what each cell shows, and how many mines there are.

Text notation, one character per cell and one line per row: ``.`` covered, ``0``-``8`` opened, ``F`` flag,
``?`` question mark, ``*`` mine shown, ``X`` the mine that exploded, ``W`` wrong flag, ``-`` cannot be
read. The first line is ``rows x cols / mines``, where ``?`` stands for an unknown number of mines.
`Board` prints this notation and `bot.game.board_files` reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.counting_rules import Bounds, near
from bot.errors import BoardFormatError
from bot.words import cell_words, counted, mines_words

States = npt.NDArray[np.int8]


class Cell(NamedTuple):
    """A position on the board; (0, 0) is the top left cell."""

    row: int
    col: int


class State(IntEnum):
    """What a cell shows. The values 0 to 8 are opened cells with that number; they have no name here."""

    COVERED = 9
    FLAG = 10
    QUESTION = 11
    MINE = 12
    EXPLODED = 13
    WRONG_FLAG = 14
    UNREADABLE = 15


def state_name(state: int) -> str:
    """Return the name of a cell's state for people, such as "3", "flag" or "question mark"."""
    if state == State.QUESTION:
        return "question mark"
    return str(state) if state < State.COVERED else State(state).name.lower().replace("_", " ")


class FirstClick(Enum):
    """What a game guarantees about the first cell that is opened."""

    ANY = "any"  # nothing: it may be a mine
    SAFE = "safe"  # it is not a mine; the mines are placed at random on the other cells
    OPENING = "opening"  # neither it nor any of its neighbours is a mine
    WINMINE = "winmine"  # a mine under it moves to the first free cell, row by row from the top left


CHARACTERS = "012345678.F?*XW-"
_STATE_OF = {character: state for state, character in enumerate(CHARACTERS)}

MAY_BE_MINE = frozenset(
    {State.COVERED, State.FLAG, State.QUESTION, State.MINE, State.EXPLODED, State.UNREADABLE}
)
COVERED = int(State.COVERED)  # numpy compares with plain integers many times faster
OPENED = range(COVERED)  # the numbers, and blank cells
SHOWN_MINES = frozenset({State.MINE, State.EXPLODED})
CLOSED = (State.COVERED, State.FLAG, State.QUESTION)  # a left click never puts a cell into these states
NOT_OPEN = (*CLOSED, State.UNREADABLE)


@dataclass(frozen=True, slots=True)
class Problem:
    """One visible contradiction in a position, described by ``message``.

    ``cell`` is the number that is wrong, or None if the problem concerns the whole board.
    """

    cell: Cell | None
    message: str


@cache
def is_one_of(*states: int) -> npt.NDArray[np.bool_]:
    """Return a lookup table of 16 bools, indexed by state: true for the given ``states``."""
    table = np.zeros(16, np.bool_)
    table[list(states)] = True
    table.flags.writeable = False
    return table


@cache
def neighbours(rows: int, cols: int, cell: Cell) -> tuple[Cell, ...]:
    """Return the neighbours of ``cell`` (at most eight) on a board of ``rows`` x ``cols``, row by row."""
    return tuple(
        Cell(row, col)
        for row in range(max(0, cell.row - 1), min(rows, cell.row + 2))
        for col in range(max(0, cell.col - 1), min(cols, cell.col + 2))
        if (row, col) != cell
    )


def connected(starts: Iterable[Cell], among: Collection[Cell], rows: int, cols: int) -> Iterator[list[Cell]]:
    """Yield each connected part of ``among`` that contains some of ``starts``, the first of these first.

    Cells that touch are connected. The board has ``rows`` x ``cols``; ``among`` must contain all ``starts``.
    """
    seen = set[Cell]()
    for start in starts:
        if start not in seen:
            seen.add(start)
            part = [start]
            for cell in part:
                new = [near for near in neighbours(rows, cols, cell) if near in among and near not in seen]
                seen.update(new)
                part += new
            yield part


def cells_where(chosen: npt.NDArray[np.bool_]) -> list[Cell]:
    """Return the cells at which ``chosen``, an array of shape (rows, cols), is true, row by row."""
    rows, cols = np.nonzero(chosen)
    return list(map(Cell, rows.tolist(), cols.tolist()))


def count_states(cells: States, *states: int) -> int:
    """Return how many values of the int8 array ``cells`` are among ``states``, which must all differ.

    It counts bytes because that is many times faster than comparing with numpy, and it is called very often.
    """
    return sum(map(cells.astype(np.int8, copy=False).tobytes().count, states))


def bounds_of(states: States) -> Bounds:
    """Return the least and most mines that can be around each number, for states of shape (..., rows, cols).

    Only shown mines count as known. A cell that is covered, flagged or unreadable may or may not be a mine.
    """
    return Bounds.of(states, is_one_of(*SHOWN_MINES)[states], is_one_of(*MAY_BE_MINE - SHOWN_MINES)[states])


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A position: the states of all cells and the number of mines.

    ``states`` is a read-only int8 array of shape (rows, cols) with values 0 to 15 (numbers and `State`).
    ``mines`` is the total number of mines, or None if it is unknown.
    """

    states: States
    mines: int | None = None

    def __post_init__(self) -> None:
        states = np.array(self.states, dtype=np.int8)
        if states.ndim != 2 or states.size == 0:
            raise BoardFormatError("a board needs at least one row and one column")
        states.flags.writeable = False
        object.__setattr__(self, "states", states)

    @classmethod
    def covered(cls, rows: int, cols: int, mines: int | None) -> Board:
        """Return a new board on which every cell is covered."""
        return cls(np.full((rows, cols), State.COVERED, dtype=np.int8), mines)

    @classmethod
    def from_rows(cls, rows: Iterable[str], mines: int | None = None) -> Board:
        """Return the board that ``rows`` describes: one string per row, one state character per cell.

        Raises BoardFormatError for rows of different lengths and for unknown characters, with their place.
        """
        lines = list(rows)
        for number, line in enumerate(lines, 1):
            if len(line) != len(lines[0]):
                raise BoardFormatError(f"row {number} has {len(line)} cells, but row 1 has {len(lines[0])}")
            for column, character in enumerate(line, 1):
                if character not in _STATE_OF:
                    raise BoardFormatError(f"row {number}, column {column}: {character!r} is not a cell")
        return cls(np.array([[_STATE_OF[c] for c in line] for line in lines], dtype=np.int8), mines)

    def __str__(self) -> str:
        mines = "?" if self.mines is None else self.mines
        return "\n".join([f"{self.rows} x {self.cols} / {mines}", *self.lines()])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self is other or (self.mines == other.mines and np.array_equal(self.states, other.states))

    def __hash__(self) -> int:
        return hash((self.states.shape, self.states.tobytes(), self.mines))

    def lines(self) -> list[str]:
        """Return the rows in the notation of this module, without the first line (the header)."""
        return ["".join(CHARACTERS[state] for state in row) for row in self.states]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and the number of columns."""
        rows, cols = self.states.shape
        return rows, cols

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.states.shape[0])

    @property
    def cols(self) -> int:
        """The number of columns."""
        return int(self.states.shape[1])

    def __getitem__(self, cell: tuple[int, int]) -> int:
        return int(self.states[cell])

    def source_words(self, source: Cell | None) -> str:
        """Return "the 2 at row 1, column 2" for the cell of a number, "the total of 10 mines" for None."""
        if source is None:
            return f"the total of {mines_words(self.mines or 0)}"
        return f"the {self[source]} at {cell_words(source)}"

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over all cells, row by row."""
        return (Cell(row, col) for row in range(self.rows) for col in range(self.cols))

    def cells(self, *states: int) -> list[Cell]:
        """Return the cells that show one of ``states``, row by row."""
        return cells_where(is_one_of(*states)[self.states])

    def count(self, *states: int) -> int:
        """Return how many cells show one of ``states``."""
        return count_states(self.states, *states)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the neighbours of ``cell`` (at most eight), row by row."""
        return neighbours(self.rows, self.cols, cell)

    def numbers(self) -> Iterator[tuple[Cell, int]]:
        """Iterate over the opened cells with their numbers, row by row."""
        return ((cell, self[cell]) for cell in self.cells(*OPENED))

    def replace(self, changes: Mapping[Cell, int]) -> Board:
        """Return a copy in which the cells of ``changes`` show the given states; itself without changes."""
        if not changes:
            return self
        states = self.states.copy()
        for cell, state in changes.items():
            states[cell] = state
        return Board(states, self.mines)

    def without_numbers(self, cells: Iterable[Cell]) -> Board:
        """Return a copy in which those of ``cells`` that show a number are unreadable."""
        return self.replace({cell: State.UNREADABLE for cell in cells if self[cell] <= 8})

    @property
    def loose_zeros(self) -> list[Cell]:
        """The zeros that touch covered cells: most games open those, so the zero may be a pressed cell."""
        return cells_where((self.states == 0) & near(self.states == State.COVERED))

    def without_loose_zeros(self) -> Board:
        """Return a copy in which the `loose_zeros` are unreadable: one picture cannot tell what they are."""
        return self.without_numbers(self.loose_zeros)

    def problems(self) -> list[Problem]:
        """Return the visible contradictions in this position, or [] if there are none.

        A cell with a flag may or may not be a mine, and an unreadable cell may be anything. Each number and
        the total are checked separately; only the solver can tell whether any placement of mines fits. A zero
        beside a covered cell is no contradiction: some programs do not open all cells around a zero.
        """
        return [*self._total_problems(), *self._number_problems()]

    def _total_problems(self) -> Iterator[Problem]:
        if self.mines is None:
            return
        places, shown = self.count(*MAY_BE_MINE), self.count(*SHOWN_MINES)
        if self.mines > places:
            yield Problem(None, f"{self.mines} mines do not fit into the {places} cells that could hold them")
        if self.mines < shown:
            yield Problem(None, f"{shown} mines are shown, but there are only {self.mines}")

    def _number_problems(self) -> Iterator[Problem]:
        bounds = bounds_of(self.states)
        for cell in cells_where(bounds.broken):
            number, least, most = self[cell], bounds.least[cell], bounds.most[cell]
            where = f"the {number} at {cell_words(cell)}"
            if number > most:
                few = f"only {counted(most, 'neighbour')}" if most else "no neighbour"
                yield Problem(cell, f"{where} has {few} that could be {'a mine' if most < 2 else 'mines'}")
            if number < least:
                yield Problem(cell, f"{where} touches {counted(least, 'mine')}")
