"""The few pixels that tell all states of a skin apart, found by search.

A state's value at a pixel is no single colour but a range: what the pixel shows when the picture is
stretched the way the screen does it and stands a little off. Two states are apart at a point by the
gap between their ranges in the best channel, and apart on a set of points by the largest of those gaps. The
margin of a set is that of its weakest pair of states.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import States
from bot.geometry import Pixels
from bot.vision.skin import Skin

Floats = npt.NDArray[np.float32]

_ENOUGH = 64  # margin (of 255) at which no more points are looked for
_WEAKEST = 20  # pairs of states by which pixels are compared
_MOST_POINTS = 8
_WITNESSES = 4  # in each direction
_PLACES = 16  # in each direction: points of larger cells are looked for on a lattice


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


def points_between(low: Floats, high: Floats, skin: Skin, *, inner: bool) -> Points:
    """Return the smallest set of points that keeps all states well apart.

    ``low`` and ``high`` are the ranges of every template at every pixel, float32 (n, cell, cell, 3);
    ``inner`` leaves out the outermost pixels, where neighbouring cells may be mixed.
    """
    places = _places(skin.cell, inner)
    gaps = _gaps(low[:, places[:, None], places], high[:, places[:, None], places], skin.states)
    chosen = _choose(gaps)
    y, x = (places[part] for part in np.divmod(np.array(chosen, np.intp), len(places)))
    margin = float(gaps[:, chosen].max(1).min())
    return Points(x, y, _by_value(low[:, y, x]), _by_value(high[:, y, x]), margin, _witnesses(low, high))


def _witnesses(low: Floats, high: Floats) -> Witnesses:
    lattice = ((np.arange(_WITNESSES) + 0.5) * low.shape[1] / _WITNESSES).astype(np.intp)
    y, x = (axis.reshape(-1) for axis in np.meshgrid(lattice, lattice, indexing="ij"))
    return Witnesses(x, y, low[:, y, x].reshape(len(low), -1), high[:, y, x].reshape(len(high), -1))


def _places(cell: int, inner: bool) -> npt.NDArray[np.intp]:
    """Return the columns, and as well the rows, in which points may lie."""
    places = np.unique(((np.arange(_PLACES) + 0.5) * cell / _PLACES).astype(np.intp))
    return places[(places > 0) & (places < cell - 1)] if inner else places


def _by_value(values: Floats) -> Floats:
    """Return (n, K, 3) as (K * 3, n)."""
    return np.ascontiguousarray(values.reshape(len(values), -1).T)


def _gaps(low: Floats, high: Floats, states: States) -> Pixels:
    """Return for every pair of templates of two states (rows) and every pixel how far apart they are."""
    first, second = np.triu_indices(len(low), 1)
    apart = states[first] != states[second]
    first, second = first[apart], second[apart]
    flat_low = np.floor(low).astype(np.uint8).reshape(len(low), -1, 3)
    flat_high = np.ceil(high).astype(np.uint8).reshape(len(high), -1, 3)
    gaps = np.zeros((len(first), flat_low.shape[1]), np.uint8)
    for channel in range(3):
        bottom, top = flat_low[..., channel], flat_high[..., channel]
        for one, other in ((first, second), (second, first)):
            np.maximum(gaps, cv2.subtract(bottom[one], top[other]), out=gaps)
    return gaps


def _choose(gaps: Pixels) -> list[int]:
    """Return pixels with a large margin: the best pair, one more while that helps, without the needless."""
    chosen = _best_pair(gaps)
    while len(chosen) < _MOST_POINTS and gaps[:, chosen].max(1).min() < _ENOUGH:
        another = _best(np.maximum(gaps, gaps[:, chosen].max(1)[:, None]))
        if another in chosen:
            break
        chosen.append(another)
    return _without_needless(gaps, chosen)


def _without_needless(gaps: Pixels, chosen: list[int]) -> list[int]:
    margin = gaps[:, chosen].max(1).min()
    for pixel in list(chosen):
        rest = [other for other in chosen if other != pixel]
        if rest and gaps[:, rest].max(1).min() >= margin:
            chosen = rest
    return chosen


def _best_pair(gaps: Pixels) -> list[int]:
    together = np.empty_like(gaps)
    margins = [
        int(np.maximum(gaps, gaps[:, [pixel]], out=together).min(0).max()) for pixel in range(gaps.shape[1])
    ]
    first = int(np.argmax(margins)) if max(margins) > 0 else _best(gaps)
    return [first, _best(np.maximum(gaps, gaps[:, [first]]))]


def _best(reached: Pixels) -> int:
    """Return the column whose weakest pairs are furthest apart; ties go to the next weakest."""
    most = min(_WEAKEST, len(reached)) - 1
    weakest = np.sort(np.partition(np.minimum(reached, _ENOUGH), most, axis=0)[: most + 1], axis=0)
    weights = 0.5 ** np.arange(len(weakest), dtype=np.float64)
    return int((weights @ weakest).argmax())
