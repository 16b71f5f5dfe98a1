"""Styles of programs: toolkits of four decades, pages and telephones, screens that glow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heldout.canvas import (
    BLACK,
    BOLD,
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
    luminance,
    mixed,
    pick,
    tones,
)
from heldout.looks import (
    Look,
    Theme,
    bevel,
    build,
    cornered,
    edge_of,
    flat,
    lifted,
    outlined,
    shaded,
    some_gap,
    some_theme,
)
from heldout.marks import (
    CLASSIC,
    PALETTES,
    Palette,
    ball,
    both,
    burst,
    colours,
    cross,
    letters,
    on,
    pennant,
    pixelled,
    rings,
    spectrum,
    symbol,
    written,
)


def classic(rng: Rng, cell: int) -> Look:
    """The grey bevelled squares of the nineties."""
    grey = pick(rng, tones("c0c0c0 c6c3be bdbdc7 c8c8c8 b4bcb4"))
    width = edge_of(cell, between(rng, 0.07, 0.14))
    covered = bevel(grey, WHITE, darker(grey, 0.34), width)
    opened = cornered(grey, darker(grey, 0.34), max(1, width // 2))
    mine = ball(BLACK, WHITE, radius=0.26)
    number = written(pick(rng, BOLD), 0.6, on(CLASSIC, grey, ratio=2.1), late=cell > 20)
    theme = Theme(grey, grey, BLACK, (0, 0, 128), "sans", "bevel", "led")
    return build(
        rng, covered, opened, (grey,), (grey,), number,
        flag=pennant((255, 0, 0), BLACK, base=True, left=True), mine=mine, smooth=False, theme=theme,
        blast=cornered((255, 0, 0), darker(grey, 0.34), 1),
    )  # fmt: skip


def monochrome(rng: Rng, cell: int) -> Look:
    """Black and white, one bit a pixel: covered cells are dotted, or raised by a black edge."""
    dots = chance(rng, 0.6)

    def dotted(patch: Patch) -> None:
        patch.box(WHITE)
        for y in range(int(patch.top), int(patch.bottom), 2):
            for x in range(int(patch.left) + y // 2 % 2, int(patch.right), 2):
                patch.box(BLACK, at=(x, y, x + 1, y + 1))

    def raised(patch: Patch) -> None:
        edge = max(2, cell // 8)
        patch.box(BLACK)
        patch.box(WHITE, at=(patch.left, patch.top, patch.right - edge, patch.bottom - edge))

    def plate(mark: Mark) -> Mark:
        return both(flat(WHITE, inset=0.12), mark) if dots else mark

    covered = dotted if dots else raised
    mine = pick(rng, (ball(BLACK, WHITE), symbol("*", "sans bold", 0.5, BLACK), rings(BLACK, WHITE)))
    return build(
        rng, covered, flat(WHITE), (WHITE,), (WHITE,), pixelled(0.62, (BLACK,) * 9, big=chance(rng, 0.7)),
        ground=BLACK, gap=1, smooth=False, mine=mine, flag=plate(pennant(BLACK, BLACK)),
        question=plate(symbol("?", "sans bold", 0.6, BLACK)), blast=flat(BLACK),
        exploded=both(flat(BLACK), ball(WHITE, BLACK)),
        wrong=both(flat(WHITE), mine, cross(BLACK, 0.06, 0.46)),
        theme=Theme(WHITE, WHITE, BLACK, BLACK, "b612", "line", "text"), tags=("one bit",),
    )  # fmt: skip


def toolkit(rng: Rng, cell: int) -> Look:
    """A first exercise with a grey toolkit: raised buttons that sink, letters for flags and mines."""
    grey = pick(rng, tones("d9d9d9 d4d0c8 e6e4e0 c8ccd2"))
    light, dark, width = lighter(grey, 0.7), darker(grey, 0.42), max(1, min(3, cell // 12))
    sunk = pick(rng, (grey, lighter(grey, 0.4), darker(grey, 0.12)))
    face = pick(rng, ("sans bold", "sans", "mono bold", "carlito bold"))
    palette = on(CLASSIC, sunk) if chance(rng, 0.6) else (against(BLACK, sunk),) * 9
    flag, mine = letters(
        pick(rng, ("F", "P", "!")), pick(rng, ("*", "M", "B", "@")), face, against((200, 0, 0), grey), BLACK
    )
    return build(
        rng, bevel(grey, light, dark, width), bevel(sunk, darker(sunk, 0.25), lighter(sunk, 0.6), 1),
        (grey,), (sunk,), written(face, between(rng, 0.45, 0.6), palette), flag=flag, mine=mine,
        zeros=chance(rng, 0.25), theme=Theme(grey, grey, BLACK, (0, 90, 170), face, "none", "text"),
    )  # fmt: skip


def aero(rng: Rng, cell: int) -> Look:
    """Glass squares in blue or green under a light that falls over the whole board."""
    hue = pick(rng, (0.58, 0.6, 0.36, 0.62, 0.45))
    dark, light = hsv(hue, 0.75, 0.78), hsv(hue, 0.45, 0.95)
    pale, other = hsv(hue, 0.1, 0.96), hsv(hue, 0.16, 0.92)

    def lit(board: Rgb, _: Rng) -> Rgb:
        y, x = np.mgrid[0 : board.shape[0], 0 : board.shape[1]]
        share = 1.06 - 0.22 * (x / board.shape[1] + y / board.shape[0]) / 2
        return np.asarray(np.clip(board * share[..., None], 0, 255), np.uint8)

    number = written(
        pick(rng, ("bookman bold", "caladea bold", "schoolbook bold")), 0.56, on(CLASSIC, pale, other)
    )
    return build(
        rng, shaded(light, dark, angle="diagonal", edge=darker(dark, 0.4), radius=0.06),
        shaded(pale, other, angle="diagonal", edge=hsv(hue, 0.3, 0.75)), (dark, light), (pale, other),
        number, ground=darker(dark, 0.3), mine=ball((40, 40, 50), WHITE), cover=lit,
        theme=some_theme(rng, dark),
    )  # fmt: skip


def immediate(rng: Rng, cell: int) -> Look:
    """The dark grey buttons of an immediate-mode toolkit, far apart."""
    panel, button = (pick(rng, tones("1b1b1b 26262a 0f0f14")), pick(rng, tones("3c3c3c 294a7a 48425a")))
    gap = some_gap(rng, cell, 0.1, 0.22)
    ink = pick(rng, ("b612 bold", "mononoki bold", "b612 mono"))
    opened = pick(rng, (panel, lighter(panel, 0.05)))
    button = against(button, opened, ratio=1.9)
    if chance(rng, 0.5):
        palette: Palette = (against((210, 210, 210), opened),) * 9
    else:
        palette = on(spectrum(rng, 0.5, 0.95), opened, ratio=4)
    mine = symbol(pick(rng, ("*", "\U0001f4a3", "☠", "✹")), "symbols", 0.6, (235, 235, 235))
    return build(
        rng, flat(button, radius=between(rng, 0, 0.15)), flat(opened, radius=0.08), (button,), (opened,),
        written(ink, 0.52, palette), ground=panel, gap=gap, mine=mine, blast=flat((190, 40, 40), radius=0.1),
        theme=Theme(panel, lighter(panel, 0.06), (200, 200, 200), button, "b612", "none", "text"),
    )  # fmt: skip


def sheet(rng: Rng, cell: int) -> Look:
    """A spreadsheet: thin grid lines, filled cells are covered, wide cells in some."""
    fill = pick(rng, tones("d9d9d9 bdd7ee c6e0b4 ffe699 808080"))
    line = pick(rng, tones("d4d4d4 a0a0a0 000000")) if luminance(fill) < 0.6 else (150, 150, 150)
    aspect = pick(rng, (1.0, 1.0, 1.4, 1.8))
    face = pick(rng, ("carlito", "carlito bold", "sans"))
    flag, mine = letters(
        pick(rng, ("F", "P", "!")),
        pick(rng, ("*", "X", "M", "B")),
        face,
        against((192, 0, 0), fill, ratio=3),
        BLACK,
    )
    number = written(face, 0.56, colours(rng, WHITE, single=0.4))
    return build(
        rng, flat(fill), flat(WHITE), (fill,), (WHITE,), number, ground=line, gap=1, flag=flag, mine=mine,
        aspect=aspect, zeros=chance(rng, 0.3), blast=flat((255, 150, 150)),
        theme=Theme(
            (243, 243, 243), (230, 230, 230), (60, 60, 60), (33, 115, 70), "carlito", "line", "text",
        ),
    )  # fmt: skip


def lawn(rng: Rng, cell: int) -> Look:
    """A checkerboard of a lawn over a checkerboard of earth, in other colours too."""
    hue, soil = pick(rng, (0.23, 0.25, 0.3, 0.55, 0.93)), pick(rng, (0.09, 0.11, 0.08))
    grass, earth = hsv(hue, between(rng, 0.5, 0.65), 0.84), hsv(soil, between(rng, 0.18, 0.3), 0.9)
    grass2, earth2 = darker(grass, between(rng, 0.04, 0.09)), darker(earth, between(rng, 0.03, 0.09))
    number = written(
        pick(rng, ("gothic bold", "carlito bold", "b612 bold")),
        between(rng, 0.5, 0.66),
        on(PALETTES[1], earth, earth2),
    )
    return build(
        rng, flat(grass, grass2), flat(earth, earth2), (grass, grass2), (earth, earth2), number,
        flag=pennant((242, 54, 7), (230, 51, 7), base=True), ground=earth, tags=("checkerboard",),
        theme=some_theme(rng, darker(grass, 0.45), dark=False),
    )  # fmt: skip


def material(rng: Rng, cell: int) -> Look:
    """Cards with a soft shadow on a plain page."""
    page = pick(rng, tones("fafafa eceff1 212121 263238"))
    dark = luminance(page) < 0.2
    card = hsv(rng.random(), between(rng, 0.25, 0.7), between(rng, 0.55, 0.9))
    opened = lighter(page, 0.12) if dark else darker(page, between(rng, 0.02, 0.1))
    covered = lifted(card, BLACK, radius=between(rng, 0.05, 0.16), depth=between(rng, 0.03, 0.06))
    number = written(pick(rng, ("carlito bold", "gothic bold", "b612 bold")), 0.55, colours(rng, opened))
    return build(
        rng, covered, flat(opened, inset=0.04, radius=0.1), (card,), (opened,), number, ground=page,
        gap=some_gap(rng, cell, 0.04, 0.14), theme=some_theme(rng, card, dark=dark),
    )  # fmt: skip


def soft(rng: Rng, cell: int) -> Look:
    """Neumorphism: cells of the page's own colour, raised by light and shadow, sunken when opened."""
    page = hsv(pick(rng, (0.6, 0.1, 0.45, 0.75)), between(rng, 0.03, 0.12), between(rng, 0.84, 0.92))
    light, dark, sunk = lighter(page, 0.9), darker(page, 0.3), darker(page, 0.08)

    def raised(patch: Patch) -> None:
        away, radius = patch.size * 0.05, patch.size * 0.2
        for colour, shift in ((dark, away), (light, -away)):
            patch.box(colour, inset=2 * away, radius=radius, shift=(shift, shift), blur=away * 0.6)
        patch.box(page, inset=2 * away, radius=radius)

    def hollow(patch: Patch) -> None:
        away, radius = patch.size * 0.05, patch.size * 0.2
        patch.box(darker(page, 0.22), inset=2 * away, radius=radius)
        patch.box(sunk, inset=2 * away, radius=radius, shift=(away * 0.6, away * 0.6), blur=away * 0.5)

    return build(
        rng, raised, hollow, (page,), (sunk,), written(pick(rng, BOLD), 0.48, colours(rng, sunk, page)),
        ground=page, blast=flat((235, 90, 80), radius=0.2, inset=0.12),
        theme=Theme(page, page, (60, 60, 70), (110, 110, 200), "gothic", "none", "text"),
    )  # fmt: skip


