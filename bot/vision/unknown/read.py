"""Reading a board whose art is not known: no template, only the cell reader and the rules of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, State
from bot.geometry import Grid, Pixels, Rect
from bot.vision.known import Known, agreed
from bot.vision.panel import game_state, read_counter, total_mines, with_counter
from bot.vision.reading import Doubt, Panel, Reading, doubts_of
from bot.vision.stretch import cells_of, inside
from bot.vision.unknown.clusters import find_clusters
from bot.vision.unknown.evidence import Judged, cost_of_rules, judge
from bot.vision.unknown.locate import Located, boards_in, confirm, locate, measured
from bot.vision.unknown.reader import NO_CELL, SIDE, cut_cells

UNKNOWN = "unknown"

SURE = 3.0  # nats between a cell's state and the next: it is beyond doubt
_SEEN = 0.6  # of the cells must be beyond doubt: the rest may be under a window
_KNOWN = 0.9  # of the cells must show a skin: then it is a board beyond doubt
_SCATTERED = 0.1  # of the cells may be in doubt one by one
_ORDER, _SHUFFLES = 0.3, 8  # rules are broken so much less than by the same cells in another order
_NUMBERS = 3  # opened cells with numbers, at least, if it is not fresh
_FRESH_SIDE = 8  # rows and columns of a fresh board that is no keypad
_PLAIN = 2.0  # grey levels, standard deviation within a cell
_PLAINLY = 3.9  # nats for each cell, of 4, at which a smaller one is none either
_UNOPENED = (State.COVERED, State.FLAG, State.QUESTION, State.UNREADABLE)
_MAY_BE_MINES = (*_UNOPENED, State.MINE, State.EXPLODED)  # a board shows some


@dataclass(frozen=True, slots=True, eq=False)
class FirstSight:
    """A board whose art was never seen before.

    ``reading`` is what it shows, its skin is named "unknown"; ``clusters`` is the cluster of every cell,
    int32 (rows, cols): cells of one cluster look alike; ``certain`` says which cells are beyond doubt, bool
    (rows, cols), the others are unreadable; ``score`` is how many cells are certain, less what speaks against
    the board.
    """

    reading: Reading
    clusters: npt.NDArray[np.int32]
    certain: npt.NDArray[np.bool_]
    score: float


def find_unknown(pixels: Pixels, known: Sequence[Rect] = ()) -> list[FirstSight]:
    """Return the boards of a BGR picture (height, width, 3) that can be read without any skin, best first.

    Places in ``known`` are left out.
    """
    boards = (measured(pixels, board) for board in boards_in(pixels, known))
    sights = [sight for board in boards if (sight := read_board(pixels, board)) is not None]
    return sorted(sights, key=lambda sight: -sight.score)


def read_unknown(pixels: Pixels, grid: Grid, mines_left: int | None = None) -> FirstSight | None:
    """Return what a BGR picture (height, width, 3) shows on ``grid``; None if that is no whole board.

    Where the cells are a little beside ``grid``, or go on beyond it, the reading's grid is the board's.
    ``mines_left`` is what the mine counter shows, if that was read; a small fresh board needs one, which is
    looked for.
    """
    board = confirm(pixels, grid) or locate(pixels, grid)
    return None if board is None else read_board(pixels, board, None, mines_left)


def read_board(
    pixels: Pixels, board: Located, known: Known | None = None, mines_left: int | None = None
) -> FirstSight | None:
    """Return the board that was located as a reading; None if no game looks like that.

    ``known`` is what a skin tells of its cells.
    """
    grid, clusters = board.grid, find_clusters(pixels, board.grid)
    labels = board.scores.labels
    judged = judge(labels, clusters, None if known is None else agreed(known.cells, labels).states)
    visible = inside(pixels, grid)
    certain = (judged.gaps >= SURE) & (judged.labels != NO_CELL) & visible
    scattered = ~certain & visible & ~_blocks(judged.labels == NO_CELL)
    sure = known is not None and known.told >= _KNOWN * visible.sum()
    if certain.mean() < _SEEN or not (sure or (scattered.mean() <= _SCATTERED and _orderly(judged))):
        return None
    reading = _reading(pixels, board, known, judged, certain, visible, mines_left)
    if not np.isin(reading.board.states, _MAY_BE_MINES).any():
        return None
    if _is_fresh(reading.board) and _is_plain(pixels, grid):
        return None
    if known is None and not _is_game(reading.board, board.evidence / certain.size):
        reading = with_counter(pixels, reading) if mines_left is None else reading
        if reading.panel.mines_left is None or not _is_fresh(reading.board):
            return None
    score = float(certain.sum()) - 2 * float((~certain).sum()) - judged.cost
    return FirstSight(reading, clusters, certain, score)


def _reading(
    pixels: Pixels,
    board: Located,
    known: Known | None,
    judged: Judged,
    certain: npt.NDArray[np.bool_],
    visible: npt.NDArray[np.bool_],
    mines_left: int | None,
) -> Reading:
    grid = board.grid
    states = np.where(certain, judged.labels, State.UNREADABLE).astype(np.int8)
    confidence = np.asarray(1 - np.exp(-judged.gaps), dtype=np.float32)
    name, scale = (UNKNOWN, 1.0) if known is None else (known.skin.name, known.scale)
    if mines_left is None and known is not None:
        mines_left = read_counter(pixels, grid, known.skin, known.tone.gain)
    position = Board(states, total_mines(states, mines_left))
    doubts = doubts_of(_reasons(judged, certain, visible))
    return Reading(grid, position, Panel(mines_left), game_state(position), name, scale, confidence, doubts)


def _blocks(hidden: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the hidden cells that lie together, as below a window, not here and there."""
    return np.asarray(
        cv2.morphologyEx(hidden.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
    )


def _orderly(judged: Judged) -> bool:
    """Return whether the rules hold much better than if the same cells stood in any other order."""
    rng, labels = np.random.default_rng(0), judged.labels
    seen = labels != NO_CELL
    shuffled = []
    for _ in range(_SHUFFLES):
        other = labels.copy()
        other[seen] = rng.permutation(labels[seen])
        shuffled.append(cost_of_rules(other))
    return judged.cost <= _ORDER * float(np.mean(shuffled))


def _is_game(board: Board, evidence: float) -> bool:
    """Return whether a board shows numbers beside what they count, or is fresh and cannot be a keypad.

    ``evidence`` is how much more likely its cells are cells than none, in nats, on average.
    """
    numbers = int(((board.states >= 1) & (board.states <= 8)).sum())
    if numbers >= _NUMBERS:
        return True
    return _is_fresh(board) and (min(board.shape) >= _FRESH_SIDE or evidence >= _PLAINLY)


def _is_plain(pixels: Pixels, grid: Grid) -> bool:
    """Return whether most cells are of one colour: a wall is no board."""
    cells = cells_of(cut_cells(pixels, grid)[..., :3], SIDE).astype(np.float32)
    return bool(np.median(cells.std((2, 3)).max(-1)) < _PLAIN)


def _is_fresh(board: Board) -> bool:
    """Return whether nearly all cells are covered: a number or two may be opened."""
    return bool(np.isin(board.states, _UNOPENED).sum() >= board.states.size - _NUMBERS)


def _reasons(
    judged: Judged, readable: npt.NDArray[np.bool_], visible: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int8]:
    """Return why each cell is not certain, as a `Doubt`, 0 where it is, int8 (rows, cols)."""
    hidden = judged.labels == NO_CELL
    cases = [
        (readable, 0),
        (~visible, Doubt.OUTSIDE),
        (_blocks(hidden), Doubt.COVERED),
        (hidden, Doubt.STRANGE),
    ]
    codes = np.select([case for case, _ in cases], [int(doubt) for _, doubt in cases], int(Doubt.AMBIGUOUS))
    return codes.astype(np.int8)
