"""Map where the strategy "best" loses: how much likelier to win another cell would have been at its guesses.

Run from the repository root: ``python tests/bench regret --games 1000 --resume FILE``. "best" plays expert
games. At each guess that it does not search to its end, good cells are played out against each other, as
"deep" does; ``--price`` says how long, see `bot.solver.guess.Policy`, and ``--below`` leaves out guesses with
more decimal digits of solutions. If another cell than that of "best" is preferred, both are played out
``--judged`` times by ``--judge``, on new solutions; more often if few cells are open, because many games come
to such positions. So noise does not count as regret: a choice that only luck favours gains nothing, or loses,
in the second play-outs. At the price of "deep", the sum is what "deep" gains over "best" in single guesses.

The tables say how many points of win rate the guesses of each kind lose in a game, with 95 % intervals. The
same position counts once for each game in which it comes; its error then counts as often, too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from math import log
from pathlib import Path
from zlib import crc32

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.bench_judgement import Guess, played
from bench.measured import Journal
from bot.bench.plan import fingerprint
from bot.bench.statistics import Z
from bot.board import Board, Cell
from bot.game.simulation import Game
from bot.solver import BEST, DEEP, decide
from bot.solver.analysis import Analysis, analyse
from bot.solver.decision import Judgement, Reason
from bot.solver.deep import think
from bot.solver.guess import POLICIES
from bot.solver.kernel.layout import Playouts
from kernel_checks import EXPERT

SEED = 70_000_000  # far from the seeds of the published boards and of the fitted weights
FEW = 512  # solutions from which on the judge searches; more take twice as long and change little
COMMON = 256  # times as many play-outs where all games begin; four times fewer for each cell opened


@lru_cache(maxsize=10_000)  # games begin with the same few positions
def judged(states: bytes, chosen: int, below: float, price: float, judge: str, games: int) -> Guess | None:
    """Return what is known about a guess; None if there is no choice, or if it cannot be played out.

    None, too, if the number of solutions has more than ``below`` decimal digits.
    """
    rows, cols, mines = EXPERT
    analysis = analyse(Board(np.frombuffer(states, np.int8).reshape(rows, cols), mines))
    if analysis.log_solutions > below * log(10):
        return None
    thought, gain = think(analysis, DEEP.policy._replace(price=price)), 0.0
    if thought is None:
        return None
    if thought.cell != chosen:
        memory, both = Playouts(rows, cols), np.array([chosen, thought.cell], np.int32)
        memory.seed[0] = crc32(states)
        times = max(1, COMMON // 4 ** int(np.count_nonzero(analysis.board.states <= 8)))
        policy = POLICIES[judge]._replace(endgame=FEW)
        final = analysis.play_out(memory, policy, both, times * games)
        if final is None:
            return None
        gain = float((final[:, 1] - final[:, 0]).mean())
    return {"gain": gain, **about(analysis, chosen), "other": about(analysis, thought.cell)}


def about(analysis: Analysis, cell: int) -> Guess:
    """Return what the tables sort guesses by."""
    board, buffers = analysis.board, analysis.workspace.buffers
    row, col = divmod(cell, board.cols)
    beside = min(row, board.rows - 1 - row), min(col, board.cols - 1 - col)
    return {
        "digits": round(analysis.log_solutions / log(10), 2),
        "opening": bool((board.states == 0).any()),
        "components": buffers.components,
        "frontier": buffers.frontier_cells,
        "off": bool(buffers.group_of[cell] < 0),
        "edges": sum(distance == 0 for distance in beside),
        "risk": round(float(analysis.risks[row, col]), 4),
        "density": round(float(buffers.outside_risk), 4),
    }


def guesses_of(below: float, price: float, judge: str, games: int, seed: int) -> list[Guess]:
    """Play the game with ``seed``; return what is known about its guesses."""
    game, found = Game(*EXPERT, seed), list[Guess]()
    game.open(Cell(0, 0))
    while not game.over:
        decision = decide(game.board, strategy=BEST)
        if decision.reason is Reason.GUESS:
            cell = decision.moves[0].cell
            guess: Guess | None = None
            if decision.judgement is not Judgement.ENDGAME:
                index = cell.row * EXPERT[1] + cell.col
                guess = judged(game.board.states.tobytes(), index, below, price, judge, games)
            how = decision.judgement.name if decision.judgement else ""
            found.append({"how": how, "board": game.board.states.tobytes().hex(), **(guess or {})})
        for move in decision.moves:
            game.open(move.cell)
    return found


Kind = Callable[[Guess], str]


def digits(guess: Guess) -> str:
    """Return how much of the game is open: the decimal digits of the number of solutions."""
    if not guess["opening"]:
        return "1 before an opening"
    for number, limit in enumerate((90, 60, 30, 15, 8, 5), 2):
        if guess["digits"] >= limit:
            return f"{number} solutions from 10^{limit}"
    return "8 fewer solutions"


def places(guess: Guess) -> str:
    """Return where the better cell is, and where the one that was chosen is."""
    if guess["how"] == Judgement.FIFTY_FIFTY.name:
        return "fifty-fifty opened at once"
    other = guess["other"]
    kinds = ("frontier", "off the frontier")
    return f"{kinds[guess['off']]} chosen" + (
        f", {kinds[other['off']]} better" if other["off"] != guess["off"] else ""
    )


def steps(name: str, *limits: float) -> Kind:
    """Return a function that says between which of ``limits`` the figure ``name`` of a guess is."""

    def kind(guess: Guess) -> str:
        above = [limit for limit in limits if guess[name] >= limit]
        return f"from {above[-1]:g}" if above else f"below {limits[0]:g}"

    return kind


KINDS: Mapping[str, Kind] = {
    "stage": digits,
    "cells": places,
    "edges of the chosen cell": lambda guess: ("inside", "edge", "corner")[guess["edges"]],
    "components": steps("components", 1, 2, 3, 5),
    "risk": steps("risk", 0.05, 0.1, 0.15, 0.2, 0.3, 0.5),
    "mine density off the frontier": steps("density", 0.1, 0.15, 0.18, 0.2, 0.22, 0.25),
}


def points(guesses: Sequence[Guess], games: int) -> tuple[float, float]:
    """Return the points of win rate that ``guesses`` lose in a game, and half the 95 % interval."""
    sums = dict[str, float]()
    for guess in guesses:
        sums[guess["board"]] = sums.get(guess["board"], 0.0) + 100 * guess["gain"] / games
    values = np.array(list(sums.values()))
    return float(values.sum()), float(Z * np.sqrt((values**2).sum()))


def tables(games: Sequence[Sequence[Guess]]) -> Iterator[Table]:
    """Yield a table for each way to sort the guesses."""
    guesses = [guess for game in games for guess in game if "gain" in guess]
    for title, kind in KINDS.items():
        table = Table(title, "guesses a game", "another cell", "points a game", "+-")
        sorted_guesses = dict[str, list[Guess]]()
        for guess in guesses:
            sorted_guesses.setdefault(kind(guess), []).append(guess)
        for name, some in [*sorted(sorted_guesses.items()), ("all", guesses)]:
            differ = np.mean([guess["gain"] != 0 for guess in some])
            lost, unsure = points(some, len(games))
            row = f"{len(some) / len(games):.3f}", f"{100 * differ:.0f} %", f"{lost:+.3f}", f"{unsure:.3f}"
            table.add_row(name, *row)
        yield table


def main() -> None:
    """Play games, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="to play (default: 1000)")
    parser.add_argument("--below", type=float, default=200.0, help="digits of the solutions (default: 200)")
    parser.add_argument("--price", type=float, default=DEEP.policy.price, help="of thinking (as deep)")
    parser.add_argument("--judge", default="best", choices=sorted(POLICIES), help="strategy (default: best)")
    parser.add_argument("--judged", type=int, default=500, help="by it, to judge (default: 500)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first game")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep the games in FILE, and go on there")
    asked = parser.parse_args()
    head = {name: getattr(asked, name) for name in ("seed", "below", "price", "judge", "judged")}
    journal, games = Journal(asked.resume, {"bench": "regret", "solver": fingerprint(), **head}), []
    with Progress(console=Console(stderr=True)) as progress, suppress(KeyboardInterrupt):
        task = progress.add_task("games", total=asked.games)
        play = partial(guesses_of, asked.below, asked.price, asked.judge, asked.judged)
        for guesses in played(play, asked, journal):
            games.append(guesses)
            progress.update(task, completed=len(games))
            if len(games) >= asked.games:
                break
    if not any("gain" in guess for game in games for guess in game):
        sys.exit("no guess was played out")
    for table in tables(games):
        Console().print(table)


if __name__ == "__main__":
    main()
