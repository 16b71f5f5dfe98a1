"""The boards, the units of work and their results in a benchmark."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeGuard

import bot.solver
from bot.bench.statistics import Durations, durations
from bot.board import Board, Cell, FirstClick
from bot.errors import UsageError
from bot.game.simulation import Game
from bot.levels import LARGEST_SIDE, Level, check_level, name_of, parse_level
from bot.solver import STRATEGIES, Strategy, decide
from bot.solver.strategies import CompiledStrategy

SMALLEST, LARGEST = (1, 1), (LARGEST_SIDE, LARGEST_SIDE)  # rows and columns
_CELL = re.compile(r"(\d{1,4}),(\d{1,4})", re.ASCII)
_CELLS_IN_UNIT = 500 * 480  # about 0.1 s of expert games in the kernel
_SLOWER = 25  # a unit has this many times fewer games if each move is decided on its own


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards of one kind; board number ``i`` has the seed ``seed + i`` and is opened at ``first``."""

    rows: int
    cols: int
    mines: int
    rule: FirstClick
    first: Cell
    seed: int

    @property
    def size(self) -> str:
        """The size as ROWSxCOLS/MINES."""
        return str(Level(self.rows, self.cols, self.mines))

    @property
    def level(self) -> str:
        """The name of the level, or its size if it has no name."""
        return name_of(Level(self.rows, self.cols, self.mines)) or self.size

    def game(self, number: int) -> Game:
        """Return game ``number``, whose first cell is opened."""
        game = Game(self.rows, self.cols, self.mines, self.seed + number, self.rule)
        game.open(self.first)
        return game

    @property
    def density(self) -> float:
        """The share of the cells that are mines."""
        return self.mines / (self.rows * self.cols)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The strategy with which others are compared, and how many games to play out for each guess."""

    strategy: CompiledStrategy
    games: int


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How the games of a run are played.

    With ``by_move`` each move is decided on its own, as in play on the screen. ``against`` holds the strategy
    to compare guesses with, None to compare none. Without ``guess``, a game stops when nothing can be proven.
    """

    by_move: bool = False
    against: Comparison | None = None
    guess: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """The games of one strategy on the boards with numbers from ``start`` to ``stop - 1``.

    What the strategy has learned does not change during the games, so that no game depends on earlier ones.
    ``solver`` is the `fingerprint` that the solver's source code must have.
    """

    boards: Boards
    strategy: Strategy
    start: int
    stop: int
    options: PlayOptions
    solver: str


