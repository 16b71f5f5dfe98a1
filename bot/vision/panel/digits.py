"""Digits of counters: in any font, by a small network that sees the glyphs of one counter together.

Digits of seven segments are read from their ink, too: a second opinion beside the shape of the whole digit.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels
from bot.vision.networks import Floats, log_softmax, run

SIDE = 24  # pixels of a glyph as the network sees it
MINUS, NO_DIGIT = 10, 11  # labels besides the digits
LABELS = 12
_MIDDLE, _SPAN = 128.0, 64.0  # grey levels: how colours are scaled
_ROWS, _MOST = 8, 128  # glyphs that the network sees at a time: a multiple, and the most
_NOISE = 8.0  # grey levels: contrast below this is not made larger

# A digit with all its segments, and its two holes, o and p; where the points are, segments may meet or not.
_SHAPE = np.array([
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
SEGMENT_PLACES = np.array([
    (np.argwhere(name == _SHAPE.T).mean(0) + 0.5) / _SHAPE.T.shape for name in "abcdefgop"
])  # fmt: skip
_LIT = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")  # of 0 to 9
_HOOKED = "abcf"  # a 7, as some displays show it
SEGMENT_DIGITS = {frozenset(lit): digit for digit, lit in enumerate(_LIT)} | {frozenset(_HOOKED): 7}
_NARROW = 0.36  # of its height: so wide is a 1 at most, whose two segments fill its box
_FILLED = 0.7  # of that box
_ON, _OFF = 0.6, 0.3  # of a segment's place that has ink


def score_digits(rows: Sequence[Pixels]) -> list[Floats]:
    """Return how likely each glyph of each row is each digit, float32 (n, LABELS), as logarithms.

    The ``rows`` are the glyphs of a counter each, uint8 BGR (n, SIDE, SIDE, 3), every glyph in the middle of
    a square of its own ground, its aspect kept. Columns 0 to 9 are the digits, 10 is a minus sign, 11 is none
    of them.
    """
    if not rows:
        return []
    flat = np.concatenate(rows).reshape(-1, SIDE * SIDE * 3)
    kinds, kind_of = np.unique(flat, axis=0, return_inverse=True)
    kind_of = kind_of.ravel()  # numpy 2.0 alone gives it a second axis
    own = _run("digits-look", prepared(kinds.reshape(-1, SIDE, SIDE, 3)).transpose(0, 3, 1, 2))
    ends = np.cumsum([len(row) for row in rows])[:-1]
    together = []
    for chosen in np.split(kind_of, ends):
        seen = own[np.unique(chosen)]
        together += [np.concatenate([seen.mean(0), seen.max(0)])] * len(chosen)
    said = _run("digits-judge", np.hstack([own[kind_of], np.stack(together)]))
    return np.split(log_softmax(said), ends)


def _run(name: str, values: Floats) -> Floats:
    """Return what a network makes of ``values`` (n, ...), some at a time.

    They are filled up to a multiple of `_ROWS`: another shape costs milliseconds.
    """
    filled = np.concatenate([values, np.zeros((-len(values) % _ROWS, *values.shape[1:]), np.float32)])
    parts = np.split(filled, range(_MOST, len(filled), _MOST))
    return np.concatenate([run(name, part) for part in parts])[: len(values)]


def prepared(glyphs: Pixels) -> Floats:
    """Return what the network sees, float32 (n, SIDE, SIDE, 4), of uint8 BGR (n, SIDE, SIDE, 3).

    Three channels are the colours, the fourth is the lightness over the glyph's own contrast.
    """
    colours = glyphs.astype(np.float32)
    light = colours @ np.array([0.114, 0.587, 0.299], np.float32)
    light -= light.mean((1, 2), keepdims=True)
    light /= np.sqrt((light * light).mean((1, 2), keepdims=True)) + _NOISE
    return np.concatenate([(colours - _MIDDLE) / _SPAN, light[..., None]], axis=3)


def segment_digit(ink: npt.NDArray[np.bool_]) -> int | None:
    """Return the digit that the segments of this ink (height, width) form, None if they form none."""
    height, width = ink.shape
    if width <= _NARROW * height:
        return 1 if ink.mean() >= _FILLED else None
    shares = np.asarray(cv2.resize(ink.astype(np.float32), _SHAPE.shape[::-1], interpolation=cv2.INTER_AREA))
    levels = {name: float(shares[name == _SHAPE].mean()) for name in "abcdefgop"}
    if any(_OFF < level < _ON for level in levels.values()):
        return None
    return SEGMENT_DIGITS.get(frozenset(name for name, level in levels.items() if level >= _ON))
