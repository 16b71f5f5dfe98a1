"""Samples to learn the digits of mine counters from: displays of segments and text, cut glyph by glyph."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from art.boards import damaged
from art.fonts import Lettering, letter, random_font
from art.ink import Canvas, Generator, apart, mixed, paint, random_colour, readable_on
from art.marks import FLAGS, MINES, Mark, draw_mark
from bot.geometry import Pixels

SIDE = 24  # pixels of a sample
COUNT = 48
TEXTS = (*"0123456789", "-")
NO_DIGIT = 11
_FONTS = ("segments", "segments", "file", "file", "bitmap")
_LARGE = 64  # pixels of the canvas on which a glyph is drawn
_OTHER = "ACDEFGHJKLMNPQRTUVWXYaabcdeeefghkmnprtuvwxyz:/%+=#,.()"

Labels = npt.NDArray[np.int8]


def digit_samples(rng: Generator, held_out: bool = False) -> tuple[Pixels, Labels]:
    """Return the glyphs of one counter, uint8 (48, 24, 24, 3), and what they are, int8 (48,).

    Labels 0 to 9 are digits, 10 a minus sign, 11 none of them: nothing lit, a letter, an
    icon, a part of a digit, or two.
    """
    font = random_font(rng, held_out, () if rng.random() < 0.15 else _FONTS)
    ground = random_colour(rng, (0, 1), (0, 1)) if rng.random() < 0.5 else (0.0, 0.0, 0.0)
    ink = (
        (0.0, 0.0, 255.0)
        if rng.random() < 0.3 and apart((0, 0, 255), ground) > 40
        else readable_on(rng, ground)
    )
    ghost = (
        mixed(ground, ink, float(rng.uniform(0.1, 0.4)))
        if font.kind == "segments" and rng.random() < 0.5
        else None
    )
    slant = float(rng.uniform(0, 0.2)) if rng.random() < 0.25 else 0.0
    lettering = Lettering(font, 0.7, squeeze=float(rng.uniform(0.75, 1.25)), slant=slant)
    height = int(np.exp(rng.uniform(np.log(6), np.log(40))))
    cells, labels = [], []
    words = float(rng.uniform(0, 0.4))  # how much of the line is no number
    for _ in range(COUNT):
        label = NO_DIGIT if rng.random() < words else int(rng.integers(0, 12))
        canvas, mask = _drawn(rng, lettering, label, ground, ink, ghost)
        cells.append(_cut(rng, canvas, mask, height, label == 10))
        labels.append(label)
    sheet = damaged(rng, np.vstack(cells))
    return sheet.reshape(COUNT, SIDE, SIDE, 3), np.array(labels, np.int8)


Colour = tuple[float, float, float]
Mask = npt.NDArray[np.float32]


def _drawn(
    rng: Generator, lettering: Lettering, label: int, ground: Colour, ink: Colour, ghost: Colour | None
) -> tuple[Canvas, Mask]:
    """Return a canvas with the glyph and the mask of the part that is to be cut out."""
    canvas = np.empty((_LARGE, _LARGE, 3), np.float32)
    canvas[:] = ground
    if label == NO_DIGIT:
        if rng.random() < 0.25:  # a place without a digit, or one whose segments are all off
            whole = letter(lettering, "8", _LARGE)
            paint(canvas, whole, ghost or ground)
            return canvas, whole
        return _no_digit(rng, canvas, lettering, ink)
    mask = letter(lettering, TEXTS[label], _LARGE)
    if ghost is None:
        paint(canvas, mask, ink)
        return canvas, mask
    whole = letter(lettering, "8", _LARGE)
    paint(canvas, whole, ghost)
    if label == 1:  # on a display it stands at the right; here both stand in the middle
        right = np.flatnonzero(whole.any(axis=0))[-1] - np.flatnonzero(mask.any(axis=0))[-1]
        mask = np.asarray(np.roll(mask, int(right), axis=1), dtype=np.float32)
    paint(canvas, mask, ink)
    return canvas, whole if rng.random() < 0.8 else mask


def _no_digit(rng: Generator, canvas: Canvas, lettering: Lettering, ink: Colour) -> tuple[Canvas, Mask]:
    kind = int(rng.integers(9))
    if kind == 0:
        mark = Mark(str(rng.choice([*FLAGS, *MINES])), 0.7, 0, 0, ink, random_colour(rng), random_colour(rng))
        draw_mark(canvas, mark)
        return canvas, _box(rng, canvas)
    if kind == 1:
        canvas[:] = cv2.resize(
            rng.uniform(0, 255, (6, 6, 3)), (_LARGE, _LARGE), interpolation=cv2.INTER_CUBIC
        )
        return canvas, _box(rng, canvas)
    if kind == 2:  # two digits at once
        mask = np.zeros((_LARGE, _LARGE), np.float32)
        for shift in (-14, 14):
            mask = np.maximum(mask, np.roll(letter(lettering, str(rng.integers(10)), _LARGE), shift, axis=1))
    elif kind == 3:  # a part of a digit
        mask = letter(lettering, "02568"[int(rng.integers(5))], _LARGE)
        mask[: int(rng.integers(28, 40))] = 0
    else:
        mask = _word_letter(rng, lettering)
    paint(canvas, mask, ink)
    return canvas, mask


def _word_letter(rng: Generator, lettering: Lettering) -> Mask:
    """Return a letter of the counter's font, if that has letters, or else of any other."""
    font = lettering.font
    if font.kind not in ("file", "bitmap", "hershey"):
        font = random_font(rng, False, ("file", "hershey"))
    text = _OTHER[int(rng.integers(len(_OTHER)))]
    return letter(replace(lettering, font=font), text, _LARGE)


def _box(rng: Generator, canvas: Canvas) -> Mask:
    edge = int(rng.integers(6, 16))
    mask = np.zeros(canvas.shape[:2], np.float32)
    mask[edge:-edge, edge:-edge] = 1
    return mask


def _cut(rng: Generator, canvas: Canvas, mask: Mask, height: int, flat: bool) -> Pixels:
    """Return the glyph cut at its edges with a margin, seen ``height`` pixels high, on a square of 24."""
    rows, cols = (np.flatnonzero(mask.max(axis=axis) > 0.3) for axis in (1, 0))
    if not len(rows):
        rows = cols = np.arange(20, 44)
    room = int(rng.integers(0, 8))
    side = 2 * room + (max(len(rows), len(cols)) if not flat or rng.random() < 0.5 else 44)
    middle = ((rows[0] + rows[-1] + 1) / 2, (cols[0] + cols[-1] + 1) / 2)
    top, left = (round(at - side / 2) for at in middle)
    padded = np.pad(canvas, ((_LARGE, _LARGE), (_LARGE, _LARGE), (0, 0)), mode="edge")
    square = padded[_LARGE + top : _LARGE + top + side, _LARGE + left : _LARGE + left + side]
    seen = cv2.resize(square, (height, height), interpolation=cv2.INTER_AREA)
    method = cv2.INTER_AREA if height > SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(seen, (SIDE, SIDE), interpolation=method)).clip(0, 255).astype(np.uint8)
