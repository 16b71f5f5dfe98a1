"""What a screen does to colours: tints, brightness, contrast, inversion, no colours at all, soft edges.

A tone is linear in twelve features of a pixel of the skin's picture: its three channels, the same blurred
(JPEG and slow screens smear colours), their squares (gamma), its lightest and darkest channel (themes that
exchange light and dark but keep hues), and a constant. So it can be measured by least squares on cells whose
states are supposed, and applied to the skin's pictures; what is seen is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels
from bot.vision.skin import Skin
from bot.vision.stretch import smoothed_lines, stretched

Floats = npt.NDArray[np.float32]

SIDE = 8  # a cell's whole picture is compared at 8 x 8, softened: shapes count, single pixels do not
FEATURES = 12
BASE, BLURRED, SQUARES, LIGHTEST, DARKEST, CONSTANT = slice(0, 3), slice(3, 6), slice(6, 9), 9, 10, 11
LUMINANCE = (0.114, 0.587, 0.299)  # how bright blue, green and red look
_SOFTNESS = 0.8  # of an unstretched pixel, at a cell of 16 pixels
_BLUR = 1.2  # of an unstretched pixel, at a cell of 16 pixels
_STEPS = 256.0  # weights are kept to this part of 1, so that the same screen has the same tone in every look
_LEAST, _MOST = 0.2, 1.6  # of the skin's contrast, in which distances are measured


@dataclass(frozen=True, slots=True)
class Tone:
    """The weights of the features for blue, green and red: 3 rows of 12."""

    weights: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, matrix: npt.NDArray[np.floating]) -> Tone:
        """Return the tone with the weights of ``matrix``, float of shape (12, 3)."""
        rounded = np.round(matrix.T.astype(np.float64) * _STEPS) / _STEPS
        return cls(tuple(tuple(row) for row in rounded.tolist()))

    @classmethod
    def gain(cls, gain: npt.NDArray[np.floating]) -> Tone:
        """Return the tone that multiplies each channel by one of the three values of ``gain``."""
        matrix = np.zeros((FEATURES, 3))
        matrix[BASE] = np.diag(gain)
        return cls.of(matrix)

    @classmethod
    def grey(cls, gain: npt.NDArray[np.floating]) -> Tone:
        """Return the tone that takes all colours away, and then does as `gain`."""
        matrix = np.zeros((FEATURES, 3))
        matrix[BASE] = np.outer(LUMINANCE, gain)
        return cls.of(matrix)

    @property
    def matrix(self) -> Floats:
        """The weights as float32 of shape (12, 3)."""
        return np.array(self.weights, np.float32).T

    def shown(self, pixels: npt.NDArray[np.uint8]) -> Floats:
        """Return what the screen makes of BGR values (..., 3) in a large area of one colour."""
        colour: Floats = (_features(pixels, pixels.astype(np.float32)) @ self.matrix).clip(0, 255)
        return colour


def toned(skin: Skin, tone: Tone) -> Skin:
    """Return ``skin`` as a screen of that tone shows it."""
    blurred = np.stack([_blurred(template) for template in skin.templates])
    pictures = (_features(skin.templates, blurred) @ tone.matrix).clip(0, 255)
    templates = np.rint(pictures).astype(np.uint8)
    return replace(skin, templates=templates)


@lru_cache(maxsize=64)
def mapped(skin: Skin, scale: float, tone: Tone) -> Floats:
    """Return what a screen of that tone makes of every template, softened: float32 (n, 8 * 8 * 3)."""
    pictures: Floats = (features_of(skin, scale) @ tone.matrix).clip(0, 255)
    return pictures.reshape(len(pictures), -1)


@lru_cache(maxsize=256)
def contrast(skin: Skin, scale: float, tone: Tone) -> float:
    """Return how well the templates can be told apart under ``tone``, over how well they can without."""
    plain = features_of(skin, scale)[..., BASE]
    seen = mapped(skin, scale, tone).reshape(plain.shape)
    ratio = float(np.sqrt(seen.var(0).mean() / max(plain.var(0).mean(), 1e-6)))
    return float(np.clip(ratio, _LEAST, _MOST))


@lru_cache(maxsize=64)
def features_of(skin: Skin, scale: float) -> Floats:
    """Return the features of every template as it comes back from ``scale``: float32 (n, 64, 12)."""
    pictures = stretched(skin.templates, scale)
    blurred = np.stack([_blurred(picture) for picture in pictures])
    features = _features(pictures, blurred)
    parts = [softened(_column(features[..., at : at + 3]), skin.cell) for at in range(0, FEATURES, 3)]
    soft = [part.reshape(len(pictures), SIDE * SIDE, 3) for part in parts]
    return np.ascontiguousarray(np.concatenate(soft, axis=2))


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


def _blurred(picture: Pixels) -> Floats:
    sigma = _BLUR * picture.shape[0] / 16
    smooth = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    return smooth.astype(np.float32)


def _features(pixels: Pixels, blurred: Floats) -> Floats:
    """Return the features of pixels (..., 3): float32 (..., 12)."""
    base = pixels.astype(np.float32)
    lightest, darkest = base.max(-1, keepdims=True), base.min(-1, keepdims=True)
    constant = np.full_like(lightest, 255)
    return np.concatenate([base, blurred, base * base / 255, lightest, darkest, constant], axis=-1)


def _column(cells: Floats) -> Floats:
    return np.ascontiguousarray(cells).reshape(-1, cells.shape[2], 3)
