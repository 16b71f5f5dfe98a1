"""Reading the numbers that stand beside a board, whatever the game: its counters among them.

A number is believed when two ways of reading it agree: the shapes of its digits, and either their segments or
the same shapes at another level of brightness.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.panel.digits import score_digits, segment_digit
from bot.vision.panel.ink import ROOM, Glyph, Mask, Row, cut_glyphs, find_rows

Floats = npt.NDArray[np.float32]

_ABOVE, _BESIDE = 5.5, 8.0  # cells: how far from the board its panel may reach
_NEAREST = 90  # pixels: as far at least, since the panels of web pages do not grow with their cells
_OVERHANG = 1.0  # cells: how far a panel may stick out
_TALLEST, _SMALLEST = 2.2, 0.28  # cells: how tall digits are
_FEWEST_PIXELS = 7  # a digit of less cannot be told from another
_SMALL = (_FEWEST_PIXELS, 18)  # pixels: digits in the writing of menus
_PITCH = 32  # pixels: larger cells, and their panels, are looked at in a smaller copy
_WORD = re.compile(r"(-?\d{1,4})(?:/(\d{1,4}))?")
_LONGEST, _WIDEST = 7, 1.1  # glyphs of a number, and how wide for its height each is, but for a minus
_SYMBOLS = "0123456789-"
_BROAD = 0.85  # of its height: no digit is wider, but faces and other round things are
_HOLE = 0.85  # of a glyph's height is a hole in it at most
_STRANGE = "x"  # stands for any other glyph
_CERTAIN, _SURE, _LIKELY = 0.998, 0.95, 0.5  # probability of the least certain digit
_NEEDED, _AHEAD = 2, 3  # votes for a number, and times as many as for another
_ALONE = 0.8  # of its height: no other number may be nearer, it could be the same one
_SLANT = (0.25, 0.3)  # of a slash's height: how far it leans at least, how thick it is at most


@dataclass(frozen=True, slots=True)
class Number:
    """A number beside the board: its value, that after a slash if there is one, its box in frame pixels.

    ``sure`` says that two different ways of reading it agree: the shapes of its digits and their segments, or
    that the shapes of several digits leave no doubt at all.
    """

    value: int
    total: int | None
    box: Rect
    sure: bool = True


@dataclass(frozen=True, slots=True)
class _Symbol:
    """What one glyph is, how likely, and whether its segments say so too."""

    text: str
    box: Rect
    chance: float
    agreed: bool


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a row of glyphs says, how certain its worst digit is, and whether its segments say so too."""

    word: str
    box: Rect
    certainty: float
    agreed: bool

    @property
    def votes(self) -> int:
        """How much this says for its word: a way of reading that is sure of it, or two that agree."""
        return int(self.certainty >= _SURE) + 2 * int(self.agreed and self.certainty >= _LIKELY)


def read_numbers(pixels: Pixels, grid: Grid, small: bool = False) -> list[Number]:
    """Return the numbers around ``grid`` in a BGR picture that were read without a doubt, left to right.

    Digits are taken to be as tall as fits the cells. With ``small`` they are as tall as those of menus, which
    do not grow with the cells and stand close to larger things.
    """
    pitch = min(grid.pitch_y, _PITCH)
    heights = _SMALL if small else (max(_FEWEST_PIXELS, _SMALLEST * pitch), _TALLEST * pitch)
    scale = 1.0 if small else grid.pitch_y / pitch
    found: list[Number] = []
    for strip in _strips(pixels, grid):
        numbers = _numbers_in(pixels, strip, scale, heights)
        found += [number for number in numbers if number not in found]
    return sorted(found, key=lambda number: (number.box.x, number.box.y))


def panel_reach(grid: Grid) -> tuple[int, int]:
    """Return how far its panel may reach from a board, up or down and to the sides, in pixels."""
    return max(_NEAREST, round(_ABOVE * grid.pitch_y)), max(_NEAREST, round(_BESIDE * grid.pitch_x))


