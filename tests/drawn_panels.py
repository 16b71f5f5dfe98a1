"""Panels of many games, drawn beside a board: displays of segments, and text."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.geometry import Grid, Pixels
from displays import STROKES

Generator = np.random.Generator
Colour = tuple[int, int, int]

_LINES = {  # each stroke from one point to another, in fractions of a digit's box
    "a": ((0.1, 0.0), (0.9, 0.0)),
    "b": ((1.0, 0.08), (1.0, 0.42)),
    "c": ((1.0, 0.58), (1.0, 0.92)),
    "d": ((0.1, 1.0), (0.9, 1.0)),
    "e": ((0.0, 0.58), (0.0, 0.92)),
    "f": ((0.0, 0.08), (0.0, 0.42)),
    "g": ((0.1, 0.5), (0.9, 0.5)),
}
_FINE = 8  # times larger a display is drawn, to be shrunk smoothly


def draw_panel(
    rng: Generator, kind: str, mines_left: int, timer: int, flags: int, rows: int, cols: int
) -> tuple[Pixels, Grid]:
    """Return a picture with a board of plain covered cells, and where that is.

    Beside it is a panel: "display" (segments), "text", "words" (Mines: 10) or "share" (flags/total).
    """
    pitch = float(rng.choice([16, 16, 20, 24, 24.4, 28, 32, 40, 50]))
    light = bool(rng.random() < 0.7)
    ground: Colour = (192, 192, 192) if light else (45, 40, 38)
    margin, panel = round(0.8 * pitch), round(max(40, 3.2 * pitch))
    below = kind != "display" and rng.random() < 0.3
    width, height = round(cols * pitch), round(rows * pitch)
    pixels = np.empty((height + 2 * margin + panel, width + 2 * margin, 3), np.uint8)
    pixels[:] = ground
    top = margin if below else panel + margin
    grid = Grid(margin, top, width / cols, height / rows, rows, cols)
    _draw_cells(pixels, grid, light)
    middle = top + height + margin // 2 + panel // 2 if below else panel // 2 + margin // 2
    numbers = [mines_left, timer] if rng.random() < 0.7 else [timer, mines_left]
    if kind == "display":
        _displays(pixels, rng, numbers, middle, margin, pitch)
    else:
        _texts(pixels, rng, kind, mines_left, timer, flags, middle, margin, pitch, light)
    return pixels, grid


def _draw_cells(pixels: Pixels, grid: Grid, light: bool) -> None:
    face, bright, dark = (190, 255, 120) if light else (70, 95, 30)
    rect = grid.rect
    pixels[rect.y : rect.bottom, rect.x : rect.right] = face
    for col in range(grid.cols + 1):
        x = round(grid.x + col * grid.pitch_x)
        pixels[rect.y : rect.bottom, max(0, x - 1) : x] = dark
        pixels[rect.y : rect.bottom, x : x + 1] = bright
    for row in range(grid.rows + 1):
        y = round(grid.y + row * grid.pitch_y)
        pixels[max(0, y - 1) : y, rect.x : rect.right] = dark
        pixels[y : y + 1, rect.x : rect.right] = bright


def _displays(
    pixels: Pixels, rng: Generator, numbers: list[int], middle: int, margin: int, pitch: float
) -> None:
    lit: Colour = [(0, 0, 255), (0, 255, 0), (0, 200, 255), (255, 255, 255)][int(rng.integers(4))]
    ghost = float(rng.choice([0, 0.2, 0.35]))
    tall = round(float(rng.uniform(1.1, 1.6)) * pitch)
    shape = float(rng.uniform(0.44, 0.55)), float(rng.uniform(0.09, 0.14)), float(rng.uniform(0.1, 0.2))
    shown = [_display(number, tall, shape, lit, ghost) for number in numbers]
    for picture, right in zip(shown, (False, True), strict=True):
        high, wide = picture.shape[:2]
        left = pixels.shape[1] - margin - wide - 4 if right else margin + 4
        pixels[middle - high // 2 : middle - high // 2 + high, left : left + wide] = picture
    cv2.circle(pixels, (pixels.shape[1] // 2, middle), round(0.7 * pitch), (0, 220, 240), -1, cv2.LINE_AA)


def _display(number: int, tall: int, shape: tuple[float, float, float], lit: Colour, ghost: float) -> Pixels:
    wide, thick, gap = (part * tall * _FINE for part in shape)
    edge = 2 * _FINE + thick / 2
    text = f"{number:03d}"
    step = wide + thick + gap
    size = (round(2 * edge + step * len(text) - gap - thick), round(tall * _FINE + 2 * edge - thick))
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    for index, character in enumerate(text):
        for stroke, ends in _LINES.items():
            on = stroke in STROKES[character]
            colour = tuple(round(part * (1 if on else ghost)) for part in lit)
            points = [
                (round(edge + index * step + x * wide), round(edge + y * (tall * _FINE - thick)))
                for x, y in ends
            ]
            cv2.line(picture, points[0], points[1], colour, round(thick))
    small = (size[0] // _FINE, size[1] // _FINE)
    return np.asarray(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), np.uint8)


def _texts(
    pixels: Pixels, rng: Generator, kind: str, mines_left: int, timer: int, flags: int,
    middle: int, margin: int, pitch: float, light: bool,
) -> None:  # fmt: skip
    share = f"{flags}/{mines_left + flags}"
    shown = {"text": str(mines_left), "words": f"Mines: {mines_left}", "share": share}[kind]
    clock = str(timer) if kind == "text" else f"{timer // 60:02d}:{timer % 60:02d}"
    ink: Colour = (20, 20, 20) if light else (235, 235, 235)
    if rng.random() < 0.3:
        ink = (160, 30, 0) if light else (120, 220, 255)
    tall = max(11.0, float(rng.uniform(0.5, 0.9)) * pitch)
    base = middle + round(tall / 2)
    wide = round(_font(tall).getlength(clock))
    draw_text(pixels, shown, margin + 2, base, tall, ink)
    draw_text(pixels, clock, pixels.shape[1] - margin - wide - 2, base, tall, ink)


def draw_text(pixels: Pixels, text: str, x: int, base: int, tall: float, ink: Colour = (20, 20, 20)) -> None:
    """Write text whose digits are ``tall`` pixels high at ``x``, on the line ``base``."""
    picture = Image.fromarray(pixels)
    ImageDraw.Draw(picture).text((x, base), text, fill=ink, font=_font(tall), anchor="ls")
    pixels[:] = np.asarray(picture)


def _font(tall: float) -> ImageFont.FreeTypeFont:
    """Return the font that Pillow brings, so that all systems draw alike."""
    font = ImageFont.load_default(tall / 0.7)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
