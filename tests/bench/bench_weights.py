"""Fit the weights of the look-ahead to games that are played out, and play against the weights in use.

Run from the repository root: ``python tests/bench weights``. The strategy "best" plays expert games. At each
guess that it leaves to the look-ahead, the cells that the look-ahead considers are played out on the same
random solutions. The weights are fitted to these chances to win, and printed as `bot.solver.guess.Weights`
stores them. In the games of ``--games``, the fitted weights choose, and guesses that the weights in use would
choose otherwise are played out with both cells. A seed always gives the same weights, with any number of
``--jobs``. After Ctrl+C, the figures are those of the games so far.

**The fit.** The chance to win with cell c of guess g is taken as exp(level(g) + weights @ features(c)). The
levels do not matter for the choice of a cell, so each guess has its own: the one that makes the sum of its
chances right. The weights maximise the likelihood of a Poisson regression: the sum of chance * log(share)
over all cells, where share is exp(weights @ features) divided by its sum over the cells of the guess. Least
squares of the logarithms of the chances would not do: for few play-outs the logarithm of the mean is too
low, and for a mean of 0 it does not exist. Here the means only have to be right on average. A guess counts
by its chances to win, so hopeless ones hardly matter. Errors follow from the scatter between guesses,
because the cells of a guess share their solutions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.measured import Journal
from bot.bench.plan import Boards, Comparison, PlayOptions, Unit, UnitResult, fingerprint
from bot.bench.results import Results
from bot.bench.running import local, play_all
from bot.bench.statistics import Z
from bot.board import Board, Cell, FirstClick
from bot.game.simulation import BASE_SEED, Game
from bot.solver import BEST, decide
from bot.solver.analysis import analyse, guess_policy
from bot.solver.decision import Judgement
from bot.solver.guess import POLICIES, Weights
from bot.solver.kernel.guess import NEVER
from bot.solver.kernel.layout import Playouts
from bot.solver.kernel.playouts import candidates
from kernel_checks import EXPERT

SEED = 60_000_000  # far from the seeds of the published boards
MOST = 12  # the most cells of a guess that are played out
COMPARED = 64  # play-outs of each cell where fitted weights and those in use differ
BATCH = 16  # games that are given to the processes at a time
COUNT = len(Weights())
Floats = npt.NDArray[np.float64]
Rows = list[list[float]]  # of one guess; for each cell its features, then its chance to win


def sample(board: Board, player: str, games: int, seed: int) -> Rows:
    """Return the `Rows` of a guess, from ``games`` play-outs by ``player``; none if it has no choice.

    The feature of a weight is the worth that a cell has if this weight is 1 and all others are 0.
    """
    analysis, playouts = analyse(board), Playouts(*board.shape)
    if not analysis.exact:
        return []
    features, cells, found = np.zeros((COUNT, MOST)), np.zeros(MOST, np.int32), 0
    for unit, worths in zip(np.eye(COUNT), features, strict=True):
        policy = guess_policy(POLICIES["best"]._replace(weights=Weights(*unit.tolist())))
        found = candidates(analysis.workspace, policy, MOST, cells, worths)
    useful = np.flatnonzero(features[0, :found] > NEVER)
    playouts.seed[0] = seed
    chances = analysis.play_out(playouts, POLICIES[player], cells[useful], games)
    if len(useful) < 2 or chances is None:
        return []
    rows: Rows = np.vstack([features[:, useful], chances.mean(axis=0)]).T.tolist()
    return rows


def guesses_of(player: str, games: int, seed: int) -> list[Rows]:
    """Play the game with ``seed``; return the `Rows` of the guesses that are left to the look-ahead."""
    game, found = Game(*EXPERT, seed), list[Rows]()
    game.open(Cell(0, 0))
    while not game.over:
        decision = decide(game.board, strategy=BEST)
        if decision.judgement is Judgement.LOOK_AHEAD:
            found.append(sample(game.board, player, games, 1000 * seed + len(found)))
        for move in decision.moves:
            game.open(move.cell)
    return [rows for rows in found if rows]


def played(asked: argparse.Namespace, journal: Journal) -> Iterator[list[Rows]]:
    """Yield the guesses of game after game; those in the journal are not played again."""
    yield from [line["guesses"] for line in journal.lines]
    play = partial(guesses_of, asked.player, asked.playouts)
    with local(asked.jobs) as crew:
        for first in count(asked.seed + len(journal.lines), BATCH):
            for guesses in crew.executor.map(play, range(first, first + BATCH)):
                journal.add([{"guesses": guesses}])
                yield guesses


def sampled(asked: argparse.Namespace, journal: Journal) -> list[Rows]:
    """Return the guesses that were asked for; after Ctrl+C, those so far."""
    found = list[Rows]()
    with Progress(console=Console(stderr=True)) as progress, suppress(KeyboardInterrupt):
        task = progress.add_task("guesses", total=asked.guesses)
        for guesses in played(asked, journal):
            found += guesses
            progress.update(task, completed=len(found))
            if len(found) >= asked.guesses:
                break
    return found[: asked.guesses]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Cells of guesses: features (cells, 9), chances to win (cells,), and the index of each guess's first."""

    features: Floats
    chances: Floats
    starts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, guesses: Sequence[Rows]) -> Sample:
        """Return the cells of ``guesses``."""
        table = np.array(list(chain.from_iterable(guesses)))
        sizes = [len(rows) for rows in guesses]
        return cls(table[:, :COUNT], table[:, COUNT], np.cumsum([0, *sizes[:-1]]))

    def sums(self, values: Floats) -> Floats:
        """Return the sums of ``values``, (cells, ...), over the cells of each guess."""
        return np.add.reduceat(values, self.starts, axis=0)

    def spread(self, values: Floats) -> Floats:
        """Return ``values``, (guesses, ...), once for each cell of a guess."""
        return np.repeat(values, np.diff([*self.starts, len(self.chances)]), axis=0)

    def shares(self, weights: Floats) -> Floats:
        """Return for each cell which part of the chances of its guess it has by ``weights``."""
        worths = self.features @ weights
        odds = np.exp(worths - self.spread(np.maximum.reduceat(worths, self.starts)))
        return odds / self.spread(self.sums(odds))

    def fit(self) -> tuple[Floats, Floats]:
        """Return the weights and their standard errors, by Newton's method."""
        weights, totals = np.zeros(COUNT), self.spread(self.sums(self.chances))
        for _ in range(25):
            shares = self.shares(weights)
            expected = totals * shares
            apart = self.features - self.spread(self.sums(shares[:, None] * self.features))
            slopes = self.sums((self.chances - expected)[:, None] * apart)
            inverse = np.linalg.pinv(apart.T @ (expected[:, None] * apart), hermitian=True)
            step = inverse @ slopes.sum(axis=0)
            weights = weights + step
            if np.abs(step).max() < 1e-10:
                break
        return weights, np.sqrt(np.diag(inverse @ (slopes.T @ slopes) @ inverse))

    def chosen(self, weights: Floats) -> npt.NDArray[np.int64]:
        """Return the cell that ``weights`` choose at each guess, (guesses,)."""
        worths = np.split(self.features @ weights, self.starts[1:])
        return np.array([start + each.argmax() for start, each in zip(self.starts, worths, strict=True)])


