"""Read a board at a known place in a tenth of a millisecond, by a few pixels that distinguish the states.

The points are found by search. The value of a state at a pixel is not one colour but a range: the colours of
the pixel when the picture is stretched by the screen and slightly out of place. The distance of two states at
a point is the gap between their ranges in the best channel; on a set of points it is the largest of these
gaps. The margin of a set is the distance of its weakest pair of states.

Reading then needs no resampling: one gather, one look-up, one reduction. For every cell, the pixels of the
points and witnesses are computed beforehand. Each of their values (blue, green, red of each point) allows
some states and rules out the others; a table holds the allowed ones as bits. A cell is read if all its values
together leave one state, so it was checked at about two dozen places all over the cell. All other cells are
left to `bot.vision.known_art`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import OPENED, State, States
from bot.geometry import Grid, Pixels
from bot.vision.distortion import Floats, Indices, middles
from bot.vision.skin import STATES, Skin

_ENOUGH = 64  # margin (of 255) at which the search for points ends
_WEAKEST = 20  # weakest pairs of states, by which pixels are compared
_MOST_POINTS = 8
_WITNESSES = 4  # in each direction
_PLACES = 16  # in each direction: in larger cells, points are searched on a lattice of this size
_OFF = 0.2  # of a screen pixel: largest error of a grid
_LEAST_MARGIN = 24.0  # of 255: with a smaller margin the points are not reliable
_REACH = 20.0  # largest distance of a point from its range
_WITNESS_REACH = 28.0  # the same for a witness; a pointer differs by more
# The only state of every set of states, given as bits; `State.UNREADABLE` if it holds several or none.
_SINGLE = np.full(1 << len(STATES), State.UNREADABLE, np.int8)
_SINGLE[[1 << state for state in STATES]] = STATES


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Sample points of a skin at one scale, and the colours of every state there.

    ``x`` and ``y`` (int, K) are pixels of the unstretched cell. ``low`` and ``high`` (float32, K * 3 x n) are
    the range of every template, ``reach`` (K * 3) is how far outside of it a cell may be. ``margin`` is the
    gap of the weakest pair of states, of 255. The last points are *witnesses*, spread over the cell, which
    check the state found by the others: a pointer or a half-painted window may show any colour at a few
    points, but hardly the right one everywhere.
    """

    x: Indices
    y: Indices
    low: Floats
    high: Floats
    reach: npt.NDArray[np.float64]
    margin: float


def points_between(low: Floats, high: Floats, skin: Skin, *, inner: bool) -> Points:
    """Return a small set of points that distinguishes all states well, found one by one.

    ``low`` and ``high`` are the ranges of every template at every pixel, float32 (n, cell, cell, 3);
    ``inner`` leaves out the outermost pixels, where colours of neighbouring cells may be mixed in.
    """
    places = np.unique((middles(_PLACES) * skin.cell / _PLACES).astype(np.intp))
    if inner:
        places = places[(places > 0) & (places < skin.cell - 1)]
    gaps = _gaps(low[:, places[:, None], places], high[:, places[:, None], places], skin.states)
    chosen = _choose(gaps)
    y, x = (places[part] for part in np.divmod(np.array(chosen, np.intp), len(places)))
    margin = float(gaps[:, chosen].max(1).min())
    lattice = (middles(_WITNESSES) * skin.cell / _WITNESSES).astype(np.intp)
    reach = np.repeat([min(_REACH, margin / 3), _WITNESS_REACH], [len(x), _WITNESSES**2]).repeat(3)
    x, y = np.append(x, np.tile(lattice, _WITNESSES)), np.append(y, np.repeat(lattice, _WITNESSES))
    least, most = (values[:, y, x].reshape(len(values), -1).T for values in (low, high))
    return Points(x, y, least, most, reach, margin)


def _gaps(low: Floats, high: Floats, states: States) -> Pixels:
    """Return the gap of every pair of templates of different states (rows) at every pixel (columns)."""
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
    """Return pixels with a large margin: the best one is added again and again, while that helps."""
    chosen, reached = list[int](), np.zeros(len(gaps), np.uint8)
    while len(chosen) < _MOST_POINTS and reached.min() < _ENOUGH:
        another = _best(np.maximum(gaps, reached[:, None]))
        if another in chosen:
            break
        chosen.append(another)
        reached = np.maximum(reached, gaps[:, another])
    return chosen


def _best(reached: Pixels) -> int:
    """Return the column whose weakest pairs are furthest apart; the weaker a pair, the more it counts."""
    most = min(_WEAKEST, len(reached)) - 1
    weakest = np.sort(np.partition(np.minimum(reached, _ENOUGH), most, axis=0)[: most + 1], axis=0)
    weights = 0.5 ** np.arange(len(weakest), dtype=np.float64)
    return int((weights @ weakest).argmax())


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """The tables for reading the cells of one grid in pictures of one width.

    ``offsets`` (int, cells x values) are places in the flat picture. ``plain`` maps the values of a cell that
    are exactly those of a skin's picture to its state. ``first`` (int, values) is the start of each value's
    part of ``table``; ``table`` (uint16) has the allowed states, as bits, for each value of each place.
    """

    offsets: Indices
    plain: Mapping[bytes, int]
    first: Indices
    table: npt.NDArray[np.uint16]

    def states(self, values: Pixels) -> States:
        """Return the states (int8, n) of cells with these ``values`` (n x values); unreadable if in doubt."""
        keys = values.view(f"V{values.shape[1]}")[:, 0].tolist()
        states = np.array([self.plain.get(key, State.UNREADABLE) for key in keys], np.int8)
        other = np.flatnonzero(states == State.UNREADABLE)
        if len(other):
            states[other] = self.compared(values[other])
        return states

    def compared(self, values: Pixels) -> States:
        """Return the same as `states`, by ``table`` alone."""
        allowed = self.table.take(values + self.first)
        return _SINGLE[np.bitwise_and.reduce(allowed, axis=1)]


