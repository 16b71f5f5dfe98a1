"""Searching the tree of moves: long lists of solutions, and late positions over the safest cells only."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

import numpy as np

from bot.board import Board, Cell
from bot.solver.engine import Engine
from bot.solver.guess import Policy
from bot.solver.kernel.endgame import best_of_few, best_of_some
from oracle import best_wins
from test_kernel import positions


def guesses(
    count: int, seed: int, rows: int, cols: int, least: int, most: int
) -> Iterator[tuple[Board, Engine, int]]:
    """Yield positions without a safe cell that have from ``least`` to ``most`` solutions, and how many."""
    for board in positions(count, seed, rows, cols):
        engine = Engine(*board.shape)
        risks = engine.risks(board)
        if np.isnan(risks).all() or np.nanmin(risks) == 0.0:
            continue
        solutions = round(exp(engine.log_solutions))
        if least <= solutions <= most:
            yield board, engine, solutions


def found(engine: Engine) -> tuple[int, int]:
    """Return what the search opens, and in how many solutions it wins."""
    workspace = engine.workspace
    cell = best_of_some(workspace.topology, engine.position, workspace.buffers, workspace.endgame)
    return cell, workspace.endgame.found


def test_a_search_is_exact_where_it_tries_all_cells_and_never_finds_more() -> None:
    exact, reached, best = 0, 0, 0
    for board, engine, solutions in guesses(160, 11, 5, 5, 2, 60):
        _, wins = found(engine)
        possible = best_wins(board)[1]
        assert wins <= possible, board
        if solutions <= 16:
            assert wins == possible, board
            exact += 1
        reached, best = reached + wins, best + possible
    assert exact >= 10
    assert reached >= 0.97 * best


def test_a_search_of_many_solutions_finds_nearly_the_best() -> None:
    tried = reached = best = 0
    for board, engine, _ in guesses(250, 17, 6, 6, 257, 800):
        cell, wins = found(engine)
        assert engine.guess(Policy(endgame=256, near=0.85, outside=2, search=1000)) == Cell(
            *divmod(cell, board.cols)
        )
        assert engine.searched
        workspace = engine.workspace
        best_of_few(workspace.topology, engine.position, workspace.buffers, workspace.endgame)
        possible = workspace.endgame.wins
        assert 0 < wins <= possible, board
        tried, reached, best = tried + 1, reached + wins, best + possible
    assert tried >= 5
    assert reached >= 0.97 * best
