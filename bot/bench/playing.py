"""Playing one unit, in whatever process or machine it has come to."""

from __future__ import annotations

import time
from threading import Lock

from bot.bench.plan import OneGame, Played, Unit, fingerprint
from bot.board import Board, Cell
from bot.errors import BenchmarkError
from bot.game.simulation import Game
from bot.solver import Decision, Reason, decide
from bot.solver.policies import POLICIES, Thinking

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
    how = unit.how
    if unit.strategy in POLICIES and how.guess and not how.by_move and how.against is None:
        from bot.bench.compiled import play_compiled  # compiles, and is of no use to simpler strategies

        return play_compiled(unit)
    with DECIDING:
        games = [play_one(unit, number) for number in range(unit.start, unit.stop)]
    return Played.of(games, against=unit.how.against is not None)


def play_one(unit: Unit, number: int) -> OneGame:
    """Play a game of ``unit`` move by move, to its end or to where it takes a guess that is not wanted."""
    boards = unit.boards
    thinking = Thinking(unit.how.think, time.perf_counter)
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
            thinking=thinking,
            learned=unit.how.learned,
            guess=unit.how.guess,
        )
        ms.append(1000 * (time.perf_counter() - began))
        if not decision.moves:
            break
        if decision.reason is Reason.GUESS:
            guesses += 1
            found.append(_advantage(unit, game.board, decision.moves[0].cell, 1000 * number + guesses))
        _open(game, decision, unit, number)
    return OneGame(game.won, ms, guesses, [gain for gain in found if gain is not None], not game.over)


def _advantage(unit: Unit, board: Board, cell: Cell, seed: int) -> float | None:
    """Return the advantage of a guess, if that is asked for and another strategy guesses otherwise."""
    if unit.how.against is None:
        return None
    from bot.bench.advantages import advantage  # compiles too

    return advantage(board, cell, unit.boards.rule, unit.how.against, seed)


def _open(game: Game, decision: Decision, unit: Unit, number: int) -> None:
    for move in decision.moves:
        game.open(move.cell)
        if move.risk == 0 and game.lost:
            raise BenchmarkError(f"{unit.strategy} called a mine of board {number} safe: {move.cell}")
