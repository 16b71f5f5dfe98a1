"""Read the numbers beside the board of any game, such as its counters.

A picture is divided at several levels of brightness, and ink may be brighter or darker than the level.
Connected pixels are a piece; pieces above each other are one glyph (the segments of a counter's digit, an i
and its dot); glyphs of one height side by side are a row. A number is accepted when two ways of reading it
agree: the shapes of its digits, and either their segments or the same shapes at another level.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.vision.distortion import Bools, Floats
from bot.vision.networks import SIDE, score_digits
from bot.vision.panel.surroundings import panel_strips

_TALLEST, _SMALLEST = 2.2, 0.28  # cells: greatest and least height of digits
_FEWEST_PIXELS = 7  # least height of a digit: smaller ones cannot be distinguished
_SMALL = (_FEWEST_PIXELS, 18)  # pixels: least and greatest height of digits in the text of menus
_PITCH = 32  # pixels: the panels of larger cells are read in a smaller copy
_WORD = re.compile(r"(-?\d{1,4})(?:/(\d{1,4}))?")
_LONGEST, _WIDEST = 7, 1.1  # most glyphs of a number; largest width of each by its height, except of a minus
_SYMBOLS = "0123456789-"
_BROAD = 0.85  # of its height: no digit is wider, but faces and other round things are
_HOLE = 0.85  # of a glyph's height: largest height of a hole in it
_STRANGE = "x"  # stands for any other glyph
_CERTAIN, _SURE, _LIKELY = 0.998, 0.95, 0.5  # probability of the least certain digit
_NEEDED, _AHEAD = 2, 3  # votes that a number needs, and how many times those of any other number
_ALONE = 0.8  # of its height: another number that is nearer could be a part of the same one
_SLANT = (0.25, 0.3)  # of a slash's height: least lean and greatest thickness
_LEVELS = (40, 80, 120, 160, 200)  # of 255
_FEWEST = 4  # pixels of a piece: smaller ones are noise
_LOOSE = 0.5  # of the larger of two pieces, one above the other: largest gap inside one glyph
_CUT = 0.12  # of a stroke's height: largest gap between two segments
_NEAR = 12  # pieces to the left that may belong to the same glyph
_LEVEL = 0.2  # of a glyph's height: largest difference of tops and bottoms in a row
_GAP = 0.35  # of a glyph's height: largest gap between two glyphs of a row
_STEP = 0.85  # of a glyph's height, between two right edges: a 1 of segments has a wide gap before it
_ROOM = 0.3  # of a row's height: space needed left and right of it, else it may be a part of something
_TALLER = 1.3  # times the height of a row: anything taller is a frame around it
_DASH = (0.25, 0.25, 0.8)  # of the next glyph's height: a minus's largest thickness, shift up or down, width
_MOST_GLYPHS = 300  # around a board: more are a page of text, or noise
_LARGEST_ROW = 24  # glyphs: longer rows are text
# A digit with all its segments, a to g, and its two holes, o and p; at the dots segments may or may not meet.
_SHAPE = np.array([
    list(".aaa."),
    list("f...b"),
    list("f.o.b"),
    list("f...b"),
    list(".ggg."),
    list("e...c"),
    list("e.p.c"),
    list("e...c"),
    list(".ddd."),
])  # fmt: skip
_LIT = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")  # of 0 to 9
_HOOKED = "abcf"  # a 7, as some displays show it
SEGMENT_DIGITS = {frozenset(lit): digit for digit, lit in enumerate(_LIT)} | {frozenset(_HOOKED): 7}
_NARROW = 0.36  # of its height: largest width of a 1, whose two segments fill its box
_FILLED = 0.7  # of that box at least is ink
_ON, _OFF = 0.6, 0.3  # of a segment's place is ink: at least if it is on, at most if it is off


@dataclass(frozen=True, slots=True)
class Number:
    """A number beside the board: its value, the total after a slash (or None), and its box in frame pixels.

    ``sure`` says that the shapes of its digits agree with their segments, and are not all single strokes, or
    that it has several digits whose shapes leave no doubt.
    """

    value: int
    total: int | None
    box: Rect
    sure: bool = True


@dataclass(frozen=True, slots=True)
class _SymbolReading:
    """The text of a glyph or a row, its least certainty, and whether its segments agree with its shapes."""

    word: str
    box: Rect
    certainty: float
    agreed: bool

    @property
    def votes(self) -> int:
        """The votes for its word: 1 if the shapes are sure, and 2 more if shapes and segments agree.

        A single stroke looks like the segments of a 1.
        """
        agreed = self.agreed and (len(self.word) > 1 or self.certainty >= _LIKELY)
        return int(self.certainty >= _SURE) + 2 * int(agreed)


def read_numbers(pixels: Pixels, grid: Grid, small: bool = False) -> list[Number]:
    """Return the accepted numbers around ``grid`` in a BGR picture, left to right.

    The expected height of digits depends on the cell size. With ``small`` it is that of menu text, which does
    not grow with the cells and may be close to larger things.
    """
    heights = _SMALL if small else (_SMALLEST * grid.pitch_y, _TALLEST * grid.pitch_y)
    found: list[Number] = []
    for strip in panel_strips(grid, pixels.shape):
        found += [number for number in numbers_in(pixels, strip, heights) if number not in found]
    return sorted(found, key=lambda number: (number.box.x, number.box.y))


def numbers_in(pixels: Pixels, place: Rect, heights: tuple[float, float]) -> list[Number]:
    """Return the accepted numbers in a part of a BGR picture whose digits are between two ``heights``.

    A number that touches the edge of ``place`` may go on beyond it, and is left out.
    """
    place = place.intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    if min(place.size) < _FEWEST_PIXELS:
        return []
    part, scale = place.cut(pixels), max(1.0, heights[1] / (_TALLEST * _PITCH))
    if scale > 1:
        part = cv2.resize(part, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA).astype(
            np.uint8
        )
    rows, glyphs = find_rows(part, (max(_FEWEST_PIXELS, heights[0] / scale), heights[1] / scale))
    short = (row for row in rows if len(row) <= _LONGEST)
    readings = _read(part, [row for row in short if all(_is_narrow(glyph.box) for glyph in row[1:])])
    around = [glyph for glyph in glyphs if _is_narrow(glyph)]

    def is_hole(inner: Rect) -> bool:  # in a glyph: it looks like ink if light and dark are swapped
        return any(inner.height <= _HOLE * glyph.height and glyph.covers(inner) for glyph in around)

    outside = [each for each in readings if not is_hole(each.box)]
    inner = Rect(1, 1, part.shape[1] - 2, part.shape[0] - 2)
    return [_number(reading, scale, place) for reading in _believed(outside) if inner.covers(reading.box)]


def _is_narrow(glyph: Rect) -> bool:
    return glyph.width <= _WIDEST * glyph.height


def _number(reading: _SymbolReading, scale: float, strip: Rect) -> Number:
    match = _WORD.fullmatch(reading.word)
    assert match is not None
    box = reading.box
    x, y = strip.x + round(box.x * scale), strip.y + round(box.y * scale)
    place = Rect(x, y, round(box.width * scale), round(box.height * scale))
    total = None if match[2] is None else int(match[2])
    certain = reading.certainty >= _CERTAIN and len(reading.word) > 1  # a letter may look like a digit
    strokes = set(reading.word) == {"1"}  # or the sides of a frame
    return Number(int(match[1]), total, place, certain or (reading.agreed and not strokes))


def _read(pixels: Pixels, rows: Sequence[Row]) -> list[_SymbolReading]:
    """Return the readings of rows that are numbers. The glyphs of a row are read together, as one font."""
    places = list(dict.fromkeys(tuple(glyph.box for glyph in row) for row in rows))
    scores = score_digits([cut_glyphs(pixels, boxes) for boxes in places])
    chances = dict(zip(places, map(np.exp, scores), strict=True))
    readings: list[_SymbolReading] = []
    for row in rows:
        seen = chances[tuple(glyph.box for glyph in row)]
        symbols = [_symbol(glyph, chance) for glyph, chance in zip(row, seen, strict=True)]
        for part in _number_parts(symbols):
            word, box = "".join(symbol.word for symbol in part), Rect.around([symbol.box for symbol in part])
            certainty = min(symbol.certainty for symbol in part)
            readings.append(_SymbolReading(word, box, certainty, all(symbol.agreed for symbol in part)))
    return [reading for reading in readings if _WORD.fullmatch(reading.word)]


def _number_parts(symbols: Sequence[_SymbolReading]) -> Iterator[list[_SymbolReading]]:
    """Yield the parts of a row that consist of number glyphs and are well apart from any other glyph."""
    part: list[_SymbolReading] = []
    stranger: Rect | None = None
    for symbol in (*symbols, None):
        if symbol is not None and symbol.word != _STRANGE:
            part.append(symbol)
            continue
        right = None if symbol is None else symbol.box
        if part and _far_apart(stranger, part[0].box) and _far_apart(part[-1].box, right):
            yield part
        part, stranger = [], right


def _far_apart(left: Rect | None, right: Rect | None) -> bool:
    return left is None or right is None or right.x - left.right >= _ROOM * max(left.height, right.height)


def _symbol(glyph: Glyph, chances: Floats) -> _SymbolReading:
    """Return the reading of one glyph for the network's probabilities ``chances``."""
    if _is_slash(glyph.ink):
        return _SymbolReading("/", glyph.box, 1.0, True)
    best = int(chances.argmax())
    wide = glyph.box.width > _BROAD * glyph.box.height and best < 10
    if best >= len(_SYMBOLS) or wide:
        return _SymbolReading(_STRANGE, glyph.box, 1.0, False)
    dash = _SYMBOLS[best] == "-"
    agreed = glyph.box.width > glyph.box.height if dash else segment_digit(glyph.ink) == best
    return _SymbolReading(_SYMBOLS[best], glyph.box, float(chances[best]), agreed)


