"""The surroundings of a board and their changes: a face, a word or a colour may show how a game ended.

The panel of a game is not known beforehand. Parts that change during a game (a timer, a counter) are no sign
of its end; parts that look different only after the end, in every game, are a sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
_SAMPLE = 8  # pixels: every fourth row and column shows whether most of a picture has changed
_SMALLEST = 0.3  # cells: least width and height of a sign
_FEWEST = 5  # pixels: the same
_CLOSE = 0.25  # cells: changes this close are parts of one sign, such as eyes and mouth of a face
_DIGITS = 1.3  # of the height of a changing digit: how far to the left of it there may be more digits
_DIGIT_RIM = 0.2  # of the height of a number: margin around it that may still show parts of it


def panel_strips(
    grid: Grid, shape: tuple[int, ...], rim: int = 0, *, corners: bool = False
) -> tuple[Rect, ...]:
    """Return the areas above, below, left and right of a board in which its panel may be.

    They begin ``rim`` pixels from the board, and are clipped to a picture of that ``shape``; those outside it
    are left out. The first two extend beyond the sides of the board by a cell, with ``corners`` as far as the
    other two.
    """
    high, wide = max(_NEAREST, round(_ABOVE * grid.pitch_y)), max(_NEAREST, round(_BESIDE * grid.pitch_x))
    board, overhang = grid.rect.grown(rim), wide if corners else round(grid.pitch_x)
    left, width = board.x - overhang, board.width + 2 * overhang
    strips = (
        Rect(left, board.y - high, width, high),
        Rect(left, board.bottom, width, high),
        Rect(board.x - wide, board.y, wide, board.height),
        Rect(board.right, board.y, wide, board.height),
    )
    clipped = (strip.intersection(Rect(0, 0, shape[1], shape[0])) for strip in strips)
    return tuple(strip for strip in clipped if not strip.empty)


@dataclass(frozen=True, slots=True, eq=False)
class Sign:
    """A changed thing beside a board: its box relative to the board's top left, and its picture."""

    box: Rect
    picture: Pixels

    def overlaps(self, other: Sign) -> bool:
        """Return whether both have a place in common."""
        return not self.box.intersection(other.box).empty

    def same(self, other: Sign) -> bool:
        """Return whether two signs overlap and look the same where they do."""
        shared = self.box.intersection(other.box)
        one, two = (shared.moved(-s.box.x, -s.box.y).cut(s.picture) for s in (self, other))
        return not shared.empty and float(cv2.absdiff(one, two).mean()) <= FAINT


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The surroundings of a board in one look or several: the areas above, below, left and right of it.

    ``places`` are their boxes relative to the board's top left. ``least`` and ``greatest`` are the values
    seen of each pixel: BGR pictures, the same ones for a single look. ``cell`` is the size of a cell.
    """

    places: tuple[Rect, ...]
    least: tuple[Pixels, ...]
    greatest: tuple[Pixels, ...]
    cell: float

    @classmethod
    def of(cls, pixels: Pixels, grid: Grid) -> Self:
        """Return the surroundings of ``grid`` in a picture; the pixels are not copied."""
        board, strips = grid.rect, panel_strips(grid, pixels.shape, _RIM, corners=True)
        parts = tuple(strip.cut(pixels) for strip in strips)
        places = tuple(strip.moved(-board.x, -board.y) for strip in strips)
        return cls(places, parts, parts, (grid.pitch_x + grid.pitch_y) / 2)

    def joined(self, now: Surroundings) -> Surroundings:
        """Return what was seen in these and in the look ``now`` at the same places, in its colours."""
        if self._contains_look(now):
            return self
        least, greatest = self.least, self.greatest
        if self._drift(now) > 0:
            nearest = map(np.clip, now.least, least, greatest)
            shifts = [seen - near for seen, near in zip(now.least, nearest, strict=True)]  # modulo 256
            least, greatest = tuple(map(np.add, least, shifts)), tuple(map(np.add, greatest, shifts))
        else:
            least = tuple(map(np.minimum, least, now.least))
            greatest = tuple(map(np.maximum, greatest, now.least))
        return Surroundings(self.places, least, greatest, self.cell)

    def recoloured(self, now: Surroundings) -> bool:
        """Return whether most of a look at the same places has another colour, even if only slightly.

        Screens that turn to warm colours at night do so gradually: the brightest parts change first.
        """
        return self._drift(now) >= _TINGE

    def _contains_look(self, now: Surroundings) -> bool:
        """Return whether a look shows nothing new."""
        parts = zip(now.least, self.least, self.greatest, strict=True)
        return all(cv2.inRange(seen, least, greatest).all() for seen, least, greatest in parts)

    def _drift(self, now: Surroundings) -> float:
        """Return by how many grey levels most of a look has left what was seen before."""
        every, apart = np.s_[::_SAMPLE, ::_SAMPLE], []
        for part in zip(now.least, self.least, self.greatest, strict=True):
            seen, least, greatest = (each[every] for each in part)
            apart.append(_beyond(seen, least, greatest).max(axis=2).ravel())
        return float(np.median(np.concatenate(apart))) if apart else 0.0

    def signs(self, now: Surroundings, numbers: Iterable[Rect] = ()) -> Iterator[Sign]:
        """Yield what the look ``now`` shows that was not seen before, except in busy areas and ``numbers``.

        The boxes of ``numbers`` are relative to the board's top left. An area is busy if pixels in it have
        changed, or to the right of it: a changed digit may have others beside it that change less often.
        """
        if self._contains_look(now):
            return
        taken = list(numbers)
        parts = zip(self.places, now.least, self.least, self.greatest, strict=True)
        for place, seen, least, greatest in parts:
            changed = _different(_beyond(seen, least, greatest))
            if not changed.any():
                continue
            for box in (number.moved(-place.x, -place.y) for number in taken):
                _clear(changed, box)
            for box in pieces(_different(cv2.subtract(greatest, least))):
                reach = round(_DIGITS * box.height)
                _clear(changed, Rect(box.x - reach, box.y, box.width + reach, box.height))
            for box in _sign_boxes(changed, now.cell):
                yield Sign(box.moved(place.x, place.y), box.cut(seen).copy())


def _beyond(seen: Pixels, least: Pixels, greatest: Pixels) -> Pixels:
    """Return by how many grey levels each value lies outside the range of values."""
    return np.asarray(cv2.max(cv2.subtract(least, seen), cv2.subtract(seen, greatest)), np.uint8)


def _different(distances: cv2.typing.MatLike) -> Bools:
    """Return the pixels whose distance in any channel is that of things on a background."""
    return np.asarray(cv2.inRange(distances, (0, 0, 0), (DIFFERENT,) * 3) == 0)


def _clear(mask: Bools, digits: Rect) -> None:
    """Remove digits from a mask of changes, with a margin that may still show parts of them."""
    digits.grown(max(1, round(_DIGIT_RIM * digits.height))).cut(mask)[:] = False


def _sign_boxes(mask: Bools, cell: float) -> list[Rect]:
    """Return the boxes around changes that are large enough for a sign; close changes are joined."""
    close = max(1, round(_CLOSE * cell))
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((2 * close + 1,) * 2, np.uint8)) > 0
    least = max(_FEWEST, _SMALLEST * cell)
    boxes = (box.grown(-close) for box in pieces(joined))
    return [box for box in boxes if min(box.size) >= least]


def pieces(mask: Pixels | Bools, connectivity: int = 8) -> list[Rect]:
    """Return the boxes around the connected pieces of a mask."""
    stats = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)[2][1:]
    return [Rect(x, y, width, height) for x, y, width, height, _ in stats.tolist()]