def tables(sample: Sample) -> Iterator[Table]:
    """Yield the fitted weights beside those in use, and what the chosen cells win in the play-outs."""
    weights, errors = sample.fit()
    title = f"{len(sample.starts):,} guesses, {len(sample.chances):,} cells"
    table = Table("weight", "fitted", "+-", "in use", title=title)
    for name, *figures in zip(Weights._fields, weights, Z * errors, Weights(), strict=True):
        table.add_row(name, *(f"{figure:.3f}" for figure in figures))
    yield table
    table = Table("chosen by", "compared with", "that differ", "points a guess", title="in these play-outs")
    fitted, used = sample.chosen(weights), sample.chosen(np.array(Weights()))
    for one, other, cells, others in (
        ("fitted weights", "least risk", fitted, sample.starts),
        ("weights in use", "least risk", used, sample.starts),
        ("fitted weights", "weights in use", fitted, used),
    ):
        gains = 100 * (sample.chances[cells] - sample.chances[others])
        gain = f"{gains.mean():+.3f} +- {Z * gains.std() / len(gains) ** 0.5:.3f}"
        table.add_row(one, other, f"{100 * np.mean(cells != others):.1f} %", gain)
    yield table


def stored(weights: Iterable[float]) -> Weights:
    """Return weights with the digits that are stored."""
    return Weights(*(round(float(weight), 3) + 0.0 for weight in weights))  # not -0.0


def against_used(weights: Weights, games: int, jobs: int) -> Results:
    """Play games by ``weights``, and play out the guesses that the weights in use would choose otherwise."""
    fitted = replace(BEST, name="fitted", policy=BEST.policy._replace(weights=weights))
    boards = Boards(*EXPERT, FirstClick.SAFE, Cell(0, 0), BASE_SEED)
    results = Results(boards, fitted, games, PlayOptions(against=Comparison(BEST, COMPARED)))
    with Progress(console=Console(stderr=True)) as progress, suppress(KeyboardInterrupt), local(jobs) as crew:
        task = progress.add_task("games", total=games)

        def done(unit: Unit, result: UnitResult) -> None:
            progress.advance(task, results.add(unit.start, result))

        play_all(results.units(fingerprint()), crew, done)
    return results


def main() -> None:
    """Fit the weights, compare them with those in use, and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--guesses", type=int, default=20_000, help="to fit to (default: 20000)")
    parser.add_argument("--playouts", type=int, default=12, help="games for each cell (default: 12)")
    parser.add_argument("--player", default="fast", choices=sorted(POLICIES), help="that plays them out")
    parser.add_argument("--games", type=int, default=0, help="in which weights are compared (default: 0)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first game to fit to")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="keep the play-outs in FILE, and go on from there"
    )
    asked = parser.parse_args()
    head = {name: getattr(asked, name) for name in ("seed", "playouts", "player")}
    guesses = sampled(asked, Journal(asked.resume, {"bench": "weights", "solver": fingerprint(), **head}))
    if not guesses:
        sys.exit("no guess was played out")
    sample, console = Sample.of(guesses), Console()
    for table in tables(sample):
        console.print(table)
    weights = stored(sample.fit()[0])
    print(weights)
    if asked.games:
        found = against_used(weights, asked.games, asked.jobs).so_far
        low, gain, high = (100 * value for value in (found.gain.low, found.gain.value, found.gain.high))
        print(f"{found.games} games: {gain:+.3f} points ({low:+.3f} to {high:+.3f}) over the weights in use")


if __name__ == "__main__":
    main()
