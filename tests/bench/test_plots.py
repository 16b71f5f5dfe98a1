"""The charts of a benchmark: every strategy can be found in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from bot.bench.plan import Boards, UnitResult
from bot.bench.results import Results, Summary, charts_of
from bot.board import Cell, FirstClick
from bot.charts import save_charts
from bot.errors import PictureError
from bot.solver import STRATEGIES

MINES = (10, 15, 20, 25, 30, 35)
GAMES = 100
SVG = "{http://www.w3.org/2000/svg}"


def summary(strategy: str, mines: int, share: float, rows: int = 10, ms: float = 1.0) -> Summary:
    """Return the figures of games of which ``share`` is won, and which take up to ``ms`` * `GAMES`."""
    boards = Boards(rows, 10, mines, FirstClick.OPENING, Cell(0, 0), 1)
    results = Results(boards, STRATEGIES[strategy], GAMES)
    won = tuple(number < share * GAMES for number in range(GAMES))
    results.add(0, UnitResult(won, tuple(ms * number for number in range(GAMES)), (1,) * GAMES))
    return results.summary()


def falling(names: Sequence[str], apart: float) -> list[Summary]:
    """Return curves that fall from all games won to none, with a distance of ``apart``."""
    return [
        summary(name, mines, float(np.clip(1.4 - 0.045 * mines + apart * number, 0, 1)))
        for number, name in enumerate(names)
        for mines in MINES
    ]


class Drawn:
    """What a chart shows: its words, and its lines that have a name."""

    def __init__(self, svg: str) -> None:
        root = ElementTree.fromstring(svg)
        self.words = [str(text.text) for text in root.iter("text")]
        lines = {line.findtext("title"): line for line in root.iter("polyline")}
        self.looks = {name: line.get("style", "") for name, line in lines.items() if name}
        self.points = {
            name: [tuple(map(float, point.split(","))) for point in lines[name].get("points", "").split()]
            for name in self.looks
        }


def drawn(summaries: Sequence[Summary]) -> tuple[Drawn, Drawn]:
    rates, times = charts_of(summaries)
    return Drawn(rates.svg()), Drawn(times.svg())


def test_every_strategy_has_a_line_in_both_charts_and_a_place_in_the_legend() -> None:
    rates, times = drawn(falling(list(STRATEGIES), 0.05))
    assert list(rates.points) == list(times.points) == list(STRATEGIES)
    assert {words.split()[0] for words in rates.words if words.endswith(" %")} == set(STRATEGIES)
    for places in rates.points.values():
        assert len(places) == len(MINES)
        assert [x for x, _ in places] == sorted(x for x, _ in places)
        assert [y for _, y in places] == sorted(y for _, y in places)  # fewer wins are farther down
    told = ["Games won, % (95 %), 100 games each", "mines on 10x10", *map(str, MINES)]
    assert rates.words[: len(told)] == told


def test_the_legend_has_the_win_rates_where_they_are_farthest_apart_the_best_first() -> None:
    shares = {"counting": (0.9, 0.5, 0.1), "best": (0.9, 0.7, 0.2), "exact": (0.9, 0.6, 0.2)}
    played = [summary(name, 10 + 10 * i, won[i]) for name, won in shares.items() for i in range(3)]
    rates, _ = drawn(played)
    assert rates.words[-4:] == ["10x10/20:", "best 70.0 %", "exact 60.0 %", "counting 50.0 %"]


def test_strategies_look_different_and_the_same_in_every_picture() -> None:
    every, times = (chart.looks for chart in drawn(falling(list(STRATEGIES), 0.01)))
    assert len(set(every.values())) == len(STRATEGIES)
    assert times == every
    assert drawn(falling(["best", "komarov"], 0.01))[0].looks == {
        name: every[name] for name in ("best", "komarov")
    }


def test_boards_of_several_sizes_are_named_the_densest_last() -> None:
    rates, _ = drawn([summary("best", 20, 0.5, rows=5), summary("best", 10, 0.9)])
    assert rates.words[1:4] == ["level", "10x10/10", "5x10/20"]
    (_, easy), (_, hard) = rates.points["best"]
    assert easy < hard


def test_the_times_of_a_slow_strategy_are_farther_right_and_none_is_off_the_chart() -> None:
    _, times = drawn([summary("best", 10, 0.8, ms=1.0), summary("fast", 10, 0.9, ms=0.0)])
    assert max(x for x, _ in times.points["fast"]) < max(x for x, _ in times.points["best"])
    assert [words for words in times.words if words.startswith("0.")] == ["0.001", "0.01", "0.1"]
    for places in times.points.values():
        assert all(0 < x < 560 and 0 < y < 360 for x, y in places)


def test_a_file_has_all_charts_and_follows_light_and_dark(tmp_path: Path) -> None:
    save_charts(tmp_path / "bench.svg", charts_of([summary("best", 10, 0.8)]), 2)
    picture = ElementTree.parse(tmp_path / "bench.svg").getroot()
    titles = [chart.findtext(f"{SVG}title") for chart in picture.iter(f"{SVG}svg")]
    assert titles == [None, "Games won, % (95 %), 100 games each", "Games that took no longer, %"]
    texts = list(picture.iter(f"{SVG}text"))
    assert {"10x10/10", "best 80.0 %", "milliseconds a game"} <= {text.text for text in texts}
    assert {text.get("fill") for text in texts} == {"currentColor"}
    assert "prefers-color-scheme: dark" in str(picture.findtext(f"{SVG}style"))
    with pytest.raises(PictureError, match=r"the plot .* cannot be written"):
        save_charts(tmp_path / "gone" / "bench.svg", charts_of([summary("best", 10, 0.8)]), 2)
