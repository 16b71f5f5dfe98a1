"""Play benchmark games inside the compiled kernel: units of games, and the advantages of guesses.

The advantage of a guess is how much likelier it wins than the guess of another strategy, if the other
strategy plays on after both. The mean over its games of the sum of these advantages is the difference of the
two win rates. Both guesses are played out on the same random solutions as far as possible. This needs about a
hundredth of the games needed to show a difference by wins and losses alone.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from bot.bench.plan import Comparison, OneGame, Unit, plays_in_kernel
from bot.board import Board, Cell, FirstClick
from bot.errors import BenchmarkError
from bot.game.simulation import mines_of_games
from bot.solver import decide
from bot.solver.analysis import analyse, guess_policy
from bot.solver.kernel.layout import Playouts, Workspace
from bot.solver.kernel.play import LOST, WON, WRONG, advance, begin_game

_AT_A_TIME = 32  # play-outs in one call of the kernel, which cannot be interrupted


def _clock() -> float:
    """Return this thread's CPU time in seconds; on Windows, which measures it too coarsely, wall time."""
    return time.perf_counter() if sys.platform == "win32" else time.thread_time()


def play_compiled(unit: Unit) -> list[OneGame]:
    """Play the games of ``unit``, whose strategy must be one of the kernel's policies.

    One decision is all the thinking between two guesses: the kernel has no clock, so it is called once for
    each. Raises BenchmarkError if a proof is wrong: a cell proven safe is a mine, or the other way round.
    """
    boards = unit.boards
    seeds = range(boards.seed + unit.start, boards.seed + unit.stop)
    mined = mines_of_games(boards.rows, boards.cols, boards.mines, seeds, boards.first, boards.rule)
    assert plays_in_kernel(unit.strategy)
    workspace, policy = Workspace(boards.rows, boards.cols), guess_policy(unit.strategy.policy)
    numbers, first = np.zeros(mined.shape[1], np.int8), boards.first.row * boards.cols + boards.first.col
    moved = first if boards.rule is FirstClick.WINMINE else -1

    def opened(cell: int) -> tuple[int, float]:
        """Open a cell and think; return the next guess, or LOST, WON or WRONG, and the milliseconds."""
        began = _clock()
        after = advance(workspace, policy, numbers, cell, moved)
        return after, 1000 * (_clock() - began)

    numbers.fill(-1)  # every cell counts as a mine, so each game ends at once
    call = min(opened(0)[1] for _ in range(25))  # milliseconds of a kernel call with nothing to decide
    games = list[OneGame]()
    for number, mines in enumerate(mined, unit.start):
        begin_game(workspace, mines, numbers, boards.mines)
        cell, took = opened(first)
        ms, guesses = list[float](), 0
        while cell != LOST:
            ms.append(max(0.0, took - call))
            if cell < 0:
                break
            guesses += 1
            cell, took = opened(cell)
        if cell == WRONG:
            raise BenchmarkError(
                f"{unit.strategy} made a wrong proof on board {number}: a safe cell is a mine, or the reverse"
            )
        games.append(OneGame(cell == WON, ms, guesses))
    return games


def advantage(board: Board, guess: Cell, rule: FirstClick, against: Comparison, seed: int) -> float | None:
    """Return how much likelier ``guess`` wins than the other strategy's choice; None if they are the same.

    All solutions of ``board`` count as equally likely; ``seed`` determines the random ones. Raises
    BenchmarkError if the position is too large to be played out.
    """
    other = decide(board, rule=rule, strategy=against.strategy).moves[0].cell
    if other == guess:
        return None
    analysis, games = analyse(board), Playouts(*board.shape)
    games.seed[0] = seed
    possible = [cell for cell in (other, guess) if analysis.risks[cell] < 1.0]
    indices = np.array([cell.row * board.cols + cell.col for cell in possible], np.int32)
    sums, played = np.zeros(len(possible)), 0
    while played < against.games:
        count = min(_AT_A_TIME, against.games - played)
        chances = analysis.play_out(games, against.strategy.policy, indices, count)
        if chances is None:
            raise BenchmarkError("--advantages: this board has a position that is too large to be played out")
        sums, played = sums + chances.sum(axis=0), played + count
    won = dict(zip(possible, (sums / against.games).tolist(), strict=True))
    return float(won.get(guess, 0.0) - won.get(other, 0.0))