@dataclass(frozen=True, slots=True)
class OneGame:
    """The result of one game: won, milliseconds of each decision, number of guesses.

    ``advantages`` has a value for each guess unlike the other strategy's. ``stuck``: ended before a guess.
    """

    won: bool
    ms: Sequence[float]
    guesses: int
    advantages: Sequence[float] = ()
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The results of the games of a unit, in order: won, milliseconds of thinking, number of guesses.

    ``slowest`` is the longest decision in milliseconds; ``decisions`` counts all decisions by length.
    ``gained`` and ``differing`` are the sum and number of each game's advantages, if wanted. ``stuck`` are
    the indices, from 0, of the games that stopped before a guess. ``memory`` is the peak memory of the
    process in megabytes, 0.0 if unknown.
    """

    won: tuple[bool, ...]
    ms: tuple[float, ...]
    guesses: tuple[int, ...]
    slowest: float = 0.0
    decisions: Durations = field(default_factory=dict)
    gained: tuple[float, ...] = ()
    differing: tuple[int, ...] = ()
    memory: float = 0.0
    stuck: tuple[int, ...] = ()

    @classmethod
    def of(cls, games: Sequence[OneGame], *, against: bool) -> UnitResult:
        """Return the results of several games as one unit; ``against`` says whether guesses were compared."""
        ms = [milliseconds for game in games for milliseconds in game.ms]
        return cls(
            tuple(game.won for game in games),
            tuple(round(sum(game.ms), 4) for game in games),
            tuple(game.guesses for game in games),
            round(max(ms, default=0.0), 4),
            durations(ms),
            tuple(round(sum(game.advantages), 6) for game in games) if against else (),
            tuple(len(game.advantages) for game in games) if against else (),
            stuck=tuple(number for number, game in enumerate(games) if game.stuck),
        )


def boards_of(
    levels: Sequence[str], mines: str | None, first: str | None, rule: FirstClick, seed: int
) -> list[Boards]:
    """Return the boards of each level; ``mines``, such as 80,90,99, replaces the numbers of mines.

    Raises UsageError for a text that is wrong, or if one of the boards cannot be played.
    """
    sizes = [parse_level(level, SMALLEST, LARGEST) for level in levels]
    if mines is not None:
        try:
            counts = [int(count) for count in mines.split(",")]
        except ValueError:
            raise UsageError(f"--mines {mines}: give numbers, such as 80,90,99") from None
        sizes = [replace(size, mines=count) for size in sizes for count in counts]
        for size in sizes:
            check_level(size, SMALLEST, LARGEST)
    return [
        Boards(size.rows, size.cols, size.mines, rule, parse_first(first, size, rule), seed) for size in sizes
    ]


def parse_first(text: str | None, level: Level, rule: FirstClick) -> Cell:
    """Return the cell to open first: corner, center or ROW,COL; None means the choice of the solver.

    Raises UsageError if ``text`` is none of these, or if the cell is off the board.
    """
    if text is None:
        board = Board.covered(level.rows, level.cols, level.mines)
        return decide(board, rule=rule, strategy=STRATEGIES["counting"]).moves[0].cell
    named = {"corner": Cell(0, 0), "center": Cell(level.rows // 2, level.cols // 2)}
    if text in named:
        return named[text]
    found = _CELL.fullmatch(text)
    if found is None:
        raise UsageError(f"--first {text}: give corner, center or ROW,COL, counted from 1")
    cell = Cell(int(found[1]) - 1, int(found[2]) - 1)
    if not (0 <= cell.row < level.rows and 0 <= cell.col < level.cols):
        size = f"{level.rows}x{level.cols}"
        raise UsageError(f"--first {text} is off a board of {size}: rows and columns count from 1")
    return cell


def parse_against(strategies: Sequence[Strategy], games: int | None) -> Comparison | None:
    """Return the first strategy, with ``games`` to play out, to compare the others with; None without games.

    Raises UsageError without a second strategy, or with a first that cannot play out.
    """
    if games is None:
        return None
    if len(strategies) < 2:
        raise UsageError("--advantages compares strategies: give two or more with --strategy")
    if not plays_in_kernel(strategies[0]):
        raise UsageError(f"--advantages: {strategies[0]} cannot play games out; name fast or best first")
    return Comparison(strategies[0], games)


def plays_in_kernel(strategy: Strategy) -> TypeGuard[CompiledStrategy]:
    """Return whether the compiled kernel can play whole games with ``strategy``."""
    return isinstance(strategy, CompiledStrategy) and strategy.policy.price == 0


def unit_size(boards: Boards, strategy: Strategy, options: PlayOptions) -> int:
    """Return how many games make a unit that is worth sending to another process or machine."""
    if options.against is not None or (isinstance(strategy, CompiledStrategy) and strategy.policy.price > 0):
        return 1
    games = _CELLS_IN_UNIT // max(480, boards.rows * boards.cols)
    if options.by_move or not options.guess or not plays_in_kernel(strategy):
        games //= _SLOWER
    return max(1, games)


@cache
def fingerprint() -> str:
    """Return a hash of the solver and what it learned; games of different solvers must not be mixed."""
    sources, folder = hashlib.sha256(), Path(bot.solver.__file__).parent
    files = (path for kind in ("*.py", "*.npz", "*.csv") for path in folder.rglob(kind))
    for path in sorted(files):
        sources.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return sources.hexdigest()[:16]
