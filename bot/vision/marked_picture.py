"""Marks on a picture of a board: what is safe, what is a mine, what to click first, what cannot be read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2

from bot.board import Cell
from bot.geometry import Grid, Pixels
from bot.solver.decision import Action, Decision
from bot.vision.reading import Reading

GREEN, RED, AMBER, BLUE = (60, 200, 60), (60, 60, 235), (0, 165, 255), (235, 130, 40)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
Colour = tuple[int, int, int]

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_BADGE = 12  # height of the figures beside a guess, in pixels: legible even where cells are small
_VEIL = 0.45  # how strongly a mark covers the cell


@dataclass(frozen=True, slots=True)
class _Box:
    """A cell in whole pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, grid: Grid, cell: Cell, margin: int = 0) -> _Box:
        x, y = grid.corner(cell)
        right, bottom = x + grid.pitch_x, y + grid.pitch_y
        ends = round(right) - 1 - margin, round(bottom) - 1 - margin
        return cls(round(x) + margin, round(y) + margin, *ends)


def draw_marks(pixels: Pixels, reading: Reading, decision: Decision | None) -> Pixels:
    """Return a copy of a BGR picture with marks on the board of ``reading``.

    Safe cells are green and numbered in the order of ``decision.moves``, flags to set blue, known mines red
    and crossed; the first move has a double frame; a guess is amber, its risk in percent beside it;
    unreadable cells are hatched. None for ``decision`` marks the unreadable cells only.
    """
    picture = pixels.copy()
    for cell in reading.unreadable:
        _hatch(picture, _Box.of(reading.grid, cell))
    if decision is None:
        return picture
    for cell in sorted(decision.mines):
        _veil(picture, _Box.of(reading.grid, cell, 1), RED)
        _cross(picture, _Box.of(reading.grid, cell), RED)
    for number, move in reversed(list(enumerate(decision.moves, 1))):
        box, guess = _Box.of(reading.grid, move.cell), move.risk > 0
        _veil(picture, box, BLUE if move.action is Action.FLAG else AMBER if guess else GREEN)
        if number == 1:
            _frame_twice(picture, box)
        if guess:
            _badge(picture, box, f"{move.risk:.0%}")
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
    """Return a copy of a BGR picture with a hint on the board of ``grid``: its cell, and why it is so.

    The cell is green and double framed if it is safe, red and crossed if it is a ``mine``, amber with its
    ``risk`` in percent beside it if that is not 0. The ``numbers`` that prove it have blue frames.
    """
    picture, box = pixels.copy(), _Box.of(grid, cell)
    for number in numbers:
        around = _Box.of(grid, number)
        _frame(picture, around, BLUE, max(2, (around.right - around.left) // 10))
    if mine:
        _veil(picture, box, RED)
        _cross(picture, box, RED)
    else:
        _veil(picture, box, AMBER if risk else GREEN)
        _frame_twice(picture, box)
    if risk:
        _badge(picture, box, f"{risk:.0%}")
    return picture


def _veil(picture: Pixels, box: _Box, colour: Colour) -> None:
    """Tint a cell: what it shows stays visible."""
    area = picture[max(0, box.top) : max(0, box.bottom + 1), max(0, box.left) : max(0, box.right + 1)]
    if area.size:
        area[:] = (area * (1 - _VEIL) + [channel * _VEIL for channel in colour]).astype("uint8")
    _frame(picture, box, colour, max(1, (box.right - box.left) // 16))


def _frame_twice(picture: Pixels, box: _Box) -> None:
    _frame(picture, box, BLACK, 1)
    _frame(picture, _Box(box.left + 1, box.top + 1, box.right - 1, box.bottom - 1), WHITE, 1)


def _frame(picture: Pixels, box: _Box, colour: Colour, width: int) -> None:
    cv2.rectangle(picture, (box.left, box.top), (box.right, box.bottom), colour, width)


def _cross(picture: Pixels, box: _Box, colour: Colour) -> None:
    inset = (box.right - box.left) // 4
    left, right, top, bottom = box.left + inset, box.right - inset, box.top + inset, box.bottom - inset
    width = max(1, (box.right - box.left) // 10)
    cv2.line(picture, (left, top), (right, bottom), colour, width, cv2.LINE_AA)
    cv2.line(picture, (left, bottom), (right, top), colour, width, cv2.LINE_AA)


def _hatch(picture: Pixels, box: _Box) -> None:
    size = min(box.right - box.left, box.bottom - box.top)
    for offset in range(0, size, max(3, size // 4)):
        cv2.line(picture, (box.left + offset, box.top), (box.left, box.top + offset), AMBER, 1)
        cv2.line(picture, (box.right - offset, box.bottom), (box.right, box.bottom - offset), AMBER, 1)
    _frame(picture, box, AMBER, 1)


def _label(picture: Pixels, box: _Box, text: str) -> None:
    """Write a text as large as fits into the cell, white with a black rim."""
    width, height = box.right - box.left - 1, box.bottom - box.top - 3
    (wide, tall), _ = cv2.getTextSize(text, _FONT, 1.0, 2)
    scale = min(width / wide, height / tall, height / 34)
    across, down = round((width - wide * scale) / 2), round((height + tall * scale) / 2)
    place = (box.left + 1 + across, box.top + 1 + down)
    thick = max(1, round(2 * scale))
    cv2.putText(picture, text, place, _FONT, scale, BLACK, thick + 2, cv2.LINE_AA)
    cv2.putText(picture, text, place, _FONT, scale, WHITE, thick, cv2.LINE_AA)


def _badge(picture: Pixels, box: _Box, text: str) -> None:
    """Write a text on a plate to the right of a cell, or to its left where the picture ends."""
    height = max(_BADGE, (box.bottom - box.top) // 2)
    scale = height / 30
    (wide, tall), _ = cv2.getTextSize(text, _FONT, scale, 1)
    left = box.right + 2 if box.right + wide + 8 < picture.shape[1] else box.left - wide - 8
    middle = (box.top + box.bottom) // 2
    plate = _Box(left, middle - height // 2 - 2, left + wide + 5, middle + height // 2 + 2)
    cv2.rectangle(picture, (plate.left, plate.top), (plate.right, plate.bottom), BLACK, -1)
    _frame(picture, plate, AMBER, 1)
    cv2.putText(picture, text, (left + 3, middle + tall // 2), _FONT, scale, WHITE, 1, cv2.LINE_AA)
