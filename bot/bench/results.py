"""The results of games, board by board, and the checkpoint file from which a run can continue.

The file is JSON lines: the first line describes the run, each other line holds a unit. An incomplete last
line is dropped. No game is lost or counted twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import cycle
from math import floor
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct
from msgspec.json import decode, encode

from bot.bench.plan import Boards, PlayOptions, Unit, UnitResult, unit_size
from bot.bench.statistics import Estimate, Floats, Won, mean, percentile, times, win_rate
from bot.charts import LOOKS, Axis, Chart
from bot.errors import BenchmarkError
from bot.files import append_to, opened, whole_lines
from bot.solver import STRATEGIES, Strategy
from bot.solver.strategies import PlainStrategy

OUTCOMES = 10_000  # with more games, the JSON has single outcomes only with --outcomes
_DEFAULTS = PlayOptions()
_GAME = np.dtype(
    [
        ("played", np.bool_),
        ("won", np.bool_),
        ("stuck", np.bool_),
        ("ms", np.float32),
        ("guesses", np.int32),
        ("gained", np.float32),
        ("differing", np.int32),
    ]
)
_LONGEST_LINE = 1 << 24  # bytes; a unit of 100,000 games takes 4 MB
_MOST_BYTES = 1 << 32  # bytes of a file; a million games take 40 MB
_LARGEST = 1 << 31  # numbers of boards and decisions are below it
_CHART = (560, 360)  # pixels
_POINTS = 300  # most points of a line
_ASIDE = 0.15  # how far apart lines are at the same boards, as a share of the way to the next
_LEAST_MS = 1e-3  # the least time on the axis, which is logarithmic
Key = tuple[str, str]  # size of the boards, name of the strategy


class _UnitLine(Struct):
    """The place of a unit, and its results."""

    size: str
    strategy: str
    start: Annotated[int, Meta(ge=0, lt=_LARGEST)]
    played: UnitResult


class Results:
    """The games of one strategy on the boards with numbers from 0 to ``games - 1``.

    ``slowest`` is the longest decision in milliseconds, ``decisions`` counts all decisions by their length.
    """

    def __init__(
        self, boards: Boards, strategy: Strategy, games: int, options: PlayOptions = _DEFAULTS
    ) -> None:
        self.boards, self.strategy, self.games, self.options = boards, strategy, games, options
        self.slowest, self.decisions = 0.0, Counter[int]()
        self._table = np.zeros(games, _GAME)

    def add(self, start: int, played: UnitResult) -> int:
        """Add games that begin at board number ``start``; return how many of them were new.

        Games that are already there, and games beyond the last board, are ignored.
        """
        numbers = np.arange(start, min(start + len(played.won), self.games))
        numbers = numbers[~self._table["played"][numbers]]
        which = numbers - start
        self._table["played"][numbers] = True
        self._table["stuck"][numbers] = np.isin(which, played.stuck)
        compared = ("gained", "differing") if self.options.against is not None else ()
        for name in ("won", "ms", "guesses", *compared):
            self._table[name][numbers] = np.array(getattr(played, name))[which]
        if len(numbers):
            self.slowest = max(self.slowest, played.slowest)
            self.decisions.update(played.decisions)
        return len(numbers)

    @property
    def so_far(self) -> Summary:
        """The figures of all games played so far; some boards in between may be missing."""
        return Summary(self, self._table[self._table["played"]])

    @property
    def decision_times(self) -> dict[str, float | None]:
        """The milliseconds that 99 % of decisions did not exceed, up to 1.5 % too high, and the maximum."""
        p99 = percentile(self.decisions, 0.99)
        if p99 is None:
            return {"p99": None, "max": None}
        return {"p99": min(p99, self.slowest), "max": self.slowest}

    def missing(self) -> Iterator[tuple[int, int]]:
        """Iterate over the ranges (start, stop) of boards that have not been played."""
        played = np.concatenate([[True], self._table["played"], [True]])
        edges = np.flatnonzero(np.diff(played.astype(np.int8)))
        return ((int(start), int(stop)) for start, stop in edges.reshape(-1, 2))

    def units(self, solver: str) -> Iterator[Unit]:
        """Yield the missing units, split at the same board numbers in every run."""
        size = unit_size(self.boards, self.strategy, self.options)
        for start, stop in self.missing():
            for cut in range(start - start % size, stop, size):
                begin, end = max(start, cut), min(stop, cut + size)
                yield Unit(self.boards, self.strategy, begin, end, self.options, solver)

    def summary(self) -> Summary:
        """Return the figures of all games before the first missing one, so that strategies are comparable."""
        count = next((start for start, _ in self.missing()), self.games)
        return Summary(self, self._table[:count])


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The figures of one strategy's games, in a ``table`` with one row per game."""

    of: Results
    table: npt.NDArray[np.void]

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.table)

    @property
    def won(self) -> Won:
        """Whether each game was won, bool (games,)."""
        return np.asarray(self.table["won"], np.bool_)

    @property
    def ms(self) -> Floats:
        """The milliseconds that each game took, float32 (games,)."""
        return np.asarray(self.table["ms"], np.float32)

    @property
    def rate(self) -> Estimate:
        """The share of games won, with its 95 % interval."""
        return win_rate(int(self.won.sum()), self.games)

    @property
    def stuck(self) -> int:
        """The number of games that stopped before a guess."""
        return int(self.table["stuck"].sum())

    @property
    def guesses(self) -> float | None:
        """The mean number of guesses per game; None if there are no games."""
        return float(self.table["guesses"].mean()) if self.games else None

    @property
    def gain(self) -> Estimate:
        """How much more often it wins than the other strategy, by the advantages of its guesses."""
        return mean(self.table["gained"])

    @property
    def differing(self) -> float | None:
        """The mean number of guesses per game that differ from the other strategy's; None without games."""
        return float(self.table["differing"].mean()) if self.games else None

    @property
    def times(self) -> dict[str, float | None]:
        """The `times` of the games."""
        return times(self.ms)

    def as_json(self, *, outcomes: bool = False) -> dict[str, object]:
        """Return all figures for JSON; for many games, single outcomes (1: won) only with ``outcomes``."""
        boards, against = self.of.boards, self.of.options.against
        figures: dict[str, object] = {
            "strategy": self.of.strategy.name,
            "level": boards.level,
            "rule": boards.rule.value,
            "first": f"{boards.first.row},{boards.first.col}",
            "seed": boards.seed,
            "games": self.games,
            "wins": int(self.won.sum()),
            "win_rate": self.rate.value if self.games else None,
            "ci95": [self.rate.low, self.rate.high],
            **({} if self.of.options.guess else {"stuck": self.stuck}),
            "ms_per_game": self.times,
            "ms_per_decision": self.of.decision_times,
            "guesses_per_game": self.guesses,
            "outcomes": None,
        }
        if outcomes or self.games <= OUTCOMES:
            figures["outcomes"] = (self.won + ord("0")).astype(np.uint8).tobytes().decode("ascii")
        if against is not None:
            figures["advantages"] = {
                "over": against.strategy.name,
                "played_out": against.games,
                "gain": self.gain.value if self.games else None,
                "ci95": [self.gain.low, self.gain.high],
                "guesses_that_differ": self.differing,
            }
        return figures


