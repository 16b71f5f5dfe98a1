"""Statistics and charts of records: wins, speed, and a check of the risks that were computed for guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate, cycle, pairwise
from math import ceil, floor, log10
from statistics import fmean, median
from typing import Any

from bot.bench.statistics import Estimate, win_rate
from bot.record.lines import Record, RecordedGame
from bot.solver.decision import Reason

Result = Mapping[str, Any]
Point = tuple[float, float]
_BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0)  # of risks; few guesses have more than 0.6
_POINTS, _BARS = 300, 20  # most points of a line; bars of a chart of values
# A chart and its margins, in pixels.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 360, 240, 44, 18, 26, 36
# Colours that colour-blind people can tell apart, those of Okabe and Ito (2008); a page may set its own.
_COLOURS = {
    "blue": "var(--blue, #0072b2)",
    "red": "var(--red, #d55e00)",
    "green": "var(--green, #009e73)",
    "pink": "var(--pink, #cc79a7)",
    "orange": "var(--orange, #e69f00)",
    "grey": "var(--grey, #8c8c8c)",
}
_STYLE = """<style>
:root { font-family: sans-serif; color: #000; background: #fff }
@media (prefers-color-scheme: dark) { :root { color: #ddd; background: #1b1b1b; --blue: #56b4e9 } }
</style>"""


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


class _Chart:
    """A chart as SVG; its text has the current colour, so that it follows the colours of a page.

    ``x`` and ``y`` are the ends of its axes; ``whole`` names those that count. ``names`` replace the numbers
    beside the vertical one.
    """

    def __init__(
        self,
        title: str,
        x: tuple[float, float],
        y: tuple[float, float],
        label: str,
        whole: str = "",
        names: Sequence[str] = (),
    ) -> None:
        self._x, self._y = x, y
        self._left = _LEFT + 50 * bool(names)
        self._parts = [f"<title>{escape(title)}</title>"]
        self.text((self._left + _WIDTH - _RIGHT) / 2, 14, title, "middle", size=13)
        self.text((self._left + _WIDTH - _RIGHT) / 2, _HEIGHT - 4, label, "middle")
        for value in _ticks(*x, whole="x" in whole):
            across, down = self.place(value, y[0])
            self.line([(value, y[0]), (value, y[1])], "grey", width=0.5, opacity=0.4)
            self.text(across, down + 14, f"{value:g}", "middle")
        for value in range(len(names)) if names else _ticks(*y, whole="y" in whole):
            across, down = self.place(x[0], value)
            if not names:
                self.line([(x[0], value), (x[1], value)], "grey", width=0.5, opacity=0.4)
            self.text(across - 6, down + 4, names[int(value)] if names else f"{value:g}", "end")

    def __str__(self) -> str:
        size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        return f'<svg role="img" {size}>{"".join(self._parts)}</svg>'

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the chart is drawn."""
        width, height = _WIDTH - self._left - _RIGHT, _HEIGHT - _TOP - _BOTTOM
        across = (x - self._x[0]) / (self._x[1] - self._x[0])
        up = (y - self._y[0]) / (self._y[1] - self._y[0])
        return round(self._left + width * across, 1), round(_TOP + height * (1 - up), 1)

    def text(self, x: float, y: float, words: str, anchor: str = "start", size: int = 11) -> None:
        """Write words at a place of the picture."""
        look = f'font-size="{size}" fill="currentColor" text-anchor="{anchor}"'
        self._parts.append(f'<text x="{x:g}" y="{y:g}" {look}>{escape(words)}</text>')

    def line(self, points: Iterable[Point], colour: str, width: float = 1.5, opacity: float = 1) -> None:
        """Draw a line through points."""
        look = f"fill:none;stroke:{_COLOURS[colour]};stroke-width:{width};opacity:{opacity}"
        self._parts.append(f'<polyline points="{self._listed(points)}" style="{look}"/>')

    def area(self, points: Iterable[Point], colour: str, opacity: float = 0.6) -> None:
        """Fill the area between points."""
        look = f"fill:{_COLOURS[colour]};opacity:{opacity}"
        self._parts.append(f'<polygon points="{self._listed(points)}" style="{look}"/>')

    def bar(self, x: tuple[float, float], y: tuple[float, float], colour: str) -> None:
        """Draw a bar between two values of each axis."""
        self.area([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], colour)

    def dots(self, points: Iterable[Point], colour: str) -> None:
        """Draw a dot at each point."""
        path = "".join("M{:g} {:g}h0".format(*self.place(*point)) for point in points)
        look = f"stroke:{_COLOURS[colour]};stroke-width:6;stroke-linecap:round"
        self._parts.append(f'<path d="{path}" style="{look}"/>')

    def legend(self, entries: Iterable[tuple[str, str]]) -> None:
        """Write what each colour means, on a line of its own, in the top right corner."""
        for number, (colour, words) in enumerate(entries):
            x, y = _WIDTH - _RIGHT - 6, _TOP + 12 + 14 * number
            self.text(x - 8, y, words, "end")
            look = f"fill:{_COLOURS[colour]}"
            self._parts.append(f'<circle cx="{x}" cy="{y - 4}" r="4" style="{look}"/>')

    def _listed(self, points: Iterable[Point]) -> str:
        return " ".join("{:g},{:g}".format(*self.place(*point)) for point in points)


def _ticks(low: float, high: float, *, whole: bool) -> list[float]:
    """Return about five round numbers between two numbers, or ``whole`` numbers."""
    power = 10 ** floor(log10((high - low) / 5))
    step = next(step * power for step in (1, 2, 5, 10) if step * power * 5.5 >= high - low)
    step = max(step, 1) if whole else step
    return [round(number * step, 10) for number in range(ceil(low / step), floor(high / step) + 1)]


def charts_of(sums: Sequence[RunStatistics]) -> list[str]:
    """Return six charts as SVG elements; where records are compared, each has its own colour."""
    every = combined(sums)
    colours = dict(zip((one.name for one in sums), cycle(_COLOURS), strict=False))
    charts = (
        _wins_chart(sums, colours),
        _games_chart(every.results),
        _reasons_chart(every.reasons),
        _values_chart(sums, colours, "seconds", "Seconds of games won"),
        _values_chart(sums, colours, "bbbv_per_second", "3BV/s of games won"),
        _risks_chart(every.guesses),
    )
    return [str(chart) for chart in charts]


def svg_of(sums: Sequence[RunStatistics]) -> str:
    """Return the charts as one picture, an SVG file that follows the light or dark colours of its viewer."""
    places = [f'<svg x="{_WIDTH * col}" y="{_HEIGHT * row}"' for row in range(2) for col in range(3)]
    charts = (
        place + chart.removeprefix("<svg") for place, chart in zip(places, charts_of(sums), strict=True)
    )
    size = f'viewBox="0 0 {3 * _WIDTH} {2 * _HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{_STYLE}{"".join(charts)}</svg>\n'


def _wins_chart(sums: Sequence[RunStatistics], colours: Mapping[str, str]) -> _Chart:
    most = max((one.known for one in sums), default=0)
    chart = _Chart("Games won so far, % (95 %)", (1, max(2, most)), (0, 100), "games", "x")
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


def _games_chart(results: Sequence[Result]) -> _Chart:
    most = max((one["seconds"] for one in results), default=0.0) or 1.0
    chart = _Chart("Seconds a game", (0, len(results) + 1), (0, 1.3 * most), "games", "x")
    kinds = {True: ("blue", "won"), False: ("red", "lost"), None: ("grey", "unknown")}
    for won, (colour, _) in kinds.items():
        took = ((game, one["seconds"]) for game, one in enumerate(results, 1) if one["won"] is won)
        chart.dots(took, colour)
    there = {one["won"] for one in results}
    chart.legend(look for won, look in kinds.items() if won in there)
    return chart


def _reasons_chart(reasons: Mapping[str, int]) -> _Chart:
    most = max(reasons.values(), default=1)
    names = [*reversed([*reasons])]
    chart = _Chart(
        "Rounds by what decided them", (0, 1.05 * most), (-0.6, len(names) - 0.4), "rounds", "x", names
    )
    for row, name in enumerate(names):
        chart.bar((0, reasons[name]), (row - 0.3, row + 0.3), "blue")
    return chart


def _values_chart(sums: Sequence[RunStatistics], colours: Mapping[str, str], name: str, title: str) -> _Chart:
    """Draw how many won games have about the same value."""
    values = {one.name: one.values(name, won=True) for one in sums}
    every = sorted(value for own in values.values() for value in own) or [0.0, 1.0]
    low, width = every[0], (every[-1] - every[0]) / _BARS or 1.0 / _BARS
    counts = {
        own: Counter(min(int((value - low) / width), _BARS - 1) for value in values[own]) for own in values
    }
    most = max((count for own in counts.values() for count in own.values()), default=1)
    chart = _Chart(title, (low, low + _BARS * width), (0, 1.1 * most), "games, by this value", "y")
    for own, count in counts.items():
        for number, games in sorted(count.items()):
            chart.bar((low + number * width, low + (number + 1) * width), (0, games), colours[own])
    return chart


def _risks_chart(guesses: Sequence[Guess]) -> _Chart:
    """Draw the share of guesses lost at about the same risk; true risks lie on the diagonal."""
    chart = _Chart("Guesses: lost, % (95 %), by their risk", (0, 100), (0, 100), "risk, %")
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
