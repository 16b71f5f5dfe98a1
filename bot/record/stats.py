"""Statistics and charts of records: wins, speed, and a check of the risks that were computed for guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, cycle, pairwise
from math import ceil
from statistics import fmean, median
from typing import Any

import numpy as np

from bot.bench.statistics import Estimate, win_rate
from bot.charts import LOOKS, Axis, Chart
from bot.record.lines import Record, RecordedGame
from bot.solver.decision import Reason

Result = Mapping[str, Any]
_BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0)  # of risks; few guesses have more than 0.6
_POINTS, _BARS = 300, 20  # most points of a line; bars of a chart of values


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess: its risk, and whether it lost the game."""

    risk: float
    lost: bool


@dataclass(frozen=True, slots=True)
class RunStatistics:
    """The totals of one record, or of several together, called ``name``.

    ``results`` are the results of the games played to their end, in order. ``deciding`` are the seconds from
    picture to decision of each round, and ``reasons`` the number of rounds for each reason of a decision.
    """

    name: str
    results: tuple[Result, ...]
    deciding: tuple[float, ...]
    guesses: tuple[Guess, ...]
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """The number of games played to their end."""
        return len(self.results)

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.deciding)

    @property
    def ends(self) -> list[bool]:
        """Whether each game was won, without the games whose outcome is unknown."""
        return [result["won"] for result in self.results if result["won"] is not None]

    @property
    def known(self) -> int:
        """The number of games whose outcome is known."""
        return len(self.ends)

    @property
    def wins(self) -> int:
        """The number of games won."""
        return sum(self.ends)

    @property
    def rate(self) -> Estimate:
        """The share of games won among those with a known outcome, with its 95 % interval."""
        return win_rate(self.wins, self.known)

    def values(self, name: str, *, won: bool = False) -> list[float]:
        """Return the values of ``name`` in the results that have one; with ``won``, those of won games."""
        chosen = (one for one in self.results if one["won"] or not won)
        return [float(one[name]) for one in chosen if one.get(name) is not None]

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``minebot stats --json`` prints."""
        return {
            "record": self.name,
            "games": self.games,
            "wins": self.wins,
            "unknown": self.games - self.known,
            "win_rate": round(self.rate.value, 4) if self.known else None,
            "ci95": [round(self.rate.low, 4), round(self.rate.high, 4)],
            "rounds": self.rounds,
            "seconds": _figure(median, self.values("seconds", won=True)),
            "bbbv_per_second": _figure(median, self.values("bbbv_per_second")),
            "ioe": _figure(median, self.values("ioe")),
            "clicks": _figure(fmean, self.values("clicks")),
            "guesses": _figure(fmean, self.values("guesses")),
            "misreads": int(sum(self.values("misreads"))),
            "retries": int(sum(self.values("retries"))),
            "ms_to_decide": _figure(median, [1000 * one for one in self.deciding]),
            "lost_guesses": sum(guess.lost for guess in self.guesses),
            "expected_lost_guesses": round(sum(guess.risk for guess in self.guesses), 4),
        }


def statistics_of(record: Record) -> RunStatistics:
    """Return the totals of one record."""
    turns = [turn for game in record.games for turn in game.rounds]
    return RunStatistics(
        str(record.folder),
        tuple(game.result for game in record.games if game.result),
        tuple(turn.decided - turn.seen.time for turn in turns),
        tuple(guess for game in record.games for guess in guesses_of(game)),
        Counter(turn.decision.reason.value for turn in turns),
    )


def combined(sums: Sequence[RunStatistics]) -> RunStatistics:
    """Return the totals of several records together."""
    return RunStatistics(
        "all",
        tuple(result for one in sums for result in one.results),
        tuple(seconds for one in sums for seconds in one.deciding),
        tuple(guess for one in sums for guess in one.guesses),
        sum((one.reasons for one in sums), Counter[str]()),
    )


def guesses_of(game: RecordedGame) -> Iterator[Guess]:
    """Yield the guesses with an exact risk in a game; none if the game was not played to its end."""
    if game.result is None:
        return
    for turn in game.rounds:
        decision = turn.decision
        if decision.reason is Reason.GUESS and decision.exact:
            last = turn is game.rounds[-1]
            yield Guess(decision.risk, last and game.result["outcome"] == "lost")


def _figure(of: Callable[[list[float]], float], values: list[float]) -> float | None:
    """Return ``of(values)``, rounded to 4 places; None if there are no values."""
    return round(of(values), 4) if values else None


def charts_of(sums: Sequence[RunStatistics]) -> list[Chart]:
    """Return six charts; where records are compared, each has its own look."""
    every = combined(sums)
    colours = dict(zip((one.name for one in sums), cycle(LOOKS), strict=False))
    return [
        _wins_chart(sums, colours),
        _games_chart(every.results),
        _reasons_chart(every.reasons),
        _values_chart(sums, colours, "seconds", "Seconds of games won"),
        _values_chart(sums, colours, "bbbv_per_second", "3BV/s of games won"),
        _risks_chart(every.guesses),
    ]


def _wins_chart(sums: Sequence[RunStatistics], colours: Mapping[str, str]) -> Chart:
    most = max((one.known for one in sums), default=0)
    chart = Chart("Games won so far, % (95 %)", Axis(1, max(2, most), whole=True), Axis(0, 100), "games")
    for one in sums:
        counts = list(enumerate(accumulate(map(int, one.ends)), 1))
        shown = counts[:: ceil(len(counts) / _POINTS) or 1]  # more would not be seen
        rates = [(games, win_rate(wins, games)) for games, wins in shown]
        upper = [(games, 100 * rate.high) for games, rate in rates]
        lower = [(games, 100 * rate.low) for games, rate in rates]
        chart.area([*upper, *reversed(lower)], colours[one.name], opacity=0.2)
        chart.line([(games, 100 * rate.value) for games, rate in rates], colours[one.name])
    if len(sums) > 1:
        chart.legend((colours[one.name], one.name) for one in sums)
    return chart


def _games_chart(results: Sequence[Result]) -> Chart:
    most = max((one["seconds"] for one in results), default=0.0) or 1.0
    chart = Chart("Seconds a game", Axis(0, len(results) + 1, whole=True), Axis(0, 1.3 * most), "games")
    kinds = {True: ("blue", "won"), False: ("red", "lost"), None: ("grey", "unknown")}
    for won, (colour, _) in kinds.items():
        took = ((game, one["seconds"]) for game, one in enumerate(results, 1) if one["won"] is won)
        chart.dots(took, colour)
    there = {one["won"] for one in results}
    chart.legend(look for won, look in kinds.items() if won in there)
    return chart


def _reasons_chart(reasons: Mapping[str, int]) -> Chart:
    rounds = Axis(0, 1.05 * max(reasons.values(), default=1), whole=True)
    names = dict[float, str](enumerate(reversed([*reasons])))
    chart = Chart("Rounds by what decided them", rounds, Axis(-0.6, len(names) - 0.4, names=names), "rounds")
    for row, name in names.items():
        chart.bar((0, reasons[name]), (row - 0.3, row + 0.3), "blue")
    return chart


def _values_chart(sums: Sequence[RunStatistics], colours: Mapping[str, str], name: str, title: str) -> Chart:
    """Draw how many won games have about the same value."""
    values = {one.name: one.values(name, won=True) for one in sums}
    every = [value for own in values.values() for value in own] or [0.0]
    edges = np.linspace(min(every), max(every) if max(every) > min(every) else min(every) + 1, _BARS + 1)
    counts = {own: np.histogram(some, edges)[0] for own, some in values.items()}
    most = max((count.max() for count in counts.values()), default=0) or 1
    games = Axis(0, 1.1 * most, whole=True)
    chart = Chart(title, Axis(edges[0], edges[-1]), games, "games, by this value")
    for own, count in counts.items():
        for ends, number in zip(pairwise(edges), count, strict=True):
            if number:
                chart.bar(ends, (0, number), colours[own])
    return chart


def _risks_chart(guesses: Sequence[Guess]) -> Chart:
    """Draw the share of guesses lost at about the same risk; true risks lie on the diagonal."""
    chart = Chart("Guesses: lost, % (95 %), by their risk", Axis(0, 100), Axis(0, 100), "risk, %")
    chart.line([(0, 0), (100, 100)], "grey")
    for low, high in pairwise(_BINS):
        alike = [guess for guess in guesses if low < guess.risk <= high]
        if not alike:
            continue
        risk = 100 * sum(guess.risk for guess in alike) / len(alike)
        share = win_rate(sum(guess.lost for guess in alike), len(alike))
        chart.line([(risk, 100 * share.low), (risk, 100 * share.high)], "blue")
        chart.dots([(risk, 100 * share.value)], "blue")
        x, y = chart.place(risk, 100 * share.value)
        chart.text(x + 6, y - 6, str(len(alike)))
    return chart