def _is_slash(ink: Bools) -> bool:
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


def _believed(readings: Sequence[_SymbolReading]) -> list[_SymbolReading]:
    """Return one reading for each place where one number has far more votes than others."""
    shared = _sharing_pixels([reading.box for reading in readings])
    believed: list[int] = []
    for index in sorted(
        range(len(readings)), key=lambda at: (-len(readings[at].word), -readings[at].certainty)
    ):
        if shared[index, believed].any():
            continue
        word, rivals = readings[index].word, np.flatnonzero(shared[index]).tolist()
        if _elected(word, [readings[rival] for rival in rivals]):
            ranks = {i: (readings[i].word == word, readings[i].agreed, readings[i].certainty) for i in rivals}
            believed.append(max(rivals, key=ranks.__getitem__))
    return [
        readings[one]
        for one in believed
        if not any(
            _beside(readings[one].box, readings[other].box) for other in np.flatnonzero(~shared[one]).tolist()
        )
    ]


def _sharing_pixels(boxes: Sequence[Rect]) -> Bools:
    """Return for each pair of boxes whether they share a pixel, bool (n, n)."""
    edges = np.array([(box.x, box.y, box.right, box.bottom) for box in boxes]).reshape(-1, 4)
    left, top, right, bottom = edges.T
    across = np.maximum.outer(left, left) < np.minimum.outer(right, right)
    return np.asarray(across & (np.maximum.outer(top, top) < np.minimum.outer(bottom, bottom)))


