"""Fit the learned judgement to games that are played out, and print what it gains.

Run from the repository root: ``python tests/bench judgement --guesses 100000 --resume FILE``. The strategy
"best" plays expert games. At each guess that it leaves to the look-ahead, the cells that the look-ahead rates
nearly as high as the best one are played out by "fast", on the same random solutions. Decision trees are
fitted to what these chances to win differ from the look-ahead by. ``--write`` stores them where the solver
finds them. The same seed and the same solver give the same play-outs, with any number of ``--jobs``. After
Ctrl+C, the figures are those of the games so far.

**The fit.** The chance to win with cell c of guess g is level(g) * (share(c) + trees(c)), where the shares
are those that the look-ahead expects, with a mean of 1. Only the cells of one guess are compared, so the mean
of each guess is taken out of what the trees are to find. A guess counts by the square of its level: then
errors count by how many games they lose.

**The figures** come from trees that were fitted without the games in question, in five parts of the games.

Fitting needs LightGBM: ``pip install lightgbm``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress, track
from rich.table import Table

from bench.measured import Journal
from bot.bench.running import local
from bot.bench.statistics import Z
from bot.board import Cell, FirstClick
from bot.game.simulation import mines_of_games
from bot.solver.analysis import guess_policy
from bot.solver.guess import POLICIES
from bot.solver.kernel.analysis import analyse, log_solutions
from bot.solver.kernel.guess import unavoidable
from bot.solver.kernel.judgement import describe
from bot.solver.kernel.layout import FEATURES, TREES, UNKNOWN, Playouts, Workspace, take
from bot.solver.kernel.look_ahead import NEVER, begin
from bot.solver.kernel.play import advance, begin_game
from bot.solver.kernel.playouts import candidates, compare
from kernel_checks import EXPERT

ROWS, COLS, MINES = EXPERT
SEED = 60_000_000  # far from the seeds of the published boards
MOST = 12  # the most cells of a guess that are played out
CLOSE = 0.07  # cells are played out whose worth is less than this below the highest
RANKED = 20  # of so many of the least risky cells
BATCH = 64  # games that are given to the processes at a time
PARTS = 5  # of the games; each is judged by trees that were fitted to the others
HOPELESS = 0.02  # guesses with a lower chance to win are not fitted to
SEARCHED = np.log(POLICIES["best"].endgame)
STAGES = (4.2, 8, 15, 30, 60, 90, 200)  # decimal digits of the number of solutions
TREE_COUNT = 500
PARAMETERS: Mapping[str, Any] = {
    "objective": "regression",
    "learning_rate": 0.05,
    "num_leaves": 31,
    "min_data_in_leaf": 300,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 20,
    "seed": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}
PLAYED, PLAYER = POLICIES["best"], POLICIES["fast"]
WIDE = PLAYED._replace(near=0.8, outside=4, judged=0)  # more cells than "best" considers, not judged yet
Floats = npt.NDArray[np.float64]
Guess = dict[str, Any]


@cache
def memory() -> tuple[Workspace, Playouts]:
    """Return the memory of this process for games and for play-outs."""
    return Workspace(ROWS, COLS), Playouts(ROWS, COLS)


def sample(workspace: Workspace, chosen: int, playouts: int, seed: int) -> Guess | None:
    """Return the cells of a guess and their chances to win; None if there is no choice.

    ``workspace`` holds the analysed position in which "best" chose a cell.
    """
    cells, worths, games = np.zeros(RANKED, np.int32), np.zeros(RANKED), memory()[1]
    found = candidates(workspace, guess_policy(WIDE), RANKED, cells, worths)
    good = np.flatnonzero(worths[:found] > max(NEVER, worths[:found].max() - CLOSE))[:MOST]
    if len(good) < 2 or chosen not in cells[good]:
        return None
    games.seed[0] = seed
    played = cells[good].copy()
    chances = np.zeros(playouts * len(good))
    if not compare(workspace, games, guess_policy(PLAYER), played, len(good), playouts, chances):
        return None
    shown = workspace.position.shown
    return {
        "board": "".join("." if number < 0 else str(number) for number in shown.tolist()),
        "cells": played.tolist(),
        "chosen": int(np.flatnonzero(played == chosen)[0]),
        "worths": worths[good].round(6).tolist(),
        "chances": chances.reshape(playouts, -1).mean(axis=0).round(5).tolist(),
    }


def guesses_of(playouts: int, seed: int) -> list[Guess]:
    """Play the game with ``seed``; return the guesses that are left to the look-ahead."""
    workspace, policy = memory()[0], guess_policy(PLAYED)
    numbers, found = np.zeros(ROWS * COLS, np.int8), list[Guess]()
    begin_game(workspace, mines_of_games(*EXPERT, [seed], Cell(0, 0), FirstClick.SAFE)[0], numbers, MINES, -1)
    cell, guesses = advance(workspace, policy, numbers, 0), 0
    while cell >= 0:
        guesses += 1
        many = log_solutions(workspace.buffers) > SEARCHED
        if many and not unavoidable(workspace, cell):
            guess = sample(workspace, cell, playouts, 1000 * seed + guesses)
            found += [] if guess is None else [guess]
        cell = advance(workspace, policy, numbers, cell)
    return found


def played(
    play: Callable[[int], list[Guess]], asked: argparse.Namespace, journal: Journal
) -> Iterator[list[Guess]]:
    """Yield the guesses of the games from ``asked.seed`` on; those in the journal are not played again."""
    yield from [line["guesses"] for line in journal.lines]
    with local(asked.jobs) as crew:
        for first in count(asked.seed + len(journal.lines), BATCH):
            for guesses in crew.executor.map(play, range(first, first + BATCH)):
                journal.add([{"guesses": guesses}])
                yield guesses


def sampled(asked: argparse.Namespace, journal: Journal) -> list[list[Guess]]:
    """Return games with as many guesses as were asked for; after Ctrl+C, those so far."""
    games, found = list[list[Guess]](), 0
    with Progress(console=Console(stderr=True)) as progress, suppress(KeyboardInterrupt):
        task = progress.add_task("guesses", total=asked.guesses)
        for guesses in played(partial(guesses_of, asked.playouts), asked, journal):
            games.append(guesses)
            found += len(guesses)
            progress.update(task, completed=found)
            if found >= asked.guesses:
                break
    return games


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Cells of guesses, (cells,), with features (cells, FEATURES), and what is known of the guesses.

    ``starts`` is the index of each guess's first cell, ``chosen`` that of the cell that "best" chose;
    ``digits`` is the decimal logarithm of its solutions, ``game`` the number of its game.
    """

    features: Floats
    worths: Floats
    chances: Floats
    starts: npt.NDArray[np.int64]
    chosen: npt.NDArray[np.int64]
    digits: Floats
    game: npt.NDArray[np.int64]
    games: int

    @classmethod
    def of(cls, games: Iterable[Iterable[Guess]]) -> Sample:
        """Return the cells of the guesses of ``games``."""
        guesses = [(number, guess) for number, each in enumerate(games) for guess in each]
        sizes = [len(guess["cells"]) for _, guess in guesses]
        starts = np.cumsum([0, *sizes[:-1]])
        features, digits = list[Floats](), list[float]()
        for _, guess in track(guesses, "features", console=Console(stderr=True)):
            rows, solutions = described(guess)
            features.append(rows)
            digits.append(solutions)
        return cls(
            np.concatenate(features),
            np.concatenate([guess["worths"] for _, guess in guesses]),
            np.concatenate([guess["chances"] for _, guess in guesses]),
            starts,
            starts + [guess["chosen"] for _, guess in guesses],
            np.array(digits),
            np.array([number for number, _ in guesses]),
            len(list(games)),
        )

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return ``values``, (guesses,), once for each cell of a guess."""
        return np.repeat(values, np.diff([*self.starts, len(self.chances)]))

    def means(self, values: Floats) -> Floats:
        """Return the mean of ``values``, (cells,), over the cells of each guess, (guesses,)."""
        sums = np.add.reduceat(values, self.starts)
        return np.asarray(sums / np.diff([*self.starts, len(values)]))

    @property
    def shares(self) -> Floats:
        """What the look-ahead expects of each cell, as a multiple of the mean of its guess."""
        odds = np.exp(self.worths)
        return np.asarray(odds / self.spread(self.means(odds)))

    @property
    def targets(self) -> Floats:
        """What the trees are to find, (cells,)."""
        levels = self.spread(self.means(self.chances))
        lacking = self.chances / np.maximum(levels, 1e-9) - self.shares
        return np.asarray(lacking - self.spread(self.means(lacking)))

    def fit(self, fitted: npt.NDArray[np.bool_]) -> Any:
        """Return LightGBM's model of the guesses that are ``fitted``, (guesses,)."""
        try:
            import lightgbm  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            sys.exit("fitting needs LightGBM: pip install lightgbm")
        levels = self.means(self.chances)
        cells = self.spread(fitted & (levels > HOPELESS))
        weights = self.spread(levels)[cells] ** 2
        data = lightgbm.Dataset(self.features[cells], self.targets[cells], weight=weights)
        return lightgbm.train(dict(PARAMETERS), data, TREE_COUNT)

    def judged(self) -> Floats:
        """Return what trees say about each cell that were fitted without the games of its part."""
        found, part = np.zeros(len(self.chances)), self.game % PARTS
        for number in track(range(PARTS), "fits", console=Console(stderr=True)):
            model = self.fit(part != number)
            cells = self.spread(part == number)
            found[cells] = model.predict(self.features[cells])
        return found

    def gains(self, values: Floats) -> Floats:
        """Return how much likelier the cell of the highest value wins than the one chosen, (guesses,)."""
        ends = [*self.starts[1:], len(values)]
        best = [start + values[start:end].argmax() for start, end in zip(self.starts, ends, strict=True)]
        return np.asarray(self.chances[best] - self.chances[self.chosen])


