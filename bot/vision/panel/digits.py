"""Digits of counters in any font, told by a small network that sees the glyphs of one counter together."""

from __future__ import annotations

import numpy as np

from bot.geometry import Pixels
from bot.vision.networks import Floats, log_softmax, run

SIDE = 24  # pixels of a glyph as the network sees it
MINUS, NO_DIGIT = 10, 11  # labels besides the digits
LABELS = 12
_MIDDLE, _SPAN = 128.0, 64.0  # grey levels: how colours are scaled
_ROWS = 8  # glyphs that the network sees at a time, or a multiple
_NOISE = 8.0  # grey levels: contrast below this is not made larger


def score_digits(glyphs: Pixels) -> Floats:
    """Return how likely each glyph is each digit, float32 (n, LABELS), as logarithms of probabilities.

    ``glyphs`` are characters of one counter, uint8 BGR (n, SIDE, SIDE, 3), each in the middle of a square of
    its own ground, its aspect kept. Columns 0 to 9 are the digits, 10 is a minus sign, 11 is none of them.
    """
    if not len(glyphs):
        return np.empty((0, LABELS), np.float32)
    numbers: dict[bytes, int] = {}
    kind_of = [numbers.setdefault(glyph.tobytes(), len(numbers)) for glyph in glyphs]
    kinds = glyphs[[kind_of.index(kind) for kind in range(len(numbers))]]
    count = len(kinds)
    own = run("digits-look", _filled(prepared(kinds).transpose(0, 3, 1, 2)))[:count]
    together = np.concatenate([own.mean(0), own.max(0)])
    said = run("digits-judge", _filled(np.hstack([own, np.tile(together, (count, 1))])))[:count]
    return log_softmax(said)[kind_of]


def _filled(rows: Floats) -> Floats:
    """Return rows with empty ones below up to a multiple of `_ROWS`: another shape costs milliseconds."""
    more = -len(rows) % _ROWS
    return np.concatenate([rows, np.zeros((more, *rows.shape[1:]), np.float32)])


def prepared(glyphs: Pixels) -> Floats:
    """Return what the network sees, float32 (n, SIDE, SIDE, 4), of uint8 BGR (n, SIDE, SIDE, 3).

    Three channels are the colours, the fourth is the lightness over the glyph's own contrast.
    """
    colours = glyphs.astype(np.float32)
    light = colours @ np.array([0.114, 0.587, 0.299], np.float32)
    light -= light.mean((1, 2), keepdims=True)
    light /= np.sqrt((light * light).mean((1, 2), keepdims=True)) + _NOISE
    return np.concatenate([(colours - _MIDDLE) / _SPAN, light[..., None]], axis=3)