def _elected(word: str, readings: Sequence[_SymbolReading]) -> bool:
    """Return whether ``word`` has enough votes; shorter words are parts of it and do not count.

    If a longer word is likely, ``word`` is a part of that.
    """
    if any(len(reading.word) > len(word) and reading.certainty >= _LIKELY for reading in readings):
        return False
    votes: Counter[str] = Counter()
    for reading in readings:
        if len(reading.word) >= len(word):
            votes[reading.word] += reading.votes
    mine = votes.pop(word)
    return mine >= _NEEDED and mine >= _AHEAD * max(votes.values(), default=0)


def _beside(one: Rect, other: Rect) -> bool:
    """Return whether two separate numbers are so close that they may be one number."""
    level = min(one.bottom, other.bottom) - max(one.y, other.y) >= 0.5 * min(one.height, other.height)
    apart = max(one.x, other.x) - min(one.right, other.right)
    alike = max(one.height, other.height) <= 1.1 * min(one.height, other.height)
    return level and alike and apart < _ALONE * max(one.height, other.height)


@dataclass(frozen=True, slots=True, eq=False)
class Glyph:
    """One glyph: its box in pixels of the picture, and its ink, bool (height, width)."""

    box: Rect
    ink: Bools


Row = tuple[Glyph, ...]
_Group = tuple[list[int], Rect]  # pieces and the box around them


