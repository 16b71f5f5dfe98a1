"""Marks on a board: which cells have one, the one renderer of them, and marks placed over a game.

A mark covers only few pixels of its cell, so that a change of the cell is visible beside the mark. Its pixels
are opaque, so the marks alone determine which pixels of the screen they cover. A mark uses only the rim of
its cell, the upper left corner, and two thin diagonals. Rims have a gap in the middle of each side, because
the edges may be all that distinguishes a covered cell from an empty one.

Every mark has two colours side by side, one light and one dark, so that one of them is visible on any ground.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bot import MOST_PIXELS
from bot.board import Board, Cell, State
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.solver.decision import Decision
from bot.words import short_risk

Picture = npt.NDArray[np.uint8]  # BGRA
Colour = tuple[int, int, int]  # red, green, blue

LEGEND = "Yellow to red is the risk of a mine in percent"
_LONGEST = 3  # most digits of a number in the order of clicks
_CROWD = 8  # if more cells than these have the same risk, one number is enough for them
_SAMPLE = 24  # about this many marks are checked instead of all
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
SCALE: Sequence[tuple[float, Colour, Colour]] = (  # highest risk, colour, and that of texts and edges on it
    (0.0, (79, 211, 255), BLACK),
    (0.1, (255, 246, 196), BLACK),
    (0.2, (255, 210, 31), BLACK),
    (0.34, (255, 153, 51), BLACK),  # one in three belongs here
    (1.0, (143, 15, 28), WHITE),
)
_UNIT = 20  # a line is one pixel wide for every 20 pixels of the cell size
_GAP = 0.2  # length of the gap in each side of a rim, as a share of the cell size
_CROSS = 0.27, 0.73  # start and end of the diagonals of a mine, as shares of the cell size
_TEXT = 0.34  # height of a text, as a share of the cell size
_LEAST = 6  # least height of a text in pixels
_DOT = 0.25  # size of a dot, as a share of the cell size
_LEGIBLE = 30  # pixels: a picture with smaller cells is enlarged
_PEN = 0.17  # width of the lines of a text, as a share of its height
_NARROW = 0.8  # a text with a percent sign may shrink to this share of its width
_HEIGHT, _DIGIT, _WIDTHS = 20, 12, {"1": 5.5, "%": 18}  # of characters in the units of `_GLYPHS`
# The lines (x, y, x, y) and arcs (x, y, half width, half height, first and last degree, clockwise from
# the right) of each character. A font file would have to be found on each system. 3 has a flat top, which
# makes it less like 8.
_GLYPHS: dict[str, tuple[tuple[float, ...], ...]] = {
    "0": ((6, 6, 6, 6, 180, 360), (12, 6, 12, 14), (6, 14, 6, 6, 0, 180), (0, 14, 0, 6)),
    "1": ((0, 4.5, 5.5, 0), (5.5, 0, 5.5, 20)),
    "2": ((6, 6, 6, 6, 190, 395), (10.9, 9.4, 0, 20), (0, 20, 12, 20)),
    "3": ((0, 0, 11.5, 0), (11.5, 0, 5.5, 7.5), (5.5, 13.7, 6.5, 6.3, 270, 505)),
    "4": ((8.5, 0, 0, 14), (0, 14, 12, 14), (9, 7, 9, 20)),
    "5": ((11, 0, 2, 0), (2, 0, 1, 9), (5.5, 13.5, 6.5, 6.5, 225, 510)),
    "6": ((6, 14, 6, 6, 0, 360), (9, 0, 0.7, 11.5)),
    "7": ((0, 0, 12, 0), (12, 0, 4, 20)),
    "8": ((6, 4.8, 5.2, 4.8, 0, 360), (6, 14.8, 6, 5.2, 0, 360)),
    "9": ((6, 6, 6, 6, 0, 360), (11.3, 8.5, 3, 20)),
    "%": ((3.5, 4.5, 3.5, 4.5, 0, 360), (14.5, 15.5, 3.5, 4.5, 0, 360), (14.5, 0, 3.5, 20)),
    "?": ((6, 5.5, 6, 5.5, 180, 440), (7, 10.9, 6, 14), (6, 20, 6, 20)),
}


class Kind(Enum):
    """The shape of a mark."""

    SAFE = "safe"  # a frame
    NEXT = "next"  # a thick frame: the suggested click, safe or not
    MINE = "mine"  # a cross
    PROOF = "proof"  # a white frame: an opened number that proves the suggested click
    UNREAD = "unread"  # a white plate: the cell cannot be read
    PLAIN = "plain"  # only a plate


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a cell in the colour of its ``risk``, 0.0 to 1.0.

    ``text`` stands on a plate in the corner: a number of up to three digits, a risk in percent, or "?". A
    mark of kind PLAIN without text is a dot.
    """

    cell: Cell
    kind: Kind
    text: str = ""
    risk: float = 0.0


