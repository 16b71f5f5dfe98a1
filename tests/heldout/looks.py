"""How the cells of one program look: its grounds and marks, put together to pictures of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bot.board import State
from heldout.canvas import (
    BOLD,
    PLAIN,
    Colour,
    Mark,
    Patch,
    Rgb,
    Rng,
    against,
    between,
    chance,
    contrast,
    darker,
    lighter,
    luminance,
    mixed,
    pick,
)
from heldout.marks import Number, both, cross, some_flag, some_mine, symbol

Cover = Callable[[Rgb, Rng], Rgb]  # changes the picture of a whole board


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours and font of what stands around a board."""

    page: Colour = (236, 236, 236)
    panel: Colour = (214, 214, 214)
    ink: Colour = (30, 30, 30)
    accent: Colour = (40, 100, 200)
    face: str = "sans"
    frame: str = "none"  # none, line, bevel or thick
    counter: str = "text"  # text, led or icons


@dataclass(frozen=True, slots=True)
class Look:
    """The art of one program.

    ``exploded`` and ``wrong`` draw the whole cell; None: the program shows such cells as other mines and
    flags. ``tinted`` draws the ground of an opened number in place of ``opened``. ``gap`` is in pixels, half
    of it on each side of a cell; ``zeros`` draws the digit 0; ``aspect`` is width by height of a cell.
    ``ticked`` is laid over flags once a game is over; the ``variants`` of a cell differ by chance.
    """

    ground: Colour
    covered: Mark
    opened: Mark
    number: Number
    flag: Mark
    mine: Mark
    question: Mark | None
    exploded: Mark | None
    wrong: Mark | None
    mine_ground: Mark
    tinted: Number | None = None
    gap: int = 0
    smooth: bool = True
    zeros: bool = False
    aspect: float = 1.0
    cover: Cover | None = None
    theme: Theme = field(default_factory=Theme)
    ticked: Mark | None = None
    variants: int = 1
    tags: tuple[str, ...] = ()

    @property
    def states(self) -> tuple[int, ...]:
        """Every state that this program shows in a way of its own."""
        ends = {State.QUESTION: self.question, State.EXPLODED: self.exploded, State.WRONG_FLAG: self.wrong}
        return (*range(9), State.COVERED, State.FLAG, State.MINE, *(s for s, art in ends.items() if art))

    def cell(self, state: int, size: tuple[int, int], parity: int = 0, variant: int = 0) -> Rgb:
        """Return the picture of a cell, uint8 (height, width, 3) RGB; ``size`` is (width, height)."""
        rng = np.random.default_rng(state + 100 * variant)
        patch = Patch(size, self.ground, self.gap, self.smooth, parity, rng)
        if state <= 8:
            if self.tinted is not None:
                self.tinted(patch, state)
            else:
                self.opened(patch)
            if state or self.zeros:
                self.number(patch, state)
            return patch.finished()
        draw = {
            State.COVERED: self.covered,
            State.FLAG: both(self.covered, self.flag),
            State.QUESTION: both(self.covered, self.question or self.flag),
            State.MINE: both(self.mine_ground, self.mine),
            State.EXPLODED: self.exploded,
            State.WRONG_FLAG: self.wrong,
        }[State(state)]
        if draw is None:
            raise ValueError(f"this program does not mark {State(state).name}")
        draw(patch)
        return patch.finished()


def build(
    rng: Rng,
    covered: Mark,
    opened: Mark,
    hide: tuple[Colour, ...],
    bare: tuple[Colour, ...],
    number: Number,
    *,
    ground: Colour | None = None,
    flag: Mark | None = None,
    mine: Mark | None = None,
    question: Mark | None = None,
    blast: Mark | None = None,
    exploded: Mark | None = None,
    wrong: Mark | None = None,
    tinted: Number | None = None,
    gap: int = 0,
    smooth: bool = True,
    zeros: bool = False,
    aspect: float = 1.0,
    cover: Cover | None = None,
    theme: Theme | None = None,
    tags: tuple[str, ...] = (),
) -> Look:
    """Return a look in which whatever is not given is of some common kind.

    ``hide`` and ``bare`` are the colours of covered and opened cells, against which marks must be seen.
    ``blast`` is the ground of the mine that exploded.
    """
    on_covered = chance(rng, 0.15) and mine is None
    mine = mine or some_mine(rng, *(hide if on_covered else bare))
    flag = flag or some_flag(rng, *hide)
    ink = against(pick(rng, ((30, 30, 160), (0, 0, 0), (120, 40, 140))), *hide, ratio=3.5)
    question = question or symbol("?", pick(rng, BOLD), 0.6, ink)
    mine_ground = covered if on_covered else opened
    red = pick(rng, ((235, 50, 40), (255, 0, 0), (240, 90, 70)))
    blast = blast or flat(red, radius=0.08)
    red_cross = cross(against((220, 0, 0), *bare, ratio=2.2), 0.1)
    wrongs = (both(opened, mine, red_cross), both(covered, flag, cross(against((20, 20, 20), *hide), 0.1)))
    tags = (*tags, *(["gap"] if gap else []), *(["zeros drawn"] if zeros else []))
    if min(map(luminance, hide)) > max(map(luminance, bare)) + 0.05:
        tags = (*tags, "opened darker")
    return Look(
        ground=ground or hide[0],
        covered=covered,
        opened=opened,
        number=number,
        flag=flag,
        mine=mine,
        question=question if chance(rng, 0.7) else None,
        exploded=(exploded or both(mine_ground, blast, mine)) if chance(rng, 0.85) else None,
        wrong=(wrong or pick(rng, wrongs)) if chance(rng, 0.8) else None,
        mine_ground=mine_ground,
        tinted=tinted,
        gap=gap,
        smooth=smooth,
        zeros=zeros,
        aspect=aspect,
        cover=cover,
        theme=theme or some_theme(rng, hide[0]),
        tags=tags,
    )


