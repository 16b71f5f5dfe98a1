"""Boards: positions as games have them, drawn in a style at any pitch; and what files do to pictures."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from art.fonts import letter
from art.ink import (
    Canvas,
    Generator,
    Mask,
    black_or_white,
    blank,
    box,
    disc,
    draw_ground,
    grown,
    moved,
    paint,
    rounded,
)
from art.marks import draw_mark
from art.styles import Sign, Style
from bot.board import Cell, FirstClick, State, States
from bot.game.simulation import Game
from bot.geometry import Pixels

_FINE = 4  # smooth styles are drawn so many times larger
_FINE_SIGNS = 3  # likewise their signs, and grounds that are wider than high
_EMOJI_FILE = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"  # package fonts-noto-color-emoji
_EMOJI_SIZE = 109  # the only size in that file
_PIPS = {  # places of dots, as on dice
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)),
    7: ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 2)),
    8: ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)),
}


@lru_cache(maxsize=64)
def draw_cell(style: Style, state: int, height: int, width: int) -> Pixels:
    """Return the picture of a cell in ``state``, (height, width, 3) uint8 BGR, read-only.

    Smooth styles are drawn finer than they are shown; others at their own size and then resampled.
    """
    side = min(height, width)
    fine = _FINE_SIGNS if state in style.signs else _FINE
    drawn = _drawn(style, state, side * fine if style.smooth else style.native)
    picture = _shrunk(drawn, side)
    if height != width:
        ground = _shrunk(draw_ground(style.ground(state), side * _FINE_SIGNS), side)
        wide = cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        top, left = (height - side) // 2, (width - side) // 2
        wide[top : top + side, left : left + side] += picture.astype(np.float32) - ground
        picture = np.clip(wide, 0, 255).astype(np.uint8)
    picture.flags.writeable = False
    return picture


def _shrunk(canvas: Canvas, side: int) -> Pixels:
    method = cv2.INTER_AREA if side < canvas.shape[0] else cv2.INTER_LINEAR
    return np.clip(cv2.resize(canvas, (side, side), interpolation=method), 0, 255).astype(np.uint8)


def _drawn(style: Style, state: int, size: int) -> Canvas:
    """Return a canvas of that size with the ground of a state, and on it the sign or the mark."""
    canvas = draw_ground(style.ground(state), size)
    if state in style.signs:
        _draw_sign(canvas, style.signs[state])
    elif 1 <= state <= 8:
        _draw_number(canvas, style, state)
    elif state == State.QUESTION:
        _draw_question(canvas, style)
    elif state == State.WRONG_FLAG:
        below, cross = style.wrong
        marks = {"flag": style.flag, "mine": style.mine}
        for mark in (marks.get(below), cross):
            if mark is not None:
                draw_mark(canvas, mark)
    else:
        marked = {State.FLAG: style.flag, State.MINE: style.mine, State.EXPLODED: style.burst_mine}
        if state in marked:
            draw_mark(canvas, marked[State(state)])
    return canvas


def _draw_number(canvas: Canvas, style: Style, number: int) -> None:
    numbers, mask = style.numbers, letter(style.digits, str(number), canvas.shape[0])
    if numbers.shadow:
        paint(canvas, moved(mask, numbers.shadow, numbers.shadow), (0, 0, 0), 0.5)
    if numbers.outline:
        paint(canvas, grown(mask, numbers.outline), numbers.outline_ink)
    paint(canvas, mask, numbers.inks[number - 1])


def _draw_question(canvas: Canvas, style: Style) -> None:
    size, ink = canvas.shape[0], style.question_ink
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


def _two_marks(style: Style, size: int) -> Mask:
    """Return two narrow question marks side by side, the second a little lower if they are staggered."""
    one, lower = style.question, 0.06 if style.question_kind == "staggered" else 0.0
    one = replace(one, height=one.height * 0.9, squeeze=one.squeeze * 0.75, x=one.x - 0.2, y=one.y - lower)
    two = replace(one, x=one.x + 0.4, y=one.y + 2 * lower)
    return np.asarray(np.maximum(letter(one, "?", size), letter(two, "?", size)), dtype=np.float32)


def _draw_sign(canvas: Canvas, sign: Sign) -> None:
    size = canvas.shape[0]
    if sign.emoji:
        _draw_emoji(canvas, sign.emoji, sign.scale)
    elif sign.pips:
        paint(canvas, _pips(size, sign), sign.ink)
    elif sign.lettering is not None:
        try:
            mask = letter(sign.lettering, sign.text, size)
        except ValueError:  # a font without this character
            mask = box(size, 0.3, 0.3, 0.7, 0.7)
        paint(canvas, mask, sign.ink)


def _pips(size: int, sign: Sign) -> Mask:
    if sign.pips < 0:
        return disc(size, 0.5, 0.5, 0.22 * sign.scale + 0.06)
    mask, radius = blank(size), 0.07 + 0.05 * sign.scale
    for row, col in _PIPS[sign.pips]:
        x, y = 0.5 + sign.spread * (col - 1), 0.5 + sign.spread * (row - 1)
        mask = np.maximum(mask, disc(size, x, y, radius))
    return mask


def _draw_emoji(canvas: Canvas, emoji: str, scale: float) -> None:
    size = canvas.shape[0]
    side = max(3, round(size * scale))
    picture = cv2.resize(_emoji(emoji), (side, side), interpolation=cv2.INTER_AREA)
    at = (size - side) // 2
    start, end = max(0, at), min(size, at + side)
    part = picture[start - at : end - at, start - at : end - at]
    canvas[start:end, start:end] += part[..., 3:] / 255 * (part[..., 2::-1] - canvas[start:end, start:end])


@cache
def _emoji(emoji: str) -> Canvas:
    """Return an emoji, RGBA float32 of its own size."""
    font = ImageFont.truetype(_EMOJI_FILE, _EMOJI_SIZE)
    picture = Image.new("RGBA", (160, 160))
    ImageDraw.Draw(picture).text((10, 10), emoji, font=font, embedded_color=True)
    inked = picture.crop(picture.getbbox() or (0, 0, 160, 160))
    return np.asarray(inked, dtype=np.float32)


@cache
def emoji_available() -> bool:
    """Return whether the emoji font is on this machine; looks have no emoji without it."""
    return sys.platform == "linux" and Path(_EMOJI_FILE).exists()


def random_states(
    rng: Generator, rows: int, cols: int, density: float = 0.17, progress: float = 0.5
) -> States:
    """Return a position of a game, int8 of shape (rows, cols).

    ``density`` is the part of cells that are mines; ``progress`` is how much of the free cells beyond the
    first opening are opened: 0 is a fresh board, 1 a won one. Flags (some of them wrong) and question marks
    stand on some positions, and one in five positions is lost.
    """
    mines = min(max(1, round(density * rows * cols)), rows * cols - 10)
    game = Game(rows, cols, mines, int(rng.integers(1 << 31)), FirstClick.OPENING)
    if progress <= 0:
        return game.board.states
    game.open(Cell(int(rng.integers(rows)), int(rng.integers(cols))))
    covered = game.board.cells(State.COVERED)
    order = [covered[index] for index in rng.permutation(len(covered))]
    true_mines = [cell for cell in order if cell in (game.mines or ())]
    free = [cell for cell in order if cell not in (game.mines or ())]
    _flag(rng, game, true_mines, free)
    for cell in free[: round(progress * len(free))]:
        game.open(cell)
    if rng.random() < 0.2:
        _lose(game, true_mines)
    return _questioned(rng, game)


def _flag(rng: Generator, game: Game, mines: list[Cell], free: list[Cell]) -> None:
    if rng.random() < 0.3:
        return
    for cell in mines[: round(rng.uniform(0, 1) * len(mines))]:
        game.flag(cell)
    if rng.random() < 0.4:
        for cell in free[-int(rng.integers(1, 4)) :]:
            game.flag(cell)


def _lose(game: Game, mines: list[Cell]) -> None:
    unflagged = [cell for cell in mines if game.board[cell] == State.COVERED]
    if unflagged:
        game.open(unflagged[-1])


def _questioned(rng: Generator, game: Game) -> States:
    covered = game.board.cells(State.COVERED)
    if game.over or not covered or rng.random() < 0.6:
        return game.board.states
    chosen = rng.choice(len(covered), size=min(len(covered), int(rng.integers(1, 6))), replace=False)
    return game.board.replace({covered[index]: State.QUESTION for index in chosen}).states


def draw_board(style: Style, states: States, tall: float, wide: float) -> Pixels:
    """Return the picture of a board, uint8 BGR, whose cells are ``wide`` and ``tall`` pixels.

    Cell (0, 0) begins at the top left pixel; every cell is drawn at whole pixels, as web pages do.
    """
    tops, lefts = (
        np.round(np.arange(count + 1) * pitch).astype(int)
        for count, pitch in zip(states.shape, (tall, wide), strict=True)
    )
    canvas = np.empty((tops[-1], lefts[-1], 3), np.uint8)
    height, width = int(np.diff(tops).max()), int(np.diff(lefts).max())
    for row, col in np.ndindex(*states.shape):
        place = canvas[tops[row] : tops[row + 1], lefts[col] : lefts[col + 1]]
        picture = draw_cell(style, int(states[row, col]), height, width)
        if picture.shape != place.shape:
            picture = cv2.resize(picture, place.shape[1::-1], interpolation=cv2.INTER_LINEAR).astype(np.uint8)
        place[:] = picture
    return _lit(style, canvas, tops, lefts)


def _lit(style: Style, canvas: Pixels, tops: npt.NDArray[np.int_], lefts: npt.NDArray[np.int_]) -> Pixels:
    """Return the board with every second cell lighter and a wash of light from top to bottom."""
    if not style.checker and not style.wash:
        return canvas
    light = np.linspace(0, style.wash, canvas.shape[0], dtype=np.float32)[:, None] * np.ones(canvas.shape[1])
    rows = np.repeat(np.arange(len(tops) - 1), np.diff(tops))
    cols = np.repeat(np.arange(len(lefts) - 1), np.diff(lefts))
    light = light + style.checker * ((rows[:, None] + cols[None, :]) % 2)
    return np.clip(canvas + light[..., None], 0, 255).astype(np.uint8)


def damaged(rng: Generator, pixels: Pixels) -> Pixels:
    """Return the picture as it may come: half of the time untouched, else with one or two kinds of damage."""
    if rng.random() < 0.5:
        return pixels
    for _ in range(int(rng.integers(1, 3))):
        kind = rng.integers(0, 5)
        if kind == 0:
            pixels = jpeg(pixels, int(rng.integers(35, 96)))
        elif kind == 1:
            pixels = palette(rng, pixels, int(rng.choice([8, 16, 32, 64, 256])))
        elif kind == 2:
            pixels = tinted(pixels, rng.uniform(0.6, 1.0, 3))
        elif kind == 3:
            pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.3, 0.8)), dtype=np.uint8)
        else:
            pixels = np.clip(pixels * rng.uniform(0.6, 1.2) + rng.uniform(-20, 20), 0, 255).astype(np.uint8)
    return pixels


def jpeg(pixels: Pixels, quality: int) -> Pixels:
    """Return the picture after a JPEG file of a quality from 1 to 100."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def palette(rng: Generator, pixels: Pixels, colours: int) -> Pixels:
    """Return the picture in a palette of at most 64 colours of its own, chosen from some of its pixels."""
    flat = pixels.reshape(-1, 3)
    few = flat[rng.integers(0, len(flat), 4096)].astype(np.float32)
    if len(np.unique(few, axis=0)) <= colours:
        return pixels
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 4, 1.0)
    labels = np.empty((0,), np.int32)
    found = cv2.kmeans(few, min(colours, 64), labels, stop, 1, cv2.KMEANS_RANDOM_CENTERS)[2]
    centres = np.asarray(found, dtype=np.float32)
    index = (flat.astype(np.int32) >> 4) @ np.array([256, 16, 1])
    return np.asarray(centres[_nearest_table(centres)[index]].reshape(pixels.shape), dtype=np.uint8)


def _nearest_table(centres: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    """Return the nearest centre of each of 16 x 16 x 16 boxes of colour."""
    boxes = np.stack(np.meshgrid(*(np.arange(16),) * 3, indexing="ij"), axis=-1).reshape(-1, 3) * 16 + 8
    far = (centres**2).sum(axis=1) - 2 * boxes.astype(np.float32) @ centres.T
    return np.asarray(far.argmin(axis=1))


def tinted(pixels: Pixels, gains: npt.NDArray[np.float64]) -> Pixels:
    """Return the picture with each channel multiplied, as night light does."""
    return np.clip(pixels * gains, 0, 255).astype(np.uint8)
