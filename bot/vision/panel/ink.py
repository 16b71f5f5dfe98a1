"""Finding rows of glyphs: what may be digits, in any colour on any ground, at any size.

A picture is cut at several levels of brightness, both ways round. What hangs together is a piece; pieces
above each other are one glyph (the segments of a counter's digit, an i and its dot); glyphs of one height
beside each other are a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels, Rect
from bot.vision.panel.digits import SIDE

Mask = npt.NDArray[np.bool_]

_LEVELS = (40, 80, 120, 160, 200)  # of 255
_FEWEST = 4  # pixels of a piece: less is noise
_LOOSE = 0.5  # of the larger of two pieces: how far apart they may be, one above the other
_CUT = 0.12  # of a stroke's height: a gap between two segments at most
_NEAR = 12  # so many pieces to the left may belong to the same glyph
_LEVEL = 0.2  # of a glyph's height: how far tops and bottoms in a row may differ
_GAP = 0.35  # of a glyph's height, between two glyphs of a row
_STEP = 0.85  # of a glyph's height, between the right edges of two: a 1 of segments has a wide gap before it
ROOM = 0.3  # of a row's height: left and right of it there is nothing, or it may be a part of something
_TALLER = 1.3  # times as tall as a row is a frame around it
_DASH = (
    0.25,
    0.25,
    0.8,
)  # of the height beside it: how thick a minus is at most, how far off the middle, wide
_LARGEST_ROW = 24  # glyphs: longer ones are text


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """One glyph: its box in pixels of the picture and its ink (height, width) of bool."""

    box: Rect
    ink: Mask


Row = tuple[Glyph, ...]
_MOST_GLYPHS = 300  # around a board: more are a page of text, or noise
_Group = tuple[list[int], Rect]  # pieces and the box around them


def find_rows(pixels: Pixels, heights: tuple[float, float]) -> tuple[list[Row], set[Rect]]:
    """Return every row of glyphs between those two heights in a BGR picture, and the boxes of all glyphs.

    The same glyphs are found again at other levels, each time with a little more or less ink. Rows that other
    ink touches are left out: they may be parts of something.
    """
    rows: list[Row] = []
    boxes: set[Rect] = set()
    for mask, times in _masks(pixels):
        glyphs = _glyphs(mask, heights)
        if len(glyphs) > _MOST_GLYPHS:
            continue
        boxes.update(glyph.box for glyph in glyphs)
        rows += times * list(_rows(glyphs, heights[0]))
    return rows, boxes


def cut_glyphs(pixels: Pixels, boxes: Sequence[Rect]) -> Pixels:
    """Return the glyphs in those boxes of a BGR picture: uint8 (n, SIDE, SIDE, 3), their aspect kept."""
    return np.stack([_cut(pixels, box) for box in boxes])


def _cut(pixels: Pixels, box: Rect) -> Pixels:
    """Return one glyph in the middle of a square of its own ground."""
    inside = box.grown(1).intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    glyph = pixels[inside.y : inside.bottom, inside.x : inside.right]
    edge = np.concatenate([glyph[0], glyph[-1], glyph[:, 0], glyph[:, -1]])
    side = max(inside.size)
    square = np.empty((side, side, 3), np.uint8)
    square[:] = np.median(edge, axis=0)
    top, left = (side - inside.height) // 2, (side - inside.width) // 2
    square[top : top + inside.height, left : left + inside.width] = glyph
    method = cv2.INTER_AREA if side > SIDE else cv2.INTER_LINEAR
    return cv2.resize(square, (SIDE, SIDE), interpolation=method).astype(np.uint8)


def _masks(pixels: Pixels) -> Iterator[tuple[Mask, int]]:
    """Yield what is brighter or darker than each level, in the brightest and the darkest of the channels.

    Coloured ink on a light ground is dark in one channel, coloured ink on a dark ground bright in one. What
    is the same in both comes once, with its number of times.
    """
    blue, green, red = cv2.split(pixels)
    brightest = cv2.max(cv2.max(blue, green), red)
    darkest = cv2.min(cv2.min(blue, green), red)
    for level in _LEVELS:
        one, other = np.asarray(brightest > level), np.asarray(darkest > level)
        masks = [(one, 2)] if np.array_equal(one, other) else [(one, 1), (other, 1)]
        for bright, times in masks:
            if bright.any() and not bright.all():
                yield bright, times
                yield ~bright, times


def _glyphs(mask: Mask, heights: tuple[float, float]) -> list[Glyph]:
    """Return the glyphs of a mask: pieces of a fitting size, joined where one is above the other."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    tall, wide = stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_WIDTH]
    fits = (tall <= heights[1]) & (wide <= 1.2 * heights[1]) & (stats[:, cv2.CC_STAT_AREA] >= _FEWEST)
    fits[0] = False  # the ground
    chosen = [int(label) for label in np.flatnonzero(fits)]
    boxes = {label: Rect(*(int(value) for value in stats[label, :4])) for label in chosen}
    groups = _joined(boxes)
    glyphs = (_glyph(np.asarray(labels), group, boxes) for group in groups)
    return [glyph for glyph in glyphs if glyph.box.height <= heights[1]]


