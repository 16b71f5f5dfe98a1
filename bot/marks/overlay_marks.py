"""Marks over a game: which cells of a position are marked in which layer, and the pixels of the marks.

A mark covers only few pixels of its cell, so that a change of the cell is visible beside the mark. Its pixels
are opaque, so the marks alone determine which pixels of the screen they cover. A mark uses only the rim of
its cell, the upper left corner, and two thin diagonals. Rims have a gap in the middle of each side, because
the edges may be all that distinguishes a covered cell from an empty one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.solver.decision import Action, Decision
from bot.words import short_risk

LEGEND = "A number with % is the risk of a mine."
_LONGEST = 3  # most characters in a mark


class Layer(Enum):
    """A part of the overlay that can be switched on and off."""

    SAFE = "safe"
    MINES = "mines"
    NEXT = "next"
    ORDER = "order"  # numbers that show the order of clicks
    RISK = "risk"
    WORDS = "words"  # the reason, beside the window, and the numbers that prove it


class Kind(Enum):
    """The meaning of a mark."""

    SAFE = "safe"
    MINE = "mine"
    NEXT = "next"  # the suggested click, which is safe
    GUESS = "guess"  # the suggested click, which may be a mine
    FLAG = "flag"  # a flag that should be removed
    PROOF = "proof"  # an opened number that proves the suggested click
    PLAIN = "plain"  # only a text


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a cell; ``text`` is a number of up to three digits in its corner, or ""."""

    cell: Cell
    kind: Kind
    text: str = ""


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
    gets no mark. The moves of the decision are numbered in their order, unless they are guesses.
    """
    covered = frozenset(board.cells(State.COVERED, State.QUESTION))
    moves, risks = advice.decision.moves, advice.risks
    opened = {move.cell for move in moves if move.action is Action.OPEN and not move.risk}
    safe = covered & (opened | {cell for cell, risk in risks.items() if risk == 0.0})
    mines = covered & {*advice.decision.mines, *(cell for cell, risk in risks.items() if risk == 1.0)}
    suggested = _suggested(advice)
    texts = _percents(covered - safe - mines, risks) if Layer.RISK in layers else {}
    if Layer.ORDER in layers:
        order = enumerate((move for move in moves if not move.risk), 1)
        texts |= {move.cell: str(number) for number, move in order if len(str(number)) <= _LONGEST}
    if Layer.NEXT in layers and Layer.RISK not in layers:
        texts |= _percents(suggested.keys() & covered - safe, risks)
    kinds = dict.fromkeys(safe, Kind.SAFE) if Layer.SAFE in layers else {}
    kinds |= dict.fromkeys(mines, Kind.MINE) if Layer.MINES in layers else {}
    kinds |= suggested if Layer.NEXT in layers else {}
    if Layer.WORDS in layers:
        kinds |= dict.fromkeys((cell for cell in advice.numbers if board[cell]), Kind.PROOF)
    marked = sorted({*kinds, *texts})
    return tuple(Mark(cell, kinds.get(cell, Kind.PLAIN), texts.get(cell, "")) for cell in marked)


def words_of(advice: Advice, layers: Collection[Layer]) -> str:
    """Return the words to show beside the board: the reason, and what risks are; "" if unwanted."""
    if Layer.WORDS not in layers:
        return ""
    risky = Layer.RISK in layers and any(0 < risk < 1 for risk in advice.risks.values())
    return f"{advice.words} {LEGEND}".strip() if risky else advice.words


def _percents(cells: Iterable[Cell], risks: Mapping[Cell, float]) -> dict[Cell, str]:
    return {cell: short_risk(risks[cell]) for cell in cells if cell in risks}


def _suggested(advice: Advice) -> dict[Cell, Kind]:
    """Return the suggested cell with its kind of mark, or {} if no cell is suggested."""
    if advice.cell is None:
        return {}
    move = next((move for move in advice.decision.moves if move.cell == advice.cell), None)
    if move is not None and move.action is Action.FLAG:
        return {advice.cell: Kind.FLAG}
    return {advice.cell: Kind.GUESS if move is not None and move.risk else Kind.NEXT}


Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int, int]  # blue, green, red, alpha

GREEN, RED, AMBER, BLUE = (60, 255, 110, 255), (40, 40, 255, 255), (0, 170, 255, 255), (255, 130, 30, 255)
BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)
_RIMS: dict[Kind, Colour] = {
    Kind.SAFE: GREEN,
    Kind.NEXT: GREEN,
    Kind.GUESS: AMBER,
    Kind.FLAG: AMBER,
    Kind.PROOF: BLUE,
}
_SUGGESTED = (Kind.NEXT, Kind.GUESS, Kind.FLAG)
_UNIT = 16  # a line is one pixel wide for every 16 pixels of the cell size
_GAP = 0.2  # length of the gap in each side of a rim, as a share of the cell size
_CROSS = 0.25, 0.75  # start and end of the diagonals of a mine, as shares of the cell size
_DIGITS = {  # 3 x 5 dots
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", " # ", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "%": ("# #", "  #", " # ", "#  ", "# #"),
}  # fmt: skip
_DOTS = {
    digit: np.array([[dot == "#" for dot in line] for line in lines]) for digit, lines in _DIGITS.items()
}
_SAMPLE = 24  # about this many marks are checked instead of all


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
        picture = np.zeros((self.rect.height, self.rect.width, 4), np.uint8)
        for mark in self.marks:
            box = box_of(self.grid, mark)
            box.cut(picture)[:] = _drawn(box.height, box.width, mark.kind, mark.text)
        return picture


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


def box_of(grid: Grid, mark: Mark) -> Rect:
    """Return the rectangle of a mark's cell in the picture of the board."""
    return grid.cell_box(mark.cell).moved(-grid.rect.x, -grid.rect.y)


