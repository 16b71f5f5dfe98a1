"""What may be clicked above or below a board to start the next game, or on a box that lies over it.

Nobody can tell by its picture what a button does. Those that stand where most games have theirs come first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import itemgetter

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.geometry import Grid, Pixels, Rect
from bot.vision.panel.panel_numbers import read_numbers
from bot.vision.panel.surroundings import panel_reach, pieces, strips_around

Ink = npt.NDArray[np.uint8]

_DIFFERENT = 24  # grey levels between a panel's ground and what stands on it
_GROUNDS, _LEAST = 3, 0.1  # so many colours at most, each of such a part of a strip, may be its ground
_CLOSE = 0.3  # cells: letters and words so close to one another are one thing
_ASIDE = 1.0  # cells: so far over the board's sides is looked
_SIZES = (0.4, 3.0)  # cells: how high a button is
_WIDEST = 0.6  # of the board's width: a frame around all of the panel is wider
_SMALLEST = 10  # pixels, both ways
_PLATE = 0.6  # of the box's edge has another colour than the ground, if it is a button with a face of its own
_PLAIN = 2.0  # cells by which a bare word or a number counts as further away than such a button
_BELOW = 2.0  # cells by which a thing below the board counts as further away than one above
_DISPLAY = 0.3  # of its width are numbers, if it shows some: single strokes of letters may be read as a 1
_BOX = 0.4  # of the hidden cells' area is the ground of a box, apart from its words and buttons
_LINES = 0.3  # cells: no line between cells is as thick
_FURTHEST = 6.0  # cells of both together: what is further away belongs to something else


def find_buttons(pixels: Pixels, grid: Grid) -> list[Rect]:
    """Return the boxes, in pixels of a BGR picture, of what may be a button above or below ``grid``.

    The likeliest for a new game comes first: one with a face of its own, near the middle of the board's top.
    """
    numbers = [number.box for number in read_numbers(pixels, grid)]
    picture = Rect(0, 0, pixels.shape[1], pixels.shape[0])
    strips = strips_around(grid.rect, panel_reach(grid), round(_ASIDE * grid.pitch_x), picture)
    things = {thing for strip in strips[:2] if not strip.empty for thing in _things(pixels, strip, grid)}
    costs: list[tuple[float, Rect]] = []
    for box, word in things:
        is_display = sum(box.intersection(number).width for number in numbers) >= _DISPLAY * box.width
        costs.append((_cost(box, grid) + _PLAIN * (word or is_display), box))
    found: list[Rect] = []
    for cost, box in sorted(costs, key=itemgetter(0)):
        if cost <= _FURTHEST and all(box.intersection(other).empty for other in found):
            found.append(box)
    return found


def find_box_button(pixels: Pixels, grid: Grid, hidden: Collection[Cell]) -> Rect | None:
    """Return where a box over a board has its lowest button, in pixels of a BGR picture; None if it has none.

    ``hidden`` are the cells that cannot be read. They lie below a box if one ground, unbroken by the lines
    between cells, runs across most of them.
    """
    area = _together(hidden, grid).intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    part = pixels[area.y : area.bottom, area.x : area.right]
    thick = np.ones((max(3, round(_LINES * grid.pitch_y)),) * 2, np.uint8)
    for ink in _inks(part):
        ground = cv2.morphologyEx(1 - ink, cv2.MORPH_OPEN, thick)
        _, _, sizes, _ = cv2.connectedComponentsWithStats(ground, connectivity=4)
        if len(sizes) < 2:
            continue
        x, y, width, height, pixels_of_ground = sizes[1:][sizes[1:, cv2.CC_STAT_AREA].argmax()].tolist()
        if pixels_of_ground < _BOX * area.width * area.height:
            continue
        inside = ink[y : y + height, x : x + width]
        plates = [box for box in _boxes(inside, grid.pitch_y, _WIDEST * width) if not _bare(inside, box)]
        if plates:
            return max(plates, key=lambda box: box.bottom).moved(area.x + x, area.y + y)
    return None


def _together(cells: Collection[Cell], grid: Grid) -> Rect:
    """Return what holds the largest group of cells that lie side by side."""
    mask = np.zeros((grid.rows, grid.cols), np.uint8)
    for cell in cells:
        mask[cell] = 1
    groups = cv2.connectedComponentsWithStats(mask, connectivity=4)[2][1:]
    col, row, cols, rows, _ = groups[groups[:, cv2.CC_STAT_AREA].argmax()].tolist()
    first, last = grid.cell_rect(Cell(row, col)), grid.cell_rect(Cell(row + rows - 1, col + cols - 1))
    return Rect(first.x, first.y, last.right - first.x, last.bottom - first.y)


def _things(pixels: Pixels, strip: Rect, grid: Grid) -> Iterator[tuple[Rect, bool]]:
    """Yield the box of each thing in a strip that may be a button, and whether it is but a bare word."""
    part = pixels[strip.y : strip.bottom, strip.x : strip.right]
    high, widest = grid.pitch_y, _WIDEST * grid.width
    close = max(1, round(_CLOSE * high))
    words = np.ones((1 + close // 2, 1 + 2 * close), np.uint8)
    for ink in _inks(part):
        for box in _boxes(ink, high, widest):
            if not _bare(ink, box):
                yield box.moved(strip.x, strip.y), False
        joined = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, words), np.uint8)
        for box in _boxes(joined, high, widest):
            yield box.moved(strip.x, strip.y), _bare(ink, box)


def _boxes(ink: Ink, cell_height: float, widest: float) -> Iterator[Rect]:
    """Yield the boxes of what has the size of a button: a face within its border, or what is in one piece."""
    low, high = _SIZES[0] * cell_height, _SIZES[1] * cell_height

    def fits(box: Rect) -> bool:
        lowest = low <= box.height <= high and min(box.width, box.height) >= _SMALLEST
        return lowest and box.width <= widest

    inner = Rect(1, 1, ink.shape[1] - 2, ink.shape[0] - 2)
    faces = [box.grown(1) for box in pieces(1 - ink, 4) if inner.covers(box)]  # borders may touch
    faces = [box for box in faces if fits(box)]
    yield from faces
    yield from (box for box in pieces(ink, 8) if fits(box) and not any(box.covers(face) for face in faces))


def _bare(ink: Ink, box: Rect) -> bool:
    shown = ink[box.y : box.bottom, box.x : box.right]
    return bool(np.concatenate([shown[0], shown[-1], shown[:, 0], shown[:, -1]]).mean() < _PLATE)


def _inks(part: Pixels) -> Iterator[Ink]:
    """Yield which pixels differ from the ground, 0 or 1: each colour of which there is much may be that."""
    coarse = (part >> 3).astype(np.int32)
    codes = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    values, counts = np.unique(codes, return_counts=True)
    for index in np.argsort(-counts)[:_GROUNDS]:
        if counts[index] >= _LEAST * codes.size:
            ground = np.median(part[codes == values[index]], axis=0)
            yield (np.abs(part - ground).max(2) > _DIFFERENT).astype(np.uint8)


def _cost(box: Rect, grid: Grid) -> float:
    """Return how far a thing is from where a button for a new game stands, in cells."""
    board = grid.rect
    across = abs(box.x + box.width / 2 - (board.x + board.width / 2)) / grid.pitch_x
    above = box.bottom <= board.y
    down = (board.y - box.bottom if above else box.y - board.bottom) / grid.pitch_y
    return across / 2 + down + _BELOW * (not above)
