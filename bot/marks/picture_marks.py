"""Draw marks on a picture of a board: safe cells, mines, guesses, the first move, a hint."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import cv2

from bot import MOST_PIXELS
from bot.board import Cell
from bot.geometry import Grid, Pixels, Rect
from bot.solver.decision import Action, Decision
from bot.vision import Reading
from bot.words import short_risk

GREEN, RED, AMBER, BLUE = (60, 200, 60), (60, 60, 235), (0, 165, 255), (235, 130, 40)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
Colour = tuple[int, int, int]

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_LEGIBLE = 30  # pixels: two digits in a smaller cell are hard to read
_BADGE = 12  # least height of the percentage beside a guess, in pixels: legible even beside small cells
_VEIL = 0.45  # opacity of a mark on a cell, 0 to 1


def enlarged(pixels: Pixels, grids: Iterable[Grid]) -> tuple[Pixels, int]:
    """Return the picture, enlarged so that marks in the cells of ``grids`` can be read, and the factor.

    The factor is a whole number; it is 1 for large cells, and for pictures that would get too large.
    """
    smallest = min((min(grid.pitch_x, grid.pitch_y) for grid in grids), default=_LEGIBLE)
    factor = math.ceil(_LEGIBLE / smallest)
    if factor < 2 or factor**2 * pixels.shape[0] * pixels.shape[1] > MOST_PIXELS:
        return pixels, 1
    return pixels.repeat(factor, axis=0).repeat(factor, axis=1), factor


def draw_boards(pixels: Pixels, boards: Sequence[tuple[Reading, Decision | None]]) -> Pixels:
    """Return a BGR picture with marks on all ``boards``, enlarged so that they can be read."""
    picture, factor = enlarged(pixels, (reading.grid for reading, _ in boards))
    for reading, decision in boards:
        picture = draw_marks(picture, replace(reading, grid=reading.grid.enlarged(factor)), decision)
    return picture


def draw_marks(pixels: Pixels, reading: Reading, decision: Decision | None) -> Pixels:
    """Return a copy of a BGR picture with marks on the board of ``reading``.

    Safe cells are green and numbered in the order of ``decision.moves``, flags to set are blue, known mines
    red and crossed. The first move has a double frame. A guess is amber, with its risk in percent beside it.
    Unreadable cells are hatched. If ``decision`` is None, only the unreadable cells are marked.
    """
    picture = pixels.copy()
    for cell in reading.unreadable:
        _hatch(picture, reading.grid.cell_box(cell))
    if decision is None:
        return picture
    for cell in sorted(decision.mines):
        _veil(picture, reading.grid.cell_box(cell).grown(-1), RED)
        _cross(picture, reading.grid.cell_box(cell))
    for number, move in reversed(list(enumerate(decision.moves, 1))):
        box, guess = reading.grid.cell_box(move.cell), move.risk > 0
        _veil(picture, box, BLUE if move.action is Action.FLAG else AMBER if guess else GREEN)
        if number == 1:
            _frame_twice(picture, box)
        if guess:
            _badge(picture, box, short_risk(move.risk))
        else:
            _label(picture, box, str(number))
    return picture


def draw_hint(
    pixels: Pixels,
    grid: Grid,
    cell: Cell,
    numbers: Collection[Cell] = (),
    *,
    mine: bool = False,
    risk: float = 0.0,
) -> Pixels:
    """Return a copy of a BGR picture with a hint: marks on a cell of ``grid`` and the numbers that prove it.

    A safe cell is green with a double frame; a ``mine`` is red and crossed. If ``risk`` is not 0, the cell is
    amber with a double frame and the risk in percent beside it. The ``numbers`` have blue frames.
    """
    picture, box = pixels.copy(), grid.cell_box(cell)
    for number in numbers:
        around = grid.cell_box(number)
        _frame(picture, around, BLUE, max(2, (around.width - 1) // 10))
    if mine:
        _veil(picture, box, RED)
        _cross(picture, box)
    else:
        _veil(picture, box, AMBER if risk else GREEN)
        _frame_twice(picture, box)
    if risk:
        _badge(picture, box, short_risk(risk))
    return picture


def _veil(picture: Pixels, box: Rect, colour: Colour) -> None:
    """Tint a cell so that its content stays visible, and draw a frame around it."""
    area = box.cut(picture)
    if area.size:
        area[:] = (area * (1 - _VEIL) + [channel * _VEIL for channel in colour]).astype("uint8")
    _frame(picture, box, colour, max(1, (box.width - 1) // 16))


def _frame_twice(picture: Pixels, box: Rect) -> None:
    _frame(picture, box, BLACK, 1)
    _frame(picture, box.grown(-1), WHITE, 1)


def _frame(picture: Pixels, box: Rect, colour: Colour, width: int) -> None:
    cv2.rectangle(picture, (box.x, box.y, box.width, box.height), colour, width)


def _cross(picture: Pixels, box: Rect) -> None:
    inner, width = box.grown(-((box.width - 1) // 4)), max(1, (box.width - 1) // 10)
    right, bottom = inner.right - 1, inner.bottom - 1
    cv2.line(picture, (inner.x, inner.y), (right, bottom), RED, width, cv2.LINE_AA)
    cv2.line(picture, (inner.x, bottom), (right, inner.y), RED, width, cv2.LINE_AA)


def _hatch(picture: Pixels, box: Rect) -> None:
    size, right, bottom = min(box.size) - 1, box.right - 1, box.bottom - 1
    for offset in range(0, size, max(3, size // 4)):
        cv2.line(picture, (box.x + offset, box.y), (box.x, box.y + offset), AMBER, 1)
        cv2.line(picture, (right - offset, bottom), (right, bottom - offset), AMBER, 1)
    _frame(picture, box, AMBER, 1)


def _label(picture: Pixels, box: Rect, text: str) -> None:
    """Write ``text`` into a cell, as large as it fits, in white with a black outline."""
    width, height = box.width - 2, box.height - 4
    (wide, tall), _ = cv2.getTextSize(text, _FONT, 1.0, 2)
    scale = min(width / wide, height / tall, height / 34)
    across, down = round((width - wide * scale) / 2), round((height + tall * scale) / 2)
    place = (box.x + 1 + across, box.y + 1 + down)
    thick = max(1, round(2 * scale))
    cv2.putText(picture, text, place, _FONT, scale, BLACK, thick + 2, cv2.LINE_AA)
    cv2.putText(picture, text, place, _FONT, scale, WHITE, thick, cv2.LINE_AA)


def _badge(picture: Pixels, box: Rect, text: str) -> None:
    """Write ``text`` on a plate to the right of a cell, or to its left if the picture ends there."""
    height = max(_BADGE, (box.height - 1) // 2)
    scale = height / 30
    (wide, tall), _ = cv2.getTextSize(text, _FONT, scale, 1)
    left = box.right + 1 if box.right + wide + 7 < picture.shape[1] else box.x - wide - 8
    middle = (box.y + box.bottom - 1) // 2
    plate = Rect(left, middle - height // 2 - 2, wide + 6, 2 * (height // 2) + 5)
    _frame(picture, plate, BLACK, -1)
    _frame(picture, plate, AMBER, 1)
    cv2.putText(picture, text, (left + 3, middle + tall // 2), _FONT, scale, WHITE, 1, cv2.LINE_AA)
