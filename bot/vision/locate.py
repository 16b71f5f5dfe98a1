"""Locate boards in a picture: a grid is a board if the cell reader recognises its cells.

The search starts from the *seeds* of a picture (`bot.vision.seeds`), which suggest a place and a cell size.
The reader estimates the offset of a seed's cells from the true cells, by which the grid is moved and
stretched onto them, and how far the board extends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Grid, Pixels, Rect
from bot.levels import LARGEST_SIDE
from bot.stop import NEVER, Stop
from bot.vision.distortion import Floats, inside, rooms
from bot.vision.networks import Scores, log_softmax, score_cells
from bot.vision.reading import Side
from bot.vision.seeds import edges_across, find_seeds, in_turns

_WHOLE = 0.5  # pixels over the whole board: cells are rounded to whole pixels if they differ by less
_SIZE_OFF = 0.1  # cells over the whole board: usual error of the reader's cell size
_NEAR = 2  # pixels: largest error in the place of the first cell
_SPREAD = 1.0  # pixels: usual error in it
_FAINT = 4.0  # grey levels: fainter edges hardly count for where cells begin
_EDGE = 60  # grey levels: stronger edges count as this strong
SMALLEST = 4  # rows or columns of a board
MARGIN = 2  # rows and columns around a board that the reader also sees
_TRIES = 24  # seeds in a row at most that are tried and show no clear board
_MOST_BOARDS = 64  # clear boards at most in a picture
_DOUBTS = 8  # of the doubtful ones at most are tried again
_FIRST = 6  # rows and columns of the first look at a seed: few, so that they lie in one board
_SURE = 0.35  # mean length of the turns, after alignment, from which on the cells form a grid
_LARGEST = 4.0  # nats at most that one cell may count for or against a board
_HIDDEN = 0.3  # of a cell may lie outside the picture
_PLAIN = 3.4  # nats for each cell (4 at most) from which on it is certainly a board
_LEAST = 16.0  # nats of evidence that a board needs
_OFF = 0.08  # of a cell: error of a grid that is not aligned
_STRETCH = np.linspace(-_OFF, _OFF, 65)  # relative changes of the pitch that are tried at once
_ALIGNED = 0.03  # of a cell: largest error of a grid that is good enough to be read
_SETTLED = 0.1  # of a cell: largest apparent error of a grid that was read before
_BESIDE = (-_OFF, _OFF)  # of a cell: offsets to the right and down
_LOOKS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A grid with the cell reader's scores of its cells, and the evidence in nats that it is a board.

    ``beyond`` is that of the cells seen in the next row or column at each side, in nats, float32 (4,).
    """

    grid: Grid
    scores: Scores
    evidence: float
    beyond: Floats


def boards_in(pixels: Pixels, stop: Stop = NEVER) -> Iterator[Located]:
    """Yield the boards in a BGR picture (height, width, 3): clear ones as they are found, then doubtful ones.

    ``stop`` is asked before each try.
    """
    taken, doubtful = list[Rect](), list[Located]()

    def free(grid: Grid) -> bool:
        """Return whether a grid shares at most an eighth of the smaller area with each board before it."""
        rect = grid.rect
        shared = ((place, rect.intersection(place)) for place in taken)
        return not any(8 * part.area > min(rect.area, place.area) for place, part in shared)

    in_vain = 0
    for seed in in_turns(find_seeds(pixels), taken):
        if in_vain == _TRIES or len(taken) == _MOST_BOARDS:
            break
        stop.raise_if_stopped()
        middle = _middle(seed.grid, _FIRST)
        if not free(middle):
            continue
        in_vain += 1
        cells = _on_cells(pixels, middle)
        glance = None if cells is None else _board_in(pixels, _grown(pixels, cells, (MARGIN,) * 4))
        if glance is None or not free(glance.grid):
            continue
        board = extended(pixels, glance.grid) if plain(glance) else glance
        if board is None or not free(board.grid):
            continue
        if plain(board):
            taken.append(board.grid.rect)
            in_vain = 0
            yield board
        else:  # another seed may show more of it
            doubtful.append(board)
    for glance in sorted(doubtful, key=lambda board: -board.evidence)[:_DOUBTS]:
        stop.raise_if_stopped()
        board = extended(pixels, glance.grid) if free(glance.grid) else None
        if board is not None and free(board.grid):
            taken.append(board.grid.rect)
            yield board


def plain(board: Located) -> bool:
    """Return whether ``board`` is certainly a board."""
    return board.evidence >= _PLAIN * board.grid.rows * board.grid.cols


