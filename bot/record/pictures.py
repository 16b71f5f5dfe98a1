"""The pictures of a record: each is stored as a PNG of the changes since the picture before.

Such a layer is transparent where nothing has changed, and covers only the smallest rectangle around the
changes: a round of an expert game takes some 300 bytes, a PNG of the whole picture 36,000. The first picture
of each game is stored whole.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Annotated, Self

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct

from bot.geometry import Pixels, Rect
from bot.picture_files import decoded

_COMPRESSION = 6  # level of zlib; the result has half the size of level 1
_COLOURS = 4  # blue, green, red, opacity
_SIDE = 1 << 16  # pixels; the largest width and height of a picture
_Place = Annotated[int, Meta(ge=0, le=_SIDE)]
_Length = Annotated[int, Meta(ge=1, le=_SIDE)]


class PictureLayer(Struct, tag_field="kind", tag="picture", frozen=True):
    """The changes since the picture before, as a PNG in base64; or a ``whole`` picture.

    ``box`` is the rectangle around the changes: x, y, width and height. ``picture`` is the picture's number.
    """

    box: tuple[_Place, _Place, _Length, _Length]
    whole: bool
    png: str
    picture: int

    @classmethod
    def of(cls, new: Pixels, old: Pixels | None, number: int) -> Self:
        """Return the layer that turns ``old`` into ``new``, both BGR; if ``old`` is None, all of ``new``."""
        if old is None or old.shape != new.shape:
            return cls((0, 0, new.shape[1], new.shape[0]), True, as_png(new), number)
        differs = new != old
        mask = differs[..., 0] | differs[..., 1] | differs[..., 2]  # ten times as fast as any(axis=2)
        rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        if not len(rows):
            rows = cols = np.zeros(1, int)  # a layer has at least one pixel
        box = Rect(int(cols[0]), int(rows[0]), int(cols[-1] - cols[0]) + 1, int(rows[-1] - rows[0]) + 1)
        layer = np.zeros((box.height, box.width, _COLOURS), np.uint8)
        layer[..., :3], layer[..., 3] = box.cut(new), 255
        layer[~box.cut(mask)] = 0
        return cls((box.x, box.y, box.width, box.height), False, as_png(layer), number)

    def over(self, old: Pixels | None) -> Pixels:
        """Return ``old`` with this layer applied. Raises ValueError if it is damaged or does not fit."""
        layer, box = _pixels_of(self.png), Rect(*self.box)
        if layer.shape[:2] != (box.height, box.width):
            raise ValueError("the picture has another size than its box")
        if self.whole or old is None:
            return np.asarray(layer[..., :3], np.uint8)
        new = old.copy()
        part = box.cut(new)
        if part.shape[:2] != layer.shape[:2] or layer.shape[2] != _COLOURS:
            raise ValueError("the picture does not fit to the one before")
        mask = layer[..., 3] > 0
        np.copyto(part, layer[..., :3], where=mask[..., None])
        return new


class Pictures:
    """The pictures of a record, by their numbers; reading them in order is fast."""

    def __init__(self, layers: Mapping[int, PictureLayer]) -> None:
        self.layers = layers
        self._begins = dict[int, int]()  # the whole picture with which each one begins
        for number in sorted(layers):
            begin = number if layers[number].whole else self._begins.get(number - 1)
            if begin is not None:
                self._begins[number] = begin
        self._number, self._shown = -1, np.zeros((0, 0, 3), np.uint8)

    def needed(self, number: int) -> range:
        """Return the numbers of the layers that make up a picture, empty if one of them is missing."""
        return range(self._begins.get(number, number + 1), number + 1)

    def picture(self, number: int) -> Pixels:
        """Return a picture, uint8 BGR of shape (height, width, 3).

        Raises ValueError if one of its layers is missing or damaged.
        """
        needed = self.needed(number)
        if not needed:
            raise ValueError("it is missing")
        known = self._number in needed
        shown = self._shown if known else None
        for one in needed[needed.index(self._number) + 1 :] if known else needed:
            shown = self.layers[one].over(shown)
        assert shown is not None
        self._number, self._shown = number, shown
        return shown


def as_png(pixels: npt.NDArray[np.uint8]) -> str:
    """Return a BGR or BGRA picture as a PNG in base64."""
    _, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, _COMPRESSION])
    return base64.b64encode(data.tobytes()).decode("ascii")


def _pixels_of(png: str) -> npt.NDArray[np.uint8]:
    picture = decoded(base64.b64decode(png, validate=True), cv2.IMREAD_UNCHANGED)
    if picture.ndim != 3 or picture.dtype != np.uint8:
        raise ValueError("not a colour PNG")
    return np.asarray(picture, np.uint8)
