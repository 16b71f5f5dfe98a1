"""Play seeded games in memory and print how many a strategy wins and how long it thinks.

Run from the repository root: ``python tests/bench_solver.py --level expert --games 300``.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from dataclasses import dataclass

from bot.board import FirstClick
from bot.game.simulation import BASE_SEED, Game
from bot.solver import STRATEGIES, Action, Reason, decide

LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}


@dataclass(frozen=True, slots=True)
class Result:
    """How one game went; times in seconds."""

    won: bool
    thinking: float
    longest: float
    guesses: int


def play(game: Game, strategy: str) -> Result:
    """Play ``game`` to its end and check that no proven cell was a mine."""
    times, guesses = [], 0
    while not game.over:
        began = time.perf_counter()
        decision = decide(game.board, rule=game.rule, strategy=strategy)
        times.append(time.perf_counter() - began)
        guesses += decision.reason is Reason.GUESS
        for move in decision.moves:
            assert move.action is Action.OPEN
            game.open(move.cell)
            assert move.risk > 0 or not game.lost, f"{move} was a mine:\n{game.board}"
    return Result(game.won, sum(times), max(times), guesses)


def interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a win rate after Wilson."""
    z, rate = 1.96, wins / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return centre - half, centre + half


def report(results: list[Result]) -> str:
    """Return the figures of some games in one line."""
    wins, games = sum(result.won for result in results), len(results)
    low, high = interval(wins, games)
    thinking = sorted(1000 * result.thinking for result in results)
    return (
        f"{games} games, {100 * wins / games:.2f} % won ({100 * low:.2f}-{100 * high:.2f}), "
        f"thinking {statistics.mean(thinking):.0f} ms a game, {statistics.median(thinking):.0f} median, "
        f"{thinking[-1]:.0f} at most, one decision {1000 * max(r.longest for r in results):.0f} at most, "
        f"{statistics.mean(r.guesses for r in results):.2f} guesses"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", choices=LEVELS, default="beginner")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument(
        "--seed", type=int, default=BASE_SEED, help="seed of the first board; then one more each"
    )
    parser.add_argument("--strategy", choices=STRATEGIES, default="best")
    parser.add_argument("--rule", choices=[rule.value for rule in FirstClick], default="safe")
    options = parser.parse_args()
    results: list[Result] = []
    for number in range(options.games):
        game = Game(*LEVELS[options.level], options.seed + number, FirstClick(options.rule))
        results.append(play(game, options.strategy))
        if len(results) % 50 == 0 or len(results) == options.games:
            print(f"{options.level} {options.strategy} {options.rule}: {report(results)}", flush=True)


if __name__ == "__main__":
    main()
