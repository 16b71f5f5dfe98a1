"""Masks and paint: shapes in units of a cell, put on square canvases; and the grounds under all marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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


# Grounds: covered and opened cells, with bevels, lines, gaps and gradients


@dataclass(frozen=True, slots=True)
class Ground:
    """How the ground of a cell is drawn; all measures in parts of a cell.

    ``face`` is the colour at the top, ``shade`` at the bottom (``slope`` "down", "across", "glow" or
    "gloss"); a ``bevel`` is ``light`` at the top and left and ``shadow`` at the bottom and right; lines of
    colour ``line`` run on the ``sides`` ("t", "l", "b", "r"); ``gap`` of colour ``behind`` is left on all
    sides, with corners of ``radius``; ``seal`` is a small shape drawn in the middle ("" for none);
    ``dotted`` breaks the lines into dots.
    """

    face: Colour
    shade: Colour
    slope: str = "down"
    light: Colour = (255, 255, 255)
    shadow: Colour = (128, 128, 128)
    bevel: float = 0.0
    line: Colour = (128, 128, 128)
    line_width: float = 0.0
    sides: str = ""
    behind: Colour = (0, 0, 0)
    gap: float = 0.0
    radius: float = 0.0
    seal: str = ""
    picture: int = 0
    dotted: bool = False

    def tinted(self, colour: Colour) -> Ground:
        """Return the same ground with another face."""
        return replace(self, face=colour, shade=mixed(colour, self.shade, 0.15))

    def recoloured(self, colour: Colour) -> Ground:
        """Return the same ground in another colour all over, with its gradient kept."""
        step = np.subtract(self.shade, self.face)
        blue, green, red = (float(c) for c in np.clip(np.add(colour, step), 0, 255))
        return replace(self, face=colour, shade=(blue, green, red))


def draw_ground(ground: Ground, size: int) -> Canvas:
    """Return a canvas with the ground of a cell."""
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = ground.behind
    body = rounded(size, ground.gap, ground.radius)
    part = _slope(ground.slope, size)[..., None]
    face = np.array(ground.face, np.float32) * (1 - part) + np.array(ground.shade, np.float32) * part
    canvas += body[..., None] * (face - canvas)
    if ground.picture:
        _draw_picture(canvas, ground, body)
    if ground.bevel:
        _draw_bevel(canvas, ground, body)
    for side in ground.sides:
        line = _side(size, side, ground.line_width)
        paint(canvas, _dots(line) if ground.dotted else line, ground.line)
    if ground.seal:
        paint(canvas, _seal(ground.seal, size) * body, ground.light, 0.7)
    return canvas


def _draw_picture(canvas: Canvas, ground: Ground, body: Mask) -> None:
    """Draw a few shapes that follow from the ground's ``picture``, faint or strong."""
    rng, size = np.random.default_rng(ground.picture), canvas.shape[0]
    strength = float(rng.uniform(0.2, 1))
    for _ in range(int(rng.integers(1, 7))):
        middle, reach = rng.uniform(0.2, 0.8, 2), float(rng.uniform(0.08, 0.4))
        points = middle + rng.uniform(-reach, reach, (int(rng.integers(2, 7)), 2))
        outline = [(float(x), float(y)) for x, y in points]
        kind = rng.random()
        if kind < 0.3:
            mask = disc(size, *outline[0], reach)
        elif kind < 0.65:
            mask = polygon(size, outline)
        else:
            mask = stroke(size, outline, float(rng.uniform(0.02, 0.12)))
        if rng.random() < 0.4:
            mask = np.maximum(mask, mask[:, ::-1])
        paint(canvas, mask * body, random_colour(rng), strength)


def _slope(slope: str, size: int) -> Mask:
    across, down = np.meshgrid(*(np.linspace(0, 1, size, dtype=np.float32),) * 2)
    if slope == "across":
        return np.asarray((across + down) / 2, dtype=np.float32)
    if slope == "glow":
        return np.asarray(np.clip(np.hypot(across - 0.35, down - 0.3) / 0.9, 0, 1), dtype=np.float32)
    if slope == "gloss":
        return np.asarray(np.where(down < 0.5, down * 0.6, 1 - (down - 0.5) * 0.4), dtype=np.float32)
    return np.asarray(down, dtype=np.float32)


def _draw_bevel(canvas: Canvas, ground: Ground, body: Mask) -> None:
    size, near, deep = canvas.shape[0], ground.gap, ground.gap + ground.bevel
    if round(ground.bevel * size) == 0:
        return
    far, low = 1 - near, 1 - deep
    shadow = ((far, near), (far, far), (near, far), (deep, low), (low, low), (low, deep))
    light = ((near, near), (far, near), (low, deep), (deep, deep), (deep, low), (near, far))
    paint(canvas, polygon(size, shadow) * body, ground.shadow)
    paint(canvas, polygon(size, light) * body, ground.light)


def _dots(mask: Mask) -> Mask:
    size = mask.shape[0]
    rows, cols = np.indices(mask.shape) * 16 // size
    return np.asarray(mask * ((rows + cols) % 2), dtype=np.float32)


def _side(size: int, side: str, width: float) -> Mask:
    return {
        "t": lambda: box(size, 0, 0, 1, width),
        "l": lambda: box(size, 0, 0, width, 1),
        "b": lambda: box(size, 0, 1 - max(width, 1 / size), 1, 1),
        "r": lambda: box(size, 1 - max(width, 1 / size), 0, 1, 1),
    }[side]()


def _seal(seal: str, size: int) -> Mask:
    if seal == "dot":
        return rounded(size, 0.42, 0.1)
    if seal == "ring":
        return np.asarray(rounded(size, 0.22, 0.1) - rounded(size, 0.27, 0.1), dtype=np.float32)
    if seal == "stripes":
        mask = blank(size)
        for start in (-0.6, -0.2, 0.2, 0.6):
            mask = np.maximum(mask, stroke(size, ((start, 1), (start + 1, 0)), 0.05))
        return mask
    return stroke(size, ((0.15, 0.4), (0.4, 0.15)), 0.06)
