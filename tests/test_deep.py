"""Thinking about a guess: solutions drawn at random, and contests of cells that are played out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from bot.board import Board
from bot.errors import StoppedError
from bot.solver import STRATEGIES, decide
from bot.solver.analysis import analyse
from bot.solver.decision import Judgement
from bot.solver.deep import think
from bot.solver.guess import POLICIES, Policy
from bot.solver.kernel.contest import play_round
from bot.solver.kernel.solutions import draw
from bot.stop import Stop
from kernel_checks import guesses
from oracle import best_wins, solve
from test_kernel import unproven

EVERY_CELL = Policy(endgame=0, near=1e-6, outside=99, best_share=0.8, price=1e-15)


def test_every_solution_is_drawn_as_often_as_any_other() -> None:
    seed, tried = np.array([1], np.int64), 0
    for board, analysis, _ in unproven(120, 17, 4, 4):
        solutions = solve(board)
        cells = [cell.row * board.cols + cell.col for cell in solutions.cells]
        expected = {bytes(row.astype(np.int8)) for row in solutions.placements}
        if not 2 <= len(expected) <= 40:
            continue
        tried += 1
        mined, each = np.zeros(board.states.size, np.int8), 100
        drawn: Counter[bytes] = Counter()
        for _ in range(each * len(expected)):
            draw(analysis.position, analysis.workspace.buffers, mined, seed)
            drawn[bytes(mined[cells])] += 1
        assert set(drawn) == expected, board
        assert max(abs(often - each) for often in drawn.values()) < 6 * each**0.5, board
    assert tried >= 20


def test_a_contest_finds_the_best_guess_of_small_positions() -> None:
    tried = 0
    for board, analysis, _ in unproven(120, 19, 4, 4):
        if len(solve(board).placements) > 60:
            continue
        thought = think(analysis, EVERY_CELL)
        if thought is None:
            continue
        tried += 1
        solutions, wins = best_wins(board)
        # after the first guess the endgame is exact, so that only the draws leave any doubt
        assert thought.chances[thought.cell] == pytest.approx(wins / solutions, abs=0.12), board
    assert tried >= 10


def test_the_same_position_has_the_same_result() -> None:
    tried = 0
    for _, analysis, _ in unproven(200, 23, 4, 4):
        one, other = (think(analysis, EVERY_CELL) for _ in range(2))
        assert one == other
        tried += one is not None
    assert tried >= 3


def test_a_higher_price_buys_fewer_play_outs(monkeypatch: pytest.MonkeyPatch) -> None:
    played = list[int]()

    def counted(*arguments: Any) -> Any:
        goes_on = play_round(*arguments)
        played.append(arguments[1].played)
        return goes_on

    monkeypatch.setattr("bot.solver.deep.play_round", counted)
    most = list[int]()
    for price in (1e-15, 1e-9, 1.0):
        played.clear()
        for board in guesses(6):
            think(analyse(board), POLICIES["deep"]._replace(price=price))
        most.append(max(played, default=0))
    assert most[0] > most[1] >= most[2] == 0


def test_there_is_nothing_to_think_about_where_the_total_is_unknown_or_the_user_stops() -> None:
    def stopped() -> None:
        raise StoppedError("stopped")

    tried = 0
    for board, analysis, _ in unproven(60, 31, 4, 4):
        if think(analysis, EVERY_CELL) is None:
            continue
        tried += 1
        assert decide(board, strategy=STRATEGIES["deep"]).judgement is Judgement.ENDGAME
        assert think(analyse(Board(board.states)), EVERY_CELL) is None
        assert think(analysis, EVERY_CELL, stop=Stop(stopped)) is None
    assert tried >= 3


def test_only_cells_that_may_be_chosen_are_compared() -> None:
    tried = 0
    for _, analysis, _ in unproven(60, 31, 4, 4):
        free = think(analysis, EVERY_CELL)
        if free is not None and len(free.chances) > 2:
            others = frozenset(free.chances) - {free.cell}
            thought = think(analysis, EVERY_CELL, others)
            assert thought is not None
            assert thought.chances.keys() <= others
            tried += 1
    assert tried >= 3
