"""Plots of records: wins, times and speed over the games, and whether guesses were as risky as was said."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bot.bench.statistics import win_rate
from bot.record.stats import Guess, Sums, together

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0)  # of risks; from 0.6 on there are few


def draw(sums: Sequence[Sums], path: Path) -> None:
    """Draw what `figure_of` returns to ``path``. Raises OSError if the file cannot be written."""
    figure_of(sums).savefig(path, dpi=150)


def figure_of(sums: Sequence[Sums]) -> Figure:
    """Return a picture of four plots; each record has a colour."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 8), layout="constrained")
    (wins, times), (speed, risks) = figure.subplots(2, 2)
    _draw_wins(wins, sums)
    _draw_values(times, sums, "seconds", "Seconds of games won")
    _draw_values(speed, sums, "bbbv_per_second", "3BV/s of games won")
    _draw_risks(risks, together(sums).guesses)
    for axes in (wins, times, speed, risks):
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    if len(sums) > 1:
        figure.legend(*wins.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _draw_wins(axes: Axes, sums: Sequence[Sums]) -> None:
    for one in sums:
        counts = list(enumerate(accumulate(map(int, one.ends)), 1))
        rates = [win_rate(wins, games) for games, wins in counts]
        games = [games for games, _ in counts]
        (line,) = axes.plot(games, [100 * rate.value for rate in rates], label=one.name)
        low, high = [100 * rate.low for rate in rates], [100 * rate.high for rate in rates]
        axes.fill_between(games, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(title="Games won so far, % (95 %)", xlabel="games", ylim=(0, 100))


def _draw_values(axes: Axes, sums: Sequence[Sums], name: str, title: str) -> None:
    for one in sums:
        axes.hist(one.of_won(name), bins=20, alpha=0.6, label=one.name)
    axes.set(title=title, ylabel="games")


def _draw_risks(axes: Axes, guesses: Sequence[Guess]) -> None:
    """Draw which share of the guesses of about one risk was lost: on the line it is what was said."""
    for low, high in pairwise(_BINS):
        alike = [guess for guess in guesses if low < guess.risk <= high]
        if not alike:
            continue
        risk = sum(guess.risk for guess in alike) / len(alike)
        share = win_rate(sum(guess.lost for guess in alike), len(alike))
        errors = [[100 * max(0.0, share.value - share.low)], [100 * max(0.0, share.high - share.value)]]
        axes.errorbar(100 * risk, 100 * share.value, yerr=errors, fmt="o", color="#0072b2", capsize=3)
        axes.annotate(str(len(alike)), (100 * risk, 100 * share.value), (6, 4), textcoords="offset points")
    axes.plot([0, 100], [0, 100], color="#8c8c8c", linestyle="--")
    axes.set(title="Guesses: lost, % (95 %), by their risk", xlabel="risk, %", xlim=(0, 100), ylim=(0, 100))