def charts_of(summaries: Sequence[Summary]) -> list[Chart]:
    """Return two charts of the same strategies on each kind of boards, all of whose games were played.

    The first has their win rates with the 95 % intervals, the densest boards last; its legend has the rates
    where they differ most. The second has the times. A strategy looks the same in every chart.
    """
    curves = dict[str, list[Summary]]()
    for one in sorted(summaries, key=lambda one: one.of.boards.density):
        curves.setdefault(one.of.strategy.name, []).append(one)
    looks = dict(zip(reversed([*STRATEGIES]), cycle(LOOKS), strict=False))
    return [_rates_chart(curves, looks), _times_chart(curves, looks)]


def _rates_chart(curves: Mapping[str, Sequence[Summary]], looks: Mapping[str, str]) -> Chart:
    first = next(iter(curves.values()))
    kinds = [one.of.boards for one in first]
    alike = len({(boards.rows, boards.cols) for boards in kinds}) == 1 < len(kinds)
    names = [str(boards.mines) if alike else boards.level for boards in kinds]
    label = f"mines on {kinds[0].rows}x{kinds[0].cols}" if alike else "level"
    rates = 100 * np.array([[astuple(one.rate) for one in own] for own in curves.values()])
    across = Axis(-0.5, len(kinds) - 0.5, names=dict(enumerate(names)))
    title = f"Games won, % (95 %), {first[0].games:,} games each"
    chart = Chart(title, across, Axis(rates.min(), rates.max()), label, _CHART)
    for number, (name, own) in enumerate(zip(curves, rates, strict=True)):
        places = np.arange(len(kinds)) + _ASIDE * ((number + 0.5) / len(curves) - 0.5)
        for place, (_, low, high) in zip(places, own, strict=True):
            chart.line([(place, low), (place, high)], looks[name], width=0.8)
        points = list(zip(places, own[:, 0], strict=True))
        chart.line(points, looks[name], name)
        chart.dots(points, looks[name])
    widest = int(np.ptp(rates[:, :, 0], axis=0).argmax())
    ranked = sorted(zip(rates[:, widest, 0], curves, strict=True), reverse=True)
    entries = [(looks[name], f"{name} {rate:.1f} %") for rate, name in ranked]
    chart.legend([("", f"{kinds[widest].level}:"), *entries])
    return chart


