"""Drawing of boards and of things that are no boards, for tests of what looks at pictures."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels

Colour = tuple[int, int, int]  # BGR
Generator = np.random.Generator

NUMBER_COLOURS: tuple[Colour, ...] = ((255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128))


@dataclass(frozen=True, slots=True)
class Look:
    """How cells are drawn: covered ones with a bevel of ``light`` and ``shadow``, opened ones with a line."""

    name: str
    covered: Colour
    light: Colour
    shadow: Colour
    opened: Colour
    line: Colour
    bevel: float = 0.1  # part of a cell; 0: a flat cell with a line around it


LOOKS = (
    Look("bevelled", (192, 192, 192), (255, 255, 255), (128, 128, 128), (192, 192, 192), (128, 128, 128)),
    Look("flat", (200, 160, 90), (160, 120, 60), (160, 120, 60), (235, 230, 225), (190, 185, 180), 0.0),
    Look("dark", (70, 62, 58), (92, 84, 80), (48, 42, 40), (40, 34, 32), (58, 52, 50)),
    Look("green", (0, 128, 0), (0, 255, 0), (90, 0, 0), (0, 0, 0), (200, 200, 200), 0.07),
)


def draw_board(grid: Grid, look: Look, pixels: Pixels, opened: npt.NDArray[np.bool_], rng: Generator) -> None:
    """Draw a board of ``look`` into ``pixels``; opened cells show numbers or nothing at random."""
    for row, col in np.ndindex(grid.rows, grid.cols):
        left, right = (round(grid.x + (col + step) * grid.pitch_x) for step in (0, 1))
        top, bottom = (round(grid.y + (row + step) * grid.pitch_y) for step in (0, 1))
        cell = pixels[top:bottom, left:right]
        if opened[row, col]:
            _draw_opened(cell, look, int(rng.integers(0, 6)))
        else:
            _draw_covered(cell, look)


def _draw_covered(cell: Pixels, look: Look) -> None:
    height, width = cell.shape[:2]
    edge = round(look.bevel * height)
    cell[:] = look.covered
    if edge == 0:
        cell[0], cell[:, 0] = look.line, look.line
        return
    for step in range(edge):
        cell[height - 1 - step, step:], cell[step:, width - 1 - step] = look.shadow, look.shadow
        cell[step, : width - step], cell[: height - step, step] = look.light, look.light


def _draw_opened(cell: Pixels, look: Look, number: int) -> None:
    height, width = cell.shape[:2]
    cell[:] = look.opened
    cell[0], cell[:, 0] = look.line, look.line
    if number:
        size = height / 32
        ink = NUMBER_COLOURS[number - 1]
        picture = np.ascontiguousarray(cell)
        place = (round(width * 0.3), round(height * 0.8))
        cv2.putText(
            picture, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, max(1, round(height / 12))
        )
        cell[:] = picture


def blob(rows: int, cols: int, share: float, rng: Generator) -> npt.NDArray[np.bool_]:
    """Return which cells are opened: connected areas that make about ``share`` of the board."""
    noise = cv2.GaussianBlur(rng.random((rows, cols)), (0, 0), 2.0)
    return np.asarray(noise <= np.quantile(noise, share)) if share > 0 else np.zeros((rows, cols), np.bool_)


def frame(pixels: Pixels, grid: Grid, look: Look, margin: int = 9) -> None:
    """Draw a raised frame around the place of ``grid`` and a panel with a button above it."""
    outer = grid.rect.grown(margin)
    top = max(0, outer.y - 36)
    left = max(0, outer.x)
    pixels[top : outer.bottom, left : outer.right] = look.covered
    inner = grid.rect.grown(3)
    pixels[max(0, inner.y) : inner.bottom, max(0, inner.x) : inner.right] = look.shadow
    middle = (outer.x + outer.right) // 2
    pixels[top + 6 : top + 32, middle - 13 : middle + 13] = look.light
    pixels[top + 8 : top + 30, middle - 11 : middle + 11] = look.covered


def wallpaper(kind: str, height: int, width: int, rng: Generator) -> Pixels:
    """Return a picture without a board: plain, gradient, noise, text, buttons, sheet or photo."""
    canvas = np.full((height, width, 3), rng.integers(40, 230, 3), np.uint8)
    if kind == "gradient":
        canvas[:] = np.linspace(30, 220, width).astype(np.uint8)[None, :, None]
    elif kind == "noise":
        canvas[:] = rng.integers(0, 256, canvas.shape)
    elif kind == "photo":
        canvas[:] = cv2.GaussianBlur(rng.integers(0, 256, canvas.shape).astype(np.uint8), (0, 0), 9.0)
        canvas[:] = cv2.normalize(canvas, canvas.copy(), 0, 255, cv2.NORM_MINMAX)
    elif kind == "text":
        _draw_text(canvas, rng)
    elif kind == "buttons":
        _draw_buttons(canvas)
    elif kind == "sheet":
        canvas[:] = 255
        canvas[::20], canvas[:, ::72] = 210, 210
    return canvas


def _draw_text(canvas: Pixels, rng: Generator) -> None:
    canvas[:] = 250
    letters = np.array(list("abcdefghiklmnoprstuvwy      "))
    for y in range(18, canvas.shape[0], 18):
        words = "".join(rng.choice(letters, canvas.shape[1] // 9))
        cv2.putText(canvas, words, (8, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 40, 40), 1, cv2.LINE_AA)


def _draw_buttons(canvas: Pixels) -> None:
    """Draw a calculator: five rows of four wide buttons with a digit on each."""
    canvas[:] = 235
    for row, col in np.ndindex(5, 4):
        x, y = 40 + col * 78, 120 + row * 52
        cv2.rectangle(canvas, (x, y), (x + 73, y + 47), (250, 250, 250), -1)
        cv2.putText(canvas, str(row + col), (x + 30, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1)
