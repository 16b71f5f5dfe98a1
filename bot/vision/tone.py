"""What a screen does to colours: tints, brightness, contrast, inversion, no colours at all.

A tone is linear in the three channels of a pixel of the skin's picture and a constant. So it can be measured
by least squares on cells whose states are supposed, and applied to the skin's pictures; what is seen is never
changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels
from bot.vision.skin import Skin
from bot.vision.stretch import smoothed_lines, stretched

Floats = npt.NDArray[np.float32]

SIDE = 8  # a cell's whole picture is compared at 8 x 8, softened: shapes count, single pixels do not
_SOFTNESS = 0.8  # of an unstretched pixel, at a cell of 16 pixels
_GAIN = (0.3, 1.45)  # what night light and the like do to a channel
_STEPS = 256.0  # weights are kept to this part of 1, so that the same screen has the same tone in every look


@dataclass(frozen=True, slots=True)
class Tone:
    """How much of blue, green, red and 255 in a picture goes into each channel on the screen: 3 rows of 4."""

    weights: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, matrix: npt.NDArray[np.floating]) -> Tone:
        """Return the tone with the weights of ``matrix``, float of shape (4, 3)."""
        rounded = np.round(matrix.T.astype(np.float64) * _STEPS) / _STEPS
        return cls(tuple(tuple(row) for row in rounded.tolist()))

    @property
    def matrix(self) -> Floats:
        """The weights as float32 of shape (4, 3)."""
        return np.array(self.weights, np.float32).T

    def shown(self, colours: npt.NDArray[np.floating | np.uint8]) -> Floats:
        """Return what the screen makes of BGR values (..., 3)."""
        matrix = self.matrix
        colour: Floats = (colours.astype(np.float32) @ matrix[:3] + 255 * matrix[3]).clip(0, 255)
        return colour

    @property
    def gain(self) -> Floats:
        """How bright each channel of white is, over how bright it should be; never far from 1."""
        return (self.shown(np.full(3, 255, np.uint8)) / 255).clip(*_GAIN)


PLAIN = Tone.of(np.eye(4, 3))


@lru_cache(maxsize=64)
def templates_of(skin: Skin, scale: float) -> Floats:
    """Return the templates as they come back from ``scale``, softened: float32 (n, 8 * 8, 3)."""
    return _softened_templates(stretched(skin.templates, scale))


@lru_cache(maxsize=64)
def slopes_of(skin: Skin, scale: float) -> Floats:
    """Return by how much `templates_of` change a pixel further to the right, and down: (2, n, 8 * 8, 3).

    What comes in at a side is taken to be what a neighbour in the same state shows.
    """
    pictures = stretched(skin.templates, scale).astype(np.float32)
    steps = [np.roll(pictures, 1, axis) - np.roll(pictures, -1, axis) for axis in (2, 1)]
    return np.stack([_softened_templates(np.asarray(step / 2, dtype=np.float32)) for step in steps])


def _softened_templates(pictures: Pixels | Floats) -> Floats:
    cell = pictures.shape[1]
    return softened(pictures.reshape(-1, cell, 3), cell).reshape(len(pictures), SIDE * SIDE, 3)


def softened(canvas: Pixels | Floats, cell: int) -> Floats:
    """Return the cells as softened pictures of 8 x 8: float32 of shape (rows * cols, 8 * 8 * 3)."""
    rows, cols = canvas.shape[0] // cell, canvas.shape[1] // cell
    down_to, across_to = _softeners(cell)
    down = down_to @ canvas.astype(np.float32).reshape(rows, cell, -1)
    across = down.reshape(-1, cell * 3) @ across_to
    lines = across.reshape(rows, SIDE, cols, SIDE * 3)
    cells: Floats = np.ascontiguousarray(lines.swapaxes(1, 2), np.float32).reshape(rows * cols, -1)
    return cells


@lru_cache(maxsize=16)
def _softeners(cell: int) -> tuple[Floats, Floats]:
    """Return the matrices that blur and average to 8: of lines (8 x cell), of columns (cell * 3 x 24)."""
    blurred = smoothed_lines(np.eye(cell, dtype=np.float32), _SOFTNESS * cell / 16)
    kernel = cv2.resize(blurred, (cell, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    return kernel, np.kron(kernel.T, np.eye(3, dtype=np.float32)).astype(np.float32)