def _times_chart(curves: Mapping[str, Sequence[Summary]], looks: Mapping[str, str]) -> Chart:
    """Draw for each strategy the share of games that took no longer than a given time."""
    shares = np.linspace(0, 100, _POINTS)
    times = [np.percentile(np.concatenate([one.ms for one in own]), shares) for own in curves.values()]
    powers = np.log10(np.maximum(times, _LEAST_MS))
    low, high = floor(powers.min()), floor(powers.max()) + 1
    across = Axis(low, high, names={power: f"{10.0**power:g}" for power in range(low, high + 1)})
    chart = Chart("Games that took no longer, %", across, Axis(0, 100), "milliseconds a game", _CHART)
    for name, own in zip(curves, powers, strict=True):
        chart.line(zip(own, shares, strict=True), looks[name], name)
    return chart


def identity(
    boards: Boards, first: str | None, options: PlayOptions, strategies: Sequence[Strategy], solver: str
) -> dict[str, object]:
    """Return the settings that all games of a file must share; ``first`` is the option as given."""
    against = options.against
    digests = [one.digest for one in strategies if isinstance(one, PlainStrategy)]
    return {
        "--rule": boards.rule.value,
        "--seed": boards.seed,
        "--first": first or "the solver's",
        "--by-move": options.by_move,
        "--advantages": f"{against.games} over {against.strategy}" if against else "not asked for",
        "--guess": options.guess,
        "--learned": next(filter(None, digests), "none"),
        "the solver itself, which has changed,": solver,
    }


class Checkpoint:
    """The checkpoint file of a run: read when it is opened, then appended to.

    For each unit in the file, ``take`` is called with its boards and strategy, the number of its first board,
    and its results. One file may hold any number of games, strategies and sizes. Raises BenchmarkError if the
    file belongs to another run, or is no checkpoint.
    """

    def __init__(
        self, path: Path, run: Mapping[str, object], take: Callable[[Key, int, UnitResult], object]
    ) -> None:
        whole = _read(path, run, take) if path.exists() else 0
        self._file: BinaryIO = append_to(path, "r+b" if whole else "wb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write({"minebot bench": dict(run)})

    def add(self, unit: Unit, played: UnitResult) -> None:
        """Append the results of a unit."""
        self._write(_UnitLine(unit.boards.size, unit.strategy.name, unit.start, played))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, values: object) -> None:
        self._file.write(encode(values) + b"\n")
        self._file.flush()


def _read(path: Path, run: Mapping[str, object], take: Callable[[Key, int, UnitResult], object]) -> int:
    """Read the file; return the number of bytes in its complete lines."""
    number, whole = 1, 0
    try:
        with opened(path, _MOST_BYTES) as file:
            for number, line in enumerate(whole_lines(file, _LONGEST_LINE), 1):
                if number > 1:
                    take(*_unit(line))
                else:
                    _compare(path, decode(line, type=dict[str, dict[str, Any]])["minebot bench"], run)
                whole += len(line)
            if not whole and file.tell():
                raise ValueError("its first line has no end")
    except (ValueError, KeyError, OverflowError, RecursionError) as error:
        raise BenchmarkError(
            f"{path} is not a checkpoint, or its line {number} is damaged: give another file"
        ) from error
    return whole


def _compare(path: Path, there: Mapping[str, object], run: Mapping[str, object]) -> None:
    for name, value in run.items():
        if there[name] != value:
            raise BenchmarkError(
                f"{path} is the checkpoint of another run: {name} was {there[name]} there and is "
                f"{value} here; give another file, or the same options"
            )


def _unit(line: bytes) -> tuple[Key, int, UnitResult]:
    unit = decode(line, type=_UnitLine)
    played = unit.played
    games, compared = len(played.won), {len(played.gained), len(played.differing)}
    fits = games == len(played.ms) == len(played.guesses) and compared <= {0, games}
    if not fits or any(not 0 <= count < _LARGEST for pair in played.decisions.items() for count in pair):
        raise ValueError("a unit that cannot have been written")
    return (unit.size, unit.strategy), unit.start, played
