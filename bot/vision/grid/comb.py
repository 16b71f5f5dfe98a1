"""Where a picture repeats itself at equal steps to the right and downwards.

The picture is looked at through square windows. A window in which vertical and horizontal lines repeat at
the same step is a *seed*. Steps are looked for in one octave only: larger cells are found in a smaller copy
of the picture, so that between five and twelve cells of any size fit into a window.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels, Rect
from bot.vision.grid.lines import Lines

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

_BLOCK = 64
_WINDOW = 2 * _BLOCK
_LAGS = range(11, 25)  # one octave and a little more
_OFF = np.linspace(-1.25, 1.25, 26)  # pixels by which a step may differ from a whole number of them
_SPREAD = np.array([0.25, 0.5, 0.25], np.float32)  # lines of a fractional pitch fall between two lags


@dataclass(frozen=True, slots=True)
class Seed:
    """A window in which lines repeat every ``pitch`` pixels, give or take one."""

    score: float
    window: Rect
    pitch: int


def find_seeds(lines: Lines, weakest: float) -> list[Seed]:
    """Return the windows in which the lines repeat in both directions, if at several steps then each.

    The score is the smaller of the two autocorrelations, at most 1; seeds below ``weakest`` are left out.
    The best come first.
    """
    across = _autocorrelation(np.ascontiguousarray(lines.vertical[:, :-1]))
    down = _autocorrelation(np.ascontiguousarray(lines.horizontal[:-1].T)).transpose(0, 2, 1)
    nearly = np.maximum(down, np.maximum(np.roll(down, 1, 0), np.roll(down, -1, 0)))
    scores = np.minimum(across, nearly)
    inner = scores[1:-1]
    peaks = (inner >= weakest) & (inner >= scores[:-2]) & (inner > scores[2:])
    seeds = [
        Seed(float(inner[lag, row, col]), _window(row, col), _LAGS[1 + int(lag)])
        for lag, row, col in np.argwhere(peaks)
    ]
    return sorted(seeds, key=lambda seed: -seed.score)


def _window(row: int, col: int) -> Rect:
    return Rect(int(col) * _BLOCK, int(row) * _BLOCK, _WINDOW, _WINDOW)


def _autocorrelation(strengths: Pixels) -> Floats:
    """Return the autocorrelation of the column profile for each lag and window: (lags, down, across)."""
    profile = _profiles(strengths)
    starts = np.arange(profile.shape[1] // _BLOCK - 1) * _BLOCK
    padded = np.pad(profile, ((0, 0), (0, _LAGS[-1])))
    sums, squares = _running_sum(padded), _running_sum(padded * padded)
    result = np.empty((len(_LAGS), len(profile), len(starts)), np.float32)
    for index, lag in enumerate(_LAGS):
        product = _running_sum(padded[:, :-lag] * padded[:, lag:])
        mean, shifted = (_windowed(sums, starts + move) for move in (0, lag))
        spread, shifted_spread = (
            _windowed(squares, starts + move) - average * average
            for move, average in ((0, mean), (lag, shifted))
        )
        covariance = _windowed(product, starts) - mean * shifted
        result[index] = covariance / np.sqrt(np.maximum(spread * shifted_spread, 1.0))
    return result


def _profiles(strengths: Pixels) -> Floats:
    """Return the mean strength of each column over every window's height, padded to whole blocks."""
    height, width = strengths.shape
    down, right = (max(2, -(-size // _BLOCK)) * _BLOCK for size in (height, width))
    padded = cv2.copyMakeBorder(strengths, 0, down - height, 0, right - width, cv2.BORDER_CONSTANT, value=0)
    blocks = cv2.resize(padded, (right, down // _BLOCK), interpolation=cv2.INTER_AREA).astype(np.float32)
    windows = (blocks[:-1] + blocks[1:]) / 2
    return cv2.sepFilter2D(windows, cv2.CV_32F, _SPREAD, np.ones(1, np.float32)).astype(
        np.float32, copy=False
    )


def _running_sum(values: Floats) -> Doubles:
    return np.pad(np.cumsum(values, axis=1, dtype=np.float64), ((0, 0), (1, 0)))


def _windowed(running: Doubles, starts: Places) -> Doubles:
    ends = np.minimum(starts + _WINDOW, running.shape[1] - 1)
    return (running[:, ends] - running[:, np.minimum(starts, ends)]) / _WINDOW


@dataclass(frozen=True, slots=True)
class Comb:
    """Lines at ``offset + i * pitch`` for whole i; ``contrast`` is how far they stand out of the rest."""

    offset: float
    pitch: float
    contrast: float

    def position(self, index: float) -> float:
        """Return where line ``index`` is."""
        return self.offset + index * self.pitch

    def moved(self, distance: float) -> Comb:
        """Return the comb as seen from a place ``distance`` before."""
        return Comb(self.offset + distance, self.pitch, self.contrast)


def fit_comb(profile: Floats, pitch: float) -> Comb | None:
    """Return the comb that gathers most of ``profile`` with a pitch within 1.25 of ``pitch``.

    Return None where lines between its own are nearly as strong, so that the true pitch is a part of this.
    """
    best = _fold(profile, *_phases(len(profile), tuple(pitch + _OFF)))
    finer = _fold(profile, *_phases(len(profile), (best.pitch / 2,)))
    return best if finer.contrast < 0.7 * best.contrast else None


def _fold(profile: Floats, pitches: Doubles, phases: Places) -> Comb:
    """Return the best comb among ``pitches``, with offsets to a fraction of a pixel."""
    bins = int(phases.max()) + 1
    flat = (phases + bins * np.arange(len(pitches))[:, None]).ravel()
    weights = np.broadcast_to(profile, phases.shape).ravel()
    totals = np.bincount(flat, weights, bins * len(pitches)).reshape(-1, bins)
    counts = np.bincount(flat, minlength=bins * len(pitches)).reshape(-1, bins)
    means = totals / np.maximum(counts, 1)
    # A line may straddle two bins; what counts is the pair, and where its weight lies.
    following = np.roll(means, -1, 1)
    pairs = np.hypot(means, following)
    index, phase = np.unravel_index(int(pairs.argmax()), pairs.shape)
    share = following[index, phase] / max(means[index, phase] + following[index, phase], 1e-6)
    pitch = float(pitches[index])
    return Comb(float(phase + share) * pitch / bins, pitch, float(pairs[index, phase] - profile.mean()))


@lru_cache(maxsize=64)
def _phases(length: int, pitches: tuple[float, ...]) -> tuple[Doubles, Places]:
    """Return the pitches, and in which part of a period each place is, in pixels: (pitches, length)."""
    steps = np.array(pitches)
    bins = round(float(steps.mean()))
    return steps, np.floor(np.arange(length) / steps[:, None] % 1 * bins).astype(np.intp)
