"""The choice of a guess by thinking about it for a given time: good cells are played out many times."""

from __future__ import annotations

from collections.abc import Callable, Container
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import lgamma

import numpy as np
import numpy.typing as npt

from bot.solver.analysis import Analysis, guess_policy
from bot.solver.guess import POLICIES, Policy, Thinking
from bot.solver.kernel.layout import Playouts
from bot.solver.kernel.look_ahead import NEVER as HOPELESS
from bot.solver.kernel.playouts import candidates
from bot.stop import NEVER, Stop

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
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of thinking: the cell to guess (row by row), and the chance to win with each cell tried.

    ``games`` is the number of play-outs, in all, of the cells that were not ruled out.
    """

    cell: int
    chances: dict[int, float]
    games: int


def good_cells(
    analysis: Analysis, policy: Policy, among: Container[int] | None = None
) -> tuple[npt.NDArray[np.int32], Chances]:
    """Return the cells to play out, the best first, and their look-ahead values; all are in ``among``."""
    cells, worths = np.zeros(_PLAYED, np.int32), np.zeros(_PLAYED)
    _ = analysis.risks  # computed before several threads need them
    count = candidates(analysis.workspace, guess_policy(policy), _PLAYED, cells, worths)
    allowed = [among is None or int(cell) in among for cell in cells]
    good = (worths > HOPELESS) & allowed & (np.arange(_PLAYED) < count)
    best_first = np.flatnonzero(good)[np.argsort(-worths[good], kind="stable")]
    return cells[best_first], worths[best_first]


def look_ahead_error(analysis: Analysis, cells: int, mines: int) -> float:
    """Return the look-ahead's error (see `_SPREAD_FIRST`) for the share of the position that is unknown."""
    fresh = lgamma(cells + 1) - lgamma(mines + 1) - lgamma(cells - mines + 1)
    unknown = min(1.0, analysis.log_solutions / max(fresh, 1.0))
    return unknown * _SPREAD_FIRST + (1.0 - unknown) * _SPREAD_LAST


def shrunk(worths: Chances, played: Chances, share: float) -> tuple[Chances, Chances]:
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

    def goes_on(self, samples: int | None, in_time: bool) -> bool:
        """Return whether more play-outs are wanted: until there are ``samples``, or, without, in time."""
        return not self.chances or (in_time if samples is None else len(self._played) < samples)

    def add(self, played: Chances) -> None:
        """Add play-outs, (any number, len(cells)), and drop the cells that are certainly not the best."""
        self._played = np.concatenate([self._played, played])
        gains, unsure = shrunk(self._worths, self._played, self._spread)
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
    analysis: Analysis,
    *,
    thinking: Thinking,
    policy: Policy,
    among: Container[int] | None = None,
    stop: Stop = NEVER,
) -> Thought | None:
    """Return the cell to guess when the time is over, ``stop`` says so, or one cell is clearly best.

    No cell may be proven safe, and the policy's own endgame must not be exact. Games are played out with the
    cells that ``policy`` finds good enough and that are in ``among`` (row by row, None: all). The risk of the
    guess follows winmine's rule if the analysis does, but games are played out on solutions drawn as if all
    were equally likely.

    None if the policy should choose: there is one good cell only, a position too large for the time, an
    unknown mine total, or no time at all.
    """
    board, clock, samples = analysis.board, thinking.clock, thinking.samples
    end = clock() + thinking.seconds
    if board.mines is None or board.states.size > _LARGEST or not analysis.exact or stop.stopped():
        return None
    spread = look_ahead_error(analysis, board.states.size, board.mines)
    contest = _Contest(*good_cells(analysis, policy, among), spread)
    if len(contest.cells) < 2:
        return None
    played = [Playouts(*board.shape) for _ in range(thinking.threads)]
    for number, games in enumerate(played):
        games.seed[0] = _SEED + (number << 32)
    if not samples and _too_slow(analysis, played[0], contest.cells, clock, end):
        return None
    batch = _SHARED if samples else 1
    with ThreadPoolExecutor(thinking.threads) as pool:
        while len(contest.cells) > 1 and contest.goes_on(samples, clock() < end) and not stop.stopped():
            began, cells = clock(), contest.cells
            tasks = [pool.submit(analysis.play_out, games, _PLAYER, cells, batch) for games in played]
            results = [task.result() for task in tasks]
            if any(chances is None for chances in results):
                return None
            contest.add(np.concatenate([chances for chances in results if chances is not None]))
            if not samples:
                quick = clock() - began < _SLICE / 2
                batch = min(_SHARED, 2 * batch) if quick else max(1, batch // 2)
    return contest.result if contest.chances else None


def _too_slow(
    analysis: Analysis, games: Playouts, cells: npt.NDArray[np.int32], clock: Callable[[], float], end: float
) -> bool:
    """Return whether one game for each cell would take longer than the time left; one game is timed for this.

    If games are quick, return False: all cells are then played out once even if the time is over.
    """
    began = clock()
    finished = analysis.play_out(games, _PLAYER, cells[:1], 1)
    each = clock() - began
    return finished is None or (each > _SLICE and each * len(cells) > end - began)
