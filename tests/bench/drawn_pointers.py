"""Pointers as desktops draw them: arrows, a hand, a text beam, a cross; with and without a shadow."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels

Generator = np.random.Generator
Outline = tuple[tuple[float, float], ...]

OUTLINES: dict[str, Outline] = {  # in parts of the pointer's height
    "arrow": ((0, 0), (0, 0.84), (0.19, 0.66), (0.33, 1), (0.47, 0.94), (0.33, 0.61), (0.6, 0.6)),
    "slim arrow": ((0, 0), (0.12, 1), (0.31, 0.68), (0.66, 0.82)),
    "hand": (
        *((0.25, 0.02), (0.36, 0), (0.4, 0.08), (0.42, 0.36), (0.72, 0.42), (0.82, 0.5), (0.8, 0.7)),
        *((0.7, 0.86), (0.68, 1), (0.3, 1), (0.24, 0.84), (0.02, 0.6), (0.1, 0.54), (0.26, 0.64)),
    ),
    "beam": (
        *((0, 0), (0.3, 0), (0.3, 0.08), (0.19, 0.1), (0.19, 0.9), (0.3, 0.92), (0.3, 1)),
        *((0, 1), (0, 0.92), (0.11, 0.9), (0.11, 0.1), (0, 0.08)),
    ),
    "cross": (
        *((0.44, 0), (0.56, 0), (0.56, 0.44), (1, 0.44), (1, 0.56), (0.56, 0.56)),
        *((0.56, 1), (0.44, 1), (0.44, 0.56), (0, 0.56), (0, 0.44), (0.44, 0.44)),
    ),
}
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
_SHIFT = 4  # bits of a pixel's fraction


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer: its outline, height in pixels, colours, whether its edges are smooth and it has a shadow."""

    outline: str
    size: float
    dark: bool
    smooth: bool
    shadow: bool

    def over(self, pixels: Pixels, x: float, y: float) -> Pixels:
        """Return a copy of a BGR picture with the pointer's top left at (x, y)."""
        picture = pixels.copy()
        if self.shadow:
            off = max(1.5, self.size / 12)
            shade = self._filled(picture.shape[:2], x + off, y + off).astype(np.float32)
            shade = cv2.GaussianBlur(shade, (0, 0), off / 2) * (0.35 / 255)
            picture = np.rint(picture * (1 - shade[..., None])).astype(np.uint8)
        kind = cv2.LINE_AA if self.smooth else cv2.LINE_8
        inner, rim = (BLACK, WHITE) if self.dark else (WHITE, BLACK)
        corners = self._corners(x, y)
        cv2.fillPoly(picture, [corners], inner, kind, _SHIFT)
        cv2.polylines(picture, [corners], True, rim, max(1, round(self.size / 24)), kind, _SHIFT)
        return picture

    def _corners(self, x: float, y: float) -> npt.NDArray[np.int32]:
        corners = np.array(OUTLINES[self.outline]) * self.size + (x, y)
        return np.round(corners * (1 << _SHIFT)).astype(np.int32)

    def _filled(self, shape: tuple[int, ...], x: float, y: float) -> Pixels:
        mask = np.zeros(shape, np.uint8)
        cv2.fillPoly(mask, [self._corners(x, y)], 255, cv2.LINE_AA, _SHIFT)
        return mask


def random_pointer(rng: Generator) -> Pointer:
    """Return a pointer such as some desktop has: arrows are the most usual."""
    outline = str(rng.choice(list(OUTLINES), p=[0.5, 0.15, 0.15, 0.1, 0.1]))
    size = float(rng.uniform(16, 48)) if rng.random() < 0.5 else float(rng.uniform(16, 26))
    return Pointer(outline, size, *(bool(rng.random() < chance) for chance in (0.25, 0.6, 0.3)))
