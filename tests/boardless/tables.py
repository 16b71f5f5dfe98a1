"""Tables and forms: numbers in boxes, as offices, schools and newspapers have them."""

from __future__ import annotations

import calendar as months

from boardless.sheet import INKS, Generator, Sheet, blend, colour, lattice, side, theme
from bot.geometry import Pixels


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
        sheet.write(left + wide, top + high // 5, months.month_name[number + 1], look.ink, high * 3 // 5)
        weeks = [[*months.day_abbr], *months.monthcalendar(year, number + 1)]
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


PAINTERS = (
    spreadsheet,
    square_table,
    unruled_table,
    month,
    heat_map,
)
