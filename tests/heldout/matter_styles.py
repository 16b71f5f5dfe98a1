"""Styles that imitate matter: paper, wood, ice, pixels, keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.canvas import (
    BLACK,
    WHITE,
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
from heldout.fonts import BOLD, PLAIN
from heldout.looks import (
    Look,
    Theme,
    bevel,
    build,
    edge_of,
    flat,
    hatched,
    outlined,
    pyramid,
    rough,
    some_gap,
    some_theme,
)
from heldout.marks import (
    PALETTES,
    ball,
    bomb,
    both,
    burst,
    colours,
    cross,
    handwritten,
    on,
    pennant,
    pips,
    pixelled,
    rings,
    scribbled,
    some_flag,
    spectrum,
    symbol,
    written,
)


def paper(rng: Rng, cell: int) -> Look:
    """A page of a notebook: pencilled squares, hatched where covered."""
    page, line = (pick(rng, tones("fcfaf0 ffffff f6eed6")), pick(rng, tones("aac8e6 c8bebe 96a0aa")))
    ink = pick(rng, tones("283282 3c3c40 1e1e1e"))
    red = (200, 40, 40)
    covered = hatched(
        page, mixed(page, ink, 0.75), step=between(rng, 0.16, 0.26), weight=0.055, twice=chance(rng, 0.3)
    )
    plate = flat(page, inset=0.1, radius=0.2)
    palette = (ink,) * 9 if chance(rng, 0.5) else on(PALETTES[5], page)
    mine = scribbled("mine", ink, 0.06)
    return build(
        rng, covered, flat(page), (page,), (page,), handwritten(between(rng, 0.55, 0.68), palette),
        ground=line, gap=edge_of(cell, 0.05), flag=both(plate, scribbled("flag", red, 0.09)), mine=mine,
        question=both(plate, scribbled("question", ink, 0.09)),
        blast=hatched(page, (240, 150, 140), step=0.12),
        wrong=both(flat(page), scribbled("flag", red), scribbled("cross", ink, 0.08)), variants=5,
        theme=Theme(page, page, ink, red, "chancery", "none", "text"), tags=("hand drawn",),
    )  # fmt: skip


def _grained(strength: float, stretch: int) -> Callable[[Rgb, Rng], Rgb]:
    """Return the grain of wood or stone over a whole board; ``stretch`` draws it out to the right."""

    def cover(board: Rgb, rng: Rng) -> Rgb:
        height, width = board.shape[:2]
        rough_lines = rng.normal(0, strength, (height, -(-width // stretch) + 1)).repeat(stretch, 1)[
            :, :width
        ]
        wave = strength * np.sin(np.arange(height)[:, None] / 7 + 2 * np.sin(np.arange(width)[None] / 90))
        return np.asarray(np.clip(board + (rough_lines + wave)[..., None], 0, 255), np.uint8)

    return cover


def wood(rng: Rng, cell: int) -> Look:
    """Blocks of wood in a tray."""
    block = hsv(between(rng, 0.06, 0.1), between(rng, 0.45, 0.65), between(rng, 0.6, 0.85))
    tray = darker(block, between(rng, 0.4, 0.6)) if chance(rng, 0.6) else lighter(block, 0.62)
    width = edge_of(cell, 0.07)
    number = written(
        pick(rng, ("bookman bold", "schoolbook bold", "caladea bold")), 0.58, colours(rng, tray, single=0.5)
    )
    return build(
        rng, bevel(block, lighter(block, 0.3), darker(block, 0.35), width), flat(tray), (block,), (tray,),
        number, ground=darker(block, 0.6), gap=max(1, cell // 24), cover=_grained(5, 12),
        theme=some_theme(rng, block), tags=("texture",),
    )  # fmt: skip


def console(rng: Rng, cell: int) -> Look:
    """Pixel art of an eight bit console: every cell is drawn in few large pixels."""
    dots = pick(rng, (12, 14, 16))
    hue = rng.random()
    top, low = hsv(hue, 0.65, 0.72), pick(rng, tones("181425 5c4033 deeed6 3a4466"))

    def coarse(ground: Mark) -> Mark:
        def mark(patch: Patch) -> None:
            ground(patch)
            if patch.size >= 24:
                patch.coarse(dots)

        return mark

    covered = coarse(
        rough(bevel(top, lighter(top, 0.4), darker(top, 0.45), max(1, cell / dots)), 20, max(1, cell // dots))
    )
    opened = flat(low, lighter(low, 0.04))
    mine = pick(
        rng,
        (
            ball(against((20, 20, 20), low, ratio=4), (250, 80, 80)),
            bomb(against((30, 30, 30), low, ratio=4), (250, 200, 90), (255, 240, 90)),
        ),
    )
    red = against((230, 40, 50), top, ratio=2.4)
    flag = pennant(red, against(BLACK, top, ratio=3), kind=pick(rng, ("triangle", "square")))
    number = pixelled(0.6, on(PALETTES[4], low), shadow=darker(low, 0.5) if chance(rng, 0.4) else None)
    return build(
        rng, covered, opened, (top,), (low,), number, ground=darker(top, 0.6),
        gap=max(1, round(cell / dots)) if chance(rng, 0.4) else 0, mine=coarse(mine), flag=coarse(flag),
        smooth=cell >= 24, theme=some_theme(rng, top, dark=True), tags=("pixel art",),
    )  # fmt: skip


def dominoes(rng: Rng, cell: int) -> Look:
    """Numbers as pips."""
    bone, back = (pick(rng, tones("faf4e2 f0f0f0 1e222c")), hsv(rng.random(), 0.55, between(rng, 0.45, 0.7)))
    palette = colours(rng, bone, single=0.6)
    edge = against(mixed(bone, BLACK, 0.3), bone, ratio=1.5)
    return build(
        rng, outlined(back, darker(back, 0.4), max(1, cell // 20), radius=0.14),
        outlined(bone, edge, max(1, cell // 30), radius=0.14), (back,), (bone,),
        pips(between(rng, 0.52, 0.6), palette, square=chance(rng, 0.2)),
        ground=pick(rng, tones("3c6446 282828 dcd7cd")), gap=some_gap(rng, cell, 0.02, 0.08),
        mine=burst(against((200, 30, 30), bone), against((255, 200, 60), bone, ratio=1.3)),
        theme=some_theme(rng, back), tags=("pips",),
    )  # fmt: skip


def blueprint(rng: Rng, cell: int) -> Look:
    """White lines on blue: covered cells are crossed by a diagonal or hatched."""
    blue = pick(rng, tones("18488c 103c6e 285a96"))
    line = mixed(blue, WHITE, 0.85)
    covered = hatched(
        mixed(blue, WHITE, 0.12), mixed(blue, WHITE, 0.6), step=between(rng, 0.18, 0.3), weight=0.03
    )
    plate = flat(blue, inset=0.14)
    return build(
        rng, covered, flat(blue), (blue,), (blue,),
        written(pick(rng, ("gothic bold", "narrow bold", "play bold")), 0.54, (line,) * 9),
        ground=mixed(blue, WHITE, 0.4), gap=1, flag=both(plate, pennant(line, line, base=False)),
        mine=rings(line, blue), question=both(plate, symbol("?", "gothic bold", 0.54, line)),
        blast=flat((190, 60, 60)),
        wrong=both(flat(blue), pennant(line, line), cross((255, 140, 120), 0.07, 0.42)),
        theme=Theme(blue, darker(blue, 0.1), line, line, "gothic", "line", "text"), tags=("single colour",),
    )  # fmt: skip


def starry(rng: Rng, cell: int) -> Look:
    """Panels of a spaceship; opened ones show the stars."""
    space, panel = (8, 8, 20), hsv(between(rng, 0.5, 0.8), between(rng, 0.15, 0.4), between(rng, 0.45, 0.65))

    def stars(patch: Patch) -> None:
        patch.box(space)
        for x, y, r in patch.rng.random((3, 3)):
            patch.oval(
                (170, 170, 200),
                patch.left + x * patch.size,
                patch.top + y * patch.size,
                0.4 + r * 0.5,
                alpha=0.8,
            )

    def plated(patch: Patch) -> None:
        patch.gradient(lighter(panel, 0.2), darker(panel, 0.2), angle="diagonal", radius=0.05 * patch.size)
        for x in (0.14, 0.86):
            for y in (0.14, 0.86):
                patch.oval(
                    darker(panel, 0.5),
                    patch.left + x * patch.size,
                    patch.top + y * patch.size,
                    max(0.7, 0.04 * patch.size),
                )

    palette = on(spectrum(rng, 0.45, 1), space, ratio=5)
    return build(
        rng, plated, stars, (panel,), (space,),
        written(pick(rng, ("play bold", "b612 bold", "gothic bold")), 0.56, palette),
        ground=darker(panel, 0.65), gap=max(1, cell // 20), mine=ball((230, 90, 60), WHITE, spikes=6),
        blast=burst((255, 200, 60), (255, 255, 220), 10), variants=6,
        theme=some_theme(rng, panel, dark=True), tags=("texture",),
    )  # fmt: skip


def gems(rng: Rng, cell: int) -> Look:
    """Cut stones: pyramids of four slopes."""
    stone = hsv(rng.random(), between(rng, 0.3, 0.75), between(rng, 0.55, 0.85))
    setting = pick(rng, ((240, 238, 232), (28, 26, 34), lighter(stone, 0.8), darker(stone, 0.78)))
    number = written(
        pick(rng, BOLD),
        0.58,
        colours(rng, setting),
        shadow=mixed(setting, (128, 128, 128), 0.35) if chance(rng, 0.4) else None,
    )
    return build(
        rng, pyramid(stone, between(rng, 0.2, 0.45)), flat(setting), (stone,), (setting,), number,
        ground=mixed(setting, (128, 128, 128), 0.5),
        gap=1 if chance(rng, 0.6) else some_gap(rng, cell, 0.04, 0.1), theme=some_theme(rng, stone),
    )  # fmt: skip


def recessed(rng: Rng, cell: int) -> Look:
    """Pastel squares with a line around; opened cells are coloured, covered ones white."""
    tint = hsv(rng.random(), between(rng, 0.25, 0.55), between(rng, 0.75, 0.95))
    top = pick(rng, (WHITE, (250, 250, 250), lighter(tint, 0.88)))
    line = darker(tint, between(rng, 0.25, 0.6))
    flags = some_flag(rng, top)
    zeros = chance(rng, 0.15)
    return build(
        rng, outlined(top, line, max(1, cell // 24)), flat(tint), (top,), (tint,),
        written(pick(rng, (*PLAIN, *BOLD)), 0.54, colours(rng, tint)), ground=line,
        gap=pick(rng, (0, 1, 1, 2)) if cell > 16 else 0, flag=flags, zeros=zeros,
        theme=some_theme(rng, tint, dark=False),
    )  # fmt: skip
