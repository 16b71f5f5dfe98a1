"""Styles: families of grounds, and everything else that decides how the cells of one imagined game look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from art.fonts import Lettering, random_font
from art.ink import Colour, Generator, Ground, apart, hue_colour, luma, mixed, random_colour, readable_on
from art.marks import CROSSES, FLAGS, HELD_OUT, MINES, Mark
from bot.board import State

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


_FAMILIES: tuple[Callable[[Generator], Pair], ...] = (
    winmine, tinted_bevel, vista, flat, checker, dark, pastel, gaps, lines,
    keys, wild, bubble, inset, vista_glass,
)  # fmt: skip
FAMILIES = {family.__name__.replace("_", " "): family for family in _FAMILIES}

CLASSIC_INKS: tuple[Colour, ...] = (
    (255, 0, 0),
    (0, 128, 0),
    (0, 0, 255),
    (128, 0, 0),
    (0, 0, 128),
    (128, 128, 0),
    (0, 0, 0),
    (128, 128, 128),
)
_NATIVE = (12, 14, 16, 16, 16, 16, 18, 20, 24, 24, 28, 30, 32, 32, 36, 40, 48)


_ANY = 0.4  # how often a flag or mine has measures of its own
_QUESTIONS = ("single", "double", "staggered", "plate", "on flag", "on cloth")


@dataclass(frozen=True, slots=True)
class Numbers:
    """How 1 to 8 are coloured: inks, grounds of their own (None: all alike), outline and shadow in cells."""

    inks: tuple[Colour, ...]
    tints: tuple[Colour, ...] | None
    outline: float
    outline_ink: Colour
    shadow: float


@dataclass(frozen=True, slots=True)
class Sign:
    """What is drawn on a state's ground in place of the style's mark.

    ``text`` is a character set in ``lettering`` and ``ink``; an ``emoji`` is drawn from the emoji font; dots
    stand for ``pips`` of ``ink``, ``spread`` cells apart, or one dot whose colour tells the number if
    ``pips`` is -1.
    """

    lettering: Lettering | None = None
    ink: Colour = (0, 0, 0)
    text: str = ""
    emoji: str = ""
    pips: int = 0
    scale: float = 0.8
    spread: float = 0.24


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """The look of one program.

    ``native`` is the cell size in pixels at which it is drawn; ``smooth`` says whether edges are
    anti-aliased; ``marked`` is the ground of flags and question marks, ``shown`` of mines, ``burst`` of the
    exploded one, ``blamed`` of wrong flags; ``question_kind`` is "single", "double", "staggered",
    "plate", "on flag" (beside the cloth) or "on cloth"; ``wrong`` draws a wrong flag: the mark below ("mine",
    "flag" or "") and a cross over it, if any;
    ``checker`` is how much lighter every second cell is, ``wash`` how much lighter the board's bottom is,
    both of 255; ``signs`` stand in the place of the marks of some states.
    """

    family: str
    native: int
    smooth: bool
    covered: Ground
    opened: Ground
    marked: Ground
    shown: Ground
    burst: Ground
    blamed: Ground
    digits: Lettering
    numbers: Numbers
    question: Lettering
    question_ink: Colour
    question_kind: str
    flag: Mark
    mine: Mark
    burst_mine: Mark
    wrong: tuple[str, Mark | None]
    checker: float
    wash: float
    signs: Mapping[int, Sign] = field(default_factory=dict)

    @property
    def page(self) -> Colour:
        """A colour that may lie around the board without a border."""
        return self.opened.behind if self.opened.gap else self.opened.face

    def ground(self, state: int) -> Ground:
        """Return what is under the mark of a state."""
        if 1 <= state <= 8 and self.numbers.tints is not None:
            return self.opened.tinted(self.numbers.tints[state - 1])
        grounds: dict[int, Ground] = {
            State.COVERED: self.covered,
            State.FLAG: self.marked,
            State.QUESTION: self.marked,
            State.MINE: self.shown,
            State.EXPLODED: self.burst,
            State.WRONG_FLAG: self.blamed,
        }
        return grounds.get(state, self.opened)


def random_style(rng: Generator, held_out: bool = False) -> Style:
    """Return a style; with ``held_out`` one of families, fonts and marks that training never sees."""
    families = [name for name in FAMILIES if (name in HELD_OUT_FAMILIES) == held_out]
    family = str(rng.choice(families))
    pair = FAMILIES[family](rng)
    if rng.random() < 0.12:
        pair = Pair(_inverted(pair.covered), _inverted(pair.opened), pair.tinted)
    native = int(rng.choice(_NATIVE))
    smooth = bool(rng.random() < (0.35 if native <= 20 else 0.9))
    marked = pair.covered if rng.random() < 0.9 else pair.opened
    shown = _shown(rng, pair)
    mine, burst = _mine(rng, held_out, shown), _burst(rng, shown) if rng.random() < 0.8 else shown
    wrong = _wrong(rng, held_out)
    below = marked if wrong[0] == "flag" else shown
    red = wrong[1] is None or rng.random() < 0.08
    return Style(
        family,
        native,
        smooth,
        pair.covered,
        pair.opened,
        marked,
        shown,
        burst,
        below.recoloured(random_colour(rng, (0.6, 1), (0.5, 1))) if red else below,
        digits=_lettering(rng, held_out, native),
        numbers=_numbers(rng, pair),
        question=_lettering(rng, held_out, native),
        question_ink=_ink_on(rng, marked),
        question_kind=str(rng.choice(_QUESTIONS, p=[0.75, 0.08, 0.05, 0.06, 0.03, 0.03])),
        flag=_flag(rng, held_out, marked),
        mine=mine,
        burst_mine=_recoloured(rng, mine, burst, told=burst is not shown),
        wrong=wrong,
        checker=float(rng.uniform(4, 22)) if family == "checker" or rng.random() < 0.04 else 0.0,
        wash=float(rng.uniform(-60, 60)) if rng.random() < 0.12 else 0.0,
    )


def _shown(rng: Generator, pair: Pair) -> Ground:
    """Return the ground of mines: that of opened cells, of covered ones, or opened in another colour."""
    kind = rng.random()
    if kind < 0.7:
        return pair.opened
    if kind < 0.82:
        return pair.covered
    if kind < 0.92:
        return pair.opened.recoloured(pair.covered.face)
    return pair.opened.recoloured(mixed(pair.opened.face, random_colour(rng), float(rng.uniform(0.2, 0.7))))


def _inverted(ground: Ground) -> Ground:
    return replace(
        ground,
        face=_negative(ground.face),
        shade=_negative(ground.shade),
        light=_negative(ground.light),
        shadow=_negative(ground.shadow),
        line=_negative(ground.line),
        behind=_negative(ground.behind),
    )


def _negative(colour: Colour) -> Colour:
    return 255 - colour[0], 255 - colour[1], 255 - colour[2]


def _lettering(rng: Generator, held_out: bool, native: int) -> Lettering:
    height = float(rng.uniform(0.45, 0.8) if native > 20 else rng.uniform(0.5, 0.75))
    x, y = rng.normal(0.5, 0.03, 2)
    squeeze = float(rng.uniform(0.8, 1.3)) if rng.random() < 0.5 else 1.0
    slant = float(rng.uniform(-0.1, 0.25)) if rng.random() < 0.15 else 0.0
    bold = float(rng.uniform(-0.01, 0.05)) if rng.random() < 0.3 else 0.0
    return Lettering(random_font(rng, held_out), height, float(x), float(y), squeeze, slant, bold)


def _numbers(rng: Generator, pair: Pair) -> Numbers:
    ground = pair.opened.face
    tints = tuple(_tints(rng, ground)) if pair.tinted else None
    inks = _inks(rng, ground) if tints is None else _inks_on_tints(rng, tints)
    outlined = rng.random() < 0.1
    return Numbers(
        inks,
        tints,
        outline=float(rng.uniform(0.02, 0.05)) if outlined else 0.0,
        outline_ink=(0.0, 0.0, 0.0) if rng.random() < 0.5 else (255.0, 255.0, 255.0),
        shadow=float(rng.uniform(0.02, 0.06)) if rng.random() < 0.1 else 0.0,
    )


def _tints(rng: Generator, ground: Colour) -> list[Colour]:
    strong, start = rng.uniform(0.15, 0.8), rng.random()
    return [mixed(ground, hue_colour((start + n * 0.13) % 1, 0.8, 0.95), strong) for n in range(8)]


def _inks_on_tints(rng: Generator, tints: tuple[Colour, ...]) -> tuple[Colour, ...]:
    if rng.random() < 0.6:
        dark = all(luma(tint) > 100 for tint in tints)
        return ((20.0, 20.0, 20.0) if dark else (255.0, 255.0, 255.0),) * 8
    return tuple(readable_on(rng, tint) for tint in tints)


def _inks(rng: Generator, ground: Colour) -> tuple[Colour, ...]:
    kind = rng.random()
    if kind < 0.5:
        inks = [mixed(ink, random_colour(rng), float(rng.uniform(0, 0.25))) for ink in CLASSIC_INKS]
        if luma(ground) < 110 or rng.random() < 0.2:
            inks = [mixed(ink, (255, 255, 255), 0.5) for ink in inks]
        inks = list(CLASSIC_INKS) if rng.random() < 0.4 and luma(ground) > 110 else inks
    elif kind < 0.65:
        inks = [readable_on(rng, ground)] * 8
    else:
        inks = [readable_on(rng, ground) for _ in range(8)]
    return tuple(ink if apart(ink, ground) > 35 else readable_on(rng, ground) for ink in inks)


def _ink_on(rng: Generator, ground: Ground) -> Colour:
    black = (0.0, 0.0, 0.0) if luma(ground.face) > 90 else (255.0, 255.0, 255.0)
    return black if rng.random() < 0.5 else readable_on(rng, ground.face)


def _kind(rng: Generator, kinds: tuple[str, ...], held_out: bool) -> str:
    if not held_out and rng.random() < _ANY and kinds[-1].startswith("any"):
        return kinds[-1]
    allowed = [kind for kind in kinds if (kind in HELD_OUT) == held_out] or list(kinds)
    return str(rng.choice(allowed))


def _mark(rng: Generator, kind: str, main: Colour, second: Colour, scale: tuple[float, float]) -> Mark:
    x, y = rng.normal(0, 0.02, 2)
    outline = float(rng.uniform(0.02, 0.05)) if rng.random() < 0.15 else 0.0
    third = random_colour(rng)
    mirrored, turn = bool(rng.random() < 0.25), float(rng.normal(0, 8)) if rng.random() < 0.25 else 0.0
    place = float(rng.uniform(*scale)), float(x), float(y)
    return Mark(kind, *place, main, second, third, outline, mirrored, turn, int(rng.integers(1 << 31)))


def _flag(rng: Generator, held_out: bool, ground: Ground) -> Mark:
    red = (rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(200, 255))
    main = red if rng.random() < 0.65 and apart(red, ground.face) > 40 else readable_on(rng, ground.face, 45)
    second = _ink_on(rng, ground)
    return _mark(rng, _kind(rng, FLAGS, held_out), main, second, (0.55, 1.0))


def _mine(rng: Generator, held_out: bool, ground: Ground) -> Mark:
    main = _ink_on(rng, ground)
    second = (255.0, 255.0, 255.0) if luma(main) < 128 else (60.0, 60.0, 60.0)
    kind = rng.random()
    if kind < 0.2:
        second = random_colour(rng)
    elif kind < 0.4:  # the body, if it is hollow, lets the ground shine through
        second = mixed(ground.face, main, float(rng.uniform(0, 0.4)))
    return _mark(rng, _kind(rng, MINES, held_out), main, second, (0.6, 1.05))


def _burst(rng: Generator, shown: Ground) -> Ground:
    red = (rng.uniform(0, 90), rng.uniform(0, 90), rng.uniform(190, 255))
    colour = red if rng.random() < 0.8 else readable_on(rng, shown.face, 50)
    return shown.recoloured(colour)


def _recoloured(rng: Generator, mine: Mark, ground: Ground, told: bool) -> Mark:
    """Return the exploded mine; if its ground is that of others, it is told by a colour of its own."""
    if not told or rng.random() < 0.15:
        mine = replace(mine, main=random_colour(rng, (0.7, 1), (0.7, 1)))
    if apart(mine.main, ground.face) > 40:
        return mine
    return replace(mine, main=readable_on(rng, ground.face))


def _wrong(rng: Generator, held_out: bool) -> tuple[str, Mark | None]:
    if rng.random() < 0.14:
        return "flag", None
    below = str(rng.choice(["mine", "mine", "flag", "flag", ""]))
    red = (rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(180, 255))
    main = red if rng.random() < 0.75 else random_colour(rng, (0, 1), (0, 1))
    return below, _mark(rng, _kind(rng, CROSSES, held_out), main, main, (0.7, 1.1))
