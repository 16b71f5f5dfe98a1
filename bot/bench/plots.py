"""Plots of a benchmark: how often strategies win, and how long they think."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.bench.plan import Boards
from bot.bench.results import Summary
from bot.errors import PictureError
from bot.files import PUBLIC, check_output, replacing
from bot.installation import needs
from bot.solver import STRATEGIES, Strategy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import Figure

_LEAST_MS = 1e-3  # the least time on the axis; a logarithmic scale has no place for 0
# Colours that colour-blind people can tell apart too, in the order of the strategies: those of Okabe and Ito
# (2008), with grey instead of their yellow, which is hard to see, and two of Paul Tol's.
_COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
    *("#8c8c8c", "#882255", "#000000", "#332288"),
)
_MARKERS = "os^DvPX*<>"
_DASHES = ("-", "--", ":")
_ASIDE = 0.02  # how far apart strategies are drawn at the same place, as a share of the axis


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The win rates of a strategy at its ``places`` on the horizontal axis."""

    strategy: Strategy
    summaries: Sequence[Summary]
    places: Sequence[float]

    @property
    def rates(self) -> list[float]:
        """The win rates in percent."""
        return [100 * one.rate.value for one in self.summaries]

    @property
    def errors(self) -> list[list[float]]:
        """The lengths of the 95 % error bars in percentage points: all those downwards, then all upwards."""
        ends = [
            (rate.value - rate.low, rate.high - rate.value) for rate in (one.rate for one in self.summaries)
        ]
        return [[100 * max(0, end[side]) for end in ends] for side in (0, 1)]  # rounding may make it negative

    @property
    def look(self) -> dict[str, Any]:
        """The colour, line style and marker of the strategy, the same in every plot."""
        number = list(STRATEGIES).index(self.strategy.name)
        return {
            "color": _COLOURS[number % len(_COLOURS)],
            "linestyle": _DASHES[number // len(_COLOURS) % len(_DASHES)],
            "marker": _MARKERS[number % len(_MARKERS)],
        }


def check_plot(path: Path) -> None:
    """Raise UsageError unless a plot can be written to ``path``: known file type, existing folder.

    Raises MissingLibraryError without matplotlib.
    """
    with needs("--plot"):
        from matplotlib.backend_bases import FigureCanvasBase  # slow to import, and needed only for plots

    known = FigureCanvasBase.get_supported_filetypes()
    check_output(path, "--plot", *(f".{ending}" for ending in sorted(known)))


def save_plot(figure: Figure, path: Path) -> None:
    """Write a picture to ``path``. Raises PictureError if the file cannot be written."""
    try:
        with replacing(path, PUBLIC) as file:
            figure.savefig(file, dpi=150, format=path.suffix[1:].lower())
    except OSError as error:
        raise PictureError(f"the plot {path} cannot be written: {error.strerror}") from error


def add_grid(figure: Figure) -> None:
    """Draw a light grid in every plot of a picture, instead of a frame."""
    for axes in figure.axes:
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)


def figure_of(summaries: Sequence[Summary]) -> Figure:
    """Return a picture of the win rates with their 95 % intervals, and of how long games took.

    If all boards have one size, win rates are curves over the number of mines, otherwise over the density of
    mines; the legend lists the rates at the level where they differ most. For a single kind of board, each
    strategy has a row. A strategy has the same colour in every picture.
    """
    from matplotlib.figure import Figure

    summaries = sorted(summaries, key=lambda one: one.of.boards.density)
    kinds = list(dict.fromkeys(one.of.boards for one in summaries))
    curves = list[Curve]()
    for strategy in dict.fromkeys(one.of.strategy for one in summaries if one.games):
        own = [one for one in summaries if one.of.strategy == strategy and one.games]
        curves.append(Curve(strategy, own, [_axis_position(one.of.boards, kinds) for one in own]))
    figure = Figure(figsize=(12, 5.6), layout="constrained")
    rates, spans = figure.subplots(1, 2, width_ratios=(3, 2))
    if len(kinds) == 1:
        _draw_rows(rates, curves, kinds[0])
    else:
        _draw_curves(rates, curves, kinds)
    _draw_times(spans, curves)
    games = sorted(one.games for curve in curves for one in curve.summaries) or [0]
    each = f"{games[0]:,}" if games[0] == games[-1] else f"{games[0]:,} to {games[-1]:,}"
    rates.set_title(f"{each} games each", fontsize=10)
    add_grid(figure)
    return figure


