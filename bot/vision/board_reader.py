"""Reading pictures: the cell reader finds the boards, a skin tells the cells that show its pictures.

A board that shows no known art is read at first sight: no template, only the cell reader and the rules of the
game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import SHOWN_MINES, Board, Cell, State, cells_where
from bot.geometry import Grid, Pixels
from bot.levels import USUAL_SIZES
from bot.rules import neighbour_sum
from bot.vision.clusters import find_clusters, grounds_of
from bot.vision.distortion import inside
from bot.vision.extent import with_extent
from bot.vision.judgement import Judged, broken_numbers, judge
from bot.vision.known_art import Known, agreed, identified
from bot.vision.locate import Located, averaged, boards_in, confirm, locate, look
from bot.vision.networks import NO_CELL
from bot.vision.panel.buttons import find_buttons, read_face, with_face
from bot.vision.panel.counter import read_counter, with_counter
from bot.vision.panel.panel_numbers import read_numbers
from bot.vision.reading import Doubt, Reading, game_state, total_mines
from bot.vision.skin import Skin

StopCheck = Callable[[], None]
_NEARLY = 0.3  # of a cell: so far off may a place be that was measured on covered cells
_SAME_PLACE = 0.05  # of a cell: a board that is no further off has not moved
UNKNOWN = "unknown"

SURE = 3.0  # nats between a cell's state and the next: it is beyond doubt
_SEEN = 0.6  # of the cells must be beyond doubt: the rest may be under a window
_SEEN_AGAIN = 0.3  # of the cells of a board that was found before must be
_KNOWN = 0.9  # of the cells must show a skin: then it is a board beyond doubt
_NUMBERS = 3  # numbers beside opened cells, at least, if it is not fresh
_WITHOUT_BLANK = 20  # numbers: a game that shows more has some blank cell, all but one in forty
_BROKEN = 0.1  # of the numbers may be such that no mines explain them
_PLAINLY = 3.9  # nats for each cell, of 4, at which a fresh board is one beyond doubt
_NO_MINES = (*range(9), State.WRONG_FLAG)  # a board shows something else, too


@dataclass(frozen=True, slots=True, eq=False)
class FirstSight:
    """A board and what it shows: ``reading``.

    ``clusters`` is the cluster of every cell, int32 (rows, cols): cells of one cluster look alike. ``score``
    is how surely its cells are read, all in all.
    """

    reading: Reading
    clusters: npt.NDArray[np.int32]
    score: float


def read_picture(
    pixels: Pixels,
    skins: Sequence[Skin],
    first_sight: bool = False,
    raise_if_stopped: StopCheck = lambda: None,
) -> list[Reading]:
    """Return every board found in a BGR picture (height, width, 3), best first.

    Cells that show a picture of one of ``skins`` are told by it, the others by the cell reader and the rules
    of the game; without ``first_sight`` boards that show none of the skins are left out. Mine counters are
    looked for wherever the skin does not say where they are. ``raise_if_stopped`` is called before each step
    and may end the search by raising.
    """
    sights = [_read(pixels, board, skins, first_sight) for board in boards_in(pixels, raise_if_stopped)]
    found = [sight for sight in sights if sight is not None]
    return [sight.reading for sight in sorted(found, key=lambda sight: -sight.score)]


def read_at(pixels: Pixels, grid: Grid, skins: Sequence[Skin]) -> Reading | None:
    """Return the board near ``grid`` if it shows one of ``skins``, None if not."""
    board = confirm(pixels, grid) or locate(pixels, grid)
    sight = None if board is None else _read(pixels, board, skins, first_sight=False)
    return None if sight is None else sight.reading


def _read(pixels: Pixels, board: Located, skins: Sequence[Skin], first_sight: bool) -> FirstSight | None:
    known = identified(pixels, board.grid, board.scores.labels, skins)
    if known is None:
        sight = read_board(pixels, averaged(pixels, board)) if first_sight else None
    else:
        same = (known.grid.rows, known.grid.cols) == (board.grid.rows, board.grid.cols)
        here = replace(board, grid=known.grid) if same else look(pixels, known.grid)
        sight = read_board(pixels, here, known)
    if sight is None:
        return None
    reading = sight.reading
    if known is None or known.skin.counter is None:
        reading = with_counter(pixels, reading, None if known is None else known.skin.counter_right)
    return replace(sight, reading=with_face(pixels, with_extent(pixels, reading, known)))


def alike(one: Grid, other: Grid) -> bool:
    """Return whether two grids may be of one board: a zoomed page has other cells, but as many."""
    return (one.rows, one.cols) == (other.rows, other.cols)


def found_again(
    pixels: Pixels, grid: Grid, skin: Skin, skins: Sequence[Skin], raise_if_stopped: StopCheck
) -> Iterator[Reading]:
    """Yield what may be the board that was on ``grid`` before, likeliest first.

    That place is searched first, and the whole picture only if the board is not there. ``raise_if_stopped``
    is called before each step of the search and may end it by raising.
    """
    near = read_at(pixels, grid, (skin,))
    if near is not None and alike(near.grid, grid) and not near.cut:
        yield near
    else:
        found = read_picture(pixels, skins, raise_if_stopped=raise_if_stopped)
        yield from (one for one in found if alike(one.grid, grid) and not one.cut)


def same_place(one: Grid, other: Grid) -> bool:
    """Return whether two grids are of one board that has not moved."""
    return alike(one, other) and one.apart(other) <= _SAME_PLACE


def measured_again(pixels: Pixels, reading: Reading, raise_if_stopped: StopCheck) -> Grid | None:
    """Return the grid of a board of unknown art as its opened cells show it; None if that reads no better.

    ``pixels`` is the BGR picture of which ``reading`` was read; ``raise_if_stopped`` may end the search.
    """
    for found in read_picture(pixels, (), first_sight=True, raise_if_stopped=raise_if_stopped):
        near = alike(found.grid, reading.grid) and reading.grid.apart(found.grid) <= _NEARLY
        if near and found.grid != reading.grid and len(found.unreadable) < len(reading.unreadable):
            return found.grid
    return None


def read_unknown(
    pixels: Pixels, grid: Grid, mines_left: int | None = None, *, found: bool = False
) -> FirstSight | None:
    """Return what a BGR picture (height, width, 3) shows on ``grid``; None if that is no whole board.

    Where the cells are a little beside ``grid``, or go on beyond it, the reading's grid is the board's.
    ``mines_left`` is what the mine counter shows, if that was read; a small fresh board needs one, which is
    looked for. A board that was ``found`` before is a game, even if little is open or something lies over a
    part of it; then the result is None if most of it is hidden.
    """
    board = confirm(pixels, grid) or locate(pixels, grid) or (look(pixels, grid) if found else None)
    return None if board is None else read_board(pixels, board, None, mines_left, found=found)


def read_board(
    pixels: Pixels,
    board: Located,
    known: Known | None = None,
    mines_left: int | None = None,
    *,
    found: bool = False,
) -> FirstSight | None:
    """Return the board that was located as a reading; None if no game looks like that.

    ``known`` is what a skin tells of its cells; one that was ``found`` before is a game anyhow.
    """
    grid, clusters = board.grid, find_clusters(pixels, board.grid)
    labels = board.scores.labels
    told = None if known is None else agreed(known.cells, labels)
    judged = judge(labels, clusters, grounds_of(pixels, grid), None if told is None else told.states)
    visible = inside(pixels, grid)
    certain = (judged.gaps >= SURE) & (judged.labels != NO_CELL) & visible
    if known is not None and told is not None:  # a cell on which skin and reader disagree is not certain
        certain &= told.readable | ~known.cells.readable | (judged.labels == known.cells.states)
    if certain.mean() < (_SEEN_AGAIN if found else _SEEN):
        return None
    states = np.where(certain, judged.labels, State.UNREADABLE).astype(np.int8)
    if mines_left is None and known is not None:
        mines_left = read_counter(pixels, grid, known.skin, known.tone.gain)
    position = Board(states, total_mines(states, mines_left))
    name, doubts = UNKNOWN if known is None else known.skin.name, _doubts(judged, certain, visible)
    reading = Reading(grid, position, game_state(position), name, mines_left, doubts)
    plainly = board.evidence >= _PLAINLY * certain.size
    sure = known is not None and known.recognised >= _KNOWN * visible.sum()
    may_hold_mines = bool((~np.isin(states, _NO_MINES)).any())
    if not found and not (may_hold_mines and (sure or _is_game(pixels, reading, plainly))):
        return None
    score = float((1 - np.exp(-judged.gaps)).sum()) - int((~certain).sum())
    return FirstSight(reading, clusters, score)


def _is_game(pixels: Pixels, reading: Reading, plainly: bool) -> bool:
    """Return whether a board can only be one of Minesweeper.

    Its numbers stand beside opened cells, as in a game that is played, some of these are blank, and mines
    explain them: tables and puzzles show numbers anywhere. Where none is opened yet, there is a mine counter
    or a face, which keypads and ruled paper have not. Cells that are ``plainly`` those of Minesweeper do as
    well, on a board of a usual size or with some number or button beside it.
    """
    states = reading.board.states
    hidden = sum(doubt in (Doubt.COVERED, Doubt.OUTSIDE) for doubt in reading.doubts.values())
    if reading.board.count(State.COVERED, *SHOWN_MINES) + hidden >= states.size - _NUMBERS:
        grid = reading.grid
        if plainly and (
            states.shape in USUAL_SIZES or read_numbers(pixels, grid) or find_buttons(pixels, grid)
        ):
            return True
        return read_face(pixels, grid) is not None or with_counter(pixels, reading).mines_left is not None
    opened = (states >= 0) & (states <= 8)
    numbers = opened & (states > 0)
    beside = int((numbers & (neighbour_sum(opened) > 0)).sum())
    played = numbers.sum() <= _WITHOUT_BLANK or (states == 0).any()
    fits = played and broken_numbers(states) <= _BROKEN * numbers.sum()
    return bool(fits and beside >= max(_NUMBERS, numbers.sum() / 2))


def _doubts(
    judged: Judged, certain: npt.NDArray[np.bool_], visible: npt.NDArray[np.bool_]
) -> dict[Cell, Doubt]:
    """Return why each cell that is not certain is not."""
    hidden = judged.labels == NO_CELL
    together = cv2.morphologyEx(hidden.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
    doubts = dict[Cell, Doubt]()
    for cell in cells_where(~certain):
        doubts[cell] = Doubt.STRANGE if hidden[cell] else Doubt.AMBIGUOUS
        if not visible[cell]:
            doubts[cell] = Doubt.OUTSIDE
        elif together[cell]:  # a window hides cells that lie together
            doubts[cell] = Doubt.COVERED
    return doubts
