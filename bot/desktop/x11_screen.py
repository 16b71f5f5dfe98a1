"""Pictures of X11 screens that mss does not read, such as those of 8, 15, 16 or 30 bits a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from Xlib import X

from bot.desktop.x11_api import Api
from bot.errors import CaptureError

# For each of blue, green and red: the bits of a pixel that hold it, and the byte for each value of them.
Channels = Sequence[tuple[int, npt.NDArray[np.uint8]]]


class Shot(NamedTuple):
    """A picture, with the attributes of mss: four bytes a pixel, in the order of blue, green, red."""

    raw: bytes
    width: int
    height: int


class X11Screen:
    """The screen that DISPLAY names, in place of `mss.MSS`: one area, whatever the number of monitors.

    Raises CaptureError if there is no display, or if the pixels of its screen are not whole bytes.
    """

    def __init__(self) -> None:
        self._api = Api(None)
        screen, server = self._api.display.screen(), self._api.display.display.info
        depth, self._colours = screen.root_depth, screen.default_colormap
        visuals = [visual for each in screen.allowed_depths for visual in each.visuals]
        self._visual = next(visual for visual in visuals if visual.visual_id == screen.root_visual)
        bits = next(each.bits_per_pixel for each in server.pixmap_formats if each.depth == depth)
        if bits not in (8, 16, 32):
            self._api.close()
            raise CaptureError(
                f"a screen with {depth}-bit colours in {bits} bits a pixel cannot be read: set it to 24-bit "
                "colours, or unset DISPLAY and play on a virtual screen with `minebot play --launch`"
            )
        self._pixel = np.dtype(f"{'<>'[server.image_byte_order]}u{bits // 8}")

    @property
    def monitors(self) -> list[dict[str, int]]:
        """Return the place of the whole screen."""
        size = self._api.rect(self._api.root)
        return [{"left": 0, "top": 0, "width": size.width, "height": size.height}]

    def grab(self, area: dict[str, int]) -> Shot:
        """Return a picture of ``area``. Raises OSError if the X server refuses."""
        place = left, top, width, height = area["left"], area["top"], area["width"], area["height"]
        picture: Any = self._api.ask(self._api.root.get_image, *place, X.ZPixmap, 0xFFFFFFFF)
        if picture is None:
            raise OSError(f"the X server gives no picture of {width} x {height} pixels at {left}, {top}")
        pixels = np.frombuffer(picture.data, self._pixel).reshape(height, -1)[:, :width]
        return Shot(bgra(pixels, self._channels()), width, height)

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    def _channels(self) -> Channels:
        """Return how colours are held; programs may change a table of colours at any time."""
        visual = self._visual
        if visual.red_mask:
            return [ramp(mask) for mask in (visual.blue_mask, visual.green_mask, visual.red_mask)]
        colours: Any = self._api.ask(self._colours.query_colors, range(visual.colormap_entries))
        table = np.array([(each.blue, each.green, each.red) for each in colours]) >> 8
        return [(len(table) - 1, levels) for levels in table.astype(np.uint8).T]


def ramp(mask: int) -> tuple[int, npt.NDArray[np.uint8]]:
    """Return ``mask`` and the bytes from 0 to 255 for the values of its bits."""
    most = mask // (mask & -mask)
    return mask, np.rint(np.arange(most + 1) * 255 / most).astype(np.uint8)


def bgra(pixels: npt.NDArray[Any], channels: Channels) -> bytes:
    """Return four bytes for each of ``pixels``, in the order of blue, green and red; the last is 0."""
    found = np.zeros((*pixels.shape, 4), np.uint8)
    for channel, (mask, levels) in enumerate(channels):
        found[..., channel] = levels[(pixels & mask) // (mask & -mask)]
    return found.tobytes()
