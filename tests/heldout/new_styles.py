"""A second set of styles: shops, web pages, toolkits, telephones, consoles, textures and things drawn by hand.

`make` gives each of them rare parts now and then: mines on covered cells, red mines, flags that get ticks at
the end, crosses of several kinds, pictures behind cells.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
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
from heldout.marks import CLASSIC, PALETTES, Palette, both, colours, on, pixelled, spectrum, symbol, written
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

THIN = ("gothic", "carlito", "narrow", "light bookman", "caladea", "old standard", "sans", "b612")
_STRONG = (*BOLD, "palatino bold", "sans slanted")


def make(
    rng: Rng, covered: Mark, opened: Mark, hide: tuple[Colour, ...], bare: tuple[Colour, ...], number: Any, **rest: Any
) -> Look:
    """Return what `build` returns, with marks that are rarer where none are given."""
    closed = chance(rng, 0.2) and "mine" not in rest  # mines on cells that still look covered
    red = chance(rng, 0.15)
    flag = rest.setdefault("flag", rare_flag(rng, *hide))
    mine = rest.setdefault("mine", rare_mine(rng, *(hide if closed else bare), red=red))
    if red:
        rest.setdefault("blast", flat(pick(rng, ((255, 190, 60), (250, 240, 120), (40, 40, 48))), radius=0.06))
    ground, ink = (covered, hide[0]) if closed else (opened, bare[0])
    rest.setdefault("wrong", wrong_marks(rng, covered, ground, flag, mine, against(BLACK, *hide, ratio=4), ink))
    look = build(rng, covered, opened, hide, bare, number, **rest)
    if closed:
        exploded = look.exploded and both(covered, flat(against((255, 80, 60), hide[0], ratio=1.3), inset=0.06), mine)
        look = replace(look, mine_ground=covered, exploded=exploded, tags=(*look.tags, "mines on covered"))
    if chance(rng, 0.12):
        wrong = both(covered, flag, tick(against((20, 20, 20), *hide, ratio=4)))
        green = against((20, 170, 60), *hide, ratio=2.2)
        crossed = look.wrong or both(covered, flag)
        look = replace(look, ticked=tick(green), wrong=crossed, tags=(*look.tags, "ticks"))
        del wrong
    return replace(look, tags=(*look.tags, *(["red mines"] if red else [])))


# Windows and its shops


def store(rng: Rng, cell: int) -> Look:
    """Glossy tiles of a shop's game: light, dark, or of a jungle."""
    kind = pick(rng, ("light", "dark", "jungle"))
    hue = {"light": 0.57, "dark": 0.6, "jungle": 0.24}[kind] + between(rng, -0.03, 0.03)
    tile = hsv(hue, 0.6, {"light": 0.85, "dark": 0.5, "jungle": 0.5}[kind])
    floor = {"light": (232, 238, 244), "dark": (38, 42, 52), "jungle": (205, 184, 140)}[kind]

    def glossy(patch: Patch) -> None:
        shaded(lighter(tile, 0.35), tile, radius=0.08, edge=darker(tile, 0.45))(patch)
        if kind == "jungle":
            patch.noise(22, max(1, cell // 12))
        patch.box(lighter(tile, 0.5), inset=0.08 * patch.size, at=(patch.left, patch.top, patch.right, patch.cy), alpha=0.35)

    number = written(pick(rng, ("narrow bold", "carlito bold", "gothic bold")), 0.56, on(PALETTES[1], floor), shadow=darker(floor, 0.3))
    return make(
        rng, glossy, outlined(floor, darker(floor, 0.12), 1), (lighter(tile, 0.2), tile), (floor,), number,
        ground=darker(tile, 0.6), gap=pick(rng, (0, 1, 2)), theme=some_theme(rng, tile, dark=kind != "light"),
    )  # fmt: skip


def three_one(rng: Rng, cell: int) -> Look:
    """The first Windows: hard pixels, bevels of one or two pixels, digits of squares."""
    grey = pick(rng, tones("c0c0c0 c3c3c3 b8b8b8"))
    width = max(1, cell // 8)
    flag, mine, question = pixel_marks((255, 0, 0), BLACK, BLACK, WHITE)
    opened = outlined(grey, darker(grey, 0.35), max(1, width // 2)) if chance(rng, 0.5) else bevel(grey, darker(grey, 0.35), grey, 1)
    return make(
        rng, bevel(grey, WHITE, darker(grey, 0.36), width), opened, (grey,), (grey,),
        pixelled(0.62, on(CLASSIC, grey, ratio=2.1), big=chance(rng, 0.5)), flag=flag, mine=mine, question=question,
        smooth=False, theme=Theme(grey, grey, BLACK, (0, 0, 128), "sans", "bevel", "led"), tags=("pixel art",),
    )  # fmt: skip


def skinned(rng: Rng, cell: int) -> Look:
    """The bevelled squares of clones in a colour of the player: green, pink, blue, night."""
    hue, night = rng.random(), chance(rng, 0.3)
    base = hsv(hue, between(rng, 0.25, 0.75), between(rng, 0.28, 0.4) if night else between(rng, 0.65, 0.92))
    floor = pick(rng, (base, lighter(base, 0.55), darker(base, 0.35), darker(base, 0.15)))
    width = edge_of(cell, between(rng, 0.06, 0.16))
    covered = bevel(base, lighter(base, 0.55), darker(base, 0.4), width)
    return make(
        rng, covered, outlined(floor, darker(floor, 0.3), 1), (base,), (floor,),
        written(pick(rng, _STRONG), 0.6, on(CLASSIC, floor, ratio=2.6)), smooth=chance(rng, 0.5),
        theme=Theme(base, base, against(BLACK, base, ratio=5), darker(base, 0.4), "sans", "bevel", "led"),
    )  # fmt: skip


def luna(rng: Rng, cell: int) -> Look:
    """Rounded buttons of a system of 2001, blue, olive or silver."""
    rim, face = pick(rng, ((0, 60, 116), (55, 98, 6), (90, 90, 110))), pick(rng, tones("ecebe5 f4f3ee dfdff0"))
    floor = pick(rng, tones("ece9d8 ffffff d6dff7"))
    return make(
        rng, shaded(WHITE, darker(face, 0.1), radius=0.14, edge=rim), outlined(floor, darker(floor, 0.15), 1), (face,), (floor,),
        written(pick(rng, ("sans bold", "sans", "carlito bold")), 0.5, colours(rng, floor), late=True),
        ground=(236, 233, 216), gap=pick(rng, (0, 1, 2)), theme=Theme((236, 233, 216), (236, 233, 216), BLACK, rim, "sans", "none", "text"),
    )  # fmt: skip


def forms(rng: Rng, cell: int) -> Look:
    """Buttons of a form; opened ones are disabled, and their digits often grey."""
    face, rim = pick(rng, (((225, 225, 225), (173, 173, 173)), ((221, 221, 221), (112, 112, 112)), ((253, 253, 253), (208, 208, 208))))
    floor, grey = pick(rng, tones("f4f4f4 cccccc f0f0f0 bfbfbf")), chance(rng, 0.4)
    floor = floor if contrast(floor, face) > 1.04 else darker(face, 0.16)
    palette: Palette = (against((131, 131, 131), floor, ratio=2.4),) * 9 if grey else on(CLASSIC, floor)
    return make(
        rng, outlined(face, rim, 1), outlined(floor, mixed(rim, floor, 0.4), 1), (face,), (floor,),
        written(pick(rng, ("carlito", "sans", "carlito bold")), between(rng, 0.38, 0.55), palette, late=True),
        ground=(240, 240, 240), gap=pick(rng, (0, 0, 2, 4)), zeros=chance(rng, 0.1), theme=Theme((240, 240, 240), (240, 240, 240), BLACK, (0, 120, 215), "carlito", "none", "text"),
    )  # fmt: skip


def metal(rng: Rng, cell: int) -> Look:
    """The bluish gradients of an old cross-platform toolkit, or the silvery ones of its successor."""
    top, low, rim = pick(rng, (tones("ffffff b8cfe5 7a8a99"), tones("fafafa d6d9df 9297a1"), tones("e8e8ec a8b0c0 5c6270")))
    floor = pick(rng, (tones("eeeeee ffffff d6d9df")))
    return make(
        rng, shaded(top, low, radius=pick(rng, (0, 0.1)), edge=rim), outlined(floor, rim, 1), (low,), (floor,),
        written(pick(rng, ("sans bold", "b612 bold", "carlito bold")), 0.46, colours(rng, floor, single=0.3), late=True),
        ground=floor, gap=pick(rng, (0, 0, 1)), theme=Theme((238, 238, 238), (238, 238, 238), (51, 51, 51), (99, 130, 191), "sans bold", "line", "text"),
    )  # fmt: skip


def motif_desk(rng: Rng, cell: int) -> Look:
    """Thick bevels in the muted colours of a workstation."""
    base = pick(rng, tones("9c8fb0 6f8fa8 b0a48c 7e9e8e a8b8c8"))
    floor = pick(rng, (darker(base, 0.16), lighter(base, 0.25)))
    width = max(2, round(cell * between(rng, 0.08, 0.13)))
    return make(
        rng, bevel(base, lighter(base, 0.5), darker(base, 0.5), width), bevel(floor, darker(floor, 0.45), lighter(floor, 0.4), max(1, width // 2)),
        (base,), (floor,), written(pick(rng, ("sans bold", "roman bold", "mono bold")), 0.5, on(CLASSIC, floor, ratio=3)),
        smooth=False, gap=pick(rng, (0, 2)), theme=Theme(base, base, BLACK, darker(base, 0.4), "sans", "bevel", "text"),
    )  # fmt: skip


# Desktops of free systems


def tinted_notes(rng: Rng, cell: int) -> Look:
    """Opened cells whose pale ground has a hue of its own for each number, dark digits, small gaps."""
    cover = pick(rng, tones("babdb6 888a85 6f8396 b8a890"))
    blank = pick(rng, tones("deded4 f6f5f4 eeeeec"))
    start = rng.random()
    tints = [blank, *(hsv(start + 0.37 * value, between(rng, 0.12, 0.3), 0.96) for value in range(1, 9))]
    ink = pick(rng, (True, False))
    palette = tuple(against((46, 52, 54) if ink else hsv(start + 0.37 * value, 0.9, 0.5), tints[value], ratio=4.5) for value in range(9))
    return make(
        rng, flat(cover, radius=0.06), flat(blank, radius=0.06), (cover,), (blank,), written(pick(rng, ("b612 bold", "carlito bold")), 0.5, palette),
        tinted=lambda patch, value: patch.box(tints[value], radius=0.06 * patch.size), ground=pick(rng, tones("ffffff f6f5f4 3d3846")),
        gap=some_gap(rng, cell, 0.03, 0.08), tags=("tinted numbers",),
    )  # fmt: skip


def carved(rng: Rng, cell: int) -> Look:
    """Rounded vector tiles with a bright rim, digits with a shadow: green, blue, sand, graveyard."""
    base = hsv(pick(rng, (0.3, 0.36, 0.57, 0.1, 0.75)), between(rng, 0.3, 0.7), between(rng, 0.6, 0.85))
    floor = pick(rng, (lighter(base, 0.75), darker(base, 0.72), (226, 222, 208)))

    def tile(patch: Patch) -> None:
        patch.box(darker(base, 0.4), radius=0.12 * patch.size)
        patch.gradient(lighter(base, 0.45), base, inset=0.05 * patch.size, radius=0.1 * patch.size, angle="diagonal")
        patch.gradient(base, lighter(base, 0.2), inset=0.14 * patch.size, radius=0.05 * patch.size)

    return make(
        rng, tile, outlined(floor, mixed(floor, base, 0.4), 1), (base, lighter(base, 0.2)), (floor,),
        written(pick(rng, _STRONG), 0.58, on(pick(rng, PALETTES), floor), shadow=mixed(floor, BLACK, 0.35)), theme=some_theme(rng, base),
    )  # fmt: skip


def marble(rng: Rng, cell: int) -> Look:
    """Stone, wood or marble, raised where covered."""
    kind = pick(rng, ("marble", "wood", "noise", "bricks"))
    base = pick(rng, {"wood": tones("a9713c c89a5c 7d5632"), "bricks": tones("a8553c 9a8c7c")}.get(kind, tones("9fa6a0 c4bfb2 7c8894 b49a88")))
    floor = pick(rng, (lighter(base, 0.6), darker(base, 0.62)))
    width = max(1, cell // 12)
    rough, plain = grained(rng, base, 14, 24, kind=kind), grained(rng, floor, 7, 16)

    def raised(patch: Patch) -> None:
        rough(patch)
        for at, colour in (((patch.left, patch.top, patch.right, patch.top + width), WHITE), ((patch.left, patch.top, patch.left + width, patch.bottom), WHITE), ((patch.left, patch.bottom - width, patch.right, patch.bottom), BLACK), ((patch.right - width, patch.top, patch.right, patch.bottom), BLACK)):  # fmt: skip
            patch.box(colour, at=at, alpha=0.5)

    def sunk(patch: Patch) -> None:
        plain(patch)
        patch.box(BLACK, at=(patch.left, patch.top, patch.right, patch.top + 1), alpha=0.4)
        patch.box(BLACK, at=(patch.left, patch.top, patch.left + 1, patch.bottom), alpha=0.4)

    return make(
        rng, raised, sunk, (lighter(base, 0.1), darker(base, 0.1)), (floor,), written(pick(rng, _STRONG), 0.58, on(CLASSIC, floor, ratio=3.6)),
        theme=some_theme(rng, base), tags=("texture",),
    )  # fmt: skip


# Pages


def page_buttons(rng: Rng, cell: int) -> Look:
    """Plain buttons of a browser, and coloured emoji on them."""
    face = pick(rng, tones("efefef ffffff e0e0e0 bisque".replace("bisque", "ffe4c4")))
    rim, floor = pick(rng, tones("767676 000000 999999")), pick(rng, tones("ffffff d3d3d3 c8c8c8 fafad2"))
    floor = floor if contrast(floor, face) > 1.12 else darker(face, 0.24)
    wide = pick(rng, (1, 1, 2)) if cell >= 16 else 1
    return make(
        rng, outlined(face, rim, wide), outlined(floor, rim, 1), (face,), (floor,),
        written(pick(rng, ("sans", "roman bold", "sans bold", "mono bold", "caladea")), between(rng, 0.4, 0.55), colours(rng, floor, single=0.35), late=True),
        ground=WHITE, gap=pick(rng, (0, 0, 2, 3)), theme=Theme(WHITE, WHITE, BLACK, (0, 0, 238), pick(rng, ("sans", "caladea")), "none", "text"), zeros=chance(rng, 0.12),
    )  # fmt: skip


def framework(rng: Rng, cell: int) -> Look:
    """The slate and indigo of pages made with frameworks of today, light or dark."""
    dark = chance(rng, 0.5)
    page = pick(rng, tones("0f172a 111827 18181b 1a1b26") if dark else tones("f8fafc f3f4f6 ffffff eef2ff"))
    cover = pick(rng, tones("334155 4338ca 0e7490 52525b") if dark else tones("94a3b8 6366f1 38bdf8 cbd5e1 34d399"))
    floor = pick(rng, (lighter(page, 0.06), page)) if dark else pick(rng, (darker(page, 0.06), WHITE))
    round_by = pick(rng, (0, 0.08, 0.15, 0.25))
    number = written(pick(rng, ("b612 bold", "carlito bold", "mononoki bold", "play bold")), between(rng, 0.36, 0.5), colours(rng, floor, single=0.1))
    return make(
        rng, flat(cover, radius=round_by), outlined(floor, mixed(floor, cover, 0.3), 1), (cover,), (floor,), number,
        ground=page, gap=some_gap(rng, cell, 0.04, 0.16), theme=some_theme(rng, cover, dark=dark),
    )  # fmt: skip


def night_bevel(rng: Rng, cell: int) -> Look:
    """The dark skin of a large site: bevels of dark greys, bright digits."""
    base = pick(rng, tones("4c545c 3f474f 5a5a5a 46505c"))
    floor = pick(rng, (darker(base, 0.25), lighter(base, 0.1)))
    bright = tones("808080 7cc7ff 66c266 ff7788 ee88ff ddaa22 66cccc 999999 d0d8e0")
    return make(
        rng, bevel(base, lighter(base, 0.28), darker(base, 0.5), edge_of(cell, 0.1)), outlined(floor, darker(floor, 0.4), 1), (base,), (floor,),
        written(pick(rng, ("sans bold", "gothic bold", "sans slanted")), 0.56, on(bright, floor, ratio=3)),
        mine=rare_mine(rng, floor), theme=Theme(darker(base, 0.4), base, (220, 220, 220), lighter(base, 0.3), "sans", "bevel", "led"),
    )  # fmt: skip


def candy(rng: Rng, cell: int) -> Look:
    """Bubbles with a shine in strong colours, and green ones as often as not."""
    base = hsv(pick(rng, (0.33, 0.3, 0.36, 0.92, 0.55, 0.13, 0.78)), 0.75, 0.85)
    floor = pick(rng, (lighter(base, 0.82), (255, 250, 235), darker(base, 0.75)))

    def bubble(patch: Patch) -> None:
        s = patch.size
        patch.box(darker(base, 0.4), inset=0.03 * s, radius=0.28 * s)
        patch.gradient(lighter(base, 0.25), darker(base, 0.08), inset=0.07 * s, radius=0.24 * s)
        patch.box(WHITE, at=(patch.left + 0.16 * s, patch.top + 0.12 * s, patch.right - 0.16 * s, patch.top + 0.36 * s), radius=0.11 * s, alpha=0.4)

    return make(
        rng, bubble, flat(floor, inset=0.03, radius=0.2), (base,), (floor,), written(pick(rng, ("gothic bold", "bookman bold", "play bold")), 0.54, on(PALETTES[6], floor)),
        ground=mixed(floor, base, 0.4), theme=some_theme(rng, base),
    )  # fmt: skip


def through_window(rng: Rng, cell: int) -> Look:
    """A picture that is seen through opened cells, muted by a veil."""
    veil = pick(rng, ((240, 240, 236), (30, 32, 40)))
    cover = hsv(rng.random(), between(rng, 0.1, 0.6), 0.45 if luminance(veil) > 0.5 else 0.75)
    return make(
        rng, bevel(cover, lighter(cover, 0.4), darker(cover, 0.4), edge_of(cell)), outlined(veil, mixed(veil, cover, 0.7), 1), (cover,), (veil,),
        written(pick(rng, _STRONG), 0.56, on(pick(rng, PALETTES), veil, ratio=5)), cover=through((veil,), between(rng, 0.25, 0.5)),
        theme=some_theme(rng, cover), tags=("picture behind",),
    )  # fmt: skip


def puzzle(rng: Rng, cell: int) -> Look:
    """Covered cells that together make a picture."""
    veil, floor = pick(rng, tones("7890a8 8aa078 a08890")), pick(rng, tones("f2f2f2 e8e2d0 24262c"))
    edge = pick(rng, (WHITE, BLACK, lighter(veil, 0.5)))
    return make(
        rng, outlined(veil, edge, max(1, cell // 20)), outlined(floor, mixed(floor, veil, 0.4), 1), (veil,), (floor,),
        written(pick(rng, _STRONG), 0.54, colours(rng, floor)), flag=rare_flag(rng, veil, darker(veil, 0.3), lighter(veil, 0.3)),
        cover=through((veil,), between(rng, 0.35, 0.7), 26), theme=some_theme(rng, veil), tags=("picture in front",),
    )  # fmt: skip


def motifs(rng: Rng, cell: int) -> Look:
    """A small picture on every covered cell; flags stand on a plate of their own or in place of it."""
    base = hsv(rng.random(), between(rng, 0.3, 0.7), between(rng, 0.5, 0.85))
    floor = pick(rng, ((238, 232, 216), (40, 42, 48), lighter(base, 0.8)))
    ground = pick(rng, (flat(base), bevel(base, lighter(base, 0.4), darker(base, 0.4), edge_of(cell)), outlined(base, darker(base, 0.4), 1)))
    bare = lighter(base, 0.15)
    flag = both(flat(bare, inset=0.06), rare_flag(rng, bare))
    question = both(flat(bare, inset=0.06), symbol("?", "sans bold", 0.56, against(BLACK, bare, ratio=4)))
    return make(
        rng, both(ground, motif(rng, base)), outlined(floor, mixed(floor, base, 0.35), 1), (bare,), (floor,), written(pick(rng, _STRONG), 0.54, colours(rng, floor)),
        flag=flag, question=question, mine=rare_mine(rng, floor, red=chance(rng, 0.2)), theme=some_theme(rng, base), tags=("motif",),
    )  # fmt: skip


# Numbers of other kinds


def dice(rng: Rng, cell: int) -> Look:
    """Numbers as the dots of a die."""
    cover = hsv(rng.random(), between(rng, 0.1, 0.7), between(rng, 0.4, 0.8))
    floor = pick(rng, ((250, 250, 246), (244, 236, 214), (34, 36, 44)))
    return make(
        rng, shaded(lighter(cover, 0.2), cover, radius=0.1), flat(floor, radius=0.12), (cover,), (floor,), pips(colours(rng, floor, single=0.5)),
        ground=darker(floor, 0.25), gap=some_gap(rng, cell, 0.03, 0.09), theme=some_theme(rng, cover), tags=("dots",),
    )  # fmt: skip


def thin(rng: Rng, cell: int) -> Look:
    """Thin digits on bright or dark paper, made for screens of high density; often green."""
    paper = pick(rng, tones("ffffff fbfbfd 1c1c1e 000000"))
    dark = luminance(paper) < 0.2
    cover = pick(rng, tones("3a3a3c 0a84ff 48484a 30d158") if dark else tones("d1d1d6 c7e3ff b9e6c3 e5e5ea 34c759"))
    if chance(rng, 0.4):
        palette: Palette = (against((60, 200, 90), paper, ratio=2.6),) * 9
    else:
        palette = on(spectrum(rng, 0.7, 0.8), paper, ratio=2.8)
    number = stroked(0.44, palette, between(rng, 0.025, 0.045)) if chance(rng, 0.4) else written(pick(rng, THIN), between(rng, 0.36, 0.5), palette)
    return make(
        rng, flat(cover, radius=pick(rng, (0, 0.1, 0.2))), flat(paper), (cover,), (paper,), number, ground=paper if chance(rng, 0.5) else mixed(paper, cover, 0.6),
        gap=some_gap(rng, cell, 0.03, 0.08), theme=some_theme(rng, cover, dark=dark), tags=("thin",),
    )  # fmt: skip


def dark_holes(rng: Rng, cell: int) -> Look:
    """Opened blanks much darker than the ground of numbers, alone or in fields."""
    base = hsv(rng.random(), between(rng, 0.1, 0.5), between(rng, 0.6, 0.9))
    floor, hole = lighter(base, 0.6), darker(base, between(rng, 0.5, 0.8))
    return make(
        rng, bevel(base, lighter(base, 0.5), darker(base, 0.35), edge_of(cell)), flat(floor), (base,), (floor,), written(pick(rng, _STRONG), 0.55, on(CLASSIC, floor, ratio=3.4)),
        tinted=dark_blanks(outlined(hole, darker(hole, 0.2), 1), outlined(floor, darker(floor, 0.25), 1)), theme=some_theme(rng, base), tags=("dark blanks",),
    )  # fmt: skip


def segment_digits(rng: Rng, cell: int) -> Look:
    """Digits of light-emitting segments on a dark machine."""
    case = pick(rng, tones("20242a 2a2420 1c1c20"))
    light = pick(rng, tones("ff3b30 35e06a ffb000 45c8ff"))
    key = pick(rng, tones("6a717c 8c8272 50586a"))
    floor = darker(case, 0.5)
    return make(
        rng, bevel(key, lighter(key, 0.35), darker(key, 0.45), edge_of(cell)), flat(floor), (key,), (floor,), written(pick(rng, ("segments", "segments 14")), 0.5, (light,) * 9),
        ground=case, gap=some_gap(rng, cell, 0.04, 0.1), mine=rare_mine(rng, floor), theme=Theme(case, case, light, key, "b612 mono", "thick", "led"), tags=("segments",),
    )  # fmt: skip


def by_hand(rng: Rng, cell: int) -> Look:
    """Ink on squared paper: uneven lines and digits, hatched cells are covered."""
    paper = pick(rng, tones("fdfcf5 f4efe0 ffffff"))
    ink, line = pick(rng, tones("1a2a6c 222222 5a2a1a")), pick(rng, tones("b8cfe4 c8d8c0 d8c8c8"))

    def squared(patch: Patch) -> None:
        patch.box(line)
        patch.box(paper, at=(patch.left + 1, patch.top + 1, patch.right, patch.bottom))

    def hatched(patch: Patch) -> None:
        squared(patch)
        for at in np.arange(-0.7, 0.8, 0.2).tolist():
            a, b = max(-0.42, at - 0.42), min(0.42, at + 0.42)
            points = [(patch.cx + t * patch.size, patch.cy + (at - t) * patch.size + patch.rng.normal(0, 0.015) * patch.size) for t in (a, b)]
            patch.stroke(mixed(ink, paper, 0.35), points, max(1, 0.035 * patch.size))

    plate = partial(flat, paper, inset=0.12, radius=0.2)
    palette = (ink,) * 9 if chance(rng, 0.5) else on(PALETTES[5], paper)
    look = make(
        rng, hatched, squared, (mixed(paper, ink, 0.3),), (paper,), stroked(0.56, palette, between(rng, 0.06, 0.09), 0.35),
        flag=both(plate(), rare_flag(rng, paper)), question=both(plate(), symbol("?", "chancery", 0.6, ink)),
        theme=Theme(paper, paper, ink, ink, "chancery", "none", "text"), tags=("by hand",),
    )  # fmt: skip
    return replace(look, variants=4)


def seamless(rng: Rng, cell: int) -> Look:
    """No lines among covered cells, or none among opened ones."""
    base = hsv(rng.random(), between(rng, 0.2, 0.7), between(rng, 0.35, 0.7))
    floor = pick(rng, (lighter(base, 0.8), (245, 245, 240)))
    lined = outlined(floor, mixed(floor, base, 0.5), 1)
    flat_cover = chance(rng, 0.6)
    covered = flat(base) if flat_cover else outlined(base, lighter(base, 0.3), 1)
    opened = lined if flat_cover else flat(floor)
    return make(
        rng, covered, opened, (base,), (floor,), written(pick(rng, _STRONG), 0.56, colours(rng, floor)), theme=replace(some_theme(rng, base), frame="line"),
        tags=("no lines",) if flat_cover else ("no lines when opened",),
    )  # fmt: skip


def fog(rng: Rng, cell: int) -> Look:
    """Covered and opened cells of nearly the same shade."""
    page = hsv(rng.random(), between(rng, 0, 0.1), between(rng, 0.75, 0.95))
    cover, line = darker(page, between(rng, 0.09, 0.14)), darker(page, between(rng, 0.18, 0.25))
    return make(
        rng, outlined(cover, line, 1), outlined(page, line, 1), (cover,), (page,), written(pick(rng, (*THIN, "carlito bold")), 0.5, (against(hsv(rng.random(), 0.3, 0.55), page, ratio=3),) * 9 if chance(rng, 0.5) else colours(rng, page)),
        theme=some_theme(rng, cover, dark=False), tags=("pale",),
    )  # fmt: skip


# Consoles and engines


def console(rng: Rng, cell: int) -> Look:
    """Eight by eight pixels in sixteen colours, or in four greens."""
    if chance(rng, 0.35):
        shades = pick(rng, (tones("0f380f 306230 8bac0f 9bbc0f"), tones("081820 346856 88c070 e0f8d0")))
        cover, floor, ink = shades[1], shades[3], shades[0]
        palette: Palette = (ink,) * 9
        flag, mine, question = pixel_marks(shades[3], shades[3], ink, shades[2])
    else:
        cover, floor = pick(rng, tones("1d2b53 008751 5f574f 83769c 29adff")), pick(rng, tones("c2c3c7 fff1e8 000000 ffccaa"))
        palette = on(tones("83769c 29adff 008751 ff004d 7e2553 ab5236 00e436 5f574f ff77a8"), floor, ratio=2.6)
        ink = against(BLACK, floor, ratio=4)
        pole = against(WHITE, cover, ratio=3)
        flag, mine, question = pixel_marks(against((255, 0, 77), cover, ratio=2), pole, ink, floor)
    covered = pick(rng, (bevel(cover, lighter(cover, 0.4), darker(cover, 0.4), max(1, cell // 8)), flat(cover), grained(rng, cover, 14, 8, kind=pick(rng, ("dots", "grass", "stripes")))))
    line = max(1, cell // 8)
    opened = outlined(floor, mixed(floor, cover, 0.3), line) if cell >= 12 else flat(floor)
    return make(
        rng, covered, opened, (cover,), (floor,), pixelled(0.62, palette, big=False), flag=flag, mine=mine, question=question,
        ground=mixed(floor, cover, 0.5), gap=1 if cell < 12 else pick(rng, (0, line)), smooth=False, theme=Theme(BLACK, (29, 43, 83), (255, 241, 232), (255, 0, 77), "mononoki bold", "line", "text"), tags=("pixel art",),
    )  # fmt: skip


def text_mode(rng: Rng, cell: int) -> Look:
    """Blocks of a text mode: shades of dots for covered cells, colours of a palette of sixteen."""
    paper = pick(rng, tones("0000aa 000000 00aaaa 555555"))
    ink = against(pick(rng, tones("aaaaaa 55ffff ffff55")), paper, ratio=4)
    shade, other = pick(rng, ("dots", "stripes")), lighter(paper, 0.25) if luminance(paper) < 0.2 else darker(paper, 0.3)
    palette = on(tones("aaaaaa 5555ff 55ff55 ff5555 ff55ff ffff55 55ffff ffffff aaaaaa"), paper, ratio=3.5)
    dim = mixed(paper, ink, 0.5)
    flag, mine, question = (symbol(sign, "mono bold", 0.6, against(colour, ground, ratio=3.5)) for sign, colour, ground in ((pick(rng, "P!F"), (255, 85, 85), other), (pick(rng, "*@"), WHITE, paper), ("?", (85, 255, 255), other)))
    plate = flat(other, inset=0.05)
    return make(
        rng, grained(rng, dim, 40, max(4, cell // 2), kind=shade), flat(paper), (other,), (paper,), written(pick(rng, ("mono bold", "mononoki bold")), 0.6, palette),
        flag=both(plate, flag), mine=mine, question=both(plate, question), ground=paper, gap=pick(rng, (1, 2)), smooth=False,
        theme=Theme(paper, paper, ink, ink, "mononoki bold", "line", "text"), tags=("text mode",),
    )  # fmt: skip


def blocks(rng: Rng, cell: int) -> Look:
    """Textures of a world of blocks, sixteen pixels a side: turf over earth, stone over sand, brick over wood."""
    cover, floor, above, below = pick(rng, (
        ("6aa043", "7a5536", "grass", "noise"), ("7f7f7f", "dbd3a0", "noise", "noise"), ("4f8f3a", "c8b070", "grass", "noise"),
        ("96604a", "b8945f", "bricks", "wood"), ("3c6fb4", "d8cc98", "wood", "noise"),
    ))  # fmt: skip
    (hide,), (bare,) = tones(cover), tones(floor)
    side = pick(rng, (8, 16))
    texture = grained(rng, hide, between(rng, 10, 20), side, kind=above)
    rim = chance(rng, 0.6)
    covered = both(texture, lambda patch: patch.box(BLACK, at=(patch.left, patch.bottom - max(1, cell // 16), patch.right, patch.bottom), alpha=0.5), lambda patch: patch.box(WHITE, at=(patch.left, patch.top, patch.right, patch.top + max(1, cell // 16)), alpha=0.35)) if rim else texture  # fmt: skip
    palette = on(tones("ffffff 5555ff 55ff55 ff5555 aa00aa ffaa00 55ffff 111111 aaaaaa"), bare, ratio=2.4)
    flag, mine, question = pixel_marks(against((230, 30, 30), hide, ratio=2), against(WHITE, hide, ratio=3), BLACK, WHITE)
    return make(
        rng, covered, grained(rng, bare, between(rng, 6, 11), side, kind=below), (hide,), (bare,), pixelled(0.56, palette, shadow=darker(bare, 0.65)),
        flag=flag, mine=mine, question=question, ground=darker(bare, 0.35), gap=pick(rng, (0, 1, 2)) if rim else 1, smooth=False,
        theme=Theme((40, 36, 30), (198, 198, 198), BLACK, (110, 110, 110), "mononoki bold", "bevel", "text"), tags=("texture", "pixel art"),
    )  # fmt: skip


def engine(rng: Rng, cell: int) -> Look:
    """First games made with a games library: plain squares, black lines, primary colours, discs as mines."""
    cover = pick(rng, tones("808080 a9a9a9 00c800 1e90ff ffa500 b4b4b4 4682b4 228b22"))
    floor = pick(rng, tones("ffffff dcdcdc 000000 f5deb3 c8c8c8"))
    floor = floor if contrast(floor, cover) > 1.5 else (WHITE if luminance(cover) < 0.5 else BLACK)
    line = pick(rng, (BLACK, (60, 60, 60), WHITE))
    disc = against(pick(rng, tones("ff0000 000000 800080")), floor, ratio=3)
    number = written(pick(rng, ("sans bold", "carlito", "b612", "mononoki")), between(rng, 0.4, 0.62), colours(rng, floor, single=0.5), late=True)
    return make(
        rng, flat(cover), flat(floor), (cover,), (floor,), number, ground=line, gap=pick(rng, (1, 1, 2)), smooth=chance(rng, 0.5),
        mine=lambda patch: patch.oval(disc, patch.cx, patch.cy, between(np.random.default_rng(cell), 0.2, 0.4) * patch.size),
        blast=flat((255, 255, 0)), zeros=chance(rng, 0.15), theme=Theme(pick(rng, (BLACK, WHITE, cover)), (60, 60, 60), (230, 230, 230), cover, "sans", "none", "text"),
    )  # fmt: skip


def rounded_hud(rng: Rng, cell: int) -> Look:
    """A telephone's game with a thick rounded board, deep tiles and a lip below them."""
    base = hsv(rng.random(), between(rng, 0.35, 0.65), between(rng, 0.6, 0.9))
    floor = pick(rng, (darker(base, 0.6), lighter(base, 0.7)))

    def keyed(patch: Patch) -> None:
        s = patch.size
        patch.box(darker(base, 0.35), inset=0.02 * s, radius=0.16 * s)
        patch.box(base, at=(patch.left + 0.02 * s, patch.top + 0.02 * s, patch.right - 0.02 * s, patch.bottom - 0.13 * s), radius=0.16 * s)

    return make(
        rng, keyed, flat(floor, inset=0.02, radius=0.12), (base,), (floor,), written(pick(rng, ("gothic bold", "play bold", "b612 bold")), 0.5, colours(rng, floor)),
        ground=mixed(floor, base, 0.3), gap=some_gap(rng, cell, 0.02, 0.06), theme=replace(some_theme(rng, base), frame="thick"),
    )  # fmt: skip


def garden(rng: Rng, cell: int) -> Look:
    """Green or coloured turf in glassy squares; what hides there is flowers or mines."""
    turf, soil = hsv(between(rng, 0.22, 0.4), between(rng, 0.45, 0.75), between(rng, 0.5, 0.8)), hsv(between(rng, 0.07, 0.15), 0.25, 0.93)
    return make(
        rng, shaded(lighter(turf, 0.3), darker(turf, 0.15), angle="radial", edge=darker(turf, 0.4)), shaded(soil, darker(soil, 0.08), edge=darker(soil, 0.25)),
        (turf,), (soil,), written(pick(rng, ("palatino bold", "caladea bold", "bookman bold")), 0.58, on(CLASSIC, soil)), theme=some_theme(rng, turf, dark=False),
    )  # fmt: skip


_STYLES: tuple[Style, ...] = (
    store, three_one, skinned, luna, forms, metal, motif_desk, tinted_notes, carved, marble, page_buttons,
    framework, night_bevel, candy, through_window, puzzle, motifs, dice, thin, dark_holes, segment_digits,
    by_hand, seamless, fog, console, text_mode, blocks, engine, rounded_hud, garden,
)  # fmt: skip
NEW_STYLES = {style.__name__.replace("_", " "): style for style in _STYLES}
NEW_LEAST_CELLS = {  # as in `styles`; console art is whole at eight pixels
    "store": 14, "through window": 14, "motifs": 18, "dice": 18, "thin": 30, "segment digits": 16, "by hand": 20, "console": 8,
    "rounded hud": 16, "candy": 16, "marble": 14, "text mode": 14, "framework": 14, "three one": 9, "forms": 14, "blocks": 14,
}  # fmt: skip