# Which cells have a mark


class Layer(Enum):
    """A part of the overlay that can be switched on and off."""

    SAFE = "safe"
    MINES = "mines"
    NEXT = "next"
    ORDER = "order"  # numbers that show the order of clicks
    RISK = "risk"
    WORDS = "words"  # the reason, beside the window, and the numbers that prove it


@dataclass(frozen=True, slots=True)
class Advice:
    """The solver's result for a position: the decision, the suggested cell and the ``numbers`` that prove it.

    ``risks`` are the chances of a mine, 0.0 or 1.0 only if that is proven; ``words`` is the reason as text.
    """

    decision: Decision
    cell: Cell | None = None
    numbers: Collection[Cell] = ()
    risks: Mapping[Cell, float] = field(default_factory=dict)
    words: str = ""


def marks_of(board: Board, advice: Advice, layers: Collection[Layer]) -> tuple[Mark, ...]:
    """Return the marks of ``layers`` for a position, row by row, at most one per cell.

    Safe cells and mines are those of the decision and those with a risk of 0.0 or 1.0. A mine with a flag
    gets no mark. The moves of the decision are numbered in their order, unless they are guesses. Of many
    cells with the same risk, only one shows it as a number.
    """
    covered = frozenset(board.cells(State.COVERED, State.QUESTION))
    moves = advice.decision.moves
    risks = {**advice.risks, **dict.fromkeys(advice.decision.mines, 1.0)}
    risks |= {move.cell: move.risk for move in moves}
    risky = {cell for cell in covered if 0 < risks.get(cell, 0) < 1}
    suggested = set() if advice.cell is None else {advice.cell}
    texts = dict[Cell, str]()
    if Layer.RISK in layers:
        texts |= _percents(risky, risks, advice.cell)
    elif Layer.NEXT in layers:
        texts |= _percents(risky & suggested, risks, advice.cell)
    if Layer.ORDER in layers:
        order = enumerate((move for move in moves if not move.risk), 1)
        texts |= {move.cell: str(number) for number, move in order if len(str(number)) <= _LONGEST}
    kinds = dict[Cell, Kind]()
    if Layer.SAFE in layers:
        kinds |= dict.fromkeys((cell for cell in covered if risks.get(cell) == 0), Kind.SAFE)
    if Layer.MINES in layers:
        kinds |= dict.fromkeys((cell for cell in covered if risks.get(cell) == 1), Kind.MINE)
    if Layer.NEXT in layers:
        kinds |= dict.fromkeys(suggested, Kind.NEXT)
    if Layer.WORDS in layers:
        kinds |= dict.fromkeys((cell for cell in advice.numbers if board[cell]), Kind.PROOF)
    return tuple(
        Mark(cell, kinds.get(cell, Kind.PLAIN), texts.get(cell, ""), risks.get(cell, 0.0))
        for cell in sorted({*kinds, *texts})
    )


def marks_in_picture(board: Board, decision: Decision | None) -> tuple[Mark, ...]:
    """Return all marks of ``decision``, which suggests its first move, and those of unreadable cells."""
    unread = tuple(Mark(cell, Kind.UNREAD, "?") for cell in board.cells(State.UNREADABLE))
    if decision is None:
        return unread
    first = decision.moves[0].cell if decision.moves else None
    return unread + marks_of(board, Advice(decision, first, risks=decision.risks), tuple(Layer))


def words_of(advice: Advice, layers: Collection[Layer]) -> str:
    """Return the words to show beside the board: the reason, and what risks are; "" if unwanted."""
    if Layer.WORDS not in layers:
        return ""
    if Layer.RISK not in layers or not any(0 < risk < 1 for risk in advice.risks.values()):
        return advice.words
    common = _common_risk(advice.risks)
    rest = f"; cells without a number have {common}" if common else ""
    return f"{advice.words} {LEGEND}{rest}.".strip()


