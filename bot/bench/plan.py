"""Boards, units of work and their results: what a benchmark plays."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import bot.solver
from bot.bench.statistics import Durations, durations
from bot.board import Board, Cell, FirstClick
from bot.errors import UsageError
from bot.levels import Level, check_level, name_of, parse_level
from bot.solver import STRATEGIES, Strategy, decide

SMALLEST, LARGEST = (1, 1), (200, 200)  # rows and columns
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
    def size(self) -> str:
        """ROWSxCOLS/MINES."""
        return str(Level(self.rows, self.cols, self.mines))

    @property
    def level(self) -> str:
        """The name of the level, ROWSxCOLS/MINES if it has none."""
        return name_of(Level(self.rows, self.cols, self.mines)) or self.size

    @property
    def density(self) -> float:
        """The share of the cells that are mines."""
        return self.mines / (self.rows * self.cols)


@dataclass(frozen=True, slots=True)
class Against:
    """The strategy with whose guesses others are compared, and how many games are played out for each."""

    strategy: Strategy
    games: int


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How the games of a run are played.

    With ``by_move`` each decision is made on its own, as in play on the screen. ``against`` is the strategy
    with whose guesses each guess is compared, if any. Without ``guess`` a game ends where nothing is proven.
    """

    by_move: bool = False
    against: Against | None = None
    guess: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """The games of one strategy on the boards from number ``start`` up to, not including, ``stop``.

    What the strategy has learned does not change, so that no game depends on those before. ``solver`` is the
    `fingerprint` of the sources that must play.
    """

    boards: Boards
    strategy: Strategy
    start: int
    stop: int
    options: PlayOptions
    solver: str


@dataclass(frozen=True, slots=True)
class OneGame:
    """How a game went: won, milliseconds of each decision, guesses; ``stuck`` if it ended before a guess.

    ``advantages`` are those of the guesses that differ from the other strategy's, if there is one.
    """

    won: bool
    ms: Sequence[float]
    guesses: int
    advantages: Sequence[float] = ()
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class UnitResult:
    """How the games of a unit went, in their order: won, milliseconds of thinking, guesses.

    ``slowest`` is the milliseconds of the longest decision, and ``decisions`` how long all of them took.
    ``gained`` and ``differing`` are the sum and the number of the advantages of each game, if wanted.
    ``stuck`` are the numbers of the games, from 0, that ended before a guess.
    ``memory`` is the most megabytes of memory that the process has used, 0.0 if unknown.
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
        """Return the results of games as one unit."""
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


def parse_size(text: str) -> tuple[int, int, int]:
    """Return rows, columns and mines of a level's name or ROWSxCOLS/MINES.

    Raises UsageError if it is neither, or no board that can be played.
    """
    level = parse_level(text, SMALLEST, LARGEST)
    return level.rows, level.cols, level.mines


def parse_sizes(levels: Sequence[str], mines: str | None) -> list[tuple[int, int, int]]:
    """Return rows, columns and mines of all boards, each once; ``mines`` replaces theirs, such as 80,90,99.

    Raises UsageError if one is no board that can be played.
    """
    sizes = [parse_size(level) for level in levels]
    if mines is not None:
        try:
            counts = [int(count) for count in mines.split(",")]
        except ValueError:
            raise UsageError(f"--mines {mines}: give numbers, such as 80,90,99") from None
        sizes = [(rows, cols, count) for rows, cols, _ in sizes for count in counts]
        for size in sizes:
            check_level(Level(*size), SMALLEST, LARGEST)
    return list(dict.fromkeys(sizes))


def parse_first(text: str | None, rows: int, cols: int, mines: int, rule: FirstClick) -> Cell:
    """Return the first cell to open: corner, center or ROW,COL; None is the cell that the solver opens.

    Raises UsageError if the text is nothing of that, or a cell off the board.
    """
    if text is None:
        return (
            decide(Board.covered(rows, cols, mines), rule=rule, strategy=STRATEGIES["counting"]).moves[0].cell
        )
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


def parse_against(strategies: Sequence[Strategy], rule: FirstClick, games: int | None) -> Against | None:
    """Return the strategy with which guesses are compared, None if ``games`` to play out are not given.

    Raises UsageError if the first of ``strategies`` cannot play out, or there is no other.
    """
    if games is None:
        return None
    if len(strategies) < 2:
        raise UsageError("--advantages compares strategies: give two or more with --strategy")
    if not strategies[0].plays_in_kernel:
        raise UsageError(f"--advantages: {strategies[0]} comes first and cannot play out: fast and best can")
    if rule is FirstClick.WINMINE:
        raise UsageError("--advantages draws all solutions alike, which is wrong with --rule winmine")
    return Against(strategies[0], games)


def unit_size(boards: Boards, strategy: Strategy, options: PlayOptions) -> int:
    """Return how many games make a unit that is worth sending to a process or another machine."""
    if options.against is not None or strategy.can_think:
        return 1
    games = _CELLS_IN_UNIT // max(480, boards.rows * boards.cols)
    if options.by_move or not options.guess or strategy.policy is None:
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
    """Return a short text that changes with the sources of the solver, whose games must not be mixed."""
    sources = hashlib.sha256()
    for path in sorted(Path(bot.solver.__file__).parent.rglob("*.py")):
        sources.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return sources.hexdigest()[:16]
