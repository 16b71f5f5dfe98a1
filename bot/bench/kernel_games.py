"""Play benchmark games inside the compiled kernel: units of games, and the advantages of guesses.

The advantage of a guess is how much likelier it wins than the guess of another strategy, if the other
strategy plays on after both. The mean over its games of the sum of these advantages is the difference of the
two win rates. Both guesses are played out on the same random solutions as far as possible. This needs about a
hundredth of the games needed to show a difference by wins and losses alone.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np

from bot.bench.plan import Boards, Comparison, OneGame, Unit, plays_in_kernel
from bot.board import Board, Cell, FirstClick
from bot.errors import BenchmarkError
from bot.game.simulation import Mines, mines_of_games
from bot.solver import decide
from bot.solver.analysis import analyse, guess_policy
from bot.solver.kernel.layout import GuessPolicy, Playouts, Workspace
from bot.solver.kernel.play import LOST, WON, WRONG, advance, begin_game

_AT_A_TIME = 32  # play-outs in one call of the kernel, which cannot be interrupted


def _clock() -> float:
    """Return this thread's CPU time in seconds; on Windows, which measures it too coarsely, wall time."""
    return time.perf_counter() if sys.platform == "win32" else time.thread_time()


@dataclass(frozen=True, slots=True)
class _Player:
    """Plays games on one kind of board with one guess policy, decision by decision."""

    boards: Boards
    workspace: Workspace
    policy: GuessPolicy
    numbers: Mines

    def play(self, mined: Mines, call: float) -> tuple[int, OneGame]:
        """Play a game with mines at ``mined``, (cells,); return LOST, WON or WRONG, and the game.

        ``call`` is the time in milliseconds of a kernel call that has nothing to decide.
        """
        begin_game(self.workspace, mined, self.numbers, self.boards.mines)
        cell, took = self.advance(self.first)
        ms, guesses = list[float](), 0
        while cell != LOST:
            ms.append(max(0.0, took - call))
            if cell < 0:
                break
            guesses += 1
            cell, took = self.advance(cell)
        return cell, OneGame(cell == WON, ms, guesses)

    @property
    def first(self) -> int:
        return self.boards.first.row * self.boards.cols + self.boards.first.col

    def advance(self, cell: int) -> tuple[int, float]:
        """Open a cell and think; return the next guess, or LOST, WON or WRONG, and the milliseconds."""
        first = self.first if self.boards.rule is FirstClick.WINMINE else -1
        began = _clock()
        after = advance(self.workspace, self.policy, self.numbers, cell, first)
        return after, 1000 * (_clock() - began)

    def call(self) -> float:
        """Return the milliseconds of a kernel call that has nothing to decide: the fastest of 25 calls."""
        self.numbers.fill(-1)  # every cell counts as a mine, so the game ends at once
        return min(self.advance(0)[1] for _ in range(25))


def play_compiled(unit: Unit) -> list[OneGame]:
    """Play the games of ``unit``, whose strategy must be one of the kernel's policies.

    One decision is all the thinking between two guesses: the kernel has no clock, so it is called once for
    each. Raises BenchmarkError if a proof is wrong: a cell proven safe is a mine, or the other way round.
    """
    boards = unit.boards
    seeds = range(boards.seed + unit.start, boards.seed + unit.stop)
    mined = mines_of_games(boards.rows, boards.cols, boards.mines, seeds, boards.first, boards.rule)
    assert plays_in_kernel(unit.strategy)
    policy, numbers = guess_policy(unit.strategy.policy), np.zeros(mined.shape[1], np.int8)
    player = _Player(boards, Workspace(boards.rows, boards.cols), policy, numbers)
    call, games = player.call(), list[OneGame]()
    for number, mines in enumerate(mined, unit.start):
        end, game = player.play(mines, call)
        if end == WRONG:
            raise BenchmarkError(
                f"{unit.strategy} made a wrong proof on board {number}: a safe cell is a mine, or the reverse"
            )
        games.append(game)
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
