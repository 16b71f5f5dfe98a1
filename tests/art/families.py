"""Families of grounds: what covered and opened cells look like, from 1990's bevels to dark web pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from art.grounds import Ground
from art.ink import Colour, Generator, hue_colour, mixed, random_colour

WHITE: Colour = (255.0, 255.0, 255.0)
BLACK: Colour = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """The grounds of covered and opened cells, and whether each number has a ground of its own."""

    covered: Ground
    opened: Ground
    tinted: bool = False


def _grey(value: float) -> Colour:
    return value, value, value


def _flat(colour: Colour) -> Ground:
    return Ground(colour, colour)


def _lined(rng: Generator, colour: Colour, line: Colour) -> Ground:
    sides = str(rng.choice(["tl", "br", "tlbr", "tlbr", ""]))
    width, dotted = float(rng.uniform(0.02, 0.06)), bool(rng.random() < 0.15)
    return Ground(colour, colour, line=line, line_width=width, sides=sides, dotted=dotted)


def _bevelled(rng: Generator, face: Colour, soft: bool) -> Ground:
    light = mixed(face, WHITE, float(rng.uniform(0.4, 0.8) if soft else rng.uniform(0.8, 1)))
    shadow = mixed(face, BLACK, float(rng.uniform(0.15, 0.45)))
    return Ground(face, face, light=light, shadow=shadow, bevel=float(rng.uniform(0.05, 0.17)))


def winmine(rng: Generator) -> Pair:
    """Grey with a white bevel; opened cells with a line at the top and left."""
    grey = _grey(192) if rng.random() < 0.6 else _grey(float(rng.uniform(150, 230)))
    shadow = mixed(grey, BLACK, 0.33)
    covered = Ground(grey, grey, light=WHITE, shadow=shadow, bevel=float(rng.uniform(0.06, 0.19)))
    opened = Ground(grey, grey, line=shadow, line_width=1 / 16, sides=str(rng.choice(["tl", "tl", "tlbr"])))
    return Pair(covered, opened)


def tinted_bevel(rng: Generator) -> Pair:
    """Bevels in any colour; opened cells flat, of the same colour or another."""
    face = random_colour(rng, (0, 0.8), (0.35, 0.95))
    ground = face if rng.random() < 0.4 else random_colour(rng, (0, 0.3), (0.6, 1))
    line = mixed(ground, BLACK, float(rng.uniform(0.1, 0.5)))
    return Pair(_bevelled(rng, face, soft=rng.random() < 0.6), _lined(rng, ground, line))


def vista(rng: Generator) -> Pair:
    """Glossy gradients between dark lines; opened cells pale with a gradient of their own."""
    hue, deep = float(rng.choice([0.6, 0.6, 0.35, rng.random()])), float(rng.uniform(0.35, 0.8))
    slope = str(rng.choice(["down", "across", "gloss"]))
    top, low = hue_colour(hue, deep * 0.6, 0.95), hue_colour(hue, deep, float(rng.uniform(0.5, 0.8)))
    line, width = hue_colour(hue, deep, 0.35), float(rng.uniform(0.03, 0.07))
    covered = Ground(
        top, low, slope, mixed(top, WHITE, 0.5), low, float(rng.uniform(0, 0.07)), line, width, "br"
    )
    pale = hue_colour(hue, float(rng.uniform(0.02, 0.2)), float(rng.uniform(0.8, 1)))
    opened = Ground(
        pale, mixed(pale, line, 0.15), slope, line=mixed(pale, line, 0.5), line_width=width, sides="br"
    )
    return Pair(covered, opened)


def flat(rng: Generator) -> Pair:
    """A flat web page: two plain colours and thin lines."""
    covered = random_colour(rng, (0, 0.8), (0.3, 0.95))
    opened = random_colour(rng, (0, 0.2), (0.8, 1)) if rng.random() < 0.7 else random_colour(rng)
    line = mixed(opened, BLACK, float(rng.uniform(0.1, 0.6)))
    return Pair(_lined(rng, covered, line), _lined(rng, opened, line))


def checker(rng: Generator) -> Pair:
    """No lines at all: every second cell is a little lighter (the board does that)."""
    hue = float(rng.choice([0.25, 0.25, 0.55, rng.random()]))
    covered = hue_colour(hue, float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.6, 0.9)))
    opened = random_colour(rng, (0.05, 0.3), (0.75, 0.95))
    return Pair(_flat(covered), _flat(opened))


def dark(rng: Generator) -> Pair:
    """A dark theme: covered cells a little lighter than opened ones, or darker."""
    base, step = float(rng.uniform(15, 60)), float(rng.uniform(15, 60))
    tint = random_colour(rng, (0, 0.6), (0.2, 0.6))
    low, high = mixed(_grey(base), tint, 0.25), mixed(_grey(base + step), tint, 0.25)
    covered, opened = (high, low) if rng.random() < 0.8 else (low, high)
    line = mixed(low, (0.0, 0.0, 0.0) if rng.random() < 0.5 else WHITE, float(rng.uniform(0.1, 0.4)))
    top = _bevelled(rng, covered, soft=True) if rng.random() < 0.4 else _lined(rng, covered, line)
    return Pair(top, _lined(rng, opened, line))


def pastel(rng: Generator) -> Pair:
    """Opened cells have a ground of their own for every number; gaps or thin lines between cells."""
    covered = random_colour(rng, (0, 0.3), (0.5, 0.95))
    opened = (
        random_colour(rng, (0, 0.1), (0.85, 1))
        if rng.random() < 0.7
        else random_colour(rng, (0, 0.3), (0.1, 0.4))
    )
    behind, gap = mixed(opened, BLACK, 0.3), float(rng.uniform(0.01, 0.05))
    radius = float(rng.choice([0, 0, 0.08]))
    one = Ground(covered, mixed(covered, BLACK, 0.08), behind=behind, gap=gap, radius=radius)
    return Pair(one, Ground(opened, opened, behind=behind, gap=gap, radius=radius), tinted=True)


def gaps(rng: Generator) -> Pair:
    """Cells apart from each other, often with round corners; opened ones may leave only the page."""
    behind = random_colour(rng, (0, 0.2), (0.1, 1))
    gap, radius = float(rng.uniform(0.02, 0.09)), float(rng.choice([0, 0.06, 0.12, 0.2]))
    covered, opened = random_colour(rng, (0, 0.9), (0.3, 0.95)), random_colour(rng, (0, 0.2), (0.5, 1))
    bare = rng.random() < 0.2
    first = Ground(
        covered, mixed(covered, BLACK, float(rng.uniform(0, 0.25))), behind=behind, gap=gap, radius=radius
    )
    return Pair(
        first, _flat(behind) if bare else Ground(opened, opened, behind=behind, gap=gap, radius=radius)
    )


def lines(rng: Generator) -> Pair:
    """Thin lines only: covered and opened cells differ by a shade or by a small seal."""
    paper = (
        random_colour(rng, (0, 0.15), (0.85, 1))
        if rng.random() < 0.7
        else random_colour(rng, (0, 0.4), (0, 0.3))
    )
    ink = mixed(paper, BLACK if paper[1] > 127 else WHITE, float(rng.uniform(0.2, 0.8)))
    width, sides = float(rng.uniform(0.02, 0.05)), str(rng.choice(["tl", "br", "tlbr"]))
    shade = mixed(paper, ink, float(rng.uniform(0.1, 0.4)))
    seal = str(rng.choice(["", "dot", "ring", "stripes"])) if rng.random() < 0.4 else ""
    covered = Ground(shade, shade, light=ink, line=ink, line_width=width, sides=sides, seal=seal)
    return Pair(covered, Ground(paper, paper, line=ink, line_width=width, sides=sides))


def keys(rng: Generator) -> Pair:
    """Raised keys with a gradient and round corners over sunken opened cells with their own bevel."""
    face = random_colour(rng, (0, 0.6), (0.4, 0.95))
    low = mixed(face, BLACK, float(rng.uniform(0.1, 0.3)))
    bevel, radius = float(rng.uniform(0, 0.1)), float(rng.choice([0, 0.05, 0.15]))
    behind = mixed(face, BLACK, 0.5)
    slope = str(rng.choice(["down", "across"]))
    top = Ground(
        face,
        low,
        slope,
        mixed(face, WHITE, 0.5),
        mixed(low, BLACK, 0.3),
        bevel,
        behind=behind,
        gap=0.02,
        radius=radius,
    )
    hollow = random_colour(rng, (0, 0.3), (0.4, 1))
    sunk = Ground(
        hollow,
        hollow,
        light=mixed(hollow, BLACK, 0.3),
        shadow=mixed(hollow, WHITE, 0.4),
        bevel=float(rng.uniform(0, 0.08)),
    )
    return Pair(top, sunk)


def wild(rng: Generator) -> Pair:
    """Anything: two grounds that only have to differ."""
    return Pair(
        _anything(rng, random_colour(rng)), _anything(rng, random_colour(rng)), bool(rng.random() < 0.15)
    )


def _anything(rng: Generator, face: Colour) -> Ground:
    return Ground(
        face, mixed(face, random_colour(rng), float(rng.uniform(0, 0.4))),
        str(rng.choice(["down", "across", "glow", "gloss"])),
        mixed(face, WHITE, float(rng.uniform(0.1, 1))), mixed(face, BLACK, float(rng.uniform(0.1, 1))),
        bevel=float(rng.uniform(0.03, 0.15)) if rng.random() < 0.4 else 0.0,
        line=random_colour(rng), line_width=float(rng.uniform(0.02, 0.06)),
        sides=str(rng.choice(["tl", "br", "tlbr"])) if rng.random() < 0.4 else "",
        behind=random_colour(rng), gap=float(rng.uniform(0.01, 0.08)) if rng.random() < 0.3 else 0.0,
        radius=float(rng.uniform(0, 0.2)) if rng.random() < 0.3 else 0.0,
        seal="glint" if rng.random() < 0.05 else "",
    )  # fmt: skip


def bubble(rng: Generator) -> Pair:
    """Round glowing cells on a page of another colour, opened ones flat."""
    behind, face = random_colour(rng, (0, 0.3), (0.1, 1)), random_colour(rng, (0.2, 0.9), (0.5, 1))
    covered = Ground(mixed(face, WHITE, 0.4), face, "glow", behind=behind, gap=0.04, radius=0.3)
    opened = random_colour(rng, (0, 0.2), (0.7, 1))
    return Pair(covered, Ground(opened, opened, behind=behind, gap=0.04, radius=0.3))


def inset(rng: Generator) -> Pair:
    """Covered cells with a double edge; opened cells sunk by a bevel the other way round."""
    face = random_colour(rng, (0, 0.5), (0.4, 0.9))
    line = mixed(face, BLACK, 0.6)
    covered = Ground(
        face, face, "across", mixed(face, WHITE, 0.6), mixed(face, BLACK, 0.35), 0.09, line, 0.04, "br"
    )
    hollow = mixed(face, WHITE, float(rng.uniform(0, 0.6)))
    return Pair(
        covered,
        Ground(
            hollow, hollow, light=mixed(hollow, BLACK, 0.35), shadow=mixed(hollow, WHITE, 0.6), bevel=0.05
        ),
    )


HELD_OUT_FAMILIES = {"bubble", "inset", "vista glass"}


def vista_glass(rng: Generator) -> Pair:
    """Glossy cells with round corners and a gap, over pale opened ones with a glow."""
    hue = rng.random()
    top, low = hue_colour(hue, 0.3, 0.95), hue_colour(hue, 0.7, 0.7)
    behind = hue_colour(hue, 0.5, 0.3)
    pale = hue_colour(hue, 0.1, 0.95)
    covered = Ground(top, low, "gloss", behind=behind, gap=0.03, radius=0.1)
    return Pair(covered, Ground(pale, mixed(pale, low, 0.2), "glow", behind=behind, gap=0.03, radius=0.1))


FAMILIES: dict[str, Callable[[Generator], Pair]] = {
    "winmine": winmine,
    "tinted bevel": tinted_bevel,
    "vista": vista,
    "flat": flat,
    "checker": checker,
    "dark": dark,
    "pastel": pastel,
    "gaps": gaps,
    "lines": lines,
    "keys": keys,
    "wild": wild,
    "bubble": bubble,
    "inset": inset,
    "vista glass": vista_glass,
}