def described(guess: Guess) -> tuple[Floats, float]:
    """Return the features of a guess's cells, (cells, FEATURES), and the digits of its solutions."""
    workspace, policy = memory()[0], guess_policy(WIDE)
    shown = np.array([UNKNOWN if mark == "." else int(mark) for mark in guess["board"]], np.int8)
    take(workspace.position, workspace.buffers, shown, MINES)
    analyse(workspace.position, workspace.buffers)
    begin(workspace)
    rows, highest = np.zeros((len(guess["cells"]), FEATURES)), max(guess["worths"])
    for row, cell, worth in zip(rows, guess["cells"], guess["worths"], strict=True):
        describe(workspace, policy, cell, highest - worth)
        row[:] = workspace.features
    return rows, log_solutions(workspace.buffers) / np.log(10)


def gains_table(sample: Sample, judged: Floats) -> Table:
    """Return what the judgement gains over the cells that were chosen, by stages of the game."""
    title = f"{len(sample.starts):,} guesses, {len(sample.chances):,} cells, {sample.games:,} games"
    table = Table("digits of the solutions", "guesses a game", "points a game", "+-", title=title)
    gains = 100 * sample.gains(sample.shares + judged) / sample.games
    for low, high in (*pairwise(STAGES), (0, STAGES[-1])):
        stage = (sample.digits >= low) & (sample.digits < high)
        error = Z * np.sqrt(np.sum(gains[stage] ** 2))
        row = f"{stage.sum() / sample.games:.3f}", f"{gains[stage].sum():+.3f}", f"{error:.3f}"
        table.add_row(f"{low:g} to {high:g}", *row)
    return table


