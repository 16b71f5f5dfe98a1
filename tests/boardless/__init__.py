"""Pictures in which there is no Minesweeper, drawn from a seed: what a bot must leave alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from boardless import games, screens, tables
from boardless.sheet import Generator, colour
from bot.geometry import Pixels

Painter = Callable[[Generator], Pixels]
PAINTERS: tuple[Painter, ...] = (*tables.PAINTERS, *games.PAINTERS, *screens.PAINTERS)
_DESKTOPS = ((1366, 768), (1600, 900), (1920, 1080))


@dataclass(frozen=True, slots=True, eq=False)
class Boardless:
    """A picture (BGR) without a board; ``name`` says what is on it and from which seed."""

    name: str
    pixels: Pixels


def pictures(count: int, seed: int = 0) -> Iterator[Boardless]:
    """Yield ``count`` pictures: each kind of thing in turn, by itself, and in every fifth on a desktop."""
    for number in range(count):
        yield picture(number, seed)


def picture(number: int, seed: int = 0) -> Boardless:
    """Return the picture with this number; it does not depend on the others."""
    rng = np.random.default_rng((seed, number))
    if number % 5 == 4:
        return Boardless(f"desktop-{seed}-{number}", desktop(rng))
    painter = PAINTERS[number % len(PAINTERS)]
    return Boardless(f"{painter.__name__}-{seed}-{number}", shown(rng, painter(rng)))


def shown(rng: Generator, pixels: Pixels) -> Pixels:
    """Return a picture as screens and files show it: in a frame, stretched, inverted, compressed."""
    if rng.random() < 0.5:
        pixels = framed(rng, pixels)
    if rng.random() < 0.4:
        factor = float(rng.choice([1.25, 1.5, 2.0, rng.uniform(0.8, 2.2)]))
        ways = (cv2.INTER_LINEAR, cv2.INTER_NEAREST, cv2.INTER_CUBIC)
        way = ways[int(rng.integers(3))]
        pixels = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way).astype(np.uint8)
    if rng.random() < 0.15:
        pixels = 255 - pixels
    if rng.random() < 0.2:
        _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))])
        pixels = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return pixels


def framed(rng: Generator, pixels: Pixels) -> Pixels:
    """Return a picture in a window: a margin on all sides and a bar above."""
    margin, bar = int(rng.integers(2, 24)), int(rng.integers(20, 60))
    height, width = pixels.shape[:2]
    window = np.empty((height + margin + bar, width + 2 * margin, 3), np.uint8)
    window[:] = colour(rng)
    window[:bar] = colour(rng)
    window[bar : bar + height, margin : margin + width] = pixels
    return window


def desktop(rng: Generator, size: tuple[int, int] | None = None, windows: int | None = None) -> Pixels:
    """Return a whole screen: some of these things in windows over each other, on a background.

    ``size`` is (width, height), ``windows`` how many there are; either is drawn if it is not given.
    """
    width, height = size or _DESKTOPS[int(rng.integers(len(_DESKTOPS)))]
    grounds = (screens.tiling, screens.lines, screens.smooth, screens.smooth)
    ground = grounds[int(rng.integers(4))](rng)
    across, down = -(-width // ground.shape[1]), -(-height // ground.shape[0])
    canvas = np.ascontiguousarray(np.tile(ground, (down, across, 1))[:height, :width])
    for _ in range(int(rng.integers(1, 6)) if windows is None else windows):
        x, y = int(rng.integers(-40, width - 80)), int(rng.integers(-20, height - 80))
        paste(canvas, window(rng), x, y)
    return canvas


def window(rng: Generator) -> Pixels:
    """Return the window of some program."""
    return framed(rng, PAINTERS[int(rng.integers(len(PAINTERS)))](rng))


def paste(canvas: Pixels, picture: Pixels, x: int, y: int) -> None:
    """Draw a picture with its top left at (x, y), as far as it is on the canvas."""
    height, width = canvas.shape[:2]
    top, left = max(0, y), max(0, x)
    part = picture[top - y : max(top, height) - y, left - x : max(left, width) - x]
    canvas[top : top + part.shape[0], left : left + part.shape[1]] = part
