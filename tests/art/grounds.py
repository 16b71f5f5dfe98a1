"""What is under the marks: covered and opened cells, with bevels, lines, gaps and gradients."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from art.ink import Canvas, Colour, Mask, blank, box, mixed, paint, polygon, rounded, stroke


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
    if ground.bevel:
        _draw_bevel(canvas, ground, body)
    for side in ground.sides:
        line = _side(size, side, ground.line_width)
        paint(canvas, _dots(line) if ground.dotted else line, ground.line)
    if ground.seal:
        paint(canvas, _seal(ground.seal, size) * body, ground.light, 0.7)
    return canvas


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
