"""Reading a board whose place is known in a tenth of a millisecond: one gather, one look-up, one reduction.

Nothing is resampled. For every cell, the pixels that show the sample points and witnesses of the skin are
known beforehand. Each of their values (blue, green, red of each point) allows some states and rules out the
others; a table says which, as a set of bits. A cell is read if all its values together leave one state. What
is read so was seen at some two dozen places all over the cell; what is not is left to the careful reading of
`bot.vision.known`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State, States
from bot.geometry import Grid, Pixels
from bot.vision.points import Points, points_between
from bot.vision.skin import STATES, Skin

_OFF = 0.2  # of a screen pixel: how far a grid may be from the true one
_LEAST_MARGIN = 24.0  # of 255: below it, points are no ground for a judgement
_REACH = 20.0  # how far a point may be outside of its range
_WITNESS_REACH = 28.0  # how far a witness may be; a pointer is further off than that


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """What is needed to read the cells of one grid in pictures of one width.

    ``offsets`` (int, cells x values) are places in the flat picture; ``plain`` tells the state of a cell that
    shows at all of them exactly what a picture of the skin shows; ``first`` (int, values) is where the table
    of each value starts; ``table`` (uint16) tells for each value of each place which states it allows.
    """

    offsets: npt.NDArray[np.intp]
    plain: Mapping[bytes, int]
    first: npt.NDArray[np.intp]
    table: npt.NDArray[np.uint16]

    def states(self, values: Pixels) -> States:
        """Return the states of cells (int8, n) with these values (n x values), unreadable where in doubt."""
        keys = values.view(f"V{values.shape[1]}")[:, 0].tolist()
        states = np.array([self.plain.get(key, State.UNREADABLE) for key in keys], np.int8)
        other = np.flatnonzero(states == State.UNREADABLE)
        if len(other):
            states[other] = self.compared(values[other])
        return states

    def compared(self, values: Pixels) -> States:
        """Return what `states` does, by what each value allows."""
        allowed = self.table.take(values + self.first)
        return _single()[np.bitwise_and.reduce(allowed, axis=1)]


def read_quickly(
    pixels: Pixels, grid: Grid, skin: Skin, some: npt.NDArray[np.intp] | None = None
) -> States | None:
    """Return the states (int8, rows x cols) of the cells on ``grid``, `State.UNREADABLE` where in doubt.

    With ``some``, only those cells (counted row by row) are read, and their states are int8 of its shape.
    Return None where this way is closed: the skin's pictures are not the game's own, the grid is not wholly
    in the picture, its cells are not whole pixels large, or no points tell the states apart at its scale.
    """
    if not skin.exact or grid.pitch_x != int(grid.pitch_x) or grid.pitch_y != int(grid.pitch_y):
        return None
    rect, (height, width) = grid.rect, pixels.shape[:2]
    if rect.x < 0 or rect.y < 0 or rect.right > width or rect.bottom > height:
        return None
    lookup = compiled(grid, skin, width)
    if lookup is None:
        return None
    if some is not None:
        return lookup.states(pixels.reshape(-1).take(lookup.offsets[some]))
    return lookup.states(pixels.reshape(-1).take(lookup.offsets)).reshape(grid.rows, grid.cols)


@lru_cache(maxsize=1)
def _single() -> States:
    """Return for every set of states the one that it holds, `State.UNREADABLE` if there are more or none."""
    single = np.full(1 << len(STATES), State.UNREADABLE, np.int8)
    for state in STATES:
        single[1 << state] = state
    return single


@lru_cache(maxsize=16)
def compiled(grid: Grid, skin: Skin, width: int) -> Lookup | None:
    """Return how cells on ``grid`` are looked up in pictures so wide; None if no points tell states apart."""
    axes = Axis.of(grid.x, grid.pitch_x, skin.cell), Axis.of(grid.y, grid.pitch_y, skin.cell)
    points = screen_points(skin, *axes)
    if points.margin < _LEAST_MARGIN:
        return None
    x, y = np.append(points.x, points.witnesses.x), np.append(points.y, points.witnesses.y)
    columns = np.floor(grid.x + (np.arange(grid.cols)[:, None] + (x + 0.5) / skin.cell) * grid.pitch_x)
    lines = np.floor(grid.y + (np.arange(grid.rows)[:, None] + (y + 0.5) / skin.cell) * grid.pitch_y)
    places = lines.astype(np.intp)[:, None] * width + columns.astype(np.intp)
    offsets = (places[..., None] * 3 + np.arange(3)).reshape(grid.rows * grid.cols, -1)
    lookup = Lookup(offsets, {}, np.arange(offsets.shape[1]) * 256, _table(points, skin))
    shown = _sampled(skin.templates, *(axis.sampled(skin.cell, 0.0) for axis in axes))[:, y, x]
    return replace(lookup, plain=_plain(lookup, shown.reshape(len(shown), -1)))


def _plain(lookup: Lookup, values: Pixels) -> dict[bytes, int]:
    """Return the states of the pictures of a skin that show these values (n x values), as they are read."""
    read = lookup.compared(values).tolist()
    return {key.tobytes(): state for key, state in zip(values, read, strict=True)}


def _table(points: Points, skin: Skin) -> npt.NDArray[np.uint16]:
    """Return which states each value of each channel of each point allows, as bits: 256 entries a channel."""
    reach = np.full(points.low.shape[0], min(_REACH, points.margin / 3))
    reaches = np.append(reach, np.full(points.witnesses.low.shape[1], _WITNESS_REACH))[:, None]
    low = np.concatenate([points.low, points.witnesses.low.T]) - reaches
    high = np.concatenate([points.high, points.witnesses.high.T]) + reaches
    values = np.arange(256)[:, None]
    fits = (values >= low[:, None, :]) & (values <= high[:, None, :])  # channels x 256 x templates
    bits = np.where(fits, np.uint16(1) << skin.states.astype(np.uint16), 0).astype(np.uint16)
    table: npt.NDArray[np.uint16] = np.bitwise_or.reduce(bits, axis=2).reshape(-1)
    return table


@dataclass(frozen=True, slots=True)
class Axis:
    """How cells lie to the pixels in one direction: pitch, where the first begins within its pixel, doubt."""

    pitch: float
    phase: float
    doubt: float

    @classmethod
    def of(cls, start: float, pitch: float, cell: int) -> Axis:
        """Return how cells lie that are shown from ``start`` in ``pitch``, a whole number of pixels."""
        phase = start - np.floor(start)
        return cls(pitch, phase, 0.0 if phase == 0 and pitch == cell else _OFF)

    def sampled(self, cell: int, off: float) -> npt.NDArray[np.float64]:
        """Return where in the template (of ``cell`` pixels) the pixels lie that show its pixels' middles."""
        shown = np.floor(self.phase + (np.arange(cell) + 0.5) / cell * self.pitch) + 0.5 - self.phase
        return (shown + off) / self.pitch * cell - 0.5


@lru_cache(maxsize=32)
def screen_points(skin: Skin, across: Axis, down: Axis) -> Points:
    """Return sample points of ``skin`` on a screen that stretches it, with what single pixels show there."""
    seen = [
        _sampled(skin.templates, across.sampled(skin.cell, dx), down.sampled(skin.cell, dy))
        for dx in (-across.doubt, 0.0, across.doubt)
        for dy in (-down.doubt, 0.0, down.doubt)
    ]
    values = np.stack(seen).astype(np.float32)
    return points_between(values.min(0), values.max(0), skin, inner=across.doubt + down.doubt > 0)


def _sampled(templates: Pixels, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Pixels:
    """Return the templates as they are at places between their pixels: (n, cell, cell, 3)."""
    maps = np.meshgrid(x.astype(np.float32), y.astype(np.float32))
    shown = [
        cv2.remap(template, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for template in templates
    ]
    return np.stack(shown).astype(np.uint8)
