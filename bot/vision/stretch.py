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


def cells_of(canvas: Pixels, cell: int) -> Pixels:
    """Return the cells of a board at ``cell`` pixels a cell: uint8 (rows, cols, cell, cell, channels)."""
    rows, cols = canvas.shape[0] // cell, canvas.shape[1] // cell
    apart: Pixels = canvas.reshape(rows, cell, cols, cell, -1).swapaxes(1, 2)
    return apart


def stretched(templates: Pixels, scale: float) -> Pixels:
    """Return pictures of cells (N, n, n, 3) as they come back from a screen that stretches by ``scale``."""
    count, cell = templates.shape[:2]
    lines = _there_and_back(cell, scale)
    mixed = lines @ templates.astype(np.float32).reshape(count, cell, -1)
    mixed = lines @ mixed.reshape(count, cell, cell, 3)
    pictures: Pixels = np.rint(mixed).clip(0, 255).astype(np.uint8)
    return pictures


@lru_cache(maxsize=64)
def _there_and_back(cell: int, scale: float) -> Floats:
    """Return the matrix (cell x cell) of what stretching and unstretching do to lines."""
    size = max(1, round(cell * scale))
    shown = np.eye(cell, dtype=np.float32)
    if size != cell:
        shown = cv2.resize(shown, (cell, size), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    step = size / cell
    if step > _SOFTEN:
        shown = smoothed_lines(shown, _SOFTNESS * step)
    places = ((np.arange(cell) + 0.5) * step - 0.5).clip(0, size - 1)
    first = np.floor(places).astype(np.intp)
    part = (places - first)[:, None]
    matrix: Floats = (1 - part) * shown[first] + part * shown[np.minimum(first + 1, size - 1)]
    return matrix.astype(np.float32)


def smoothed_lines(lines: Floats, sigma: float) -> Floats:
    """Return a matrix smoothed from line to line."""
    border = cv2.BORDER_REPLICATE
    return cv2.GaussianBlur(lines, (1, 0), 1e-6, sigmaY=sigma, borderType=border).astype(np.float32)


def inside(pixels: Pixels, grid: Grid, hidden: float = 0.0) -> npt.NDArray[np.bool_]:
    """Return which cells (rows x cols) lie in the picture, but for at most a pixel, or a ``hidden`` part."""
    height, width = pixels.shape[:2]
    left, top = grid.x + np.arange(grid.cols) * grid.pitch_x, grid.y + np.arange(grid.rows) * grid.pitch_y
    wide, tall = max(1.0, hidden * grid.pitch_x), max(1.0, hidden * grid.pitch_y)
    across = (left >= -wide) & (left + grid.pitch_x <= width + wide)
    down = (top >= -tall) & (top + grid.pitch_y <= height + tall)
    visible: npt.NDArray[np.bool_] = down[:, None] & across[None, :]
    return visible


def rooms(pixels: Pixels, grid: Grid) -> tuple[float, float, float, float]:
    """Return how many cells fit between a board and the picture's edge: above, left, below, right."""
    height, width = pixels.shape[:2]
    return (
        grid.y / grid.pitch_y,
        grid.x / grid.pitch_x,
        (height - grid.y - grid.height) / grid.pitch_y,
        (width - grid.x - grid.width) / grid.pitch_x,
    )


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
