"""What has been played, board by board, so that no game is lost or counted twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bot.bench.durations import percentile
from bot.bench.plan import Boards, How, Played, Unit, pieces, unit_size
from bot.bench.statistics import Estimate, Floats, Times, Won, mean, times, win_rate

OUTCOMES = 10_000  # so many games are told one by one in JSON if nothing else is said
_PLAIN = How()


class Results:
    """The games of one strategy on boards number 0 up to, not including, ``games``.

    ``slowest`` is the milliseconds of the longest decision, ``decisions`` how long all of them took.
    """

    def __init__(self, boards: Boards, strategy: str, games: int, how: How = _PLAIN) -> None:
        self.boards, self.strategy, self.games, self.how = boards, strategy, games, how
        self.slowest, self.decisions = 0.0, Counter[int]()
        asked = games if how.against is not None else 0
        self._gained, self._differing = np.zeros(asked, np.float32), np.zeros(asked, np.int32)
        self._played = np.zeros(games, np.bool_)
        self._won = np.zeros(games, np.bool_)
        self._stuck = np.zeros(games, np.bool_)
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
        self._stuck[numbers] = np.isin(which, played.stuck)
        self._ms[numbers] = np.array(played.ms, np.float32)[which]
        self._guesses[numbers] = np.array(played.guesses, np.int32)[which]
        if self.how.against is not None:
            self._gained[numbers] = np.array(played.gained, np.float32)[which]
            self._differing[numbers] = np.array(played.differing, np.int32)[which]
        self._played[numbers] = True
        if len(numbers):
            self.slowest = max(self.slowest, played.slowest)
            self.decisions.update(played.decisions)
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
        return Summary(
            self,
            self._won[:count],
            self._stuck[:count],
            self._ms[:count],
            self._guesses[:count],
            self._gained[:count],
            self._differing[:count],
        )

    @property
    def slowest_decision(self) -> float | None:
        """The milliseconds of the longest decision, None if there are none."""
        return self.slowest if self.decisions else None

    @property
    def slow_decision(self) -> float | None:
        """The milliseconds that 99 of 100 decisions did not exceed, up to 1.5 % too long; None of none."""
        found = percentile(self.decisions, 0.99)
        return None if found is None else min(found, self.slowest)

    @property
    def gain(self) -> Estimate:
        """How much more often than the other strategy it wins, by the advantages of all games so far."""
        return mean(self._gained[self._played])


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The games of one strategy on boards number 0 and up without a gap: arrays (games,).

    ``stuck`` are those that ended where a guess was needed and not wanted. ``gained`` and ``differing``, the
    sum and the number of the advantages, are empty if not asked for.
    """

    of: Results
    won: Won
    stuck: Won
    ms: Floats
    guesses: np.typing.NDArray[np.int32]
    gained: Floats
    differing: np.typing.NDArray[np.int32]

    @property
    def times(self) -> Times | None:
        """How long the games took, None if there are none."""
        return times(self.ms) if len(self.ms) else None

    def as_json(self, *, outcomes: bool = False) -> dict[str, object]:
        """Return the figures with one digit a game, 1 for a win: of many games only with ``outcomes``."""
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
            **({} if self.of.how.guess else {"stuck": int(self.stuck.sum())}),
            "ms_per_game": ms,
            "ms_per_decision": {"p99": self.of.slow_decision, "max": self.of.slowest_decision},
            "guesses_per_game": float(self.guesses.mean()) if len(self.won) else None,
            "outcomes": self._outcomes() if outcomes or len(self.won) <= OUTCOMES else None,
            **self._advantages(),
        }

    def _outcomes(self) -> str:
        return (self.won + ord("0")).astype(np.uint8).tobytes().decode("ascii")

    def _advantages(self) -> dict[str, object]:
        against = self.of.how.against
        if against is None:
            return {}
        gain, games = mean(self.gained), len(self.won)
        figures = {
            "over": against.strategy,
            "played_out": against.games,
            "gain": gain.value if games else None,
            "ci95": [gain.low, gain.high],
            "guesses_that_differ": float(self.differing.mean()) if games else None,
        }
        return {"advantages": figures}


def units_of(results: Results, solver: str) -> Iterator[Unit]:
    """Iterate over the units that are missing, cut at the same numbers in every run."""
    size = unit_size(results.boards, results.strategy, results.how)
    for gap in results.missing():
        for start, stop in pieces(*gap, size):
            yield Unit(results.boards, results.strategy, start, stop, results.how, solver)
