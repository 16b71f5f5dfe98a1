"""What a benchmark plays: boards of one kind by their numbers, in units of work; and how these went."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bot.solver
from bot.board import Board, Cell, FirstClick
from bot.errors import UsageError
from bot.solver import decide
from bot.solver.policies import POLICIES

LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
LARGEST = 200  # rows and columns
_SIZE = re.compile(r"(\d{1,4})[x×](\d{1,4})/(\d{1,6})", re.ASCII)
_CELL = re.compile(r"(\d{1,4}),(\d{1,4})", re.ASCII)
_CELLS_IN_UNIT = 500 * 480  # about 0.1 s of expert games in the kernel
_SLOWER = 25  # so many times fewer games in a unit that is decided move by move


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards of one kind: number ``i`` is drawn with seed ``seed + i`` when cell ``first`` is opened."""

    rows: int
    cols: int
    mines: int
    rule: FirstClick
    first: Cell
    seed: int

    @property
    def level(self) -> str:
        """The name of the level, ROWSxCOLS/MINES if it has none."""
        size = (self.rows, self.cols, self.mines)
        names = {known: name for name, known in LEVELS.items()}
        return names.get(size, f"{self.rows}x{self.cols}/{self.mines}")

    @property
    def density(self) -> float:
        """The share of the cells that are mines."""
        return self.mines / (self.rows * self.cols)


@dataclass(frozen=True, slots=True)
class Unit:
    """The games of one strategy on the boards from number ``start`` up to, not including, ``stop``.

    With ``by_move`` every move is asked for on its own, as a player on the screen does. ``solver`` tells
    which sources shall play: those of `fingerprint`.
    """

    boards: Boards
    strategy: str
    start: int
    stop: int
    by_move: bool
    solver: str


@dataclass(frozen=True, slots=True)
class Played:
    """How the games of a unit went, in their order: won, milliseconds of thinking, guesses.

    ``slowest`` is the milliseconds of the longest decision, 0.0 where only whole games were timed.
    """

    won: tuple[bool, ...]
    ms: tuple[float, ...]
    guesses: tuple[int, ...]
    slowest: float = 0.0


def parse_size(text: str) -> tuple[int, int, int]:
    """Return rows, columns and mines of a level's name or ROWSxCOLS/MINES.

    Raises UsageError if it is neither, or no board that can be played.
    """
    if text in LEVELS:
        return LEVELS[text]
    found = _SIZE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no level: give {', '.join(LEVELS)} or ROWSxCOLS/MINES")
    rows, cols, mines = (int(number) for number in found.groups())
    check_size(rows, cols, mines)
    return rows, cols, mines


def check_size(rows: int, cols: int, mines: int) -> None:
    """Raise UsageError unless games can be played on such boards."""
    if not (1 <= rows <= LARGEST and 1 <= cols <= LARGEST):
        raise UsageError(f"boards of {rows}x{cols} are not played: give 1 to {LARGEST} rows and columns")
    if not 1 <= mines < rows * cols:
        raise UsageError(f"{mines} mines on {rows}x{cols} cells: give 1 to {rows * cols - 1}")


def parse_first(text: str | None, rows: int, cols: int, mines: int, rule: FirstClick) -> Cell:
    """Return the first cell to open: corner, center or ROW,COL; None is the cell that the solver opens.

    Raises UsageError if the text is nothing of that, or a cell off the board.
    """
    if text is None:
        return decide(Board.covered(rows, cols, mines), rule=rule, strategy="counting").moves[0].cell
    named = {"corner": Cell(0, 0), "center": Cell(rows // 2, cols // 2)}
    if text in named:
        return named[text]
    found = _CELL.fullmatch(text)
    if found is None:
        raise UsageError(f"--first {text}: give corner, center or ROW,COL, counted from 0")
    cell = Cell(int(found[1]), int(found[2]))
    if cell.row >= rows or cell.col >= cols:
        raise UsageError(f"--first {text} is off a board of {rows}x{cols}: rows and columns count from 0")
    return cell


def unit_size(boards: Boards, strategy: str, by_move: bool) -> int:
    """Return how many games make a unit that is long enough to be handed to a process or another machine."""
    games = _CELLS_IN_UNIT // max(480, boards.rows * boards.cols)
    if by_move or strategy not in POLICIES:
        games //= _SLOWER
    return max(1, games)


def pieces(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut a range into ranges that end at multiples of ``size``."""
    while start < stop:
        end = min(stop, (start // size + 1) * size)
        yield start, end
        start = end


@cache
def fingerprint() -> str:
    """Return a short text that changes with the sources of the solver: games of two of them do not mix."""
    sources = hashlib.sha256()
    for path in sorted(Path(bot.solver.__file__).parent.rglob("*.py")):
        sources.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return sources.hexdigest()[:16]
