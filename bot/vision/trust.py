"""Whether what was read on a grid is a whole board of that skin: by what cannot be read, by the frame."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State, States, contradictions
from bot.geometry import Grid, Pixels
from bot.levels import CLASSIC_MINES
from bot.vision.cells import balance, read_pictures
from bot.vision.fit import outermost, resized
from bot.vision.grid.cut import Side
from bot.vision.panel import counter_hidden, read_counter
from bot.vision.reading import Reading
from bot.vision.skin import Skin
from bot.vision.stretch import inside, scale_of, unstretched
from bot.vision.tone import Floats, Tone

_STRANGE = 0.03  # of all cells may look like no state, outside of what a window over the board covers
_STRANGEST, _OF_MARKED = 0.1, 0.25  # or more, up to this, if that is little beside the marks that were read
_AMBIGUOUS = 0.15  # of all cells may look like two states
_POINTER = 4  # cells that a pointer can cover
_BROKEN = 0.01  # of all cells may contradict their neighbours
_NUMBERS, _VALUES = 20, 3  # how many numbers, and different ones, must agree with each other
_MOSTLY = 0.9  # of the cells must be read, since one that is not agrees with everything
_SOLID = 0.75  # of the rectangle around cells that a window covers cannot be read
_SIDES = (Side.TOP, Side.BOTTOM, Side.LEFT, Side.RIGHT)
_FEW_SIDES = 2  # without a frame: something hides it there
_FRAME, _GROUND = slice(0, 2), slice(3, 5)  # pixels away from the board, at 100 % scaling
_SAME = 40.0  # of 255: how far frame and ground may be from one colour
_LIKE_A_TINT = 64.0  # of 255: how far the counter's colours may be from what a tint makes of them
_SEEN = 0.3  # of a side: as much must be seen of its frame, a window may hide the rest


def plausible(reading: Reading, skin: Skin) -> bool:
    """Return whether a game can look like that: another game's art read with this skin gives nonsense.

    Cells under a window cannot be read in one block, cells of other art here and there. A game has a mine
    somewhere, so that not all of its cells are blank, nor are all of them marks. Plain cells are everywhere:
    a fresh board of a skin that tells nothing of its surroundings has a classic size or a mine counter.
    """
    states = reading.board.states
    fresh = bool(np.isin(states, (State.COVERED, State.UNREADABLE)).all())
    if (
        fresh
        and skin.ground is None
        and states.shape not in CLASSIC_MINES
        and reading.panel.mines_left is None
    ):
        return False
    shown = np.unique(states[states != State.UNREADABLE])
    if (len(shown) < 2 and State.COVERED not in shown) or shown.min() > State.MINE:
        return False
    scattered = _scattered(states == State.UNREADABLE)
    strange = int((scattered & (reading.confidence == 0)).sum())
    marked = int((~np.isin(states, (0, State.COVERED, State.UNREADABLE))).sum())
    broken = int(contradictions(states).sum())
    return (
        strange <= max(_POINTER, _STRANGE * states.size, min(_STRANGEST * states.size, _OF_MARKED * marked))
        and int(scattered.sum()) - strange <= max(_POINTER, _AMBIGUOUS * states.size)
        and broken <= max(1, _BROKEN * states.size)
    )


def consistent(states: States) -> bool:
    """Return whether so many numbers agree with all their neighbours that they cannot be there by chance.

    A number that is read wrong contradicts its neighbours in two of three cases.
    """
    numbers = states[(states >= 1) & (states <= 8)]
    read = states != State.UNREADABLE
    enough = numbers.size >= _NUMBERS and len(np.unique(numbers)) >= _VALUES and read.mean() >= _MOSTLY
    return bool(enough) and not contradictions(states).any()


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


def whole(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> tuple[Grid, frozenset[Side]] | None:
    """Return the grid of the whole board that ``grid`` is, and the sides on which a window may hide more.

    It is whole if its frame and the ground around that can be seen on all sides, and its counter unless that
    is outside of the picture; or if it is all that the picture shows. One of a classic size may have other
    surroundings, but not beside a part of the frame. Where the picture ends beside a board of another size
    there may be more of it: then the grid that is returned has a row or column more there, outside of it.
    None if too little of a frame is to be seen, or cells go on beyond the grid.
    """
    if _fills(pixels, grid) or skin.ground is None:
        return grid, frozenset()
    open_sides = _unbounded(pixels, grid, skin.cell, tone.shown(np.array(skin.ground, np.uint8)))
    margins = _margins(pixels, grid)
    hidden = frozenset(_SIDES[side] for side in open_sides if margins[side] >= grid.pitch_x)
    if _goes_on(pixels, grid, skin, tone):
        return None
    if (grid.rows, grid.cols) in CLASSIC_MINES:
        framed = len(open_sides) <= _FEW_SIDES and read_counter(pixels, grid, skin, balance(tone)) is not None
        return grid, hidden if framed else frozenset()
    if hidden and len(open_sides) > _FEW_SIDES:
        return None
    if not open_sides and _counter_is_hidden(pixels, grid, skin, tone):
        return None
    for side in open_sides:
        grid = grid if _SIDES[side] in hidden else resized(grid, side, 1)
    return grid, hidden


def _counter_is_hidden(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> bool:
    """Return whether something lies over the counter; a screen that exchanges its colours hides nothing."""
    if skin.counter is None:
        return False
    lit, black = np.array(skin.counter.lit, np.uint8), np.zeros(3, np.uint8)
    change = np.abs(tone.shown(np.stack([lit, black])) - np.stack([lit, black]) * balance(tone)).max()
    return bool(change <= _LIKE_A_TINT) and counter_hidden(pixels, grid, skin, balance(tone))


def _goes_on(pixels: Pixels, grid: Grid, skin: Skin, tone: Tone) -> bool:
    """Return whether a cell is to be seen beside the board; blank ground may look like an opened one."""
    for side in range(4):
        line = outermost(resized(grid, side, 1), side)
        cells = read_pictures(unstretched(pixels, line, skin.cell), tone, skin, scale_of(line, skin.cell))
        if (cells.readable & (cells.states != 0) & inside(pixels, line)).any():
            return True
    return False


def _fills(pixels: Pixels, grid: Grid) -> bool:
    """Return whether the picture shows nothing but the board."""
    return max(map(abs, _margins(pixels, grid))) <= grid.pitch_x / 4


def _margins(pixels: Pixels, grid: Grid) -> tuple[float, float, float, float]:
    """Return how far the board is from the picture's edge at the top, the bottom, the left and the right."""
    height, width = pixels.shape[:2]
    return grid.y, height - grid.y - grid.height, grid.x, width - grid.x - grid.width


