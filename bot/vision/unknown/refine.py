"""Putting a grid of cells that are whole pixels wide exactly onto those pixels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels

Floats = npt.NDArray[np.float32]

_WHOLE = 1.5  # pixels over the board by which cells may seem to differ from whole pixels
_NEAR = 1  # pixel by which the first cell may be off
_SPREAD = 0.6  # pixels by which it usually is
_FAINT = 4.0  # grey levels: fainter edges say nothing of where cells begin
_EDGE = 60  # grey levels: stronger edges count no more


def refined(pixels: Pixels, grid: Grid) -> Grid:
    """Return ``grid`` at whole pixels of a BGR picture if its cells are whole pixels wide or high."""
    rect = grid.rect.grown(_NEAR + 1)
    top, left = max(0, rect.y), max(0, rect.x)
    area = pixels[top : rect.bottom, left : rect.right]
    if min(area.shape[:2]) < grid.rows + grid.cols:
        return grid
    x, pitch_x = _at_pixels(area, grid.x - left, grid.pitch_x, grid.cols)
    y, pitch_y = _at_pixels(area.transpose(1, 0, 2), grid.y - top, grid.pitch_y, grid.rows)
    return replace(grid, x=x + left, y=y + top, pitch_x=pitch_x, pitch_y=pitch_y)


def _at_pixels(area: Pixels, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return where ``count`` cells begin across ``area``, and their size."""
    whole = round(pitch)
    if abs(whole - pitch) * count > _WHOLE:
        return start, pitch
    about = start + count * (pitch - whole) / 2
    return _first_pixel(_edges(area), about, whole, count), float(whole)


def _edges(area: Pixels) -> Floats:
    """Return the strength of the edges between each column and the next, float32 (width - 1,)."""
    steps = cv2.absdiff(np.ascontiguousarray(area[:, 1:]), np.ascontiguousarray(area[:, :-1]))
    return np.asarray(np.minimum(steps, _EDGE).max(2).mean(0), dtype=np.float32)


def _first_pixel(edges: Floats, about: float, pitch: int, count: int) -> float:
    """Return the pixel near ``about`` at which cells of whole pixels begin: most have an edge there."""
    places = np.arange(round(about) - _NEAR, round(about) + _NEAR + 1)
    borders = places[:, None] + pitch * np.arange(count + 1) - 1  # an edge lies behind a pixel
    seen = (borders >= 0) & (borders < len(edges))
    strengths = (edges[borders.clip(0, len(edges) - 1)] * seen).sum(1) / seen.sum(1).clip(1)
    near = np.exp(-((places - about) ** 2) / (2 * _SPREAD**2))
    return float(places[int(((strengths + _FAINT) * near).argmax())])
