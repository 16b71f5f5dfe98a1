"""Whole desktops drawn from a seed: wallpaper, windows full of other grids, and boards at known places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from bench.drawn import Generator
from bot.geometry import Grid, Pixels, Rect

Painter = Callable[[Generator, Pixels], None]
LETTERS = np.array(list("aaabcdeeefghiiklmnooprsttuvwxyz0123456789,.        "))
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
    cv2.FONT_HERSHEY_PLAIN,
)


@dataclass(frozen=True, slots=True, eq=False)
class Desktop:
    """A drawn desktop and the grids of the boards on it, as far as their cells are wholly in the picture."""

    pixels: Pixels
    grids: list[Grid]


def wallpaper(rng: Generator, height: int, width: int) -> Pixels:
    """Return a plain, graded, cloudy, grained or patterned background."""
    kind = rng.choice(["plain", "plain", "gradient", "clouds", "photo", "tiles", "stripes"])
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = rng.integers(0, 256, 3)
    if kind == "gradient":
        ends = rng.integers(0, 256, (2, 3))
        share = np.linspace(0, 1, height)[:, None]
        canvas[:] = (ends[0] * (1 - share) + ends[1] * share).astype(np.uint8)[:, None]
    elif kind in ("clouds", "photo"):
        canvas[:] = _clouds(rng, height, width, 3 if kind == "clouds" else 8)
    elif kind == "tiles":
        side = int(rng.integers(8, 70))
        motif = _clouds(rng, side, side, 4)
        canvas[:] = np.tile(motif, (-(-height // side), -(-width // side), 1))[:height, :width]
    elif kind == "stripes":
        canvas[(np.arange(height) // int(rng.integers(2, 40))) % 2 == 0] = rng.integers(0, 256, 3)
    return canvas


def _clouds(rng: Generator, height: int, width: int, octaves: int) -> Pixels:
    total = np.zeros((height, width, 3), np.float32)
    for octave in range(octaves):
        cells = rng.random((2 + 2**octave, 2 + 2**octave, 3)).astype(np.float32)
        total += cv2.resize(cells, (width, height), interpolation=cv2.INTER_CUBIC) / 2**octave
    return np.asarray(cv2.normalize(total, total.copy(), 0, 255, cv2.NORM_MINMAX), np.uint8)


def _colours(rng: Generator) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a paper and an ink that can be told apart."""
    paper = rng.integers(0, 256, 3) if rng.random() < 0.3 else np.full(3, rng.choice([255, 250, 240, 30, 45]))
    ink = np.where(paper.mean() > 128, rng.integers(0, 90, 3), rng.integers(170, 256, 3))
    return tuple(map(int, paper)), tuple(map(int, ink))


def _word(rng: Generator, length: int) -> str:
    return "".join(rng.choice(LETTERS, length))


def _write(
    rng: Generator, part: Pixels, words: str, x: int, y: int, size: float, ink: tuple[int, ...]
) -> None:
    cv2.putText(part, words, (x, y), int(rng.choice(FONTS)), size, ink, 1, cv2.LINE_AA)


