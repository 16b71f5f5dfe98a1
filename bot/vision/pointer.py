"""What a pointer looks like where it hides parts of cells, and what may lie below it.

Pictures are uint8 BGR (h, w, 3) of whole cells, n x n pixels each; masks are bool (h, w).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Pixels

Bools = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int32]

_SPECK = 0.012  # of a cell: what is smaller is noise
_RIM = 0.06  # of a cell around the blob may be touched by the pointer's soft edge
_COLOURED = 44.0  # grey levels: no shade of grey over the cell is off by more
_COLOURED_PART = 0.02, 0.06  # of a cell, and of the blob in it, that may be
_STRONG, _STRONG_PART = 56, 0.2  # grey levels by which that part of a pointer differs at least
_DARK, _LIGHT, _BOTH = 90, 180, 0.15  # of 255; part of a blob within one cell that is dark, and light
_BLACK, _WHITE = 60, 210  # of 255: no channel is above, or below, where a pointer is black or white
_CONTOUR = 0.08  # of a pointer's size: no contour is wider
_MARK = 0.28, 0.42  # width and height of the smallest mark, in cells
_OFF = 0.1  # of a cell: how far its middle may be from that of its cell


def difference(pictures: Pixels, picture: Pixels) -> Pixels:
    """Return how far pixels (..., 3) are apart in the channel in which they are furthest, uint8 (...)."""
    apart: Pixels = (np.maximum(pictures, picture) - np.minimum(pictures, picture)).max(-1)
    return apart


def pieces_of(differs: Bools, unread: Bools, side: int) -> Labels:
    """Return the pieces of what differs that lie on unread cells, at least in part, numbered from 1.

    Specks are left out, and what is no further apart than a rim is one piece: int32 (h, w), elsewhere 0.
    """
    _, specks, boxes, _ = cv2.connectedComponentsWithStats(differs.astype(np.uint8), connectivity=8)
    large = boxes[:, cv2.CC_STAT_AREA] > _SPECK * side**2
    large[0] = False
    _, labels = cv2.connectedComponents(_grown(large[specks], side).astype(np.uint8))
    pieces = np.where(large[specks], labels, 0)
    return np.where(np.isin(pieces, pieces[unread]), pieces, 0).astype(np.int32)


def pointer_among(pieces: Labels, seen: Pixels, below: Pixels, ends: Bools, side: int, small: bool) -> Bools:
    """Return the pieces that may be a pointer: strong, and on several cells or beyond the board.

    A mark is on one cell, so a single piece there must be white and black to be a ``small`` pointer. ``seen``
    is what is seen, ``below`` what most likely lies below it; ``ends`` is the rim of the board.
    """
    numbers = np.unique(pieces[pieces > 0])
    blob = np.isin(pieces, [piece for piece in numbers if _crosses(pieces == piece, ends, side)])
    if small and not (blob & (pieces > 0)).any() and len(numbers) == 1 and _white_and_black(seen[pieces > 0]):
        blob = pieces > 0
    blob &= pieces > 0
    strong = blob.any() and (difference(below, seen)[blob] >= _STRONG).mean() >= _STRONG_PART
    return blob if strong else np.zeros_like(blob)


def _white_and_black(colours: Pixels) -> bool:
    light = colours.mean(1)
    return bool(min((light <= _DARK).mean(), (light >= _LIGHT).mean()) >= _BOTH)


def _crosses(piece: Bools, ends: Bools, side: int) -> bool:
    """Return whether a piece lies on several cells, or goes on where the board ends."""
    rows, cols = (length // side for length in piece.shape)
    parts = piece.reshape(rows, side, cols, side).mean((1, 3))
    return bool((parts > _SPECK).sum() > 1 or (piece & ends).sum() > _SPECK * side**2)


def touched(part: Bools) -> bool:
    """Return whether a part of a cell is more than a speck."""
    return bool(part.mean() > _SPECK)


def is_coloured(blob: Bools, seen: Pixels, below: Pixels) -> bool:
    """Return whether more of a blob than noise is what no shade of grey can make of the cell below it."""
    over, under = seen.astype(np.float32), below.astype(np.float32)
    over, under = over - over.mean(2, keepdims=True), under - under.mean(2, keepdims=True)
    through = ((over * under).sum(2) / np.maximum((under**2).sum(2), 1)).clip(0, 1)
    rest = np.abs(over - through[..., None] * under).max(2)
    most = _COLOURED_PART[0] * blob.size + _COLOURED_PART[1] * blob.sum()
    return bool(((rest > _COLOURED) & blob).sum() > most)


def hidden_by(blob: Bools, seen: Pixels, side: int) -> Bools:
    """Return what a pointer may hide: the blob with its rim and holes, white and black within its hull.

    White and black may also be a contour around the hull that nobody sees on white or black ground.
    """
    filled = blob.astype(np.uint8)
    outlines, _ = cv2.findContours(filled, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
    extreme = (seen.max(2) <= _BLACK) | (seen.min(2) >= _WHITE)
    hull = _hull(blob)
    contour = round(_CONTOUR * max(np.ptp(np.argwhere(blob), axis=0))) if blob.any() else 0
    around = _dilated(hull, _rim(side) + contour) & extreme
    return np.asarray(_grown((filled > 0) | (hull & extreme), side) | around)


def may_hide_mark(blob: Bools) -> bool:
    """Return whether a mark may be wholly hidden in a cell, or a part of the blob there, (n, n)."""
    side = len(blob)
    wide, tall = (max(1, round(part * side)) for part in _MARK)
    hull = _grown(_hull(blob), side).astype(np.uint8)
    room = cv2.erode(hull, np.ones((tall, wide), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    middle = slice(round((0.5 - _OFF) * side), round((0.5 + _OFF) * side) + 1)
    return bool(room[middle, middle].any())


def _hull(blob: Bools) -> Bools:
    hull = np.zeros(blob.shape, np.uint8)
    if blob.any():
        cv2.fillConvexPoly(hull, cv2.convexHull(cv2.findNonZero(blob.astype(np.uint8))), 1)
    return np.asarray(hull > 0)


def rim_of(shape: tuple[int, int], side: int) -> Bools:
    """Return which pixels lie along the edge of a board of so many rows and columns."""
    height, width = (side * length - 2 * _rim(side) for length in shape)
    return np.pad(np.zeros((height, width), np.bool_), _rim(side), constant_values=True)


def _grown(pixels: Bools, side: int) -> Bools:
    """Return pixels with their rim."""
    return _dilated(pixels, _rim(side))


def _dilated(pixels: Bools, by: int) -> Bools:
    size = 2 * by + 1
    return np.asarray(cv2.dilate(pixels.astype(np.uint8), np.ones((size, size), np.uint8)) > 0)


def _rim(side: int) -> int:
    return round(_RIM * side + 0.5)
