"""The mine counter of a known skin, whose place and colour the skin tells."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.panel.digits import SEGMENT_DIGITS, SEGMENT_PLACES
from bot.vision.skin import CounterLayout, Skin

Floats = npt.NDArray[np.float32]

_INK = (0.85, 0.91)  # of the width and height of a digit's box are its segments
_SPOTS = 0.5 + (SEGMENT_PLACES - 0.5) * _INK
_APART = 0.25  # of the brightest segment: so far apart are segments that are on and off, at least
_BETWEEN = (0.25, 0.75)  # of it: somewhere there is what separates them
_FAINTEST = 0.3  # brightness of the brightest segment
_DARK = 0.5  # brightness in other colours of a counter's ground, and of its segments
_AS_SHARP = 0.9  # of the best shift: others are not on the segments, and may show another number
_FARTHEST = 4  # pixels at 100 % scaling: programs with the same look place the counter differently
_SHIFTS = np.mgrid[-_FARTHEST : _FARTHEST + 1, -_FARTHEST : _FARTHEST + 1].reshape(2, -1)


def read_counter(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> int | None:
    """Return what the mine counter beside ``grid`` shows; None if it is not there or cannot be read.

    Frames differ by a pixel or two: the counter is read where most of its segments are lit.
    """
    if skin.counter is None or not counter_visible(pixels, grid, skin):
        return None
    seen, foreign = _looked_at(pixels, grid, skin.counter, skin.cell, gain)
    sharpness = seen[..., :7].sum((1, 2)) - 2 * seen[..., 7:].sum((1, 2))
    sharpness[foreign.max((1, 2)) > _DARK] = 0
    if sharpness.max() <= 0:
        return None
    best = [shift for shift in np.argsort(-sharpness) if sharpness[shift] >= _AS_SHARP * sharpness.max()]
    clearest = max(best, key=lambda shift: _threshold(seen[shift])[1])
    return _number(seen[clearest])


def counter_hidden(pixels: Pixels, grid: Grid, skin: Skin, gain: Floats) -> bool:
    """Return whether something else is where the mine counter should be: it is dark, whatever it shows."""
    if skin.counter is None or not counter_visible(pixels, grid, skin):
        return False
    _, foreign = _looked_at(pixels, grid, skin.counter, skin.cell, gain)
    return bool(foreign.max((1, 2)).min() > _DARK)


def _looked_at(
    pixels: Pixels, grid: Grid, layout: CounterLayout, cell: int, gain: Floats
) -> tuple[Floats, Floats]:
    """Return how much each spot is lit in the counter's colour and in others, at each shift.

    Both are of shape (shifts, digits, 9).
    """
    x, y = _spots(grid, layout, cell)
    place, soft = _around(x, y, grid, cell), _soft(grid)
    left, top = max(0, place.x), max(0, place.y)
    sharp = _levels(pixels[top : place.bottom, left : place.right], layout, gain)
    levels = cv2.blur(sharp, (soft + 1 | 1, soft + 1 | 1))
    dx, dy = _SHIFTS[:, :, None, None]
    across = np.rint(x - left - 0.5 + dx * grid.pitch_x / cell).astype(int).clip(0, levels.shape[1] - 1)
    down = np.rint(y - top - 0.5 + dy * grid.pitch_y / cell).astype(int).clip(0, levels.shape[0] - 1)
    return levels[down, across, 0], levels[down, across, 1]


def _soft(grid: Grid) -> int:
    """Return over how many pixels a spot is looked at."""
    return max(1, round(0.1 * grid.pitch_x))


def counter_visible(pixels: Pixels, grid: Grid, skin: Skin) -> bool:
    """Return whether the place of the mine counter lies in the picture."""
    if skin.counter is None:
        return False
    x, y = _spots(grid, skin.counter, skin.cell)
    height, width = pixels.shape[:2]
    return bool(x.min() >= 0 and y.min() >= 0 and x.max() < width and y.max() < height)


def counter_place(grid: Grid, skin: Skin) -> Rect:
    """Return all that `read_counter` looks at, in frame pixels; nothing if the skin has no mine counter."""
    if skin.counter is None:
        return Rect(0, 0, 0, 0)
    return _around(*_spots(grid, skin.counter, skin.cell), grid, skin.cell)


def _around(x: Floats, y: Floats, grid: Grid, cell: int) -> Rect:
    """Return all that is looked at for spots in these places, wherever they are shifted."""
    left, top, right, bottom = int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1
    margin = round((_FARTHEST + 2) * grid.pitch_x / cell) + _soft(grid)
    return Rect(left, top, right - left, bottom - top).grown(margin)


def _spots(grid: Grid, layout: CounterLayout, cell: int) -> tuple[Floats, Floats]:
    """Return x and y in frame pixels of the nine spots of every digit, each of shape (digits, 9)."""
    starts = layout.x + layout.step * np.arange(layout.digits)
    across = starts[:, None] + layout.width * _SPOTS[:, 0]
    down = np.broadcast_to(layout.y + layout.height * _SPOTS[:, 1], across.shape)
    edge = grid.x + grid.width if layout.right else grid.x
    x = edge + across * grid.pitch_x / cell
    y = grid.y + down * grid.pitch_y / cell
    return x.astype(np.float32), y.astype(np.float32)


def _levels(area: Pixels, layout: CounterLayout, gain: Floats) -> Floats:
    """Return how much every pixel is lit in the counter's colour, and how much in others, each 0 to 1.

    White is not lit in the counter's colour.
    """
    lit = np.array(layout.lit, np.float32) >= 128
    balanced = area.astype(np.float32) / gain / 255
    other = balanced[..., ~lit].max(-1) if not lit.all() else np.zeros(area.shape[:2], np.float32)
    light = (balanced[..., lit].min(-1) - other).clip(0, 1)
    return np.stack([light, other], -1).astype(np.float32)


def _threshold(brightness: Floats) -> tuple[float, float]:
    """Return what separates lit spots from dark ones, and how far these are apart, in the widest gap.

    Both are parts of the brightest segment.
    """
    relative = np.sort((brightness / max(float(brightness[:, :7].max()), 1e-6)).reshape(-1))
    gaps, middles = np.diff(relative), (relative[1:] + relative[:-1]) / 2
    gaps[(middles < _BETWEEN[0]) | (middles > _BETWEEN[1])] = 0
    widest = int(gaps.argmax())
    return float(middles[widest]), float(gaps[widest])


def _number(brightness: Floats) -> int | None:
    """Return the number that the spots (digits, 9) show, None if they show none."""
    strongest = float(brightness[:, :7].max())
    threshold, apart = _threshold(brightness)
    if strongest < _FAINTEST or apart < _APART:
        return None
    on = brightness / strongest > threshold
    if on[:, 7:].any():
        return None
    text = "".join(_character(tuple(int(lit) for lit in digit[:7])) for digit in on)
    try:
        return int(text)
    except ValueError:
        return None


def _character(lit: tuple[int, ...]) -> str:
    names = frozenset(name for name, on in zip("abcdefg", lit, strict=True) if on)
    return "-" if names == {"g"} else str(SEGMENT_DIGITS.get(names, "x"))
