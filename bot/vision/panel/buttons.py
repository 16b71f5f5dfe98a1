"""Find the buttons of a game: the classic face, and anything that may start a new game or close a dialog box.

The face smiles, wears sunglasses, or is dead. The purpose of other buttons cannot be seen in their pictures:
those in the place where most games have theirs come first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import itemgetter

import cv2
import numpy as np

from bot.board import Cell
from bot.geometry import Grid, Pixels, Rect
from bot.verdict import GameState
from bot.vision.distortion import Bools, Floats
from bot.vision.panel.panel_numbers import read_numbers
from bot.vision.panel.surroundings import DIFFERENT, panel_strips, pieces

_GROUNDS, _LEAST = 3, 0.1  # most colours that may be the background of a strip, and the least share of each
_CLOSE = 0.3  # cells: letters and words this close together are one thing
_SIZES = (0.4, 3.0)  # cells: least and greatest height of a button
_WIDE, _WIDEST = 0.6, 1.1  # of the board's width: wider words are none; a frame around the panel is as wide
_SMALLEST = 10  # pixels: least width and height
_PLATE = 0.6  # of the edge of a button's box at least differs from the background; a bare word has less
_PLAIN = 2.0  # cells by which a bare word, a number or a wide thing counts as further away than such a button
_BELOW = 2.0  # cells by which a thing below the board counts as further away than one above
_BESIDE = 3.0  # cells by which one beside the board does
_RIGHT = 0.25  # cells by which one at the right of the middle does
_LETTER = 0.6  # cells: a lower thing in a word is one of its letters
_DISPLAY = 0.3  # of the width of a display at least is numbers; a stroke of a letter may be read as a 1
_BOX = 0.4  # of the hidden cells' area is the background of a dialog box, without its words and buttons
_MISREAD = 2.0  # cells at the edge of a box, or below its words and buttons, that may be misread
_NEAR_LINE = 0.15  # cells between the edge of a cell and the middle of the line beside it at most
_LINES = 0.3  # cells: every line between cells is thinner
_FURTHEST = 6.0  # cells, the sum of all these: things further away belong to something else

_ABOVE = 4.5  # cells: no face is further from the board
_OFF_CENTRE = 1.0  # cells: how far a face may be from the middle of the board
_FACES = (0.6, 2.6)  # cells: least and greatest height of a face
_SMALLEST_FACE = 11  # pixels: the same, least
_ROUND = (0.8, 1.25)  # of its height: least and greatest width
_FILLED = (0.55, 0.95)  # of the box around it: a disc with some holes
_CORNER = 0.12  # of its width: a box of this size in each corner is empty, since a face is not square
_BRIGHT, _YELLOW, _DARK = 140, 90, 100  # of 255; yellow has so much less blue than red and green
_SIDE = 24  # pixels: width and height to which a face is scaled
_INNER = 10  # of these pixels from the middle: the edge of the face is further out
_EYES, _MOUTH = slice(4, 13), slice(13, 22)  # rows of these pixels
_ACROSS = slice(3, 21)  # columns of both
_GLASSES = 0.6  # of these columns at least are dark in the darkest row of sunglasses
_TWO_EYES = 0.45  # of these columns at most are dark in the darkest row of two eyes
_BENT = 0.6  # of these pixels: least height difference between the middle of a mouth and its ends
_INK = 2.5  # of these pixels at least are dark in the mouth, and in the eyes
_THIRD = 4  # of these columns: width of the middle and of each end of a mouth


def find_buttons(pixels: Pixels, grid: Grid) -> list[Rect]:
    """Return the boxes of possible buttons around ``grid``, in pixels of a BGR picture.

    The likeliest one for a new game comes first: near the middle of the board's top, and no bare word. Of two
    that are as near to it, the left one does.
    """
    numbers = [number.box for number in read_numbers(pixels, grid)]
    strips = panel_strips(grid, pixels.shape)
    things = {thing for strip in strips for thing in _things(pixels, strip, grid)}
    costs: list[tuple[float, Rect]] = []
    for box, word in things:
        is_display = sum(box.intersection(number).width for number in numbers) >= _DISPLAY * box.width
        wide = box.width > _WIDE * grid.width  # what lies inside of it comes first, and excludes it
        if not (wide and (word or is_display)):
            costs.append((_cost(box, grid) + _PLAIN * (word or is_display or wide), box))
    found: list[Rect] = []
    for cost, box in sorted(costs, key=itemgetter(0)):
        if cost <= _FURTHEST and all(box.intersection(other).empty for other in found):
            found.append(box)
    return found


def find_box_button(pixels: Pixels, grid: Grid, hidden: Collection[Cell]) -> Rect | None:
    """Return the lowest button of a dialog box over a board, in pixels of a BGR picture; None without one.

    ``hidden`` are the unreadable cells. They are under a box if one background, without the lines between
    cells, covers much of their area. The box may reach over cells beside them that were misread.
    """
    board = grid.rect.intersection(Rect(0, 0, pixels.shape[1], pixels.shape[0]))
    group, cells = _largest_group(hidden, grid)
    area = group.grown(round(_MISREAD * grid.pitch_y)).intersection(board)
    thick = np.ones((max(3, round(_LINES * grid.pitch_y)),) * 2, np.uint8)
    for ink in _inks(area.cut(pixels)):
        ground, size = _largest_piece(cv2.morphologyEx(1 - ink, cv2.MORPH_OPEN, thick))
        if size < _BOX * cells * grid.pitch_x * grid.pitch_y:
            continue
        inside = ground.cut(ink)
        boxes = (box for box in _button_boxes(inside, grid.pitch_y, ground.width) if not _bare(inside, box))
        places = (box.moved(area.x + ground.x, area.y + ground.y) for box in boxes)
        plates = [place for place in places if not _is_cells(place, grid)]
        if plates:
            return max(plates, key=lambda box: box.bottom)
    return None


def _is_cells(box: Rect, grid: Grid) -> bool:
    """Return whether all edges of a box lie near lines between cells: covered cells among opened ones."""
    across, down = np.subtract((box.x, box.right), grid.x), np.subtract((box.y, box.bottom), grid.y)
    edges = np.concatenate([across / grid.pitch_x, down / grid.pitch_y])
    return bool((np.abs(edges - edges.round()) <= _NEAR_LINE).all())


def _largest_group(cells: Collection[Cell], grid: Grid) -> tuple[Rect, int]:
    """Return the rectangle around the largest group of cells that lie side by side, and their number."""
    mask = np.zeros((grid.rows, grid.cols), np.uint8)
    for cell in cells:
        mask[cell] = 1
    group, count = _largest_piece(mask)
    return grid.part(group.y, group.x, group.bottom, group.right).rect, count


def _largest_piece(mask: cv2.typing.MatLike) -> tuple[Rect, int]:
    """Return the box around the largest connected piece of a mask, and its size; 0 if there is none."""
    stats = cv2.connectedComponentsWithStats(mask, connectivity=4)[2][1:]
    x, y, width, height, size = max(stats.tolist(), key=itemgetter(cv2.CC_STAT_AREA), default=[0] * 5)
    return Rect(x, y, width, height), size


def _things(pixels: Pixels, strip: Rect, grid: Grid) -> Iterator[tuple[Rect, bool]]:
    """Yield the box of each possible button in a strip, and whether it is only a bare word."""
    part = strip.cut(pixels)
    high, widest = grid.pitch_y, _WIDEST * grid.width
    close = max(1, round(_CLOSE * high))
    words = np.ones((1 + close // 2, 1 + 2 * close), np.uint8)
    for ink in _inks(part):
        joined = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, words), np.uint8)
        groups = [(box, _bare(ink, box)) for box in _button_boxes(joined, high, widest)]
        spoken = [box for box, bare in groups if bare]
        plates = [
            box
            for box in _button_boxes(ink, high, widest)
            if not (box.height < _LETTER * high and any(word.covers(box) for word in spoken))
            and not _bare(ink, box)
        ]
        # Plates side by side are several buttons: a click between them would hit none.
        apart = [(box, bare) for box, bare in groups if bare or sum(map(box.covers, plates)) < 2]
        yield from ((box.moved(strip.x, strip.y), bare) for box, bare in apart)
        yield from ((box.moved(strip.x, strip.y), False) for box in plates)


def _button_boxes(ink: Pixels, cell_height: float, widest: float) -> Iterator[Rect]:
    """Yield the boxes of button size: the inside of a border, or a connected piece of ink."""
    low, high = _SIZES[0] * cell_height, _SIZES[1] * cell_height

    def fits(box: Rect) -> bool:
        lowest = low <= box.height <= high and min(box.width, box.height) >= _SMALLEST
        return lowest and box.width <= widest

    inner = Rect(1, 1, ink.shape[1] - 2, ink.shape[0] - 2)
    faces = [box.grown(1) for box in pieces(1 - ink, 4) if inner.covers(box)]  # borders may touch
    faces = [box for box in faces if fits(box)]
    yield from faces
    yield from (box for box in pieces(ink, 8) if fits(box) and not any(box.covers(face) for face in faces))


def _bare(ink: Pixels, box: Rect) -> bool:
    """Return whether a box has no plate: its edge is mostly background, also without a soft outer line."""
    inner = box.grown(-1)
    parts = (box, inner) if min(inner.size) >= _SMALLEST else (box,)  # smaller ones are letters
    return all(_edge(part.cut(ink)).mean() < _PLATE for part in parts)


def _edge(picture: Pixels) -> Pixels:
    return np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])


def _inks(part: Pixels) -> Iterator[Pixels]:
    """Yield masks of pixels that differ from the background (1, else 0), one for each likely background."""
    coarse = (part >> 3).astype(np.int32)
    codes = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    values, counts = np.unique(codes, return_counts=True)
    for index in np.argsort(-counts)[:_GROUNDS]:
        if counts[index] >= _LEAST * codes.size:
            ground = np.median(part[codes == values[index]], axis=0)
            yield (np.abs(part - ground).max(2) > DIFFERENT).astype(np.uint8)


def _cost(box: Rect, grid: Grid) -> float:
    """Return the distance of a box from the usual place of a button for a new game, in cells."""
    board = grid.rect
    aside = max(board.x - box.right, box.x - board.right) / grid.pitch_x
    if aside >= 0 and board.y <= box.y and box.bottom <= board.bottom:
        return aside + _BESIDE
    middle = board.x + board.width / 2
    across = abs(box.x + box.width / 2 - middle) / grid.pitch_x
    above = box.bottom <= board.y
    down = (board.y - box.bottom if above else box.y - board.bottom) / grid.pitch_y
    return across / 2 + down + _BELOW * (not above) + _RIGHT * (box.x > middle)


def read_face(pixels: Pixels, grid: Grid) -> GameState | None:
    """Return the game state that the face above ``grid`` shows in a BGR picture: running, won or lost.

    None if there is no face, if it is another sort of face, or if two faces disagree.
    """
    aside = (_OFF_CENTRE + _FACES[1] / 2) * grid.pitch_x
    left, high = round(grid.x + grid.width / 2 - aside), round(_ABOVE * grid.pitch_y)
    part = Rect(left, grid.rect.y - high, round(2 * aside), high).cut(pixels)  # above the board's middle
    if min(part.shape[:2]) < _SMALLEST_FACE:
        return None
    moods = {mood for face in _faces(part, grid) if (mood := _mood(face)) is not None}
    return moods.pop() if len(moods) == 1 else None


def _faces(part: Pixels, grid: Grid) -> Iterator[Floats]:
    """Yield the darkness of the pixels inside each round bright thing, 0 to 1, scaled to (24, 24)."""
    blue, green, red = (channel.astype(np.int16) for channel in cv2.split(part))
    light = np.minimum(green, red)
    inner = np.hypot(*(np.indices((_SIDE, _SIDE)) - (_SIDE - 1) / 2))
    for mask in (light > _BRIGHT, light - blue > _YELLOW):
        _, labels, boxes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
        for label, (x, y, width, height, area) in enumerate(boxes.tolist()):
            here = np.s_[y : y + height, x : x + width]
            if label and _is_round(np.asarray(labels)[here] == label, area, grid):
                dark = (light[here] < _DARK).astype(np.float32)
                face = np.asarray(cv2.resize(dark, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.float32)
                yield np.where(inner <= _INNER, face, np.float32(0))


def _is_round(mask: Bools, area: int, grid: Grid) -> bool:
    height, width = mask.shape
    low, high = _FACES
    cell = (grid.pitch_x + grid.pitch_y) / 2
    fits = (
        max(_SMALLEST_FACE, low * cell) <= height <= high * cell and _ROUND[0] <= width / height <= _ROUND[1]
    )
    if not fits or not _FILLED[0] <= area / (width * height) <= _FILLED[1]:
        return False
    edge = max(1, round(_CORNER * width))
    ends = slice(None, edge), slice(-edge, None)
    return not any(mask[rows, cols].any() for rows in ends for cols in ends)


def _mood(face: Floats) -> GameState | None:
    """Return the game state that a face shows; None if its eyes and mouth are not clear."""
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
