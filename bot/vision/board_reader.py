"""Read pictures: the cell reader (a network) finds the boards, a skin identifies the cells that match it.

A board that matches no skin is read *at first sight*: without templates, by the cell reader and the rules of
Minesweeper alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bot.board import COVERED, OPENED, SHOWN_MINES, Board, Cell, State, cells_where
from bot.counting_rules import neighbour_sum
from bot.errors import NotInTimeError
from bot.geometry import Grid, Pixels
from bot.levels import USUAL_SIZES
from bot.stop import NEVER, Stop
from bot.vision.clusters import find_clusters, grounds_of, other_signs
from bot.vision.distortion import Bools, Floats, Ints, inside
from bot.vision.judgement import SURE, Judged, broken_numbers, judge
from bot.vision.known_art import KnownBoard, identified
from bot.vision.locate import Located, averaged, boards_in, confirm, locate, look, plain
from bot.vision.networks import NO_CELL, limited
from bot.vision.panel.buttons import read_face
from bot.vision.panel.counter import with_counter
from bot.vision.panel.surroundings import DIFFERENT
from bot.vision.reading import Doubt, Reading, total_mines
from bot.vision.sides import hidden_lines, settled, with_hidden_lines
from bot.vision.skin import Skin

_NEARLY = 0.3  # of a cell: largest error of a grid that was measured on covered cells
_SAME_PLACE = 0.05  # of a cell: a board that has moved by less counts as unmoved
UNKNOWN = "unknown"

_SEEN = 0.6  # of the cells must be certain: the rest may be under a window
_SEEN_AGAIN = 0.3  # of the cells must be certain on a board that was found before
_KNOWN = 0.9  # of the visible cells match a skin: then it is certainly a board
_NUMBERS = 3  # fewest numbers beside opened cells on a board that is not fresh
_WITHOUT_BLANK = 20  # numbers: of forty games with more than this, only one has no blank cell
_PATCHES = 3  # of opened cells at most on a board without a blank cell: digits of puzzles are in more places
_UNLIKE = 1  # covered cell of another colour than all around it: the one below the pointer
_BROKEN = 0.1  # of the numbers may contradict each other
# Nats of the median cell from which on a fresh board needs nothing beside it; if it is a square, or its sides
# are round numbers, as programs choose them but chance seldom does; and if its size is a usual one.
_PLAINLY, _ROUND_PLAINLY, _USUAL_PLAINLY = 5.5, 4.0, 3.0
_ROUND, _LEAST_SIDE = 5, 10  # cells: sides that are multiples of this are round numbers, from this length on
_NO_MINES = (*OPENED, State.WRONG_FLAG)  # every board also has cells in some other state


@dataclass(frozen=True, slots=True, eq=False)
class FirstSight:
    """The reading of one board, with the clusters of its cells and a score.

    ``clusters`` is the cluster of every cell, int32 (rows, cols): cells of one cluster look alike. ``score``
    grows with the number of its cells that are certain.
    """

    reading: Reading
    clusters: Ints
    score: float


def read_picture(
    pixels: Pixels,
    skins: Sequence[Skin],
    first_sight: bool = False,
    stop: Stop = NEVER,
    *,
    every: bool = False,
) -> list[Reading]:
    """Return the boards found in a BGR picture (height, width, 3), best first.

    The search ends at the first board that is beyond doubt and wholly visible, unless ``every`` board is
    wanted. Cells that match one of ``skins`` are read by it, the others by the cell reader and the rules of
    the game. Boards that match no skin are left out unless ``first_sight`` is true. ``stop`` is asked before
    each step. Raises NotInTimeError if the search was ended before it found a board.
    """
    found, last = list[FirstSight](), ""
    with limited() as renew:
        try:
            for board in boards_in(pixels, stop):
                likely = sorted(skins, key=lambda skin: skin.name != last)  # often several of one game
                sight = _read(pixels, board, likely, first_sight)
                if sight is None:
                    continue
                renew()
                found.append(sight)
                last = sight.reading.skin
                if not every and plain(board) and not sight.reading.cut:
                    break
        except NotInTimeError:
            if not found:
                raise
    return [sight.reading for sight in sorted(found, key=lambda sight: -sight.score)]


def read_at(pixels: Pixels, grid: Grid, skins: Sequence[Skin]) -> Reading | None:
    """Return the reading of the board near ``grid``; None if no board there matches one of ``skins``."""
    board = confirm(pixels, grid) or locate(pixels, grid)
    sight = None if board is None else _read(pixels, board, skins, first_sight=False)
    return None if sight is None else sight.reading


def _read(pixels: Pixels, board: Located, skins: Sequence[Skin], first_sight: bool) -> FirstSight | None:
    board, odds = settled(pixels, board)
    known = identified(pixels, board.grid, board.scores.labels, skins)
    if known is None and not first_sight:
        return None
    board = averaged(pixels, board) if known is None else replace(board, grid=known.grid)
    sight = read_board(pixels, board, known, hidden=hidden_lines(odds))
    if sight is None:
        return None
    reading, skin = sight.reading, None if known is None else known.skin
    reading = with_hidden_lines(pixels, with_counter(pixels, reading, skin), odds, skin)
    return replace(sight, reading=replace(reading, face=read_face(pixels, reading.grid)))


def same_size(one: Grid, other: Grid) -> bool:
    """Return whether two grids may be of one board: zooming a page does not change the number of cells."""
    return (one.rows, one.cols) == (other.rows, other.cols)


def found_again(
    pixels: Pixels, grid: Grid, skin: Skin, skins: Sequence[Skin], stop: Stop = NEVER
) -> Reading | None:
    """Return the likeliest board that may be the one that was on ``grid`` before; None if there is none.

    That place is searched first, and the whole picture only if the board is not there. ``stop`` is asked
    before each step of the search.
    """
    near = read_at(pixels, grid, (skin,))
    if near is not None and same_size(near.grid, grid) and not near.cut:
        return near
    with suppress(NotInTimeError):
        found = read_picture(pixels, skins, stop=stop, every=True)
        return next((one for one in found if same_size(one.grid, grid) and not one.cut), None)
    return None


def same_place(one: Grid, other: Grid) -> bool:
    """Return whether two grids are of one board that has not moved."""
    return same_size(one, other) and one.largest_edge_distance(other) <= _SAME_PLACE


def measured_again(pixels: Pixels, reading: Reading, stop: Stop = NEVER) -> Grid | None:
    """Return a better grid for a board of unknown art, now that it has opened cells; None if there is none.

    A better grid leaves fewer unreadable cells than ``reading``, which was read from the BGR picture
    ``pixels``. ``stop`` is asked before each step of the search.
    """
    with suppress(NotInTimeError):
        for found in read_picture(pixels, (), first_sight=True, stop=stop, every=True):
            off = reading.grid.largest_edge_distance(found.grid)
            near = same_size(found.grid, reading.grid) and 0 < off <= _NEARLY
            if near and len(found.unreadable) < len(reading.unreadable):
                return found.grid
    return None


def read_unknown(
    pixels: Pixels, grid: Grid, mines_left: int | None = None, *, found: bool = False
) -> FirstSight | None:
    """Return the board on ``grid`` in a BGR picture (height, width, 3), read without skins; None if none is.

    If the cells are slightly beside ``grid`` or continue beyond it, the reading has the corrected grid.
    ``mines_left`` is the value of the mine counter, None if it was not read. A board ``found`` before is
    accepted even if little is open or a part is hidden; the result is None if most cells are uncertain.
    """
    board = confirm(pixels, grid) or locate(pixels, grid) or (look(pixels, grid) if found else None)
    return None if board is None else read_board(pixels, board, None, mines_left, found=found)


def read_board(
    pixels: Pixels,
    board: Located,
    known: KnownBoard | None = None,
    mines_left: int | None = None,
    *,
    found: bool = False,
    hidden: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> FirstSight | None:
    """Read a located board; return None if too few cells are certain or if it is not a Minesweeper board.

    ``known`` is the board as a skin identified it. A board that was ``found`` before needs no other proof.
    ``hidden`` is how many rows or columns beyond the top, left, bottom and right cannot be seen, but belong
    to the board: numbers beside them may have mines there. The reading has them, too.
    """
    top, left, bottom, right = hidden
    grid = board.grid.part(-top, -left, board.grid.rows + bottom, board.grid.cols + right)
    scores, around = board.scores.grown(*hidden), ((top, bottom), (left, right), (0, 0))
    clusters, grounds = find_clusters(pixels, grid), grounds_of(pixels, grid)
    told = None if known is None else np.pad(known.evidence, around)
    judged = judge(scores.labels, clusters, grounds, told)
    visible = inside(pixels, grid)
    certain = (judged.gaps >= SURE) & (judged.labels != NO_CELL) & visible
    if certain.mean() < (_SEEN_AGAIN if found else _SEEN):
        return None
    certain &= ~other_signs(pixels, grid, clusters, judged.labels, judged.gaps)
    states = np.where(certain, judged.labels, State.UNREADABLE).astype(np.int8)
    position = Board(states, total_mines(states, mines_left))
    rows, cols = states.shape
    within = np.zeros(states.shape, np.bool_)
    within[top : rows - bottom, left : cols - right] = True
    name, doubts = UNKNOWN if known is None else known.skin.name, _doubts(judged, certain, visible, within)
    reading = Reading(grid, position, name, mines_left, doubts)
    evidence = float(np.median(scores.cells[certain]))
    size = rows - top - bottom, cols - left - right
    sure = known is not None and known.recognised >= _KNOWN * visible.sum()
    may_hold_mines = bool((~np.isin(states, _NO_MINES)).any())
    if not found and not (may_hold_mines and (sure or _is_game(pixels, reading, grounds, evidence, size))):
        return None
    score = float((1 - np.exp(-judged.gaps)).sum()) - int((~certain).sum())
    return FirstSight(reading, clusters, score)


def _is_game(
    pixels: Pixels, reading: Reading, grounds: Floats, evidence: float, size: tuple[int, int]
) -> bool:
    """Return whether a board is certainly one of Minesweeper; ``grounds`` are the colours of its cells.

    In a running game numbers are beside opened cells, some of them blank, and mines explain the numbers;
    tables and puzzles have numbers anywhere. A board with hardly an opened cell needs cells that look plainly
    like those of Minesweeper: ``evidence`` is that of the median cell, in nats. Or it needs a mine counter or
    a face, which keypads and ruled paper do not have, and no covered cells of several colours, as in charts.
    Flags and mines make up for as many unreadable cells: words may lie over a game that has just been lost.
    """
    states = reading.board.states
    opened = (states >= 0) & (states < COVERED)
    strange = sum(doubt not in (Doubt.HIDDEN, Doubt.OUTSIDE) for doubt in reading.doubts.values())
    marks = reading.board.count(State.FLAG, State.QUESTION, State.WRONG_FLAG, *SHOWN_MINES)
    if opened.sum() + max(0, strange - marks) <= _NUMBERS:
        if evidence >= _least_evidence(size):
            return True
        if (_unlike_neighbours(grounds) & (states == COVERED)).sum() > _UNLIKE:
            return False
        face = read_face(pixels, reading.grid)
        return face is not None or with_counter(pixels, reading).mines_left is not None
    numbers = opened & (states > 0)
    beside = int((numbers & (neighbour_sum(opened) > 0)).sum())
    patches = cv2.connectedComponents(opened.view(np.uint8), connectivity=8)[0] - 1
    few = numbers.sum() <= _WITHOUT_BLANK and patches <= _PATCHES
    played = few or (states == 0).any()
    whole = np.pad(states, 1, constant_values=State.UNREADABLE)  # the board may go on beyond its sides
    fits = played and broken_numbers(whole) <= _BROKEN * numbers.sum()
    return bool(fits and beside >= max(_NUMBERS, numbers.sum() / 2))


def _least_evidence(size: tuple[int, int]) -> float:
    """Return the nats of the median cell that a fresh board of ``size`` cells needs."""
    rows, cols = size
    if size in USUAL_SIZES:
        return _USUAL_PLAINLY
    chosen = rows == cols or (rows % _ROUND == 0 and cols % _ROUND == 0)
    return _ROUND_PLAINLY if chosen and min(size) >= _LEAST_SIDE else _PLAINLY


def _unlike_neighbours(grounds: Floats) -> Bools:
    """Return which cells differ in colour, (rows, cols, 3), from each of the eight around them."""
    padded = np.pad(grounds, ((1, 1), (1, 1), (0, 0)), constant_values=np.inf)
    around = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (0, 1))
    apart = np.abs(around - grounds[..., None, None]).max(2)
    apart[..., 1, 1] = np.inf  # the cell itself
    return np.asarray((apart >= DIFFERENT).all((2, 3)))


def _doubts(judged: Judged, certain: Bools, visible: Bools, within: Bools) -> dict[Cell, Doubt]:
    """Return the reason for doubt for each cell that is not ``certain``; those not ``within`` are hidden."""
    hidden = judged.labels == NO_CELL
    together = cv2.morphologyEx(hidden.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
    doubts = dict[Cell, Doubt]()
    for cell in cells_where(~certain):
        doubts[cell] = Doubt.UNRECOGNISED if hidden[cell] else Doubt.AMBIGUOUS
        if not visible[cell]:
            doubts[cell] = Doubt.OUTSIDE
        elif together[cell] or not within[cell]:  # a window hides cells that lie together
            doubts[cell] = Doubt.HIDDEN
    return doubts