def stored(model: Any) -> dict[str, npt.NDArray[Any]]:
    """Return LightGBM's model as the arrays of `bot.solver.kernel.layout.Trees`."""
    nodes = list[tuple[int, float, int, int, float]]()

    def add(node: Mapping[str, Any]) -> int:
        here = len(nodes)
        nodes.append((-1, 0.0, 0, 0, float(node.get("leaf_value", 0.0))))
        if "split_feature" in node:
            below, above = add(node["left_child"]), add(node["right_child"])
            nodes[here] = node["split_feature"], node["threshold"], below, above, 0.0
        return here

    roots = [add(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    feature, limit, below, above, value = zip(*nodes, strict=True)
    return {
        "roots": np.array(roots, np.int32),
        "feature": np.array(feature, np.int32),
        "limit": np.array(limit, np.float64),
        "below": np.array(below, np.int32),
        "above": np.array(above, np.int32),
        "value": np.array(value, np.float64),
    }


def main() -> None:
    """Play games, print what the judgement gains, and store it if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--guesses", type=int, default=100_000, help="to fit to (default: 100000)")
    parser.add_argument("--playouts", type=int, default=16, help="games for each cell (default: 16)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first game to fit to")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--write", action="store_true", help="store the trees for the solver")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep the play-outs in FILE, and go on from there"
    )
    asked = parser.parse_args()
    head = {"bench": "judgement", "seed": asked.seed, "playouts": asked.playouts}
    games = sampled(asked, Journal(asked.resume, head))
    if not any(games):
        sys.exit("no guess was played out")
    found = Sample.of(games)
    Console().print(gains_table(found, found.judged()))
    if asked.write:
        arrays: dict[str, Any] = stored(found.fit(np.ones(len(found.starts), np.bool_)))
        np.savez_compressed(TREES, **arrays)
        print(f"written: {TREES}")


if __name__ == "__main__":
    main()
