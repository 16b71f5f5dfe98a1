"""On small boards the bot wins as often as the best play: every placement of mines is played."""

from __future__ import annotations

import pytest

from all_placements import OPTIMA, WAYS, win_rate

QUICK = [board for board in OPTIMA if board[2] < 4 or board[:2] == (4, 4)]  # a few seconds in all


@pytest.mark.parametrize("board", QUICK, ids=lambda board: "{}x{}/{}".format(*board))
def test_no_play_wins_more_often_on_a_small_board(board: tuple[int, int, int]) -> None:
    rates = [win_rate(*board, rule, first) for rule, first in WAYS]
    assert rates == pytest.approx(OPTIMA[board], abs=5e-5)
