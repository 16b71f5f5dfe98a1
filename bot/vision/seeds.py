"""Seeds: windows of a picture with a pattern that repeats both across and down.

The pattern suggests the size of the cells of a board, but not where they begin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.distortion import Bools, Floats

SCALES = (1, 2, 4)  # factors of reduction: for cells of 8 to 40, 16 to 80 and 32 to 160 pixels
_WINDOW, _STEP = 128, 64  # pixels of a window, and from one to the next
_SHORTEST, _LONGEST = 8, 40  # pixels of a cell in a window; at least three fit
_EDGE = 40  # grey levels: stronger edges count as this strong, so that text does not drown faint lines
_WEAKEST = 0.25  # least correlation of a window with itself, shifted by one cell
_SAME_SIZE = 0.05  # logarithm of the ratio of two sizes of cells that are taken for one
_PEAKS = 3  # sizes of cells in each direction that a window may suggest
_LEAST, _MOST = 4, 8  # rows and columns of the grid that is laid on a window
_BESIDE = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]


@dataclass(frozen=True, slots=True)
class Seed:
    """A window of the picture with a repeating pattern: pitches in pixels, and how likely it is a board's.

    ``score`` is at most 3: the difference of the pattern's correlation with itself at whole cells and at
    parts of cells (-2 to 2), plus the share of neighbouring windows with cells of that size, minus the
    logarithm of the ratio of their sides, as nearly all boards have square cells.
    """

    window: Rect
    pitch_x: float
    pitch_y: float
    score: float

    @property
    def grid(self) -> Grid:
        """A grid with cells of that size in the middle of the window; the true place of cells is unknown."""
        rows, cols = (
            min(_MOST, max(_LEAST, int(side / pitch)))
            for side, pitch in ((self.window.height, self.pitch_y), (self.window.width, self.pitch_x))
        )
        x = self.window.x + (self.window.width - cols * self.pitch_x) / 2
        y = self.window.y + (self.window.height - rows * self.pitch_y) / 2
        return Grid(x, y, self.pitch_x, self.pitch_y, rows, cols)


def find_seeds(pixels: Pixels) -> list[Seed]:
    """Return the windows of a BGR picture that repeat in both directions, the likeliest first."""
    found = [seed for scale in SCALES for seed in _seeds(pixels, scale)]
    return sorted(found, key=lambda seed: -seed.score)


def in_turns(seeds: Sequence[Seed], taken: Sequence[Rect]) -> Iterator[Seed]:
    """Yield the likeliest seeds first, without those in ``taken`` places.

    If a seed leads to no board, those with the same cell size lose a point, so that one large pattern does
    not use up all tries; if it leads to one, they gain a point, since there may be more boards with such
    cells.
    """
    if not seeds:
        return
    sizes = np.log([(seed.pitch_x, seed.pitch_y) for seed in seeds])
    scores, done = np.array([seed.score for seed in seeds]), 0
    windows = np.array(
        [(each.x, each.y, each.right, each.bottom) for each in (seed.window for seed in seeds)]
    )
    while True:
        for place in taken[done:]:
            scores[_mostly_in(windows, place)] = -np.inf
        done, index = len(taken), int(scores.argmax())
        if scores[index] == -np.inf:
            return
        yield seeds[index]
        scores[index] = -np.inf
        same_size = np.abs(sizes - sizes[index]).max(1) < _SAME_SIZE
        scores[same_size] += 1 if len(taken) > done else -1


def _mostly_in(windows: npt.NDArray[np.int_], place: Rect) -> Bools:
    """Return which windows (n, 4) have their middle, or more than half of their area, in a place."""
    starts, ends = windows[:, :2], windows[:, 2:]
    first, last = (place.x, place.y), (place.right, place.bottom)
    middle = (starts + ends) // 2
    holds = ((middle >= first) & (middle < last)).all(1)
    shared = (np.minimum(ends, last) - np.maximum(starts, first)).clip(0).prod(1)
    return np.asarray(holds | (2 * shared > (ends - starts).prod(1)))


def _seeds(pixels: Pixels, scale: int) -> Iterator[Seed]:
    """Yield the windows with a repeating pattern in the picture made ``scale`` times smaller."""
    height, width = (side // scale for side in pixels.shape[:2])
    if min(height, width) < _LEAST * _SHORTEST:
        return
    small = pixels if scale == 1 else cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    rows, cols = max(1, -(-(height - _STEP) // _STEP)), max(1, -(-(width - _STEP) // _STEP))
    below, right = max(0, (rows + 1) * _STEP - height), max(0, (cols + 1) * _STEP - width)
    padded = np.pad(np.asarray(small, np.uint8), ((0, below), (0, right), (0, 0)), mode="edge")
    wide, wide_plain = _peaks(_profiles(edges_across(padded, _EDGE), rows, cols))
    lying = edges_across(cv2.transpose(padded), _EDGE)
    tall, tall_plain = (part.swapaxes(0, 1) for part in _peaks(_profiles(lying, cols, rows)))
    wide, tall = np.log(wide), np.log(tall)
    plain = np.minimum(wide_plain[..., None], tall_plain[..., None, :])
    scores = plain + _agreeing(wide, tall) - np.abs(wide[..., None] - tall[..., None, :])
    for row, col, one, other in np.argwhere(np.isfinite(scores)).tolist():
        x, y = col * _STEP, row * _STEP
        sides = min(_WINDOW, width - x), min(_WINDOW, height - y)
        window = Rect(*(scale * side for side in (x, y, *sides)))
        pitch_x, pitch_y = scale * math.exp(wide[row, col, one]), scale * math.exp(tall[row, col, other])
        yield Seed(window, pitch_x, pitch_y, float(scores[row, col, one, other]))


def _agreeing(wide: Floats, tall: Floats) -> Floats:
    """Return the share of the eight windows around each that suggest the same size of cells.

    ``wide`` and ``tall`` are logarithms of sizes, float32 (rows, cols, n), NaN for none; the result is for
    all pairs of them, float32 (rows, cols, n, n).
    """
    around = [np.pad(sizes, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan) for sizes in (wide, tall)]
    agreeing = np.zeros((*wide.shape, wide.shape[2]), np.float32)
    for row, col in _BESIDE:
        place = slice(row, row + wide.shape[0]), slice(col, col + wide.shape[1])
        other_wide, other_tall = (each[place][:, :, None] for each in around)
        same_wide = (np.abs(wide[..., None] - other_wide) < _SAME_SIZE).any(-1)
        same_tall = (np.abs(tall[..., None] - other_tall) < _SAME_SIZE).any(-1)
        agreeing += same_wide[..., None] & same_tall[..., None, :]
    return np.asarray(agreeing / len(_BESIDE), dtype=np.float32)


def edges_across(picture: cv2.typing.MatLike, strongest: int) -> Pixels:
    """Return the edges between pixels and their right neighbours, uint8 (height, width - 1), in grey levels.

    Edges that are stronger count as ``strongest``.
    """
    blue, green, red = cv2.split(cv2.absdiff(picture[:, 1:], picture[:, :-1]))
    strong = cv2.min(cv2.max(cv2.max(blue, green), red), strongest)  # type: ignore[call-overload]
    return np.asarray(strong, np.uint8)


def _profiles(edges: Pixels, rows: int, cols: int) -> Floats:
    """Return the edges of each window, summed over its height, float32 (rows, cols, _WINDOW)."""
    parts = (edges[row * _STEP : (row + 1) * _STEP] for row in range(rows + 1))
    bands = np.vstack([cv2.reduce(part, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32F) for part in parts])
    both = bands[:-1] + bands[1:]
    starts = np.arange(cols)[:, None] * _STEP + np.arange(_WINDOW)
    return np.asarray(np.pad(both, ((0, 0), (0, 1)))[:, starts], dtype=np.float32)


def _peaks(profiles: Floats) -> tuple[Floats, Floats]:
    """Return the shifts at which a profile is most like itself, best first, and how plainly, -2 to 2.

    The second is the mean correlation at whole shifts minus that at halves or thirds, where a pattern of
    smaller cells would be as much like itself. Where there are fewer shifts, both are NaN.
    """
    centred = profiles - profiles.mean(-1, keepdims=True)
    size, most = 2 * _WINDOW, 2 * _LONGEST + 2
    power = np.fft.irfft(np.abs(np.fft.rfft(centred, size)) ** 2, size)[..., :most]
    share = _WINDOW / (_WINDOW - np.arange(most))  # larger shifts compare fewer pixels
    correlation = np.asarray(power * share / (power[..., :1] + 1e-3), dtype=np.float32)
    inner = correlation[..., _SHORTEST : _LONGEST + 1]
    before, after = correlation[..., _SHORTEST - 1 : _LONGEST], correlation[..., _SHORTEST + 1 : _LONGEST + 2]
    peak = np.where((inner >= before) & (inner > after), inner, 0)
    order = np.argsort(-peak, axis=-1)[..., :_PEAKS]
    low, top, high = (np.take_along_axis(part, order, -1) for part in (before, inner, after))
    bend = low - 2 * top + high
    shift = np.where(bend < -1e-6, 0.5 * (low - high) / np.minimum(bend, -1e-6), 0)
    shift = np.asarray(order + _SHORTEST + shift, dtype=np.float32)
    shift[np.take_along_axis(peak, order, -1) < _WEAKEST] = np.nan

    def at(part: float) -> Floats:
        """Return the correlations at a multiple of the shifts, between whole pixels."""
        places = part * shift
        first = np.nan_to_num(places).astype(np.intp)
        low, high = (np.take_along_axis(correlation, first + step, -1) for step in (0, 1))
        return np.asarray(low + (places - first) * (high - low), dtype=np.float32)

    between = np.maximum(at(1 / 2) + at(3 / 2), at(1 / 3) + at(2 / 3))
    return shift, np.asarray((at(1) + at(2) - between) / 2, dtype=np.float32)
