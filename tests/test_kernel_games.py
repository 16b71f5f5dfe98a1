"""Whole games inside the kernel: what it proves, against where the mines are."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell, FirstClick
from bot.game.boards import mines_of_games
from bot.solver.engine import Engine
from bot.solver.kernel.play import WON, WRONG, advance, begin_game, play_many
from bot.solver.policies import POLICIES

FAST = np.array(POLICIES["fast"], np.float64)


@pytest.mark.parametrize(("rows", "cols", "mines"), [(16, 30, 99), (9, 9, 10), (5, 40, 50), (1, 9, 3)])
def test_no_proof_is_wrong(rows: int, cols: int, mines: int) -> None:
    games, engine = 1000, Engine(rows, cols)
    seeds = range(10_000_000, 10_000_000 + games)
    boards = mines_of_games(rows, cols, mines, seeds, Cell(0, 0), FirstClick.SAFE)
    won, guesses = np.full(games, 9, np.int8), np.zeros(games, np.int32)
    spare = np.zeros(rows * cols, np.int8)
    play_many(engine.mind, engine.position, FAST, boards.ravel(), mines, 0, False, won, guesses, spare)
    assert set(won.tolist()) == {0, 1}


def test_a_proof_that_is_wrong_is_told() -> None:
    """The numbers of another board are shown, so that what they prove is wrong for this one."""
    engine = Engine(1, 5)
    board, numbers = np.array([0, 0, 1, 0, 0], np.int8), np.zeros(5, np.int8)
    begin_game(engine.mind, engine.position, board, numbers, 1)
    assert numbers.tolist() == [0, 1, -1, 1, 0]
    assert advance(engine.mind, engine.position, FAST, numbers, 0, 0, False) == WON
    for lie in ([0, 0, -1, 1, 0], [1, 0, -1, 1, 0], [2, 1, -1, 1, 0]):
        begin_game(engine.mind, engine.position, board, numbers, 1)
        numbers[:] = lie
        assert advance(engine.mind, engine.position, FAST, numbers, 0, 0, False) == WRONG
