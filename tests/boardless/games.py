"""Other games and puzzles that are played on a lattice."""

from __future__ import annotations

import numpy as np

from boardless.sheet import Generator, Place, Sheet, blend, colour, lattice, side, theme
from bot.geometry import Pixels

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


PAINTERS = (
    sudoku,
    crossword,
    chess,
    go,
    powers,
    jewels,
    nonogram,
    scenery,
)