def _percents(
    cells: Collection[Cell], risks: Mapping[Cell, float], suggested: Cell | None
) -> dict[Cell, str]:
    """Return the texts of ``cells``: "" for those with the common risk, but for one of them."""
    texts = {cell: short_risk(risks[cell]) for cell in cells}
    common = _common_risk({cell: risks[cell] for cell in cells})
    alike = sorted(cell for cell in cells if texts[cell] == common)
    shown = suggested if suggested in alike else next(iter(alike), None)
    return texts | {cell: "" for cell in alike if cell != shown}


def _common_risk(risks: Mapping[Cell, float]) -> str:
    """Return the risk, as a text, that most cells share, "" if there is none."""
    texts = Counter(short_risk(risk) for risk in risks.values() if 0 < risk < 1)
    text, count = max(texts.items(), key=lambda item: item[1], default=("", 0))
    return text if count > _CROWD else ""


# How a mark looks


def colours_of(mark: Mark) -> tuple[Colour, Colour]:
    """Return the colour of a mark, and that of its text and edges."""
    if mark.kind in (Kind.PROOF, Kind.UNREAD):
        return WHITE, BLACK
    risk = 1.0 if mark.kind is Kind.MINE else mark.risk
    return next((colour, ink) for highest, colour, ink in SCALE if risk <= highest)


def picture_of(grid: Grid, marks: Iterable[Mark]) -> Picture:
    """Return marks on the board at ``grid`` as BGRA pixels: a uint8 array (height, width, 4) of its size.

    The alpha value is 255 where a mark is, 0 elsewhere.
    """
    picture = np.zeros((grid.rect.height, grid.rect.width, 4), np.uint8)
    for mark in marks:
        box = box_of(grid, mark)
        box.cut(picture)[:] = _drawn(box.height, box.width, mark.kind, mark.text, *colours_of(mark))
    return picture


def box_of(grid: Grid, mark: Mark) -> Rect:
    """Return the rectangle of a mark's cell in the picture of the board."""
    return grid.cell_box(mark.cell).moved(-grid.rect.x, -grid.rect.y)


def draw_marks(pixels: Pixels, grid: Grid, marks: Iterable[Mark]) -> Pixels:
    """Return a copy of a BGR picture with ``marks`` on the board at ``grid``."""
    drawn, there = pixels.copy(), grid.rect
    seen = there.intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    marked = seen.moved(-there.x, -there.y).cut(picture_of(grid, marks))
    np.copyto(seen.cut(drawn), marked[..., :3], where=marked[..., 3:] > 0)
    return drawn


def draw_boards(pixels: Pixels, boards: Sequence[tuple[Grid, Sequence[Mark]]]) -> Pixels:
    """Return a BGR picture with the marks of all ``boards``, enlarged so that they can be read.

    It is enlarged by a whole number, but not if it would get too large.
    """
    smallest = min((min(grid.pitch_x, grid.pitch_y) for grid, _ in boards), default=_LEGIBLE)
    factor = math.ceil(_LEGIBLE / smallest)
    if factor**2 * pixels.shape[0] * pixels.shape[1] > MOST_PIXELS:
        factor = 1
    picture = pixels.repeat(factor, axis=0).repeat(factor, axis=1)
    for grid, marks in boards:
        picture = draw_marks(picture, grid.enlarged(factor), marks)
    return picture


@lru_cache(maxsize=1024)
def _drawn(height: int, width: int, kind: Kind, text: str, colour: Colour, ink: Colour) -> Picture:
    """Return the picture of one mark, of the size of its cell.

    The result is cached, because most marks on a board look alike.
    """
    cell, size = np.zeros((height, width, 4), np.uint8), min(height, width)
    line = max(1, round(size / _UNIT))
    if text:
        cell[:] = _drawn(height, width, kind, "", colour, ink)
        tall = max(_LEAST, round(_TEXT * size))
        _plate(cell, line, _written(text, tall, width - 2 * line, line), colour, ink)
    elif kind in (Kind.SAFE, Kind.PROOF):
        _rim(cell, 0, line, colour)
        _rim(cell, line, line, ink)
    elif kind is Kind.NEXT:
        _rim(cell, 0, line, WHITE)
        _rim(cell, line, line, ink)
        _rim(cell, 2 * line, 2 * line, colour)
    elif kind is Kind.MINE:
        low, high = (share * size for share in _CROSS)
        cross = np.array(((low, low), (high, high))), np.array(((low, high), (high, low)))
        for pen, paint in ((3 * line + 1, ink), (line + 1, colour)):
            _paint(cell, _coverage(cross, height, width, pen) > 0.5, paint)  # opaque, so not smooth
    elif kind is Kind.PLAIN:
        _plate(cell, line, np.zeros((max(1, round(_DOT * size) - 2 * line),) * 2), colour, ink)
    cell.flags.writeable = False
    return cell


