"""The distortion of a game's cells by the screen: it stretches them and changes their colours.

Cells are scaled back to the size of the skin's pictures. Their colours stay as seen; instead, the *tone* of
the screen is applied to the skin's pictures. A tone is a linear function of the three channels of a pixel
plus a constant, so it can be measured by least squares on cells whose states are assumed. It covers tints,
brightness, contrast, inversion and grey screens.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels
from bot.vision.skin import Skin

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Indices = npt.NDArray[np.intp]

_SCALES = 16  # scales are rounded to a sixteenth
_SOFTEN = 1.3  # reduction from which on a picture is softened first, so that no pixel is skipped
_SOFTNESS = 0.35  # sigma of that softening, in pixels of the smaller picture
_OUTSIDE = 0.1  # of a cell's width or height may lie outside the picture: the rest shows its state
_PAD = 4  # extra pixels around a board that take part in its resampling
FAINT = 8.0  # grey levels: smaller differences may be noise
_SIDE = 8  # width and height of a softened cell when compared: shapes count, single pixels do not
_COARSEST = 6  # pixels of a cell at most become one of these: small print in large cells keeps its shape
_BLUR = 0.4  # sigma in pixels of a softened cell
_STEPS = 256.0  # weights are rounded to 1/256, so that the same screen has the same tone in every look


def scale_of(grid: Grid, cell: int) -> float:
    """Return the factor by which cells of ``cell`` pixels are stretched on ``grid``, to a sixteenth."""
    return max(1, round(_SCALES * (grid.pitch_x + grid.pitch_y) / 2 / cell)) / _SCALES


def unstretched(pixels: Pixels, grid: Grid, cell: int, border: int = cv2.BORDER_CONSTANT) -> Pixels:
    """Return the board scaled to ``cell`` pixels a cell: uint8 of shape (rows * cell, cols * cell, 3).

    Areas outside the picture are black, or filled by another OpenCV ``border`` mode; `inside` says which
    cells are affected.
    """
    width, height = grid.cols * cell, grid.rows * cell
    x, y = round(grid.x), round(grid.y)
    area = pixels[max(0, y) : y + height, max(0, x) : x + width]
    if (grid.pitch_x, grid.pitch_y, grid.x, grid.y, area.shape[:2]) == (cell, cell, x, y, (height, width)):
        return np.ascontiguousarray(area)
    step_x, step_y = grid.pitch_x / cell, grid.pitch_y / cell
    area, left, top = _softened_area(pixels, grid, step_x, step_y)
    if area.size == 0:
        return np.zeros((height, width, 3), np.uint8)
    off_x, off_y = grid.x - left + (step_x - 1) / 2, grid.y - top + (step_y - 1) / 2
    move = np.array([[step_x, 0, off_x], [0, step_y, off_y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(area, move, (width, height), flags=flags, borderMode=border).astype(np.uint8)


def unstretched_cells(pixels: Pixels, grid: Grid, cell: int, some: Indices) -> Pixels:
    """Return ``some`` cells (indices, row by row) as `unstretched` shows them, uint8 (n, cell, cell, 3)."""
    step_x, step_y = grid.pitch_x / cell, grid.pitch_y / cell
    area, left, top = _softened_area(pixels, grid, step_x, step_y)
    rows, cols = np.divmod(some[:, None], grid.cols)
    x = grid.x - left + (cols * cell + middles(cell)) * step_x - 0.5
    y = grid.y - top + (rows * cell + middles(cell)) * step_y - 0.5
    shape = len(some), cell, cell
    across = np.broadcast_to(x[:, None], shape).reshape(-1, cell).astype(np.float32)
    down = np.broadcast_to(y[..., None], shape).reshape(-1, cell).astype(np.float32)
    return cv2.remap(area, across, down, cv2.INTER_LINEAR).reshape(*shape, 3).astype(np.uint8)


def _softened_area(pixels: Pixels, grid: Grid, step_x: float, step_y: float) -> tuple[Pixels, int, int]:
    """Return the picture around a grid, softened if the steps reduce it, and its left and top."""
    rect = grid.rect.grown(_PAD + int(max(step_x, step_y)))
    area = rect.cut(pixels)
    if area.size and max(step_x, step_y) > _SOFTEN:
        area = cv2.GaussianBlur(area, (0, 0), _SOFTNESS * step_x, sigmaY=_SOFTNESS * step_y).astype(np.uint8)
    return area, max(0, rect.x), max(0, rect.y)


def middles(count: int) -> npt.NDArray[np.float64]:
    """Return the middles of ``count`` pixels in a row: 0.5, 1.5 and so on."""
    return np.arange(count, dtype=np.float64) + 0.5


def cells_of(canvas: Pixels, cell: int) -> Pixels:
    """Return the cells of a board at ``cell`` pixels a cell: uint8 (rows, cols, cell, cell, channels)."""
    rows, cols = canvas.shape[0] // cell, canvas.shape[1] // cell
    apart: Pixels = canvas.reshape(rows, cell, cols, cell, -1).swapaxes(1, 2)
    return apart


def stretched(templates: Pixels, scale: float) -> Pixels:
    """Return pictures of cells (N, n, n, 3) after stretching by ``scale`` and scaling back."""
    count, cell = templates.shape[:2]
    lines = _there_and_back(cell, scale)
    mixed = lines @ templates.astype(np.float32).reshape(count, cell, -1)
    mixed = lines @ mixed.reshape(count, cell, cell, 3)
    pictures: Pixels = np.rint(mixed).clip(0, 255).astype(np.uint8)
    return pictures


@lru_cache(maxsize=64)
def _there_and_back(cell: int, scale: float) -> Floats:
    """Return the matrix (cell x cell) that stretches the lines of a cell and scales them back."""
    size = max(1, round(cell * scale))
    shown = np.eye(cell, dtype=np.float32)
    if size != cell:
        shown = cv2.resize(shown, (cell, size), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    step = size / cell
    if step > _SOFTEN:
        shown = smoothed_lines(shown, _SOFTNESS * step)
    places = (middles(cell) * step - 0.5).clip(0, size - 1)
    first = np.floor(places).astype(np.intp)
    part = (places - first)[:, None]
    matrix: Floats = (1 - part) * shown[first] + part * shown[np.minimum(first + 1, size - 1)]
    return matrix.astype(np.float32)


def smoothed_lines(lines: Floats, sigma: float) -> Floats:
    """Return a matrix smoothed across its lines by a Gaussian with ``sigma`` lines."""
    border = cv2.BORDER_REPLICATE
    return cv2.GaussianBlur(lines, (1, 0), 1e-6, sigmaY=sigma, borderType=border).astype(np.float32)


def inside(pixels: Pixels, grid: Grid, hidden: float = _OUTSIDE) -> Bools:
    """Return which cells (rows x cols) lie in the picture, but for a ``hidden`` share of each."""
    height, width = pixels.shape[:2]
    left, top = grid.x + np.arange(grid.cols) * grid.pitch_x, grid.y + np.arange(grid.rows) * grid.pitch_y
    wide, tall = hidden * grid.pitch_x, hidden * grid.pitch_y
    across = (left >= -wide) & (left + grid.pitch_x <= width + wide)
    down = (top >= -tall) & (top + grid.pitch_y <= height + tall)
    visible: Bools = down[:, None] & across[None, :]
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


@dataclass(frozen=True, slots=True)
class Tone:
    """A change of colours: for each channel on the screen, the weights of blue, green, red and 255."""

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
        """Return BGR values (..., 3) as the screen shows them, float32."""
        matrix = self.matrix
        colour: Floats = (colours.astype(np.float32) @ matrix[:3] + 255 * matrix[3]).clip(0, 255)
        return colour


PLAIN = Tone.of(np.eye(4, 3))


@lru_cache(maxsize=64)
def templates_of(skin: Skin, scale: float) -> Floats:
    """Return the templates stretched by ``scale`` and scaled back, softened: float32 (n, side * side, 3)."""
    pictures = stretched(skin.templates, scale)
    return softened(pictures.reshape(-1, skin.cell, 3), skin.cell).reshape(len(pictures), -1, 3)


def softened_side(cell: int) -> int:
    """Return the width and height of softened pictures of cells of ``cell`` pixels: 8 up to 48 pixels."""
    return _SIDE * math.ceil(cell / (_SIDE * _COARSEST))


def as_squares(features: Floats) -> Floats:
    """Return features, float32 (..., side * side * 3), as pictures (..., side, side, 3)."""
    side = math.isqrt(features.shape[-1] // 3)
    return features.reshape(*features.shape[:-1], side, side, 3)


def softened(canvas: Pixels | Floats, cell: int) -> Floats:
    """Return the cells as softened pictures: float32 of shape (rows * cols, side * side * 3)."""
    rows, cols, side = canvas.shape[0] // cell, canvas.shape[1] // cell, softened_side(cell)
    down_to, across_to = _softeners(cell)
    down = down_to @ canvas.astype(np.float32).reshape(rows, cell, -1)
    across = down.reshape(-1, cell * 3) @ across_to
    lines = across.reshape(rows, side, cols, side * 3)
    cells: Floats = np.ascontiguousarray(lines.swapaxes(1, 2), np.float32).reshape(rows * cols, -1)
    return cells


def distances(one: Floats, other: Floats) -> Floats:
    """Return the distances of pictures (n, f) from others (m, f): root mean square in grey levels, (n, m)."""
    middle = other.mean(0) if len(other) else np.float32(0)  # small numbers are more exact
    one, other = one - middle, other - middle
    squares = np.einsum("ij,ij->i", one, one)[:, None] + np.einsum("ij,ij->i", other, other)
    return np.asarray(np.sqrt((squares - 2 * one @ other.T).clip(0) / one.shape[1]), dtype=np.float32)


@lru_cache(maxsize=16)
def _softeners(cell: int) -> tuple[Floats, Floats]:
    """Return the matrices that blur and reduce a cell: lines (side x cell), columns (cell * 3 x side * 3)."""
    side = softened_side(cell)
    blurred = smoothed_lines(np.eye(cell, dtype=np.float32), _BLUR * cell / side)
    kernel = cv2.resize(blurred, (cell, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    return kernel, np.kron(kernel.T, np.eye(3, dtype=np.float32)).astype(np.float32)