def heat(rng: Rng, cell: int) -> Look:
    """Numbers on grounds whose colour grows with them."""
    cold, hot = hsv(rng.random(), 0.25, 0.95), hsv(rng.random(), 0.85, 0.75)
    slate = pick(rng, tones("464e5c 34343a b8bec8"))
    gap = some_gap(rng, cell, 0.02, 0.1)

    def warm(patch: Patch, value: int) -> None:
        patch.box(mixed(cold, hot, value / 8) if value else (236, 236, 232), radius=0.08 * patch.size)

    palette = tuple(against(WHITE, mixed(cold, hot, value / 8), ratio=4.3) for value in range(9))
    return build(
        rng, flat(slate, radius=0.08), flat((236, 236, 232), radius=0.08), (slate,), ((236, 236, 232),),
        written(pick(rng, BOLD), 0.52, palette), tinted=warm, ground=pick(rng, tones("fafafa 1e1e22")),
        gap=gap, theme=some_theme(rng, slate), tags=("tinted numbers",),
    )  # fmt: skip


def keycaps(rng: Rng, cell: int) -> Look:
    """Pictograms: grey squares, numbers as white digits on blue keys."""
    key, square = (pick(rng, tones("3b88c3 5078c8 1e8c96")), pick(rng, tones("ccd6dd 78828c f0c850")))
    page = pick(rng, tones("ffffff 36393f 15202b"))
    blank = mixed(page, key, 0.18)
    square = against(square, blank, ratio=1.5)

    def keyed(patch: Patch, value: int) -> None:
        if value:
            patch.box(key, inset=0.04 * patch.size, radius=0.18 * patch.size)
        else:
            patch.box(blank, inset=0.04 * patch.size, radius=0.18 * patch.size)

    flag = pick(
        rng,
        (
            pennant((221, 46, 68), against((102, 117, 127), square, ratio=2), kind="wave", base=False),
            symbol("\U0001f6a9", "symbols", 0.66, against((200, 20, 40), square)),
        ),
    )
    skull = symbol(
        pick(rng, ("\U0001f480", "\U0001f4a3")), "symbols", 0.72, against((41, 47, 51), page, ratio=4)
    )
    return build(
        rng, flat(square, inset=0.04, radius=0.12), flat(page), (square,), (page,),
        written("b612 bold", 0.5, (WHITE,) * 9), tinted=keyed, ground=page, flag=flag, mine=skull,
        exploded=both(flat(page), burst((244, 144, 12), (221, 46, 68), 8)),
        theme=some_theme(rng, key, dark=luminance(page) < 0.2), tags=("tinted numbers", "pictograms"),
    )  # fmt: skip


