"""Draw the pictures of the skin ``winmine``: the classic 16 x 16 look, in shapes of our own.

Only facts about the classic game go into it: its colours, a bevel two pixels wide on covered cells, a line
one pixel wide at the top and left of opened ones, bold digits in a box of 10 x 10 pixels at (3, 3). The
shapes are made from rectangles, polygons and circles. Run
``PYTHONPATH=.:tests python -m art.make_winmine_templates`` to write them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from art.ink import Colour
from art.styles import CLASSIC_INKS
from bot.geometry import Pixels

FOLDER = Path(__file__).parents[2] / "templates" / "winmine"
Box = tuple[int, int, int, int]  # left, top, right, bottom; all inside
Outline = tuple[tuple[int, int], ...]  # corners of a polygon

FACE, WHITE, SHADOW, BLACK, RED = (192,) * 3, (255,) * 3, (128,) * 3, (0,) * 3, (0, 0, 255)
# Digits are put together from the seven segments of a display, bold and with their corners cut; the slanted
# strokes of 1, 2, 4 and 7 are polygons.
TOP, MIDDLE, BOTTOM = (4, 3, 11, 4), (4, 7, 11, 8), (4, 11, 11, 12)
UPPER_LEFT, LOWER_LEFT = (3, 4, 5, 7), (3, 8, 5, 11)
UPPER_RIGHT, LOWER_RIGHT = (10, 4, 12, 7), (10, 8, 12, 11)
SEGMENTS: dict[int, tuple[Box, ...]] = {
    1: ((7, 3, 9, 11), (5, 11, 11, 12)),
    2: (TOP, (3, 4, 5, 5), (10, 4, 12, 6), (3, 11, 12, 12)),
    3: (TOP, MIDDLE, BOTTOM, UPPER_RIGHT, LOWER_RIGHT),
    4: ((8, 3, 10, 12), (3, 7, 12, 8)),
    5: (TOP, MIDDLE, BOTTOM, UPPER_LEFT, LOWER_RIGHT),
    6: (TOP, MIDDLE, BOTTOM, UPPER_LEFT, LOWER_LEFT, LOWER_RIGHT),
    7: ((3, 3, 12, 4),),
    8: (TOP, MIDDLE, BOTTOM, UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT),
}
SLANTS: dict[int, Outline] = {
    1: ((7, 3), (7, 6), (5, 6)),
    2: ((10, 6), (12, 6), (6, 11), (3, 11)),
    4: ((5, 3), (7, 3), (5, 8), (3, 8)),
    7: ((10, 4), (12, 4), (9, 12), (7, 12)),
}


def fill(picture: Pixels, boxes: tuple[Box, ...], colour: Colour) -> None:
    """Fill boxes of whole pixels with a colour."""
    for left, top, right, bottom in boxes:
        picture[top : bottom + 1, left : right + 1] = colour


def opened(face: Colour = FACE) -> Pixels:
    """Return an opened cell without a number: the face, and a line at the top and left."""
    picture = np.full((16, 16, 3), face, np.uint8)
    fill(picture, ((0, 0, 15, 0), (0, 0, 0, 15)), SHADOW)
    return picture


def covered() -> Pixels:
    """Return a covered cell: a bevel, white at the top and left, dark at the bottom and right."""
    picture = np.full((16, 16, 3), FACE, np.uint8)
    for ring in (0, 1):
        far = 15 - ring
        fill(picture, ((ring, far, far, far), (far, ring, far, far)), SHADOW)
        fill(picture, ((ring, ring, far - 1, ring), (ring, ring, ring, far - 1)), WHITE)
        picture[ring, far] = picture[far, ring] = FACE
    return picture


def digit(number: int) -> Pixels:
    """Return an opened cell with a number from 1 to 8."""
    picture = opened()
    fill(picture, SEGMENTS[number], CLASSIC_INKS[number - 1])
    if number in SLANTS:
        cv2.fillPoly(picture, [np.array(SLANTS[number], np.int32)], CLASSIC_INKS[number - 1])
    return picture


def flag() -> Pixels:
    """Return a covered cell with a red flag on a black foot."""
    picture = covered()
    cloth = np.array([(8, 3), (8, 7), (4, 5)], np.int32)
    cv2.fillPoly(picture, [cloth], RED)
    fill(picture, ((8, 8, 8, 9), (6, 10, 9, 10), (4, 11, 11, 12)), BLACK)
    return picture


def question() -> Pixels:
    """Return a covered cell with a question mark: an arc, a stem and a dot."""
    picture = covered()
    arc = ((6, 3, 8, 3), (6, 4, 10, 4), (5, 5, 6, 6), (9, 5, 10, 6))
    fill(picture, (*arc, (8, 7, 9, 7), (7, 8, 8, 9), (7, 11, 8, 12)), BLACK)
    return picture


def mine(face: Colour = FACE) -> Pixels:
    """Return an opened cell with a mine: a ball with eight spikes and a glint."""
    picture = opened(face)
    rows, cols = np.indices((16, 16))
    picture[np.hypot(rows - 8, cols - 8) <= 4.4] = BLACK
    fill(picture, ((2, 8, 14, 8), (8, 2, 8, 14)), BLACK)
    for x, y in ((4, 4), (12, 4), (4, 12), (12, 12)):
        picture[y, x] = BLACK
    fill(picture, ((6, 6, 7, 7),), WHITE)
    return picture


def wrong_flag() -> Pixels:
    """Return a mine that is crossed out in red."""
    picture = mine()
    for left in (2, 3):
        cv2.line(picture, (left, 3), (left + 11, 14), RED)
        cv2.line(picture, (left, 14), (left + 11, 3), RED)
    return picture


DRAWINGS: dict[str, Callable[[], Pixels]] = {
    "0": opened,
    "covered": covered,
    "flag": flag,
    "question": question,
    "mine": mine,
    "exploded": lambda: mine(RED),
    "wrong_flag": wrong_flag,
}


def pictures() -> dict[str, Pixels]:
    """Return the picture of every state by its file name without the ending."""
    return {str(number): digit(number) for number in range(1, 9)} | {
        name: draw() for name, draw in DRAWINGS.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        cv2.imwrite(str(FOLDER / f"{name}.png"), picture)
