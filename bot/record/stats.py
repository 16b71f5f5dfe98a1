"""Statistics and plots of records: wins, speed, and a check of the risks that were computed for guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate, pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from bot.bench.plots import add_grid
from bot.bench.statistics import Estimate, win_rate
from bot.installation import needs
from bot.record.lines import Record, RecordedGame
from bot.solver.decision import Reason

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Result = Mapping[str, Any]
_BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0)  # of risks; few guesses have more than 0.6
_BLUE, _RED, _GREY = "#0072b2", "#d55e00", "#8c8c8c"


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


def svg_of(sums: Sequence[RunStatistics]) -> bytes:
    """Return the picture from `figure_of` as SVG, with its words as text.

    Raises MissingLibraryError without matplotlib.
    """
    with needs("plots", "a plot of the games"):
        from matplotlib import rc_context

    drawn = BytesIO()
    with rc_context({"svg.fonttype": "none"}):
        figure_of(sums).savefig(drawn, format="svg")
    return drawn.getvalue()


def figure_of(sums: Sequence[RunStatistics]) -> Figure:
    """Return a picture with six plots; where records are compared, each has its own colour."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(15, 8), layout="constrained")
    every = combined(sums)
    (wins, games, reasons), (times, speed, risks) = figure.subplots(2, 3)
    _draw_wins(wins, sums)
    _draw_games(games, every.results)
    reasons.barh([*every.reasons], [*every.reasons.values()], color=_BLUE)
    reasons.set(title="Rounds by what decided them")
    _draw_values(times, sums, "seconds", "Seconds of games won")
    _draw_values(speed, sums, "bbbv_per_second", "3BV/s of games won")
    _draw_risks(risks, every.guesses)
    counts = (wins.xaxis, games.xaxis, reasons.xaxis, times.yaxis, speed.yaxis)  # of games or rounds
    for axis in counts:
        axis.set_major_locator(MaxNLocator(integer=True))
    add_grid(figure)
    if len(sums) > 1:
        figure.legend(*wins.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _draw_wins(axes: Axes, sums: Sequence[RunStatistics]) -> None:
    for one in sums:
        counts = list(enumerate(accumulate(map(int, one.ends)), 1))
        rates = [win_rate(wins, games) for games, wins in counts]
        games = [games for games, _ in counts]
        (line,) = axes.plot(games, [100 * rate.value for rate in rates], label=one.name)
        low, high = [100 * rate.low for rate in rates], [100 * rate.high for rate in rates]
        axes.fill_between(games, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(title="Games won so far, % (95 %)", xlabel="games", ylim=(0, 100))


def _draw_games(axes: Axes, results: Sequence[Result]) -> None:
    """Draw the seconds that each game took."""
    for won, name, colour in ((True, "won", _BLUE), (False, "lost", _RED), (None, "unknown", _GREY)):
        took = [(game, one["seconds"]) for game, one in enumerate(results, 1) if one["won"] is won]
        if took:
            axes.plot(*zip(*took, strict=True), "o", color=colour, label=name)
    most = max((one["seconds"] for one in results), default=1.0)
    axes.set(title="Seconds a game", xlabel="games", ylim=(0, 1.05 * most or 1.0))
    if results:
        axes.legend(frameon=False)


def _draw_values(axes: Axes, sums: Sequence[RunStatistics], name: str, title: str) -> None:
    for one in sums:
        axes.hist(one.values(name, won=True), bins=20, alpha=0.6, label=one.name)
    axes.set(title=title, ylabel="games")


def _draw_risks(axes: Axes, guesses: Sequence[Guess]) -> None:
    """Draw the share of guesses lost at about the same risk; true risks lie on the dashed line."""
    for low, high in pairwise(_BINS):
        alike = [guess for guess in guesses if low < guess.risk <= high]
        if not alike:
            continue
        risk = sum(guess.risk for guess in alike) / len(alike)
        share = win_rate(sum(guess.lost for guess in alike), len(alike))
        errors = [[100 * max(0.0, share.value - share.low)], [100 * max(0.0, share.high - share.value)]]
        axes.errorbar(100 * risk, 100 * share.value, yerr=errors, fmt="o", color=_BLUE, capsize=3)
        axes.annotate(str(len(alike)), (100 * risk, 100 * share.value), (6, 4), textcoords="offset points")
    axes.plot([0, 100], [0, 100], color=_GREY, linestyle="--")
    axes.set(title="Guesses: lost, % (95 %), by their risk", xlabel="risk, %", xlim=(0, 100), ylim=(0, 100))
