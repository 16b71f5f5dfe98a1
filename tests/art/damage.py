"""What screens and files do to a picture: JPEG, palettes, tints, blur, brightness."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from art.ink import Generator
from bot.geometry import Pixels


def damaged(rng: Generator, pixels: Pixels) -> Pixels:
    """Return the picture as it may come: half of the time untouched, else with one or two kinds of damage."""
    if rng.random() < 0.5:
        return pixels
    for _ in range(int(rng.integers(1, 3))):
        kind = rng.integers(0, 5)
        if kind == 0:
            pixels = jpeg(pixels, int(rng.integers(35, 96)))
        elif kind == 1:
            pixels = palette(rng, pixels, int(rng.choice([8, 16, 32, 64, 256])))
        elif kind == 2:
            pixels = tinted(pixels, rng.uniform(0.6, 1.0, 3))
        elif kind == 3:
            pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.3, 0.8)), dtype=np.uint8)
        else:
            pixels = np.clip(pixels * rng.uniform(0.6, 1.2) + rng.uniform(-20, 20), 0, 255).astype(np.uint8)
    return pixels


def jpeg(pixels: Pixels, quality: int) -> Pixels:
    """Return the picture after a JPEG file of a quality from 1 to 100."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def palette(rng: Generator, pixels: Pixels, colours: int) -> Pixels:
    """Return the picture in a palette of at most 64 colours of its own, chosen from some of its pixels."""
    flat = pixels.reshape(-1, 3)
    few = flat[rng.integers(0, len(flat), 4096)].astype(np.float32)
    if len(np.unique(few, axis=0)) <= colours:
        return pixels
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 4, 1.0)
    labels = np.empty((0,), np.int32)
    found = cv2.kmeans(few, min(colours, 64), labels, stop, 1, cv2.KMEANS_RANDOM_CENTERS)[2]
    centres = np.asarray(found, dtype=np.float32)
    index = (flat.astype(np.int32) >> 4) @ np.array([256, 16, 1])
    return np.asarray(centres[_nearest_table(centres)[index]].reshape(pixels.shape), dtype=np.uint8)


def _nearest_table(centres: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    """Return the nearest centre of each of 16 x 16 x 16 boxes of colour."""
    boxes = np.stack(np.meshgrid(*(np.arange(16),) * 3, indexing="ij"), axis=-1).reshape(-1, 3) * 16 + 8
    far = (centres**2).sum(axis=1) - 2 * boxes.astype(np.float32) @ centres.T
    return np.asarray(far.argmin(axis=1))


def tinted(pixels: Pixels, gains: npt.NDArray[np.float64]) -> Pixels:
    """Return the picture with each channel multiplied, as night light does."""
    return np.clip(pixels * gains, 0, 255).astype(np.uint8)
