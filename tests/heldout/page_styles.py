"""Styles of pages and telephones: flat, soft, and of many colours."""

from __future__ import annotations

from heldout.canvas import (
    BLACK,
    WHITE,
    Patch,
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
from heldout.looks import Look, Theme, build, flat, lifted, outlined, some_gap, some_theme
from heldout.marks import (
    PALETTES,
    ball,
    both,
    burst,
    colours,
    cross,
    on,
    pennant,
    rings,
    spectrum,
    symbol,
    written,
)


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


def bootstrap(rng: Rng, cell: int) -> Look:
    """Buttons of a page's stock style sheet."""
    button = pick(rng, tones("0d6efd 6c757d 198754 0dcaf0 ffc107"))
    opened = pick(rng, tones("ffffff f8f9fa e9ecef"))
    number = written(pick(rng, (*PLAIN, *BOLD)), between(rng, 0.42, 0.55), colours(rng, opened))
    flag = symbol(pick(rng, ("⚑", "\U0001f6a9", "⚐")), "symbols", 0.58, against(WHITE, button, ratio=4))
    return build(
        rng, flat(button, radius=0.14), outlined(opened, (206, 212, 218), 1, radius=0.14), (button,),
        (opened,), number, ground=WHITE, gap=some_gap(rng, cell, 0.05, 0.2), flag=flag,
        blast=flat((220, 53, 69), radius=0.14),
        theme=Theme(WHITE, (248, 249, 250), (33, 37, 41), button, "carlito", "none", "icons"),
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


def candy(rng: Rng, cell: int) -> Look:
    """Sweets of many colours; pale where opened."""
    start = rng.random()
    sweets = [hsv(start + step, 0.6, 0.95) for step in (0, between(rng, 0.06, 0.5))]

    def covered(patch: Patch) -> None:
        colour = sweets[patch.parity]
        patch.gradient(lighter(colour, 0.5), darker(colour, 0.12), radius=0.3 * patch.size, angle="radial")

    pale = lighter(sweets[0], 0.85)
    number = written(pick(rng, ("gothic bold", "bookman bold")), 0.56, on(PALETTES[6], pale), shadow=WHITE)
    return build(
        rng, covered, flat(pale, radius=0.3), tuple(sweets), (pale,), number,
        ground=pick(rng, (lighter(sweets[1], 0.6), darker(sweets[0], 0.72))),
        gap=some_gap(rng, cell, 0.03, 0.1), theme=some_theme(rng, sweets[0]),
        tags=("checkerboard",) if sweets[0] != sweets[1] else (),
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