def _strips(pixels: Pixels, grid: Grid) -> Iterable[Rect]:
    """Return the parts of the picture above, below, left and right of the board."""
    rect, picture = grid.rect, Rect(0, 0, pixels.shape[1], pixels.shape[0])
    aside = round(_OVERHANG * grid.pitch_x)
    high, wide = panel_reach(grid)
    strips = (
        Rect(rect.x - aside, rect.y - high, rect.width + 2 * aside, high),
        Rect(rect.x - aside, rect.bottom, rect.width + 2 * aside, high),
        Rect(rect.x - wide, rect.y, wide, rect.height),
        Rect(rect.right, rect.y, wide, rect.height),
    )
    inside = (strip.intersection(picture) for strip in strips)
    return [strip for strip in inside if min(strip.size) >= _FEWEST_PIXELS]


def _numbers_in(pixels: Pixels, strip: Rect, scale: float, heights: tuple[float, float]) -> list[Number]:
    part = pixels[strip.y : strip.bottom, strip.x : strip.right]
    if scale > 1:
        part = cv2.resize(part, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA).astype(
            np.uint8
        )
    rows, glyphs = find_rows(part, heights)
    readings = _read(part, (row for row in rows if _maybe_number(row)))
    outside = [each for each in readings if not any(_is_hole(each.box, box) for box in glyphs)]
    return [_number(reading, scale, strip) for reading in _believed(outside)]


def _is_hole(inner: Rect, outer: Rect) -> bool:
    """Return whether ``inner`` is a hole in a glyph: it looks like ink the other way round."""
    narrow = outer.width <= _WIDEST * outer.height
    return narrow and inner.height <= _HOLE * outer.height and outer.covers(inner)


def _maybe_number(row: Row) -> bool:
    return len(row) <= _LONGEST and all(glyph.box.width <= _WIDEST * glyph.box.height for glyph in row[1:])


def _number(reading: _Reading, scale: float, strip: Rect) -> Number:
    match = _WORD.fullmatch(reading.word)
    assert match is not None
    box = reading.box
    x, y = strip.x + round(box.x * scale), strip.y + round(box.y * scale)
    place = Rect(x, y, round(box.width * scale), round(box.height * scale))
    total = None if match[2] is None else int(match[2])
    certain = reading.certainty >= _CERTAIN and len(reading.word) > 1  # a letter may look like one digit
    return Number(int(match[1]), total, place, reading.agreed or certain)


def _read(pixels: Pixels, rows: Iterable[Row]) -> list[_Reading]:
    """Return what the rows say that are numbers. The glyphs of a row are seen together: one font."""
    rows = list(rows)
    places = list(dict.fromkeys(tuple(glyph.box for glyph in row) for row in rows))
    scores = score_digits([cut_glyphs(pixels, boxes) for boxes in places])
    chances = dict(zip(places, map(np.exp, scores), strict=True))
    readings: list[_Reading] = []
    for row in rows:
        seen = chances[tuple(glyph.box for glyph in row)]
        symbols = [_symbol(glyph, chance) for glyph, chance in zip(row, seen, strict=True)]
        readings += [_reading(part) for part in _parts(symbols)]
    return [reading for reading in readings if _WORD.fullmatch(reading.word)]


def _parts(symbols: Sequence[_Symbol]) -> Iterator[list[_Symbol]]:
    """Yield what stands between other glyphs than those of numbers, if it stands well apart from them."""
    part: list[_Symbol] = []
    stranger: Rect | None = None
    for symbol in (*symbols, None):
        if symbol is not None and symbol.text != _STRANGE:
            part.append(symbol)
            continue
        right = None if symbol is None else symbol.box
        if part and _apart(stranger, part[0].box) and _apart(part[-1].box, right):
            yield part
        part, stranger = [], right


def _apart(left: Rect | None, right: Rect | None) -> bool:
    return left is None or right is None or right.x - left.right >= ROOM * max(left.height, right.height)


