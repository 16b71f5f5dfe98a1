"""Undoing the screen's scaling: cells at the size of the skin's pictures, whatever their size on it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels

_SCALES = 16  # scales are told apart to a sixteenth
_SOFTEN = 1.3  # times smaller: from there on a picture is softened first, so that no pixel is stepped over
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
    size = max(1, round(cell * scale))
    grid = Grid(_PAD - dx * scale, _PAD - dy * scale, size, size, 1, 1)
    pictures = []
    for template in templates:
        shown = cv2.resize(template, (size, size), interpolation=cv2.INTER_LINEAR) if scale != 1 else template
        padded = cv2.copyMakeBorder(shown, _PAD, _PAD, _PAD, _PAD, cv2.BORDER_REPLICATE).astype(np.uint8)
        pictures.append(unstretched(padded, grid, cell))
    return np.stack(pictures)


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
    return cv2.GaussianBlur(area, (0, 0), 0.35 * step_x, sigmaY=0.35 * step_y).astype(np.uint8)


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