def discs(rng: Rng, cell: int) -> Look:
    """Round cells."""
    page = pick(rng, tones("faf8f0 222831 dfe6e9"))
    disc = hsv(rng.random(), between(rng, 0.4, 0.8), between(rng, 0.6, 0.9))
    paper = lighter(page, 0.7) if luminance(page) > 0.4 else lighter(page, 0.13)

    def covered(patch: Patch) -> None:
        patch.oval(darker(disc, 0.35), patch.cx, patch.cy, patch.size * 0.47)
        patch.oval(disc, patch.cx, patch.cy - patch.size * 0.02, patch.size * 0.43)

    def opened(patch: Patch) -> None:
        patch.oval(mixed(paper, disc, 0.3), patch.cx, patch.cy, patch.size * 0.46)
        patch.oval(paper, patch.cx, patch.cy, patch.size * 0.42)

    def blast(patch: Patch) -> None:
        patch.oval((235, 60, 50), patch.cx, patch.cy, patch.size * 0.46)

    return build(
        rng, covered, opened, (disc,), (paper,), written(pick(rng, BOLD), 0.46, colours(rng, paper)),
        ground=page, blast=blast, theme=some_theme(rng, disc, dark=luminance(page) < 0.3),
        tags=("round cells",),
    )  # fmt: skip


