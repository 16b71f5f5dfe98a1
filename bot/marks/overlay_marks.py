"""Marks on a board: which cells of a position are marked in which layer, and marks shown over a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from bot.board import Board, Cell, State
from bot.geometry import Frame, Grid, Pixels, Rect
from bot.marks.picture_marks import Kind, Mark, Picture, box_of, picture_of
from bot.solver.decision import Decision
from bot.words import short_risk

LEGEND = "Yellow to red is the risk of a mine in percent"
_LONGEST = 3  # most digits of a number in the order of clicks
_CROWD = 8  # if more cells than these have the same risk, one number is enough for them
_SAMPLE = 24  # about this many marks are checked instead of all


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
