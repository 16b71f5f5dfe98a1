"""The compiled kernel on frontiers that are large, or too wide to be counted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, State
from bot.solver.engine import Engine

Mines = npt.NDArray[np.bool_]


def scattered(side: int, mines: int, share: float, seed: int) -> tuple[Board, Mines]:
    """Return a square board on which cells here and there are open, and where its mines are."""
    order = np.random.default_rng(seed).permutation(side * side)
    mined = np.zeros(side * side, np.bool_)
    mined[order[:mines]] = True
    around = np.pad(mined.reshape(side, side), 1).astype(np.int8)
    numbers = sum(around[r : r + side, c : c + side] for r in range(3) for c in range(3) if (r, c) != (1, 1))
    states = np.full(side * side, State.COVERED, np.int8)
    opened = order[mines:][: int(share * (side * side - mines))]
    states[opened] = np.asarray(numbers).ravel()[opened]
    return Board(states.reshape(side, side), mines), mined.reshape(side, side)


@pytest.mark.parametrize(("share", "exact"), [(0.05, True), (0.3, False), (0.5, False)])
def test_what_is_proven_on_a_large_board_is_true(share: float, exact: bool) -> None:
    board, mined = scattered(100, 2000, share, 3)
    engine = Engine(*board.shape)
    risks = engine.risks(board)
    unknown = board.states == State.COVERED
    assert engine.exact is exact
    assert np.array_equal(np.isnan(risks), ~unknown)
    assert not mined[risks == 0].any()
    assert mined[risks == 1].all()
    assert ((risks[unknown] >= 0) & (risks[unknown] <= 1)).all()
    for low, high in ((0.1, 0.3), (0.3, 0.6)):  # estimates are right in the mean
        near = (risks >= low) & (risks < high)
        assert mined[near].mean() == pytest.approx(risks[near].mean(), abs=0.07)


def test_many_frontiers_side_by_side_are_as_risky_as_one() -> None:
    one, mines, copies = Board.from_rows(["1...", "....", "...2", "...."], None), 3, 100
    whole = np.tile(np.pad(one.states, 2, constant_values=State.COVERED), (10, copies // 10))
    assert whole.size == 64 * copies
    engine = Engine(*whole.shape)
    risks = engine.risks(Board(whole, 10 * copies + mines))
    assert engine.exact
    blocks = risks.reshape(10, 8, 10, 8).transpose(0, 2, 1, 3).reshape(copies, 8, 8)
    assert np.ptp(blocks, axis=0)[blocks[0] == blocks[0]].max() < 1e-9
    assert np.nansum(risks) == pytest.approx(10 * copies + mines, abs=1e-6)