def find_rows(pixels: Pixels, heights: tuple[float, float]) -> tuple[list[Row], set[Rect]]:
    """Return every row of glyphs in a BGR picture, and the boxes of all glyphs, between two ``heights``.

    The same glyphs are found again at other levels, each time with a little more or less ink. Rows close to
    other ink are left out, because they may be parts of something.
    """
    rows: list[Row] = []
    boxes: set[Rect] = set()
    for mask, times in _masks(pixels):
        glyphs, larger = _glyphs(mask, heights)
        if len(glyphs) > _MOST_GLYPHS:
            continue
        boxes.update(glyph.box for glyph in glyphs)
        rows += times * [row for row in _glyph_rows(glyphs, heights[0]) if not _goes_on(row, larger)]
    return rows, boxes


def cut_glyphs(pixels: Pixels, boxes: Sequence[Rect]) -> Pixels:
    """Return the glyphs in ``boxes`` of a BGR picture: uint8 (n, SIDE, SIDE, 3).

    Each is in the middle of a square of its background colour, so that its aspect ratio is kept.
    """
    cut = np.empty((len(boxes), SIDE, SIDE, 3), np.uint8)
    for index, box in enumerate(boxes):
        glyph = box.grown(1).cut(pixels)
        height, width = glyph.shape[:2]
        side = max(height, width)
        square = np.empty((side, side, 3), np.uint8)
        square[:] = np.median(np.concatenate([glyph[0], glyph[-1], glyph[:, 0], glyph[:, -1]]), axis=0)
        Rect((side - width) // 2, (side - height) // 2, width, height).cut(square)[:] = glyph
        method = cv2.INTER_AREA if side > SIDE else cv2.INTER_LINEAR
        cut[index] = cv2.resize(square, (SIDE, SIDE), interpolation=method)
    return cut


def _masks(pixels: Pixels) -> Iterator[tuple[Bools, int]]:
    """Yield masks of the pixels brighter or darker than each level, by their brightest and darkest channel.

    Coloured ink on a light background is dark in one channel, on a dark background it is bright in one. A
    mask that is the same for both is yielded once, with the number 2 instead of 1.
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


def _glyphs(mask: Bools, heights: tuple[float, float]) -> tuple[list[Glyph], Bools]:
    """Return the glyphs of a mask, pieces of a fitting size, joined if they belong to one glyph.

    The second value is the mask of all larger pieces.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    tall, wide = stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_WIDTH]
    small = (tall <= heights[1]) & (wide <= 1.2 * heights[1])
    fits = small & (stats[:, cv2.CC_STAT_AREA] >= _FEWEST)
    fits[0], small[0] = False, True  # the background
    chosen = [int(label) for label in np.flatnonzero(fits)]
    boxes = {label: Rect(*(int(value) for value in stats[label, :4])) for label in chosen}
    glyphs = []
    for members, box in _joined(boxes):
        if box.height <= heights[1]:
            part = box.cut(np.asarray(labels))
            ink = part == members[0]
            for member in members[1:]:
                ink |= part == member
            glyphs.append(Glyph(box, ink))
    return glyphs, np.asarray(~small[labels])


def _joined(boxes: dict[int, Rect]) -> list[_Group]:
    """Return groups of labels that form one glyph each, with the boxes around them.

    The strokes of a digit share columns with each other, except in a 4 with gaps at its corners: there the
    left stroke and the bar are joined first, then both with the right stroke.
    """
    groups: list[_Group] = [([label], boxes[label]) for label in boxes]
    for one_glyph in (_is_stacked, _corner, _four):
        joined: list[_Group] = []
        for new in sorted(groups, key=lambda each: each[1].x):
            for left in [group for group in joined[-_NEAR:] if one_glyph(group[1], new[1])]:
                joined.remove(left)
                new = (left[0] + new[0], Rect.around((left[1], new[1])))
            joined.append(new)
        groups = joined
    return groups