def _rim(cell: Picture, inset: int, width: int, colour: Colour) -> None:
    rows, cols = (np.arange(size) for size in cell.shape[:2])
    edges = np.minimum(np.minimum(rows, rows[::-1])[:, None], np.minimum(cols, cols[::-1]))
    across, down = (np.abs(axis - (len(axis) - 1) / 2) > _GAP / 2 * len(axis) for axis in (cols, rows))
    _paint(cell, (edges >= inset) & (edges < inset + width) & across & down[:, None], colour)


def _plate(cell: Picture, line: int, text: npt.NDArray[np.float64], colour: Colour, ink: Colour) -> None:
    """Draw a plate of ``colour`` with an edge and a ``text`` of ``ink`` into the upper left corner."""
    height, width = (side + 2 * line for side in text.shape)
    _paint(cell[:height, :width], np.ones((height, width)), ink)
    inside = cell[line : height - line, line : width - line]
    _paint(inside, np.ones(text.shape), colour)
    _paint(inside, text, ink)


def _paint(part: Picture, coverage: npt.NDArray[np.float64 | np.bool_], colour: Colour) -> None:
    """Mix ``colour`` into the pixels of a mark by ``coverage``, 0 to 1; all that is covered gets opaque."""
    share = coverage[: part.shape[0], : part.shape[1], None]
    part[..., :3] = np.rint(part[..., :3] * (1 - share) + share * np.array(colour[::-1]))
    part[..., 3][share[..., 0] > 0] = 255


def _written(text: str, height: int, room: int, pad: int) -> npt.NDArray[np.float64]:
    """Return how much of each pixel a ``text`` of ``height`` pixels covers, with ``pad`` pixels around it.

    If it is wider than ``room``, it gets narrower; if that is not enough, it loses its percent sign.
    """
    pen = max(1.0, _PEN * height)
    gap, unit = round(max(1.0, 0.6 * pen)), (height - pen) / _HEIGHT
    for written in (text, text.rstrip("%")):
        widths = [_WIDTHS.get(character, _DIGIT) for character in written]
        free = room - 2 * pad - len(written) * (pen + gap) + gap
        wide = max(0.0, min(unit, free / sum(widths)))  # a cell may be narrower than any text
        if wide >= _NARROW * unit:
            break
    blank, parts = np.zeros((height, gap)), list[npt.NDArray[np.float64]]()
    for character, width in zip(written, widths, strict=True):
        parts += [blank, _glyph(character, height, int(width * wide + pen), pen)]
    return np.pad(np.hstack(parts[1:]), pad)


@lru_cache(maxsize=256)
def _glyph(character: str, height: int, width: int, pen: float) -> npt.NDArray[np.float64]:
    """Return how much of each pixel a character covers that fills ``height`` x ``width`` pixels."""
    scale = (width - pen) / _WIDTHS.get(character, _DIGIT), (height - pen) / _HEIGHT
    return _coverage([_points(line) * scale + pen / 2 for line in _GLYPHS[character]], height, width, pen)


