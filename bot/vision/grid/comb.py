"""Where a picture repeats itself at equal steps to the right and downwards.

The picture is looked at through square windows, all at once. A window in which vertical lines repeat at one
step and horizontal lines at another that is not too different is a *seed*. Steps are looked for in about one
octave only: larger cells are found in a smaller copy of the picture, so that between five and twelve cells of
any size fit into a window.
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
Bools = npt.NDArray[np.bool_]

_BLOCK = 64
WINDOW = 2 * _BLOCK  # pixels
_LAGS = np.arange(9, 31)  # an octave, and what oblong cells need beside it; the ends only bound peaks
_OCTAVE = (11.0, 24.6)  # steps, as the mean of both directions
_OBLONG = 1.37  # how much longer than wide a cell may be, or the other way round
_UNSURE = 0.06  # by which a comb of a few lines may still be wrong
_OFF = np.linspace(-1.2, 1.2, 13)  # pixels by which a step may differ from a whole number of them
_SPREAD = np.array([0.25, 0.5, 0.25], np.float32)  # lines of a fractional pitch fall between two lags
_FINER = 0.7  # contrast of lines between the lines, relative to theirs: then the true step is a part
_INSIDE = 0.25  # part of a step: nearer to a line there may be bevels and the other side of a gap
_CALMEST = 0.5  # mean strength of a window with lines: each direction has a few
_MOST = 1000  # seeds that are worth a comb
_PEAKS = 2  # steps a window and direction that are looked at


@dataclass(frozen=True, slots=True)
class Comb:
    """Lines at ``offset + i * pitch`` for whole i."""

    offset: float
    pitch: float

    def position(self, index: float) -> float:
        """Return where line ``index`` is."""
        return self.offset + index * self.pitch


@dataclass(frozen=True, slots=True)
class Seed:
    """A window in which lines repeat both ways; the combs are in pixels of the picture."""

    score: float
    window: Rect
    across: Comb
    down: Comb


@dataclass(frozen=True, slots=True, eq=False)
class _Peaks:
    """For each window the steps of one direction that stand out, best first: lags and scores (n, _PEAKS)."""

    lags: Places
    scores: Floats


def find_seeds(lines: Lines, weakest: float) -> list[Seed]:
    """Return the windows in which the lines repeat in both directions, if at several steps then each.

    The score is the smaller of the two autocorrelations, at most 1; seeds below ``weakest`` are left out.
    The best come first.
    """
    profiles = _windows(_blocks(lines.vertical[:, :-1]))
    down_profiles = _windows(_blocks(lines.horizontal[:-1].T)).transpose(1, 0, 2)
    cols = profiles.shape[1]
    busy = np.flatnonzero(np.minimum(profiles.mean(2), down_profiles.mean(2)) >= _CALMEST)
    if len(busy) == 0:
        return []
    rows_of, cols_of = np.divmod(busy, cols)
    across, down = profiles[rows_of, cols_of], down_profiles[rows_of, cols_of]
    places, lags, scores = _pairs(_peaks(across, weakest), _peaks(down, weakest))
    order = np.argsort(-scores, kind="stable")[:_MOST]
    places, lags, scores = places[order], lags[order], scores[order]
    combs = [_combs(profile[places], lags[:, axis]) for axis, profile in enumerate((across, down))]
    seeds = []
    for place, score, wide, high in zip(busy[places].tolist(), scores.tolist(), *combs, strict=True):
        if wide is not None and high is not None and _could_be_cells(wide, high):
            x, y = place % cols * _BLOCK, place // cols * _BLOCK
            window = Rect(x, y, WINDOW, WINDOW)
            moved = Comb(wide.offset + x, wide.pitch), Comb(high.offset + y, high.pitch)
            seeds.append(Seed(score, window, *moved))
    return seeds


def _could_be_cells(across: Comb, down: Comb) -> bool:
    longer, shorter = max(across.pitch, down.pitch), min(across.pitch, down.pitch)
    return longer <= (_OBLONG + _UNSURE) * shorter


def _windows(blocks: Floats) -> Floats:
    """Return the mean strength of each column of each window: (windows down, windows across, WINDOW).

    ``blocks`` are the means of blocks that are half as high as a window.
    """
    profiles = np.asarray((blocks[:-1] + blocks[1:]) / 2, np.float32)
    return np.lib.stride_tricks.sliding_window_view(profiles, WINDOW, axis=1)[:, ::_BLOCK]


def _blocks(strengths: Pixels) -> Floats:
    """Return the mean strength of each column of each block of `_BLOCK` rows: (blocks, columns).

    Beyond the picture there is nothing; whole blocks come of it, at least two each way.
    """
    height, width = strengths.shape
    turned = not strengths.flags.c_contiguous and strengths.T.flags.c_contiguous
    down, right = (max(2, -(-size // _BLOCK)) for size in (height, width))
    sums = np.zeros((down, right * _BLOCK), np.float32)
    for block in range(-(-height // _BLOCK)):
        rows = strengths[block * _BLOCK : (block + 1) * _BLOCK]
        # Along the rows as they lie in memory: much quicker.
        found = cv2.reduce(rows.T if turned else rows, int(turned), cv2.REDUCE_SUM, dtype=cv2.CV_32F)
        sums[block, :width] = found.ravel()
    return np.rint(sums / _BLOCK)  # what is weaker than half a level is noise


def _peaks(profiles: Floats, weakest: float) -> _Peaks:
    """Return the steps at which each profile of (n, WINDOW) repeats itself."""
    soft = cv2.sepFilter2D(np.ascontiguousarray(profiles), cv2.CV_32F, _SPREAD, np.ones(1, np.float32))
    spectrum = np.fft.rfft(soft - soft.mean(1, keepdims=True), 2 * WINDOW)
    every = np.fft.irfft(np.abs(spectrum) ** 2)[:, : _LAGS[-1] + 1].astype(np.float32)
    unbiased = every[:, _LAGS] * (WINDOW / (WINDOW - _LAGS)).astype(np.float32)
    repeats = unbiased / np.maximum(every[:, :1], WINDOW)
    inner = repeats[:, 1:-1]
    tops = (inner >= weakest) & (inner >= repeats[:, :-2]) & (inner > repeats[:, 2:])
    found = np.where(tops, inner, 0)
    best = np.argsort(-found, axis=1)[:, :_PEAKS]
    return _Peaks(_LAGS[1:-1][best], np.take_along_axis(found, best, 1))


def _pairs(across: _Peaks, down: _Peaks) -> tuple[Places, Places, Floats]:
    """Return windows (n), their two steps (n, 2) and scores (n) where both directions could be cells."""
    scores = np.minimum(across.scores[:, :, None], down.scores[:, None, :])
    wide, high = across.lags[:, :, None], down.lags[:, None, :]
    mean = np.sqrt(wide * high)
    fitting = (np.maximum(wide, high) <= _OBLONG * np.minimum(wide, high)) & (scores > 0)
    places, first, second = np.nonzero(fitting & (mean >= _OCTAVE[0]) & (mean <= _OCTAVE[1]))
    lags = np.stack([across.lags[places, first], down.lags[places, second]], 1)
    return places, lags, scores[places, first, second]


def _combs(profiles: Floats, lags: Places) -> list[Comb | None]:
    """Return for each profile the comb that gathers most of it, with a pitch near the lag.

    None where lines between its own are nearly as strong, so that the true pitch is a part of this.
    """
    if len(profiles) == 0:
        return []
    means = np.zeros((len(profiles), len(_OFF), int(lags.max())), np.float32)
    for lag in np.unique(lags).tolist():
        chosen = np.flatnonzero(lags == lag)
        means[chosen, :, :lag] = (profiles[chosen] @ _folding(lag)).reshape(len(chosen), len(_OFF), lag)
    offsets, steps, parts = _best(means, lags, profiles.mean(1))
    return [
        None if part else Comb(offset, step)
        for offset, step, part in zip(offsets.tolist(), steps.tolist(), parts.tolist(), strict=True)
    ]


def _best(means: Floats, lags: Places, level: Floats) -> tuple[Doubles, Doubles, Bools]:
    """Return offset and pitch of the best comb of each folded profile, and whether the true pitch is a part.

    ``means`` is (n, pitches, bins), of which only as many bins count as the lag is long.
    """
    count, _, bins = means.shape
    every = np.arange(count)
    # A line may straddle two bins; what counts is the pair, and where its weight lies.
    following = np.roll(means, -1, 2)
    following[every, :, lags - 1] = means[:, :, 0]
    pairs = np.hypot(means, following)
    pairs[np.broadcast_to((np.arange(bins) >= lags[:, None])[:, None], pairs.shape)] = -1
    which, phase = np.divmod(pairs.reshape(count, -1).argmax(1), bins)
    here, beyond = means[every, which, phase], following[every, which, phase]
    folded = pairs[every, which] - level[:, None]
    ends = np.rint(_INSIDE * lags).astype(np.intp)[:, None]
    away = (np.arange(bins) - phase[:, None]) % lags[:, None]
    inner = (away >= ends) & (away <= lags[:, None] - ends) & (np.arange(bins) < lags[:, None])
    between = np.where(inner, folded, -np.inf).max(1)
    steps = lags + _OFF[which]
    offsets = (phase + beyond / np.maximum(here + beyond, 1e-6)) * steps / lags
    return offsets, steps, between >= _FINER * folded[every, phase]


@lru_cache(maxsize=64)
def _folding(lag: int) -> Floats:
    """Return the matrix that folds a profile at each pitch near ``lag``: (WINDOW, pitches * lag)."""
    pitches = lag + _OFF
    bins = np.floor(np.arange(WINDOW) / pitches[:, None] % 1 * lag + 1e-6).astype(np.intp) % lag
    table = np.zeros((len(pitches), lag, WINDOW), np.float32)
    table[np.arange(len(pitches))[:, None], bins, np.arange(WINDOW)] = 1
    table /= np.maximum(table.sum(2, keepdims=True), 1)
    return np.ascontiguousarray(table.reshape(-1, WINDOW).T)
