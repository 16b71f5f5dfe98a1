"""Undoing the screen's scaling: cells at the size of the skin's pictures, whatever their size on it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels

Floats = npt.NDArray[np.float32]

_SCALES = 16  # scales are told apart to a sixteenth
_SOFTEN = 1.3  # times smaller: from there on a picture is softened first, so that no pixel is stepped over
_SOFTNESS = 0.35  # of a pixel of the smaller picture
_PAD = 4  # pixels around a board that take part in its resampling


def scale_of(grid: Grid, cell: int) -> float:
    """Return how much cells of ``cell`` pixels are stretched on ``grid``, to the nearest sixteenth."""
    return max(1, round(_SCALES * (grid.pitch_x + grid.pitch_y) / 2 / cell)) / _SCALES


def unstretched(pixels: Pixels, grid: Grid, cell: int) -> Pixels:
    """Return the board's pixels at ``cell`` pixels a cell: uint8 of shape (rows * cell, cols * cell, 3).

    What lies outside the picture is black; `inside` says which cells that concerns.
    """
    width, height = grid.cols * cell, grid.rows * cell
    x, y = round(grid.x), round(grid.y)
    area = pixels[max(0, y) : y + height, max(0, x) : x + width]
    if (grid.pitch_x, grid.pitch_y, grid.x, grid.y, area.shape[:2]) == (cell, cell, x, y, (height, width)):
        return np.ascontiguousarray(area)
    return _resampled(pixels, grid, cell)


def stretched(templates: Pixels, scale: float, dx: float = 0.0, dy: float = 0.0) -> Pixels:
    """Return pictures of cells (N, n, n, 3) as they come back from a screen that stretches by ``scale``.

    They are moved by ``dx``, ``dy``, in pixels of the templates.
    """
    cell = templates.shape[1]
    return combined(templates, there_and_back(cell, scale, dx), there_and_back(cell, scale, dy))


def combined(templates: Pixels, across: Floats, down: Floats) -> Pixels:
    """Return pictures (N, n, n, 3) whose columns and lines are mixed by two matrices (n x n)."""
    count, cell = templates.shape[:2]
    mixed = down @ templates.astype(np.float32).reshape(count, cell, -1)
    mixed = across @ mixed.reshape(count, cell, cell, 3)
    pictures: Pixels = np.rint(mixed).clip(0, 255).astype(np.uint8)
    return pictures


@lru_cache(maxsize=64)
def there_and_back(cell: int, scale: float, off: float) -> Floats:
    """Return the matrix (cell x cell) of what stretching, moving by ``off`` and unstretching do to lines."""
    size = max(1, round(cell * scale))
    shown = np.eye(cell, dtype=np.float32)
    if size != cell:
        shown = cv2.resize(shown, (cell, size), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    step = size / cell
    if step > _SOFTEN:
        shown = smoothed_lines(shown, _SOFTNESS * step)
    places = ((np.arange(cell) + 0.5) * step - 0.5 - off * scale).clip(0, size - 1)
    first = np.floor(places).astype(np.intp)
    part = (places - first)[:, None]
    matrix: Floats = (1 - part) * shown[first] + part * shown[np.minimum(first + 1, size - 1)]
    return matrix.astype(np.float32)


def smoothed_lines(lines: Floats, sigma: float) -> Floats:
    """Return a matrix smoothed from line to line."""
    border = cv2.BORDER_REPLICATE
    return cv2.GaussianBlur(lines, (1, 0), 1e-6, sigmaY=sigma, borderType=border).astype(np.float32)


def inside(pixels: Pixels, grid: Grid) -> npt.NDArray[np.bool_]:
    """Return which cells (rows x cols) lie in the picture, but for at most a pixel."""
    height, width = pixels.shape[:2]
    left, top = grid.x + np.arange(grid.cols) * grid.pitch_x, grid.y + np.arange(grid.rows) * grid.pitch_y
    across = (left >= -1) & (left + grid.pitch_x <= width + 1)
    down = (top >= -1) & (top + grid.pitch_y <= height + 1)
    visible: npt.NDArray[np.bool_] = down[:, None] & across[None, :]
    return visible


def smoothed(area: Pixels, grid: Grid, cell: int) -> Pixels:
    """Return a part of the picture softened as far as is needed before cells are made smaller to ``cell``."""
    step_x, step_y = grid.pitch_x / cell, grid.pitch_y / cell
    if max(step_x, step_y) <= _SOFTEN:
        return area
    return cv2.GaussianBlur(area, (0, 0), _SOFTNESS * step_x, sigmaY=_SOFTNESS * step_y).astype(np.uint8)


def _resampled(pixels: Pixels, grid: Grid, cell: int) -> Pixels:
    size = (grid.cols * cell, grid.rows * cell)
    rect = grid.rect.grown(_PAD)
    left, top = max(0, rect.x), max(0, rect.y)
    area = pixels[top : max(top, rect.bottom), left : max(left, rect.right)]
    if area.size == 0:
        return np.zeros((size[1], size[0], 3), np.uint8)
    area = smoothed(area, grid, cell)
    step_x, step_y = grid.pitch_x / cell, grid.pitch_y / cell
    x, y = grid.x - left + step_x / 2 - 0.5, grid.y - top + step_y / 2 - 0.5
    move = np.array([[step_x, 0, x], [0, step_y, y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(area, move, size, flags=flags, borderMode=cv2.BORDER_CONSTANT).astype(np.uint8)
