"""Fifty-fifties that cannot be avoided: taking their risk at once never costs a game."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.game.simulation import Game
from bot.solver.engine import Engine
from bot.solver.guess import Policy
from bot.solver.kernel.guess import unavoidable
from bot.solver.kernel.layout import UNKNOWN
from oracle import best_wins

LOOKING = Policy(0, 0.85, 2, 0.8)  # without an endgame


def unavoidable_cells(engine: Engine) -> list[Cell]:
    """Return the cells that the kernel says to guess, of the board that ``engine`` has analysed."""
    cols = engine.workspace.topology.cols
    unknown = np.flatnonzero(engine.position.shown == UNKNOWN)
    return [
        Cell(*divmod(int(cell), cols))
        for cell in unknown
        if unavoidable(engine.workspace, engine.position, int(cell))
    ]


def test_what_is_guessed_at_once_never_costs_a_game() -> None:
    random, tried = np.random.default_rng(17), 0
    while tried < 60:
        rows, cols = int(random.integers(2, 6)), int(random.integers(2, 6))
        game = Game(
            rows, cols, int(random.integers(1, max(2, rows * cols // 2))), int(random.integers(10**6))
        )
        for index in random.permutation(rows * cols)[: random.integers(1, rows * cols)]:
            game.open(Cell(int(index) // cols, int(index) % cols))
        engine = Engine(rows, cols)
        if game.over or (risks := engine.risks(game.board)) is None or np.nanmin(risks) == 0:
            continue
        if not (engine.position.shown == UNKNOWN).any() or exp(engine.log_solutions) > 40:
            continue
        for cell in unavoidable_cells(engine):
            assert best_wins(game.board, opened=cell) == best_wins(game.board), (game.board, cell)
            tried += 1


@pytest.mark.parametrize(
    ("rows", "mines", "cells"),
    [
        (["2332", "****", "..*3"], 6, {(2, 0), (2, 1)}),  # a pair behind mines
        (["011", "12*", "..2", "..1"], 3, {(2, 0), (2, 1), (3, 0), (3, 1)}),  # a square behind one
        (["2332", "****", "...."], 6, set()),  # the third cell may tell them apart
    ],
)
def test_pairs_and_squares_that_mines_close_off(
    rows: list[str], mines: int, cells: set[tuple[int, int]]
) -> None:
    engine = Engine(len(rows), len(rows[0]))
    engine.risks(Board.from_rows(rows, mines))
    assert set(unavoidable_cells(engine)) == cells


def test_a_fifty_fifty_is_guessed_before_safer_cells() -> None:
    engine, seed, tried = Engine(16, 30), 14_000_000, 0
    while tried < 8:
        game, seed = Game(16, 30, 99, seed), seed + 1
        game.open(Cell(0, 0))
        while not game.over:
            risks = engine.risks(game.board)
            safe = [Cell(int(row), int(col)) for row, col in np.argwhere(risks == 0)]
            if not safe:
                guess = engine.guess(LOOKING)
                cells = unavoidable_cells(engine)
                beside = [
                    cell for cell in cells if any(game.board[n] <= 8 for n in game.board.neighbours(cell))
                ]
                assert guess in cells or not beside
                tried += guess in cells and risks[guess] > np.nanmin(risks)
            for cell in safe or [guess]:
                game.open(cell)