def _unbounded(pixels: Pixels, grid: Grid, cell: int, ground: Floats) -> list[int]:
    """Return the sides on which the board may go on: top (0), bottom (1), left (2), right (3)."""
    around = resized(resized(resized(resized(grid, 0, 1), 1, 1), 2, 1), 3, 1)
    canvas = unstretched(pixels, around, cell).astype(np.float32)
    across = canvas.swapaxes(0, 1)
    strips = (canvas[:cell][::-1], canvas[-cell:], across[:cell][::-1], across[-cell:])
    needed = _GROUND.start * grid.pitch_x / cell
    return [
        side
        for side, margin in enumerate(_margins(pixels, grid))
        if margin < needed or not _ends(strips[side], cell, ground)
    ]


def _ends(strip: Floats, cell: int, ground: Floats) -> bool:
    """Return whether a strip beside the board (outwards x along x 3) shows a frame, and then the ground.

    It is looked at where two cells meet: a row of cells that is half hidden has lines there.
    """
    meetings = np.arange(2 * cell, strip.shape[1] - cell, cell)
    beside = meetings[:, None] + np.arange(-2, 2)
    frame, beyond = strip[_FRAME][:, beside].mean(0), strip[_GROUND][:, beside].mean(0)
    seen = (np.abs(beyond - ground) <= _SAME).all((1, 2))
    if seen.mean() < _SEEN:
        return False
    alike = np.abs(frame - np.median(frame[seen], axis=(0, 1))) <= _SAME
    return bool((seen & alike.all((1, 2))).mean() >= _SEEN)