def locate(pixels: Pixels, grid: Grid) -> Located | None:
    """Return the whole board that the cells near ``grid`` belong to; None if there are no cells."""
    cells = _on_cells(pixels, _middle(grid, _FIRST))
    board = None if cells is None else extended(pixels, cells)
    return None if board is None else averaged(pixels, board)


def _on_cells(pixels: Pixels, grid: Grid) -> Grid | None:
    """Return ``grid`` moved and stretched onto the true cells; None if the reader sees no lattice there."""
    for _ in range(_LOOKS):
        scores = score_cells(pixels, grid)
        aligned, sure = align(grid, scores)
        if sure < _SURE:
            return None
        near = grid.largest_edge_distance(aligned) <= _ALIGNED
        grid = aligned
        if near:
            break
    return grid


def confirm(pixels: Pixels, grid: Grid) -> Located | None:
    """Return the board on ``grid``; None if no board is exactly there."""
    board = _board_in(pixels, _grown(pixels, grid, (MARGIN,) * 4))
    if board is None or (board.grid.rows, board.grid.cols) != (grid.rows, grid.cols):
        return None
    beside = (
        grid.largest_edge_distance(board.grid) > _ALIGNED
        or grid.largest_edge_distance(align(grid, board.scores)[0]) > _SETTLED
    )
    return None if beside else replace(board, grid=grid)


def look(pixels: Pixels, grid: Grid) -> Located:
    """Return ``grid`` with the reader's scores of its cells, whether or not a board is there."""
    window = _grown(pixels, grid, (MARGIN,) * 4)
    top, left = _cells_between(window, grid)
    scores = score_cells(pixels, window)
    box = top, left, top + grid.rows, left + grid.cols
    return _board_on(window, scores, _evidence(pixels, window, scores), box)


def line_evidence(pixels: Pixels, grid: Grid, side: Side, lines: int) -> Floats:
    """Return the evidence of the cells seen in ``lines`` rows or columns beyond a side, in nats (lines,).

    The nearest comes first.
    """
    top, left, bottom, right = (lines if one is side else MARGIN for one in Side)
    window = _grown(pixels, grid, (top, left, bottom, right))
    evidence = _evidence(pixels, window, score_cells(pixels, window))
    top, left = _cells_between(window, grid)
    outward = {
        Side.TOP: evidence[:top, left : left + grid.cols][::-1],
        Side.LEFT: evidence[top : top + grid.rows, :left].T[::-1],
        Side.BOTTOM: evidence[top + grid.rows :, left : left + grid.cols],
        Side.RIGHT: evidence[top : top + grid.rows, left + grid.cols :].T,
    }
    return np.asarray(outward[side].clip(0).sum(1), dtype=np.float32)


def align(grid: Grid, scores: Scores) -> tuple[Grid, float]:
    """Return ``grid`` moved and stretched onto the cells that the reader sees, and the certainty of that.

    The certainty is the length of the mean of all turns after the alignment, 0 to 1.
    """
    off_x, stretch_x, sure_x = _fitted(scores.turns[:, :, 0])
    off_y, stretch_y, sure_y = _fitted(scores.turns[:, :, 1].swapaxes(0, 1))
    pitch_x, pitch_y = grid.pitch_x * (1 + stretch_x), grid.pitch_y * (1 + stretch_y)
    x = grid.x + off_x * grid.pitch_x + (grid.pitch_x - pitch_x) / 2
    y = grid.y + off_y * grid.pitch_y + (grid.pitch_y - pitch_y) / 2
    return Grid(x, y, pitch_x, pitch_y, grid.rows, grid.cols), min(sure_x, sure_y)


def _fitted(turns: Floats) -> tuple[float, float, float]:
    """Return offset of the first column and stretch, in cells, of turns (rows, cols, 2), and certainty."""
    cols, sums = np.arange(turns.shape[1]), turns.sum(0)
    strengths = np.hypot(*_turned_back(sums, _STRETCH[:, None] * cols))
    best = int(strengths.argmax())
    stretch = float(_STRETCH[best])
    if 0 < best < len(_STRETCH) - 1:  # the peak of the parabola through three points
        low, top, high = strengths[best - 1 : best + 2].tolist()
        bend = low - 2 * top + high
        stretch += 0.5 * (low - high) / bend * float(_STRETCH[1] - _STRETCH[0]) if bend < 0 else 0.0
    cosine, sine = _turned_back(sums, stretch * cols)
    offset = math.atan2(sine, cosine) / (2 * math.pi)
    return offset, stretch, math.hypot(sine, cosine) / (turns.shape[0] * turns.shape[1])


