"""What lies over cells: pointers, other windows, letters; and what lights them: hovering."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from art.fonts import Lettering, letter, random_font
from art.ink import Generator, Outline
from art.styles import Style
from bot.board import State
from bot.geometry import Pixels

_ARROW: Outline = ((0, 0), (0, 0.86), (0.2, 0.67), (0.33, 1), (0.46, 0.94), (0.34, 0.63), (0.6, 0.63))
_HAND: Outline = (
    *((0.3, 0), (0.42, 0.05), (0.42, 0.4), (0.75, 0.5), (0.8, 0.65), (0.7, 1), (0.3, 1)),
    *((0.05, 0.65), (0.12, 0.55), (0.28, 0.66), (0.28, 0.05)),
)
_CROSSHAIR: Outline = (
    *((0.45, 0), (0.55, 0), (0.55, 0.45), (1, 0.45), (1, 0.55), (0.55, 0.55)),
    *((0.55, 1), (0.45, 1), (0.45, 0.55), (0, 0.55), (0, 0.45), (0.45, 0.45)),
)
_HIDDEN, _TOUCHED = (
    0.6,
    0.35,
)  # part of a cell under something: it is hidden, and what it shows may be told no longer

Hidden = npt.NDArray[np.int8]  # a board: 1 hidden, -1 nobody could say, 0 in full view


def cover(rng: Generator, board: Pixels, labels: Hidden, style: Style) -> Hidden:
    """Draw pointers, windows, letters and lit cells over a board; return what of it is hidden.

    ``board`` is changed in place; ``labels`` (rows, cols) are the states that it shows.
    """
    under = np.zeros(board.shape[:2], np.uint8)
    hidden = np.zeros(labels.shape, np.int8)
    if rng.random() < 0.5:
        _hover(rng, board, labels)
    for _ in range(int(rng.integers(0, 3))):
        _pointer(rng, board, under, labels.shape)
    if rng.random() < 0.25:
        _window(rng, board, under)
    if rng.random() < 0.35:
        _letters(rng, board, hidden, style)
    return _part_hidden(under, hidden)


def _slices(board: Pixels, shape: tuple[int, ...], row: int, col: int) -> tuple[slice, slice]:
    tall, wide = board.shape[0] / shape[0], board.shape[1] / shape[1]
    return (
        slice(round(row * tall), round((row + 1) * tall)),
        slice(round(col * wide), round((col + 1) * wide)),
    )


def _hover(rng: Generator, board: Pixels, labels: Hidden) -> None:
    """Make a covered cell lighter or darker, as under a pointer."""
    covered = np.argwhere(labels == State.COVERED)
    if len(covered):
        row, col = covered[rng.integers(len(covered))]
        place = _slices(board, labels.shape, int(row), int(col))
        board[place] = np.clip(board[place] + rng.uniform(-30, 40), 0, 255).astype(np.uint8)


def _pointer(rng: Generator, board: Pixels, under: Pixels, shape: tuple[int, ...]) -> None:
    outline = (_ARROW, _ARROW, _ARROW, _HAND, _CROSSHAIR)[int(rng.integers(5))]
    cell = board.shape[0] / shape[0]
    size = float(rng.uniform(0.5, 1.6) * cell) if rng.random() < 0.5 else float(rng.uniform(16, 24))
    x, y = rng.uniform(0, board.shape[1]), rng.uniform(0, board.shape[0])
    corners = np.round((np.array(outline) * size + (x, y)) * 16).astype(np.int32)
    inner, rim = ((255, 255, 255), (0, 0, 0)) if rng.random() < 0.8 else ((0, 0, 0), (255, 255, 255))
    kind = cv2.LINE_AA if rng.random() < 0.6 else cv2.LINE_8
    cv2.fillPoly(board, [corners], inner, kind, 4)
    cv2.polylines(board, [corners], True, rim, max(1, round(size / 20)), kind, 4)
    cv2.fillPoly(under, [corners], 1, cv2.LINE_8, 4)


def _window(rng: Generator, board: Pixels, under: Pixels) -> None:
    """Lay another window over a corner or an edge of the board."""
    height, width = board.shape[:2]
    top, left = int(rng.integers(-height // 2, height)), int(rng.integers(-width // 2, width))
    low, right = top + int(height * rng.uniform(0.2, 0.7)), left + int(width * rng.uniform(0.2, 0.7))
    area = (slice(max(0, top), max(0, low)), slice(max(0, left), max(0, right)))
    if not board[area].size:
        return
    board[area] = _inside(rng, board[area].shape)
    under[area] = 1


def _inside(rng: Generator, shape: tuple[int, ...]) -> Pixels:
    """Return what a window shows: a plain colour, text, or a photo."""
    picture = np.full(shape, rng.integers(0, 256, 3), np.uint8)
    kind = rng.integers(3)
    if kind == 1:
        ink = tuple(int(value) for value in rng.integers(0, 256, 3))
        for y in range(8, shape[0] + 10, int(rng.integers(12, 24))):
            words = "".join(chr(code) for code in rng.integers(65, 123, 30))
            cv2.putText(
                picture, words, (0, y), cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.3, 0.7), ink, 1, cv2.LINE_AA
            )
    elif kind == 2:
        noise = rng.integers(0, 256, (max(2, shape[0] // 12), max(2, shape[1] // 12), 3)).astype(np.uint8)
        picture = np.asarray(cv2.resize(noise, shape[1::-1], interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    return picture


def _letters(rng: Generator, board: Pixels, hidden: Hidden, style: Style) -> None:
    """Write a letter or a 9 into a few cells: none of them is a state."""
    ink = np.array(style.numbers.inks[int(rng.integers(8))], np.float32)
    font = random_font(rng, held_out=False, kinds=("file", "hershey"))
    for _ in range(int(rng.integers(1, 4))):
        row, col = (int(rng.integers(side)) for side in hidden.shape)
        place = _slices(board, hidden.shape, row, col)
        cell = board[place].astype(np.float32)
        text = str(rng.choice(list("ACDEFGHJKLMNPQRUVWXY9")))
        ground = np.median(cell.reshape(-1, 3), axis=0)
        cell[2:-2, 2:-2] = ground
        side = max(cell.shape[:2])
        mask = letter(Lettering(font, float(rng.uniform(0.5, 0.75))), text, side)
        cell += mask[: cell.shape[0], : cell.shape[1], None] * (ink - cell)
        board[place], hidden[row, col] = cell.astype(np.uint8), 1


def _part_hidden(under: Pixels, hidden: Hidden) -> Hidden:
    for row, col in np.ndindex(hidden.shape):
        part = float(under[_slices(under, hidden.shape, row, col)].mean())
        if part > _HIDDEN:
            hidden[row, col] = 1
        elif part > _TOUCHED and not hidden[row, col]:
            hidden[row, col] = -1
    return hidden