def _is_stacked(one: Rect, other: Rect) -> bool:
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


def _glyph_rows(glyphs: list[Glyph], smallest: float) -> Iterator[Row]:
    """Yield the rows that the glyphs form; a single glyph is a row, too."""
    order = sorted(range(len(glyphs)), key=lambda index: glyphs[index].box.x)
    waiting = [index for index in order if glyphs[index].box.height >= smallest]
    dashes = [index for index in range(len(glyphs)) if glyphs[index].box.height < smallest]
    edges = np.array([(box.x, box.y, box.right, box.bottom) for box in (glyph.box for glyph in glyphs)])
    while waiting:
        row = [waiting.pop(0)]
        while (right := next((i for i in waiting if _follows(glyphs[row[-1]], glyphs[i])), None)) is not None:
            waiting.remove(right)
            row.append(right)
        dash = [index for index in dashes if _minus(glyphs[index], glyphs[row[0]])][:1]
        if len(row) <= _LARGEST_ROW and not _touched(edges, [*dash, *row]):
            yield tuple(glyphs[index] for index in (*dash, *row))


def _follows(one: Glyph, other: Glyph) -> bool:
    """Return whether ``other`` is the next glyph to the right of ``one`` in the same row."""
    left, right = one.box, other.box
    height = max(left.height, right.height)
    slack = max(1.5, _LEVEL * height)
    if abs(left.y - right.y) > slack or abs(left.bottom - right.bottom) > slack or right.x < left.x:
        return False
    return right.x - left.right <= _GAP * height or right.right - left.right <= _STEP * height


def _touched(edges: npt.NDArray[np.int_], row: Sequence[int]) -> bool:
    """Return whether a glyph outside a row is so close to an end of it that it may belong to it.

    ``edges`` are left, top, right and bottom of all glyphs, (n, 4); ``row`` are the indices of its glyphs.
    """
    left, top, right, bottom = edges.T
    first, last = edges[row[0]], edges[row[-1]]
    height = last[3] - last[1]
    level = np.minimum(bottom, last[3]) > np.maximum(top, last[1])
    apart = np.maximum(first[0] - right, left - last[2])
    near = level & (apart < _ROOM * height) & (bottom - top < _TALLER * height)
    near[[*row]] = False
    return bool(near.any())


def _goes_on(row: Row, larger: Bools) -> bool:
    """Return whether a row may go on in a digit that is joined to something larger, such as a frame.

    ``larger`` is the ink of all things larger than glyphs. A straight line that goes past the row, like the
    side of a frame, ends the search for more digits.
    """
    first, last = row[0].box, row[-1].box
    top, bottom = min(glyph.box.y for glyph in row), max(glyph.box.bottom for glyph in row)
    reach = round(_STEP * (bottom - top))
    band = larger[max(0, top - 2) : bottom + 2]
    for beside in (band[:, max(0, first.x - reach) : first.x][:, ::-1], band[:, last.right :][:, :reach]):
        inked = np.flatnonzero(beside[2:-2].any(0))[:1]
        nearest = beside[:, inked]  # a dithered line has gaps of a pixel
        if not (nearest[1:-1] | (nearest[:-2] & nearest[2:])).all():
            return True
    return False


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


def segment_digit(ink: Bools) -> int | None:
    """Return the digit that the segments of this ink (height, width) form, None if they form none."""
    height, width = ink.shape
    if width <= _NARROW * height:
        return 1 if ink.mean() >= _FILLED else None
    shares = np.asarray(cv2.resize(ink.astype(np.float32), _SHAPE.shape[::-1], interpolation=cv2.INTER_AREA))
    levels = {name: float(shares[name == _SHAPE].mean()) for name in "abcdefgop"}
    if any(_OFF < level < _ON for level in levels.values()):
        return None
    return SEGMENT_DIGITS.get(frozenset(name for name, level in levels.items() if level >= _ON))