def read_quickly(pixels: Pixels, grid: Grid, skin: Skin, some: Indices | None = None) -> States | None:
    """Return the states (int8, rows x cols) of the cells on ``grid``, `State.UNREADABLE` where in doubt.

    With ``some``, only those cells (indices, row by row) are read, and their states are int8 of its shape.
    Return None if this is impossible: the skin's pictures are not the game's own, or it lacks a number, which
    may look like another state at a few points; the grid is not wholly inside the picture, the size of its
    cells is not a whole number of pixels, or no points distinguish the states at its scale.
    """
    if not skin.exact or grid.pitch_x != int(grid.pitch_x) or grid.pitch_y != int(grid.pitch_y):
        return None
    rect, (height, width) = grid.rect, pixels.shape[:2]
    if rect.x < 0 or rect.y < 0 or rect.right > width or rect.bottom > height:
        return None
    lookup = lookup_for(grid, skin, width)
    if lookup is None:
        return None
    flat = pixels.reshape(-1)
    if some is not None:
        return lookup.states(flat.take(lookup.offsets[some]))
    return lookup.states(flat.take(lookup.offsets)).reshape(grid.rows, grid.cols)


@lru_cache(maxsize=16)
def lookup_for(grid: Grid, skin: Skin, width: int) -> Lookup | None:
    """Return the tables for ``grid`` in pictures of that ``width``; None if no points distinguish states."""
    if not set(OPENED).issubset(skin.shown):
        return None
    axes = Axis.of(grid.x, grid.pitch_x, skin.cell), Axis.of(grid.y, grid.pitch_y, skin.cell)
    points = screen_points(skin, *axes)
    if points.margin < _LEAST_MARGIN:
        return None
    columns = np.floor(grid.x + (np.arange(grid.cols)[:, None] + (points.x + 0.5) / skin.cell) * grid.pitch_x)
    lines = np.floor(grid.y + (np.arange(grid.rows)[:, None] + (points.y + 0.5) / skin.cell) * grid.pitch_y)
    places = lines.astype(np.intp)[:, None] * width + columns.astype(np.intp)
    offsets = (places[..., None] * 3 + np.arange(3)).reshape(grid.rows * grid.cols, -1)
    lookup = Lookup(offsets, {}, np.arange(offsets.shape[1]) * 256, _table(points, skin))
    shown = _sampled(skin.templates, *(axis.sampled(skin.cell, 0.0) for axis in axes))[:, points.y, points.x]
    values = shown.reshape(len(shown), -1)
    read = lookup.compared(values).tolist()
    return replace(lookup, plain={key.tobytes(): state for key, state in zip(values, read, strict=True)})


def _table(points: Points, skin: Skin) -> npt.NDArray[np.uint16]:
    """Return which states each value of each channel of each point allows, as bits: 256 entries a channel."""
    low, high = points.low - points.reach[:, None], points.high + points.reach[:, None]
    values = np.arange(256)[:, None]
    fits = (values >= low[:, None, :]) & (values <= high[:, None, :])  # channels x 256 x templates
    bits = np.where(fits, np.uint16(1) << skin.states.astype(np.uint16), 0).astype(np.uint16)
    table: npt.NDArray[np.uint16] = np.bitwise_or.reduce(bits, axis=2).reshape(-1)
    return table


@dataclass(frozen=True, slots=True)
class Axis:
    """The place of cells on pixels in one direction: pitch, start of the first cell in its pixel, error."""

    pitch: float
    phase: float
    doubt: float

    @classmethod
    def of(cls, start: float, pitch: float, cell: int) -> Axis:
        """Return the axis of cells that begin at ``start`` with ``pitch``, a whole number of pixels."""
        phase = start - np.floor(start)
        return cls(pitch, phase, 0.0 if phase == 0 and pitch == cell else _OFF)

    def sampled(self, cell: int, off: float) -> npt.NDArray[np.float64]:
        """Return the places in the template (``cell`` pixels) of the screen pixels that show its pixels."""
        shown = np.floor(self.phase + middles(cell) / cell * self.pitch) + 0.5 - self.phase
        return (shown + off) / self.pitch * cell - 0.5


@lru_cache(maxsize=32)
def screen_points(skin: Skin, across: Axis, down: Axis) -> Points:
    """Return sample points of ``skin`` on a screen that stretches it, with the colours of pixels there."""
    seen = [
        _sampled(skin.templates, across.sampled(skin.cell, dx), down.sampled(skin.cell, dy))
        for dx in (-across.doubt, 0.0, across.doubt)
        for dy in (-down.doubt, 0.0, down.doubt)
    ]
    values = np.stack(seen).astype(np.float32)
    return points_between(values.min(0), values.max(0), skin, inner=across.doubt + down.doubt > 0)


def _sampled(templates: Pixels, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Pixels:
    """Return the templates interpolated at places ``x`` and ``y`` between pixels: (n, cell, cell, 3)."""
    maps = np.meshgrid(x.astype(np.float32), y.astype(np.float32))
    edge = cv2.BORDER_REPLICATE
    shown = [cv2.remap(template, *maps, cv2.INTER_LINEAR, borderMode=edge) for template in templates]
    return np.stack(shown).astype(np.uint8)