def _joined(boxes: dict[int, Rect]) -> list[list[int]]:
    """Return groups of labels that make one glyph each.

    The strokes of a digit share columns with each other, but for a 4 whose corners are cut: there the left
    stroke and the bar are joined first, then both with the right stroke.
    """
    groups: list[_Group] = [([label], boxes[label]) for label in boxes]
    for one_glyph in (_above, _corner, _four):
        joined: list[_Group] = []
        for group in sorted(groups, key=lambda each: each[1].x):
            _add(joined, group, one_glyph)
        groups = joined
    return [members for members, _ in groups]


def _add(groups: list[_Group], new: _Group, one_glyph: Callable[[Rect, Rect], bool]) -> None:
    """Add a group to those left of it, joined with the last ones that make one glyph with it."""
    for group in [group for group in groups[-_NEAR:] if one_glyph(group[1], new[1])]:
        groups.remove(group)
        new = (group[0] + new[0], _around((group[1], new[1])))
    groups.append(new)


def _above(one: Rect, other: Rect) -> bool:
    """Return whether two pieces share columns and are no further apart than pieces of one glyph."""
    shared = min(one.right, other.right) - max(one.x, other.x)
    apart = max(one.y, other.y) - min(one.bottom, other.bottom)
    return shared > 0 and apart <= _LOOSE * max(*one.size, *other.size)


def _corner(stroke: Rect, bar: Rect) -> bool:
    """Return whether these are the left stroke and the bar of a 4."""
    gap = max(1.0, _CUT * stroke.height)
    upright = stroke.height > stroke.width and bar.width > bar.height
    return upright and 0 <= bar.x - stroke.right <= gap and -gap <= bar.y - stroke.bottom <= 2 * gap


def _four(corner: Rect, stroke: Rect) -> bool:
    """Return whether these are the left part and the right stroke of a 4."""
    gap = max(1.0, _CUT * stroke.height)
    tall = stroke.height >= 2.5 * stroke.width and corner.width > _CUT * stroke.height
    near = 0 <= stroke.x - corner.right <= gap and abs(corner.y - stroke.y) <= gap
    return tall and near and 0.35 <= (corner.bottom - stroke.y) / stroke.height <= 0.7


def _around(boxes: Iterable[Rect]) -> Rect:
    every = list(boxes)
    x, y = min(box.x for box in every), min(box.y for box in every)
    return Rect(x, y, max(box.right for box in every) - x, max(box.bottom for box in every) - y)


def _glyph(labels: npt.NDArray[np.generic], members: list[int], boxes: dict[int, Rect]) -> Glyph:
    box = _around(boxes[member] for member in members)
    part = labels[box.y : box.bottom, box.x : box.right]
    ink = part == members[0]
    for member in members[1:]:
        ink |= part == member
    return Glyph(box, ink)


def _rows(glyphs: list[Glyph], smallest: float) -> Iterator[Row]:
    """Yield the rows that the glyphs form; one that stands alone is a row too."""
    order = sorted(range(len(glyphs)), key=lambda index: glyphs[index].box.x)
    waiting = [index for index in order if glyphs[index].box.height >= smallest]
    dashes = [index for index in range(len(glyphs)) if glyphs[index].box.height < smallest]
    edges = np.array([(box.x, box.y, box.right, box.bottom) for box in (glyph.box for glyph in glyphs)])
    while waiting:
        row = [waiting.pop(0)]
        while (follower := _follower(glyphs, row[-1], waiting)) is not None:
            waiting.remove(follower)
            row.append(follower)
        dash = [index for index in dashes if _minus(glyphs[index], glyphs[row[0]])][:1]
        if len(row) <= _LARGEST_ROW and not _touched(edges, [*dash, *row]):
            yield tuple(glyphs[index] for index in (*dash, *row))


def _follower(glyphs: list[Glyph], last: int, waiting: list[int]) -> int | None:
    return next((index for index in waiting if _follows(glyphs[last], glyphs[index])), None)


def _follows(one: Glyph, other: Glyph) -> bool:
    """Return whether ``other`` stands right of ``one`` in the same row."""
    left, right = one.box, other.box
    height = max(left.height, right.height)
    slack = max(1.5, _LEVEL * height)
    if abs(left.y - right.y) > slack or abs(left.bottom - right.bottom) > slack or right.x < left.x:
        return False
    return right.x - left.right <= _GAP * height or right.right - left.right <= _STEP * height


def _touched(edges: npt.NDArray[np.int_], row: Sequence[int]) -> bool:
    """Return whether something that is no part of a row is so near to its ends that it may be one.

    ``edges`` are left, top, right and bottom of all glyphs, (n, 4); ``row`` are the indices of its glyphs.
    """
    left, top, right, bottom = edges.T
    first, last = edges[row[0]], edges[row[-1]]
    height = last[3] - last[1]
    level = np.minimum(bottom, last[3]) > np.maximum(top, last[1])
    apart = np.maximum(first[0] - right, left - last[2])
    near = level & (apart < ROOM * height) & (bottom - top < _TALLER * height)
    near[[*row]] = False
    return bool(near.any())


def _minus(dash: Glyph, first: Glyph) -> bool:
    """Return whether ``dash`` is a minus sign before ``first``."""
    thick, off, wide = _DASH
    box, height = dash.box, first.box.height
    middle = box.y + box.height / 2 - first.box.y - height / 2
    return (
        box.height <= thick * height
        and abs(middle) <= off * height
        and 1.5 * box.height <= box.width <= wide * height
        and 0 < first.box.right - box.right <= 1.1 * height
        and first.box.x >= box.right
    )
