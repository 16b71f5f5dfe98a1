"""A second set of styles: shops, web pages, toolkits, telephones, consoles, textures, things drawn by hand.

`make` gives each of them rare parts now and then: mines on covered cells, red mines, flags that get ticks at
the end, crosses of several kinds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from heldout.canvas import (
    BLACK,
    BOLD,
    WHITE,
    Colour,
    Mark,
    Patch,
    Rng,
    against,
    between,
    chance,
    contrast,
    darker,
    hsv,
    lighter,
    luminance,
    mixed,
    pick,
    tones,
)
from heldout.looks import Look, Theme, bevel, build, edge_of, flat, outlined, shaded, some_gap, some_theme
from heldout.marks import CLASSIC, PALETTES, Number, Palette, both, colours, on, pixelled, spectrum, symbol
from heldout.marks import written as inked
from heldout.new_marks import (
    dark_blanks,
    grained,
    motif,
    pips,
    pixel_marks,
    rare_flag,
    rare_mine,
    stroked,
    through,
    tick,
    wrong_marks,
)
from heldout.styles import Style

_THIN = ("gothic", "carlito", "narrow", "light bookman", "caladea", "old standard", "sans", "b612")
_STRONG = (*BOLD, "palatino bold", "sans slanted")


def make(
    rng: Rng, covered: Mark, hide: Colour, opened: Mark, bare: Colour, number: Number, **rest: Any
) -> Look:
    """Return what `build` returns, with rarer marks where none are given."""
    closed = chance(rng, 0.2) and "mine" not in rest  # mines on cells that still look covered
    red = chance(rng, 0.15) and "mine" not in rest
    ground, colour = (covered, hide) if closed else (opened, bare)
    flag = rest.setdefault("flag", rare_flag(rng, hide))
    mine = rest.setdefault("mine", rare_mine(rng, colour, red=red))
    if red:
        others = [tone for tone in tones("ffbe3c faf078 282830") if contrast(tone, bare) > 1.4]
        rest.setdefault("blast", flat(pick(rng, others), radius=0.06))
    ink = against(BLACK, hide, ratio=4)
    rest.setdefault("wrong", wrong_marks(rng, covered, ground, flag, mine, ink, colour))
    rest.setdefault("theme", some_theme(rng, hide))
    look = build(rng, covered, opened, (hide,), (bare,), number, **rest)
    if closed:
        blast = flat(against((255, 80, 60), hide, ratio=1.3), inset=0.06)
        exploded = look.exploded and both(covered, blast, mine)
        look = replace(look, mine_ground=covered, exploded=exploded, tags=(*look.tags, "mines on covered"))
    if chance(rng, 0.12):
        green = tick(against((20, 170, 60), hide, ratio=2.2))
        look = replace(look, ticked=green, wrong=rest["wrong"], tags=(*look.tags, "ticks"))
    return replace(look, tags=(*look.tags, *(["red mines"] if red else [])))


def written(rng: Rng, faces: tuple[str, ...], fraction: float, palette: Palette, **rest: Any) -> Number:
    """Return digits in one of the fonts."""
    return inked(pick(rng, faces), fraction, palette, **rest)


def plain(panel: Colour, accent: Colour, *, frame: str = "none", counter: str = "text") -> Theme:
    """Return a theme in which panel and page are one."""
    return Theme(panel, panel, against(BLACK, panel, ratio=6), accent, "sans", frame, counter)


# Windows, shops and toolkits


def store(rng: Rng, cell: int) -> Look:
    """Glossy tiles of a shop's game: light, dark, or of a jungle."""
    hue, value, floor = pick(
        rng, ((0.57, 0.85, (232, 238, 244)), (0.6, 0.5, (38, 42, 52)), (0.24, 0.5, (205, 184, 140)))
    )
    tile = hsv(hue + between(rng, -0.03, 0.03), 0.6, value)

    def glossy(patch: Patch) -> None:
        shaded(lighter(tile, 0.35), tile, radius=0.08, edge=darker(tile, 0.45))(patch)
        if hue < 0.3:
            patch.noise(22, max(1, cell // 12))
        upper = (patch.left, patch.top, patch.right, patch.cy)
        patch.box(lighter(tile, 0.5), inset=0.08 * patch.size, at=upper, alpha=0.35)

    faces, palette = ("narrow bold", "carlito bold", "gothic bold"), on(PALETTES[1], floor)
    return make(
        rng, glossy, tile, outlined(floor, darker(floor, 0.12), 1), floor,
        written(rng, faces, 0.56, palette, shadow=darker(floor, 0.3)),
        ground=darker(tile, 0.6), gap=pick(rng, (0, 1, 2)),
    )  # fmt: skip


def three_one(rng: Rng, cell: int) -> Look:
    """The first Windows: hard pixels, bevels of one or two pixels, digits of squares."""
    grey = pick(rng, tones("c0c0c0 c3c3c3 b8b8b8"))
    dark, width = darker(grey, 0.36), max(1, cell // 8)
    flag, mine, question = pixel_marks((255, 0, 0), BLACK, BLACK, WHITE)
    opened = pick(rng, (outlined(grey, dark, max(1, width // 2)), bevel(grey, dark, grey, 1)))
    digits = pixelled(0.62, on(CLASSIC, grey, ratio=2.1), big=chance(rng, 0.5))
    return make(
        rng, bevel(grey, WHITE, dark, width), grey, opened, grey, digits, flag=flag, mine=mine,
        question=question, smooth=False, theme=plain(grey, (0, 0, 128), frame="bevel", counter="led"),
        tags=("pixel art",),
    )  # fmt: skip


def skinned(rng: Rng, cell: int) -> Look:
    """The bevelled squares of clones in a colour of the player: green, pink, blue, the greys of the night."""
    night = chance(rng, 0.35)
    value = between(rng, 0.28, 0.4) if night else between(rng, 0.65, 0.92)
    base = hsv(rng.random(), between(rng, 0.05, 0.2) if night else between(rng, 0.25, 0.75), value)
    floor = pick(rng, (base, lighter(base, 0.1 if night else 0.55), darker(base, 0.35), darker(base, 0.15)))
    bright = tones("808080 7cc7ff 66c266 ff7788 ee88ff ddaa22 66cccc 999999 d0d8e0")
    covered = bevel(base, lighter(base, 0.4), darker(base, 0.45), edge_of(cell, between(rng, 0.06, 0.16)))
    return make(
        rng, covered, base, outlined(floor, darker(floor, 0.3), 1), floor,
        written(rng, _STRONG, 0.6, on(bright if night else CLASSIC, floor, ratio=2.8)),
        smooth=chance(rng, 0.5), theme=plain(base, darker(base, 0.4), frame="bevel", counter="led"),
    )  # fmt: skip


def forms(rng: Rng, cell: int) -> Look:
    """Buttons of a form; opened ones are disabled, and their digits often grey."""
    face, rim = pick(rng, (tones("e1e1e1 adadad"), tones("dddddd 707070"), tones("fdfdfd d0d0d0")))
    floor = pick(rng, tones("f4f4f4 cccccc f0f0f0 bfbfbf"))
    floor = floor if contrast(floor, face) > 1.08 else darker(face, 0.16)
    grey: Palette = (against((131, 131, 131), floor, ratio=2.4),) * 9
    palette = grey if chance(rng, 0.4) else on(CLASSIC, floor)
    size, fringed = between(rng, 0.38, 0.55), chance(rng, 0.5)
    return make(
        rng, outlined(face, rim, 1), face, outlined(floor, mixed(rim, floor, 0.4), 1), floor,
        written(rng, ("carlito", "sans", "carlito bold"), size, palette, fringed=fringed),
        ground=(240, 240, 240), gap=pick(rng, (0, 0, 2, 4)), zeros=chance(rng, 0.1),
        theme=plain((240, 240, 240), (0, 120, 215)),
    )  # fmt: skip


def metal(rng: Rng, cell: int) -> Look:
    """Buttons with gradients: bluish, silver or olive, square or rounded."""
    sets = ("ffffff b8cfe5 7a8a99", "fafafa d6d9df 9297a1", "e8e8ec a8b0c0 5c6270", "ffffff d8d7cc 003c74")
    top, low, rim = tones(pick(rng, (*sets, "ffffff e0dfd0 376206")))
    floor, radius = pick(rng, tones("eeeeee ffffff d6dff7 ece9d8")), pick(rng, (0, 0.1, 0.14))
    palette = colours(rng, floor, single=0.3)
    return make(
        rng, shaded(top, low, radius=radius, edge=rim), low, outlined(floor, mixed(floor, rim, 0.3), 1),
        floor,
        written(rng, ("sans bold", "b612 bold", "carlito bold"), 0.48, palette, fringed=chance(rng, 0.5)),
        ground=(236, 233, 226), gap=pick(rng, (0, 0, 1, 2)), theme=plain((238, 236, 230), rim, frame="line"),
    )  # fmt: skip


def tinted_notes(rng: Rng, cell: int) -> Look:
    """Opened cells whose pale ground has a hue of its own for each number, small gaps."""
    cover, blank = pick(rng, tones("babdb6 888a85 6f8396 b8a890")), pick(rng, tones("deded4 f6f5f4 eeeeec"))
    start, dark = rng.random(), chance(rng, 0.5)
    hues = [start + 0.37 * value for value in range(9)]
    tints = [blank, *(hsv(hue, between(rng, 0.12, 0.3), 0.96) for hue in hues[1:])]
    inks = [(46, 52, 54) if dark else hsv(hue, 0.9, 0.5) for hue in hues]
    palette = tuple(against(ink, tint, ratio=4.5) for ink, tint in zip(inks, tints, strict=True))
    return make(
        rng, flat(cover, radius=0.06), cover, flat(blank, radius=0.06), blank,
        written(rng, ("b612 bold", "carlito bold"), 0.5, palette), gap=some_gap(rng, cell, 0.03, 0.08),
        tinted=lambda patch, value: patch.box(tints[value], radius=0.06 * patch.size),
        ground=pick(rng, tones("ffffff f6f5f4 3d3846")), tags=("tinted numbers",),
    )  # fmt: skip


def carved(rng: Rng, cell: int) -> Look:
    """Rounded vector tiles with a bright rim, digits with a shadow: green, blue, sand, violet."""
    base = hsv(pick(rng, (0.3, 0.36, 0.57, 0.1, 0.75)), between(rng, 0.3, 0.7), between(rng, 0.6, 0.85))
    floor = pick(rng, (lighter(base, 0.75), darker(base, 0.72), (226, 222, 208)))

    def tile(patch: Patch) -> None:
        s = patch.size
        patch.box(darker(base, 0.4), radius=0.12 * s)
        patch.gradient(lighter(base, 0.45), base, inset=0.05 * s, radius=0.1 * s, angle="diagonal")
        patch.gradient(base, lighter(base, 0.2), inset=0.14 * s, radius=0.05 * s)

    palette = on(pick(rng, PALETTES), floor)
    return make(
        rng, tile, base, outlined(floor, mixed(floor, base, 0.4), 1), floor,
        written(rng, _STRONG, 0.58, palette, shadow=mixed(floor, BLACK, 0.35)),
    )  # fmt: skip


def marble(rng: Rng, cell: int) -> Look:
    """Stone, wood, bricks or marble, raised where covered."""
    kind = pick(rng, ("marble", "wood", "noise", "bricks"))
    base = pick(rng, tones("a9713c c89a5c 7d5632" if kind == "wood" else "9fa6a0 c4bfb2 7c8894 a8553c"))
    floor = pick(rng, (lighter(base, 0.6), darker(base, 0.62)))
    rough, smooth = grained(rng, base, 14, 24, kind=kind), grained(rng, floor, 7)
    return make(
        rng, rimmed(rough, WHITE, BLACK, max(1, cell // 12)), base, rimmed(smooth, BLACK, None, 1), floor,
        written(rng, _STRONG, 0.58, on(CLASSIC, floor, ratio=3.6)), tags=("texture",),
    )  # fmt: skip


def rimmed(ground: Mark, light: Colour, dark: Colour | None, width: int) -> Mark:
    """Return the ground with a veil at the top and the left, and another one at the other sides."""

    def mark(patch: Patch) -> None:
        left, top, right, bottom = patch.left, patch.top, patch.right, patch.bottom
        ground(patch)
        for at in ((left, top, right, top + width), (left, top, left + width, bottom)):
            patch.box(light, at=at, alpha=0.45)
        for at in ((left, bottom - width, right, bottom), (right - width, top, right, bottom)):
            patch.box(dark or light, at=at, alpha=0.45 if dark else 0)

    return mark


# Pages and telephones


def page_buttons(rng: Rng, cell: int) -> Look:
    """Plain buttons of a browser, and coloured emoji on them."""
    face, rim = pick(rng, tones("efefef ffffff e0e0e0 ffe4c4")), pick(rng, tones("767676 000000 999999"))
    floor = pick(rng, tones("ffffff d3d3d3 c8c8c8 fafad2"))
    floor = floor if contrast(floor, face) > 1.12 else darker(face, 0.24)
    faces = ("sans", "roman bold", "sans bold", "mono bold", "caladea")
    palette, wide = colours(rng, floor, single=0.35), pick(rng, (1, 1, 2)) if cell >= 16 else 1
    return make(
        rng, outlined(face, rim, wide), face, outlined(floor, rim, 1),
        floor, written(rng, faces, between(rng, 0.4, 0.55), palette, fringed=chance(rng, 0.5)), ground=WHITE,
        gap=pick(rng, (0, 0, 2, 3)), theme=plain(WHITE, (0, 0, 238)), zeros=chance(rng, 0.12),
    )  # fmt: skip


def framework(rng: Rng, cell: int) -> Look:
    """The slate and indigo of pages made with frameworks of today, light or dark."""
    dark = chance(rng, 0.5)
    page = pick(rng, tones("0f172a 111827 18181b 1a1b26" if dark else "f8fafc f3f4f6 ffffff eef2ff"))
    cover = pick(rng, tones("334155 4338ca 0e7490 52525b" if dark else "94a3b8 6366f1 38bdf8 cbd5e1 34d399"))
    floor = pick(rng, (lighter(page, 0.06), page) if dark else (darker(page, 0.06), WHITE))
    faces, palette = ("b612 bold", "carlito bold", "mononoki bold", "play bold"), colours(rng, floor)
    return make(
        rng, flat(cover, radius=pick(rng, (0, 0.08, 0.15, 0.25))), cover,
        outlined(floor, mixed(floor, cover, 0.3), 1), floor,
        written(rng, faces, between(rng, 0.36, 0.5), palette), ground=page,
        gap=some_gap(rng, cell, 0.04, 0.16), theme=some_theme(rng, cover, dark=dark),
    )  # fmt: skip


def candy(rng: Rng, cell: int) -> Look:
    """Bubbles with a shine in strong colours, green ones as often as not."""
    base = hsv(pick(rng, (0.33, 0.3, 0.36, 0.92, 0.55, 0.13, 0.78)), 0.75, 0.85)
    floor = pick(rng, (lighter(base, 0.82), (255, 250, 235), darker(base, 0.75)))

    def bubble(patch: Patch) -> None:
        s, left, top = patch.size, patch.left, patch.top
        patch.box(darker(base, 0.4), inset=0.03 * s, radius=0.28 * s)
        patch.gradient(lighter(base, 0.25), darker(base, 0.08), inset=0.07 * s, radius=0.24 * s)
        shine = (left + 0.16 * s, top + 0.12 * s, patch.right - 0.16 * s, top + 0.36 * s)
        patch.box(WHITE, at=shine, radius=0.11 * s, alpha=0.4)

    return make(
        rng, bubble, base, flat(floor, inset=0.03, radius=0.2), floor,
        written(rng, ("gothic bold", "bookman bold", "play bold"), 0.54, on(PALETTES[6], floor)),
        ground=mixed(floor, base, 0.4),
    )  # fmt: skip


def garden(rng: Rng, cell: int) -> Look:
    """Green turf in glassy squares over earth."""
    turf = hsv(between(rng, 0.22, 0.4), between(rng, 0.45, 0.75), between(rng, 0.5, 0.8))
    soil = hsv(between(rng, 0.07, 0.15), 0.25, 0.93)
    grass = shaded(lighter(turf, 0.3), darker(turf, 0.15), angle="radial", edge=darker(turf, 0.4))
    return make(
        rng, grass, turf, shaded(soil, darker(soil, 0.08), edge=darker(soil, 0.25)), soil,
        written(rng, ("palatino bold", "caladea bold", "bookman bold"), 0.58, on(CLASSIC, soil)),
    )  # fmt: skip


def through_window(rng: Rng, cell: int) -> Look:
    """A picture that is seen through opened cells, muted by a veil."""
    veil = pick(rng, ((240, 240, 236), (30, 32, 40)))
    cover = hsv(rng.random(), between(rng, 0.1, 0.6), 0.45 if luminance(veil) > 0.5 else 0.75)
    return make(
        rng, bevel(cover, lighter(cover, 0.4), darker(cover, 0.4), edge_of(cell)), cover,
        outlined(veil, mixed(veil, cover, 0.7), 1), veil,
        written(rng, _STRONG, 0.56, on(pick(rng, PALETTES), veil, ratio=5)),
        cover=through((veil,), between(rng, 0.25, 0.5)), tags=("picture behind",),
    )  # fmt: skip


def puzzle(rng: Rng, cell: int) -> Look:
    """Covered cells that together make a picture."""
    veil, floor = pick(rng, tones("7890a8 8aa078 a08890")), pick(rng, tones("f2f2f2 e8e2d0 24262c"))
    edge = pick(rng, (WHITE, BLACK, lighter(veil, 0.5)))
    return make(
        rng, outlined(veil, edge, max(1, cell // 20)), veil, outlined(floor, mixed(floor, veil, 0.4), 1),
        floor, written(rng, _STRONG, 0.54, colours(rng, floor)), tags=("picture in front",),
        flag=rare_flag(rng, veil, darker(veil, 0.3), lighter(veil, 0.3)),
        cover=through((veil,), between(rng, 0.35, 0.7), 26),
    )  # fmt: skip


def motifs(rng: Rng, cell: int) -> Look:
    """A small picture on every covered cell; a flag stands in place of it."""
    base = hsv(rng.random(), between(rng, 0.3, 0.7), between(rng, 0.5, 0.85))
    floor = pick(rng, ((238, 232, 216), (40, 42, 48), lighter(base, 0.8)))
    light, dark = lighter(base, 0.4), darker(base, 0.4)
    ground = pick(rng, (flat(base), bevel(base, light, dark, edge_of(cell)), outlined(base, dark, 1)))
    bare = lighter(base, 0.15)
    question = symbol("?", "sans bold", 0.56, against(BLACK, bare, ratio=4))
    return make(
        rng, both(ground, motif(rng, base)), bare, outlined(floor, mixed(floor, base, 0.35), 1), floor,
        written(rng, _STRONG, 0.54, colours(rng, floor)),
        flag=both(flat(bare, inset=0.06), rare_flag(rng, bare)),
        question=both(flat(bare, inset=0.06), question), mine=rare_mine(rng, floor), tags=("motif",),
    )  # fmt: skip


# Numbers and grounds of other kinds


def dice(rng: Rng, cell: int) -> Look:
    """Numbers as the dots of a die."""
    cover = hsv(rng.random(), between(rng, 0.1, 0.7), between(rng, 0.4, 0.8))
    floor = pick(rng, ((250, 250, 246), (244, 236, 214), (34, 36, 44)))
    return make(
        rng, shaded(lighter(cover, 0.2), cover, radius=0.1), cover, flat(floor, radius=0.12), floor,
        pips(colours(rng, floor, single=0.5)), ground=darker(floor, 0.25),
        gap=some_gap(rng, cell, 0.03, 0.09), tags=("dots",),
    )  # fmt: skip


def thin(rng: Rng, cell: int) -> Look:
    """Thin digits on bright or dark paper, made for screens of high density; often green."""
    paper = pick(rng, tones("ffffff fbfbfd 1c1c1e 000000"))
    dark = luminance(paper) < 0.2
    cover = pick(rng, tones("3a3a3c 0a84ff 48484a 30d158" if dark else "d1d1d6 c7e3ff b9e6c3 e5e5ea 34c759"))
    green: Palette = (against((60, 200, 90), paper, ratio=2.6),) * 9
    palette = green if chance(rng, 0.4) else on(spectrum(rng, 0.7, 0.8), paper, ratio=2.8)
    lines = stroked(0.44, palette, between(rng, 0.025, 0.045))
    return make(
        rng, flat(cover, radius=pick(rng, (0, 0.1, 0.2))), cover, flat(paper), paper,
        lines if chance(rng, 0.4) else written(rng, _THIN, between(rng, 0.36, 0.5), palette),
        ground=pick(rng, (paper, mixed(paper, cover, 0.6))), gap=some_gap(rng, cell, 0.03, 0.08),
        theme=some_theme(rng, cover, dark=dark), tags=("thin",),
    )  # fmt: skip


def dark_holes(rng: Rng, cell: int) -> Look:
    """Opened blanks much darker than the ground of numbers, alone or in fields."""
    base = hsv(rng.random(), between(rng, 0.1, 0.5), between(rng, 0.6, 0.9))
    floor, hole = lighter(base, 0.6), darker(base, between(rng, 0.5, 0.8))
    blank, ground = (outlined(colour, darker(colour, 0.25), 1) for colour in (hole, floor))
    return make(
        rng, bevel(base, lighter(base, 0.5), darker(base, 0.35), edge_of(cell)), base, ground, floor,
        written(rng, _STRONG, 0.55, on(CLASSIC, floor, ratio=3.4)), tinted=dark_blanks(blank, ground),
        tags=("dark blanks",),
    )  # fmt: skip


def by_hand(rng: Rng, cell: int) -> Look:
    """Ink on squared paper: uneven lines and digits, hatched cells are covered."""
    paper, ink = pick(rng, tones("fdfcf5 f4efe0 ffffff")), pick(rng, tones("1a2a6c 222222 5a2a1a"))
    line, pencil = pick(rng, tones("b8cfe4 c8d8c0 d8c8c8")), mixed(ink, paper, 0.35)

    def squared(patch: Patch) -> None:
        patch.box(line)
        patch.box(paper, at=(patch.left + 1, patch.top + 1, patch.right, patch.bottom))

    def hatched(patch: Patch) -> None:
        squared(patch)
        for at in np.arange(-0.7, 0.8, 0.2).tolist():
            ends = np.array([(t, at - t) for t in (max(-0.42, at - 0.42), min(0.42, at + 0.42))])
            places = (ends + patch.rng.normal(0, 0.015, ends.shape)) * patch.size + (patch.cx, patch.cy)
            patch.stroke(pencil, [(x, y) for x, y in places.tolist()], max(1, 0.035 * patch.size))

    plate = flat(paper, inset=0.12, radius=0.2)
    palette = (ink,) * 9 if chance(rng, 0.5) else on(PALETTES[5], paper)
    look = make(
        rng, hatched, mixed(paper, ink, 0.3), squared, paper,
        stroked(0.56, palette, between(rng, 0.06, 0.09), 0.35), flag=both(plate, rare_flag(rng, paper)),
        question=both(plate, symbol("?", "chancery", 0.6, ink)),
        theme=replace(plain(paper, ink), face="chancery"), tags=("by hand",),
    )  # fmt: skip
    return replace(look, variants=4)


def seamless(rng: Rng, cell: int) -> Look:
    """No lines among covered cells, or none among opened ones."""
    base = hsv(rng.random(), between(rng, 0.2, 0.7), between(rng, 0.35, 0.7))
    floor, seam = pick(rng, (lighter(base, 0.8), (245, 245, 240))), chance(rng, 0.6)
    covered = flat(base) if seam else outlined(base, lighter(base, 0.3), 1)
    opened = outlined(floor, mixed(floor, base, 0.5), 1) if seam else flat(floor)
    return make(
        rng, covered, base, opened, floor, written(rng, _STRONG, 0.56, colours(rng, floor)),
        theme=replace(some_theme(rng, base), frame="line"), tags=("no lines" if seam else "no opened lines",),
    )  # fmt: skip


def fog(rng: Rng, cell: int) -> Look:
    """Covered and opened cells of nearly the same shade."""
    page = hsv(rng.random(), between(rng, 0, 0.1), between(rng, 0.75, 0.95))
    cover, line = darker(page, between(rng, 0.09, 0.14)), darker(page, between(rng, 0.18, 0.25))
    single: Palette = (against(hsv(rng.random(), 0.3, 0.55), page, ratio=3),) * 9
    palette = single if chance(rng, 0.5) else colours(rng, page)
    return make(
        rng, outlined(cover, line, 1), cover, outlined(page, line, 1), page,
        written(rng, (*_THIN, "carlito bold"), 0.5, palette), theme=some_theme(rng, cover, dark=False),
        tags=("little contrast",),
    )  # fmt: skip


# Consoles and engines


def console(rng: Rng, cell: int) -> Look:
    """Eight by eight pixels in sixteen colours, or in four greens."""
    if chance(rng, 0.35):
        four = pick(rng, ("0f380f 306230 8bac0f 9bbc0f", "081820 346856 88c070 e0f8d0"))
        ink, cover, shade, floor = tones(four)
        palette: Palette = (ink,) * 9
        marks = pixel_marks(floor, floor, ink, shade)
    else:
        cover = pick(rng, tones("1d2b53 008751 5f574f 83769c 29adff"))
        floor = pick(rng, tones("c2c3c7 fff1e8 000000 ffccaa"))
        inks = tones("83769c 29adff 008751 ff004d 7e2553 ab5236 00e436 5f574f ff77a8")
        palette = on(inks, floor, ratio=2.6)
        cloth, pole = against((255, 0, 77), cover, ratio=2), against(WHITE, cover, ratio=3)
        marks = pixel_marks(cloth, pole, against(BLACK, floor, ratio=4), floor)
    line, kind = max(1, cell // 8), pick(rng, ("dots", "grass", "stripes"))
    raised = bevel(cover, lighter(cover, 0.4), darker(cover, 0.4), line)
    opened = outlined(floor, mixed(floor, cover, 0.3), line) if cell >= 12 else flat(floor)
    return make(
        rng, pick(rng, (raised, flat(cover), grained(rng, cover, 14, 8, kind=kind))), cover, opened, floor,
        pixelled(0.62, palette, big=False), flag=marks[0], mine=marks[1], question=marks[2],
        ground=mixed(floor, cover, 0.5), gap=1 if cell < 12 else pick(rng, (0, line)), smooth=False,
        theme=Theme(BLACK, (29, 43, 83), (255, 241, 232), (255, 0, 77), "mononoki bold", "line"),
        tags=("pixel art",),
    )  # fmt: skip


def text_mode(rng: Rng, cell: int) -> Look:
    """Blocks of a text mode: shades of dots for covered cells, colours of a palette of sixteen."""
    paper = pick(rng, tones("0000aa 000000 00aaaa 555555"))
    ink = against(pick(rng, tones("aaaaaa 55ffff ffff55")), paper, ratio=4)
    other = lighter(paper, 0.25) if luminance(paper) < 0.2 else darker(paper, 0.3)
    inks = tones("aaaaaa 5555ff 55ff55 ff5555 ff55ff ffff55 55ffff ffffff aaaaaa")
    shade = grained(rng, mixed(paper, ink, 0.5), 40, max(4, cell // 2), kind=pick(rng, ("dots", "stripes")))

    def sign(text: str, colour: Colour, ground: Colour) -> Mark:
        mark = symbol(text, "mono bold", 0.6, against(colour, ground, ratio=3.5))
        return both(flat(ground, inset=0.05), mark)

    return make(
        rng, shade, other, flat(paper), paper,
        written(rng, ("mono bold", "mononoki bold"), 0.6, on(inks, paper, ratio=3.5)),
        flag=sign(pick(rng, "P!F"), (255, 85, 85), other), question=sign("?", (85, 255, 255), other),
        mine=symbol(pick(rng, "*@"), "mono bold", 0.6, against(WHITE, paper)), ground=paper,
        gap=pick(rng, (1, 2)), smooth=False, theme=Theme(paper, paper, ink, ink, "mononoki bold", "line"),
        tags=("text mode",),
    )  # fmt: skip


def blocks(rng: Rng, cell: int) -> Look:
    """Textures of a world of blocks, eight or sixteen pixels a side: turf, stone, brick, wood, sand."""
    hide, bare = tones(pick(rng, ("6aa043 7a5536", "7f7f7f dbd3a0", "96604a b8945f", "3c6fb4 d8cc98")))
    above, below = pick(rng, ("grass", "noise", "bricks", "wood")), pick(rng, ("noise", "wood"))
    side, rim = pick(rng, (8, 16)), chance(rng, 0.6)
    covered = grained(rng, hide, between(rng, 10, 20), side, kind=above)
    inks = tones("ffffff 5555ff 55ff55 ff5555 aa00aa ffaa00 55ffff 111111 aaaaaa")
    pole = against(WHITE, hide, ratio=3)
    flag, mine, question = pixel_marks(against((230, 30, 30), hide, ratio=2), pole, BLACK, WHITE)
    return make(
        rng, rimmed(covered, WHITE, BLACK, max(1, cell // 16)) if rim else covered, hide,
        grained(rng, bare, between(rng, 6, 11), side, kind=below), bare,
        pixelled(0.56, on(inks, bare, ratio=2.4), shadow=darker(bare, 0.65)), flag=flag, mine=mine,
        question=question, ground=darker(bare, 0.35), gap=pick(rng, (0, 1, 2)) if rim else 1, smooth=False,
        theme=Theme((40, 36, 30), (198, 198, 198), BLACK, (110, 110, 110), "mononoki bold", "bevel"),
        tags=("texture", "pixel art"),
    )  # fmt: skip


def engine(rng: Rng, cell: int) -> Look:
    """First games made with a games library: plain squares, black lines, primary colours, discs as mines."""
    cover = pick(rng, tones("808080 a9a9a9 00c800 1e90ff ffa500 b4b4b4 4682b4 228b22"))
    floor = pick(rng, tones("ffffff dcdcdc 000000 f5deb3 c8c8c8"))
    floor = floor if contrast(floor, cover) > 1.5 else (WHITE if luminance(cover) < 0.5 else BLACK)
    disc, radius = against(pick(rng, tones("ff0000 000000 800080")), floor, ratio=3), between(rng, 0.2, 0.4)
    faces, palette = ("sans bold", "carlito", "b612", "mononoki"), colours(rng, floor, single=0.5)
    return make(
        rng, flat(cover), cover, flat(floor), floor, written(rng, faces, between(rng, 0.4, 0.62), palette),
        ground=pick(rng, (BLACK, (60, 60, 60), WHITE)), gap=pick(rng, (1, 1, 2)), smooth=chance(rng, 0.5),
        mine=lambda patch: patch.oval(disc, patch.cx, patch.cy, radius * patch.size),
        blast=flat((255, 255, 0)), zeros=chance(rng, 0.15),
        theme=plain(pick(rng, (BLACK, WHITE, cover)), cover),
    )  # fmt: skip


_STYLES: tuple[Style, ...] = (
    store, three_one, skinned, forms, metal, tinted_notes, carved, marble, page_buttons, framework, candy,
    garden, through_window, puzzle, motifs, dice, thin, dark_holes, by_hand, seamless, fog, console,
    text_mode, blocks, engine,
)  # fmt: skip
NEW_STYLES = {style.__name__.replace("_", " "): style for style in _STYLES}
NEW_LEAST_CELLS = {  # as in `styles`; console art is whole at eight pixels
    "store": 14, "through window": 14, "motifs": 18, "dice": 18, "thin": 30, "by hand": 20, "console": 8,
    "candy": 16, "marble": 14, "text mode": 14, "framework": 14, "three one": 9, "forms": 14, "blocks": 14,
}  # fmt: skip
