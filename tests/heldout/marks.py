"""What stands on a cell: numbers, flags, mines, question marks and crosses, each in many kinds of art."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from heldout.canvas import (
    BLACK,
    WHITE,
    Colour,
    Mark,
    Patch,
    Rng,
    against,
    between,
    chance,
    hsv,
    lighter,
    luminance,
    mixed,
    pick,
    tones,
)

Number = Callable[[Patch, int], None]
Palette = tuple[Colour, ...]  # the colours of 0 to 8

LEAST = 7.0  # pixels a digit is high at least

_CLASSIC = "808080 0000ff 008000 ff0000 000080 800000 008080 000000 808080"
_MATERIAL = "9e9e9e 1976d2 388e3c d32f2f 7b1fa2 ff8f00 0097a7 424242 9e9e9e"
_OFFICE = "7f7f7f 4472c4 70ad47 ed7d31 5b3a8c a5281b 2e9c9c 3b3838 767171"
_FRESH = "b0b0b0 1fa2ff 2ecc71 e74c3c 9b59b6 f39c12 16a085 34495e 7f8c8d"
_ARCADE = "a8a8a8 3cbcfc 58d854 f83800 d800cc f8b800 00e8d8 f8f8f8 fca044"
_CRAYON = "888888 2b50aa 3b7a2a b3262e 5a2a82 8a5a1c 1e7a7a 2a2a2a 6a6a6a"
_CANDY = "c0c0c0 3a86ff 06a77d ff006e 8338ec fb5607 00b4d8 5f0f40 6c757d"


PALETTES = tuple(map(tones, (_CLASSIC, _MATERIAL, _OFFICE, _FRESH, _ARCADE, _CRAYON, _CANDY)))
CLASSIC = PALETTES[0]


def spectrum(rng: Rng, saturation: float, value: float) -> Palette:
    """Return colours around the circle of hues."""
    start = rng.random()
    return tuple(hsv(start + n * 0.27, saturation, value) for n in range(9))


def on(palette: Palette, *grounds: Colour, ratio: float = 3.2) -> Palette:
    """Return the colours, changed so far that they can be read on ``grounds``; dark ones need more."""
    ratio = max(ratio, 4.5) if max(map(luminance, grounds)) < 0.12 else ratio
    return tuple(against(colour, *grounds, ratio=ratio) for colour in palette)


def colours(rng: Rng, *grounds: Colour, single: float = 0.15) -> Palette:
    """Return a palette for digits that stand on ``grounds``, of one colour in a share of the cases."""
    if chance(rng, single):
        return (against(hsv(rng.random(), between(rng, 0, 0.8), 0.5), *grounds, ratio=4.5),) * 9
    return on(pick(rng, PALETTES), *grounds)


# Numbers


def _height(patch: Patch, fraction: float) -> float:
    return min(max(LEAST, fraction * patch.size), patch.size - 1)


def written(
    face: str,
    fraction: float,
    palette: Palette,
    *,
    late: bool = True,
    fringed: bool = False,
    shadow: Colour | None = None,
    glow: float = 0,
    shift: float = 0,
) -> Number:
    """Write digits in a font; ``shift`` moves them by that share of the cell, down and right."""

    def number(patch: Patch, value: int) -> None:
        height, text = _height(patch, fraction), str(value)
        away = shift * patch.size
        if glow:
            for blur in (glow, glow / 2):
                patch.text(text, face, height, palette[value], blur=blur * patch.size, alpha=0.8)
        if shadow is not None:
            step = max(1.0, patch.size / 24)
            patch.text(text, face, height, shadow, shift=(away + step, away + step), late=late)
        patch.text(text, face, height, palette[value], shift=(away, away), late=late, fringed=fringed)

    return number


_TINY = {  # 3 x 5, one octal digit a row
    0: "75557",
    1: "26227",
    2: "71747",
    3: "71717",
    4: "55711",
    5: "74717",
    6: "74757",
    7: "71222",
    8: "75757",
}
_BIG = {  # 5 x 7, two hexadecimal digits a row
    0: "0e11111111110e",
    1: "040c040404041f",
    2: "0e11010204081f",
    3: "1e01010e01011e",
    4: "02060a121f0202",
    5: "1f101e0101110e",
    6: "0608101e11110e",
    7: "1f010204080808",
    8: "0e11110e11110e",
}


def _bits(value: int, big: bool) -> list[list[bool]]:
    if big:
        rows = [int(_BIG[value][at : at + 2], 16) for at in range(0, 14, 2)]
        return [[bool(row >> (4 - bit) & 1) for bit in range(5)] for row in rows]
    return [[bool(int(row) >> (2 - bit) & 1) for bit in range(3)] for row in _TINY[value]]


def pixelled(fraction: float, palette: Palette, *, big: bool = True, shadow: Colour | None = None) -> Number:
    """Draw digits of square pixels, 5 x 7 or 3 x 5."""

    def number(patch: Patch, value: int) -> None:
        bits = _bits(value, big and patch.size >= 11)
        high, wide = len(bits), len(bits[0])
        dot = max(1, round(_height(patch, fraction) / high))
        if dot * high > patch.size - 1 and dot > 1:
            dot -= 1
        if high == 5 and dot * high < LEAST and patch.size >= 10:
            dot = 2 if patch.size >= 11 else dot
        x0, y0 = round(patch.cx - dot * wide / 2), round(patch.cy - dot * high / 2)
        layers = (
            [(palette[value], 0)] if shadow is None or dot < 2 else [(shadow, dot // 2), (palette[value], 0)]
        )
        for colour, away in layers:
            for row, line in enumerate(bits):
                for col, bit in enumerate(line):
                    x, y = x0 + col * dot + away, y0 + row * dot + away
                    if bit:
                        patch.box(colour, at=(x, y, x + dot, y + dot))

    return number


# Flags and question marks


def symbol(text: str, face: str, fraction: float, colour: Colour, *, glow: float = 0) -> Mark:
    """Return a mark that is a character of a font."""

    def mark(patch: Patch) -> None:
        height = _height(patch, fraction)
        if glow:
            patch.text(text, face, height, colour, blur=glow * patch.size, alpha=0.8)
        patch.text(text, face, height, colour)

    return mark


def letters(flag: str, mine: str, face: str, flag_ink: Colour, mine_ink: Colour) -> tuple[Mark, Mark]:
    """Return letters that stand for a flag and for a mine."""
    return symbol(flag, face, 0.56, flag_ink), symbol(mine, face, 0.56, mine_ink)


def pennant(
    cloth: Colour, pole: Colour, *, kind: str = "triangle", base: bool = True, left: bool = False
) -> Mark:
    """Return a flag on a pole: its cloth a triangle, a square, a swallowtail or a wave."""

    def mark(patch: Patch) -> None:
        s, side = patch.size, -1 if left else 1
        high = 0.34 * s
        x = patch.cx - side * 0.13 * s
        width = max(1.2, 0.075 * s)
        patch.box(pole, at=(x - width / 2, patch.cy - high, x + width / 2, patch.cy + high))
        top, low, far = patch.cy - high, patch.cy + 0.05 * s, x + side * 0.42 * s
        cloth_of = {
            "triangle": [(x, top), (far, (top + low) / 2), (x, low)],
            "square": [(x, top), (far, top), (far, low), (x, low)],
            "swallowtail": [
                (x, top),
                (far, top),
                (far - side * 0.14 * s, (top + low) / 2),
                (far, low),
                (x, low),
            ],
            "wave": [
                *(
                    (x + side * t * 0.44 * s, top + 0.05 * s * float(np.sin(t * 6)))
                    for t in np.linspace(0, 1, 9)
                ),
                *(
                    (x + side * t * 0.44 * s, low + 0.05 * s * float(np.sin(t * 6)))
                    for t in np.linspace(1, 0, 9)
                ),
            ],
        }
        patch.shape(cloth, cloth_of[kind])
        if base:
            bottom = patch.cy + high
            patch.box(pole, at=(x - 0.2 * s, bottom - max(1, 0.08 * s), x + 0.22 * s, bottom))

    return mark


def pin(colour: Colour, hole: Colour) -> Mark:
    """Return the pin of a map."""

    def mark(patch: Patch) -> None:
        s, y = patch.size, patch.cy - 0.1 * patch.size
        patch.shape(
            colour,
            [(patch.cx - 0.2 * s, y + 0.1 * s), (patch.cx + 0.2 * s, y + 0.1 * s), (patch.cx, y + 0.46 * s)],
        )
        patch.oval(colour, patch.cx, y, 0.23 * s)
        patch.oval(hole, patch.cx, y, 0.09 * s)

    return mark


def warning(colour: Colour, sign: Colour) -> Mark:
    """Return a warning triangle with an exclamation mark."""

    def mark(patch: Patch) -> None:
        s, x, y = patch.size, patch.cx, patch.cy
        patch.shape(colour, [(x, y - 0.36 * s), (x + 0.4 * s, y + 0.32 * s), (x - 0.4 * s, y + 0.32 * s)])
        wide = max(0.7, 0.045 * s)
        patch.box(sign, at=(x - wide, y - 0.14 * s, x + wide, y + 0.12 * s))
        patch.oval(sign, x, y + 0.22 * s, max(0.7, 0.05 * s))

    return mark


# Mines and crosses


def ball(
    colour: Colour, shine: Colour, *, spikes: int = 8, radius: float = 0.24, reach: float = 0.38
) -> Mark:
    """Return a ball with spikes and a shine; without spikes it is only a ball."""

    def mark(patch: Patch) -> None:
        s, x, y = patch.size, patch.cx, patch.cy
        for turn in np.arange(spikes) * 2 * np.pi / max(1, spikes):
            end = (x + reach * s * float(np.cos(turn)), y + reach * s * float(np.sin(turn)))
            patch.stroke(colour, [(x, y), end], max(1.0, 0.07 * s))
        patch.oval(colour, x, y, radius * s)
        patch.oval(shine, x - 0.35 * radius * s, y - 0.35 * radius * s, max(0.8, 0.28 * radius * s))

    return mark


def bomb(colour: Colour, fuse: Colour, spark: Colour) -> Mark:
    """Return a round bomb with a burning fuse."""

    def mark(patch: Patch) -> None:
        s = patch.size
        x, y = patch.cx - 0.06 * s, patch.cy + 0.08 * s
        patch.stroke(
            fuse,
            [(x + 0.14 * s, y - 0.2 * s), (x + 0.24 * s, y - 0.36 * s), (x + 0.36 * s, y - 0.36 * s)],
            max(1, 0.06 * s),
        )
        patch.oval(colour, x, y, 0.29 * s)
        patch.oval(lighter(colour, 0.6), x - 0.1 * s, y - 0.1 * s, max(0.8, 0.07 * s))
        patch.oval(spark, x + 0.38 * s, y - 0.36 * s, max(1.2, 0.09 * s))

    return mark


def rings(colour: Colour, ground: Colour) -> Mark:
    """Return rings around a dot."""

    def mark(patch: Patch) -> None:
        for radius, fill in ((0.38, colour), (0.29, ground), (0.19, colour), (0.09, ground)):
            patch.oval(fill, patch.cx, patch.cy, radius * patch.size)

    return mark


def burst(colour: Colour, core: Colour, points: int = 9) -> Mark:
    """Return a star of an explosion."""

    def mark(patch: Patch) -> None:
        s = patch.size
        turns = np.arange(2 * points) * np.pi / points
        radii = np.where(np.arange(2 * points) % 2, 0.2, 0.43) * s
        corners = [
            (patch.cx + r * float(np.cos(t)), patch.cy + r * float(np.sin(t)))
            for r, t in zip(radii.tolist(), turns.tolist(), strict=True)
        ]
        patch.shape(colour, corners)
        patch.oval(core, patch.cx, patch.cy, 0.14 * s)

    return mark


def cross(colour: Colour, width: float = 0.09, reach: float = 0.36) -> Mark:
    """Return two strokes from corner to corner."""

    def mark(patch: Patch) -> None:
        r, x, y = reach * patch.size, patch.cx, patch.cy
        for side in (-1, 1):
            patch.stroke(colour, [(x - r, y - side * r), (x + r, y + side * r)], max(1.3, width * patch.size))

    return mark


def both(*marks: Mark) -> Mark:
    """Return a mark of several, one over the other."""

    def mark(patch: Patch) -> None:
        for one in marks:
            one(patch)

    return mark


# Any of them


def some_flag(rng: Rng, *grounds: Colour) -> Mark:
    """Return a flag that can be seen on ``grounds``."""
    red = against(pick(rng, ((225, 30, 30), (200, 20, 40), (240, 90, 0), (230, 0, 120))), *grounds, ratio=2.6)
    dark = against(pick(rng, (BLACK, (60, 40, 20), (40, 40, 60))), *grounds, ratio=3)
    kind = pick(rng, ("triangle", "square", "swallowtail", "wave"))
    flags: Sequence[Callable[[], Mark]] = (
        partial(pennant, red, dark, kind=kind, base=chance(rng, 0.6), left=chance(rng, 0.3)),
        partial(pennant, red, dark, kind=kind, base=chance(rng, 0.4)),
        partial(pennant, red, red, base=False),
        partial(symbol, "⚑", "symbols", 0.6, red),
        partial(symbol, "\U0001f6a9", "symbols", 0.64, red),
        partial(pin, red, against(WHITE, red)),
        partial(warning, red, against(WHITE, red)),
    )
    return pick(rng, flags)()


def some_mine(rng: Rng, *grounds: Colour) -> Mark:
    """Return a mine that can be seen on ``grounds``."""
    dark = against(pick(rng, (BLACK, (40, 40, 50), (60, 30, 30))), *grounds, ratio=4)
    shine = against(WHITE, dark, ratio=3)
    mines: Sequence[Callable[[], Mark]] = (
        partial(ball, dark, shine, spikes=8),
        partial(ball, dark, shine, spikes=pick(rng, (4, 6, 12)), radius=0.26),
        partial(ball, dark, mixed(dark, shine, 0.6), spikes=0, radius=0.34),
        partial(bomb, dark, mixed(dark, (140, 100, 50), 0.4), against((255, 150, 0), *grounds, ratio=1.6)),
        partial(symbol, pick(rng, ("\U0001f4a3", "☠", "\U0001f480")), "symbols", 0.68, dark),
        partial(symbol, "✹", "symbols", 0.7, dark),
        partial(rings, dark, shine),
    )
    return pick(rng, mines)()
