"""Doubts that the rules settle: what can stand on a cell follows from the certain cells around it."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell, State
from bot.vision.unknown.labels import Labelling
from bot.vision.unknown.logic import LABELS
from bot.vision.unknown.settle import settled

LOOKS = int(State.UNREADABLE)


def doubtful(board: Board, cell: Cell, options: dict[int, float]) -> tuple[Labelling, np.ndarray, np.ndarray]:
    """Return a labelling in which only ``cell`` is in doubt: what each option costs, in nats."""
    states = board.states.astype(np.int32)
    unit_of_cell = states.copy()
    unit_of_cell[cell] = LABELS
    labels = np.append(np.arange(LABELS), min(options, key=lambda option: options[option])).astype(np.int32)
    rises = np.full((LABELS + 1, LABELS), 9, np.float32)
    rises[np.arange(LABELS + 1), labels] = 0
    for option, cost in options.items():
        rises[LABELS, option] = cost
    units = np.arange(LABELS + 1, dtype=np.int32)
    gap = np.sort(rises, 1)[:, 1]
    labelling = Labelling(units, labels, labels, gap, rises, np.zeros_like(rises), 0.0)
    certain = np.ones(states.shape, np.bool_)
    certain[cell] = False
    return labelling, unit_of_cell, certain


WON = ["F10", "110", "000"]
TWO_MINES = ["F100", "2.10", ".210", "1100"]


@pytest.mark.parametrize(
    ("rows", "cell", "options", "shown"),
    [
        (WON, Cell(1, 1), {2: 0.0, 1: 0.5}, 1),
        (WON, Cell(0, 0), {1: 0.0, int(State.FLAG): 0.5}, int(State.FLAG)),
        (WON, Cell(2, 2), {int(State.COVERED): 0.0, 0: 0.5}, 0),
        (["....", ".11.", ".10.", "...."], Cell(2, 2), {0: 0.0, 2: 0.5}, 2),
    ],
)
def test_a_doubt_is_settled_by_the_cells_around_it(
    rows: list[str], cell: Cell, options: dict[int, float], shown: int
) -> None:
    after = settled(*doubtful(Board.from_rows(rows), cell, options))
    assert after.labels[LABELS] == shown
    assert after.gap[LABELS] > 5


def test_a_doubt_that_the_rules_leave_open_stays() -> None:
    board = Board.from_rows(["....", ".11.", ".1..", "...."])
    after = settled(*doubtful(board, Cell(1, 2), {1: 0.0, 2: 0.5}))
    assert after.labels[LABELS] == 1
    assert after.gap[LABELS] == pytest.approx(0.5)
