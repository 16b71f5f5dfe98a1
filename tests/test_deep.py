"""Solutions drawn at random, games played out from them, and the guess that they lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import pytest

from bot.board import Board
from bot.solver.deep import think
from bot.solver.engine import Engine
from bot.solver.guess import Policy
from bot.solver.kernel.layout import UNKNOWN
from bot.solver.kernel.solutions import draw
from oracle import best_wins, solve
from test_kernel import positions

EVERY_CELL = Policy(endgame=0, near=1e-6, outside=99, best_share=0.8)


def ticking(step: float = 0.01) -> Callable[[], float]:
    """Return a clock that goes on by ``step`` seconds at each look."""
    ticks = count()
    return lambda: next(ticks) * step


def guesses(boards: int, seed: int) -> Iterator[tuple[Board, Engine]]:
    """Yield small positions in which nothing is proven safe."""
    for board in positions(boards, seed, 4, 4):
        engine = Engine(*board.shape)
        risks = engine.risks(board)
        if (engine.position.shown == UNKNOWN).any() and np.nanmin(risks) > 0:
            yield board, engine


def test_every_solution_is_drawn_as_often_as_any_other() -> None:
    seed, tried = np.array([1], np.int64), 0
    for board, engine in guesses(120, 17):
        solutions = solve(board)
        cells = [cell.row * board.cols + cell.col for cell in solutions.cells]
        expected = {bytes(row.astype(np.int8)) for row in solutions.placements}
        if not 2 <= len(expected) <= 40:
            continue
        tried += 1
        mined, each = np.zeros(board.states.size, np.int8), 100
        drawn: Counter[bytes] = Counter()
        for _ in range(each * len(expected)):
            draw(engine.position, engine.workspace.buffers, mined, seed)
            drawn[bytes(mined[cells])] += 1
        assert set(drawn) == expected, board
        assert max(abs(often - each) for often in drawn.values()) < 6 * each**0.5, board
    assert tried >= 20


@pytest.mark.parametrize("threads", [1, 2])
def test_thinking_finds_the_best_guess_of_small_positions(threads: int) -> None:
    tried = 0
    for board, _ in guesses(120, 19):
        if len(solve(board).placements) > 60:
            continue
        thought = think(board, 0.4, ticking(), threads=threads, policy=EVERY_CELL)
        if thought is None:
            continue
        tried += 1
        solutions, wins = best_wins(board)
        # after the first guess the endgame is exact, so that only the draws leave any doubt
        assert thought.chances[thought.cell] == pytest.approx(wins / solutions, abs=0.12), board
    assert tried >= 10


def test_thinking_gives_the_same_answer_to_the_same_seed() -> None:
    board = next(
        board for board, _ in guesses(200, 23) if think(board, 0.2, ticking(), policy=EVERY_CELL) is not None
    )
    one, other = (think(board, 0.3, ticking(), threads=2, policy=EVERY_CELL, seed=5) for _ in range(2))
    assert one == other


def test_there_is_nothing_to_think_about_where_the_endgame_is_exact_or_the_total_unknown() -> None:
    tried = 0
    for board, _ in guesses(60, 31):
        if think(board, 0.1, ticking(), policy=EVERY_CELL) is None:
            continue
        tried += 1
        assert think(board, 0.1, ticking(), policy=EVERY_CELL._replace(endgame=1e9)) is None
        assert think(Board(board.states), 1, ticking(), policy=EVERY_CELL) is None
    assert tried >= 3
