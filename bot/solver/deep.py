"""Thinking about a guess for as long as one likes: every good cell is played out many times."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from math import log

import numpy as np
import numpy.typing as npt

from bot.board import Board
from bot.solver.engine import Engine
from bot.solver.kernel.layout import SCALE, SOLUTIONS, position
from bot.solver.kernel.playouts import candidates, compare
from bot.solver.policies import POLICIES, Policy

_MOST = 12  # cells that are played out
_SHARED = 16  # solutions on which all cells left are compared at a time
# The true chance to win differs from what the look-ahead says by this share of it: the standard deviation of
# 87,000 guesses that were played out, after taking away what chance did.
_SPREAD = 0.04
_SURE = 3.0  # standard deviations
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thought:
    """What thinking led to: the cell to guess (row by row), and how often each one tried would win."""

    cell: int
    chances: dict[int, float]
    games: int


class Thinker:
    """One thread's arrays: those of a position, and those of the games that are played out from it."""

    def __init__(self, board: Board, seed: int) -> None:
        cells = board.rows * board.cols
        self.root, self.inner = Engine(*board.shape), Engine(*board.shape)
        self.other = position(cells)
        self.seed = np.array([seed], np.int64)
        self.boards = np.zeros(3 * cells, np.int8)
        self.counted = self.root.risks(board) is not None

    def few(self, policy: Policy) -> bool:
        """Return whether the position has no more solutions than ``policy`` plays out exactly."""
        facts = self.root.mind.work.facts
        return policy.endgame >= 1 and log(facts[SOLUTIONS]) + facts[SCALE] <= log(policy.endgame) + 1e-9

    def candidates(self, policy: Policy) -> tuple[npt.NDArray[np.int32], Chances]:
        """Return the cells to try, and what the look-ahead says that they are worth."""
        cells, worths = np.zeros(_MOST, np.int32), np.zeros(_MOST)
        settings = np.array(policy, np.float64)
        count = candidates(self.root.mind, self.root.position, settings, cells, worths)
        taught = worths[:count] > -1e100
        return cells[:count][taught], worths[:count][taught]

    def play_out(self, policy: Policy, cells: npt.NDArray[np.int32]) -> Chances | None:
        """Return the chance to win after each of ``cells``, (_SHARED, len(cells)); None if too large."""
        chances = np.zeros(_SHARED * len(cells))
        settings = np.array(policy, np.float64)
        mind, here = self.root.mind, self.root.position
        finished = compare(
            mind, here, self.inner.mind, self.other, settings, cells, self.seed, self.boards, chances
        )
        return chances.reshape(_SHARED, len(cells)) if finished else None


def _shrunk(worths: Chances, played: Chances) -> tuple[Chances, Chances]:
    """Return how much better each cell is than the first by all that is known, and how unsure that is.

    What was played is believed as far as chance leaves room, the look-ahead for the rest.
    """
    level = float(played.mean())
    differences = played - played[:, :1]
    noise = differences.var(axis=0) / len(played) + 1e-12
    spread = (_SPREAD * level) ** 2 + 1e-12
    expected = level * (worths - worths[0])
    believed = spread / (spread + noise)
    gains = expected + believed * (differences.mean(axis=0) - expected)
    gains[0] = 0.0
    return gains, np.sqrt(believed * noise)


def think(
    board: Board,
    seconds: float,
    clock: Callable[[], float],
    *,
    threads: int = 1,
    policy: Policy = POLICIES["best"],
    played_by: Policy = POLICIES["fast"],
    seed: int = 1,
) -> Thought | None:
    """Return which cell to guess on ``board``, after ``seconds`` of ``clock`` or as soon as it is clear.

    ``policy`` says which cells are good enough to be played out; the games are played by ``played_by``, on
    solutions drawn from ``seed`` on, in ``threads`` threads. To be called where no cell is proven safe.
    None if there is nothing to think about, and `Engine.guess` is to choose: only one good cell, so few
    solutions that the endgame is exact, a position that is too large, or a total of mines that is unknown.
    """
    end = clock() + seconds
    if board.mines is None:
        return None
    thinkers = [Thinker(board, seed + (index << 32)) for index in range(threads)]
    if not thinkers[0].counted or thinkers[0].few(policy):
        return None
    cells, worths = thinkers[0].candidates(policy)
    if len(cells) < 2:
        return None
    best_first = np.argsort(-worths, kind="stable")
    cells, worths = cells[best_first], worths[best_first]
    left = np.arange(len(cells))
    played = np.zeros((0, len(cells)))
    with ThreadPoolExecutor(threads) as pool:
        while len(left) > 1 and (clock() < end or not len(played)):
            rules, tries = repeat(played_by), repeat(cells[left])
            batches = list(pool.map(Thinker.play_out, thinkers, rules, tries))
            if any(batch is None for batch in batches):
                return None
            played = np.concatenate([played, *(batch for batch in batches if batch is not None)])
            gains, unsure = _shrunk(worths[left], played)
            hopeful = gains + _SURE * unsure >= gains.max() - _SURE * unsure[gains.argmax()]
            left, played = left[hopeful], played[:, hopeful]
    gains, _ = _shrunk(worths[left], played)
    chances = dict(zip(map(int, cells[left]), map(float, played.mean(axis=0)), strict=True))
    return Thought(int(cells[left[gains.argmax()]]), chances, played.size)
