"""Flags and mines of any measures: where the kinds of `art.marks` end, these go on between them."""

from __future__ import annotations

import numpy as np

from art.ink import Generator, Mask, Outline, box, disc, polygon, stroke


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


def _ends(count: int, radius: float, turn: float) -> list[tuple[float, float]]:
    angles = np.arange(count) * 2 * np.pi / count + turn
    return [(0.5 + radius * float(np.cos(a)), 0.5 + radius * float(np.sin(a))) for a in angles]


def _straight(rng: Generator, size: int, count: int, reach: float, turn: float) -> Mask:
    """Return spikes of one width, some with a stud or a bar at the end, some long and short by turns."""
    width = float(rng.uniform(0.04, 0.15))
    short = float(rng.uniform(0.7, 1)) if count % 2 == 0 and rng.random() < 0.4 else 1.0
    ends = [
        (0.5 + (x - 0.5) * part, 0.5 + (y - 0.5) * part)
        for (x, y), part in zip(_ends(count, reach, turn), [1.0, short] * count, strict=False)
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
    inner = _ends(count, reach * float(rng.uniform(0.4, 0.75)), turn + np.pi / count)
    return polygon(size, [end for pair in zip(_ends(count, reach, turn), inner, strict=True) for end in pair])
