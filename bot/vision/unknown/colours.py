"""The colour of a glyph as a hint: most games draw a blue 1, a green 2 and a red 3."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.vision.unknown.clusters import Clusters
from bot.vision.unknown.logic import LABELS

Floats = npt.NDArray[np.float32]

# Usual colours of the numbers 1 to 8, as blue, green, red: the classic ones, then what newer games took.
_CLASSIC = (
    (255, 0, 0),
    (0, 128, 0),
    (0, 0, 255),
    (128, 0, 0),
    (0, 0, 128),
    (128, 128, 0),
    (0,) * 3,
    (128,) * 3,
)
_NEWER = (
    (210, 118, 25),
    (60, 142, 56),
    (47, 47, 211),
    (162, 31, 123),
    (0, 143, 255),
    (167, 151, 0),
    (66,) * 3,
)
_USUAL = np.array([_CLASSIC, (*_NEWER, (158,) * 3)], np.float32)
_NEAR = 50.0  # grey levels, root mean square of the channels
_OTHERWISE = 0.25  # how likely another colour is, by the usual one
_FAINT = 8.0  # grey levels of contrast: without a glyph there is no colour
_INK = 0.1  # of a cell's pixels, those furthest from the ground, tell the glyph's colour
_APART = 60.0  # grey levels: glyphs in different colours


def glyph_colours(clusters: Clusters) -> Floats:
    """Return the colour of what stands out most in each cluster's middle, BGR float32 (K, 3)."""
    side = clusters.pictures.shape[1]
    rim = side // 6
    inner = clusters.pictures[:, rim:-rim, rim:-rim].reshape(clusters.count, -1, 3).astype(np.float32)
    ground = np.median(inner, axis=1, keepdims=True)
    apart = np.abs(inner - ground).sum(-1)
    ink = max(1, round(_INK * apart.shape[1]))
    furthest = np.argpartition(-apart, ink - 1, axis=1)[:, :ink]
    return np.asarray(np.median(np.take_along_axis(inner, furthest[..., None], 1), axis=1), dtype=np.float32)


def colour_costs(clusters: Clusters) -> Floats:
    """Return the cost of each label of each cluster by its glyph's colour, in nats, float32 (K, LABELS)."""
    seen = glyph_colours(clusters)[:, None, None]
    squares = ((seen - _USUAL) ** 2).mean(-1).min(1)
    likely = _OTHERWISE + np.exp(-squares / (2 * _NEAR**2))
    costs = np.zeros((clusters.count, LABELS), np.float32)
    costs[:, 1:9] = -np.log(likely / likely.max(1, keepdims=True))
    costs[clusters.contrast < _FAINT] = 0
    return costs


def strange_pairs(clusters: Clusters) -> Floats:
    """Return which clusters have glyphs in clearly different colours, 1 or 0, float32 (K, K)."""
    colours = glyph_colours(clusters)
    apart = np.sqrt(((colours[:, None] - colours) ** 2).mean(-1))
    shown = clusters.contrast >= _FAINT
    return np.asarray(shown[:, None] & shown & (apart > _APART), dtype=np.float32)
