"""Rates and differences with 95 % intervals, and statistics of how long games and decisions take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

Z = 1.959964  # the middle 95 % of a normal distribution lies within Z standard deviations
Won = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Durations = Mapping[int, int]  # steps on a logarithmic scale of time, and how many decisions are on each

_STEPS = 48  # steps in a doubling of time; one step is 1.5 %
_LEAST_MS = 1e-4


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def win_rate(wins: int, games: int) -> Estimate:
    """Return the share of games won with its Wilson interval; without games, nan with 0 to 1."""
    if games == 0:
        return Estimate(float("nan"), 0.0, 1.0)
    rate, weight = wins / games, Z * Z / games
    centre = (rate + weight / 2) / (1 + weight)
    half = Z * sqrt(rate * (1 - rate) / games + weight / (4 * games)) / (1 + weight)
    return Estimate(rate, max(0.0, centre - half), min(1.0, centre + half))


def difference(one: Won, other: Won) -> Estimate:
    """Return how much more often ``one`` wins than ``other`` on the same boards, bool (games,) each.

    Only boards that exactly one of them wins matter. The interval is that of Agresti and Min (2005): half a
    game is added to each of the four outcomes of a board, so that it also holds for few games.
    """
    games = len(one)
    if games == 0:
        return Estimate(float("nan"), -1.0, 1.0)
    gained = int(np.count_nonzero(one & ~other))
    lost = int(np.count_nonzero(other & ~one))
    centre = (gained - lost) / (games + 2)
    half = Z * sqrt((gained + lost + 1) / (games + 2) - centre * centre) / sqrt(games + 2)
    return Estimate((gained - lost) / games, max(-1.0, centre - half), min(1.0, centre + half))


def mean(gains: Floats) -> Estimate:
    """Return the mean of differences between two chances; with fewer than two, the interval is -1 to 1."""
    games = len(gains)
    if games < 2:
        return Estimate(float(gains[0]) if games else float("nan"), -1.0, 1.0)
    centre = float(gains.mean(dtype=np.float64))
    half = Z * float(gains.std(dtype=np.float64, ddof=1)) / sqrt(games)
    return Estimate(centre, max(-1.0, centre - half), min(1.0, centre + half))


def times(ms: Floats) -> dict[str, float | None]:
    """Return the mean, median, 99th percentile and maximum of ``ms`` by their names; None if it is empty."""
    if not len(ms):
        return dict.fromkeys(("mean", "median", "p99", "max"))
    median, p99 = np.percentile(ms, [50, 99])
    mean = float(ms.mean(dtype=np.float64))
    return {"mean": mean, "median": float(median), "p99": float(p99), "max": float(ms.max())}


def durations(ms: Sequence[float]) -> Durations:
    """Return how many of ``ms`` fall on each step, so that any number of decisions needs little memory."""
    places = np.log2(np.maximum(np.array(ms, np.float64), _LEAST_MS) / _LEAST_MS) * _STEPS
    steps, counts = np.unique(np.ceil(places).astype(np.int64), return_counts=True)
    return dict(zip(steps.tolist(), counts.tolist(), strict=True))


def percentile(counted: Durations, share: float) -> float | None:
    """Return the milliseconds that ``share`` of all did not exceed, up to a step too high; None if empty."""
    if not counted:
        return None
    steps = sorted(counted)
    reached = np.cumsum([counted[step] for step in steps])
    step = steps[int(np.searchsorted(reached, share * reached[-1]))]
    return float(_LEAST_MS * 2 ** (step / _STEPS))
