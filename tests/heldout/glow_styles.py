"""Styles of screens that glow: tubes, terminals, displays, neon."""

from __future__ import annotations

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
    mixed,
    pick,
    tones,
)
from heldout.looks import Look, Theme, build, flat, outlined, some_gap
from heldout.marks import (
    ball,
    both,
    cross,
    letters,
    on,
    pennant,
    pixelled,
    rings,
    segmented,
    spectrum,
    symbol,
    written,
)


def neon(rng: Rng, cell: int) -> Look:
    """Glowing lines and digits in the dark."""
    night = pick(rng, tones("0a0818 060e14 12061a"))
    glow = hsv(rng.random(), 0.85, 1.0)

    def covered(patch: Patch) -> None:
        patch.box(glow, inset=0.05 * patch.size, radius=0.1 * patch.size, blur=0.05 * patch.size, alpha=0.7)
        patch.box(glow, inset=0.07 * patch.size, radius=0.1 * patch.size)
        patch.box(
            mixed(night, glow, 0.3),
            inset=0.07 * patch.size + max(1, 0.04 * patch.size),
            radius=0.07 * patch.size,
        )

    hide, bare = mixed(night, glow, 0.3), lighter(night, 0.03)
    palette = on(spectrum(rng, 0.6, 1.0), bare, ratio=5)
    other = against(hsv(rng.random(), 0.6, 1), hide, ratio=4)
    return build(
        rng, covered, outlined(bare, lighter(night, 0.12), 1), (hide,), (bare,),
        written(pick(rng, ("play bold", "gothic bold")), 0.5, palette, glow=0.06), ground=night,
        flag=symbol("⚑", "symbols", 0.5, other, glow=0.05),
        mine=symbol("✹", "symbols", 0.66, (255, 90, 120), glow=0.06), blast=flat((120, 10, 40)),
        theme=Theme(night, lighter(night, 0.06), glow, glow, "play", "none", "text"), tags=("glow",),
    )  # fmt: skip


