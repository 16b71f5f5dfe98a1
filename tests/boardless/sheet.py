"""What the pictures without a board are drawn with: a sheet, its colours, and places on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.geometry import Pixels

Generator = np.random.Generator
Ink = tuple[int, ...]  # red, green, blue
INKS: tuple[Ink, ...] = (
    (0, 0, 255),
    (0, 128, 0),
    (255, 0, 0),
    (0, 0, 128),
    (128, 0, 0),
    (0, 128, 128),
    (0, 0, 0),
    (128, 128, 128),
)


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a program: paper, ink and lines; ``faces`` are those of its buttons."""

    paper: Ink
    ink: Ink
    line: Ink
    faces: tuple[Ink, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One box of a lattice, in pixels; right and bottom are outside."""

    row: int
    col: int
    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def high(self) -> int:
        """Its height."""
        return self.bottom - self.top


@lru_cache(maxsize=128)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font that comes with Pillow, ``size`` pixels high."""
    return ImageFont.load_default(size)


def colour(rng: Generator, low: int = 0, high: int = 256) -> Ink:
    """Return a random colour whose channels are from ``low`` to below ``high``."""
    return tuple(int(value) for value in rng.integers(low, high, 3))


def theme(rng: Generator) -> Theme:
    """Return the colours of a light, grey, dark or coloured program."""
    kind = rng.choice(["white", "white", "grey", "dark", "coloured"])
    paper: Ink = {"white": (255, 255, 255), "grey": (192, 192, 192)}.get(str(kind), (40, 40, 44))
    if kind == "coloured":
        paper = colour(rng, 170, 256)
    ink = colour(rng, 180, 250) if kind == "dark" else colour(rng, 0, 90)
    faces = (*(blend(paper, ink, share) for share in (0.1, 0.2, 0.3)), blend(paper, colour(rng), 0.4))
    return Theme(paper, ink, blend(paper, ink, float(rng.uniform(0.15, 1))), faces)


def blend(first: Ink, second: Ink, share: float) -> Ink:
    """Return a colour between two."""
    return tuple(round(a * (1 - share) + b * share) for a, b in zip(first, second, strict=True))


def side(rng: Generator, low: int = 14, high: int = 48) -> int:
    """Return a size of cells as boards have it too."""
    return int(rng.integers(low, high))


def lattice(
    rows: int, cols: int, wide: float, high: float, left: int = 0, top: int = 0, gap: int = 0
) -> Iterator[Place]:
    """Yield the boxes of a lattice row by row; ``gap`` pixels are left free between them."""
    for row, col in np.ndindex(rows, cols):
        x, y = (
            (round(left + (col + step) * wide) for step in (0, 1)),
            (round(top + (row + step) * high) for step in (0, 1)),
        )
        (x0, x1), (y0, y1) = x, y
        yield Place(row, col, x0, y0, x1 - gap, y1 - gap)


class Sheet:
    """A picture to draw on."""

    def __init__(self, width: float, height: float, paper: Ink) -> None:
        self.image = Image.new("RGB", (max(1, round(width)), max(1, round(height))), paper)
        self.draw = ImageDraw.Draw(self.image)

    @property
    def pixels(self) -> Pixels:
        """The picture, BGR."""
        return np.ascontiguousarray(np.asarray(self.image)[..., ::-1])

    def fill(self, place: Place, ink: Ink, line: Ink | None = None, radius: int = 0) -> None:
        """Fill a box, with a line around it or not, its corners round or not."""
        box = (place.left, place.top, max(place.left, place.right - 1), max(place.top, place.bottom - 1))
        self.draw.rounded_rectangle(box, radius, ink, line)

    def ruled(self, place: Place, line: Ink) -> None:
        """Draw the lines of a table around a box, shared with its neighbours."""
        self.draw.rectangle((place.left, place.top, place.right, place.bottom), None, line)

    def raised(self, place: Place, face: Ink, width: int = 2) -> None:
        """Draw a button that stands out: light above and to the left, dark below and to the right."""
        self.fill(place, face)
        for step in range(width):
            left, top, right, bottom = (
                place.left + step,
                place.top + step,
                place.right - 1 - step,
                place.bottom - 1 - step,
            )
            self.draw.line((left, bottom, left, top, right, top), blend(face, (255, 255, 255), 0.8))
            self.draw.line((left, bottom, right, bottom, right, top), blend(face, (0, 0, 0), 0.45))

    def word(self, place: Place, words: str, ink: Ink, share: float = 0.6) -> None:
        """Write into the middle of a box, ``share`` of its height high."""
        self.draw.text(place.middle, words, ink, font(max(6, round(share * place.high))), "mm")

    def write(self, x: float, y: float, words: str, ink: Ink, size: int) -> None:
        """Write from (x, y) on, which is the top left of the words."""
        self.draw.text((x, y), words, ink, font(size))

    def disc(self, place: Place, ink: Ink, share: float = 0.8, line: Ink | None = None) -> None:
        """Draw a disc in the middle of a box."""
        (x, y), radius = place.middle, share * place.high / 2
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), ink, line)
