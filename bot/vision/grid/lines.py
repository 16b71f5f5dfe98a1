"""Evidence for a grid: how strongly straight edges run through each place of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels

WEAKEST = 4  # grey levels; the steps inside soft gradients and the noise of a capture are smaller
_UNIT = 16  # strength units per doubling of the step


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Strength of the straight edges of a picture of (height, width).

    ``vertical`` is uint8 of shape (height, width + 1): ``[y, x]`` tells of an edge along the left side of
    pixel x; ``horizontal`` is (height + 1, width) and tells of an edge along the upper side of pixel y. So an
    index is a frame coordinate. ``near_vertical`` and ``near_horizontal`` hold the strongest within a pixel
    to either side. Strength grows with the logarithm of the grey step, since the clutter of a
    desktop is harder than the lines of most skins. Edges shorter than ``shortest`` pixels count for nothing.
    ``any_vertical`` and ``any_horizontal`` hold every edge, however short.
    """

    vertical: Pixels
    horizontal: Pixels
    near_vertical: Pixels
    near_horizontal: Pixels
    any_vertical: Pixels
    any_horizontal: Pixels


def grey(pixels: Pixels) -> Pixels:
    """Return the brightness of a BGR picture as a uint8 array of shape (height, width)."""
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


def find_lines(brightness: Pixels, shortest: int) -> Lines:
    """Return the straight edges of at least ``shortest`` pixels in a grey picture."""
    return _kept(_vertical(brightness), _horizontal(brightness), shortest)


def _vertical(brightness: Pixels) -> Pixels:
    # Smoothing along the line keeps the edge sharp, joins dotted lines and wears dither down; no trace
    # stays of pixels that alternate.
    smooth = cv2.GaussianBlur(brightness, (1, 3), 0)
    strengths = np.zeros((brightness.shape[0], brightness.shape[1] + 1), np.uint8)
    cv2.absdiff(smooth[:, 1:], smooth[:, :-1], dst=strengths[:, 1:-1])
    cv2.LUT(strengths, _strengths(), dst=strengths)
    return strengths


def _horizontal(brightness: Pixels) -> Pixels:
    smooth = cv2.GaussianBlur(brightness, (3, 1), 0)
    strengths = np.zeros((brightness.shape[0] + 1, brightness.shape[1]), np.uint8)
    cv2.absdiff(smooth[1:], smooth[:-1], dst=strengths[1:-1])
    cv2.LUT(strengths, _strengths(), dst=strengths)
    return strengths


def _kept(vertical: Pixels, horizontal: Pixels, shortest: int) -> Lines:
    tall, wide = _long(vertical, (shortest, 1)), _long(horizontal, (1, shortest))
    return Lines(tall, wide, _widened(tall, (1, 3)), _widened(wide, (3, 1)), vertical, horizontal)


def _long(strengths: Pixels, shape: tuple[int, int]) -> Pixels:
    opened = cv2.morphologyEx(strengths, cv2.MORPH_OPEN, np.ones(shape, np.uint8))
    return opened.astype(np.uint8, copy=False)


def _widened(strengths: Pixels, shape: tuple[int, int]) -> Pixels:
    return cv2.dilate(strengths, np.ones(shape, np.uint8)).astype(np.uint8, copy=False)


@cache
def _strengths() -> npt.NDArray[np.uint8]:
    steps = np.arange(256)
    strengths = _UNIT * np.log2(np.maximum(steps, WEAKEST) * 2 / WEAKEST)
    return np.where(steps < WEAKEST, 0, strengths).astype(np.uint8)


def shrunk(brightness: Pixels, scale: int) -> Pixels:
    """Return a copy 1 / ``scale`` the size, each pixel the mean of ``scale`` x ``scale``.

    Up to ``scale`` - 1 pixels at the right and the bottom are left out.
    """
    if scale == 1:
        return brightness
    height, width = (size // scale for size in brightness.shape)
    whole = brightness[: height * scale, : width * scale]
    return cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
