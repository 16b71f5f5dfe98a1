"""Cells: the pictures of every state in a style."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

import cv2
import numpy as np

from art.fonts import letter
from art.grounds import draw_ground
from art.ink import Canvas, Mask, black_or_white, grown, moved, paint, rounded
from art.marks import draw_mark
from art.styles import Style
from bot.board import State
from bot.geometry import Pixels

STATES = 15
_FINE = 4  # smooth styles are drawn so many times larger


def draw_cell(style: Style, state: int, size: int | None = None) -> Pixels:
    """Return the picture of a cell in ``state``, (size, size, 3) uint8 BGR; without ``size`` the style's own.

    Smooth styles are drawn at the size itself; others at their own size and then resampled.
    """
    if style.smooth:
        size = size or style.native
        return _shrunk(_draw(style, state, size * _FINE), size)
    canvas = _draw(style, state, style.native)
    return canvas.astype(np.uint8) if size in (None, style.native) else _resampled(canvas, size or 0)


@lru_cache(maxsize=4)
def draw_states(style: Style, size: int | None = None) -> Pixels:
    """Return the pictures of states 0 to 14, (15, size, size, 3), read-only."""
    pictures = np.stack([draw_cell(style, state, size) for state in range(STATES)])
    pictures.flags.writeable = False
    return pictures


def _shrunk(canvas: Canvas, size: int) -> Pixels:
    return np.asarray(cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)).astype(np.uint8)


def _resampled(canvas: Canvas, size: int) -> Pixels:
    method = cv2.INTER_AREA if size < canvas.shape[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(canvas, (size, size), interpolation=method)).astype(np.uint8)


def _draw(style: Style, state: int, size: int) -> Canvas:
    if state <= 8:
        return _draw_opened(style, state, size)
    draw: dict[int, Callable[[], Canvas]] = {
        State.COVERED: lambda: draw_ground(style.covered, size),
        State.FLAG: partial(_draw_flag, style, size),
        State.QUESTION: partial(_draw_question, style, size),
        State.MINE: partial(_draw_mine, style, size),
        State.EXPLODED: partial(_draw_burst, style, size),
        State.WRONG_FLAG: partial(_draw_wrong, style, size),
    }
    return draw[state]()


def _draw_opened(style: Style, number: int, size: int) -> Canvas:
    numbers = style.numbers
    if number == 0:
        return draw_ground(style.opened, size)
    ground = style.opened if numbers.tints is None else style.opened.tinted(numbers.tints[number - 1])
    canvas = draw_ground(ground, size)
    mask = letter(style.digits, str(number), size)
    if numbers.shadow:
        paint(canvas, moved(mask, numbers.shadow, numbers.shadow), (0, 0, 0), 0.5)
    if numbers.outline:
        paint(canvas, grown(mask, numbers.outline), numbers.outline_ink)
    paint(canvas, mask, numbers.inks[number - 1])
    return canvas


def _draw_flag(style: Style, size: int) -> Canvas:
    canvas = draw_ground(style.marked, size)
    draw_mark(canvas, style.flag)
    return canvas


def _draw_question(style: Style, size: int) -> Canvas:
    canvas, ink = draw_ground(style.marked, size), style.question_ink
    mask = letter(style.question, "?", size)
    if style.question_kind in ("double", "staggered"):
        mask = _two_marks(style, size)
    elif style.question_kind == "plate":
        paint(canvas, rounded(size, 0.18, 0.08), style.flag.second)
        mask, ink = moved(mask, 0, 0, 0.7), black_or_white(style.flag.second)
    elif style.question_kind == "on flag":
        draw_mark(canvas, replace(style.flag, x=style.flag.x - 0.08))
        mask = moved(mask, 0.2, 0.2, 0.5)
    elif style.question_kind == "on cloth":
        draw_mark(canvas, style.flag)
        mask, ink = moved(mask, 0.08, -0.18, 0.55), black_or_white(style.flag.main)
    paint(canvas, np.asarray(mask, dtype=np.float32), ink)
    return canvas


def _two_marks(style: Style, size: int) -> Mask:
    """Return two narrow question marks side by side, the second a little lower if they are staggered."""
    one, lower = style.question, 0.06 if style.question_kind == "staggered" else 0.0
    one = replace(one, height=one.height * 0.9, squeeze=one.squeeze * 0.75, x=one.x - 0.2, y=one.y - lower)
    two = replace(one, x=one.x + 0.4, y=one.y + 2 * lower)
    return np.asarray(np.maximum(letter(one, "?", size), letter(two, "?", size)), dtype=np.float32)


def _draw_mine(style: Style, size: int) -> Canvas:
    canvas = draw_ground(style.shown, size)
    draw_mark(canvas, style.mine)
    return canvas


def _draw_burst(style: Style, size: int) -> Canvas:
    canvas = draw_ground(style.burst, size)
    draw_mark(canvas, style.burst_mine)
    return canvas


def _draw_wrong(style: Style, size: int) -> Canvas:
    below, cross = style.wrong
    canvas = draw_ground(style.blamed, size)
    if below:
        draw_mark(canvas, style.flag if below == "flag" else style.mine)
    if cross is not None:
        draw_mark(canvas, cross)
    return canvas
