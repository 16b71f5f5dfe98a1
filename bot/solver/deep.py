"""Thinking about a guess for a given time.

A late position is searched to its end; else every good cell is played out many times.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from math import lgamma, log

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.solver.engine import Engine, guess_policy
from bot.solver.guess import POLICIES, Policy, Thinking
from bot.solver.kernel.endgame import best_of_some
from bot.solver.kernel.guess import NEVER
from bot.solver.kernel.layout import Endgame, Playouts
from bot.solver.kernel.playouts import candidates, compare

_PLAYED = 12  # cells that are played out
_SHARED = 16  # solutions on which all cells left are compared at a time, at most
_SLICE = 0.05  # seconds that this may take, so that thinking can be stopped soon
_LARGEST = 10_000  # cells of a board on which many games can be played out
# The chance to win differs from what the look-ahead says by this share of it, at the beginning of a game and
# at its end: the standard deviation between the cells of 314 expert guesses, each played out 400 times, after
# taking away what chance did.
_SPREAD_FIRST, _SPREAD_LAST = 0.018, 0.045
# What the variance of the difference between two cells is taken for beforehand, and as how many play-outs.
_NOISE, _BEFORE = 0.05, 4
_SURE = 3.0  # standard deviations
_PLAYER = POLICIES["fast"]  # which plays the games
_SEED = 1  # from which solutions are drawn, so that the same is found in the same time
# The tree of moves is searched where there are no more solutions than the kernel counts those in 16 bits in
# which a cell is a mine.
_SOLUTIONS = (1 << 15) - 1
_CELLS = 96  # unknown cells of a position with so few solutions; those of all but odd ones are far fewer
_NODES = 1 << 18  # that are kept
_ENDLESS = 1 << 62
_LOOK = 0.02  # seconds between two looks at the clock
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of thinking: the cell to guess (row by row), and the chance to win with each that was tried.

    ``games`` is how many play-outs the cells that were left in the end had; 0 if the tree was searched to its
    end instead.
    """

    cell: int
    chances: dict[int, float]
    games: int


class Thinker:
    """One thread's arrays: those of a position, its ``root``, and of the ``games`` played out from it."""

    def __init__(self, rows: int, cols: int) -> None:
        self.root, self.games = Engine(rows, cols), Playouts(rows, cols)

    def look_at(self, board: Board, first: Cell | None, seed: int) -> bool:
        """Analyse a position, to draw its solutions from ``seed`` on; return False if it is too large."""
        self.games.seed[0] = seed
        self.root.risks(board)
        self.root.weighed(board, first)
        return self.root.exact

    def candidates(
        self, policy: Policy, among: Container[int] | None
    ) -> tuple[npt.NDArray[np.int32], Chances]:
        """Return the cells to try, the best first, and what the look-ahead says that they are worth."""
        cells, worths = np.zeros(_PLAYED, np.int32), np.zeros(_PLAYED)
        here, settings = self.root.position, guess_policy(policy)
        count = candidates(self.root.workspace, here, settings, _PLAYED, cells, worths)
        allowed = [among is None or int(cell) in among for cell in cells]
        good = (worths > NEVER) & allowed & (np.arange(_PLAYED) < count)
        best_first = np.flatnonzero(good)[np.argsort(-worths[good], kind="stable")]
        return cells[best_first], worths[best_first]

    def play_out(self, policy: Policy, cells: npt.NDArray[np.int32], samples: int) -> Chances | None:
        """Return the chance to win after each of ``cells``, (samples, len(cells)); None if too large."""
        chances = np.zeros(samples * len(cells))
        finished = compare(
            self.root.workspace,
            self.root.position,
            self.games,
            guess_policy(policy),
            cells,
            len(cells),
            samples,
            chances,
        )
        return chances.reshape(samples, len(cells)) if finished else None


@lru_cache(maxsize=1)
def _thinkers(rows: int, cols: int, threads: int) -> list[Thinker]:
    return [Thinker(rows, cols) for _ in range(threads)]


def _spread(engine: Engine, cells: int, mines: int) -> float:
    """Return how far the look-ahead is wrong on the position analysed last, by how much of it is unknown."""
    fresh = lgamma(cells + 1) - lgamma(mines + 1) - lgamma(cells - mines + 1)
    unknown = min(1.0, engine.log_solutions / max(fresh, 1.0))
    return unknown * _SPREAD_FIRST + (1.0 - unknown) * _SPREAD_LAST


def _shrunk(worths: Chances, played: Chances, share: float) -> tuple[Chances, Chances]:
    """Return how much better each cell is than the first by all that is known, and how unsure that is.

    What was played is believed as far as chance leaves room, the look-ahead for the rest, which is wrong by
    ``share`` of the chance to win.
    """
    level = float(played.mean())
    differences = played - played[:, :1]
    count = len(played)
    noise = (differences.var(axis=0) * count + _NOISE * _BEFORE) / (count + _BEFORE) / count
    spread = (share * level) ** 2 + 1e-12
    expected = level * (worths - worths[0])
    believed = spread / (spread + noise)
    gains = expected + believed * (differences.mean(axis=0) - expected)
    gains[0] = 0.0
    return gains, np.sqrt(believed * noise)


