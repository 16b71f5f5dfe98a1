"""Seeds: windows of a picture with a pattern that repeats both across and down.

The pattern suggests the size of the cells of a board, but not where they begin.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bot.geometry import Grid, Pixels, Rect
from bot.vision.distortion import Floats

SCALES = (1, 2, 4)  # factors of reduction: for cells of 11 to 40, 22 to 80 and 44 to 160 pixels
_WINDOW, _STEP = 128, 64  # pixels of a window, and from one to the next
_SHORTEST, _LONGEST = 11, 40  # pixels of a cell in a window; at least three fit
_EDGE = 40  # grey levels: stronger edges count as this strong, so that text does not drown faint lines
_WEAKEST = 0.25  # least correlation of a window with itself, shifted by one cell
_SAME_SIZE = 1.06  # ratio of one size of cells to the next smaller one
_PEAKS = 3  # sizes of cells in each direction that a window may suggest


@dataclass(frozen=True, slots=True)
class Seed:
    """A window of the picture with a repeating pattern: pitches in pixels, ``strength`` from 0 to 1."""

    window: Rect
    pitch_x: float
    pitch_y: float
    strength: float

    @property
    def grid(self) -> Grid:
        """A grid with cells of that size in the middle of the window; the true place of cells is unknown."""
        rows = max(4, int(self.window.height / self.pitch_y))
        cols = max(4, int(self.window.width / self.pitch_x))
        x = self.window.x + (self.window.width - cols * self.pitch_x) / 2
        y = self.window.y + (self.window.height - rows * self.pitch_y) / 2
        return Grid(x, y, self.pitch_x, self.pitch_y, rows, cols)


def find_seeds(pixels: Pixels) -> list[list[Seed]]:
    """Return the windows of a BGR picture that repeat in both directions, as one list for each cell size.

    The strongest windows come first. Of overlapping windows with the same cell size, only the strongest is
    kept.
    """
    found = [seed for scale in SCALES for seed in _seeds(pixels, scale)]
    sizes: dict[tuple[int, int], list[Seed]] = {}
    for seed in sorted(found, key=lambda seed: -seed.strength):
        size = round(math.log(seed.pitch_x, _SAME_SIZE)), round(math.log(seed.pitch_y, _SAME_SIZE))
        like = sizes.setdefault(size, [])
        if all(seed.window.intersection(other.window).empty for other in like):
            like.append(seed)
    return list(sizes.values())


def in_turns(sizes: Sequence[Sequence[Seed]], taken: Sequence[Rect]) -> Iterator[Seed]:
    """Yield one seed of each cell size in turn, without those in ``taken`` places.

    Thus one large pattern does not use up all tries. If the last seed led to a board, the next seed has the
    same size, since there may be more boards with such cells.
    """
    waiting = deque(deque(seeds) for seeds in sizes)
    while waiting:
        seeds, before = waiting.popleft(), len(taken)
        while seeds and _taken(seeds[0].window, taken):
            seeds.popleft()
        if seeds:
            yield seeds.popleft()
            waiting.insert(0 if len(taken) > before else len(waiting), seeds)


def _taken(window: Rect, places: Sequence[Rect]) -> bool:
    """Return whether the middle of a window, or more than half of it, lies in one of the places."""
    return any(
        place.contains(window.centre) or 2 * window.intersection(place).area > window.area for place in places
    )


def _seeds(pixels: Pixels, scale: int) -> Iterator[Seed]:
    """Yield the windows with a repeating pattern in the picture made ``scale`` times smaller."""
    height, width = (side // scale for side in pixels.shape[:2])
    if min(height, width) < 4 * _SHORTEST:
        return
    small = pixels if scale == 1 else cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    rows, cols = max(1, -(-(height - _STEP) // _STEP)), max(1, -(-(width - _STEP) // _STEP))
    below, right = max(0, (rows + 1) * _STEP - height), max(0, (cols + 1) * _STEP - width)
    padded = np.pad(np.asarray(small, np.uint8), ((0, below), (0, right), (0, 0)), mode="edge")
    wide_at, wide_sure = _peaks(_profiles(_edges_across(padded), rows, cols))
    lying = np.asarray(cv2.transpose(padded), np.uint8)
    tall_at, tall_sure = (part.swapaxes(0, 1) for part in _peaks(_profiles(_edges_across(lying), cols, rows)))
    for row, col in np.ndindex(rows, cols):
        window = Rect(col * _STEP, row * _STEP, _WINDOW, _WINDOW).intersection(Rect(0, 0, width, height))
        window = Rect(window.x * scale, window.y * scale, window.width * scale, window.height * scale)
        for one, other in np.ndindex(_PEAKS, _PEAKS):
            pitch_x, pitch_y = float(wide_at[row, col, one]), float(tall_at[row, col, other])
            strength = float(min(wide_sure[row, col, one], tall_sure[row, col, other]))
            if strength >= _WEAKEST and 0.4 <= pitch_x / pitch_y <= 2.5:
                yield Seed(window, pitch_x * scale, pitch_y * scale, strength)


def _edges_across(picture: Pixels) -> Pixels:
    """Return the strength of the edge between each pixel and its right neighbour, uint8 (height, width)."""
    blue, green, red = cv2.split(cv2.absdiff(picture[:, 1:], picture[:, :-1]))
    strong = cv2.min(cv2.max(cv2.max(blue, green), red), _EDGE)  # type: ignore[call-overload]
    return np.pad(np.asarray(strong, np.uint8), ((0, 0), (0, 1)))


def _profiles(edges: Pixels, rows: int, cols: int) -> Floats:
    """Return the edges of each window, summed over its height, float32 (rows, cols, _WINDOW)."""
    bands = edges[: (rows + 1) * _STEP].reshape(rows + 1, _STEP, -1).sum(1, dtype=np.float32)
    both = bands[:-1] + bands[1:]
    starts = np.arange(cols)[:, None] * _STEP + np.arange(_WINDOW)
    return np.asarray(both[:, starts], dtype=np.float32)


def _peaks(profiles: Floats) -> tuple[Floats, Floats]:
    """Return the shifts at which a profile is most like itself, best first, and correlations, -1 to 1."""
    centred = profiles - profiles.mean(-1, keepdims=True)
    size = 2 * _WINDOW
    power = np.fft.irfft(np.abs(np.fft.rfft(centred, size)) ** 2, size)[..., : _LONGEST + 2]
    share = _WINDOW / (_WINDOW - np.arange(_LONGEST + 2))  # larger shifts compare fewer pixels
    correlation = np.asarray(power * share / (power[..., :1] + 1e-3), dtype=np.float32)
    inner = correlation[..., _SHORTEST : _LONGEST + 1]
    before, after = correlation[..., _SHORTEST - 1 : _LONGEST], correlation[..., _SHORTEST + 1 : _LONGEST + 2]
    peak = np.where((inner >= before) & (inner > after), inner, 0)
    order = np.argsort(-peak, axis=-1)[..., :_PEAKS]
    sure = np.take_along_axis(peak, order, -1)
    low, top, high = (np.take_along_axis(part, order, -1) for part in (before, inner, after))
    bend = low - 2 * top + high
    shift = np.where(bend < -1e-6, 0.5 * (low - high) / np.minimum(bend, -1e-6), 0)
    return (order + _SHORTEST + shift).astype(np.float32), sure.astype(np.float32)
