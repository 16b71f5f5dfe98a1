"""Programs and backgrounds: keys, icons, text, bricks, noise."""

from __future__ import annotations

import cv2
import numpy as np

from boardless.sheet import Generator, Place, Sheet, blend, colour, lattice, side, theme
from bot.geometry import Pixels

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


PAINTERS = (
    keyboard,
    icons,
    forms,
    page,
    terminal,
    bricks,
    tiling,
    lines,
    smooth,
)
