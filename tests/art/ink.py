"""Masks and paint: shapes in units of a cell, put on square canvases."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

Generator = np.random.Generator
Mask = npt.NDArray[np.float32]  # (size, size), 0 to 1
Canvas = npt.NDArray[np.float32]  # (size, size, 3) BGR, 0 to 255
Colour = tuple[float, float, float]  # blue, green, red
Outline = Sequence[tuple[float, float]]  # corners (x, y), 0 to 1 across the cell

_SHIFT = 6  # cv2 takes corners in 64ths of a pixel


def blank(size: int) -> Mask:
    """Return a mask that covers nothing."""
    return np.zeros((size, size), np.float32)


def _fixed(points: Outline, size: int) -> npt.NDArray[np.int32]:
    return np.round((np.array(points) * size - 0.5) * (1 << _SHIFT)).astype(np.int32)


def polygon(size: int, points: Outline) -> Mask:
    """Return the mask of a filled polygon."""
    mask = blank(size)
    cv2.fillPoly(mask, [_fixed(points, size)], 1.0, cv2.LINE_8, _SHIFT)
    return mask


def box(size: int, left: float, top: float, right: float, bottom: float) -> Mask:
    """Return the mask of a rectangle; it is at least one pixel wide and high."""
    mask = blank(size)
    x, y = round(left * size), round(top * size)
    mask[max(0, y) : max(y + 1, round(bottom * size)), max(0, x) : max(x + 1, round(right * size))] = 1
    return mask


def disc(size: int, x: float, y: float, radius: float) -> Mask:
    """Return the mask of a disc."""
    rows, cols = np.indices((size, size), dtype=np.float32)
    far = np.hypot(cols + 0.5 - x * size, rows + 0.5 - y * size)
    return np.asarray(far <= radius * size, dtype=np.float32)


def stroke(size: int, points: Outline, width: float) -> Mask:
    """Return the mask of a line of a width, given in cells, through the points."""
    mask = blank(size)
    thickness = max(1, round(width * size))
    cv2.polylines(mask, [_fixed(points, size)], False, 1.0, thickness, cv2.LINE_8, _SHIFT)
    return mask


def rounded(size: int, inset: float, radius: float) -> Mask:
    """Return the mask of a square with round corners, ``inset`` from the cell's edges."""
    edge, bend = round(inset * size), min(radius, 0.5 - inset) * size
    mask = blank(size)
    mask[edge : size - edge, edge : size - edge] = 1
    if bend < 1:
        return mask
    rows, cols = np.indices((size, size), dtype=np.float32)
    half = size / 2 - edge - bend
    out_x, out_y = (np.maximum(np.abs(axis + 0.5 - size / 2) - half, 0) for axis in (cols, rows))
    return np.asarray(mask * (np.hypot(out_x, out_y) <= bend), dtype=np.float32)


def grown(mask: Mask, width: float) -> Mask:
    """Return the mask made larger (or smaller, if negative) by ``width`` in cells."""
    reach = round(abs(width) * mask.shape[0])
    if reach == 0:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray((cv2.dilate if width > 0 else cv2.erode)(mask, kernel), dtype=np.float32)


def turned(mask: Mask, degrees: float) -> Mask:
    """Return the mask turned about the cell's centre."""
    size = mask.shape[0]
    matrix = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), degrees, 1)
    return np.asarray(cv2.warpAffine(mask, matrix, (size, size), flags=cv2.INTER_LINEAR), dtype=np.float32)


def moved(mask: Mask, dx: float, dy: float, scale: float = 1.0) -> Mask:
    """Return the mask scaled about the cell's centre and moved by parts of a cell."""
    size = mask.shape[0]
    shift = (1 - scale) * (size - 1) / 2
    matrix = np.array([[scale, 0, shift + round(dx * size)], [0, scale, shift + round(dy * size)]])
    return np.asarray(cv2.warpAffine(mask, matrix, (size, size), flags=cv2.INTER_LINEAR), dtype=np.float32)


def paint(canvas: Canvas, mask: Mask, colour: Colour, strength: float = 1.0) -> None:
    """Lay a colour over the canvas where the mask says."""
    canvas += (mask * strength)[..., None] * (np.array(colour, np.float32) - canvas)


def mixed(one: Colour, other: Colour, part: float) -> Colour:
    """Return the colour that lies ``part`` of the way from one to the other."""
    blue, green, red = (a + (b - a) * part for a, b in zip(one, other, strict=True))
    return blue, green, red


def hue_colour(hue: float, saturation: float, value: float) -> Colour:
    """Return the colour of a hue, saturation and value, each 0 to 1."""
    sectors = [(hue * 6 + n) % 6 for n in (1, 3, 5)]  # blue, green, red
    blue, green, red = (255 * value * (1 - saturation * max(0, min(k, 4 - k, 1))) for k in sectors)
    return blue, green, red


def random_colour(
    rng: Generator, saturation: tuple[float, float] = (0, 1), value: tuple[float, float] = (0, 1)
) -> Colour:
    """Return a colour of any hue, with saturation and value in the given ranges."""
    return hue_colour(rng.random(), rng.uniform(*saturation), rng.uniform(*value))


def luma(colour: Colour) -> float:
    """Return how light a colour looks, 0 to 255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def apart(one: Colour, other: Colour) -> float:
    """Return how far two colours are from each other: mostly lightness, partly hue."""
    return abs(luma(one) - luma(other)) + 0.25 * float(np.abs(np.subtract(one, other)).max())


def readable_on(rng: Generator, ground: Colour, least: float = 60) -> Colour:
    """Return a random colour that can be told from ``ground``."""
    for _ in range(20):
        colour = random_colour(rng, (0, 1), (0, 1))
        if apart(colour, ground) >= least:
            return colour
    return black_or_white(ground)


def black_or_white(ground: Colour) -> Colour:
    """Return the one of the two that can be told better from ``ground``."""
    return (0, 0, 0) if luma(ground) > 127 else (255, 255, 255)
