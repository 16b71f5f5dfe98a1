"""Playing one unit, in whatever process or machine it has come to."""

from __future__ import annotations

import time
from threading import Lock

from bot.bench.plan import Boards, Played, Unit, fingerprint
from bot.errors import BenchmarkError
from bot.game.simulation import Game
from bot.solver import Reason, decide
from bot.solver.policies import POLICIES

# The thread of a cluster's worker may have siblings, and the solver keeps one set of arrays a process.
DECIDING = Lock()


def play_unit(unit: Unit) -> Played:
    """Play the games of ``unit``.

    Raises BenchmarkError if the solver here is another than that of the unit, or if it breaks its word.
    """
    if unit.solver != fingerprint():
        raise BenchmarkError(
            "the solver where the games are played is not the one that asks for them: install the same "
            "minebot everywhere, and leave its files alone meanwhile"
        )
    if unit.strategy in POLICIES:
        from bot.bench.compiled import play_compiled  # compiles, and is of no use to simpler strategies

        if not unit.by_move:
            return play_compiled(unit)
    with DECIDING:
        return _play_by_move(unit.boards, unit.strategy, range(unit.start, unit.stop))


def _play_by_move(boards: Boards, strategy: str, numbers: range) -> Played:
    games = [play_one(boards, strategy, number) for number in numbers]
    won, times, guesses = zip(*games, strict=True)
    ms = tuple(round(1000 * sum(thinking), 4) for thinking in times)
    slowest = max((second for thinking in times for second in thinking), default=0.0)
    return Played(won, ms, guesses, round(1000 * slowest, 4))


def play_one(boards: Boards, strategy: str, number: int) -> tuple[bool, list[float], int]:
    """Play a game; return whether it is won, the seconds of every decision, and the number of guesses."""
    game = Game(boards.rows, boards.cols, boards.mines, boards.seed + number, boards.rule)
    game.open(boards.first)
    times, guesses = [], 0
    while not game.over:
        began = time.perf_counter()
        decision = decide(game.board, rule=game.rule, strategy=strategy, first=boards.first)
        times.append(time.perf_counter() - began)
        guesses += decision.reason is Reason.GUESS
        for move in decision.moves:
            game.open(move.cell)
            if move.risk == 0 and game.lost:
                raise BenchmarkError(f"{strategy} called a mine of board {number} safe: {move.cell}")
    return game.won, times, guesses
