"""What can have changed between two looks at one game: what was clicked, what that opened, and its end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, State, cells_where
from bot.rules import near
from bot.vision.reading import Doubt, Reading

_END = frozenset({State.MINE, State.EXPLODED, State.WRONG_FLAG})
_STAYS = np.array([state <= 8 or state in _END for state in range(16)])  # by state: whether it never changes
_HIDDEN = frozenset({Doubt.COVERED, Doubt.POINTER})
_UNREADABLE = int(State.UNREADABLE)  # numpy compares with plain numbers many times faster


def check_change(before: Board, after: Board, clicked: Collection[Cell] | None) -> list[str]:
    """Return in words what cannot have happened between two boards of one game; [] if nothing.

    ``clicked`` are the cells that were clicked on since, or at any time before; None if anybody may have
    clicked anywhere. Cells that could not be read may be anything.
    """
    if before.shape != after.shape:
        return [f"the board has become {after.rows} x {after.cols} from {before.rows} x {before.cols}"]
    changes = list(_cell_changes(before, after, clicked))
    if None in (before.mines, after.mines) or before.mines == after.mines or _over(after):
        return changes
    misread = (
        f"the mine counter and the flags give {after.mines} mines where they gave {before.mines}: "
        "a flag or the counter was misread"
    )
    return [misread, *changes]


def _cell_changes(before: Board, after: Board, clicked: Collection[Cell] | None) -> Iterator[str]:
    was, now = before.states, after.states
    changed = (was != now) & (was != _UNREADABLE) & (now != _UNREADABLE)
    wrong = changed & _STAYS[was]
    if clicked is not None and not _over(after):
        unclicked = [cell for cell in cells_where(changed) if cell not in clicked]
        if unclicked:  # else no opening has to be followed
            wrong |= changed & ~_reach(before, after, clicked)
    for cell in cells_where(wrong):
        where = f"at row {cell.row}, column {cell.col}"
        if before[cell] <= 8:
            yield f"the number {where} has changed"
        elif before[cell] in _END:
            yield f"the mine {where} has gone"
        elif after[cell] <= 8:
            yield f"the cell {where} has opened without a click"
        else:
            yield f"the mark {where} has changed without a click"


def _over(board: Board) -> bool:
    """Return whether the game has come to an end, after which it may open and mark what it likes."""
    return board.count(*_END) > 0 or board.count(State.COVERED, State.QUESTION, State.UNREADABLE) == 0


def _reach(before: Board, after: Board, clicked: Collection[Cell]) -> npt.NDArray[np.bool_]:
    """Return the cells, bool (rows, cols), that clicks can have changed: those, and openings from there on.

    A click on a number is a chord and opens around it. A cell that cannot be read may be a zero.
    """
    touched, cols = np.zeros(after.shape, np.bool_), after.cols
    touched.reshape(-1)[[row * cols + col for row, col in clicked]] = True
    zeros = (after.states == 0) | (after.states == _UNREADABLE)
    opening = near(touched & (zeros | (before.states <= 8)))
    count, patches = cv2.connectedComponents(zeros.view(np.uint8), connectivity=8)
    spreads = np.zeros(count, np.bool_)  # by patch of zeros; patch 0 is all other cells
    spreads[patches[opening & zeros]] = True
    return touched | opening | near(spreads[patches])


def with_memory(reading: Reading, before: Board, clicked: Collection[Cell] | None) -> Reading:
    """Return the reading with cells that something hides filled in from the last look, and names them.

    Only where nothing can have changed: a number never does; any other cell does not, unless it or a cell
    that hides beside it was clicked, or an opening has come up to it.
    """
    hidden = [cell for cell in reading.unreadable if reading.doubts.get(cell) in _HIDDEN]
    if not hidden or before.shape != reading.board.shape:
        return reading
    still = (
        set() if clicked is None or _over(reading.board) else _still(reading.board, before, clicked, hidden)
    )
    known = {cell: before[cell] for cell in hidden if before[cell] <= 8 or cell in still}
    doubts = {cell: doubt for cell, doubt in reading.doubts.items() if cell not in known}
    board = reading.board.replace(known)
    return replace(reading, board=board, doubts=doubts, remembered=reading.remembered | known.keys())


def _still(after: Board, before: Board, clicked: Collection[Cell], hidden: Collection[Cell]) -> set[Cell]:
    """Return the hidden cells in whose patch nothing was clicked and beside which no zero has opened."""
    mask, active = np.zeros(before.shape, np.uint8), (after.states == 0) & (before.states != 0)
    for cell in hidden:
        mask[cell] = 1
    for cell in clicked:
        active[cell] = True
    _, patches = cv2.connectedComponents(mask, connectivity=8)
    touched = set(np.unique(patches[near(active)]))
    return {cell for cell in hidden if patches[cell] not in touched and before[cell] != State.UNREADABLE}