def some_theme(rng: Rng, accent: Colour, *, dark: bool | None = None) -> Theme:
    """Return colours that go with a board whose cells are of colour ``accent``."""
    if dark is None:
        dark = chance(rng, 0.3)
    base: Colour = pick(rng, ((24, 26, 32), (40, 40, 44), (18, 18, 18), (32, 36, 48)) if dark else _PAGES)
    page = mixed(base, accent, 0.08)
    return Theme(
        page=page,
        panel=lighter(page, 0.1) if dark else darker(page, 0.07),
        ink=against((225, 225, 225) if dark else (35, 35, 35), page, ratio=6),
        accent=accent if contrast(accent, page) > 1.5 else against((40, 110, 200), page),
        face=pick(rng, PLAIN),
        frame=pick(rng, ("none", "none", "line", "bevel", "thick")),
        counter=pick(rng, ("text", "text", "led", "icons")),
    )


_PAGES: tuple[Colour, ...] = (
    (255, 255, 255),
    (245, 245, 245),
    (236, 233, 216),
    (230, 236, 244),
    (250, 246, 236),
)


def some_gap(rng: Rng, cell: int, low: float, high: float) -> int:
    """Return a gap in pixels, from a range of shares of a cell; small cells keep room for their marks."""
    return max(1, min(round(cell * between(rng, low, high)), cell // 4, max(1, (cell - 10) // 2)))


def edge_of(cell: int, share: float = 0.08) -> int:
    """Return the width in pixels of an edge that is this share of a cell."""
    return max(1, round(cell * share))


# Grounds


def flat(
    colour: Colour, other: Colour | None = None, *, radius: float = 0, inset: float = 0, alpha: float = 1
) -> Mark:
    """Return a plain ground; ``other`` is the second colour of a checkerboard.

    ``radius`` and ``inset`` are shares of the cell.
    """

    def mark(patch: Patch) -> None:
        fill = other if other is not None and patch.parity else colour
        patch.box(fill, radius=radius * patch.size, inset=inset * patch.size, alpha=alpha)

    return mark


def outlined(colour: Colour, edge: Colour, width: float, *, radius: float = 0) -> Mark:
    """Return a ground with an edge ``width`` pixels wide."""

    def mark(patch: Patch) -> None:
        patch.box(edge, radius=radius * patch.size)
        patch.box(colour, inset=width, radius=max(0.0, radius * patch.size - width))

    return mark


def bevel(colour: Colour, light: Colour, dark: Colour, width: float) -> Mark:
    """Return a raised ground, lit from the top left; swap the colours for one that is sunken."""

    def mark(patch: Patch) -> None:
        left, top, right, bottom = patch.left, patch.top, patch.right, patch.bottom
        patch.box(dark)
        corner = [(left, top), (right, top), (right - width, top + width), (left + width, bottom - width)]
        patch.shape(light, [*corner, (left, bottom)])
        patch.box(light, at=(left, top, right - width, top + width))
        patch.box(light, at=(left, top, left + width, bottom - width))
        patch.box(colour, inset=width)

    return mark


def cornered(colour: Colour, line: Colour, width: float) -> Mark:
    """Return a ground with lines at the left and the top."""

    def mark(patch: Patch) -> None:
        patch.box(line)
        patch.box(colour, at=(patch.left + width, patch.top + width, patch.right, patch.bottom))

    return mark


def shaded(
    start: Colour, end: Colour, *, radius: float = 0, angle: str = "down", edge: Colour | None = None
) -> Mark:
    """Return a ground whose colour changes from ``start`` to ``end``, with an edge if asked for."""

    def mark(patch: Patch) -> None:
        inset = 0.0
        if edge is not None:
            inset = max(1.0, patch.size / 32)
            patch.box(edge, radius=radius * patch.size)
        patch.gradient(start, end, radius=max(0, radius * patch.size - inset), inset=inset, angle=angle)

    return mark


def lifted(colour: Colour, shadow: Colour, *, radius: float, depth: float, alpha: float = 0.5) -> Mark:
    """Return a card with a soft shadow below it."""

    def mark(patch: Patch) -> None:
        away = depth * patch.size
        patch.box(
            shadow,
            inset=away,
            radius=radius * patch.size,
            shift=(0, away * 0.7),
            blur=away * 0.6,
            alpha=alpha,
        )
        patch.box(colour, inset=away, radius=radius * patch.size)

    return mark
