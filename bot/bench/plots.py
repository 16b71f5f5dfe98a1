"""Pictures of a benchmark: how often strategies win, and how long they think."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bot.bench.plan import Boards
from bot.bench.results import Summary
from bot.bench.statistics import win_rate
from bot.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST_MS = 1e-3  # a game that took no time at all has no place on a scale of powers of ten


def check_plot(path: Path) -> None:
    """Raise UsageError unless a plot can be written to ``path``: its ending is known, its folder is there."""
    from matplotlib.backend_bases import FigureCanvasBase  # takes a while, and only plots need it

    endings = FigureCanvasBase.get_supported_filetypes()
    if path.suffix.lower().lstrip(".") not in endings:
        raise UsageError(f"--plot {path}: the name must end in one of {', '.join(sorted(endings))}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--plot {path}: there is no folder {path.absolute().parent}")


def draw(summaries: Sequence[Summary], path: Path) -> None:
    """Draw the win rates with their 95 % intervals, and the share of games by time, to ``path``.

    Win rates are drawn against the mines where all boards have one size, against the density otherwise.
    Raises OSError if the file cannot be written.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    rates, spans = figure.subplots(1, 2)
    summaries = sorted(summaries, key=lambda one: one.of.boards.density)
    kinds = list(dict.fromkeys(one.of.boards for one in summaries))
    _name_places(rates, kinds)
    for strategy in dict.fromkeys(one.of.strategy for one in summaries):
        own = [one for one in summaries if one.of.strategy == strategy and len(one.won)]
        if own:
            _draw_rates(rates, own, _places(own, kinds), strategy)
            _draw_times(spans, own, strategy)
    spans.set(xscale="log", xlabel="milliseconds a game", ylabel="games that took no longer, %")
    for axes in (rates, spans):
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(path, dpi=150)


def _same_size(kinds: Sequence[Boards]) -> bool:
    return len({(boards.rows, boards.cols) for boards in kinds}) == 1


def _name_places(axes: Axes, kinds: Sequence[Boards]) -> None:
    axes.set_ylabel("games won, %")
    if len(kinds) == 1:
        axes.set_xlabel(f"strategy, {kinds[0].level}")
    elif _same_size(kinds):
        axes.set_xlabel(f"mines on {kinds[0].rows}x{kinds[0].cols}")
    else:
        axes.set_xlabel("mines / cells")
        for boards in kinds:
            place = (boards.density, 1.01)
            axes.annotate(boards.level, place, xycoords=("data", "axes fraction"), fontsize=7, ha="center")


def _places(summaries: Sequence[Summary], kinds: Sequence[Boards]) -> list[str] | list[float]:
    """Return where on the axis the win rates of one strategy stand."""
    if len(kinds) == 1:
        return [one.of.strategy for one in summaries]
    if _same_size(kinds):
        return [float(one.of.boards.mines) for one in summaries]
    return [one.of.boards.density for one in summaries]


def _draw_rates(
    axes: Axes, summaries: Sequence[Summary], places: list[str] | list[float], label: str
) -> None:
    found = [win_rate(int(one.won.sum()), len(one.won)) for one in summaries]
    value = 100 * np.array([rate.value for rate in found])
    low, high = (100 * np.array([getattr(rate, end) for rate in found]) for end in ("low", "high"))
    bars = np.maximum([value - low, high - value], 0)  # rounding may put an end a hair inside
    axes.errorbar(places, value, bars, marker=".", capsize=3, label=label)


def _draw_times(axes: Axes, summaries: Sequence[Summary], label: str) -> None:
    ms = np.sort(np.concatenate([one.ms for one in summaries]))
    shares = 100 * np.arange(1, len(ms) + 1) / len(ms)
    shown = np.unique(np.linspace(0, len(ms) - 1, 1000).astype(int))  # a million games draw the same line
    axes.plot(np.maximum(ms[shown], _LEAST_MS), shares[shown], label=label)
