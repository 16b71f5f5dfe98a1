"""Rare looks: what few programs do, and what happens to pictures on their way.

Mines on covered cells, pictures on them, dots and ticks, end-of-game veils, dithering, blur, and what stands
close to the edges of boards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from PIL import Image

from art.fonts import Lettering, random_font
from art.ink import Colour, Generator, Ground, apart, hue_colour, mixed, random_colour, readable_on
from art.looks import random_look, with_pair
from art.marks import Mark
from art.styles import Pair, Sign, Style
from art.surroundings import write
from bot.board import State, States
from bot.geometry import Grid, Pixels

_BLACK, _WHITE = (0.0, 0.0, 0.0), (255.0, 255.0, 255.0)
_GREEN, _RED = 0.33, 0.0  # hues


def rare_look(rng: Generator) -> Style:
    """Return a look with one or two rare things about it."""
    style = random_look(rng)
    for _ in range(int(rng.integers(1, 3))):
        style = LOOKS[str(rng.choice(list(LOOKS)))](rng, style)
    return style


def _red(rng: Generator) -> Colour:
    return rng.uniform(0, 70), rng.uniform(0, 70), rng.uniform(170, 255)


def _without(style: Style, *states: int) -> dict[int, Sign]:
    return {state: sign for state, sign in style.signs.items() if state not in states}


def _mines_on_covered(rng: Generator, style: Style) -> Style:
    """Show mines on covered cells, the exploded one on red or alone in its colour."""
    ground = style.covered
    red = _red(rng)
    main = red if rng.random() < 0.35 and apart(red, ground.face) > 40 else readable_on(rng, ground.face)
    burst = ground.recoloured(_red(rng)) if rng.random() < 0.6 else ground
    burst_mine = replace(style.mine, main=readable_on(rng, burst.face))
    if burst is ground and apart(burst_mine.main, main) < 40:
        burst = style.opened.recoloured(_red(rng))
    mine = replace(style.mine, main=main)
    return replace(style, shown=ground, burst=burst, blamed=ground, mine=mine, burst_mine=burst_mine)


def _red_mines(rng: Generator, style: Style) -> Style:
    """Show all mines in red; the exploded one in another colour, or on another ground that is not red."""
    red = _red(rng)
    if apart(red, style.shown.face) < 40:
        return style
    burst, other = style.shown, readable_on(rng, style.shown.face)
    if rng.random() < 0.6 or apart(other, red) < 40:
        burst = burst.recoloured(hue_colour(float(rng.uniform(0.1, 0.8)), 0.7, 0.9))
        other = readable_on(rng, burst.face)
    mine = replace(style.mine, main=red)
    return replace(
        style,
        burst=burst,
        mine=mine,
        burst_mine=replace(mine, main=other),
        signs=_without(style, State.MINE, State.EXPLODED),
    )


def _plain_covered(rng: Generator, style: Style) -> Style:
    """Cover cells with a strong plain colour, often green."""
    hue = float(rng.normal(_GREEN, 0.05)) % 1 if rng.random() < 0.45 else rng.random()
    face = hue_colour(hue, float(rng.uniform(0.4, 1)), float(rng.uniform(0.35, 0.95)))
    opened = random_colour(rng, (0, 0.25), (0.75, 1)) if rng.random() < 0.7 else mixed(face, _BLACK, 0.6)
    line = mixed(face, _BLACK if rng.random() < 0.6 else _WHITE, float(rng.uniform(0.15, 0.6)))
    gap, radius = float(rng.choice([0, 0.03, 0.06])), float(rng.choice([0, 0.1, 0.2]))
    covered = Ground(face, mixed(face, _BLACK, 0.1), line=line, behind=line, gap=gap, radius=radius)
    other = Ground(opened, opened, line=line, behind=line, gap=gap, radius=radius)
    if not gap:
        covered, other = (replace(each, line_width=0.03, sides="br") for each in (covered, other))
    return with_pair(rng, style, Pair(covered, other))


def _pictured(rng: Generator, style: Style) -> Style:
    """Draw a picture on every covered cell, under its marks."""
    covered = replace(style.covered, picture=int(rng.integers(1, 1 << 31)))
    marked = covered if style.marked is style.covered and rng.random() < 0.7 else style.marked
    shown, burst, blamed = (
        replace(ground, picture=covered.picture) if style.shown is style.covered else ground
        for ground in (style.shown, style.burst, style.blamed)
    )
    signs = _without(style, State.COVERED)
    return replace(
        style, covered=covered, marked=marked, shown=shown, burst=burst, blamed=blamed, signs=signs
    )


def _dots(rng: Generator, style: Style) -> Style:
    """Show numbers as that many dots, near or far, large or small, of one ink or of one for each number."""
    scale, spread = float(rng.uniform(0, 1)), float(rng.uniform(0.18, 0.3))
    one, inks = readable_on(rng, style.opened.face), style.numbers.inks
    alike = rng.random() < 0.5
    signs = {
        n: Sign(ink=one if alike else inks[n - 1], pips=n, scale=scale, spread=spread) for n in range(1, 9)
    }
    return replace(style, signs={**style.signs, **signs})


def _ticks(rng: Generator, style: Style) -> Style:
    """Mark mines with a tick, a cross, a bar or a disc in place of a flag."""
    kind = str(rng.choice(["tick", "tick", "cross", "thin cross", "bar", "disc", "ring", "nought"]))
    ink, ground = readable_on(rng, style.marked.face), style.marked.face
    if rng.random() < 0.5:
        strong = hue_colour(float(rng.choice([_GREEN, _RED, 0.6])), 0.9, float(rng.uniform(0.5, 1)))
        ink = strong if apart(strong, ground) > 40 else ink
    scale, hollow = float(rng.uniform(0.5, 1)), mixed(ground, ink, 0.1)
    mark = Mark(kind, scale, 0, 0, ink, hollow, ink, 0, False, 0, 1)
    cross = replace(mark, kind="cross", main=_red(rng) if kind != "cross" else _BLACK, scale=0.95)
    mine = style.mine
    if mine.kind == kind:
        mine = replace(mine, kind="spikes")
    return replace(
        style,
        flag=mark,
        mine=mine,
        burst_mine=replace(style.burst_mine, kind=mine.kind),
        wrong=("mine" if kind in ("cross", "thin cross") else "flag", cross),
        signs=_without(style, State.FLAG, State.WRONG_FLAG),
    )


def _filled_flags(rng: Generator, style: Style) -> Style:
    """Mark mines by a strong colour of the whole cell and nothing else."""
    ink = hue_colour(float(rng.choice([_GREEN, _RED, 0.14, rng.random()])), 0.95, float(rng.uniform(0.6, 1)))
    if min(apart(ink, ground.face) for ground in (style.covered, style.opened)) < 60:
        return style
    ground = style.covered.recoloured(ink) if rng.random() < 0.5 else style.opened.recoloured(ink)
    flag = Mark("disc", 0.01, 0, 0, ink, ink, ink)
    question = replace(style, marked=ground, flag=flag, question_ink=readable_on(rng, ground.face))
    return replace(question, signs=_without(style, State.FLAG))


def _thin(rng: Generator, style: Style) -> Style:
    """Write thin digits, as dense screens show them, often in one colour near that of their ground."""
    font = random_font(rng, False, ("file", "file", "hershey"))
    while font.kind == "file" and not font.name.endswith(("Light", "CondLight", "FreeMono")):
        font = random_font(rng, False, ("file",))
    digits = Lettering(
        font, float(rng.uniform(0.3, 0.62)), bold=float(rng.choice([0, 0, -0.01])), squeeze=0.9
    )
    inks, face = style.numbers.inks, style.opened.face
    if rng.random() < 0.7:
        hue = float(rng.normal(_GREEN, 0.08)) % 1 if rng.random() < 0.6 else rng.random()
        one = hue_colour(hue, float(rng.uniform(0.3, 1)), float(rng.uniform(0.3, 1)))
        inks = (one if apart(one, face) > 35 else readable_on(rng, face, 35),) * 8
    numbers = replace(style.numbers, inks=inks, outline=0.0, shadow=0.0)
    signs = _without(style, *range(9))
    return replace(style, digits=digits, numbers=numbers, native=48, smooth=True, signs=signs)


def _dark_blanks(rng: Generator, style: Style) -> Style:
    """Leave opened cells without a number darker than covered ones, and often than numbers."""
    face = mixed((float(rng.uniform(10, 50)),) * 3, random_colour(rng), 0.12)
    above = mixed(face, random_colour(rng, (0, 0.7), (0.3, 0.9)), float(rng.uniform(0.2, 0.7)))
    line = mixed(face, _BLACK if rng.random() < 0.5 else above, 0.5)
    covered = Ground(above, above, line=line, line_width=0.03, sides="br")
    if apart(above, face) < 18:
        covered = covered.recoloured(readable_on(rng, face, 25))
    style = with_pair(rng, style, Pair(covered, Ground(face, face, line=line, line_width=0.03, sides="br")))
    if rng.random() < 0.5:
        tint = mixed(face, _WHITE, float(rng.uniform(0.04, 0.15)))
        style = replace(style, numbers=replace(style.numbers, tints=(tint,) * 8))
    return style


LOOKS: dict[str, Callable[[Generator, Style], Style]] = {
    "mines on covered cells": _mines_on_covered,
    "red mines": _red_mines,
    "plain covered cells": _plain_covered,
    "pictures on covered cells": _pictured,
    "dots": _dots,
    "ticks and crosses": _ticks,
    "filled flags": _filled_flags,
    "thin digits": _thin,
    "dark blanks": _dark_blanks,
}


def _photo(rng: Generator, height: int, width: int, fine: float) -> Pixels:
    size = max(2, int(height / fine)), max(2, int(width / fine))
    noise = rng.integers(0, 256, (*size, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _opened(states: States, shape: tuple[int, ...]) -> Pixels:
    part = (states <= 8).astype(np.uint8)
    return np.asarray(cv2.resize(part, shape[1::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)


def _photo_below(rng: Generator, board: Pixels, states: States, style: Style) -> None:
    """Show a picture through opened cells, around their numbers."""
    fine = board.shape[0] / states.shape[0] * float(rng.uniform(0.3, 4))
    photo = _photo(rng, board.shape[0], board.shape[1], fine).astype(np.float32)
    face = np.array(style.opened.face, np.float32)
    far = np.abs(board - face).max(2)
    part = np.exp(-((far / 30) ** 2)) * _opened(states, board.shape) * rng.uniform(0.15, 0.6)
    board[:] = (board + part[..., None] * (photo - board)).astype(np.uint8)


def _veil(rng: Generator, board: Pixels, _states: States, _style: Style) -> None:
    """Dim or tint the whole board, as when a game is over."""
    ink, part = np.array(random_colour(rng, (0, 0.6))), float(rng.uniform(0.15, 0.6))
    board[:] = (board * (1 - part) + ink * part).astype(np.uint8)


def _rings(rng: Generator, board: Pixels, states: States, _style: Style) -> None:
    """Draw rings and spots where somebody clicked, half transparent."""
    cell = board.shape[0] / states.shape[0]
    for _ in range(int(rng.integers(1, 4))):
        over = board.copy()
        middle = int(rng.uniform(0, board.shape[1])), int(rng.uniform(0, board.shape[0]))
        radius, thick = int(rng.uniform(0.35, 1.3) * cell), max(1, int(rng.uniform(0.04, 0.15) * cell))
        ink = random_colour(rng, (0.3, 1), (0.6, 1))
        if rng.random() < 0.3:
            cv2.circle(over, middle, max(2, radius // 2), ink, -1, cv2.LINE_AA)
        cv2.circle(over, middle, max(2, radius), ink, thick, cv2.LINE_AA)
        part = float(rng.uniform(0.4, 1))
        board[:] = cv2.addWeighted(over, part, board, 1 - part, 0).astype(np.uint8)


def _hints(rng: Generator, board: Pixels, states: States, _style: Style) -> None:
    """Lay half transparent squares over covered cells, as solvers show what is safe and what is a mine."""
    tall, wide = board.shape[0] / states.shape[0], board.shape[1] / states.shape[1]
    inks = [hue_colour(hue, 0.9, 0.9) for hue in (_GREEN, _RED, rng.random())]
    inset, part = float(rng.uniform(0, 0.3)), float(rng.uniform(0.25, 0.7))
    for row, col in np.argwhere(states == State.COVERED):
        if rng.random() < 0.15:
            rows = slice(round((row + inset) * tall), round((row + 1 - inset) * tall))
            cols = slice(round((col + inset) * wide), round((col + 1 - inset) * wide))
            place = board[rows, cols]
            place[:] = (place * (1 - part) + np.array(inks[int(rng.integers(3))]) * part).astype(np.uint8)


LAID_OVER: dict[str, Callable[[Generator, Pixels, States, Style], None]] = {
    "picture below": _photo_below,
    "veil": _veil,
    "click rings": _rings,
    "hint squares": _hints,
}


def pressed(rng: Generator, states: States) -> tuple[States, States]:
    """Return what a board draws while a button is held down, and what each cell is: -1 if nobody can say.

    Covered cells near the pointer look like opened ones without a number, but those have no covered cells
    beside them.
    """
    drawn, truth = states.copy(), states.copy()
    row, col = (int(rng.integers(side)) for side in states.shape)
    reach = int(rng.integers(0, 2))
    near = np.zeros(states.shape, np.bool_)
    near[max(0, row - reach) : row + reach + 1, max(0, col - reach) : col + reach + 1] = True
    near &= states == State.COVERED
    drawn[near] = 0
    told = cv2.dilate((drawn == State.COVERED).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    truth[near & ~told] = -1
    return drawn, truth


def _dithered(rng: Generator, pixels: Pixels) -> Pixels:
    """Return the picture in few colours, with errors spread over neighbours or by an ordered pattern."""
    if rng.random() < 0.4:
        bayer = np.array([[0]])
        for _ in range(int(rng.integers(1, 4))):
            bayer = np.block([[4 * bayer, 4 * bayer + 2], [4 * bayer + 3, 4 * bayer + 1]])
        step = 255 / int(rng.integers(4, 9))
        tiles = -(-np.array(pixels.shape[:2]) // len(bayer))
        shift = np.tile((bayer + 0.5) / bayer.size, tiles)[: pixels.shape[0], : pixels.shape[1], None]
        return np.asarray(np.clip(np.floor(pixels / step + shift) * step, 0, 255), dtype=np.uint8)
    picture = Image.fromarray(np.ascontiguousarray(pixels[..., ::-1]))
    if rng.random() < 0.35:
        few = picture.convert("P", palette=Image.Palette.WEB, dither=Image.Dither.FLOYDSTEINBERG)
    else:
        own = picture.quantize(int(rng.choice([6, 8, 16, 16, 32, 64])))
        few = picture.quantize(palette=own, dither=Image.Dither.FLOYDSTEINBERG)
    return np.array(few.convert("RGB"))[..., ::-1].copy()


def _blurred(rng: Generator, pixels: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), float(rng.uniform(0.5, 1.1))), dtype=np.uint8)


def _faint(rng: Generator, pixels: Pixels) -> Pixels:
    """Return the picture with little contrast around some grey."""
    gain, grey = float(rng.uniform(0.18, 0.5)), float(rng.uniform(40, 215))
    return np.asarray(np.clip((pixels - 128.0) * gain + grey, 0, 255), dtype=np.uint8)


DAMAGES: dict[str, Callable[[Generator, Pixels], Pixels]] = {
    "dithering": _dithered,
    "blur": _blurred,
    "low contrast": _faint,
}


def strips(rng: Generator, canvas: Pixels, grid: Grid, style: Style) -> None:
    """Draw plain strips, bevels and patterns right beside a board: they are no cells.

    In the colours of cells they are narrower than a cell.
    """
    faces = (style.covered.face, style.opened.face, style.covered.behind)
    left, top = round(grid.x), round(grid.y)
    right, bottom = round(grid.x + grid.width), round(grid.y + grid.height)
    alike, ink, other = rng.random() < 0.5, random_colour(rng, (0, 0.5)), random_colour(rng, (0, 0.5))
    if alike:
        ink = faces[int(rng.integers(3))]
    thick = float(rng.uniform(0.08, 0.7) if alike else rng.uniform(0.1, 2)) * grid.pitch_x
    deep, kind = max(1, round(thick)), rng.random()
    height, width = canvas.shape[:2]
    for x0, y0, x1, y1 in (
        (left - deep, top - deep, right + deep, top),
        (left - deep, bottom, right + deep, bottom + deep),
        (left - deep, top, left, bottom),
        (right, top, right + deep, bottom),
    ):
        rows, cols = slice(max(0, y0), max(0, min(height, y1))), slice(max(0, x0), max(0, min(width, x1)))
        place = canvas[rows, cols]
        if not place.size or rng.random() < 0.25:
            continue
        place[:] = np.clip(ink, 0, 255)
        if kind < 0.3:  # dots by turns, as a dithered frame has them
            down, across = np.indices(place.shape[:2])
            place[(down + across) % int(rng.integers(2, 4)) == 0] = np.clip(other, 0, 255)
        elif kind < 0.5:  # lines at its edges
            cv2.rectangle(place, (0, 0), (place.shape[1] - 1, place.shape[0] - 1), other, max(1, deep // 6))


def console(rng: Generator, height: int, width: int) -> Pixels:
    """Return the picture of a window with a title bar and lines of text, (height, width, 3)."""
    ground = random_colour(rng, (0, 0.3), (0, 0.2) if rng.random() < 0.6 else (0.8, 1))
    picture = np.full((height, width, 3), np.clip(ground, 0, 255), np.uint8)
    ink = readable_on(rng, ground)
    size, step = float(rng.uniform(0.3, 0.6)), int(rng.integers(10, 22))
    bar = int(rng.integers(0, 30))
    for y in range(bar + step, height, step):
        text = "".join(chr(code) for code in rng.integers(33, 123, int(rng.integers(0, 60))))
        write(rng, picture, 3, y, text, size, ink)
    picture[:bar] = np.clip(random_colour(rng, (0, 0.4)), 0, 255)
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), random_colour(rng), 1)
    return picture
