"""What has been played, board by board, so that no game is lost or counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bot.bench.plan import Boards, Played, Unit, pieces, unit_size
from bot.bench.statistics import Times, Won, times, win_rate


class Results:
    """The games of one strategy on boards number 0 up to, not including, ``games``."""

    def __init__(self, boards: Boards, strategy: str, games: int) -> None:
        self.boards, self.strategy, self.games = boards, strategy, games
        self.slowest = 0.0
        self._played = np.zeros(games, np.bool_)
        self._won = np.zeros(games, np.bool_)
        self._ms = np.zeros(games, np.float32)
        self._guesses = np.zeros(games, np.int32)

    def add(self, start: int, played: Played) -> int:
        """Take in the games from number ``start`` on; return how many of them were new.

        Games that are not asked for or are there already stay out.
        """
        numbers = np.arange(start, min(start + len(played.won), self.games))
        numbers = numbers[~self._played[numbers]]
        which = numbers - start
        self._won[numbers] = np.array(played.won, np.bool_)[which]
        self._ms[numbers] = np.array(played.ms, np.float32)[which]
        self._guesses[numbers] = np.array(played.guesses, np.int32)[which]
        self._played[numbers] = True
        self.slowest = max(self.slowest, played.slowest)
        return len(numbers)

    @property
    def count(self) -> int:
        """How many games have been played."""
        return int(np.count_nonzero(self._played))

    @property
    def wins(self) -> int:
        """How many of them were won."""
        return int(np.count_nonzero(self._won))

    def missing(self) -> Iterator[tuple[int, int]]:
        """Iterate over the ranges of boards that have not been played."""
        edges = np.flatnonzero(np.diff(np.concatenate([[True], self._played, [True]]).astype(np.int8)))
        return ((int(start), int(stop)) for start, stop in edges.reshape(-1, 2))

    def summary(self) -> Summary:
        """Return the figures of all games up to the first that is missing, so that boards can be compared."""
        count = next((start for start, _ in self.missing()), self.games)
        return Summary(self, self._won[:count], self._ms[:count], self._guesses[:count])


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The games of one strategy on boards number 0 and up without a gap: arrays (games,)."""

    of: Results
    won: Won
    ms: np.typing.NDArray[np.float32]
    guesses: np.typing.NDArray[np.int32]

    @property
    def times(self) -> Times | None:
        """How long the games took, None if there are none."""
        return times(self.ms) if len(self.ms) else None

    def as_json(self) -> dict[str, object]:
        """Return the figures with one digit a game, 1 for a win."""
        boards, rate, spent = self.of.boards, win_rate(int(self.won.sum()), len(self.won)), self.times
        ms = {name: getattr(spent, name, None) for name in ("mean", "median", "p99", "max")}
        return {
            "strategy": self.of.strategy,
            "level": boards.level,
            "rule": boards.rule.value,
            "first": f"{boards.first.row},{boards.first.col}",
            "seed": boards.seed,
            "games": len(self.won),
            "wins": int(self.won.sum()),
            "win_rate": rate.value if len(self.won) else None,
            "ci95": [rate.low, rate.high],
            "ms_per_game": ms,
            "guesses_per_game": float(self.guesses.mean()) if len(self.won) else None,
            "outcomes": (self.won + ord("0")).astype(np.uint8).tobytes().decode("ascii"),
        }


def units_of(results: Results, *, by_move: bool, solver: str) -> Iterator[Unit]:
    """Iterate over the units that are missing, cut at the same numbers in every run."""
    size = unit_size(results.boards, results.strategy, by_move)
    for gap in results.missing():
        for start, stop in pieces(*gap, size):
            yield Unit(results.boards, results.strategy, start, stop, by_move, solver)
