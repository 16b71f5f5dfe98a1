"""A golden that fails shows its differences: the picture with every wrong cell framed and labelled."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bot.board import CHARACTERS, Board, Cell
from bot.geometry import Pixels
from bot.vision import Reading, save_picture

SCALE = 3
FRAME = (255, 0, 255)


def assert_reads(reading: Reading, truth: Board, pixels: Pixels, folder: Path) -> None:
    """Fail with a list of the wrong cells and a picture of them in ``folder``, unless all is read right."""
    wrong = [cell for cell in truth if reading.board[cell] != truth[cell]]
    if not wrong and reading.board == truth:
        return
    picture = folder / "difference.png"
    save_picture(picture, difference(pixels, reading, truth, wrong))
    words = [f"{tuple(cell)} read {_shown(reading.board, cell)} is {_shown(truth, cell)}" for cell in wrong]
    totals = f"mines read {reading.board.mines}, are {truth.mines}"
    raise AssertionError(f"{', '.join(words) or totals}; see {picture}")


def difference(pixels: Pixels, reading: Reading, truth: Board, wrong: list[Cell]) -> Pixels:
    """Return the picture, enlarged, with each wrong cell framed and labelled READ/TRUE."""
    drawn = cv2.resize(pixels, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    for cell in wrong:
        x, y = (int(SCALE * value) for value in reading.grid.corner(cell))
        right, bottom = x + int(SCALE * reading.grid.pitch_x), y + int(SCALE * reading.grid.pitch_y)
        cv2.rectangle(drawn, (x, y), (right, bottom), FRAME, 2)
        label = f"{_shown(reading.board, cell)}/{_shown(truth, cell)}"
        cv2.putText(drawn, label, (x + 3, bottom - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.5, FRAME, 2)
    return drawn


def _shown(board: Board, cell: Cell) -> str:
    return CHARACTERS[board[cell]]
