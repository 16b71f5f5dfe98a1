"""Numbers and words beside boards: in seven segments, as counters and timers show them, and in writing."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.geometry import Pixels
from bot.vision.skin import CounterLayout

STROKES = {  # a is the top, then clockwise to f; g is in the middle
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg",
    "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g",
}  # fmt: skip
_BOXES = {  # left, top, right, bottom of each stroke in a digit of 13 x 23 pixels; all inside
    "a": (3, 1, 9, 3),
    "b": (9, 3, 11, 9),
    "c": (9, 13, 11, 19),
    "d": (3, 19, 9, 21),
    "e": (1, 13, 3, 19),
    "f": (1, 3, 3, 9),
    "g": (3, 10, 9, 12),
}
_WIDTH, _HEIGHT = 13, 23


def draw_counter(
    picture: Pixels, layout: CounterLayout, left: int, top: int, right: int, number: int
) -> None:
    """Draw a skin's mine counter beside a grid whose top is at ``top``, from ``left`` to ``right``."""
    x, y = round((right if layout.right else left) + layout.x), round(top + layout.y)
    wide, tall = layout.width / _WIDTH, layout.height / _HEIGHT
    for index, digit in enumerate(f"{number:0{layout.digits}d}"):
        edge = x + round(index * layout.step)
        picture[y : y + round(layout.height), edge : edge + round(layout.width)] = 0
        for x0, y0, x1, y1 in (_BOXES[stroke] for stroke in STROKES[digit]):
            rows = slice(y + round(y0 * tall), y + round((y1 + 1) * tall))
            picture[rows, edge + round(x0 * wide) : edge + round((x1 + 1) * wide)] = layout.colour


def draw_text(
    pixels: Pixels, text: str, x: int, base: int, tall: float, ink: tuple[int, int, int] = (20, 20, 20)
) -> None:
    """Write text whose digits are ``tall`` pixels high at ``x``, on the line ``base``.

    The font is the one that Pillow brings, so that all systems draw alike.
    """
    picture, font = Image.fromarray(pixels), ImageFont.load_default(tall / 0.7)
    ImageDraw.Draw(picture).text((x, base), text, fill=ink, font=font, anchor="ls")
    pixels[:] = np.asarray(picture)