def flat_night(rng: Rng, cell: int) -> Look:
    """A flat dark theme whose opened cells are darker, or lighter, than the covered ones."""
    base = pick(rng, tones("282c34 2e3440 002b36 272822 1e1e2e"))
    step = between(rng, 0.14, 0.3)
    covered, opened = (lighter(base, step), base) if chance(rng, 0.7) else (base, lighter(base, step + 0.08))
    accents = on(spectrum(rng, between(rng, 0.35, 0.7), 0.95), opened, ratio=4)
    return build(
        rng, flat(covered, radius=pick(rng, (0, 0, 0.1))), flat(opened), (covered,), (opened,),
        written(pick(rng, ("mononoki bold", "play bold", "b612 mono")), 0.55, accents),
        ground=darker(base, 0.3), gap=some_gap(rng, cell, 0.02, 0.12),
        theme=some_theme(rng, covered, dark=True),
    )  # fmt: skip


def minimal(rng: Rng, cell: int) -> Look:
    """Thin lines on paper white; what is covered has a faint fill; one colour for all digits."""
    ink = pick(rng, tones("282828 143c6e 6e1e28 1e503c"))
    fill, white = mixed(WHITE, ink, between(rng, 0.16, 0.35)), pick(rng, tones("ffffff fcfaf4"))
    face = pick(rng, ("old standard bold", "gothic bold", "palatino", "gothic"))
    mine = pick(
        rng, (rings(ink, white), ball(ink, white, spikes=0, radius=0.3), symbol("✹", "symbols", 0.6, ink))
    )
    flag = pick(
        rng,
        (
            pennant(ink, ink, base=False),
            symbol("⚑", "symbols", 0.56, against(ink, fill, ratio=4)),
            cross(against(ink, fill, ratio=4), 0.07, 0.25),
        ),
    )
    return build(
        rng, flat(fill), flat(white), (fill,), (white,), written(face, 0.5, (ink,) * 9),
        ground=mixed(WHITE, ink, 0.6), gap=1, flag=flag, mine=mine,
        blast=flat(mixed(WHITE, (230, 60, 60), 0.6)),
        wrong=both(flat(white), mine, cross((210, 30, 30), 0.05, 0.42)),
        theme=Theme(white, white, ink, ink, face, "line", "text"),
    )  # fmt: skip


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


Style = Callable[[Rng, int], Look]  # takes the size of a cell in pixels of the screen
_STYLES: tuple[Style, ...] = (
    classic, monochrome, toolkit, aero, immediate, sheet, lawn, material, soft,
    heat, keycaps, discs, flat_night, minimal, neon, phosphor, terminal, high_contrast,
)  # fmt: skip
STYLES = {style.__name__.replace("_", " "): style for style in _STYLES}
LEAST_CELLS = {  # pixels below which the art of a style can no longer be told apart
    "neon": 16, "soft": 16, "discs": 16, "phosphor": 14, "keycaps": 14, "immediate": 16, "terminal": 14,
    "material": 14,
}  # fmt: skip
