"""The surroundings of a board and their changes: a face, a word or a colour may show how a game ended.

The panel of a game is not known beforehand. Parts that change during a game (a timer, a counter) are no sign
of its end; parts that look different only after the end, in every game, are a sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import cv2
import numpy as np

from bot.geometry import Grid, Pixels, Rect
from bot.vision.distortion import FAINT, Bools

_ABOVE, _BESIDE = 5.5, 8.0  # cells: how far a panel may extend above or below the board, and beside it
_NEAREST = 90  # pixels: least extent, since the panels of web pages do not grow with their cells
_RIM = 4  # pixels around the board that belong to its frame and to the shadows of cells on it
DIFFERENT = 24  # grey levels between a background and the things on it
_TINGE = 3  # grey levels: plain backgrounds have no noise
_SMALLEST = 0.3  # cells: least width and height of a sign
_FEWEST = 5  # pixels: the same
_CLOSE = 0.25  # cells: changes this close are parts of one sign, such as eyes and mouth of a face
_DIGITS = 1.3  # of the height of a changing digit: how far to the left of it there may be more digits
_DIGIT_RIM = 0.2  # of the height of a number: margin around it that may still show parts of it


def panel_reach(grid: Grid) -> tuple[int, int]:
    """Return how far a panel may extend from the board in pixels: up or down, and to the sides."""
    return max(_NEAREST, round(_ABOVE * grid.pitch_y)), max(_NEAREST, round(_BESIDE * grid.pitch_x))


def strips_around(
    board: Rect, reach: tuple[int, int], overhang: int, shape: tuple[int, ...]
) -> tuple[Rect, ...]:
    """Return the areas above, below, left and right of a board, clipped to a picture of that ``shape``.

    ``reach`` is the height of the first two and the width of the others; the first two extend beyond the
    board by ``overhang`` on both sides.
    """
    high, wide = reach
    left, width = board.x - overhang, board.width + 2 * overhang
    strips = (
        Rect(left, board.y - high, width, high),
        Rect(left, board.bottom, width, high),
        Rect(board.x - wide, board.y, wide, board.height),
        Rect(board.right, board.y, wide, board.height),
    )
    return tuple(strip.intersection(Rect(0, 0, shape[1], shape[0])) for strip in strips)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The surroundings of a board: the parts of a BGR picture above, below, left and right of it.

    ``places`` are their boxes in the picture, ``offsets`` the same boxes relative to the board's top left;
    ``cell`` is the size of a cell in pixels.
    """

    parts: tuple[Pixels, ...]
    places: tuple[Rect, ...]
    offsets: tuple[Rect, ...]
    cell: float

    @classmethod
    def of(cls, pixels: Pixels, grid: Grid) -> Self:
        """Return the surroundings of ``grid`` in a picture; the pixels are not copied."""
        places, offsets = _places(grid, pixels.shape)
        parts = tuple(place.cut(pixels) for place in places)
        return cls(parts, places, offsets, (grid.pitch_x + grid.pitch_y) / 2)

    def alike(self, other: Surroundings) -> bool:
        """Return whether the parts of both have the same offsets, so that they can be compared."""
        return self.offsets == other.offsets


@lru_cache(maxsize=16)
def _places(grid: Grid, shape: tuple[int, ...]) -> tuple[tuple[Rect, ...], tuple[Rect, ...]]:
    """Return the places of the parts in pictures of that ``shape``, and relative to the board's top left."""
    high, wide = panel_reach(grid)
    places = strips_around(grid.rect.grown(_RIM), (high, wide), wide, shape)
    return places, tuple(place.moved(-grid.rect.x, -grid.rect.y) for place in places)


