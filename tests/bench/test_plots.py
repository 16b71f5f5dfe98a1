"""The plots of a benchmark: every strategy can be found in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bot.bench.plan import Boards, UnitResult
from bot.bench.plots import figure_of
from bot.bench.results import Results, Summary
from bot.board import Cell, FirstClick
from bot.solver import STRATEGIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MINES = (10, 15, 20, 25, 30, 35)
GAMES = 100


def summary(strategy: str, mines: int, share: float, rows: int = 10, games: int = GAMES) -> Summary:
    """Return the figures of ``games`` games of which ``share`` is won."""
    boards = Boards(rows, 10, mines, FirstClick.OPENING, Cell(0, 0), 1)
    results = Results(boards, STRATEGIES[strategy], GAMES)
    won = tuple(number < share * games for number in range(games))
    results.add(0, UnitResult(won, tuple(float(number) for number in range(games)), (1,) * games))
    return results.summary()


def falling(names: Sequence[str], apart: float) -> list[Summary]:
    """Return curves that fall from all games won to none, with a distance of ``apart``."""
    return [
        summary(name, mines, float(np.clip(1.4 - 0.045 * mines + apart * number, 0, 1)))
        for number, name in enumerate(names)
        for mines in MINES
    ]


def axes_of(figure: Figure) -> tuple[Axes, Axes]:
    figure.draw_without_rendering()
    rates, spans = figure.axes
    return rates, spans


def words_of(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def test_every_curve_has_a_place_in_the_legends() -> None:
    rates, spans = axes_of(figure_of(falling(list(STRATEGIES), 0.05)))
    assert {words.split()[0] for words in words_of(rates)} == set(STRATEGIES)
    assert words_of(spans) == list(STRATEGIES)


def test_the_legend_has_the_win_rates_where_they_are_farthest_apart_the_best_first() -> None:
    shares = {"counting": (0.9, 0.5, 0.1), "best": (0.9, 0.7, 0.2), "exact": (0.9, 0.6, 0.2)}
    played = [summary(name, 10 + 10 * i, won[i]) for name, won in shares.items() for i in range(3)]
    rates, _ = axes_of(figure_of(played))
    assert words_of(rates) == ["best 70.0 %", "exact 60.0 %", "counting 50.0 %"]


def test_strategies_look_different_and_the_same_in_every_picture() -> None:
    def looks(names: Sequence[str]) -> dict[str, tuple[object, ...]]:
        _, spans = axes_of(figure_of(falling(names, 0.01)))
        return {str(line.get_label()): (line.get_color(), line.get_linestyle()) for line in spans.get_lines()}

    every = looks(list(STRATEGIES))
    assert len(set(every.values())) == len(STRATEGIES)
    assert looks(["best", "komarov"]) == {name: every[name] for name in ("best", "komarov")}


def test_one_level_gives_a_row_for_each_strategy_the_best_at_the_top() -> None:
    rates, _ = axes_of(figure_of([summary("best", 10, 0.8), summary("fast", 10, 0.9)]))
    assert [label.get_text() for label in rates.get_yticklabels()] == ["best", "fast"]
    assert [text.get_text() for text in rates.texts] == ["80.0", "90.0"]
    assert rates.get_xlabel() == "games won, %, 10x10/10"


def test_nothing_played_is_an_empty_picture() -> None:
    for kinds in ((10,), (10, 20)):
        rates, spans = axes_of(figure_of([summary("best", mines, 0, games=0) for mines in kinds]))
        assert not rates.get_lines()
        assert not spans.get_lines()
