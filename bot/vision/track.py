"""Looking again at a board whose place and skin are known: quickly where that is beyond doubt."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.vision.known import Cells, fitted, read_known
from bot.vision.panel import game_state, read_counter, total_mines
from bot.vision.quick import read_quickly
from bot.vision.reading import Doubt, Panel, Reading, doubts_of
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of
from bot.vision.tone import PLAIN, Floats, Tone

_FEW = 8  # cells may be under a pointer, or still being painted
_MOST = 0.5  # of the cells must be read, else the screen's colours have changed
_QUICK = 0.9  # confidence in what was read quickly


def read_grid(pixels: Pixels, grid: Grid, skin: Skin, panel: Panel | None = None) -> Reading:
    """Return what ``skin`` reads on ``grid``, a place that `read_picture` has found before.

    ``pixels`` is uint8 BGR of shape (height, width, 3). ``panel`` is what is known to stand beside the board;
    None has it read.
    """
    cells, tone = read_cells(pixels, grid, skin)
    return as_reading(pixels, grid, skin, tone, cells, panel)


def read_cells(pixels: Pixels, grid: Grid, skin: Skin, last: Tone | None = None) -> tuple[Cells, Tone]:
    """Return the cells on ``grid``, and what the screen does to colours.

    Where the quick way leaves a doubt, or is closed, whole pictures decide, in the tone ``last`` that the
    screen had before, or in one that is measured.
    """
    states = read_quickly(pixels, grid, skin)
    if states is None:
        return _read_carefully(pixels, grid, skin, last)
    cells = Cells(states, _quick_confidence(states))
    if cells.readable.all():
        return cells, PLAIN
    if (~cells.readable).sum() > _FEW:
        return _read_carefully(pixels, grid, skin, last)
    pictures = read_known(pixels, grid, skin, PLAIN)
    together = np.where(cells.readable, states, pictures.states)
    confidence = np.where(cells.readable, cells.confidence, pictures.confidence)
    return Cells(together.astype(np.int8), confidence.astype(np.float32)), PLAIN


def _read_carefully(pixels: Pixels, grid: Grid, skin: Skin, last: Tone | None) -> tuple[Cells, Tone]:
    if last is not None and (cells := read_known(pixels, grid, skin, last)).readable.mean() >= _MOST:
        return cells, last
    known = fitted(pixels, grid, skin)
    tone = PLAIN if known is None else known.tone
    return read_known(pixels, grid, skin, tone), tone


def reread(
    pixels: Pixels, grid: Grid, skin: Skin, before: Cells, changed: npt.NDArray[np.intp]
) -> Cells | None:
    """Return the cells on ``grid``, as ``before`` but for those at ``changed`` (counted row by row).

    Return None if the quick way cannot read them, or did not read the others: then all have to be read.
    """
    if (before.confidence != np.float32(_QUICK)).any():
        return None
    new = read_quickly(pixels, grid, skin, changed)
    if new is None or (new == State.UNREADABLE).any():
        return None
    states = before.states.copy()
    states.reshape(-1)[changed] = new
    return Cells(states, before.confidence)


def _quick_confidence(states: States) -> Floats:
    return np.where(states == State.UNREADABLE, np.float32(0), np.float32(_QUICK))


def as_reading(
    pixels: Pixels, grid: Grid, skin: Skin, tone: Tone, cells: Cells, panel: Panel | None = None
) -> Reading:
    """Return the cells as a reading: with the panel, the total of mines, and why cells could not be read."""
    states, confidence = cells.states, cells.confidence
    rect, (height, width) = grid.rect, pixels.shape[:2]
    visible = None
    if rect.x < 0 or rect.y < 0 or rect.right > width or rect.bottom > height:
        visible = inside(pixels, grid)
        states = np.where(visible, states, State.UNREADABLE).astype(np.int8)
        confidence = np.where(visible, confidence, 0).astype(np.float32)
    if panel is None:
        panel = Panel(read_counter(pixels, grid, skin, tone.gain))
    board = Board(states, total_mines(states, panel.mines_left))
    doubts = doubts_of(_doubts(states, confidence, visible)) if board.count(State.UNREADABLE) else {}
    scale = scale_of(grid, skin.cell)
    return Reading(grid, board, panel, game_state(board), skin.name, scale, confidence, doubts)


def _doubts(
    states: States, confidence: Floats, visible: npt.NDArray[np.bool_] | None
) -> npt.NDArray[np.int8]:
    """Return why cells could not be read, 0 where they could."""
    unreadable = states == State.UNREADABLE
    codes = np.where(unreadable, np.where(confidence > 0, Doubt.AMBIGUOUS, Doubt.STRANGE), 0)
    if visible is not None:
        codes = np.where(visible, codes, Doubt.OUTSIDE)
    return codes.astype(np.int8)
