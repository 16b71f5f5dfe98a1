"""What stands around a board, and what of it has changed: a face, a word, a colour may say how a game ended.

No game's panel is known beforehand. What changes while a game goes on (a timer, a counter) is no sign; what
looks different once it is over, and always did, is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect

Mask = npt.NDArray[np.bool_]

_ABOVE, _BESIDE = 5.5, 8.0  # cells: how far from the board its panel may reach
_NEAREST = 90  # pixels: as far at least, since the panels of web pages do not grow with their cells
_RIM = 4  # pixels around the board that belong to its frame, and to what cells cast on it
_DIFFERENT = 24  # grey levels: less is noise
_TINGE = 3  # grey levels: plain grounds have no noise
_SAME = 8.0  # grey levels: mean difference of two pictures of one thing
_SMALLEST = 0.3  # cells: a sign is no smaller, both ways
_FEWEST = 5  # pixels, likewise
_CLOSE = 0.25  # cells: eyes and mouth are parts of one face
_DIGITS = 1.3  # of its height: as far to the left of a digit that changes there may be more digits
_DIGIT_RIM = 0.2  # of its height: as far around a number there may be something of it


def panel_reach(grid: Grid) -> tuple[int, int]:
    """Return how far its panel may reach from a board, up or down and to the sides, in pixels."""
    return max(_NEAREST, round(_ABOVE * grid.pitch_y)), max(_NEAREST, round(_BESIDE * grid.pitch_x))


def strips_around(
    board: Rect, reach: tuple[int, int], overhang: int, shape: tuple[int, ...]
) -> tuple[Rect, ...]:
    """Return what lies above, below, left and right of a board, so far as it is in a picture of that shape.

    ``reach`` is how high the first two are and how wide the others; the first two are wider than the board by
    ``overhang`` on both sides.
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
    """What stands around a board: four parts of a BGR picture, and where they are in its pixels.

    ``offsets`` are these places as seen from the board's top left; ``cell`` is the size of a cell.
    """

    parts: tuple[Pixels, ...]
    places: tuple[Rect, ...]
    offsets: tuple[Rect, ...]
    cell: float

    @classmethod
    def of(cls, pixels: Pixels, grid: Grid) -> Self:
        """Return what stands around ``grid`` in a picture; nothing of it is copied."""
        places, offsets = _places(grid, pixels.shape)
        parts = tuple(place.cut(pixels) for place in places)
        return cls(parts, places, offsets, (grid.pitch_x + grid.pitch_y) / 2)

    def alike(self, other: Surroundings) -> bool:
        """Return whether both show the same surroundings of a board, so that they can be compared."""
        return self.offsets == other.offsets


@lru_cache(maxsize=16)
def _places(grid: Grid, shape: tuple[int, ...]) -> tuple[tuple[Rect, ...], tuple[Rect, ...]]:
    """Return where the parts are in pictures of that shape, and as seen from the board's top left."""
    high, wide = panel_reach(grid)
    places = strips_around(grid.rect.grown(_RIM), (high, wide), wide, shape)
    return places, tuple(place.moved(-grid.rect.x, -grid.rect.y) for place in places)


@dataclass(frozen=True, slots=True, eq=False)
class Sign:
    """Something beside a board: in which part of `Surroundings`, where in it, and what it looks like."""

    part: int
    box: Rect
    picture: Pixels

    def same(self, other: Sign) -> bool:
        """Return whether another sign looks the same where both are."""
        shared = self.box.intersection(other.box)
        one, two = (shared.moved(-s.box.x, -s.box.y).cut(s.picture) for s in (self, other))
        return not shared.empty and float(cv2.absdiff(one, two).mean()) <= _SAME

    def on_picture(self, beside: Surroundings) -> Rect:
        """Return where it is in the pixels of the picture that ``beside`` was taken of."""
        place = beside.places[self.part]
        return self.box.moved(place.x, place.y)


Busy = tuple[Mask, ...]


def never_changed(beside: Surroundings) -> Busy:
    """Return that nothing there has changed so far: a mask for each part."""
    return tuple(np.zeros(part.shape[:2], np.bool_) for part in beside.parts)


def also_changed(busy: Busy, one: Surroundings, other: Surroundings) -> Busy:
    """Return where something has changed, with what differs between two pictures that are `alike`.

    Beside a digit there may be others that change less often.
    """
    masks = (_different(*pair) for pair in zip(one.parts, other.parts, strict=True))
    return tuple(
        old | _with_neighbours(new) if new.any() else old for old, new in zip(busy, masks, strict=True)
    )


def changed_signs(
    before: Surroundings, now: Surroundings, busy: Busy, numbers: Iterable[Rect] = ()
) -> list[Sign]:
    """Return what looks different now, but for what is ``busy`` and for numbers, in pixels of the picture."""
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
    """Return whether most of what stands around the board has another colour, be it only slightly so.

    Screens that turn to warm colours at night do that by and by: what is brightest changes first.
    """
    parts = [(one, other) for one, other in zip(before.parts, now.parts, strict=True) if one.size]
    apart = [cv2.absdiff(one, other).max(axis=2).ravel() for one, other in parts]
    return bool(apart) and float(np.median(np.concatenate(apart))) >= _TINGE


def _different(one: Pixels, other: Pixels) -> Mask:
    if not one.size:
        return np.zeros(one.shape[:2], np.bool_)
    alike = cv2.inRange(cv2.absdiff(one, other), (0, 0, 0), (_DIFFERENT,) * 3)
    return np.asarray(alike == 0, dtype=np.bool_)


def _with_neighbours(changed: Mask) -> Mask:
    grown = changed.copy()
    for box in pieces(changed):
        reach, rim = round(_DIGITS * box.height), max(1, round(_DIGIT_RIM * box.height))
        wider = Rect(box.x - reach, box.y, box.width + reach, box.height)
        wider.grown(rim).cut(grown)[:] = True
    return grown


def _boxes(mask: Mask, cell: float) -> Sequence[Rect]:
    """Return the boxes around changes that are large enough for a sign; what is close belongs together."""
    if not mask.any():
        return []
    close = max(1, round(_CLOSE * cell))
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((2 * close + 1,) * 2, np.uint8)) > 0
    least = max(_FEWEST, _SMALLEST * cell)
    boxes = (box.grown(-close) for box in pieces(joined))
    return [box for box in boxes if min(box.size) >= least]


def pieces(mask: npt.NDArray[np.uint8] | Mask, connectivity: int = 8) -> list[Rect]:
    """Return the boxes around the pieces of a mask, those pixels that hang together."""
    stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)[2][1:]
    return [Rect(x, y, width, height) for x, y, width, height, _ in stats.tolist()]
