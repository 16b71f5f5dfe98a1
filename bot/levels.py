"""Levels of difficulty, and the tables of usual board sizes.

A level is beginner, intermediate or expert, a level of a game with other sizes for these names, or any size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.board import Board
from bot.errors import UsageError

_SIZE = re.compile(r"(\d{1,4})[x×](\d{1,4})/(\d{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Level:
    """The size of a board and its number of mines."""

    rows: int
    cols: int
    mines: int

    @classmethod
    def of(cls, board: Board) -> Level:
        """Return the level of ``board``; its ``mines`` are 0 if the total is unknown."""
        return cls(board.rows, board.cols, board.mines or 0)

    def __str__(self) -> str:
        size = f"{self.rows}x{self.cols}"
        return f"{size}/{self.mines}" if self.mines else size

    @property
    def size(self) -> tuple[int, int]:
        """The number of rows and the number of columns."""
        return self.rows, self.cols

    @property
    def name(self) -> str:
        """The name of the level in `LEVELS`, or "custom" if it is not there."""
        return name_of(self) or "custom"


BEGINNER = Level(9, 9, 10)
INTERMEDIATE = Level(16, 16, 40)
EXPERT = Level(16, 30, 99)
LEVELS: Mapping[str, Level] = {"beginner": BEGINNER, "intermediate": INTERMEDIATE, "expert": EXPERT}
OLD_LEVELS: Mapping[str, Level] = {**LEVELS, "beginner": Level(8, 8, 10)}  # Windows 3.1, GNOME and clones
XDEMINEUR_LEVELS: Mapping[str, Level] = {"expert": Level(16, 30, 100)}
GOOGLE_LEVELS: Mapping[str, Level] = {
    "easy": Level(8, 10, 10),
    "medium": Level(14, 18, 40),
    "hard": Level(20, 24, 99),
}
LARGEST_SIDE = 200  # rows or columns of a board that is read, solved in a benchmark, or recorded
SMALLEST_CUSTOM, LARGEST_CUSTOM = Level(9, 9, 10), Level(24, 30, 667)  # limits of winmine and WineMine

# Number of mines by (rows, columns): for the classic levels, and for all common levels.
CLASSIC_MINES: Mapping[tuple[int, int], int] = {
    level.size: level.mines for level in (*LEVELS.values(), *OLD_LEVELS.values())
}
USUAL_MINES: Mapping[tuple[int, int], int] = {
    **CLASSIC_MINES,
    (EXPERT.cols, EXPERT.rows): EXPERT.mines,  # expert with rows and columns exchanged
    **{level.size: level.mines for level in GOOGLE_LEVELS.values()},
}
# Many small programs have one level, of 10 rows and columns, with any number of mines.
USUAL_SIZES = frozenset({*USUAL_MINES, LARGEST_CUSTOM.size, (10, 10)})


def name_of(level: Level, levels: Mapping[str, Level] = LEVELS) -> str | None:
    """Return the name of ``level`` in ``levels``, or None if it is not there."""
    return next((name for name, known in levels.items() if known == level), None)


def parse_size(text: str) -> Level | None:
    """Return the level written as ROWSxCOLS/MINES, without checking its size; None for any other text."""
    size = _SIZE.fullmatch(text)
    return None if size is None else Level(int(size[1]), int(size[2]), int(size[3]))


def parse_level(text: str, smallest: tuple[int, int], largest: tuple[int, int]) -> Level:
    """Return the level that ``text`` names: a name in `LEVELS`, or ROWSxCOLS/MINES.

    ``smallest`` and ``largest`` are the allowed (rows, columns) of the second form. Raises UsageError if the
    text is not a level, or if its size or its number of mines is not allowed.
    """
    level = LEVELS.get(text) or parse_size(text)
    if level is None:
        raise UsageError(f"{text!r} is not a level: use {', '.join(LEVELS)} or ROWSxCOLS/MINES")
    if text not in LEVELS:
        check_level(level, smallest, largest)
    return level


def check_level(level: Level, smallest: tuple[int, int], largest: tuple[int, int]) -> None:
    """Raise UsageError unless ``level`` has an allowed size, at least one mine and one cell without one."""
    rows_fit = smallest[0] <= level.rows <= largest[0]
    if not (rows_fit and smallest[1] <= level.cols <= largest[1]):
        raise UsageError(
            f"a board of {level.rows} x {level.cols} cannot be shown: "
            f"give {smallest[0]} to {largest[0]} rows and {smallest[1]} to {largest[1]} columns"
        )
    most = level.rows * level.cols - 1
    if not most:
        raise UsageError("a board of 1 x 1 has no room for a mine beside the first click")
    if not 1 <= level.mines <= most:
        raise UsageError(
            f"{level.rows} x {level.cols} cells cannot hold {level.mines} mines: give 1 to {most}"
        )
