"""Where a picture repeats itself across and down at once: what may be a board, and the size of its cells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect

Floats = npt.NDArray[np.float32]

SCALES = (1, 2, 4)  # times smaller: cells of 11 to 40, 22 to 80 and 44 to 160 pixels
_WINDOW, _STEP = 128, 64  # pixels of a window, and from one to the next
_SHORTEST, _LONGEST = 11, 40  # pixels of a cell in a window; at least three fit
_EDGE = 40  # grey levels: stronger edges count no more, so that text and pictures do not drown faint lines
_WEAKEST = 0.25  # correlation of a window with itself, a cell further
_SAME_SIZE = 1.06  # as many times as large are cells of the next size
_PEAKS = 3  # sizes of cells in each direction that a window may suggest


@dataclass(frozen=True, slots=True)
class Seed:
    """A window of the picture that repeats itself: ``strength`` is 0 to 1, the pitches are in pixels."""

    window: Rect
    pitch_x: float
    pitch_y: float
    strength: float

    @property
    def grid(self) -> Grid:
        """Cells of that size in the middle of the window; where they begin is not known."""
        rows, cols = (
            max(4, int(side / pitch))
            for side, pitch in ((self.window.height, self.pitch_y), (self.window.width, self.pitch_x))
        )
        x = self.window.x + (self.window.width - cols * self.pitch_x) / 2
        y = self.window.y + (self.window.height - rows * self.pitch_y) / 2
        return Grid(x, y, self.pitch_x, self.pitch_y, rows, cols)


def find_seeds(pixels: Pixels) -> list[list[Seed]]:
    """Return the windows of a BGR picture that repeat themselves in both directions, the strongest first.

    Those with cells of one size are together. Windows that share a part, and repeat themselves alike, count
    once.
    """
    found = [seed for scale in SCALES for seed in _seeds(pixels, scale)]
    sizes: dict[tuple[int, int], list[Seed]] = {}
    for seed in sorted(found, key=lambda seed: -seed.strength):
        size = round(math.log(seed.pitch_x, _SAME_SIZE)), round(math.log(seed.pitch_y, _SAME_SIZE))
        like = sizes.setdefault(size, [])
        if all(seed.window.intersection(other.window).empty for other in like):
            like.append(seed)
    return list(sizes.values())


def _seeds(pixels: Pixels, scale: int) -> Iterator[Seed]:
    height, width = (side // scale for side in pixels.shape[:2])
    if min(height, width) < 4 * _SHORTEST:
        return
    small = pixels if scale == 1 else cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    rows, cols = max(1, -(-(height - _STEP) // _STEP)), max(1, -(-(width - _STEP) // _STEP))
    padded: Pixels = cv2.copyMakeBorder(  # type: ignore[assignment]
        small,
        0,
        max(0, (rows + 1) * _STEP - height),
        0,
        max(0, (cols + 1) * _STEP - width),
        cv2.BORDER_REPLICATE,
    )
    across = _edges(padded, axis=1)  # strengths of vertical edges
    down = _edges(padded, axis=0)
    wide = _profiles(across, rows, cols)
    tall = _profiles(np.ascontiguousarray(down.T), cols, rows).swapaxes(0, 1)
    wide_at, wide_sure = _peaks(_correlation(wide))
    tall_at, tall_sure = _peaks(_correlation(tall))
    for row, col in np.ndindex(rows, cols):
        window = Rect(col * _STEP, row * _STEP, _WINDOW, _WINDOW).intersection(Rect(0, 0, width, height))
        window = Rect(window.x * scale, window.y * scale, window.width * scale, window.height * scale)
        for one in range(_PEAKS):
            for other in range(_PEAKS):
                pitch_x, pitch_y = float(wide_at[row, col, one]), float(tall_at[row, col, other])
                strength = float(min(wide_sure[row, col, one], tall_sure[row, col, other]))
                if strength >= _WEAKEST and 0.4 <= pitch_x / pitch_y <= 2.5:
                    yield Seed(window, pitch_x * scale, pitch_y * scale, strength)


def _edges(picture: Pixels, axis: int) -> Pixels:
    """Return how strong the edges between neighbouring pixels are along an axis, uint8 (height, width)."""
    ahead, before = (picture[1:], picture[:-1]) if axis == 0 else (picture[:, 1:], picture[:, :-1])
    blue, green, red = cv2.split(cv2.absdiff(ahead, before))
    strong = cv2.min(cv2.max(cv2.max(blue, green), red), _EDGE)  # type: ignore[call-overload]
    end = (1, 0) if axis == 0 else (0, 1)
    return np.asarray(cv2.copyMakeBorder(strong, 0, end[0], 0, end[1], cv2.BORDER_CONSTANT), np.uint8)


def _profiles(edges: Pixels, rows: int, cols: int) -> Floats:
    """Return the edges of each window added up along its height, float32 (rows, cols, _WINDOW)."""
    bands = edges[: (rows + 1) * _STEP].reshape(rows + 1, _STEP, -1).sum(1, dtype=np.float32)
    both = bands[:-1] + bands[1:]
    starts = np.arange(cols)[:, None] * _STEP + np.arange(_WINDOW)
    return np.asarray(both[:, starts], dtype=np.float32)


def _correlation(profiles: Floats) -> Floats:
    """Return how alike each profile is to itself further on, -1 to 1, by the distance in pixels."""
    centred = profiles - profiles.mean(-1, keepdims=True)
    size = 2 * _WINDOW
    power = np.fft.irfft(np.abs(np.fft.rfft(centred, size)) ** 2, size)[..., : _LONGEST + 2]
    share = _WINDOW / (_WINDOW - np.arange(_LONGEST + 2))  # fewer pixels take part the further it is
    return np.asarray(power * share / (power[..., :1] + 1e-3), dtype=np.float32)


def _peaks(correlation: Floats) -> tuple[Floats, Floats]:
    """Return the distances at which a profile is most like itself, and how alike, the best first."""
    inner = correlation[..., _SHORTEST : _LONGEST + 1]
    before, after = correlation[..., _SHORTEST - 1 : _LONGEST], correlation[..., _SHORTEST + 1 : _LONGEST + 2]
    peak = np.where((inner >= before) & (inner > after), inner, 0)
    order = np.argsort(-peak, axis=-1)[..., :_PEAKS]
    sure = np.take_along_axis(peak, order, -1)
    low, top, high = (np.take_along_axis(part, order, -1) for part in (before, inner, after))
    bend = low - 2 * top + high
    shift = np.where(bend < -1e-6, 0.5 * (low - high) / np.minimum(bend, -1e-6), 0)
    return (order + _SHORTEST + shift).astype(np.float32), sure.astype(np.float32)
