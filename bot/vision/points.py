"""The few pixels that tell all states of a skin apart, found by search.

A state's value at a pixel is no single colour but a range: what the pixel shows when the picture is
stretched the way the screen does it and stands up to half a pixel off. Two states are apart at a point by the
gap between their ranges in the best channel, and apart on a set of points by the largest of those gaps. The
margin of a set is that of its weakest pair of states.

Where a skin's pictures are not the game's own (`Skin.exact`), a point is the mean of 3 x 3 pixels, and shapes
may be further off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import States
from bot.geometry import Pixels
from bot.vision.skin import Skin
from bot.vision.stretch import stretched

Floats = npt.NDArray[np.float32]

_SHIFT, _ROUGH_SHIFT = 0.5, 0.75  # of a pixel, in every direction; the second where a skin is not exact
_ENOUGH = 64.0  # margin (of 255) at which no more points are looked for
_MOST_POINTS = 8
_WITNESSES = 4  # in each direction


@dataclass(frozen=True, slots=True, eq=False)
class Witnesses:
    """Points spread over a cell, ``x`` and ``y`` (int, W); every template's range (float32, n x W * 3)."""

    x: npt.NDArray[np.intp]
    y: npt.NDArray[np.intp]
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Sample points of a skin at one scale and what every state shows there.

    ``x`` and ``y`` (int, K) are pixels of the unstretched cell; ``low`` and ``high`` (float32, K * 3 x n)
    the range of every template; ``margin`` the gap of the weakest pair of states, of 255. ``witnesses`` are
    points spread over the cell, by which a state that the others found is checked: a pointer, or a window
    half painted, may show any colour at a few points, but hardly the right one everywhere.
    """

    x: npt.NDArray[np.intp]
    y: npt.NDArray[np.intp]
    low: Floats
    high: Floats
    margin: float
    witnesses: Witnesses


def sampled(canvas: Pixels, skin: Skin) -> Pixels:
    """Return the picture from which points are taken: ``canvas``, smoothed if the skin is not exact."""
    return canvas if skin.exact else cv2.blur(canvas, (3, 3)).astype(np.uint8)


@lru_cache(maxsize=64)
def compile_points(skin: Skin, scale: float = 1.0) -> Points:
    """Return the smallest set of points that keeps all states of ``skin`` well apart at ``scale``."""
    return points_between(*_ranges(skin, scale), skin, inner=not skin.exact or scale != 1)


def points_between(low: Floats, high: Floats, skin: Skin, *, inner: bool) -> Points:
    """Return the smallest set of points that keeps all states well apart.

    ``low`` and ``high`` are the ranges of every template at every pixel, float32 (n, cell, cell, 3);
    ``inner`` leaves out the outermost pixels, where neighbouring cells may be mixed.
    """
    gaps = _gaps(low, high, skin.states)
    if inner:
        gaps[:, _edge(skin.cell)] = 0
    chosen = _choose(gaps)
    y, x = np.divmod(np.array(chosen, np.intp), skin.cell)
    margin = float(gaps[:, chosen].max(1).min())
    return Points(x, y, _by_value(low[:, y, x]), _by_value(high[:, y, x]), margin, _witnesses(low, high))


def _witnesses(low: Floats, high: Floats) -> Witnesses:
    lattice = ((np.arange(_WITNESSES) + 0.5) * low.shape[1] / _WITNESSES).astype(np.intp)
    y, x = (axis.reshape(-1) for axis in np.meshgrid(lattice, lattice, indexing="ij"))
    return Witnesses(x, y, low[:, y, x].reshape(len(low), -1), high[:, y, x].reshape(len(high), -1))


def _ranges(skin: Skin, scale: float) -> tuple[Floats, Floats]:
    """Return the lowest and the highest value of every template's every pixel, n x cell x cell x 3."""
    off = _SHIFT if skin.exact else _ROUGH_SHIFT
    shifts = [(dx, dy) for dx in (-off, 0.0, off) for dy in (-off, 0.0, off)]
    seen = np.stack([stretched(skin.templates, scale, dx, dy) for dx, dy in shifts]).astype(np.float32)
    if not skin.exact:
        flat = seen.reshape(-1, skin.cell, skin.cell, 3)
        smooth = [cv2.blur(cell, (3, 3), borderType=cv2.BORDER_REPLICATE) for cell in flat]
        seen = np.stack(smooth).reshape(seen.shape).astype(np.float32)
    return seen.min(0), seen.max(0)


def _edge(cell: int) -> npt.NDArray[np.bool_]:
    edge = np.ones((cell, cell), np.bool_)
    edge[1:-1, 1:-1] = False
    return edge.reshape(-1)


def _by_value(values: Floats) -> Floats:
    """Return (n, K, 3) as (K * 3, n)."""
    return np.ascontiguousarray(values.reshape(len(values), -1).T)


def _gaps(low: Floats, high: Floats, states: States) -> Floats:
    """Return for every pair of templates of two states (rows) and every pixel how far apart they are."""
    first, second = np.triu_indices(len(low), 1)
    apart = states[first] != states[second]
    first, second = first[apart], second[apart]
    flat_low, flat_high = low.reshape(len(low), -1, 3), high.reshape(len(high), -1, 3)
    above = flat_low[first] - flat_high[second]
    below = flat_low[second] - flat_high[first]
    gaps: Floats = np.maximum(above, below).max(2).clip(0)
    return gaps


def _choose(gaps: Floats) -> list[int]:
    """Return pixels with a large margin: the best pair, one more while that helps, without the needless."""
    chosen = _best_pair(gaps)
    while len(chosen) < _MOST_POINTS and gaps[:, chosen].max(1).min() < _ENOUGH:
        another = _best(np.maximum(gaps, gaps[:, chosen].max(1)[:, None]))
        if another in chosen:
            break
        chosen.append(another)
    return _without_needless(gaps, chosen)


def _without_needless(gaps: Floats, chosen: list[int]) -> list[int]:
    margin = gaps[:, chosen].max(1).min()
    for pixel in list(chosen):
        rest = [other for other in chosen if other != pixel]
        if rest and gaps[:, rest].max(1).min() >= margin:
            chosen = rest
    return chosen


def _best_pair(gaps: Floats) -> list[int]:
    margins = [np.maximum(gaps, gaps[:, [pixel]]) for pixel in range(gaps.shape[1])]
    values = np.array([together.min(0).max() for together in margins])
    first = int(values.argmax()) if values.max() > 0 else _best(gaps)
    return [first, _best(margins[first])]


def _best(reached: Floats) -> int:
    """Return the column whose weakest pairs are furthest apart; ties go to the next weakest."""
    weakest = np.sort(np.minimum(reached, _ENOUGH), axis=0)[:20]
    weights = 0.5 ** np.arange(len(weakest), dtype=np.float64)
    return int((weights @ weakest).argmax())