def _axis_position(boards: Boards, kinds: Sequence[Boards]) -> float:
    """Return the position of such boards on the horizontal axis: their mines, or their density of mines."""
    return float(boards.mines) if _same_size(kinds) else boards.density


def _same_size(kinds: Sequence[Boards]) -> bool:
    return len({(boards.rows, boards.cols) for boards in kinds}) == 1


def _draw_rows(axes: Axes, curves: Sequence[Curve], boards: Boards) -> None:
    """Draw the win rate of each strategy in its own row, the best at the top."""
    ranked = sorted(curves, key=lambda curve: curve.rates[0])
    axes.set_xlabel(f"games won, %, {boards.level}")
    axes.set_yticks(range(len(ranked)), [curve.strategy.name for curve in ranked])
    axes.set_ylim(-0.6, len(ranked) - 0.4)
    for row, curve in enumerate(ranked):
        axes.errorbar(curve.rates, [row], xerr=curve.errors, capsize=3, **curve.look)
        place = (curve.rates[0], row)
        axes.annotate(f"{curve.rates[0]:.1f}", place, (0, 7), textcoords="offset points", ha="center")


def _draw_curves(axes: Axes, curves: Sequence[Curve], kinds: Sequence[Boards]) -> None:
    """Draw the win rates as curves; the legend lists the rates where the curves are farthest apart."""
    axes.set(ylabel="games won, %", ylim=(0, 101))
    if _same_size(kinds):
        axes.set_xlabel(f"mines on {kinds[0].rows}x{kinds[0].cols}")
        axes.set_xticks(sorted({boards.mines for boards in kinds}))
    else:
        axes.set_xlabel("mines / cells")
        for boards in kinds:
            above = (boards.density, 1.01)
            axes.annotate(boards.level, above, xycoords=("data", "axes fraction"), fontsize=7, ha="center")
    places = [_axis_position(boards, kinds) for boards in kinds]
    span = max(places) - min(places) or 1.0
    lines: dict[Curve, ErrorbarContainer] = {}
    for number, curve in enumerate(curves):
        aside = (number / max(1, len(curves) - 1) - 0.5) * _ASIDE * span
        shifted = [place + aside for place in curve.places]
        lines[curve] = axes.errorbar(
            shifted, curve.rates, curve.errors, markersize=5, elinewidth=0.7, **curve.look
        )
    widest = max(kinds, key=lambda boards: _gap(_at(curves, _axis_position(boards, kinds))))
    rates = sorted(_at(curves, _axis_position(widest, kinds)).items(), key=lambda item: -item[1])
    if rates:
        names = [f"{curve.strategy} {rate:.1f} %" for curve, rate in rates]
        axes.legend(
            [lines[curve] for curve, _ in rates], names, title=widest.level, frameon=False, fontsize=9
        )


def _at(curves: Sequence[Curve], place: float) -> dict[Curve, float]:
    """Return the win rate of each curve that has one at ``place``."""
    return {curve: curve.rates[curve.places.index(place)] for curve in curves if place in curve.places}


def _gap(rates: Mapping[Curve, float]) -> float:
    return max(rates.values()) - min(rates.values()) if rates else -1.0


def _draw_times(axes: Axes, curves: Sequence[Curve]) -> None:
    """Draw for each strategy the share of games that took no longer than a given time."""
    axes.set(xscale="log", xlabel="milliseconds a game", ylabel="games that took no longer, %", ylim=(0, 101))
    for curve in curves:
        ms = np.sort(np.concatenate([one.ms for one in curve.summaries]))
        shares = 100 * np.arange(1, len(ms) + 1) / len(ms)
        shown = np.unique(np.linspace(0, len(ms) - 1, 1000).astype(int))  # enough points for a smooth line
        look = {**curve.look, "marker": ""}
        axes.plot(np.maximum(ms[shown], _LEAST_MS), shares[shown], label=curve.strategy.name, **look)
    if curves:
        axes.legend(frameon=False, fontsize=9)
