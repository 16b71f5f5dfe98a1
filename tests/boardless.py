"""Pictures in which there is no Minesweeper, drawn from a seed: what a bot must leave alone.

They are drawn with the font that comes with Pillow, so that all systems draw alike.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bot.geometry import Pixels
from true_pictures import TruePicture

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


# Tables: numbers in boxes, as offices, schools and newspapers have them


def spreadsheet(rng: Generator) -> Pixels:
    """Return a sheet with wide cells, headings, and numbers in some."""
    look, high, wide = theme(rng), side(rng, 16, 30), side(rng, 50, 100)
    rows, cols = int(rng.integers(8, 30)), int(rng.integers(5, 12))
    sheet = Sheet(wide * cols + 1, high * rows + 1, look.paper)
    for place in lattice(rows, cols, wide, high):
        head = place.row == 0 or place.col == 0
        if head:
            sheet.fill(place, look.faces[0])
        sheet.ruled(place, look.line)
        words = f"{chr(64 + place.col)}" if place.row == 0 else str(place.row)
        if head or rng.random() < 0.4:
            sheet.word(place, words if head else f"{rng.integers(0, 9999)}", look.ink)
    return sheet.pixels


def square_table(rng: Generator) -> Pixels:
    """Return the nastiest: a ruled table of square cells with digits in them, some left empty."""
    look, pitch = theme(rng), side(rng)
    rows, cols = int(rng.integers(5, 18)), int(rng.integers(5, 30))
    sheet = Sheet(pitch * cols + 1, pitch * rows + 1, look.paper)
    coloured, most = rng.random() < 0.4, int(rng.choice([1, 4, 8, 9]))
    share = float(rng.uniform(0.2, 1))
    for place in lattice(rows, cols, pitch, pitch):
        sheet.ruled(place, look.line)
        if rng.random() < share:
            number = int(rng.integers(0 if most == 9 else 1, most + 1))
            sheet.word(place, str(number), INKS[(number - 1) % 8] if coloured else look.ink)
    return sheet.pixels


def unruled_table(rng: Generator) -> Pixels:
    """Return digits at the places of a lattice without any lines."""
    look, pitch = theme(rng), side(rng, 12, 30)
    rows, cols = int(rng.integers(8, 25)), int(rng.integers(10, 40))
    sheet = Sheet(pitch * cols, pitch * rows, look.paper)
    for place in lattice(rows, cols, pitch, pitch):
        sheet.word(place, str(rng.integers(0, 10)), look.ink, 0.7)
    return sheet.pixels


def month(rng: Generator) -> Pixels:
    """Return a calendar: a month, or a year of small ones."""
    look, wide = theme(rng), side(rng, 18, 60)
    high = wide if rng.random() < 0.5 else round(wide * rng.uniform(0.6, 1.2))
    across, down = (1, 1) if wide > 34 else (4, 3)
    year, margin, ruled = int(rng.integers(1990, 2040)), wide // 2, rng.random() < 0.6
    sheet = Sheet((7 * wide + margin) * across, (8 * high + margin) * down, look.paper)
    for number in range(across * down):
        left, top = number % across * (7 * wide + margin), number // across * (8 * high + margin)
        sheet.write(left + wide, top + high // 5, calendar.month_name[number + 1], look.ink, high * 3 // 5)
        weeks = [[*calendar.day_abbr], *calendar.monthcalendar(year, number + 1)]
        for place in lattice(len(weeks), 7, wide, high, left, top + high):
            day = weeks[place.row][place.col]
            if ruled:
                sheet.ruled(place, look.line)
            if day:
                sheet.word(place, str(day)[:2], look.ink, 0.5)
    return sheet.pixels


def heat_map(rng: Generator) -> Pixels:
    """Return squares whose colours stand for numbers, with gaps or written values, or neither."""
    look, pitch = theme(rng), side(rng, 10, 40)
    rows, cols = ((7, 53), (12, 24), (10, 10), (20, 20))[int(rng.integers(4))]
    warm, gap = colour(rng), int(rng.integers(0, 4))
    steps = int(rng.choice([4, 5, 100]))
    written = pitch > 20 and rng.random() < 0.5
    sheet = Sheet(pitch * cols, pitch * rows, look.paper)
    for place in lattice(rows, cols, pitch, pitch, gap=gap):
        value = float(rng.integers(0, steps + 1)) / steps
        sheet.fill(place, blend(look.faces[0], warm, value))
        if written:
            sheet.word(place, f"{9 * value:.0f}", look.ink, 0.5)
    return sheet.pixels


# Other games and puzzles that are played on a lattice


_LETTERS = tuple("EEEEAAIIOONNRRTTLSUDGBCMPFHVWYKJXQZ")
_BRIGHT = ((220, 40, 40), (40, 160, 60), (40, 80, 220), (230, 200, 40), (160, 60, 190), (240, 140, 30))


def sudoku(rng: Generator) -> Pixels:
    """Return a sudoku with some of its digits."""
    look, pitch = theme(rng), side(rng, 18, 60)
    sheet = Sheet(9 * pitch + 3, 9 * pitch + 3, look.paper)
    share = float(rng.uniform(0.25, 1))
    for place in lattice(9, 9, pitch, pitch):
        sheet.ruled(place, look.line)
        digit = (place.row * 3 + place.row // 3 + place.col) % 9 + 1
        if rng.random() < share:
            sheet.word(place, str(digit), look.ink)
    for step in range(0, 10, 3):
        sheet.draw.line((step * pitch, 0, step * pitch, 9 * pitch), look.ink, 3)
        sheet.draw.line((0, step * pitch, 9 * pitch, step * pitch), look.ink, 3)
    return sheet.pixels


def crossword(rng: Generator) -> Pixels:
    """Return a crossword: black cells, small numbers in some."""
    look, pitch, size = theme(rng), side(rng, 18, 44), int(rng.integers(9, 22))
    sheet = Sheet(size * pitch + 1, size * pitch + 1, look.paper)
    black = rng.random((size, size)) < 0.17
    black |= black[::-1, ::-1]
    number, solved = 0, rng.random() < 0.5
    for place in lattice(size, size, pitch, pitch):
        if black[place.row, place.col]:
            sheet.fill(place, look.ink)
            continue
        sheet.ruled(place, look.line)
        if not place.row or not place.col or black[place.row - 1, place.col]:
            number += 1
            sheet.write(place.left + 2, place.top + 1, str(number), look.ink, max(6, pitch // 4))
        if solved:
            sheet.word(place, str(rng.choice(_LETTERS)), look.ink)
    return sheet.pixels


def chess(rng: Generator) -> Pixels:
    """Return a chess board or a draughts board, with pieces."""
    pitch, draughts = side(rng, 24, 80), rng.random() < 0.4
    light, dark = colour(rng, 170, 256), colour(rng, 40, 160)
    sheet = Sheet(8 * pitch, 8 * pitch, light)
    for place in lattice(8, 8, pitch, pitch):
        odd = (place.row + place.col) % 2 == 1
        sheet.fill(place, dark if odd else light)
        taken = place.row in (0, 1, 6, 7) if rng.random() < 0.8 else rng.random() < 0.2
        piece = (20, 20, 20) if place.row < 4 else (245, 245, 245)
        if taken and (odd or not draughts):
            sheet.disc(place, piece, 0.7, (90, 90, 90))
            if not draughts:
                sheet.word(place, str(rng.choice(list("KQRBNP"))), blend(piece, (128, 128, 128), 0.8), 0.5)
    return sheet.pixels


def go(rng: Generator) -> Pixels:
    """Return a Go board: stones stand on the crossings of its lines."""
    pitch, size = side(rng, 14, 44), int(rng.choice([9, 13, 19]))
    sheet = Sheet(pitch * (size + 1), pitch * (size + 1), colour(rng, 150, 230))
    for step in range(1, size + 1):
        sheet.draw.line((pitch, step * pitch, size * pitch, step * pitch), (0, 0, 0))
        sheet.draw.line((step * pitch, pitch, step * pitch, size * pitch), (0, 0, 0))
    for place in lattice(size, size, pitch, pitch, pitch // 2, pitch // 2):
        if rng.random() < 0.4:
            sheet.disc(place, (10,) * 3 if rng.random() < 0.5 else (250,) * 3, 0.95, (60, 60, 60))
    return sheet.pixels


def powers(rng: Generator) -> Pixels:
    """Return 2048, or the sliding puzzle: numbers on plates with gaps."""
    look, pitch, size = theme(rng), side(rng, 40, 110), int(rng.choice([4, 4, 5, 6]))
    sheet, sliding = Sheet(size * pitch + 8, size * pitch + 8, look.faces[2]), rng.random() < 0.4
    order = rng.permutation(size * size)
    for place, number in zip(lattice(size, size, pitch, pitch, 8, 8, 8), order, strict=True):
        value = int(number) if sliding else 2 ** int(number % 8)
        if value <= (0 if sliding else 1):
            sheet.fill(place, look.faces[1], radius=4)
            continue
        sheet.fill(place, blend((238, 228, 218), (230, 90, 40), (number % 8) / 8), radius=4)
        sheet.word(place, str(value), (90, 80, 70), 0.4)
    return sheet.pixels


def jewels(rng: Generator) -> Pixels:
    """Return a game of equal colours: jewels, discs or blocks in a well."""
    pitch, rows, cols = side(rng, 18, 56), int(rng.integers(8, 20)), int(rng.integers(6, 14))
    ground, kind = colour(rng, 20, 90), rng.choice(["jewel", "block", "disc"])
    sheet, gaps = Sheet(cols * pitch, rows * pitch, ground), float(rng.uniform(0, 0.7))
    for place in lattice(rows, cols, pitch, pitch):
        sheet.ruled(place, blend(ground, (255, 255, 255), 0.15))
        if rng.random() < gaps:
            continue
        ink = _BRIGHT[int(rng.integers(len(_BRIGHT)))]
        if kind == "block":
            sheet.raised(place, ink, max(1, pitch // 10))
        elif kind == "disc":
            sheet.disc(place, ink)
        else:
            _jewel(sheet, place, ink)
    return sheet.pixels


def _jewel(sheet: Sheet, place: Place, ink: tuple[int, ...]) -> None:
    (x, y), reach = place.middle, 0.4 * place.high
    sheet.draw.polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], ink, (255, 255, 255))


def nonogram(rng: Generator) -> Pixels:
    """Return a picture puzzle: numbers beside and above cells that are black, crossed or white."""
    look, pitch, size = theme(rng), side(rng, 16, 32), int(rng.choice([10, 15, 20]))
    hints = size // 3
    sheet = Sheet((size + hints) * pitch + 1, (size + hints) * pitch + 1, look.paper)
    for place in lattice(size + hints, size + hints, pitch, pitch):
        beside = (place.row < hints) + (place.col < hints)
        if beside == 2:
            continue
        sheet.ruled(place, look.line)
        if beside and rng.random() < 0.6:
            sheet.word(place, str(rng.integers(1, 9)), look.ink)
        elif not beside and rng.random() < 0.5:
            sheet.fill(place, look.ink)
        elif not beside and rng.random() < 0.3:
            sheet.word(place, "x", look.line, 0.8)
    return sheet.pixels


def scenery(rng: Generator) -> Pixels:
    """Return a game seen from above, made of a few pictures that repeat."""
    pitch, rows, cols = int(rng.choice([16, 24, 32])), int(rng.integers(12, 24)), int(rng.integers(16, 36))
    motifs = rng.integers(0, 256, (6, 8, 8, 3)) // 3 + rng.integers(0, 160, (6, 1, 1, 3))
    kinds = motifs.astype(np.uint8).repeat(pitch // 8, 1).repeat(pitch // 8, 2)
    chosen = (rng.random((rows, cols)) ** 2 * 6).astype(int)
    return np.ascontiguousarray(kinds[chosen].swapaxes(1, 2).reshape(rows * pitch, cols * pitch, 3))


# Programs and backgrounds: keys, icons, text, bricks, noise


_WORDS = (
    *("mine", "field", "the", "of", "and", "a", "game", "window", "open", "close", "file", "edit", "view"),
    *("help", "score", "start", "new", "left", "right"),
)


def keyboard(rng: Generator) -> Pixels:
    """Return a keyboard whose rows are shifted, or a pad of equal keys."""
    look, pitch = theme(rng), side(rng, 20, 56)
    shift = float(rng.choice([0, 0.25, 0.5]))
    sheet = Sheet(14 * pitch, 5 * pitch, look.faces[2])
    for place in lattice(5, 12, pitch, pitch, 4, 2, int(rng.integers(2, 6))):
        across = round(place.row * shift * pitch)
        key = Place(place.row, place.col, place.left + across, place.top, place.right + across, place.bottom)
        sheet.fill(key, look.faces[0], look.line, 3)
        sheet.word(
            key,
            "1234567890-=qwertyuiop[]asdfghjkl;'#zxcvbnm,./"[place.row * 11 % 35 + place.col % 11],
            look.ink,
            0.5,
        )
    return sheet.pixels


def icons(rng: Generator) -> Pixels:
    """Return pictures at equal steps, with words below them or not."""
    look, pitch = theme(rng), side(rng, 24, 90)
    rows, cols = int(rng.integers(3, 12)), int(rng.integers(4, 20))
    share, named, buttons = float(rng.uniform(0.4, 0.9)), pitch > 50, rng.random() < 0.3
    sheet = Sheet(cols * pitch, rows * pitch, look.paper)
    for place in lattice(rows, cols, pitch, pitch):
        if buttons:
            sheet.raised(place, look.faces[0])
        reach = round((1 - share) * pitch / 2)
        inner = Place(0, 0, place.left + reach, place.top + reach, place.right - reach, place.bottom - reach)
        _icon(sheet, inner, rng)
        if named:
            sheet.write(place.left + 2, place.bottom - 12, str(rng.choice(_WORDS)), look.ink, 10)
    return sheet.pixels


def _icon(sheet: Sheet, place: Place, rng: Generator) -> None:
    ink, kind = colour(rng), int(rng.integers(4))
    if kind == 0:
        sheet.disc(place, ink, 1.0)
    elif kind == 1:
        sheet.fill(place, ink, (0, 0, 0), 3)
    elif kind == 2:
        corners = [(place.left, place.bottom), (place.right, place.bottom), (place.middle[0], place.top)]
        sheet.draw.polygon(corners, ink)
    else:
        sheet.word(place, str(rng.choice(list("?!*#@&%+"))), ink, 1.0)


def forms(rng: Generator) -> Pixels:
    """Return a dialog: boxes to tick, fields, buttons and words."""
    look, high = theme(rng), side(rng, 18, 30)
    rows = int(rng.integers(6, 20))
    sheet = Sheet(int(rng.integers(200, 500)), high * (rows + 2), look.paper)
    for place in lattice(rows, int(rng.integers(1, 4)), 150, high, 8, 8):
        box = Place(0, 0, place.left, place.top + 2, place.left + high - 5, place.bottom - 3)
        sheet.fill(box, look.faces[0], look.line)
        if rng.random() < 0.4:
            sheet.word(box, "x", look.ink, 1.0)
        sheet.write(
            place.left + high, place.top + 1, " ".join(rng.choice(_WORDS, 3)), look.ink, high * 3 // 5
        )
    sheet.raised(Place(0, 0, 8, high * rows + 14, 88, high * (rows + 1) + 12), look.faces[0])
    return sheet.pixels


def page(rng: Generator) -> Pixels:
    """Return a page of words, or of a program's source."""
    look, high = theme(rng), side(rng, 12, 24)
    rows, source = int(rng.integers(15, 45)), rng.random() < 0.4
    sheet = Sheet(int(rng.integers(400, 900)), rows * high, look.paper)
    for row in range(rows):
        left = 8 + (int(rng.integers(0, 5)) * 2 * high if source else 0)
        words = " ".join(rng.choice(_WORDS, int(rng.integers(0, 14))))
        ink = blend(look.ink, colour(rng), 0.5) if source else look.ink
        sheet.write(left, row * high, words, ink, high * 3 // 4)
    return sheet.pixels


def terminal(rng: Generator) -> Pixels:
    """Return a black screen with characters at fixed steps, some of them boxes."""
    high = side(rng, 12, 24)
    rows, cols = int(rng.integers(12, 40)), int(rng.integers(30, 90))
    sheet, ink = Sheet(cols * high * 0.6, rows * high, (12, 12, 12)), colour(rng, 120, 256)
    letters = list("0123456789abcdef.#|-+     ")
    for place in lattice(rows, cols, high * 0.6, high):
        if rng.random() < 0.6:
            sheet.word(place, str(rng.choice(letters)), ink, 0.8)
    return sheet.pixels


def bricks(rng: Generator) -> Pixels:
    """Return a wall: every other row is shifted by half a stone."""
    high = side(rng, 12, 40)
    wide = high * int(rng.choice([1, 2, 3]))
    rows, cols = int(rng.integers(8, 24)), int(rng.integers(6, 20))
    mortar, stone = colour(rng, 150, 256), colour(rng, 60, 170)
    sheet = Sheet(cols * wide, rows * high, mortar)
    for place in lattice(rows, cols + 1, wide, high, gap=2):
        shift = wide // 2 if place.row % 2 else 0
        ink = blend(stone, colour(rng), 0.1)
        sheet.fill(Place(0, 0, place.left - shift, place.top, place.right - shift, place.bottom), ink)
    return sheet.pixels


def tiling(rng: Generator) -> Pixels:
    """Return a small picture repeated, as old desktops and web pages have it behind everything."""
    pitch = side(rng, 8, 70)
    motif = rng.integers(0, 256, (pitch, pitch, 3)).astype(np.uint8)
    motif = cv2.GaussianBlur(motif, (0, 0), float(rng.uniform(0.5, 4))).astype(np.uint8)
    rows, cols = int(rng.integers(200, 700)) // pitch + 1, int(rng.integers(200, 900)) // pitch + 1
    return np.tile(motif, (rows, cols, 1))


def lines(rng: Generator) -> Pixels:
    """Return squared paper, hatching or a chequered pattern."""
    look, pitch = theme(rng), side(rng, 12, 50)
    height, width = int(rng.integers(200, 700)), int(rng.integers(200, 900))
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = look.paper[::-1]
    kind = rng.choice(["squared", "chequered", "hatched"])
    y, x = np.indices((height, width))
    if kind == "squared":
        canvas[(y % pitch == 0) | (x % pitch == 0)] = look.line[::-1]
    elif kind == "chequered":
        canvas[(y // pitch + x // pitch) % 2 == 0] = look.line[::-1]
    else:
        canvas[(y + x) % pitch < 2] = look.line[::-1]
    return canvas


def smooth(rng: Generator) -> Pixels:
    """Return a gradient, a cloudy picture, noise or a plain colour."""
    height, width = int(rng.integers(60, 700)), int(rng.integers(60, 900))
    kind = rng.choice(["gradient", "clouds", "noise", "plain"])
    if kind == "noise":
        return rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    corners = rng.integers(0, 256, (2, 2, 3) if kind == "gradient" else (9, 9, 3)).astype(np.uint8)
    if kind == "plain":
        corners = corners[:1, :1]
    return cv2.resize(corners, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.uint8)


Painter = Callable[[Generator], Pixels]
PAINTERS: tuple[Painter, ...] = (
    spreadsheet, square_table, unruled_table, month, heat_map, sudoku, crossword, chess, go, powers,
    jewels, nonogram, scenery, keyboard, icons, forms, page, terminal, bricks, tiling, lines, smooth,
)  # fmt: skip
_DESKTOPS = ((1366, 768), (1600, 900), (1920, 1080))


# Pictures of those things, alone or on a desktop


def picture(number: int) -> TruePicture:
    """Return the picture with this number: each kind of thing in turn, every fifth time a whole desktop."""
    rng = np.random.default_rng((0, number))
    if number % 5 == 4:
        return TruePicture(desktop(rng), (), {"kind": "desktop"})
    painter = PAINTERS[number % len(PAINTERS)]
    return TruePicture(shown(rng, painter(rng)), (), {"kind": painter.__name__})


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


def desktop(rng: Generator, size: tuple[int, int] | None = None) -> Pixels:
    """Return a screen of a size (width, height): some of these things in windows, on a background."""
    width, height = size or _DESKTOPS[int(rng.integers(len(_DESKTOPS)))]
    grounds = (tiling, lines, smooth, smooth)
    ground = grounds[int(rng.integers(4))](rng)
    across, down = -(-width // ground.shape[1]), -(-height // ground.shape[0])
    canvas = np.ascontiguousarray(np.tile(ground, (down, across, 1))[:height, :width])
    for _ in range(int(rng.integers(1, 6))):
        x, y = int(rng.integers(-40, width - 80)), int(rng.integers(-20, height - 80))
        window = framed(rng, PAINTERS[int(rng.integers(len(PAINTERS)))](rng))
        paste(canvas, window, x, y)
    return canvas


def paste(canvas: Pixels, picture: Pixels, x: int, y: int) -> None:
    """Draw a picture with its top left at (x, y), as far as it is on the canvas."""
    height, width = canvas.shape[:2]
    top, left = max(0, y), max(0, x)
    part = picture[top - y : max(top, height) - y, left - x : max(left, width) - x]
    canvas[top : top + part.shape[0], left : left + part.shape[1]] = part