@lru_cache(maxsize=1024)
def _drawn(height: int, width: int, kind: Kind, text: str) -> Picture:
    """Return the picture of one mark, of the size of its cell.

    The result is cached, because most marks on a board look alike.
    """
    cell = np.zeros((height, width, 4), np.uint8)
    line = max(1, round(min(height, width) / _UNIT))
    colour, inset = _RIMS.get(kind), 0
    if kind is Kind.MINE:
        _cross(cell, line)
    if colour is not None:
        suggested, inset = kind in _SUGGESTED, line
        _rim(cell, 0, line, WHITE if suggested else colour)
        _rim(cell, line, line, colour if suggested else BLACK)
    if text:
        _plate(cell, inset, line, text, colour or WHITE)
    cell.flags.writeable = False
    return cell


def _rim(cell: Picture, inset: int, width: int, colour: Colour) -> None:
    rows, cols = (np.arange(size) for size in cell.shape[:2])
    edges = np.minimum(np.minimum(rows, rows[::-1])[:, None], np.minimum(cols, cols[::-1]))
    across, down = (np.abs(axis - (len(axis) - 1) / 2) > _GAP / 2 * len(axis) for axis in (cols, rows))
    cell[(edges >= inset) & (edges < inset + width) & across & down[:, None]] = colour


def _cross(cell: Picture, line: int) -> None:
    size = min(cell.shape[:2])
    for step in range(round(size * _CROSS[0]), round(size * _CROSS[1])):
        for start in (step, size - 1 - step):
            left = max(0, start - line // 2)
            cell[step, left : left + line + 1] = RED


def _plate(cell: Picture, inset: int, scale: int, text: str, colour: Colour) -> None:
    """Draw black digits on a background of ``colour`` into the upper left corner."""
    gap = np.zeros((5, 1), bool)
    dots = np.hstack([gap, *(part for digit in text for part in (_DOTS[digit], gap))])
    dots = np.pad(dots, ((1, 1), (0, 0))).repeat(scale, 0).repeat(scale, 1)
    plate = cell[inset : inset + dots.shape[0], inset : inset + dots.shape[1]]
    dots = dots[: plate.shape[0], : plate.shape[1], None]
    plate[:] = np.where(dots, np.array(BLACK, np.uint8), np.array(colour, np.uint8))
