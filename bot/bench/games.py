"""Playing the games of one unit, in any process or machine."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from threading import Lock

from bot.bench.plan import OneGame, Unit, UnitResult, fingerprint
from bot.board import Board, Cell
from bot.errors import BenchmarkError
from bot.game.simulation import Game
from bot.solver import Reason, decide

# The thread of a cluster's worker may have siblings, and the solver keeps one set of arrays a process.
DECIDING = Lock()


def play_unit(unit: Unit) -> UnitResult:
    """Play the games of ``unit``.

    Raises BenchmarkError if the solver here is not that of the unit, or if a cell proven safe is a mine.
    """
    if unit.solver != fingerprint():
        raise BenchmarkError(
            "the solver where the games are played is not the one that asks for them: install the same "
            "minebot everywhere, and leave its files alone meanwhile"
        )
    options = unit.options
    if unit.strategy.plays_in_kernel and options.guess and not options.by_move and options.against is None:
        from bot.bench.kernel_games import play_compiled  # compiles, and is of no use to simpler strategies

        games = play_compiled(unit)
    else:
        with DECIDING:
            games = [play_one(unit, number) for number in range(unit.start, unit.stop)]
    return replace(UnitResult.of(games, against=options.against is not None), memory=peak_memory())


def play_one(unit: Unit, number: int) -> OneGame:
    """Play a game of ``unit`` move by move, to its end, or to a guess if guesses are not wanted."""
    boards = unit.boards
    game = Game(boards.rows, boards.cols, boards.mines, boards.seed + number, boards.rule)
    game.open(boards.first)
    ms, guesses, found = list[float](), 0, list[float | None]()
    while not game.over:
        began = time.perf_counter()
        decision = decide(
            game.board,
            rule=game.rule,
            strategy=unit.strategy,
            first=boards.first,
            guess=unit.options.guess,
        )
        ms.append(1000 * (time.perf_counter() - began))
        if not decision.moves:
            break
        if decision.reason is Reason.GUESS:
            guesses += 1
            found.append(_advantage(unit, game.board, decision.moves[0].cell, 1000 * number + guesses))
        for move in decision.moves:
            game.open(move.cell)
            if move.risk == 0 and game.lost:
                raise BenchmarkError(f"{unit.strategy} called a mine of board {number} safe: {move.cell}")
    return OneGame(game.won, ms, guesses, [gain for gain in found if gain is not None], not game.over)


def _advantage(unit: Unit, board: Board, cell: Cell, seed: int) -> float | None:
    """Return the advantage of a guess, None if it is not wanted or the other strategy guesses the same."""
    if unit.options.against is None:
        return None
    from bot.bench.kernel_games import advantage  # compiles too

    return advantage(board, cell, unit.boards.rule, unit.options.against, seed)


def peak_memory() -> float:
    """Return the most megabytes of memory that this process has used, 0.0 if unknown."""
    if sys.platform == "win32":
        return 0.0
    from resource import RUSAGE_SELF, getrusage

    unit = 1 if sys.platform == "darwin" else 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * unit / 1e6