def _reading(part: Sequence[_Symbol]) -> _Reading:
    left, right = part[0].box.x, part[-1].box.right
    top, bottom = min(symbol.box.y for symbol in part), max(symbol.box.bottom for symbol in part)
    word = "".join(symbol.text for symbol in part)
    certainty = min(symbol.chance for symbol in part)
    box = Rect(left, top, right - left, bottom - top)
    return _Reading(word, box, certainty, all(symbol.agreed for symbol in part))


def _symbol(glyph: Glyph, chances: Floats) -> _Symbol:
    if _is_slash(glyph.ink):
        return _Symbol("/", glyph.box, 1.0, True)
    best = int(chances.argmax())
    wide = glyph.box.width > _BROAD * glyph.box.height and best < 10
    if best >= len(_SYMBOLS) or wide:
        return _Symbol(_STRANGE, glyph.box, 1.0, False)
    dash = _SYMBOLS[best] == "-"
    agreed = glyph.box.width > glyph.box.height if dash else segment_digit(glyph.ink) == best
    return _Symbol(_SYMBOLS[best], glyph.box, float(chances[best]), agreed)


def _is_slash(ink: Mask) -> bool:
    """Return whether ink is one thin straight stroke that leans to the right."""
    height, width = ink.shape
    lean, thick = _SLANT
    across = ink.sum(1)
    if width < lean * height or width > height or across.min() == 0 or across.max() > thick * height:
        return False
    middles = (ink * np.arange(width)).sum(1) / across
    down = np.arange(height)
    slope, start = np.polyfit(down, middles, 1)
    straight = np.abs(middles - slope * down - start).max() <= max(1.0, 0.06 * height)
    return bool(straight and slope * height <= -lean * height)


def _believed(readings: Sequence[_Reading]) -> list[_Reading]:
    """Return one reading for each place where one number has far more votes than others."""
    shared = _shared([reading.box for reading in readings])
    believed: list[int] = []
    for index in sorted(
        range(len(readings)), key=lambda at: (-len(readings[at].word), -readings[at].certainty)
    ):
        if shared[index, believed].any():
            continue
        word, rivals = readings[index].word, np.flatnonzero(shared[index]).tolist()
        if _elected(word, [readings[rival] for rival in rivals]):
            believed.append(max(rivals, key=lambda rival: _weight(readings[rival], word)))
    return [
        readings[one]
        for one in believed
        if not any(
            _beside(readings[one].box, readings[other].box) for other in np.flatnonzero(~shared[one]).tolist()
        )
    ]


def _shared(boxes: Sequence[Rect]) -> npt.NDArray[np.bool_]:
    """Return which of some boxes share a pixel with which, bool (n, n)."""
    edges = np.array([(box.x, box.y, box.right, box.bottom) for box in boxes]).reshape(-1, 4)
    left, top, right, bottom = edges.T
    across = np.maximum.outer(left, left) < np.minimum.outer(right, right)
    return np.asarray(across & (np.maximum.outer(top, top) < np.minimum.outer(bottom, bottom)))


def _weight(reading: _Reading, word: str) -> tuple[bool, bool, float]:
    """Return how well a reading stands for a word: the best one does for all."""
    return reading.word == word, reading.agreed, reading.certainty


def _elected(word: str, readings: Sequence[_Reading]) -> bool:
    """Return whether ``word`` has the votes; shorter ones are parts of it and have none."""
    votes: Counter[str] = Counter()
    for reading in readings:
        if len(reading.word) >= len(word):
            votes[reading.word] += reading.votes
    mine = votes.pop(word)
    return mine >= _NEEDED and mine >= _AHEAD * max(votes.values(), default=0)


def _beside(one: Rect, other: Rect) -> bool:
    """Return whether two numbers that are apart are so near that they may be one."""
    level = min(one.bottom, other.bottom) - max(one.y, other.y) >= 0.5 * min(one.height, other.height)
    apart = max(one.x, other.x) - min(one.right, other.right)
    alike = max(one.height, other.height) <= 1.1 * min(one.height, other.height)
    return level and alike and apart < _ALONE * max(one.height, other.height)