@dataclass(frozen=True, slots=True, eq=False)
class Sign:
    """A changed thing beside a board: its part of `Surroundings`, its box in that part, and its picture."""

    part: int
    box: Rect
    picture: Pixels

    def same(self, other: Sign) -> bool:
        """Return whether two signs overlap and look the same where they do."""
        shared = self.box.intersection(other.box)
        one, two = (shared.moved(-s.box.x, -s.box.y).cut(s.picture) for s in (self, other))
        return not shared.empty and float(cv2.absdiff(one, two).mean()) <= FAINT

    def on_picture(self, beside: Surroundings) -> Rect:
        """Return its box in the pixels of the picture that ``beside`` was cut from."""
        place = beside.places[self.part]
        return self.box.moved(place.x, place.y)


Busy = tuple[Bools, ...]


def never_changed(beside: Surroundings) -> Busy:
    """Return an empty mask for each part: nothing has changed so far."""
    return tuple(np.zeros(part.shape[:2], np.bool_) for part in beside.parts)


def also_changed(busy: Busy, one: Surroundings, other: Surroundings) -> Busy:
    """Return the masks ``busy``, extended by the differences of two surroundings that are `alike`.

    The area beside a changed digit is included: it may hold other digits that change less often.
    """
    masks = (_different(*pair) for pair in zip(one.parts, other.parts, strict=True))
    return tuple(
        old | _with_neighbours(new) if new.any() else old for old, new in zip(busy, masks, strict=True)
    )


def changed_signs(
    before: Surroundings, now: Surroundings, busy: Busy, numbers: Iterable[Rect] = ()
) -> list[Sign]:
    """Return what looks different now, except in ``busy`` areas and ``numbers`` (boxes in the picture)."""
    taken = list(numbers)
    signs: list[Sign] = []
    for index, (old, new, dull) in enumerate(zip(before.parts, now.parts, busy, strict=True)):
        place = now.places[index]
        mask = _different(old, new) & ~dull
        for number in taken:
            rim = max(1, round(_DIGIT_RIM * number.height))
            number.moved(-place.x, -place.y).grown(rim).cut(mask)[:] = False
        signs += [Sign(index, box, box.cut(new).copy()) for box in _boxes(mask, now.cell)]
    return signs


def recoloured(before: Surroundings, now: Surroundings) -> bool:
    """Return whether most of the surroundings have changed colour, even if only slightly.

    Screens that turn to warm colours at night do so gradually: the brightest parts change first.
    """
    parts = [(one, other) for one, other in zip(before.parts, now.parts, strict=True) if one.size]
    apart = [cv2.absdiff(one, other).max(axis=2).ravel() for one, other in parts]
    return bool(apart) and float(np.median(np.concatenate(apart))) >= _TINGE


def _different(one: Pixels, other: Pixels) -> Bools:
    if not one.size:
        return np.zeros(one.shape[:2], np.bool_)
    alike = cv2.inRange(cv2.absdiff(one, other), (0, 0, 0), (DIFFERENT,) * 3)
    return np.asarray(alike == 0, dtype=np.bool_)


def _with_neighbours(changed: Bools) -> Bools:
    grown = changed.copy()
    for box in pieces(changed):
        reach, rim = round(_DIGITS * box.height), max(1, round(_DIGIT_RIM * box.height))
        wider = Rect(box.x - reach, box.y, box.width + reach, box.height)
        wider.grown(rim).cut(grown)[:] = True
    return grown


def _boxes(mask: Bools, cell: float) -> Sequence[Rect]:
    """Return the boxes around changes that are large enough for a sign; close changes are joined."""
    if not mask.any():
        return []
    close = max(1, round(_CLOSE * cell))
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((2 * close + 1,) * 2, np.uint8)) > 0
    least = max(_FEWEST, _SMALLEST * cell)
    boxes = (box.grown(-close) for box in pieces(joined))
    return [box for box in boxes if min(box.size) >= least]


def pieces(mask: Pixels | Bools, connectivity: int = 8) -> list[Rect]:
    """Return the boxes around the connected pieces of a mask."""
    stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)[2][1:]
    return [Rect(x, y, width, height) for x, y, width, height, _ in stats.tolist()]
