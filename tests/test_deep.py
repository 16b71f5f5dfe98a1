"""Thinking about a guess: solutions drawn at random, and games played out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest

from bot.board import Board
from bot.errors import StoppedError
from bot.solver import decide
from bot.solver.analysis import analyse
from bot.solver.decision import Judgement
from bot.solver.deep import think
from bot.solver.guess import Policy, Thinking
from bot.solver.kernel.solutions import draw
from bot.solver.strategies import deep
from bot.stop import Stop
from oracle import best_wins, solve
from test_kernel import unproven


def stop_if(stopped: bool) -> Stop:
    """Return a stop that is asked for already, or never."""

    def check() -> None:
        if stopped:
            raise StoppedError("stopped")

    return Stop(check)


EVERY_CELL = Policy(endgame=0, near=1e-6, outside=99, best_share=0.8)


def ticking(step: float = 0.01) -> Callable[[], float]:
    """Return a clock that goes on by ``step`` seconds at each look."""
    ticks = count()
    return lambda: next(ticks) * step


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


@pytest.mark.parametrize("threads", [1, 2])
def test_thinking_finds_the_best_guess_of_small_positions(threads: int) -> None:
    tried = 0
    for board, analysis, _ in unproven(120, 19, 4, 4):
        if len(solve(board).placements) > 60:
            continue
        thought = think(analysis, thinking=Thinking(0.4, ticking(), threads), policy=EVERY_CELL)
        if thought is None:
            continue
        tried += 1
        solutions, wins = best_wins(board)
        # after the first guess the endgame is exact, so that only the draws leave any doubt
        assert thought.chances[thought.cell] == pytest.approx(wins / solutions, abs=0.12), board
    assert tried >= 10


def test_thinking_twice_gives_the_same_answer() -> None:
    for _, analysis, _ in unproven(200, 23, 4, 4):
        one, other = (
            think(analysis, thinking=Thinking(0.3, ticking(), threads=2), policy=EVERY_CELL) for _ in range(2)
        )
        assert one == other
        if one is not None:
            return
    pytest.fail("no position with a choice")


def test_so_many_samples_are_played_out_however_long_it_takes() -> None:
    tried = 0
    for _, analysis, _ in unproven(200, 23, 4, 4):
        times = Thinking(0.0, ticking(1e9), 2, samples=32), Thinking(1e9, ticking(1e-9), 2, samples=32)
        one, other = (think(analysis, thinking=how, policy=EVERY_CELL) for how in times)
        assert one == other
        tried += one is not None and one.games >= 64
    assert tried >= 3


def test_there_is_nothing_to_think_about_where_the_endgame_is_exact_or_the_total_unknown() -> None:
    tried = 0
    for board, analysis, _ in unproven(60, 31, 4, 4):
        if think(analysis, thinking=Thinking(0.1, ticking()), policy=EVERY_CELL) is None:
            continue
        tried += 1
        assert decide(board, strategy=deep(Thinking(0.1, ticking()))).judgement is Judgement.ENDGAME
        unknown = analyse(Board(board.states))
        assert think(unknown, thinking=Thinking(1, ticking()), policy=EVERY_CELL) is None
    assert tried >= 3
