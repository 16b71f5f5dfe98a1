"""The bench of first clicks: its figures against the known optimum, and what it plays on the levels."""

from __future__ import annotations

import pytest

from all_placements import OPTIMA
from bench.bench_first_clicks import played, searched, small_boards
from bot.board import FirstClick
from bot.levels import BEGINNER


@pytest.mark.parametrize("board", [(4, 4, 3), (4, 4, 4), (4, 4, 5)])
def test_the_best_first_cell_wins_as_often_as_the_best_play_can(board: tuple[int, int, int]) -> None:
    rows = {row.rule: row for row in searched(board)}
    _, own_cell, opening_corner, _ = OPTIMA[board]
    assert rows["safe"].wins == pytest.approx(own_cell, abs=5e-5)
    assert rows["opening"].wins >= opening_corner - 5e-5


def test_boards_of_which_all_games_can_be_searched() -> None:
    boards = set(small_boards())
    assert {(4, 6, 6), (4, 5, 10), (5, 5, 5), (2, 12, 6)} <= boards
    assert not {(4, 6, 7), (5, 5, 7), (2, 13, 2)} & boards


def test_a_level_is_begun_as_usual_if_no_cell_is_clearly_better() -> None:
    row = played(BEGINNER, FirstClick.SAFE, 400)
    assert (row.rows, row.cols, row.mines, row.rule) == (9, 9, 10, "safe")
    assert 80 < row.wins < 99
