"""What records tell when they are summed up: games won, how fast, and whether risks were true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from bot.bench.statistics import Estimate, win_rate
from bot.record.record import Record, RecordedGame
from bot.solver.decision import Reason

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess with its risk, and whether it lost the game."""

    risk: float
    lost: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of one record or several, under a ``name``.

    ``results`` are those of the games that were played to their end, in order; ``rounds`` how many rounds
    there were, ``deciding`` how many seconds each took from the picture to the decision.
    """

    name: str
    results: tuple[Result, ...]
    rounds: int
    deciding: tuple[float, ...]
    guesses: tuple[Guess, ...]

    @property
    def games(self) -> int:
        """How many games were played to their end."""
        return len(self.results)

    @property
    def ends(self) -> list[bool]:
        """Whether each of them was won, of those whose end is known."""
        return [result["won"] for result in self.results if result["won"] is not None]

    @property
    def known(self) -> int:
        """How many of them there are whose end is known."""
        return len(self.ends)

    @property
    def wins(self) -> int:
        """How many of them were won."""
        return sum(self.ends)

    @property
    def rate(self) -> Estimate:
        """The share of those that was won, with its 95 % interval."""
        return win_rate(self.wins, self.known)

    def values(self, name: str) -> list[float]:
        """Return what the results say of ``name``, of those that say something."""
        return [float(result[name]) for result in self.results if result.get(name) is not None]

    def of_won(self, name: str) -> list[float]:
        """Return the same of the games that were won."""
        return [float(one[name]) for one in self.results if one["won"] and one.get(name) is not None]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``minebot stats --json`` prints."""
        return {
            "record": self.name,
            "games": self.games,
            "wins": self.wins,
            "unknown": self.games - self.known,
            "win_rate": _rounded(self.rate.value) if self.known else None,
            "ci95": [_rounded(self.rate.low), _rounded(self.rate.high)],
            "rounds": self.rounds,
            "seconds": _rounded(_middle(self.of_won("seconds"))),
            "bbbv_per_second": _rounded(_middle(self.values("bbbv_per_second"))),
            "ioe": _rounded(_middle(self.values("ioe"))),
            "clicks": _rounded(_mean(self.values("clicks"))),
            "guesses": _rounded(_mean(self.values("guesses"))),
            "misreads": int(sum(self.values("misreads"))),
            "retries": int(sum(self.values("retries"))),
            "ms_to_decide": _rounded(_middle([1000 * one for one in self.deciding])),
            "lost_guesses": sum(guess.lost for guess in self.guesses),
            "expected_lost_guesses": _rounded(sum(guess.risk for guess in self.guesses)),
        }


def sums_of(record: Record) -> Sums:
    """Return the sums of one record."""
    turns = [turn for game in record.games for turn in game.rounds]
    return Sums(
        str(record.folder),
        tuple(game.result for game in record.games if game.result),
        len(turns),
        tuple(turn.decided - turn.seen.time for turn in turns),
        tuple(guess for game in record.games for guess in guesses_of(game)),
    )


def together(sums: Sequence[Sums]) -> Sums:
    """Return the sums of several records."""
    return Sums(
        "all",
        tuple(result for one in sums for result in one.results),
        sum(one.rounds for one in sums),
        tuple(seconds for one in sums for seconds in one.deciding),
        tuple(guess for one in sums for guess in one.guesses),
    )


def guesses_of(game: RecordedGame) -> Iterator[Guess]:
    """Iterate over the guesses of a game that ended whose risk was counted and not estimated."""
    if game.result is None:
        return
    for turn in game.rounds:
        decision = turn.decision
        if decision.reason is Reason.GUESS and decision.exact:
            last = turn is game.rounds[-1]
            yield Guess(decision.risk, last and game.result["outcome"] == "lost")


def _middle(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
