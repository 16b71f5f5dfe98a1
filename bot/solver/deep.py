"""The choice of a guess by thinking about it for a given time.

If few solutions are left, the tree of moves is searched to its end. Otherwise many games are played out with
each good cell.
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

_PLAYED = 12  # the most cells that games are played out with
_SHARED = 16  # the most solutions in one batch of a thread; all cells are compared on the same solutions
_SLICE = 0.05  # seconds that a batch should take; it is short so that thinking stops soon when asked to
_LARGEST = 10_000  # the most cells of a board on which many games can be played out
# The standard deviation of the look-ahead's error, as a share of the chance to win: at the start of a game,
# and at its end. It was measured between the cells of 314 expert guesses, each played out 400 times, and the
# sampling noise was subtracted.
_SPREAD_FIRST, _SPREAD_LAST = 0.018, 0.045
# The prior variance of the difference between two cells, and its weight as a number of play-outs.
_NOISE, _BEFORE = 0.05, 4
_SURE = 3.0  # standard deviations of a difference that counts as certain
_PLAYER = POLICIES["fast"]  # the policy that plays the games out
_SEED = 1  # the seed for drawing solutions; it is fixed so that results can be repeated
# The tree of moves is searched up to so many solutions: the kernel counts the solutions with a mine in a cell
# in signed 16-bit integers.
_SOLUTIONS = (1 << 15) - 1
_CELLS = 96  # the most unknown cells in that search; nearly all positions with so few solutions have fewer
_NODES = 1 << 18  # the most nodes that the search stores
_ENDLESS = 1 << 62  # a node budget that is never used up
_LOOK = 0.02  # seconds between two checks of the clock
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of thinking: the cell to guess (row by row), and the chance to win with each cell tried.

    ``games`` is the number of play-outs, in all, of the cells that were not ruled out; 0 if the tree of moves
    was searched instead.
    """

    cell: int
    chances: dict[int, float]
    games: int


class Thinker:
    """The arrays of one thread: ``root`` for the position, ``games`` for the games played out from it."""

    def __init__(self, rows: int, cols: int) -> None:
        self.root, self.games = Engine(rows, cols), Playouts(rows, cols)

    def look_at(self, board: Board, first: Cell | None, seed: int) -> bool:
        """Analyse ``board`` and set the seed for drawing solutions; return False if it is too large."""
        self.games.seed[0] = seed
        self.root.risks(board)
        self.root.risks_by_winmine(board, first)
        return self.root.exact

    def candidates(
        self, policy: Policy, among: Container[int] | None
    ) -> tuple[npt.NDArray[np.int32], Chances]:
        """Return the cells to try (those in ``among``; None: all) and their look-ahead values, best first."""
        cells, worths = np.zeros(_PLAYED, np.int32), np.zeros(_PLAYED)
        here, settings = self.root.position, guess_policy(policy)
        count = candidates(self.root.workspace, here, settings, _PLAYED, cells, worths)
        allowed = [among is None or int(cell) in among for cell in cells]
        good = (worths > NEVER) & allowed & (np.arange(_PLAYED) < count)
        best_first = np.flatnonzero(good)[np.argsort(-worths[good], kind="stable")]
        return cells[best_first], worths[best_first]

    def play_out(self, policy: Policy, cells: npt.NDArray[np.int32], samples: int) -> Chances | None:
        """Return the chance to win with each of ``cells``, (samples, len(cells)); None if too large."""
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
    """Return the look-ahead's error (see `_SPREAD_FIRST`) for the share of the position that is unknown."""
    fresh = lgamma(cells + 1) - lgamma(mines + 1) - lgamma(cells - mines + 1)
    unknown = min(1.0, engine.log_solutions / max(fresh, 1.0))
    return unknown * _SPREAD_FIRST + (1.0 - unknown) * _SPREAD_LAST


def _shrunk(worths: Chances, played: Chances, share: float) -> tuple[Chances, Chances]:
    """Return how much better each cell is than the first one, and the standard deviation of that estimate.

    It is the mean of the play-outs, shrunk towards the look-ahead's value: the weights follow from the noise
    of the play-outs and from the look-ahead's error, ``share`` of the chance to win.
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
    """A comparison of cells by play-outs that rules out the worse ones; ``chances`` holds all cells tried."""

    def __init__(self, cells: npt.NDArray[np.int32], worths: Chances, spread: float) -> None:
        self.cells, self._worths, self._spread = cells, worths, spread
        self._played = np.zeros((0, len(cells)))
        self.chances: dict[int, float] = {}

    def add(self, played: Chances) -> None:
        """Add play-outs, (any number, len(cells)), and drop the cells that are certainly not the best."""
        self._played = np.concatenate([self._played, played])
        gains, unsure = _shrunk(self._worths, self._played, self._spread)
        believed = self._played[:, 0].mean() + gains
        self.chances |= zip(map(int, self.cells), map(float, believed), strict=True)
        hopeful = gains + _SURE * unsure >= gains.max() - _SURE * unsure[gains.argmax()]
        self.cells, self._worths = self.cells[hopeful], self._worths[hopeful]
        self._played = self._played[:, hopeful]

    @property
    def result(self) -> Thought:
        """The best cell by the play-outs so far."""
        best = max(map(int, self.cells), key=lambda cell: self.chances[cell])
        return Thought(best, self.chances, self._played.size)


def think(
    board: Board,
    thinking: Thinking,
    policy: Policy,
    first: Cell | None = None,
    among: Container[int] | None = None,
) -> Thought | None:
    """Return the cell to guess on ``board`` when the time of ``thinking`` is over or one is clearly best.

    No cell may be proven safe. If ``policy`` searches late positions, positions with more solutions are
    searched here first, for at most half of the time. Otherwise games are played out with the cells that
    ``policy`` finds good enough and that are in ``among`` (row by row, None: all). If ``first``, the first
    cell opened, is given, the risk of the guess follows winmine's rule, but games are played out on solutions
    drawn as if all were equally likely.

    None if `Engine.guess` should choose: there is one good cell only, so few solutions that the endgame is
    exact, a position too large for the time, or an unknown mine total.
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
    """Return whether the exact search of the endgame chooses the guess."""
    engine.guess(policy)
    return engine.endgame is not None


def _too_slow(thinker: Thinker, cells: npt.NDArray[np.int32], clock: Callable[[], float], end: float) -> bool:
    """Return whether one game for each cell would take longer than the time left; one game is timed for this.

    If games are quick, return False: all cells are then played out once even if the time is over.
    """
    began = clock()
    finished = thinker.play_out(_PLAYER, cells[:1], 1)
    each = clock() - began
    return finished is None or (each > _SLICE and each * len(cells) > end - began)


@lru_cache(maxsize=1)
def _searching(rows: int, cols: int) -> tuple[Engine, Endgame]:
    """Return the arrays for one search at a time, about 50 MB if all of them are used."""
    return Engine(rows, cols), Endgame(rows * cols, _CELLS, 2 * _SOLUTIONS + 2, _NODES)


def searched(
    board: Board, seconds: float, clock: Callable[[], float], stop: Callable[[], bool]
) -> tuple[int, float] | None:
    """Return the cell to open, row by row, and the chance to win that the search found for it.

    The search tries all good cells now, but only the three safest in later positions (all in those with few
    solutions), so the best play may win a little more often. None if there are too many solutions, after
    ``seconds`` of ``clock``, or when ``stop`` returns true.
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
                tree.budget = 0  # this ends the search at once
    cell = search.result()
    return (cell, tree.found / tree.solutions) if cell >= 0 else None
