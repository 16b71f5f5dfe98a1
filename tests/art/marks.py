"""Flags, mines and crosses in many forms, as layers of paint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from art.ink import (
    Canvas,
    Colour,
    Generator,
    Mask,
    Outline,
    box,
    disc,
    grown,
    mixed,
    moved,
    paint,
    polygon,
    stroke,
    turned,
)


def any_flag(rng: Generator, size: int) -> tuple[Mask, Mask]:
    """Return the masks of a cloth of any cut, and of its pole with any foot or none."""
    x, top, low = rng.uniform(0.18, 0.5), rng.uniform(0.05, 0.2), rng.uniform(0.72, 0.95)
    pole = stroke(size, ((x, top), (x, low)), float(rng.uniform(0.04, 0.13)))
    if rng.random() < 0.15:
        pole = np.maximum(pole, disc(size, x, top, float(rng.uniform(0.05, 0.09))))
    if rng.random() < 0.7:
        pole = np.maximum(pole, _foot(rng, size, float(x), float(low)))
    start = x + float(rng.choice([0, 0, rng.uniform(0, 0.08)]))
    cloth = polygon(size, _cloth(rng, start, float(top + rng.uniform(-0.03, 0.08))))
    return cloth, np.asarray(pole, dtype=np.float32)


def _cloth(rng: Generator, x: float, top: float) -> Outline:
    """Return a cloth: pointed, cut straight, notched at its end or at its lower edge, waving or not."""
    length, height = float(rng.uniform(0.3, 0.6)), float(rng.uniform(0.24, 0.5))
    if rng.random() < 0.3:
        return (x, top), (x + length, top + height * float(rng.uniform(0.2, 0.8))), (x, top + height)
    rise, fall = (float(rng.normal(0, 0.05)) for _ in range(2))
    notch = float(rng.choice([0, rng.uniform(-0.3, 0.5)])) * length
    lower = float(rng.choice([0, 0, rng.uniform(-0.3, 0.4)])) * height
    wave = float(rng.choice([0, rng.normal(0, 0.05)]))
    return (
        (x, top),
        (x + length / 2, top + rise / 2 + wave),
        (x + length, top + rise),
        (x + length - notch, top + height / 2),
        (x + length, top + height + fall),
        (x + length / 2, top + height + fall / 2 + wave - lower),
        (x, top + height),
    )


def _foot(rng: Generator, size: int, x: float, low: float) -> Mask:
    wide, tall = float(rng.uniform(0.12, 0.35)), float(rng.uniform(0.05, 0.16))
    kind = int(rng.integers(4))
    if kind == 0:
        return polygon(size, ((x - wide, low), (x, low - 2 * tall), (x + wide, low)))
    if kind == 1:
        rows, cols = np.indices((size, size)) / size
        return np.asarray(np.hypot((cols - x) / wide, (rows - low) / tall) < 1, dtype=np.float32)
    foot = box(size, max(0.0, x - wide), low - tall, x + wide, low)
    if kind == 2:  # two steps
        foot = np.maximum(foot, box(size, max(0.0, x - wide / 2), low - 2 * tall, x + wide / 2, low))
    return np.asarray(foot, dtype=np.float32)


def any_mine(rng: Generator, size: int) -> tuple[Mask, Mask]:
    """Return the masks of a mine with any number of spikes, and of what is lighter or darker on it."""
    count, turn = (
        int(rng.choice([4, 5, 6, 7, 8, 8, 8, 9, 10, 12])),
        float(rng.choice([0, rng.uniform(0, 1.6)])),
    )
    radius, reach = float(rng.uniform(0.16, 0.34)), float(rng.uniform(0.32, 0.48))
    body = disc(size, 0.5, 0.5, radius)
    if rng.random() < 0.12:
        body = box(size, 0.5 - radius, 0.5 - radius, 0.5 + radius, 0.5 + radius)
    spikes = _tapered if rng.random() < 0.35 else _straight
    mine = np.maximum(body, spikes(rng, size, count, max(reach, radius + 0.06), turn))
    lit = np.zeros_like(mine)
    if rng.random() < 0.3:
        lit = disc(size, 0.5, 0.5, radius * float(rng.uniform(0.35, 0.8)))
    elif rng.random() < 0.6:
        off, small = radius * float(rng.uniform(0.2, 0.5)), radius * float(rng.uniform(0.15, 0.4))
        lit = disc(size, 0.5 - off, 0.5 - off, small)
    return np.asarray(mine, dtype=np.float32), lit


def _straight(rng: Generator, size: int, count: int, reach: float, turn: float) -> Mask:
    """Return spikes of one width, some with a stud or a bar at the end, some long and short by turns."""
    width = float(rng.uniform(0.04, 0.15))
    short = float(rng.uniform(0.7, 1)) if count % 2 == 0 and rng.random() < 0.4 else 1.0
    ends = [
        (0.5 + (x - 0.5) * part, 0.5 + (y - 0.5) * part)
        for (x, y), part in zip(_circle(count, reach, turn), [1.0, short] * count, strict=False)
    ]
    spikes = [stroke(size, ((0.5, 0.5), end), width) for end in ends]
    capped = rng.random()
    if capped < 0.2:
        spikes += [disc(size, x, y, width * 0.9) for x, y in ends]
    elif capped < 0.4:
        half = rng.uniform(0.2, 0.4)
        spikes += [_crossbar(size, end, float(half), width) for end in ends]
    return np.asarray(np.maximum.reduce(spikes), dtype=np.float32)


def _crossbar(size: int, end: tuple[float, float], half: float, width: float) -> Mask:
    over, down = half * (end[0] - 0.5), half * (end[1] - 0.5)
    return stroke(size, ((end[0] - down, end[1] + over), (end[0] + down, end[1] - over)), width)


def _tapered(rng: Generator, size: int, count: int, reach: float, turn: float) -> Mask:
    inner = _circle(count, reach * float(rng.uniform(0.4, 0.75)), turn + np.pi / count)
    return polygon(
        size, [end for pair in zip(_circle(count, reach, turn), inner, strict=True) for end in pair]
    )


CROSSES = ("cross", "thin cross", "bar", "nought", "big cross")
HELD_OUT = {"tail", "thick spikes", "big cross", "gear", "banner"}

Layer = tuple[Mask, Colour]


@dataclass(frozen=True, slots=True)
class Mark:
    """How a mark is drawn: its kind, size and place in parts of a cell, colours, width of its outline.

    It may be ``mirrored``, and turned by ``turn`` degrees; ``seed`` is of the measures of "any" flag or mine.
    """

    kind: str
    scale: float
    x: float
    y: float
    main: Colour
    second: Colour
    third: Colour
    outline: float = 0.0
    mirrored: bool = False
    turn: float = 0.0
    seed: int = 0


def draw_mark(canvas: Canvas, mark: Mark) -> None:
    """Draw a flag, a mine or a cross over the ground."""
    size = canvas.shape[0]
    layers = _layers(mark, size)
    placed = [(moved(_posed(mask, mark), mark.x, mark.y, mark.scale), colour) for mask, colour in layers]
    if mark.outline:
        whole = np.maximum.reduce([mask for mask, _ in placed])
        paint(canvas, grown(np.asarray(whole, dtype=np.float32), mark.outline), mark.third)
    for mask, colour in placed:
        paint(canvas, mask, colour)


def _posed(mask: Mask, mark: Mark) -> Mask:
    mask = np.asarray(mask[:, ::-1], dtype=np.float32) if mark.mirrored else mask
    return turned(mask, mark.turn) if mark.turn else mask


def _layers(mark: Mark, size: int) -> list[Layer]:
    if mark.kind in FLAGS:
        return _flag(mark, size)
    return _mine(mark, size) if mark.kind in MINES else _cross(mark, size)


_WAVES = [(float(x), 0.14 + 0.06 * float(np.sin((x - 0.28) * 10))) for x in np.linspace(0.28, 0.92, 12)]
_CLOTHS: dict[str, Outline] = {
    "pennant": ((0.34, 0.1), (0.9, 0.32), (0.34, 0.54)),
    "left pennant": ((0.62, 0.1), (0.62, 0.52), (0.14, 0.31)),
    "cloth": ((0.28, 0.1), (0.86, 0.1), (0.86, 0.5), (0.28, 0.5)),
    "wave": [*_WAVES, *((x, y + 0.4) for x, y in reversed(_WAVES))],
    "tail": ((0.28, 0.1), (0.9, 0.1), (0.72, 0.31), (0.9, 0.52), (0.28, 0.52)),
    "bare": ((0.25, 0.15), (0.85, 0.5), (0.25, 0.85)),
    "golf": ((0.5, 0.05), (0.92, 0.2), (0.5, 0.36)),
    "emoji": ((0.22, 0.08), (0.9, 0.32), (0.22, 0.58)),
    "badge": ((0.42, 0.25), (0.75, 0.38), (0.42, 0.52)),
    "board": ((0.15, 0.12), (0.85, 0.12), (0.85, 0.58), (0.15, 0.58)),
    "hill": ((0.16, 0.1), (0.72, 0.1), (0.72, 0.5), (0.16, 0.5)),
    "swallow": ((0.3, 0.06), (0.92, 0.14), (0.62, 0.3), (0.92, 0.46), (0.3, 0.54)),
    "banner": ((0.3, 0.1), (0.7, 0.1), (0.7, 0.66), (0.5, 0.54), (0.3, 0.66)),
}
FLAGS = (*_CLOTHS, "any flag")
_POLES = {"left pennant": 0.62, "golf": 0.5, "emoji": 0.18, "badge": 0.4, "board": 0.5}
_POLES |= {"pennant": 0.34, "hill": 0.72, "swallow": 0.3}
_FOOTLESS = ("wave", "emoji", "badge", "swallow")


def _flag(mark: Mark, size: int) -> list[Layer]:
    if mark.kind == "any flag":
        cloth, pole = any_flag(np.random.default_rng(mark.seed), size)
        return [(pole, mark.second), (cloth, mark.main)]
    cloth = polygon(size, _CLOTHS[mark.kind])
    if mark.kind == "bare":
        return [(cloth, mark.main)]
    pole, foot = _pole(mark.kind, size)
    layers: list[Layer] = [(pole, mark.second), (cloth, mark.main)]
    if mark.kind == "badge":
        layers.insert(0, (disc(size, 0.5, 0.5, 0.45), mark.third))
    if mark.kind == "emoji":
        shade = polygon(size, ((0.22, 0.34), (0.9, 0.32), (0.22, 0.58)))
        layers.append((shade, mixed(mark.main, (0, 0, 0), 0.2)))
    return [*layers, (foot, mark.second)]


def _pole(kind: str, size: int) -> tuple[Mask, Mask]:
    x = _POLES.get(kind, 0.28)
    pole = stroke(size, ((x, 0.1), (x, 0.78 if kind == "badge" else 0.9)), 0.08)
    foot = box(size, max(0.1, x - 0.25), 0.84, min(0.9, x + 0.25), 0.93)
    if kind == "left pennant":  # two steps, as on the classic flag
        foot = np.maximum(foot, box(size, 0.4, 0.72, 0.76, 0.84))
    if kind == "hill":
        foot = polygon(size, ((0.1, 0.94), (0.1, 0.84), (0.4, 0.84), (0.55, 0.7), (0.8, 0.7), (0.8, 0.94)))
    if kind == "golf":
        rows, cols = np.indices((size, size)) / size
        foot = np.asarray(np.hypot((cols - 0.5) / 2.6, rows - 0.88) < 0.09, dtype=np.float32)
    return pole, foot if kind not in _FOOTLESS else np.zeros_like(foot)


def _crossbars(radius: float, half: float) -> list[Outline]:
    """Return a short line across the end of each of four spikes."""
    ends = _circle(4, radius)
    return [
        ((x - half * abs(y - 0.5) / radius, y - half * abs(x - 0.5) / radius),
         (x + half * abs(y - 0.5) / radius, y + half * abs(x - 0.5) / radius))
        for x, y in ends
    ]  # fmt: skip


def _circle(count: int, radius: float, turn: float = 0.0) -> list[tuple[float, float]]:
    angles = np.arange(count) * 2 * np.pi / count + turn
    return [(0.5 + radius * float(np.cos(a)), 0.5 + radius * float(np.sin(a))) for a in angles]


Shape = Callable[[int], Mask]  # takes the size of the canvas


def _disc(radius: float, x: float = 0.5, y: float = 0.5) -> Shape:
    return lambda size: disc(size, x, y, radius)


def _rays(count: int, radius: float, width: float) -> Shape:
    ends = _circle(count, radius)
    return lambda size: _together(stroke(size, ((0.5, 0.5), end), width) for end in ends)


def _studs(count: int) -> Shape:
    return lambda size: _together(disc(size, x, y, 0.07) for x, y in _circle(count, 0.42))


def _burst(points: int) -> Shape:
    pairs = zip(_circle(points, 0.46), _circle(points, 0.24, np.pi / points), strict=True)
    outline = [point for pair in pairs for point in pair]
    return lambda size: polygon(size, outline)


def _line(width: float, *points: tuple[float, float]) -> Shape:
    return lambda size: stroke(size, points, width)


def _together(masks: Iterable[Mask]) -> Mask:
    return np.asarray(np.maximum.reduce([*masks]), dtype=np.float32)


def _smile(size: int) -> Mask:
    mouth = stroke(size, ((0.38, 0.6), (0.46, 0.65), (0.54, 0.65), (0.62, 0.6)), 0.06)
    return _together([disc(size, 0.41, 0.43, 0.05), disc(size, 0.59, 0.43, 0.05), mouth])


_HORNS = ((0.2, 0.1), (0.4, 0.02), (0.6, 0.02), (0.8, 0.1))
_BALL, _GLINT = (_disc(0.3), "main"), (_disc(0.08, 0.41, 0.41), "second")
_MINES: dict[str, tuple[tuple[Shape, str], ...]] = {  # layers: their shapes and colours
    "spikes": ((_rays(8, 0.46, 0.07), "main"), _BALL, _GLINT),
    "thick spikes": ((_rays(8, 0.46, 0.13), "main"), _BALL, _GLINT),
    "fuse": (
        (_line(0.07, (0.62, 0.34), (0.72, 0.2), (0.86, 0.22)), "third"),
        (_disc(0.33, 0.44, 0.58), "main"),
        (_disc(0.08, 0.88, 0.2), "spark"),
        (_disc(0.08, 0.34, 0.48), "second"),
    ),
    "disc": ((_disc(0.28), "main"),),
    "star": ((_burst(12), "main"), (_disc(0.12), "second")),
    "hexagram": ((lambda size: turned(_burst(6)(size), 90), "main"),),
    "naval": ((_rays(6, 0.44, 0.05), "main"), (_studs(6), "main"), _BALL, _GLINT),
    "hollow": ((_rays(8, 0.42, 0.06), "main"), (_studs(8), "main"), _BALL, (_disc(0.2), "second")),
    "ring": ((_disc(0.38), "main"), (_disc(0.2), "second")),
    "glow": ((_rays(8, 0.46, 0.1), "main"), _BALL),
    "blot": ((_burst(8), "second"), (_disc(0.22), "main")),
    "horns": (
        *((_line(0.08, (0.5, 0.5), end), "main") for end in _HORNS),
        (_disc(0.38, 0.5, 0.55), "main"),
        _GLINT,
    ),
    "capped": (  # a bar across the end of each spike; the body may be as light as the ground
        (_rays(8, 0.36, 0.07), "main"),
        *((_line(0.07, *ends), "main") for ends in _crossbars(0.42, 0.1)),
        (_disc(0.27), "main"),
        (_disc(0.2), "second"),
    ),
    "asterisk": ((_rays(8, 0.44, 0.1), "main"),),
    "gear": ((_rays(8, 0.4, 0.17), "main"), (_disc(0.27), "main"), (_disc(0.1), "second")),
    "square": ((_rays(4, 0.45, 0.12), "main"), (lambda size: box(size, 0.25, 0.25, 0.75, 0.75), "main")),
    "face": ((_burst(10), "main"), (_smile, "second")),
    "small": ((_rays(8, 0.28, 0.06), "main"), (_disc(0.17), "main")),
    "cracked": (
        (_burst(9), "third"),
        (_disc(0.27), "main"),
        (_line(0.05, (0.35, 0.3), (0.5, 0.45), (0.42, 0.55), (0.6, 0.75)), "second"),
    ),
}
MINES = (*_MINES, "any mine")


def _mine(mark: Mark, size: int) -> list[Layer]:
    if mark.kind == "any mine":
        mine, lit = any_mine(np.random.default_rng(mark.seed), size)
        return [(mine, mark.main), (lit, mark.second)]
    colours = {"main": mark.main, "second": mark.second, "third": mark.third, "spark": (0, 150, 255)}
    return [(shape(size), colours[name]) for shape, name in _MINES[mark.kind]]


def _cross(mark: Mark, size: int) -> list[Layer]:
    width = {"thin cross": 0.06, "big cross": 0.2}.get(mark.kind, 0.12)
    falling, rising = ((0.12, 0.12), (0.88, 0.88)), ((0.12, 0.88), (0.88, 0.12))
    if mark.kind == "tick":
        return [(stroke(size, ((0.14, 0.55), (0.4, 0.82), (0.88, 0.2)), width), mark.main)]
    if mark.kind == "bar":
        return [(stroke(size, rising, width), mark.main)]
    if mark.kind == "nought":
        ring = np.asarray(disc(size, 0.5, 0.5, 0.44) - disc(size, 0.5, 0.5, 0.34), dtype=np.float32)
        return [(np.maximum(ring, stroke(size, ((0.2, 0.2), (0.8, 0.8)), width)), mark.main)]
    return [(np.maximum(stroke(size, falling, width), stroke(size, rising, width)), mark.main)]
