"""Find out how far a board extends where it is hidden: outside the picture, or under another window.

If exactly one usual board size fits the visible part and has the number of mines given by counter and flags,
the number of hidden rows and columns is known. Otherwise one unreadable row or column stands for all hidden
ones, so that nothing is concluded from the cells beside it, and `Reading.cut` names the side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bot.board import CLOSED, Board, Cell, State, cells_where
from bot.geometry import Grid, Pixels
from bot.levels import CLASSIC_MINES, USUAL_MINES, USUAL_SIZES
from bot.vision.distortion import Floats, cells_of, inside, rooms, unstretched
from bot.vision.known_art import Known
from bot.vision.panel.counter import counter_hidden
from bot.vision.reading import Doubt, GameState, Reading, Side, game_state

_TOUCHING = 0.25  # of a cell between the board and the picture's edge: too little to show a frame
_LEAST = 0.2  # of a cell must be visible, to be recognised as part of a cell
_SIDE = 16  # pixels: width and height of a cell when compared
_ALIKE = 16.0  # grey levels, root mean square, by which parts of two cells in one state may differ
_FLAT = 8.0  # grey levels, standard deviation: background and frames vary less along a side
_RUNS_ON = 0.25  # of the cells at a side must continue beyond it
_FRAME, _GROUND = slice(1, 3), slice(3, 5)  # pixels from the board at 100 %: scaling blurs the first one
_SAME = 40.0  # of 255: largest difference of frame or background from its own colour
_FRAMED = 0.3  # of a side must show its frame: a window may hide the rest
_AXES = (frozenset({Side.TOP, Side.BOTTOM}), frozenset({Side.LEFT, Side.RIGHT}))


def with_extent(pixels: Pixels, reading: Reading, known: Known | None = None) -> Reading:
    """Return the reading of a BGR picture, with the hidden rows and columns of its board added.

    If their number is known, all are added as unreadable cells. Otherwise one is added on each side of
    `Reading.cut`, and the total of mines is unknown. ``known`` is the board as a skin identified it, None if
    it matches no skin; only a skin shows whether a frame is missing.
    """
    seen = _seen(pixels, reading)
    if known is not None:
        seen = replace(seen, cut=seen.cut | _hidden_sides(pixels, known))
    touching = frozenset(side for side, room in _rooms(pixels, seen.grid).items() if room <= _TOUCHING)
    cut = seen.cut | _running_on(pixels, seen)
    if len(touching) == len(Side) and not seen.cut:  # the board fills the picture
        return reading
    if not cut | touching:
        return seen
    sizes = USUAL_MINES if known is None else CLASSIC_MINES
    if size := _only_possible_size(seen, cut, touching, sizes):
        missing = {
            side: most - least
            for most, least, axis in zip(size, seen.board.shape, _AXES, strict=True)
            for side in axis & (cut | touching)
        }
        whole = _grown(pixels, seen, missing)
        return _with_board(replace(whole, cut=frozenset()), Board(whole.board.states, sizes[size]))
    if not cut and (known is None or seen.board.shape in USUAL_SIZES):
        return seen  # if no cell is cut, only a skin can show that a frame is missing
    cut |= touching
    whole = _grown(pixels, seen, dict.fromkeys(cut, 1))
    return _with_board(replace(whole, cut=cut), Board(whole.board.states))


def _hidden_sides(pixels: Pixels, known: Known) -> frozenset[Side]:
    """Return the sides where a window may hide more of the board: those without a visible frame.

    If more than two sides have none, the program draws no frame, and the result is empty. If all have one,
    the result is the top if the board has no classic size and something hides the mine counter.
    """
    grid, skin = known.grid, known.skin
    if skin.ground is None:
        return frozenset()
    ground, cell = known.tone.shown(np.array(skin.ground, np.uint8)), skin.cell
    around = grid.part(-1, -1, grid.rows + 1, grid.cols + 1)
    down = unstretched(pixels, around, cell).astype(np.float32)
    across = down.swapaxes(0, 1)
    strips = down[:cell][::-1], across[:cell][::-1], down[-cell:], across[-cell:]
    open_ = {side for side, strip in zip(Side, strips, strict=True) if not _framed(strip, cell, ground)}
    if len(open_) > 2:
        return frozenset()
    usual = (grid.rows, grid.cols) in CLASSIC_MINES
    if not open_ and not usual and counter_hidden(pixels, grid, skin, known.tone.gain):
        return frozenset({Side.TOP})
    room = _rooms(pixels, grid)
    return frozenset(side for side in open_ if room[side] >= _GROUND.stop / cell)


def _framed(strip: Floats, cell: int, ground: Floats) -> bool:
    """Return whether a strip beside the board (outwards x along x 3) shows a frame, then the background.

    The strip is checked where two cells meet, because a half-hidden row of cells has lines there.
    """
    meetings = np.arange(2 * cell, strip.shape[1] - cell, cell)
    beside = meetings[:, None] + np.arange(-2, 2)
    frame, beyond = strip[_FRAME][:, beside].mean(0), strip[_GROUND][:, beside].mean(0)
    seen = (np.abs(beyond - ground) <= _SAME).all((1, 2))
    if seen.mean() < _FRAMED:
        return False
    alike = np.abs(frame - np.median(frame[seen], axis=(0, 1))) <= _SAME
    return bool((seen & alike.all((1, 2))).mean() >= _FRAMED)


def _with_board(reading: Reading, board: Board) -> Reading:
    lost = reading.state is GameState.LOST
    return replace(reading, board=board, state=GameState.LOST if lost else game_state(board))


def _seen(pixels: Pixels, reading: Reading) -> Reading:
    """Return the reading without the outer rows and columns that lie partly outside the picture."""
    grid = reading.grid
    visible = inside(pixels, grid, _TOUCHING)
    rows, cols = np.flatnonzero(visible.any(1)), np.flatnonzero(visible.any(0))
    if (len(rows), len(cols)) == (grid.rows, grid.cols) or not len(rows) or not len(cols):
        return reading
    below, right = int(rows[-1]) + 1 - grid.rows, int(cols[-1]) + 1 - grid.cols
    ends = dict(zip(Side, (-int(rows[0]), -int(cols[0]), below, right), strict=True))
    cut = frozenset(side for side, by in ends.items() if by < 0)
    return replace(_grown(pixels, reading, ends), cut=reading.cut | cut)


def _rooms(pixels: Pixels, grid: Grid) -> dict[Side, float]:
    """Return how many cells would fit between the board and each edge of the picture."""
    return dict(zip(Side, rooms(pixels, grid), strict=True))


def _running_on(pixels: Pixels, reading: Reading) -> frozenset[Side]:
    """Return the sides at which the picture ends within the next row or column of the board.

    Its visible part looks like that of unopened cells and varies along the side, unlike background and frame.
    """
    near = {side: room for side, room in _rooms(pixels, reading.grid).items() if _LEAST <= room < 1}
    if not near:
        return frozenset()
    rows, cols = reading.board.shape
    canvas = unstretched(pixels, reading.grid.part(-1, -1, rows + 1, cols + 1), _SIDE)
    cells = cells_of(canvas, _SIDE).astype(np.float32)
    own = cells[1:-1, 1:-1][np.isin(reading.board.states, CLOSED)]
    rims = cells[0, 1:-1], cells[1:-1, 0], cells[-1, 1:-1], cells[1:-1, -1]
    beside = dict(zip(Side, rims, strict=True))
    running = set()
    for side, room in near.items():
        seen = int(room * _SIDE)
        part = slice(-seen, None) if side in (Side.TOP, Side.LEFT) else slice(seen)
        along, index = (2, np.s_[:, part]) if side in (Side.TOP, Side.BOTTOM) else (1, np.s_[:, :, part])
        there, here = beside[side][index], own[index]
        off = ((there[:, None] - here) ** 2).mean((2, 3, 4)).min(1, initial=np.inf)
        varied = there.std(along).max((1, 2)) >= _FLAT
        if (varied & (np.sqrt(off) <= _ALIKE)).mean() >= _RUNS_ON:
            running.add(side)
    return frozenset(running)


def _only_possible_size(
    reading: Reading, cut: frozenset[Side], touching: frozenset[Side], sizes: Mapping[tuple[int, int], int]
) -> tuple[int, int] | None:
    """Return the size (rows, columns) of the whole board if exactly one of ``sizes`` is possible, else None.

    ``sizes`` maps each size to its mines, which must agree with counter and flags. The board continues beyond
    the sides ``cut``, and may continue beyond those ``touching`` the edge of the picture.
    """
    left = reading.mines_left
    if left is None or any(axis <= cut | touching for axis in _AXES):  # it may continue at both ends
        return None
    mines, shape = left + reading.board.count(State.FLAG, State.WRONG_FLAG), reading.board.shape
    fitting = [
        size
        for size, total in sizes.items()
        if total == mines
        and all(
            most > seen if axis & cut else most == seen or (most > seen and axis & touching)
            for most, seen, axis in zip(size, shape, _AXES, strict=True)
        )
    ]
    return fitting[0] if len(fitting) == 1 else None


def _grown(pixels: Pixels, reading: Reading, by: dict[Side, int]) -> Reading:
    """Return the reading with ``by`` more unreadable rows or columns on each side; fewer if negative."""
    top, left, bottom, right = (by.get(side, 0) for side in Side)
    old, rows, cols = reading.board, reading.board.rows + top + bottom, reading.board.cols + left + right
    grid = reading.grid.part(-top, -left, old.rows + bottom, old.cols + right)
    states = np.full((rows, cols), State.UNREADABLE, np.int8)
    here = np.s_[max(0, top) : rows - max(0, bottom), max(0, left) : cols - max(0, right)]
    there = np.s_[max(0, -top) : old.rows + min(0, bottom), max(0, -left) : old.cols + min(0, right)]
    states[here] = old.states[there]
    moved = ((Cell(cell.row + top, cell.col + left), doubt) for cell, doubt in reading.doubts.items())
    kept = {cell: doubt for cell, doubt in moved if 0 <= cell.row < rows and 0 <= cell.col < cols}
    new = np.ones((rows, cols), np.bool_)
    new[here] = False
    visible = inside(pixels, grid)
    doubts = {cell: Doubt.HIDDEN if visible[cell] else Doubt.OUTSIDE for cell in cells_where(new)}
    board = Board(states, old.mines)
    return replace(reading, grid=grid, board=board, doubts={**kept, **doubts})
