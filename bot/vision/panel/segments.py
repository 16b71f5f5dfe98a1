"""Digits of seven segments, read from their ink: a second opinion beside the shape of the whole digit."""

from __future__ import annotations

import cv2
import numpy as np

from bot.vision.panel.ink import Mask

# A digit with all its segments, and its two holes, o and p; where the points are, segments may meet or not.
_DIGIT = np.array([
    list(".aaa."),
    list("f...b"),
    list("f.o.b"),
    list("f...b"),
    list(".ggg."),
    list("e...c"),
    list("e.p.c"),
    list("e...c"),
    list(".ddd."),
])  # fmt: skip
# The middles of the segments from a to g, then of the holes, as fractions of its width and height.
PLACES = np.array([(np.argwhere(name == _DIGIT.T).mean(0) + 0.5) / _DIGIT.T.shape for name in "abcdefgop"])
_LIT = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")  # of 0 to 9
_HOOKED = "abcf"  # a 7, as some displays show it
DIGITS = {frozenset(lit): digit for digit, lit in enumerate(_LIT)} | {frozenset(_HOOKED): 7}
_NARROW = 0.36  # of its height: so wide is a 1 at most, whose two segments fill its box
_FILLED = 0.7  # of that box
_ON, _OFF = 0.6, 0.3  # of a segment's place that has ink


def segment_digit(ink: Mask) -> int | None:
    """Return the digit that the segments of this ink (height, width) form, None if they form none."""
    height, width = ink.shape
    if width <= _NARROW * height:
        return 1 if ink.mean() >= _FILLED else None
    shares = np.asarray(cv2.resize(ink.astype(np.float32), _DIGIT.shape[::-1], interpolation=cv2.INTER_AREA))
    levels = {name: float(shares[name == _DIGIT].mean()) for name in "abcdefgop"}
    if any(_OFF < level < _ON for level in levels.values()):
        return None
    return DIGITS.get(frozenset(name for name, level in levels.items() if level >= _ON))