def _turned_back(sums: Floats, offsets: npt.NDArray[np.floating]) -> tuple[npt.NDArray[np.floating], ...]:
    """Return the sums of turns (n, 2), cosines and sines, turned back by ``offsets`` (..., n) in cells.

    The calculation uses real numbers, because Wine does not support complex ones.
    """
    angles = 2 * np.pi * offsets
    cosines, sines = np.cos(angles), np.sin(angles)
    return cosines @ sums[:, 0] + sines @ sums[:, 1], cosines @ sums[:, 1] - sines @ sums[:, 0]


def extended(pixels: Pixels, grid: Grid) -> Located | None:
    """Return the whole board that the cells of an aligned grid belong to; None if there is none."""
    window = _grown(pixels, grid, (MARGIN,) * 4)
    done: set[tuple[float, ...]] = set()
    for _ in range(2 * _LOOKS):
        board = _board_in(pixels, window)
        if board is None:
            return None
        aligned, _ = align(board.grid, board.scores)
        top, left = _cells_between(window, board.grid)
        rows, cols = board.grid.rows, board.grid.cols
        margins = top, left, window.rows - top - rows, window.cols - left - cols
        first = round(board.grid.x / aligned.pitch_x), round(board.grid.y / aligned.pitch_y)
        key = (*first, rows, cols, window.rows, window.cols)
        settled = (
            all(margin >= MARGIN for margin in margins)
            and board.grid.largest_edge_distance(aligned) <= _ALIGNED
        )
        if settled or key in done:
            return replace(board, grid=refined(pixels, aligned))
        done.add(key)
        more = [
            MARGIN if margin >= MARGIN else max(2 * MARGIN, side // 2)
            for margin, side in zip(margins, (rows, cols, rows, cols), strict=True)
        ]
        window = _grown(pixels, aligned, (more[0], more[1], more[2], more[3]))
    return None


def _board_in(pixels: Pixels, window: Grid) -> Located | None:
    """Return the rectangle of cells in ``window`` that is most likely a board; None if there is none."""
    scores = score_cells(pixels, window)
    evidence = _evidence(pixels, window, scores)
    (top, left, bottom, right), total = best_rectangle(evidence)
    sides = bottom - top, right - left
    if min(sides) < SMALLEST or total < _LEAST or max(sides) > LARGEST_SIDE:
        return None
    return _board_on(window, scores, evidence, (top, left, bottom, right))


def _board_on(window: Grid, scores: Scores, evidence: Floats, box: tuple[int, int, int, int]) -> Located:
    """Return the board in the rows and columns ``box`` (top, left, bottom, right) of ``window``."""
    top, left, bottom, right = box
    rows, cols = slice(top, bottom), slice(left, right)
    around = np.pad(evidence.clip(0), 1)  # its rows and columns are one further than those of the window
    across, down = slice(left + 1, right + 1), slice(top + 1, bottom + 1)
    lines = around[top, across], around[down, left], around[bottom + 1, across], around[down, right + 1]
    beyond = np.array([line.sum() for line in lines], np.float32)
    total = float(evidence[rows, cols].sum())
    return Located(window.part(top, left, bottom, right), scores.part(rows, cols), total, beyond)


def _cells_between(outer: Grid, inner: Grid) -> tuple[int, int]:
    """Return how many rows of ``outer`` lie above ``inner``, and how many columns to its left."""
    return round((inner.y - outer.y) / outer.pitch_y), round((inner.x - outer.x) / outer.pitch_x)


def _evidence(pixels: Pixels, grid: Grid, scores: Scores) -> Floats:
    """Return the evidence of each cell for a board, in nats; cells outside the picture count against it."""
    clipped = np.clip(scores.cells, -_LARGEST, _LARGEST)
    return np.where(inside(pixels, grid, _HIDDEN), clipped, np.float32(-_LARGEST))


def averaged(pixels: Pixels, board: Located) -> Located:
    """Return ``board`` with its place and labels averaged over two slightly shifted grids and its own scores.

    The average is better, because small glyphs look different depending on where the pixels fall.
    """
    grid = board.grid
    looks = [look(pixels, grid.moved(off * grid.pitch_x, off * grid.pitch_y)) for off in _BESIDE]
    found = [align(each.grid, each.scores)[0] for each in looks]
    x, y, pitch_x, pitch_y = np.mean([(g.x, g.y, g.pitch_x, g.pitch_y) for g in found], axis=0).tolist()
    exact = replace(grid, x=x, y=y, pitch_x=pitch_x, pitch_y=pitch_y)
    labels = log_softmax(np.mean([each.scores.labels for each in (board, *looks)], axis=0))
    return replace(board, grid=refined(pixels, exact), scores=replace(board.scores, labels=labels))


def _middle(grid: Grid, most: int) -> Grid:
    """Return the cells in the middle of a grid, at most ``most`` rows and columns."""
    rows, cols = min(most, grid.rows), min(most, grid.cols)
    top, left = (grid.rows - rows) // 2, (grid.cols - cols) // 2
    return grid.part(top, left, top + rows, left + cols)


def _grown(pixels: Pixels, grid: Grid, by: tuple[int, int, int, int]) -> Grid:
    """Return ``grid`` with ``by`` more rows above, columns left, rows below and columns right.

    At most `MARGIN` rows or columns on each side may then be outside the picture.
    """
    top, left, bottom, right = (
        min(more, max(0, round(space)) + MARGIN) for more, space in zip(by, rooms(pixels, grid), strict=True)
    )
    return grid.part(-top, -left, grid.rows + bottom, grid.cols + right)


def best_rectangle(gains: Floats) -> tuple[tuple[int, int, int, int], float]:
    """Return top, left, bottom and right (exclusive) of the rectangle with the largest sum, and that sum."""
    rows, cols = gains.shape
    down = np.zeros((rows + 1, cols + 1), np.float64)
    down[1:, 1:] = gains.cumsum(0).cumsum(1)
    top, bottom = np.triu_indices(rows + 1, 1)
    across = down[bottom] - down[top]
    least = np.minimum.accumulate(across, axis=1)
    best = (across - least).max(1)
    band = int(best.argmax())
    right = int((across[band] - least[band]).argmax())
    left = int(across[band][: right + 1].argmin())
    return (int(top[band]), left, int(bottom[band]), right), float(best[band])


def refined(pixels: Pixels, grid: Grid) -> Grid:
    """Return ``grid`` with the cell size at which the edges in a BGR picture repeat best.

    If the cells are whole pixels wide (or high), the grid also starts at a whole pixel in that direction.
    """
    rect = grid.rect.grown(_NEAR + 1)
    top, left, area = max(0, rect.y), max(0, rect.x), rect.cut(pixels)
    if min(area.shape[:2]) < grid.rows + grid.cols:
        return grid
    across, down = (edges_across(each, _EDGE).mean(0, np.float32) for each in (area, cv2.transpose(area)))
    x, pitch_x = _at_edges(across, grid.x - left, grid.pitch_x, grid.cols)
    y, pitch_y = _at_edges(down, grid.y - top, grid.pitch_y, grid.rows)
    return replace(grid, x=x + left, y=y + top, pitch_x=pitch_x, pitch_y=pitch_y)


def _at_edges(edges: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return the start and the size of ``count`` cells whose outlines are in ``edges``."""
    middle, pitch = start + count * pitch / 2, _repeating_pitch(edges, pitch, count)
    whole = round(pitch)
    if abs(whole - pitch) * count > _WHOLE:
        return middle - count * pitch / 2, pitch
    return _first_pixel(edges, middle - count * whole / 2, whole, count), float(whole)


def _repeating_pitch(edges: Floats, pitch: float, count: int) -> float:
    """Return the cell size near ``pitch`` at which ``edges`` (width,) repeat best from cell to cell."""
    faint = np.sqrt(edges)  # so that a few strong edges count little more than many faint ones
    faint = faint - faint.mean()
    alike = np.fft.irfft(np.abs(np.fft.rfft(faint, 2 * len(faint))) ** 2)[: len(faint)]
    off = np.linspace(-3, 3, 121)  # in multiples of the usual error
    sizes = pitch * (1 + _SIZE_OFF / count * off)
    further = sizes[:, None] * np.arange(1, count)
    sums = np.interp(further, np.arange(len(faint)), alike).sum(1).clip(0)
    return float(sizes[int((sums * np.exp(-(off**2) / 2)).argmax())])


def _first_pixel(edges: Floats, about: float, pitch: int, count: int) -> float:
    """Return the pixel near ``about`` at which cells of ``pitch`` pixels begin, judged by their edges.

    A line between cells has two edges, and either may be the cell's: the result is the pixel between them.
    """
    places = np.arange(round(about) - _NEAR, round(about) + _NEAR + 1)
    borders = places[:, None] + pitch * np.arange(count + 1) - 1  # edge i is between pixels i and i + 1
    seen = (borders >= 0) & (borders < len(edges))
    strengths = (edges[borders.clip(0, len(edges) - 1)] * seen).sum(1) / seen.sum(1).clip(1)
    weights = (strengths + _FAINT) * np.exp(-((places - about) ** 2) / (2 * _SPREAD**2))
    return float(round(places @ weights / weights.sum()))
