"""The advantage of a guess over that of another strategy, by playing out both.

The difference of two win rates is the mean, over the games of one strategy, of the sum of the advantages of
its guesses over those of the other, where the other strategy plays on after each. Both guesses are played out
on the same random solutions of the position, as far as possible. This takes about a hundredth of the games
that outcomes alone would take to show a difference.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bot.bench.plan import Against
from bot.board import Board, Cell, FirstClick
from bot.errors import BenchmarkError
from bot.solver import decide
from bot.solver.engine import Engine, guess_policy
from bot.solver.kernel.layout import Playouts
from bot.solver.kernel.playouts import compare
from bot.solver.policies import Policy

_AT_A_TIME = 32  # play-outs in one call of the kernel, which cannot be stopped


def advantage(board: Board, guess: Cell, rule: FirstClick, against: Against, seed: int) -> float | None:
    """Return how much more likely ``guess`` wins than what the other strategy opens; None if it is that.

    All solutions of ``board`` are taken as equally likely. ``seed`` draws them. Raises BenchmarkError if the
    position is too large to be played out. For one thread at a time.
    """
    other = decide(board, rule=rule, strategy=against.strategy).moves[0].cell
    if other == guess:
        return None
    root, _ = _root(*board.shape)
    risks = root.risks(board)
    root.workspace.buffers.risk[:] = np.nan_to_num(risks.ravel())  # counting leaves out what it has settled
    possible = [cell for cell in (other, guess) if risks[cell] < 1.0]
    policy = against.strategy.policy
    assert policy is not None, "`parse_against` takes only strategies with a policy"
    played = _played_out(board, possible, policy, against.games, seed)
    chances = dict(zip(possible, played, strict=True))
    return chances.get(guess, 0.0) - chances.get(other, 0.0)


@lru_cache(maxsize=2)
def _root(rows: int, cols: int) -> tuple[Engine, Playouts]:
    return Engine(rows, cols), Playouts(rows, cols)


def _played_out(board: Board, cells: list[Cell], policy: Policy, games: int, seed: int) -> list[float]:
    """Return the chance to win after each of ``cells``, as ``policy`` plays on."""
    root, playouts = _root(*board.shape)
    indices = np.array([cell.row * board.cols + cell.col for cell in cells], np.int32)
    playouts.seed[0] = seed
    sums, played = np.zeros(len(cells)), 0
    while played < games:
        count = min(_AT_A_TIME, games - played)
        chances = np.zeros(count * len(cells))
        if not compare(
            root.workspace,
            root.position,
            playouts,
            guess_policy(policy),
            indices,
            len(cells),
            count,
            chances,
        ):
            raise BenchmarkError("--advantages: this board has a position that is too large to be played out")
        sums += chances.reshape(count, -1).sum(axis=0)
        played += count
    return list(map(float, sums / games))
