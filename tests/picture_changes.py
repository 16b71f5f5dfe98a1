"""What screens and files do to pictures: stretching, tint, compression, a pointer on top."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image

from bot.geometry import Pixels


def stretch(pixels: Pixels, scale: float) -> Pixels:
    """Return the picture stretched smoothly, as Windows does it for programs that know nothing of scaling."""
    return cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def level(pixels: Pixels, gain: float, offset: float = 0.0) -> Pixels:
    """Return the picture with another brightness or contrast."""
    return (pixels * gain + offset).clip(0, 255).astype(np.uint8)


def hdr(pixels: Pixels, white: float) -> Pixels:
    """Return the picture as programs get it from Windows while HDR is on: pale, and its bright parts white.

    All light is ``white`` times as strong (the brightness of ordinary content in nits, divided by 80, the
    white of sRGB), and what is brighter than a picture can hold is cut off.
    """
    shown = np.arange(256) / 255
    light = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)  # IEC 61966-2-1
    light = (light * white).clip(0, 1)
    shown = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    table = (shown * 255).round().astype(np.uint8)
    return table[pixels]


def invert(pixels: Pixels) -> Pixels:
    """Return the negative."""
    return 255 - pixels


def dark_theme(pixels: Pixels) -> Pixels:
    """Return the picture with light and dark exchanged and all hues kept."""
    middle = pixels.max(2, keepdims=True).astype(np.int16) + pixels.min(2, keepdims=True)
    dark: Pixels = (255 - middle + pixels).clip(0, 255).astype(np.uint8)
    return dark


def grey(pixels: Pixels) -> Pixels:
    """Return the picture without colours."""
    return cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR).astype(np.uint8)


def gif(pixels: Pixels, colours: int, dither: bool = False) -> Pixels:
    """Return the picture after it has been stored as GIF with so many colours."""
    way = Image.Dither.FLOYDSTEINBERG if dither else Image.Dither.NONE
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., ::-1]))
    palette = picture.quantize(colours, method=Image.Quantize.MEDIANCUT)
    shown = picture.quantize(colours, palette=palette, dither=way).convert("RGB")
    return np.ascontiguousarray(np.asarray(shown)[..., ::-1])


def tint(pixels: Pixels, blue: float, green: float, red: float) -> Pixels:
    """Return the picture with each channel multiplied, as night light does it."""
    tinted: Pixels = (pixels * np.array([blue, green, red])).clip(0, 255).astype(np.uint8)
    return tinted


def jpeg(pixels: Pixels, quality: int) -> Pixels:
    """Return the picture after it has been stored as JPEG."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.uint8)


def pointer(pixels: Pixels, x: int, y: int) -> Pixels:
    """Return the picture with a white arrow, black at the rim, whose tip is at (x, y)."""
    picture = pixels.copy()
    shape = np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)], np.int32)
    shape += np.array([x, y], np.int32)
    cv2.fillPoly(picture, [shape], (255, 255, 255))
    cv2.polylines(picture, [shape], True, (0, 0, 0))
    return picture


def mistakes(read: list[str], true: list[str]) -> tuple[int, int]:
    """Return how many cells of ``read`` are wrong, and how many are unreadable."""
    pairs = [pair for row, other in zip(read, true, strict=True) for pair in zip(row, other, strict=True)]
    unreadable = sum(seen == "-" for seen, _ in pairs)
    return sum(seen != truth for seen, truth in pairs) - unreadable, unreadable
