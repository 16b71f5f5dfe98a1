"""Where a picture repeats itself at equal steps to the right and downwards.

The picture is looked at through square windows at three scales, so that between five and twelve cells of any
size fit into a window. A window in which vertical and horizontal lines repeat at the same step is a *seed*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels, Rect
from bot.vision.grid.lines import Lines

Floats = npt.NDArray[np.float32]

SCALES = (1, 2, 4)
_BLOCK = 64
_WINDOW = 2 * _BLOCK
_LAGS = range(11, 25)  # one octave and a little more; each scale has its own
_SPREAD = np.array([0.25, 0.5, 0.25], np.float32)  # lines of a fractional pitch fall between two lags


@dataclass(frozen=True, slots=True)
class Seed:
    """A window (frame pixels) in which lines repeat every ``pitch`` pixels, give or take ``scale``."""

    score: float
    window: Rect
    pitch: float
    scale: int


def find_seeds(lines: Lines, scale: int, weakest: float) -> Iterator[Seed]:
    """Yield the windows in which the lines repeat in both directions, two steps a window at most.

    The score is the smaller of the two autocorrelations, -1 to 1; seeds below ``weakest`` are left out.
    """
    across = _autocorrelation(_pooled(lines.vertical[:, :-1], scale))
    down = _autocorrelation(_pooled(lines.horizontal[:-1].T, scale)).transpose(0, 2, 1)
    wide = np.maximum(down, np.maximum(np.roll(down, 1, 0), np.roll(down, -1, 0)))
    scores = np.minimum(across, wide)[1:-1]
    for _ in range(2):
        best = scores.argmax(0)
        values = np.take_along_axis(scores, best[None], 0)[0]
        for row, col in np.argwhere(values > weakest):
            lag = _LAGS[1 + int(best[row, col])]
            x, y = int(col) * _BLOCK * scale, int(row) * _BLOCK * scale
            window = Rect(x, y, _WINDOW * scale, _WINDOW * scale)
            yield Seed(float(values[row, col]), window, float(lag * scale), scale)
        np.put_along_axis(scores, best[None], -1, 0)


def _pooled(strengths: Pixels, scale: int) -> Pixels:
    """Return the strongest of each ``scale`` x ``scale`` pixels, so that thin lines stay."""
    if scale == 1:
        return np.ascontiguousarray(strengths)
    pooled = cv2.dilate(np.ascontiguousarray(strengths), np.ones((scale, scale), np.uint8), anchor=(0, 0))
    return np.ascontiguousarray(pooled[::scale, ::scale]).astype(np.uint8, copy=False)


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


def _running_sum(values: Floats) -> npt.NDArray[np.float64]:
    return np.pad(np.cumsum(values, axis=1, dtype=np.float64), ((0, 0), (1, 0)))


def _windowed(running: npt.NDArray[np.float64], starts: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
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


def fit_comb(profile: Floats, pitch: float, tolerance: float) -> Comb:
    """Return the comb that gathers most of ``profile`` with a pitch within ``tolerance`` of ``pitch``.

    A comb of half or a third of the pitch is taken where the lines between are nearly as strong.
    """
    best = _fold(profile, np.linspace(pitch - tolerance, pitch + tolerance, 81))
    for divisor in (2, 3):
        finer = _fold(profile, np.linspace(best.pitch - 0.5, best.pitch + 0.5, 21) / divisor)
        if finer.pitch >= _LAGS[0] and finer.contrast > 0.7 * best.contrast:
            return finer
    return best


def _fold(profile: Floats, pitches: npt.NDArray[np.float64]) -> Comb:
    """Return the best comb among ``pitches``, with offsets to a pixel."""
    positions = np.arange(len(profile))
    bins = int(pitches.max()) + 1
    phases = np.floor(positions % pitches[:, None]).astype(np.intp)
    flat = (phases + bins * np.arange(len(pitches))[:, None]).ravel()
    weights = np.broadcast_to(profile, phases.shape).ravel()
    total = np.bincount(flat, weights, bins * len(pitches)).reshape(-1, bins)
    count = np.bincount(flat, minlength=bins * len(pitches)).reshape(-1, bins)
    means = total / np.maximum(count, 1)
    # A line may straddle two bins; what counts is the pair, and where its weight lies.
    pairs = np.sqrt(means * means + np.roll(means, -1, 1) ** 2)
    index, phase = np.unravel_index(int(pairs.argmax()), pairs.shape)
    contrast = float(pairs[index, phase] - profile.mean())
    step = float(
        means[index, (phase + 1) % bins] / max(means[index, phase] + means[index, (phase + 1) % bins], 1e-6)
    )
    return Comb(float(phase) + step, float(pitches[index]), contrast)
