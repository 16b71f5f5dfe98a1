"""Whether what was read on a grid is a whole board of that skin: by what cannot be read, by the frame."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.geometry import Grid, Pixels
from bot.vision.cells import Floats
from bot.vision.reading import Reading
from bot.vision.skin import Colour, FrameColours, Skin
from bot.vision.stretch import unstretched

_STRANGE = 0.03  # of all cells may look like no state, outside of what a window over the board covers
_AMBIGUOUS = 0.15  # of all cells may look like two states
_POINTER = 4  # cells that a pointer can cover
_PROBLEMS = 0.01  # of all cells may contradict their neighbours
_SOLID = 0.75  # of the rectangle around cells that a window covers cannot be read
_USUAL_SIZES = frozenset({(8, 8), (9, 9), (16, 16), (16, 30)})
_FRAME, _GROUND = slice(0, 2), slice(3, 5)  # pixels away from the board, at 100 % scaling
_SAME = 40.0  # of 255: how far frame and ground may be from their colours
_SEEN = 0.3  # of a side: as much of the frame must be there, a window may hide the rest


def plausible(reading: Reading) -> bool:
    """Return whether a game can look like that: another game's art read with this skin gives nonsense.

    Cells under a window cannot be read in one block, cells of other art here and there.
    """
    states = reading.board.states
    scattered = _scattered(states == State.UNREADABLE)
    strange = int((scattered & (reading.confidence == 0)).sum())
    problems = sum(problem.cell is not None for problem in reading.board.problems())
    return (
        strange <= max(_POINTER, _STRANGE * states.size)
        and int(scattered.sum()) - strange <= max(_POINTER, _AMBIGUOUS * states.size)
        and problems <= max(1, _PROBLEMS * states.size)
    )


def _scattered(unreadable: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the cells that are not part of a block that a window may cover."""
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(unreadable.astype(np.uint8), connectivity=4)
    width, height, count = (
        boxes[:, cv2.CC_STAT_WIDTH],
        boxes[:, cv2.CC_STAT_HEIGHT],
        boxes[:, cv2.CC_STAT_AREA],
    )
    loose = (count <= _POINTER) | (count < _SOLID * width * height)
    return np.asarray(unreadable & loose[labels])


def whole(pixels: Pixels, reading: Reading, skin: Skin, gain: Floats) -> bool:
    """Return whether nothing speaks for rows or columns that a window or the edge of the screen hides wholly.

    A board of a usual size is whole. Another one is, if it has its frame on all sides; or if it is all that
    the picture shows; or if it has a counter, and plain ground on all sides.
    """
    if reading.board.shape in _USUAL_SIZES or _fills(pixels, reading.grid) or skin.frame is None:
        return True
    if _framed(pixels, reading.grid, skin, skin.frame, gain):
        return True
    ground = skin.frame.ground
    plain = FrameColours(ground, ground, ground)
    return reading.panel.mines_left is not None and _framed(pixels, reading.grid, skin, plain, gain)


def _fills(pixels: Pixels, grid: Grid) -> bool:
    """Return whether the picture shows nothing but the board."""
    return max(map(abs, _margins(pixels, grid))) <= grid.pitch_x / 4


def _margins(pixels: Pixels, grid: Grid) -> tuple[float, ...]:
    """Return how far the board is from the picture's left, top, right and bottom edge."""
    height, width = pixels.shape[:2]
    return grid.x, grid.y, width - grid.x - grid.width, height - grid.y - grid.height


def _framed(pixels: Pixels, grid: Grid, skin: Skin, colours: FrameColours, gain: Floats) -> bool:
    """Return whether the frame is there on all sides."""
    if min(_margins(pixels, grid)) < _GROUND.start * grid.pitch_x / skin.cell:
        return False
    around = Grid(
        grid.x - grid.pitch_x, grid.y - grid.pitch_y, grid.pitch_x, grid.pitch_y, grid.rows + 2, grid.cols + 2
    )
    canvas = unstretched(pixels, around, skin.cell).astype(np.float32) / gain
    sides = (
        (canvas[: skin.cell][::-1], colours.dark),
        (canvas[:, : skin.cell][:, ::-1].swapaxes(0, 1), colours.dark),
        (canvas[-skin.cell :], colours.light),
        (canvas[:, -skin.cell :].swapaxes(0, 1), colours.light),
    )
    return all(_frame_seen(strip, skin.cell, frame, colours.ground) for strip, frame in sides)


def _frame_seen(strip: Floats, cell: int, frame: Colour, ground: Colour) -> bool:
    """Return whether the frame is there in a strip (outwards x along x 3) beside the board.

    It is looked for where two cells meet: a row of cells that is half hidden has lines there, it has none.
    """
    meetings = np.arange(2 * cell, strip.shape[1] - cell, cell)
    beside = meetings[:, None, None] + [[-2, -1], [0, 1]]
    seen = np.ones(len(meetings), np.bool_)
    for depth, colour in ((_FRAME, frame), (_GROUND, ground)):
        shown = strip[depth][:, beside].mean((0, 3))
        seen &= (np.abs(shown - np.array(colour, np.float32)) <= _SAME).all((1, 2))
    return bool(seen.mean() >= _SEEN)