def phosphor(rng: Rng, cell: int) -> Look:
    """A green or amber tube with scan lines."""
    bright = pick(rng, tones("50ff78 ffb028 8cdcff"))
    tube, mid = darker(bright, 0.94), darker(bright, between(rng, 0.4, 0.6))
    lines = chance(rng, 0.6) and cell >= 18

    def scanned(board: Rgb, _: Rng) -> Rgb:
        shown = board.astype(np.float64)
        shown[:: 2 if cell < 40 else 3] *= 0.72
        return np.asarray(shown, np.uint8)

    solid = chance(rng, 0.6)
    covered = flat(mid) if solid else outlined(tube, bright, max(1, cell // 14))
    hide = mid if solid else tube
    ink = against(bright if not solid else tube, hide, ratio=3.5)
    digits = (
        pixelled(0.62, (bright,) * 9) if chance(rng, 0.6) else written("mononoki bold", 0.56, (bright,) * 9)
    )
    flag, mine = letters(pick(rng, ("F", "P", "X")), pick(rng, ("*", "@", "M")), "b612 mono", ink, bright)
    return build(
        rng, covered, flat(tube), (hide,), (tube,), digits, ground=tube, gap=some_gap(rng, cell, 0.04, 0.15),
        flag=flag, mine=mine, question=symbol("?", "b612 mono", 0.56, ink),
        exploded=both(flat(bright), symbol("*", "b612 mono", 0.6, tube)),
        wrong=both(covered, flag, cross(ink, 0.06, 0.46)), cover=scanned if lines else None,
        theme=Theme(tube, tube, bright, bright, "b612 mono", "line", "text"),
        tags=("single colour", *(["scan lines"] if lines else [])),
    )  # fmt: skip


def terminal(rng: Rng, cell: int) -> Look:
    """Characters in a terminal: no lines, cells two or three characters wide."""
    paper = pick(rng, tones("0c0c0c 002b36 282a36 300a24 ffffff fdf6e3"))
    ink = against((190, 190, 190), paper, ratio=5)
    face = pick(rng, ("mononoki bold", "mono bold", "b612 mono"))
    kind = pick(rng, ("block", "hash", "dot", "brackets"))
    palette = on(spectrum(rng, 0.55, 0.9), paper, ratio=4)

    def put(text: str, colour: Colour) -> Mark:
        def mark(patch: Patch) -> None:
            patch.text(text, face, max(7, 0.58 * patch.size), colour)

        return mark

    def block(patch: Patch) -> None:
        patch.box(
            ink,
            at=(
                patch.cx - 0.3 * patch.size,
                patch.cy - 0.34 * patch.size,
                patch.cx + 0.3 * patch.size,
                patch.cy + 0.34 * patch.size,
            ),
        )

    def dot(patch: Patch) -> None:
        r = max(1.1, 0.1 * patch.size)
        patch.box(ink, at=(patch.cx - r, patch.cy - r, patch.cx + r, patch.cy + r))

    def brackets(patch: Patch) -> None:
        far, high = 0.46 * (patch.right - patch.left), 0.4 * patch.size
        for side in (-1, 1):
            x = patch.cx + side * far
            hook = [(x - side * 0.14 * patch.size, patch.cy - high), (x, patch.cy - high)]
            patch.stroke(
                mixed(paper, ink, 0.6),
                [*hook, (x, patch.cy + high), (hook[0][0], patch.cy + high)],
                max(1, 0.06 * patch.size),
            )

    ground = flat(paper)
    covered = {
        "block": both(ground, block),
        "hash": both(ground, put("#", ink)),
        "dot": both(ground, dot),
        "brackets": both(ground, brackets),
    }[kind]
    opened = ground
    base = both(ground, brackets) if kind == "brackets" else ground

    def alone(mark: Mark) -> Mark:
        """Let the mark stand in place of what covers the cell."""
        return both(base, mark)

    red = against((240, 60, 60), paper, ratio=4)
    return build(
        rng, covered, opened, (paper,), (paper,), written(face, 0.58, palette), ground=paper,
        flag=alone(put(pick(rng, ("F", "P", "!")), red)),
        mine=put(pick(rng, ("*", "@")), against((255, 220, 80), paper, ratio=3)),
        question=alone(put("?", against((120, 160, 255), paper, ratio=3))),
        exploded=both(flat(red), put("*", against(WHITE, red))),
        wrong=both(flat(against((150, 90, 0), paper, ratio=2)), put("F", WHITE)), zeros=chance(rng, 0.12),
        aspect=pick(rng, (1.0, 1.0, 1.25, 1.5, 2.0)),
        theme=Theme(paper, paper, ink, ink, face, "none", "text"), tags=("characters",),
    )  # fmt: skip


def liquid(rng: Rng, cell: int) -> Look:
    """A liquid crystal or light emitting display: seven segments, those that are off shine through."""
    led = chance(rng, 0.5)
    ground: Colour = (
        pick(rng, tones("180606 080a08 0a0a1a")) if led else pick(rng, tones("b0bea0 96a68c c6ccbe"))
    )
    lit = pick(rng, tones("ff321e 3cff5a 46aaff")) if led else (24, 32, 20)
    hide = mixed(ground, lit, 0.45)
    marks = against(WHITE if led else BLACK, hide, ratio=4)
    unlit = mixed(ground, lit, 0.09) if cell >= 20 and chance(rng, 0.7) else None
    number = segmented(between(rng, 0.58, 0.7), (lit,) * 9, unlit=unlit, slant=pick(rng, (0.0, 0.0, 0.12)))
    mine = pick(rng, (symbol("✹", "symbols", 0.64, lit), ball(lit, ground), rings(lit, ground)))
    return build(
        rng, flat(hide, radius=0.04), flat(ground), (hide,), (ground,), number, ground=darker(ground, 0.12),
        gap=some_gap(rng, cell, 0.03, 0.1), mine=mine, flag=pennant(marks, marks),
        question=symbol("?", "b612 bold", 0.55, marks), exploded=both(flat(lit), ball(ground, lit)),
        wrong=both(flat(hide), pennant(marks, marks), cross(ground, 0.12)), zeros=chance(rng, 0.1),
        theme=Theme(ground, ground, lit, lit, "segments" if led else "b612", "line", "led"),
        tags=("segments",),
    )  # fmt: skip


def high_contrast(rng: Rng, cell: int) -> Look:
    """Black, white, yellow and cyan for those who see little."""
    ink = pick(rng, tones("ffff00 00ffff ffffff"))
    filled = chance(rng, 0.5)
    hide = ink if filled else BLACK
    covered = flat(ink) if filled else outlined(BLACK, ink, max(2, cell // 10))
    other = against((255, 60, 60) if not filled else (160, 0, 0), hide, ratio=4)
    return build(
        rng, covered, flat(BLACK), (hide,), (BLACK,),
        written(pick(rng, ("sans bold", "b612 bold")), 0.66, (WHITE,) * 9),
        ground=(90, 90, 90) if filled else BLACK, gap=some_gap(rng, cell, 0.03, 0.1),
        flag=pennant(other, other), mine=ball(WHITE, BLACK), blast=flat((200, 0, 0)),
        theme=Theme(BLACK, BLACK, WHITE, ink, "b612", "thick", "text"), tags=("high contrast",),
    )  # fmt: skip
