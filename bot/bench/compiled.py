"""Playing a unit inside the compiled kernel."""

from __future__ import annotations

import time
from functools import lru_cache
from threading import get_ident

import numpy as np

from bot.bench.plan import Played, Unit
from bot.bench.playing import DECIDING, play_one
from bot.board import FirstClick
from bot.game.boards import mines_of_games
from bot.solver.engine import Engine
from bot.solver.kernel.play import play_many
from bot.solver.policies import POLICIES


@lru_cache(maxsize=8)
def _engine(rows: int, cols: int, _thread: int) -> Engine:
    return Engine(rows, cols)


def play_compiled(unit: Unit) -> Played:
    """Play the games of ``unit``, whose strategy is one of the kernel's policies."""
    boards = unit.boards
    seeds = range(boards.seed + unit.start, boards.seed + unit.stop)
    mined = mines_of_games(boards.rows, boards.cols, boards.mines, seeds, boards.first, boards.rule)
    engine = _engine(boards.rows, boards.cols, get_ident())
    mind, position = engine.mind, engine.position
    policy = np.array(POLICIES[unit.strategy], np.float64)
    won, guesses = np.zeros(len(mined), np.int8), np.zeros(len(mined), np.int32)
    numbers = np.zeros(mined.shape[1], np.int8)
    first = boards.first.row * boards.cols + boards.first.col
    moved = boards.rule is FirstClick.WINMINE

    def seconds(begin: int, end: int) -> float:
        there, results = mined[begin:end].ravel(), (won[begin:end], guesses[begin:end])
        began = time.perf_counter()
        play_many(mind, position, policy, there, boards.mines, first, moved, *results, numbers)
        return time.perf_counter() - began

    # The kernel has no clock, so that games are handed to it one by one; what a call costs is no thinking.
    call = min(seconds(0, 0) for _ in range(25))
    ms = [1000 * max(0.0, seconds(game, game + 1) - call) for game in range(len(mined))]
    for game in np.flatnonzero(won < 0).tolist():  # a position was too much for the kernel
        with DECIDING:
            won[game], times, guesses[game] = play_one(boards, unit.strategy, unit.start + game)
        ms[game] = 1000 * sum(times)
    return Played(tuple(map(bool, won.tolist())), tuple(round(t, 4) for t in ms), tuple(guesses.tolist()))
