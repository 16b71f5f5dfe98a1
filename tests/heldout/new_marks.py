"""Rarer marks: digits of strokes and dots, pixel art, textures, pictures behind cells, ticks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np

from heldout.canvas import (
    BLACK,
    WHITE,
    Colour,
    Mark,
    Patch,
    Rgb,
    Rng,
    against,
    between,
    chance,
    darker,
    hsv,
    lighter,
    pick,
)
from heldout.layouts import wallpaper
from heldout.looks import Cover
from heldout.marks import Number, Palette, ball, bomb, both, cross, pennant, rings, symbol

_STROKES = (  # of each digit, points (x, y) on a grid of 5 x 7
    "10 01 05 16 36 45 41 30 10", "12 20 26", "01 10 30 41 42 06 46",
    "01 10 30 41 42 33 13 33 44 45 36 16 05", "36 30 04 44", "40 00 02 32 43 45 36 16 05",
    "40 10 02 05 16 36 45 44 33 13 04", "00 40 16",
    "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
)  # fmt: skip


def stroked(fraction: float, palette: Palette, width: float, wobble: float = 0) -> Number:
    """Draw digits of lines that are ``width`` of a cell wide; ``wobble`` moves their points by chance."""

    def number(patch: Patch, value: int) -> None:
        step = max(7, fraction * patch.size) / 6
        points = np.array([(int(place[0]), int(place[1])) for place in _STROKES[value].split()], np.float64)
        points += patch.rng.uniform(-wobble, wobble, points.shape)
        places = (points - (2, 3)) * (step * 0.92, step) + (patch.cx, patch.cy)
        patch.stroke(palette[value], [(x, y) for x, y in places.tolist()], max(1, width * patch.size))

    return number


_PIPS = ("", "4", "08", "048", "0268", "02468", "023568", "0234568", "01235678")  # places in a 3 x 3 grid


def pips(palette: Palette, radius: float = 0.09) -> Number:
    """Draw numbers as the dots of a die."""

    def number(patch: Patch, value: int) -> None:
        for place in map(int, _PIPS[value]):
            x = patch.cx + (place % 3 - 1) * 0.26 * patch.size
            y = patch.cy + (place // 3 - 1) * 0.26 * patch.size
            patch.oval(palette[value], x, y, max(1.1, radius * patch.size))

    return number


def dark_blanks(blank: Mark, ground: Mark) -> Number:
    """Draw cells without a number on a ground of their own."""
    return lambda patch, value: ground(patch) if value else blank(patch)


# Pixel art and textures


def sprite(art: str, **inks: Colour) -> Mark:
    """Return a mark of square pixels: rows parted by blanks, one letter for each ink, "." for none."""
    rows = art.split()

    def mark(patch: Patch) -> None:
        dot = max(1, int(patch.size * 0.96) // len(rows))
        x0, y0 = round(patch.cx - dot * len(rows[0]) / 2), round(patch.cy - dot * len(rows) / 2)
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter in inks:
                    at = (x0 + x * dot, y0 + y * dot, x0 + (x + 1) * dot, y0 + (y + 1) * dot)
                    patch.box(inks[letter], at=at)

    return mark


PIXEL_FLAG = "........ ...rrp.. .rrrrp.. .rrrrp.. ...rrp.. .....p.. ...pppp. ..pppppp"
PIXEL_MINE = "...k.... .k.k.k.. ..kkk... kkwkkkk. ..kkk... .k.k.k.. ...k.... ........"
PIXEL_QUESTION = "..kkk... .kk.kk.. .kk.kk.. ....kk.. ...kk... ........ ...kk... ........"


def grained(rng: Rng, colour: Colour, amount: float, side: int = 16, *, kind: str = "noise") -> Mark:
    """Return a texture of ``side`` pixels: noise, wood, marble, bricks, grass or a dotted pattern."""
    y, x = np.mgrid[0:side, 0:side]
    rough = rng.normal(0, 0.5, (side, side))
    smooth = cv2.GaussianBlur(rng.normal(0, 1, (side, side)), (0, 0), side / 9)
    level = {
        "noise": rough,
        "wood": np.sin(y * 2.1 + 2.4 * smooth) * 0.7 + 0.3 * rough,
        "marble": np.sin(5 * smooth + (x + y) / side * 4),
        "bricks": np.where(
            (y % (side // 2) == 0) | ((x + y // (side // 2) * side // 2) % side == 0), -2, 0.5 * rough
        ),
        "grass": np.where((x * 5 + y * 3) % 7 == 0, 1.4, 0.4 * rough),
        "dots": np.where((x + y) % 2, 1.0, -1.0),
        "stripes": np.where((x + y) % 4 < 2, 1.0, -1.0),
    }[kind]
    pixels = np.asarray(np.clip(np.array(colour) + amount * level[..., None], 0, 255), np.uint8)
    return lambda patch: patch.picture(pixels)


def motif(rng: Rng, colour: Colour) -> Mark:
    """Return a small picture as programs put it on every covered cell."""
    light, dark = lighter(colour, 0.3), darker(colour, 0.3)

    def stud(patch: Patch) -> None:
        patch.oval(dark, patch.cx + 0.03 * patch.size, patch.cy + 0.04 * patch.size, 0.29 * patch.size)
        patch.oval(light, patch.cx, patch.cy, 0.28 * patch.size)
        patch.oval(lighter(colour, 0.12), patch.cx, patch.cy, 0.22 * patch.size)

    def rivets(patch: Patch) -> None:
        for x in (patch.left + 0.17 * patch.size, patch.right - 0.17 * patch.size):
            for y in (patch.top + 0.17 * patch.size, patch.bottom - 0.17 * patch.size):
                patch.oval(dark, x, y, max(0.8, 0.06 * patch.size))

    def planks(patch: Patch) -> None:
        patch.box(dark, inset=0.12 * patch.size)
        patch.box(light, inset=0.19 * patch.size)
        corner = 0.2 * patch.size
        ends = [(patch.left + corner, patch.bottom - corner), (patch.right - corner, patch.top + corner)]
        patch.stroke(dark, ends, max(1, 0.1 * patch.size))

    def gem(patch: Patch) -> None:
        s, x, y = 0.3 * patch.size, patch.cx, patch.cy
        patch.shape(light, [(x, y - s), (x + s, y), (x, y + s), (x - s, y)])
        patch.shape(dark, [(x, y), (x + s, y), (x, y + s)])

    def leaf(patch: Patch) -> None:
        s, x, y = 0.3 * patch.size, patch.cx, patch.cy
        patch.shape(
            dark, [(x - s, y + s), (x - 0.5 * s, y - 0.5 * s), (x + s, y - s), (x + 0.5 * s, y + 0.5 * s)]
        )
        patch.stroke(light, [(x - s, y + s), (x + 0.6 * s, y - 0.6 * s)], max(1, 0.05 * patch.size))

    def wave(patch: Patch) -> None:
        for y in (0.3, 0.55, 0.8):
            points = [
                (
                    patch.left + patch.size * t,
                    patch.top + patch.size * (y + 0.06 * float(np.sin(t * 9 + y * 20))),
                )
                for t in np.linspace(0.12, 0.88, 9).tolist()
            ]
            patch.stroke(light, points, max(1, 0.05 * patch.size))

    face = symbol(pick(rng, "★♣☁✿☘❄☾"), "symbols", 0.5, light if chance(rng, 0.5) else dark)
    return pick(rng, (stud, rivets, planks, gem, leaf, wave, face))


def through(grounds: Sequence[Colour], share: float, reach: float = 40) -> Cover:
    """Return a cover that lets a picture show where a board has one of these colours, by ``share``."""

    def cover(board: Rgb, rng: Rng) -> Rgb:
        height, width = board.shape[:2]
        picture = np.asarray(wallpaper(rng, width, height, pick(rng, ("hills", "blots"))), np.float64)
        shown = board.astype(np.float64)
        for ground in grounds:
            near = np.clip(1 - np.abs(board.astype(np.float64) - ground).max(2) / reach, 0, 1)
            shown += (picture - ground) * share * near[..., None]
        return np.asarray(np.clip(shown, 0, 255), np.uint8)

    return cover


# Marks


def tick(colour: Colour, width: float = 0.1) -> Mark:
    """Return a tick."""

    def mark(patch: Patch) -> None:
        s, x, y = patch.size, patch.cx, patch.cy
        points = [(x - 0.3 * s, y + 0.02 * s), (x - 0.08 * s, y + 0.26 * s), (x + 0.32 * s, y - 0.26 * s)]
        patch.stroke(colour, points, max(1.3, width * s))

    return mark


def badge(colour: Colour, sides: int, sign: Mark) -> Mark:
    """Return a sign on a disc (no sides) or on a plate of so many sides."""

    def mark(patch: Patch) -> None:
        r = 0.36 * patch.size
        turns = (np.arange(sides) + 0.5) * 2 * np.pi / max(1, sides) + np.pi / 2
        points = [(patch.cx + r * float(np.cos(t)), patch.cy + r * float(np.sin(t))) for t in turns.tolist()]
        if sides:
            patch.shape(colour, points)
        else:
            patch.oval(colour, patch.cx, patch.cy, r)
        sign(patch)

    return mark


def plain_triangle(colour: Colour) -> Mark:
    """Return a triangle, as first programs draw a flag."""

    def mark(patch: Patch) -> None:
        s, x, y = patch.size, patch.cx, patch.cy
        patch.shape(colour, [(x - 0.25 * s, y - 0.32 * s), (x + 0.33 * s, y), (x - 0.25 * s, y + 0.32 * s)])

    return mark


def coloured_flag(cloth: Colour, pole: Colour) -> Mark:
    """Return the waving flag of coloured emoji, with a shade in its cloth."""

    def mark(patch: Patch) -> None:
        s, x0, y0 = patch.size, patch.cx - 0.24 * patch.size, patch.cy - 0.34 * patch.size
        for colour, start in ((cloth, 0.0), (darker(cloth, 0.22), 0.5)):
            along = np.linspace(start, 1, 7).tolist()
            wave = [(x0 + 0.58 * s * t, y0 + 0.05 * s * float(np.sin(5 * t))) for t in along]
            patch.shape(colour, [*wave, *((x, y + 0.34 * s) for x, y in wave[::-1])])
        patch.stroke(pole, [(x0, y0 - 0.04 * s), (x0, y0 + 0.72 * s)], max(1.2, 0.07 * s))

    return mark


def cone(colour: Colour, stripe: Colour) -> Mark:
    """Return a traffic cone."""

    def mark(patch: Patch) -> None:
        s, x, y = patch.size, patch.cx, patch.cy
        corners = ((-0.06, -0.34), (0.06, -0.34), (0.24, 0.3), (-0.24, 0.3))
        patch.shape(colour, [(x + dx * s, y + dy * s) for dx, dy in corners])
        patch.box(stripe, at=(x - 0.13 * s, y - 0.08 * s, x + 0.13 * s, y + 0.06 * s))
        patch.box(colour, at=(x - 0.34 * s, y + 0.24 * s, x + 0.34 * s, y + 0.34 * s))

    return mark


def flower(petal: Colour, core: Colour) -> Mark:
    """Return a flower, the mine of peaceful programs."""

    def mark(patch: Patch) -> None:
        for turn in (np.arange(6) * np.pi / 3).tolist():
            x = patch.cx + 0.23 * patch.size * float(np.cos(turn))
            patch.oval(petal, x, patch.cy + 0.23 * patch.size * float(np.sin(turn)), 0.16 * patch.size)
        patch.oval(core, patch.cx, patch.cy, 0.14 * patch.size)

    return mark


def horned(colour: Colour, shine: Colour) -> Mark:
    """Return a naval mine: a ball with knobs on short horns."""

    def mark(patch: Patch) -> None:
        s = patch.size
        for turn in (np.arange(8) * np.pi / 4 + 0.39).tolist():
            x, y = patch.cx + 0.36 * s * float(np.cos(turn)), patch.cy + 0.36 * s * float(np.sin(turn))
            patch.stroke(colour, [(patch.cx, patch.cy), (x, y)], max(1, 0.05 * s))
            patch.oval(colour, x, y, max(1, 0.07 * s))
        patch.oval(colour, patch.cx, patch.cy, 0.27 * s)
        patch.oval(shine, patch.cx - 0.09 * s, patch.cy - 0.1 * s, max(1, 0.06 * s))

    return mark


def dynamite(colour: Colour, band: Colour) -> Mark:
    """Return three sticks with a band."""

    def mark(patch: Patch) -> None:
        s, x, y = patch.size, patch.cx, patch.cy
        for at in (-1, 0, 1):
            patch.box(
                colour,
                at=(x + (at * 0.2 - 0.085) * s, y - 0.26 * s, x + (at * 0.2 + 0.085) * s, y + 0.32 * s),
            )
        patch.box(band, at=(x - 0.32 * s, y - 0.02 * s, x + 0.32 * s, y + 0.12 * s))
        patch.stroke(band, [(x, y - 0.26 * s), (x + 0.14 * s, y - 0.4 * s)], max(1, 0.05 * s))

    return mark


def rare_flag(rng: Rng, *grounds: Colour) -> Mark:
    """Return a flag that can be seen on ``grounds``."""
    hue = pick(rng, (0.0, 0.0, 0.02, 0.97, 0.08, 0.15, 0.6, 0.78))
    cloth = against(hsv(hue, 0.85, 0.88), *grounds, ratio=2.6)
    dark, pale = against(pick(rng, (BLACK, (70, 45, 25))), *grounds, ratio=3), against(WHITE, cloth, ratio=3)
    sign = symbol("!", "sans bold", 0.42, pale)
    flags: Sequence[Callable[[], Mark]] = (
        partial(coloured_flag, cloth, dark),
        partial(coloured_flag, cloth, dark),
        partial(pennant, cloth, dark, kind=pick(rng, ("triangle", "square")), left=chance(rng, 0.5)),
        partial(pennant, cloth, dark, base=False),
        partial(plain_triangle, cloth),
        partial(badge, cloth, pick(rng, (0, 4, 8)), pick(rng, (sign, pennant(pale, pale, base=False)))),
        partial(cone, cloth, pale),
        partial(symbol, pick(rng, "⚐⚑⛳"), "symbols", 0.62, cloth),
    )
    return pick(rng, flags)()


def rare_mine(rng: Rng, *grounds: Colour, red: bool = False) -> Mark:
    """Return a mine that can be seen on ``grounds``: dark in most programs, ``red`` in some."""
    base = hsv(between(rng, -0.02, 0.04), 0.9, 0.8) if red else pick(rng, (BLACK, (50, 50, 60), (30, 40, 30)))
    ink = against(base, *grounds, ratio=2.6 if red else 4)
    shine = against(WHITE, ink, ratio=2.5)
    mines: Sequence[Callable[[], Mark]] = (
        partial(horned, ink, shine),
        partial(horned, ink, shine),
        partial(ball, ink, shine, spikes=pick(rng, (8, 10)), radius=0.22, reach=0.34),
        partial(ball, ink, ink, spikes=0, radius=0.3),
        partial(bomb, ink, against((120, 90, 60), *grounds), against((255, 190, 40), *grounds, ratio=1.5)),
        partial(dynamite, ink, shine),
        partial(rings, ink, shine),
        partial(flower, ink, shine),
        partial(symbol, pick(rng, ("\U0001f4a3", "☠", "☢", "✺")), "symbols", 0.7, ink),
    )
    return pick(rng, mines)()


def pixel_marks(cloth: Colour, pole: Colour, ink: Colour, shine: Colour) -> tuple[Mark, Mark, Mark]:
    """Return flag, mine and question mark of eight by eight pixels."""
    flag, mine = sprite(PIXEL_FLAG, r=cloth, p=pole), sprite(PIXEL_MINE, k=ink, w=shine)
    return flag, mine, sprite(PIXEL_QUESTION, k=pole)


def wrong_marks(
    rng: Rng, covered: Mark, opened: Mark, flag: Mark, mine: Mark, ink: Colour, bare: Colour
) -> Mark:
    """Return what a program draws for a wrong flag: crosses of some kind, or a ground of another colour."""
    red, thin = against((225, 20, 30), bare, ratio=2.2), between(rng, 0.06, 0.13)
    pink = both(
        lambda patch: patch.box((255, 170, 170), inset=0.04 * patch.size), mine, cross(BLACK, 0.07, 0.4)
    )
    crossed = both(opened, mine, cross(red, thin, 0.42))
    marks = (
        crossed,
        crossed,
        both(covered, flag, cross(ink, thin, 0.4)),
        both(covered, cross(ink, thin + 0.03, 0.3)),
        pink,
    )
    return pick(rng, marks)
