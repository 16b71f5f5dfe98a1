"""Things in rows and columns that look like Minesweeper boards: charts, puzzles, calendars, tables, icons."""

from __future__ import annotations

import cv2
import numpy as np

from art.fonts import Font, Lettering, random_font
from art.ink import Colour, Generator, hue_colour, mixed, random_colour, readable_on
from art.surroundings import Painter, label, places, words, write
from bot.geometry import Pixels

_CHESS = Font("file", "DejaVuSans")
_BLACK, _WHITE = (0.0, 0.0, 0.0), (255.0, 255.0, 255.0)


def _paper(rng: Generator, canvas: Pixels) -> tuple[Colour, Colour]:
    """Fill the canvas with a light or dark paper; return its colour and an ink for it."""
    light = rng.random() < 0.55
    paper = random_colour(rng, (0, 0.15 if light else 0.4), (0.85, 1) if light else (0.03, 0.25))
    canvas[:] = np.clip(paper, 0, 255).astype(np.uint8)
    return paper, readable_on(rng, paper)


def _setting(rng: Generator, low: float = 0.35, high: float = 0.65) -> Lettering:
    return Lettering(random_font(rng, False, ("file",)), float(rng.uniform(low, high)))


def _chart(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a chart of contributions, or a heat map: squares of one hue in some strengths, apart or not."""
    paper, _ = _paper(rng, canvas)
    hue, count = float(rng.choice([0.33, 0.33, 0.6, 0.08, rng.random()])), int(rng.integers(3, 7))
    full = hue_colour(hue, float(rng.uniform(0.5, 1)), float(rng.uniform(0.4, 0.95)))
    none = mixed(paper, readable_on(rng, paper), float(rng.uniform(0.03, 0.12)))
    inks = [mixed(none, full, n / (count - 1)) for n in range(count)]
    chances = rng.dirichlet(np.linspace(3, 0.7, count))
    gap = int(float(rng.choice([0, 0.06, 0.12, 0.2])) * tall)
    smooth, weeks = rng.random() < 0.3, rng.random() < 0.5
    setting, ink = _setting(rng), readable_on(rng, paper)
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        if weeks and row % 10 > 6:  # years of seven days, with the names of months above
            if row % 10 == 9 and col % 4 == 0:
                label(canvas, setting, words(rng)[:3], ink, left, (top + bottom) / 2, bottom - top)
            continue
        which = int(rng.choice(count, p=chances))
        if smooth:
            which = int((np.sin(row / 3) + np.cos(col / 4) + 2) / 4.01 * count)
        cv2.rectangle(canvas, (left, top), (right - 1 - gap, bottom - 1 - gap), inks[which], -1)


def _sudoku(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a sudoku, light or dark, with notes, chosen cells, and entries in another ink."""
    paper, ink = _paper(rng, canvas)
    line, other = mixed(paper, ink, float(rng.uniform(0.15, 0.6))), hue_colour(rng.random(), 0.8, 0.8)
    lit, part = mixed(paper, random_colour(rng), 0.2), float(rng.uniform(0.25, 0.9))
    setting, small = _setting(rng), _setting(rng, 0.2, 0.24)
    given = mixed(paper, readable_on(rng, paper), float(rng.choice([0, 0, 0.06, 0.15])))
    row0, col0 = (int(rng.integers(9)) for _ in range(2))
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        middle, side = ((left + right) / 2, (top + bottom) / 2), bottom - top
        if rng.random() < 0.03 or row % 9 == row0 or col % 9 == col0:
            cv2.rectangle(canvas, (left, top), (right, bottom), lit, -1)
        if rng.random() < part:
            own = rng.random() < 0.6
            if own:
                cv2.rectangle(canvas, (left, top), (right, bottom), given, -1)
            label(canvas, setting, str(int(rng.integers(1, 10))), ink if own else other, *middle, side)
        elif rng.random() < 0.15 and side > 24:
            for n in range(3):
                at = left + (n + 0.5) * wide / 3
                label(canvas, small, str(n + 1), ink, at, middle[1] - side * float(rng.uniform(0, 0.3)), side)
        cv2.rectangle(canvas, (left, top), (right, bottom), line, 1)
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        if row % 3 == 0:
            cv2.line(canvas, (left, top), (right, top), ink, 2)
        if col % 3 == 0:
            cv2.line(canvas, (left, top), (left, bottom), ink, 2)


def _calendar(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw months: names of days, and dates from 1 to 31 in seven columns, with or without lines."""
    paper, ink = _paper(rng, canvas)
    setting, lined, start = _setting(rng, 0.3, 0.5), rng.random() < 0.5, int(rng.integers(7))
    today, mark = int(rng.integers(1, 29)), hue_colour(rng.random(), 0.8, 0.8)
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        middle, side = ((left + right) / 2, (top + bottom) / 2), min(bottom - top, right - left)
        day = (row % 7 - 1) * 7 + col % 8 - start + 1
        if col % 8 == 7:
            continue
        if lined:
            cv2.rectangle(canvas, (left, top), (right, bottom), mixed(paper, ink, 0.3), 1)
        if row % 7 == 0:
            label(canvas, setting, "MTWTFSS"[col % 8], mixed(paper, ink, 0.6), *middle, side)
        elif 1 <= day <= 31:
            if day == today:
                cv2.circle(canvas, (round(middle[0]), round(middle[1])), side // 2 - 1, mark, -1)
            faded = mixed(paper, ink, 0.5) if col % 8 >= 5 else ink
            label(canvas, setting, str(day), faded, *middle, side)


def _spreadsheet(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a spreadsheet: letters above, numbers at the left, words and figures in some cells."""
    paper, ink = _paper(rng, canvas)
    head, line = mixed(paper, ink, 0.08), mixed(paper, ink, float(rng.uniform(0.1, 0.3)))
    setting, size, part = _setting(rng, 0.3, 0.5), float(tall) / 50, float(rng.uniform(0.1, 0.8))
    numbers = rng.random(int(canvas.shape[1] // wide) + 1) < 0.6
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        if row == 0 or col == 0:
            cv2.rectangle(canvas, (left, top), (right, bottom), head, -1)
            text = "" if row == col else chr(64 + col % 26) if row == 0 else str(row)
            if text:
                label(canvas, setting, text, ink, (left + right) / 2, (top + bottom) / 2, bottom - top)
        elif rng.random() < part:
            text = str(int(rng.integers(0, 100))) if numbers[col] else words(rng)[:4]
            write(rng, canvas[:, left:right], 2, bottom - int(tall / 4), text, size, ink)
        cv2.rectangle(canvas, (left, top), (right, bottom), line, 1)


def _chess(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a chess board with pieces, or draughts, or a checkerboard without any."""
    light = random_colour(rng, (0, 0.4), (0.7, 1))
    dark = mixed(light, random_colour(rng, (0, 0.7), (0.1, 0.7)), float(rng.uniform(0.2, 1)))
    kind, part, setting = rng.random(), float(rng.uniform(0.1, 0.6)), Lettering(_CHESS, 0.7)
    for row, col, left, top, right, bottom in places(canvas, wide, tall):
        cv2.rectangle(canvas, (left, top), (right, bottom), light if (row + col) % 2 else dark, -1)
        if kind < 0.4 or rng.random() > part:
            continue
        middle, ink = ((left + right) // 2, (top + bottom) // 2), _BLACK if rng.random() < 0.5 else _WHITE
        if kind < 0.8:
            label(canvas, setting, str(rng.choice(list("♔♕♖♗♘♙♚♛♜♝♞♟"))), ink, *middle, bottom - top)
        else:
            cv2.circle(canvas, middle, int(tall * 0.38), ink, -1, cv2.LINE_AA)


def _icons(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw icons of programs with round corners and a simple picture, and names below some."""
    paper, ink = _paper(rng, canvas)
    share, named = float(rng.uniform(0.5, 0.85)), rng.random() < 0.5
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        if rng.random() < 0.1:
            continue
        side = int(min(bottom - top, right - left) * share)
        x, y = (left + right - side) // 2, top + (0 if named else (bottom - top - side) // 2)
        face, other = random_colour(rng), random_colour(rng)
        cv2.rectangle(canvas, (x, y), (x + side, y + side), face, -1)
        for corner in ((x, y), (x + side, y), (x, y + side), (x + side, y + side)):
            cv2.circle(canvas, corner, max(1, side // 8), paper, -1)
        points = np.round(rng.uniform(0.2, 0.8, (int(rng.integers(3, 6)), 2)) * side + (x, y)).astype(
            np.int32
        )
        cv2.fillPoly(canvas, [points], other)
        if named:
            write(rng, canvas[:, left:right], 2, bottom - 2, words(rng)[:7], max(0.25, tall / 120), ink)


def _crossword(rng: Generator, canvas: Pixels, wide: float, tall: float) -> None:
    """Draw a crossword: white and black cells, letters, and small numbers in the corners."""
    paper, ink = _paper(rng, canvas)
    setting, number, part = _setting(rng), 0, float(rng.uniform(0, 1))
    dark = float(rng.uniform(0.1, 0.4))
    for _, _, left, top, right, bottom in places(canvas, wide, tall):
        black = rng.random() < dark
        cv2.rectangle(canvas, (left, top), (right, bottom), ink if black else paper, -1)
        cv2.rectangle(canvas, (left, top), (right, bottom), ink, 1)
        if black:
            continue
        if rng.random() < 0.25:
            number += 1
            write(rng, canvas, left + 2, top + int(tall / 3), str(number), max(0.2, tall / 110), ink)
        if rng.random() < part:
            letter = chr(int(rng.integers(65, 91)))
            label(canvas, setting, letter, ink, (left + right) / 2, (top + bottom) / 2, bottom - top)


THINGS: dict[str, Painter] = {
    "chart": _chart,
    "sudoku": _sudoku,
    "calendar": _calendar,
    "spreadsheet": _spreadsheet,
    "chess board": _chess,
    "icons": _icons,
    "crossword": _crossword,
}