class _Contest:
    """The cells that are compared, the play-outs of those that are still in, and what is known of all."""

    def __init__(self, cells: npt.NDArray[np.int32], worths: Chances, spread: float) -> None:
        self.cells, self._worths, self._spread = cells, worths, spread
        self._played = np.zeros((0, len(cells)))
        self.chances: dict[int, float] = {}

    def add(self, played: Chances) -> None:
        """Take in more play-outs, (any, len(cells)), and leave out the cells that can no longer win."""
        self._played = np.concatenate([self._played, played])
        gains, unsure = _shrunk(self._worths, self._played, self._spread)
        believed = self._played[:, 0].mean() + gains
        self.chances |= zip(map(int, self.cells), map(float, believed), strict=True)
        hopeful = gains + _SURE * unsure >= gains.max() - _SURE * unsure[gains.argmax()]
        self.cells, self._worths = self.cells[hopeful], self._worths[hopeful]
        self._played = self._played[:, hopeful]

    @property
    def result(self) -> Thought:
        """What the play-outs so far say."""
        best = max(map(int, self.cells), key=lambda cell: self.chances[cell])
        return Thought(best, self.chances, self._played.size)


def think(
    board: Board,
    thinking: Thinking,
    policy: Policy,
    first: Cell | None = None,
    among: Container[int] | None = None,
) -> Thought | None:
    """Return which cell to guess on ``board``, when ``thinking`` is over or as soon as it is clear.

    Where ``policy`` searches late positions, larger ones are searched here, in half of the time at most.
    Else it says which cells are good enough to be played out, of those ``among`` which is to be chosen (row
    by row, None: all). With ``first``, the first cell of a game under winmine's rule, the guess itself is as
    risky as that rule says; the solutions that it is played out on are drawn as if all were equally likely.

    To be called where no cell is proven safe. None if there is nothing to think about, and `Engine.guess` is
    to choose: only one good cell, so few solutions that the endgame is exact, a position that is too large
    for the time, or a total of mines that is unknown.
    """
    clock, stop = thinking.clock, thinking.stop
    end = clock() + thinking.seconds
    if board.mines is None or board.states.size > _LARGEST:
        return None
    thinkers = _thinkers(*board.shape, thinking.threads)
    counted = [one.look_at(board, first, _SEED + (index << 32)) for index, one in enumerate(thinkers)]
    if not all(counted) or _is_endgame(thinkers[0].root, policy):
        return None
    if policy.search > 0 and first is None and (found := searched(board, thinking.seconds / 2, clock, stop)):
        cell, chance = found
        if among is None or cell in among:
            return Thought(cell, {cell: chance}, 0)
    spread = _spread(thinkers[0].root, board.states.size, board.mines)
    contest = _Contest(*thinkers[0].candidates(policy, among), spread)
    if len(contest.cells) < 2 or _too_slow(thinkers[0], contest.cells, clock, end):
        return None
    samples = 1
    with ThreadPoolExecutor(thinking.threads) as pool:
        while len(contest.cells) > 1 and (clock() < end or not contest.chances) and not stop():
            began, cells = clock(), contest.cells
            batches = list(pool.map(Thinker.play_out, thinkers, *map(repeat, (_PLAYER, cells, samples))))
            if any(batch is None for batch in batches):
                return None
            contest.add(np.concatenate([batch for batch in batches if batch is not None]))
            quick = clock() - began < _SLICE / 2
            samples = min(_SHARED, 2 * samples) if quick else max(1, samples // 2)
    return contest.result if contest.chances else None


def _is_endgame(engine: Engine, policy: Policy) -> bool:
    """Return whether the endgame chooses, which is exact."""
    engine.guess(policy)
    return engine.endgame is not None


def _too_slow(thinker: Thinker, cells: npt.NDArray[np.int32], clock: Callable[[], float], end: float) -> bool:
    """Return whether even one game for each cell takes longer than there is time, by how long one takes.

    Where games are quick, all cells are played out once, whatever the time.
    """
    began = clock()
    finished = thinker.play_out(_PLAYER, cells[:1], 1)
    each = clock() - began
    return finished is None or (each > _SLICE and each * len(cells) > end - began)


@lru_cache(maxsize=1)
def _searching(rows: int, cols: int) -> tuple[Engine, Endgame]:
    """Return the arrays for one search at a time, about 50 MB where all of them are used."""
    return Engine(rows, cols), Endgame(rows * cols, _CELLS, 2 * _SOLUTIONS + 2, _NODES)


def searched(
    board: Board, seconds: float, clock: Callable[[], float], stop: Callable[[], bool]
) -> tuple[int, float] | None:
    """Return which cell to open, row by row, and the chance to win by the play that begins with it.

    All good cells are tried now, and the three safest in every position that follows: the best play may win
    a little more. None if there are too many solutions, or after ``seconds`` of ``clock``, or when ``stop``
    says so.
    """
    end, (engine, tree) = clock() + seconds, _searching(*board.shape)
    engine.risks(board)
    if not engine.exact or engine.log_solutions > log(_SOLUTIONS):
        return None
    tree.budget = _ENDLESS
    with ThreadPoolExecutor(1) as pool:
        arrays = engine.workspace.topology, engine.position, engine.workspace.buffers, tree
        search = pool.submit(best_of_some, *arrays)
        while wait([search], _LOOK).not_done:
            if clock() > end or stop():
                tree.budget = 0  # it comes to its end at once
    cell = search.result()
    return (cell, tree.found / tree.solutions) if cell >= 0 else None