def _points(line: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return the ends of a line, or points of an arc, of `_GLYPHS` as an array (points, 2)."""
    if len(line) == 4:
        return np.array(line).reshape(2, 2)
    x, y, across, down, first, last = line
    angles = np.radians(np.linspace(first, last, 25))
    return np.stack((x + across * np.cos(angles), y + down * np.sin(angles)), axis=1)


def _coverage(
    lines: Iterable[npt.NDArray[np.float64]], height: int, width: int, pen: float
) -> npt.NDArray[np.float64]:
    """Return how much of each pixel is covered by ``lines``, arrays (points, 2), drawn by a round pen."""
    middles = np.stack(np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5), axis=2)
    least = np.full((height, width), np.inf)
    for start, end in (ends for line in lines for ends in pairwise(line)):
        way, there = end - start, middles - start
        along = np.clip(there @ way / max(way @ way, 1e-9), 0, 1)
        least = np.minimum(least, np.hypot(*np.moveaxis(there - along[..., None] * way, 2, 0)))
    return np.clip(pen / 2 + 0.5 - least, 0, 1)


# Marks over a game


@dataclass(frozen=True, slots=True)
class Sheet:
    """Marks on a board, as they are sent to the process that shows them.

    ``grid`` is the place of the board in screen pixels. ``words`` are shown next to ``beside``, a rectangle
    of the screen: the client area of the game's window, or the board if the window is unknown.
    """

    grid: Grid
    marks: tuple[Mark, ...]
    words: str
    beside: Rect

    @property
    def rect(self) -> Rect:
        """The rectangle of the board on the screen."""
        return self.grid.rect

    def moved(self, dx: int, dy: int) -> Sheet:
        """Return a copy moved by ``dx`` to the right and ``dy`` down, in pixels."""
        return replace(self, grid=self.grid.moved(dx, dy), beside=self.beside.moved(dx, dy))

    def picture(self) -> Picture:
        """Return the marks as BGRA pixels: a uint8 array (height, width, 4) of the size of `rect`.

        The alpha value is 255 where a mark is, 0 elsewhere.
        """
        return picture_of(self.grid, self.marks)


@dataclass(frozen=True, slots=True)
class Order:
    """A line of JSON for the process that shows marks: the sheet to show, None: no marks, and its number."""

    number: int
    sheet: Sheet | None


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSheet:
    """A sheet, and the picture of the board without marks that it was made for.

    ``clean`` are the pixels of `Sheet.rect` without marks, uint8 BGR; ``marks`` are the marks there, BGRA;
    ``beside`` has the shape of ``clean`` and is 0 where a mark is, 255 elsewhere.
    """

    sheet: Sheet
    clean: Pixels
    marks: Picture
    beside: Pixels

    @classmethod
    def of(cls, sheet: Sheet, clean: Pixels) -> PlacedSheet:
        """Return ``sheet`` placed on ``clean``, the pixels of its board without marks."""
        marks = sheet.picture()
        return cls(sheet, clean, marks, np.repeat(~marks[..., 3:], 3, axis=2))

    def moved(self, dx: int, dy: int) -> PlacedSheet:
        """Return a copy moved by ``dx`` to the right and ``dy`` down, in pixels."""
        return replace(self, sheet=self.sheet.moved(dx, dy))

    def fits(self, pixels: Pixels, *, marked: bool) -> bool:
        """Return whether ``pixels`` equal the picture of the board that the marks were made for.

        If ``marked``, the pixels that the marks cover are ignored.
        """
        if pixels.shape != self.clean.shape:
            return False
        return (
            not ((pixels ^ self.clean) & self.beside).any() if marked else np.array_equal(pixels, self.clean)
        )

    def without_marks(self, frame: Frame) -> Frame | None:
        """Return a picture of the screen in which the marks are replaced by the board below them.

        Return None if ``frame`` shows only part of the board, or if the board has changed beside the marks.
        """
        rect = self.sheet.rect
        if frame.rect.intersection(rect).empty:
            return frame
        if not frame.rect.covers(rect):
            return None
        board = rect.moved(-frame.origin.x, -frame.origin.y)
        if not self.fits(board.cut(frame.pixels), marked=True):
            return None
        pixels = frame.pixels.copy()
        board.cut(pixels)[:] = self.clean
        return Frame(pixels, frame.origin, frame.time)

    def left_over(self, pixels: Pixels) -> bool:
        """Return whether ``pixels`` of the board still show a complete mark; only a sample is checked."""
        if pixels.shape != self.clean.shape:
            return False
        same = (pixels == self.marks[..., :3]).all(axis=2) | (self.beside[..., 0] > 0)
        some = self.sheet.marks[:: max(1, len(self.sheet.marks) // _SAMPLE)]
        boxes = (box_of(self.sheet.grid, mark) for mark in some)
        return any(box.cut(same).all() for box in boxes)
