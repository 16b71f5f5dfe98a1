"""Decide at each side of a board whether it ends there in view, goes on in view, or is cut.

Evidence is weighed in nats, the same for known and unknown art. A small network looks across every side, from
one cell inside to two cells outside, at several places; it knows frames, panels, plain strips, cells cut by
the edge of a picture, and windows in front, and it compares each side with the other three. What else is
known is added: cells that the reader sees beyond a side; numbers that only mines beyond it explain; usual
sizes are common; the mine counter with the flags gives the total of a whole board; and a counter that known
art has, but that is not seen, is hidden.

If exactly one usual size fits the visible part and that total, the number of hidden rows and columns is
known. Otherwise one unreadable row or column stands for all hidden ones, so that nothing is concluded from
the cells beside it, and `Reading.cut` names the side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bot.board import Board, Cell, State, States, cells_where
from bot.geometry import Grid, Pixels, Rect
from bot.levels import USUAL_MINES
from bot.vision.distortion import Floats, inside, rooms
from bot.vision.judgement import broken_numbers
from bot.vision.locate import SMALLEST, Located, line_evidence, look
from bot.vision.networks import ACROSS, ALONG, BEYOND, SIDE, cut_cells, score_sides
from bot.vision.panel.counter import counter_place
from bot.vision.reading import Doubt, Reading, Side
from bot.vision.skin import Skin

_PLACES = 8  # at which the network looks across a side
_ENDS, _GOES_ON, _ENDED_BEFORE = range(3)  # the network's labels
_MOVES = 6  # times that sides are moved
_SEEN = 6.0  # nats, of cells at 4 at most: two clear cells show that a row or column is part of the board
_AHEAD = 4  # rows or columns at least in which a board that goes on is searched for
_USUAL = 3.0  # nats for a board of a usual size against one of which a part is hidden
_USUAL_TOTAL = 4.0  # nats for the usual number of mines of that size, by counter and flags
_UNEXPLAINED = 4.0  # nats for each number that only mines beyond a side explain
_OPEN = 4.0  # nats up to which a side that seems to end may go on
_AXES = (frozenset({Side.TOP, Side.BOTTOM}), frozenset({Side.LEFT, Side.RIGHT}))

Odds = Mapping[Side, float]  # the evidence, in nats, that the board goes on beyond a side


def settled(pixels: Pixels, board: Located) -> tuple[Located, Odds]:
    """Return the board with each side where it ends in view, and the odds that it goes on out of sight.

    ``pixels`` is BGR (height, width, 3). Rows and columns in which no cells are, such as a frame, are taken
    away; those that can be read beyond others that something hides are added.
    """
    evidence, before = _evidence(pixels, board), set[Grid]()
    for _ in range(_MOVES):
        grid = board.grid
        before.add(grid)
        top, left, bottom, right = (
            _lines_to_add(pixels, grid, side, evidence[at]) for at, side in enumerate(Side)
        )
        moved = grid.part(-top, -left, grid.rows + bottom, grid.cols + right)
        if moved in before or min(moved.rows, moved.cols) < SMALLEST:
            break
        board = look(pixels, moved)
        evidence = _evidence(pixels, board)
    odds = evidence[:, _GOES_ON] - np.logaddexp(evidence[:, _ENDS], evidence[:, _ENDED_BEFORE])
    return board, dict(zip(Side, odds.tolist(), strict=True))


def _evidence(pixels: Pixels, board: Located) -> Floats:
    """Return the evidence at each side in nats, float32 (4, 3).

    The board ends there; or it goes on beyond, in view or not; or it has ended a row or column before.
    """
    evidence = score_sides(side_patches(pixels, board.grid))
    evidence[:, _GOES_ON] += board.beyond
    return evidence


def _lines_to_add(pixels: Pixels, grid: Grid, side: Side, evidence: Floats) -> int:
    """Return how many rows or columns to add at a side, at most those that can be read; -1 takes one away.

    One is taken away if the evidence that the board has ended before is stronger than that for its cells.
    """
    said = int(evidence.argmax())
    if said == _ENDS:
        return 0
    if said == _ENDED_BEFORE:
        top, left, bottom, right = (int(side is one) for one in Side)
        inner = grid.part(top, left, grid.rows - bottom, grid.cols - right)
        against = float(line_evidence(pixels, inner, side, 1)[0])
        return -int(evidence[said] - np.delete(evidence, said).max() > against)
    room = int(dict(zip(Side, rooms(pixels, grid), strict=True))[side])
    lines = min(room, max(_AHEAD, (grid.rows if side in _AXES[0] else grid.cols) // 2))
    if lines <= 0:
        return 0
    readable = np.flatnonzero(line_evidence(pixels, grid, side, lines) > _SEEN)
    return int(readable[-1]) + 1 if len(readable) else 0


def side_patches(pixels: Pixels, grid: Grid) -> Pixels:
    """Return what lies across the sides at `_PLACES` places each, uint8 (4, places, ACROSS, ALONG, 4).

    The last rows of a patch are inside the board; the channels are those of `cut_cells`.
    """
    rows, cols, out = grid.rows, grid.cols, BEYOND
    strips = (
        cut_cells(pixels, grid.part(-out, -1, 1, cols + 1)),
        cut_cells(pixels, grid.part(-1, -out, rows + 1, 1)).swapaxes(0, 1),
        cut_cells(pixels, grid.part(rows - 1, -1, rows + out, cols + 1))[::-1],
        cut_cells(pixels, grid.part(-1, cols - 1, rows + 1, cols + out)).swapaxes(0, 1)[::-1],
    )
    patches = np.empty((len(strips), _PLACES, ACROSS, ALONG, 4), np.uint8)
    for strip, patch in zip(strips, patches, strict=True):
        places = np.rint(np.linspace(0, strip.shape[1] // SIDE - 3, _PLACES)).astype(int)
        for at, place in enumerate(places):
            start = SIDE // 2 + place * SIDE
            patch[at] = strip[:, start : start + ALONG]
    return patches


def hidden_lines(odds: Odds) -> tuple[int, int, int, int]:
    """Return for each side how many rows or columns stand for hidden ones: 1 if it probably goes on."""
    top, left, bottom, right = (int(odds[side] > 0) for side in Side)
    return top, left, bottom, right


def with_hidden_lines(pixels: Pixels, reading: Reading, odds: Odds, skin: Skin | None = None) -> Reading:
    """Return the reading of a BGR picture, with the hidden rows and columns of its board added.

    The reading has those of `hidden_lines`: the mine counter, which is now known, may tell more. If the
    ``skin`` of the board has a counter that is not seen, something hides it.

    If their number is known, all are added as unreadable cells. Otherwise one is added on each side of
    `Reading.cut`, and the total of mines is unknown. Sides of which the evidence is weak are `Reading.open`.
    """
    lines = dict(zip(Side, hidden_lines(odds), strict=True))
    lacks_counter = skin is not None and _lacks_counter(pixels, reading, skin)
    reading = _grown(pixels, reading, {side: -count for side, count in lines.items()})
    seen, outside = _without_lines_outside(pixels, reading)
    usual = USUAL_MINES.get(seen.board.shape)
    whole = 0.0 if usual is None else _USUAL + _USUAL_TOTAL * (usual == _total(seen))
    nats = {side: np.inf if side in outside else odds[side] - whole for side in Side}
    for side, count in _explained_beyond(seen.board.states).items():
        nats[side] += _UNEXPLAINED * count
    if lacks_counter:
        nats[Side.TOP] += _USUAL_TOTAL
    cut = frozenset(side for side in Side if nats[side] > 0)
    may_go_on = frozenset(side for side in Side if nats[side] > -_OPEN)
    if size := _only_possible_size(seen, cut, may_go_on):
        missing = {
            side: most - least
            for most, least, axis in zip(size, seen.board.shape, _AXES, strict=True)
            for side in axis & may_go_on
        }
        grown = _grown(pixels, seen, missing)
        return replace(grown, board=Board(grown.board.states, USUAL_MINES[size]))
    if not cut:
        return replace(seen, open=may_go_on)
    grown = _grown(pixels, seen, dict.fromkeys(cut, 1))
    return replace(grown, board=Board(grown.board.states), cut=cut, open=may_go_on - cut)


def _explained_beyond(states: States) -> dict[Side, int]:
    """Return for each side how many of the numbers that contradict each other need mines beyond that side."""
    broken, around = broken_numbers(states), np.pad(states, 1, constant_values=State.UNREADABLE)
    if not broken:
        return dict.fromkeys(Side, 0)
    grown = {
        Side.TOP: around[:-1, 1:-1],
        Side.LEFT: around[1:-1, :-1],
        Side.BOTTOM: around[1:, 1:-1],
        Side.RIGHT: around[1:-1, 1:],
    }
    return {side: broken - broken_numbers(more) for side, more in grown.items()}


def _lacks_counter(pixels: Pixels, reading: Reading, skin: Skin) -> bool:
    """Return whether the counter of a skin was not read, although its place is in the picture."""
    place, picture = counter_place(reading.grid, skin), Rect(0, 0, pixels.shape[1], pixels.shape[0])
    return reading.mines_left is None and not place.empty and picture.covers(place)


def _without_lines_outside(pixels: Pixels, reading: Reading) -> tuple[Reading, frozenset[Side]]:
    """Return the reading without the outer rows and columns that lie partly outside, and their sides."""
    grid = reading.grid
    visible = inside(pixels, grid)
    rows, cols = np.flatnonzero(visible.any(1)), np.flatnonzero(visible.any(0))
    if (len(rows), len(cols)) == (grid.rows, grid.cols) or not len(rows) or not len(cols):
        return reading, frozenset()
    below, right = int(rows[-1]) + 1 - grid.rows, int(cols[-1]) + 1 - grid.cols
    ends = dict(zip(Side, (-int(rows[0]), -int(cols[0]), below, right), strict=True))
    return _grown(pixels, reading, ends), frozenset(side for side, by in ends.items() if by < 0)


def _total(reading: Reading) -> int | None:
    """Return the mine counter plus the flags in view; None if the counter was not read."""
    left = reading.mines_left
    return None if left is None else left + reading.board.count(State.FLAG, State.WRONG_FLAG)


def _only_possible_size(
    reading: Reading, cut: frozenset[Side], may_go_on: frozenset[Side]
) -> tuple[int, int] | None:
    """Return the size (rows, columns) of the whole board if exactly one usual size is possible, else None.

    Its mines must agree with counter and flags. The board continues beyond the sides ``cut``, and may
    continue beyond those in ``may_go_on``, which contains them; at most one of opposite sides may.
    """
    total, shape = _total(reading), reading.board.shape
    if total is None or any(axis <= may_go_on for axis in _AXES):
        return None
    fitting = [
        size
        for size, mines in USUAL_MINES.items()
        if mines == total
        and size != shape
        and all(
            most > seen if axis & cut else most == seen or (most > seen and axis & may_go_on)
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