def text(rng: Generator, part: Pixels) -> None:
    """Fill ``part`` with lines of words; some have a fixed width."""
    paper, ink = _colours(rng)
    part[:] = paper
    step = int(rng.integers(12, 26))
    for y in range(step, part.shape[0], step):
        length = int(rng.integers(0, part.shape[1] // (step // 2)))
        _write(rng, part, _word(rng, length), 8, y, step / 40, ink)


def table(rng: Generator, part: Pixels) -> None:
    """Fill ``part`` with a ruled table, a spreadsheet; some have cells as square as a board's."""
    paper, ink = _colours(rng)
    part[:] = paper
    down = int(rng.integers(14, 32))
    across = down if rng.random() < 0.15 else int(rng.integers(30, 110))
    line = tuple(int(0.8 * a + 0.2 * b) for a, b in zip(paper, ink, strict=True))
    part[::down], part[:, ::across] = line, line
    for y in range(down, part.shape[0] + 1, down):
        for x in range(0, part.shape[1], across):
            if rng.random() < 0.5:
                _write(rng, part, str(rng.integers(0, 10 ** (across // 14))), x + 3, y - 4, down / 50, ink)


def keys(rng: Generator, part: Pixels) -> None:
    """Fill ``part`` with the buttons of a calculator or a keyboard on the screen."""
    paper, ink = _colours(rng)
    part[:] = paper
    rows, cols = int(rng.integers(3, 7)), int(rng.integers(3, 14))
    high, wide = max(10, (part.shape[0] - 50) // rows), max(10, (part.shape[1] - 8) // cols)
    face = tuple(int(0.9 * a + 0.1 * b) for a, b in zip(paper, ink, strict=True))
    for row, col in np.ndindex(rows, cols):
        x, y = 4 + col * wide, 46 + row * high
        cv2.rectangle(part, (x, y), (x + wide - 5, y + high - 5), face, -1)
        cv2.rectangle(part, (x, y), (x + wide - 5, y + high - 5), ink, 1)
        _write(rng, part, str(rng.integers(0, 10)), x + wide // 3, y + high * 2 // 3, high / 60, ink)


def calendar(rng: Generator, part: Pixels) -> None:
    """Fill ``part`` with a month: seven columns of numbers, ruled or not."""
    paper, ink = _colours(rng)
    part[:] = paper
    high, wide = part.shape[0] // 7, part.shape[1] // 7
    ruled = rng.random() < 0.5
    for row, col in np.ndindex(6, 7):
        x, y = col * wide, (row + 1) * high
        if ruled:
            cv2.rectangle(part, (x, y), (x + wide, y + high), ink, 1)
        _write(rng, part, str(row * 7 + col + 1), x + wide // 4, y + high * 2 // 3, min(high, wide) / 60, ink)


def icons(rng: Generator, part: Pixels) -> None:
    """Fill ``part`` with pictures and words below them at equal steps."""
    paper, ink = _colours(rng)
    part[:] = paper
    step = int(rng.integers(50, 110))
    side = step * 6 // 10
    for y in range(6, part.shape[0] - step, step):
        for x in range(6, part.shape[1] - step, step):
            part[y : y + side, x : x + side] = _clouds(rng, side, side, 3)
            _write(rng, part, _word(rng, 7), x, y + side + 12, 0.3, ink)


def chess(rng: Generator, part: Pixels) -> None:
    """Fill ``part`` with an 8 x 8 chequered board and pieces that are discs."""
    colours = rng.integers(0, 256, (2, 3))
    side = min(part.shape[:2]) // 8
    checks = (np.indices((8 * side, 8 * side)) // side).sum(0) % 2
    part[:] = colours[0]
    part[: 8 * side, : 8 * side] = colours[checks]
    for row, col in np.argwhere(rng.random((8, 8)) < 0.4):
        cv2.circle(part, (int((col + 0.5) * side), int((row + 0.5) * side)), side // 3, (20, 20, 20), -1)


CONTENTS: tuple[Painter, ...] = (text, text, table, table, keys, calendar, icons, chess)


def paint_window(rng: Generator, pixels: Pixels, rect: Rect, content: Painter) -> None:
    """Draw a window with a title bar around ``content``, as far as it is in the picture."""
    canvas = np.empty((rect.height, rect.width, 3), np.uint8)
    canvas[:] = rng.integers(0, 256, 3)
    inner = np.ascontiguousarray(canvas[26:-3, 3:-3])
    content(rng, inner)
    canvas[26:-3, 3:-3] = inner
    _write(rng, canvas, _word(rng, 12), 8, 18, 0.45, (255, 255, 255))
    paste(pixels, canvas, rect.x, rect.y)


def paste(pixels: Pixels, picture: Pixels, x: int, y: int) -> None:
    """Draw ``picture`` with its top left at (x, y), as far as it is in the picture."""
    height, width = pixels.shape[:2]
    seen = Rect(x, y, picture.shape[1], picture.shape[0]).intersection(Rect(0, 0, width, height))
    if not seen.empty:
        part = picture[seen.y - y : seen.bottom - y, seen.x - x : seen.right - x]
        pixels[seen.y : seen.bottom, seen.x : seen.right] = part


def clutter(rng: Generator, height: int, width: int, windows: int) -> Pixels:
    """Return a wallpaper with ``windows`` windows at random places and no board."""
    pixels = wallpaper(rng, height, width)
    for _ in range(windows):
        wide, high = (
            int(rng.integers(180, max(181, width // 2))),
            int(rng.integers(160, max(161, height // 2))),
        )
        x, y = int(rng.integers(-60, width - 60)), int(rng.integers(0, height - 60))
        content = CONTENTS[int(rng.integers(len(CONTENTS)))]
        paint_window(rng, pixels, Rect(x, y, wide, high), content)
    return pixels
