"""Styles of desktop programs: the toolkits of four decades."""

from __future__ import annotations

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
    luminance,
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
    cornered,
    edge_of,
    flat,
    glossy,
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


def forms(rng: Rng, cell: int) -> Look:
    """Flat buttons of a forms designer with a thin border; opened ones lose it."""
    button = pick(rng, tones("e1e1e1 f0f0f0 add8e6 dde8f5"))
    opened = pick(rng, (WHITE, (250, 250, 240), (160, 160, 160), darker(button, 0.3)))
    edge, gap = pick(rng, tones("adadad 0078d7 707070")), pick(rng, (0, 0, 1, 2))
    number = written(pick(rng, (*BOLD, "sans", "carlito")), between(rng, 0.45, 0.62), colours(rng, opened))
    return build(
        rng, outlined(button, edge, max(1, cell // 28)), outlined(opened, mixed(opened, edge, 0.35), 1),
        (button,), (opened,), number, ground=(240, 240, 240), gap=gap if cell > 14 else 0,
        theme=Theme((240, 240, 240), (240, 240, 240), BLACK, (0, 120, 215), "carlito", "none", "text"),
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


def aqua(rng: Rng, cell: int) -> Look:
    """Shiny round buttons as of a turn-of-the-century desktop."""
    colour = hsv(rng.random(), between(rng, 0.45, 0.8), between(rng, 0.75, 0.95))
    paper = lighter(colour, 0.86)
    gap = some_gap(rng, cell, 0.03, 0.1)
    return build(
        rng, glossy(colour, between(rng, 0.12, 0.3)),
        outlined(paper, mixed(paper, colour, 0.4), 1, radius=0.15), (colour, lighter(colour, 0.3)), (paper,),
        written(pick(rng, BOLD), 0.55, colours(rng, paper)), gap=gap, ground=lighter(colour, 0.7),
        theme=some_theme(rng, colour, dark=False),
    )  # fmt: skip


def fusion(rng: Rng, cell: int) -> Look:
    """Buttons with a slight gradient and round corners, light or dark."""
    dark = chance(rng, 0.4)
    base = pick(rng, tones("46484c 353535 3c4250") if dark else tones("efefef dce2e8"))
    opened = pick(rng, tones("202022 181a1e") if dark else tones("bec2c6 ffffff b2b8b0"))
    covered = shaded(lighter(base, 0.15), darker(base, 0.1), radius=0.1, edge=darker(base, 0.45))
    palette = on(pick(rng, PALETTES), opened, ratio=3.2)
    return build(
        rng, covered, outlined(opened, darker(base, 0.25), 1, radius=0.06), (base,), (opened,),
        written(pick(rng, (*BOLD, *PLAIN)), between(rng, 0.48, 0.62), palette), ground=darker(base, 0.12),
        gap=some_gap(rng, cell, 0.02, 0.08) if chance(rng, 0.5) else 0,
        theme=some_theme(rng, base, dark=dark),
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
