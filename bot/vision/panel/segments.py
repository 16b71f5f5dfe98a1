"""Digits of seven segments, read from their ink: a second opinion beside the shape of the whole digit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.vision.panel.ink import Mask

# Boxes of the segments inside the box of a digit, as left, top, right, bottom in fractions of it, in the
# order of `DIGITS`; then the two holes.
_BOXES = (
    (0.30, 0.00, 0.70, 0.10),
    (0.88, 0.20, 1.00, 0.38),
    (0.88, 0.62, 1.00, 0.80),
    (0.30, 0.90, 0.70, 1.00),
    (0.00, 0.62, 0.12, 0.80),
    (0.00, 0.20, 0.12, 0.38),
    (0.30, 0.46, 0.70, 0.54),
    (0.38, 0.24, 0.62, 0.34),
    (0.38, 0.66, 0.62, 0.76),
)
# Which segments are lit: top, upper right, lower right, bottom, lower left, upper left, middle.
DIGITS: dict[tuple[int, ...], int] = {
    (1, 1, 1, 1, 1, 1, 0): 0,
    (0, 1, 1, 0, 0, 0, 0): 1,
    (1, 1, 0, 1, 1, 0, 1): 2,
    (1, 1, 1, 1, 0, 0, 1): 3,
    (0, 1, 1, 0, 0, 1, 1): 4,
    (1, 0, 1, 1, 0, 1, 1): 5,
    (1, 0, 1, 1, 1, 1, 1): 6,
    (1, 1, 1, 0, 0, 0, 0): 7,
    (1, 1, 1, 0, 0, 1, 0): 7,  # some have a hook
    (1, 1, 1, 1, 1, 1, 1): 8,
    (1, 1, 1, 1, 0, 1, 1): 9,
}
MINUS = (0, 0, 0, 0, 0, 0, 1)
_NARROW = 0.36  # of its height: so wide is a 1 at most, whose two segments fill its box
_FILLED = 0.7  # of that box
_ON, _OFF = 0.6, 0.3  # of a segment's box that has ink


def segment_digit(ink: Mask) -> int | None:
    """Return the digit that the segments of this ink (height, width) form, None if they form none."""
    height, width = ink.shape
    if width <= _NARROW * height:
        return 1 if ink.mean() >= _FILLED else None
    levels = [_share(ink, box) for box in _BOXES]
    if any(_OFF < level < _ON for level in levels) or max(levels[7:]) >= _ON:
        return None
    return DIGITS.get(tuple(int(level >= _ON) for level in levels[:7]))


def _share(ink: Mask, box: tuple[float, float, float, float]) -> float:
    """Return how much of ``box``, in fractions of the ink's, is inked."""
    height, width = ink.shape
    left, top, right, bottom = box
    rows = slice(int(top * height), max(int(top * height) + 1, round(bottom * height)))
    cols = slice(int(left * width), max(int(left * width) + 1, round(right * width)))
    part: npt.NDArray[np.bool_] = ink[rows, cols]
    return float(part.mean())
