"""The round face above the board of the classic games: it smiles, wears sunglasses, or is dead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import State
from bot.geometry import Grid, Pixels, Rect
from bot.vision.reading import GameState, Reading

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_ABOVE = 4.5  # cells: no face is further from the board
_OFF_CENTRE = 1.0  # cells: how far a face may be from the middle of the board
_SIZES = (0.6, 2.6)  # cells
_SMALLEST = 11  # pixels
_ROUND = (0.8, 1.25)  # its width, of its height
_FILLED = (0.55, 0.95)  # of the box around it: a disc with some holes
_CORNER = 0.12  # of its width: a box of this size in each corner is empty, the face is no square
_BRIGHT, _YELLOW, _DARK = 140, 90, 100  # of 255; yellow has so much less blue than red and green
_SIDE = 24  # pixels of a face that is looked at
_INNER = 10  # of these pixels around the middle: what is further out is the face's edge
_EYES, _MOUTH = slice(4, 13), slice(13, 22)  # rows of these
_ACROSS = slice(3, 21)  # columns of both
_GLASSES = 0.6  # of these columns are dark in the darkest row of sunglasses
_TWO_EYES = 0.45  # or less, in that of eyes
_BENT = 0.6  # of these pixels: how much lower or higher than its ends the middle of a mouth is
_INK = 2.5  # of these pixels, dark in a mouth and in the eyes at least
_THIRD = 4  # of these columns, in the middle and at the ends of a mouth


def read_face(pixels: Pixels, grid: Grid) -> GameState | None:
    """Return what the face above ``grid`` says in a BGR picture: running, won or lost.

    None if there is none, if it is another sort of face, or if there are two that disagree.
    """
    aside = (_OFF_CENTRE + _SIZES[1] / 2) * grid.pitch_x
    left, high = round(grid.x + grid.width / 2 - aside), round(_ABOVE * grid.pitch_y)
    strip = Rect(left, grid.rect.y - high, round(2 * aside), high)  # above the middle of the board
    strip = strip.intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    if min(strip.size) < _SMALLEST:
        return None
    part = pixels[strip.y : strip.bottom, strip.x : strip.right]
    moods = {mood for face in _faces(part, grid) if (mood := _mood(face)) is not None}
    return moods.pop() if len(moods) == 1 else None


def with_face(pixels: Pixels, reading: Reading) -> Reading:
    """Return the reading with the state that a face tells, if its cells leave that open.

    They do if some cannot be read, or if the total of mines is not known. A game with a dead face and no mine
    in sight does not show them.
    """
    board = reading.board
    hidden = board.count(State.UNREADABLE) > 0
    if reading.state.over or (reading.state is GameState.NEW and not hidden):
        return reading
    mood = read_face(pixels, reading.grid)
    if mood is GameState.LOST or (mood is GameState.WON and (hidden or board.mines is None)):
        return replace(reading, state=mood)
    return reading


def _faces(part: Pixels, grid: Grid) -> Iterator[Floats]:
    """Yield how dark each pixel is inside of everything round and bright, 0 to 1, (24, 24)."""
    blue, green, red = (channel.astype(np.int16) for channel in cv2.split(part))
    light = np.minimum(green, red)
    for mask in (light > _BRIGHT, light - blue > _YELLOW):
        _, labels, boxes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
        for label, (x, y, width, height, area) in enumerate(boxes.tolist()):
            here = np.s_[y : y + height, x : x + width]
            if label and _is_round(np.asarray(labels)[here] == label, area, grid):
                yield _darkness(light[here])


def _is_round(mask: Mask, area: int, grid: Grid) -> bool:
    height, width = mask.shape
    low, high = _SIZES
    cell = (grid.pitch_x + grid.pitch_y) / 2
    fits = max(_SMALLEST, low * cell) <= height <= high * cell and _ROUND[0] <= width / height <= _ROUND[1]
    if not fits or not _FILLED[0] <= area / (width * height) <= _FILLED[1]:
        return False
    edge = max(1, round(_CORNER * width))
    ends = slice(None, edge), slice(-edge, None)
    return not any(mask[rows, cols].any() for rows in ends for cols in ends)


def _darkness(light: npt.NDArray[np.int16]) -> Floats:
    dark = (light < _DARK).astype(np.float32)
    face = np.asarray(cv2.resize(dark, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.float32)
    rows, cols = np.indices(face.shape)
    middle = (_SIDE - 1) / 2
    return np.where(np.hypot(rows - middle, cols - middle) <= _INNER, face, np.float32(0))


def _mood(face: Floats) -> GameState | None:
    """Return what a face says; None if its eyes and mouth are no clear ones."""
    eyes, mouth = face[_EYES, _ACROSS], face[_MOUTH, _ACROSS]
    if min(eyes.sum(), mouth.sum()) < _INK:
        return None
    widest, bent = float(eyes.mean(1).max()), _bent(mouth)
    if widest >= _GLASSES and bent >= _BENT:
        return GameState.WON
    if widest > _TWO_EYES or abs(bent) < _BENT:
        return None
    return GameState.RUNNING if bent > 0 else GameState.LOST


def _bent(mouth: Floats) -> float:
    """Return by how many pixels the middle of a mouth is lower than its ends; 0 if a part is missing."""
    middle = mouth.shape[1] // 2
    inked = np.flatnonzero(mouth.max(0) >= 0.25)
    if len(inked) < _THIRD:
        return 0.0
    left, right = int(inked[0]), int(inked[-1])
    parts = (
        mouth[:, left : left + _THIRD],
        mouth[:, middle - _THIRD // 2 : middle + _THIRD // 2],
        mouth[:, right - _THIRD + 1 : right + 1],
    )
    if min(float(part.sum()) for part in parts) <= 0:
        return 0.0
    down = np.arange(mouth.shape[0])
    one, between, other = (float((part.sum(1) * down).sum() / part.sum()) for part in parts)
    return between - (one + other) / 2
