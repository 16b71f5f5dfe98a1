"""Looking again at a board whose place is known: quickly where that is beyond doubt, carefully elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.board import Board, State, States
from bot.geometry import Grid, Pixels
from bot.vision.cells import PLAIN, Cells, agreed, balance, first_tone, read_pictures, read_points
from bot.vision.colours import refined, supposed_tones
from bot.vision.groups import with_groups
from bot.vision.panel import game_state, read_counter, total_mines
from bot.vision.partial import with_partly_hidden
from bot.vision.quick import read_quickly
from bot.vision.reading import Doubt, Panel, Reading, doubts_of
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of, unstretched
from bot.vision.tone import Floats, Tone, softened

_MOST = 0.5  # of the cells must be read before the screen's colours are taken to be what was supposed
_FEW = 8  # cells may be under a pointer, or still being painted
_QUICK = 0.9  # confidence in what was read quickly


def read_grid(pixels: Pixels, grid: Grid, skin: Skin, panel: Panel | None = None) -> Reading:
    """Return what ``skin`` reads on ``grid``, a place that `read_picture` has found before.

    ``pixels`` is uint8 BGR of shape (height, width, 3). ``panel`` is what is known to stand beside the board;
    None has it read.
    """
    cells, tone = read_cells(pixels, grid, skin)
    return as_reading(pixels, grid, skin, tone, cells, panel)


def read_cells(pixels: Pixels, grid: Grid, skin: Skin) -> tuple[Cells, Tone]:
    """Return the cells on ``grid``, and what the screen does to colours.

    Where the quick way leaves a doubt, or is closed, whole pictures decide, and sample points against them;
    of cells below a pointer, what is still to be seen.
    """
    cells, tone = _read_openly(pixels, grid, skin)
    if cells.readable.all():
        return cells, tone
    return with_partly_hidden(pixels, grid, cells, inside(pixels, grid)), tone


def _read_openly(pixels: Pixels, grid: Grid, skin: Skin) -> tuple[Cells, Tone]:
    """Return the cells that nothing hides, and what the screen does to colours."""
    states = read_quickly(pixels, grid, skin)
    if states is not None:
        cells = Cells(states, _quick_confidence(states))
        if cells.readable.all():
            return cells, PLAIN
        if (~cells.readable).sum() <= _FEW:
            return _completed(cells, unstretched(pixels, grid, skin.cell), PLAIN, skin, grid), PLAIN
    return _read_carefully(pixels, grid, skin)


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


def _read_carefully(pixels: Pixels, grid: Grid, skin: Skin) -> tuple[Cells, Tone]:
    """Return the cells as points and pictures read them together, in the tone in which most can be read."""
    canvas, scale = unstretched(pixels, grid, skin.cell), scale_of(grid, skin.cell)
    visible = inside(pixels, grid)
    seen = softened(canvas, skin.cell)[visible.reshape(-1)]
    tone = first_tone(canvas, skin)
    tone = refined(seen, skin, scale, tone) if len(seen) else tone
    cells = _together(canvas, tone, skin, scale)
    if len(seen) and cells.readable.mean() < _MOST:
        for other in supposed_tones(seen, skin, scale)[:1]:
            again = _together(canvas, other, skin, scale)
            if again.readable.sum() > cells.readable.sum():
                cells, tone = again, other
    return with_groups(cells, canvas, skin, scale, tone, visible), tone


def _together(canvas: Pixels, tone: Tone, skin: Skin, scale: float) -> Cells:
    """Return the cells as points and whole pictures read them together."""
    return agreed(read_points(canvas, tone, skin, scale), read_pictures(canvas, tone, skin, scale))


def _completed(cells: Cells, canvas: Pixels, tone: Tone, skin: Skin, grid: Grid) -> Cells:
    """Return the cells with those that are still open read by their whole picture."""
    doubtful = ~cells.readable
    scale = scale_of(grid, skin.cell)
    pictures = read_pictures(_column(canvas, doubtful, skin.cell), tone, skin, scale)
    states, confidence = cells.states.copy(), cells.confidence.copy()
    states[doubtful], confidence[doubtful] = pictures.states[:, 0], pictures.confidence[:, 0]
    return Cells(states, confidence)


def _column(canvas: Pixels, chosen: npt.NDArray[np.bool_], cell: int) -> Pixels:
    """Return the chosen cells below each other."""
    rows, cols = chosen.shape
    return canvas.reshape(rows, cell, cols, cell, 3).swapaxes(1, 2)[chosen].reshape(-1, cell, 3)


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
        panel = Panel(read_counter(pixels, grid, skin, balance(tone)))
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


def seen_below_pointer(pixels: Pixels, reading: Reading) -> Reading:
    """Return a reading of a BGR picture with the cells that a pointer hides in part only."""
    if not reading.unreadable:
        return reading
    before = Cells(reading.board.states, reading.confidence)
    cells = with_partly_hidden(pixels, reading.grid, before, inside(pixels, reading.grid))
    board = Board(cells.states, total_mines(cells.states, reading.panel.mines_left))
    doubts = {cell: doubt for cell, doubt in reading.doubts.items() if board[cell] == State.UNREADABLE}
    return replace(reading, board=board, state=game_state(board), confidence=cells.confidence, doubts=doubts)
