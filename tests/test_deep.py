"""Thinking about a guess: solutions drawn at random, games played out, and late positions searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import count
from math import exp

import numpy as np
import pytest

import bot.solver.deep
from bot.board import Board, Cell, FirstClick
from bot.solver import STRATEGIES, decide
from bot.solver.decision import Judgement
from bot.solver.deep import searched, think
from bot.solver.engine import Engine
from bot.solver.guess import DEEP, POLICIES, Policy, Thinking, never
from bot.solver.kernel.solutions import draw
from oracle import best_wins, solve
from strategies import played
from test_kernel import unproven

EVERY_CELL = Policy(endgame=0, near=1e-6, outside=99, best_share=0.8)


def ticking(step: float = 0.01) -> Callable[[], float]:
    """Return a clock that goes on by ``step`` seconds at each look."""
    ticks = count()
    return lambda: next(ticks) * step


def test_every_solution_is_drawn_as_often_as_any_other() -> None:
    seed, tried = np.array([1], np.int64), 0
    for board, engine, _ in unproven(120, 17, 4, 4):
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
    for board, _, _ in unproven(120, 19, 4, 4):
        if len(solve(board).placements) > 60:
            continue
        thought = think(board, Thinking(0.4, ticking(), threads), EVERY_CELL)
        if thought is None:
            continue
        tried += 1
        solutions, wins = best_wins(board)
        # after the first guess the endgame is exact, so that only the draws leave any doubt
        assert thought.chances[thought.cell] == pytest.approx(wins / solutions, abs=0.12), board
    assert tried >= 10


def test_thinking_twice_gives_the_same_answer() -> None:
    for board, _, _ in unproven(200, 23, 4, 4):
        one, other = (think(board, Thinking(0.3, ticking(), threads=2), EVERY_CELL) for _ in range(2))
        assert one == other
        if one is not None:
            return
    pytest.fail("no position with a choice")


def test_there_is_nothing_to_think_about_where_the_endgame_is_exact_or_the_total_unknown() -> None:
    tried = 0
    for board, _, _ in unproven(60, 31, 4, 4):
        if think(board, Thinking(0.1, ticking()), EVERY_CELL) is None:
            continue
        tried += 1
        assert think(board, Thinking(0.1, ticking()), EVERY_CELL._replace(endgame=1e9)) is None
        assert think(Board(board.states), Thinking(1, ticking()), EVERY_CELL) is None
    assert tried >= 3


def frozen() -> float:
    """Return the time of a clock that stands still: a search may take as long as it needs."""
    return 0.0


@cache
def small_guesses(least: float, most: float, enough: int) -> tuple[Board, ...]:
    """Return positions of small games, in which nothing is proven, with so many solutions."""
    found, engine = list[Board](), Engine(10, 10)
    games = played((10, 10, 22), 10**6, STRATEGIES["fast"], rule=FirstClick.OPENING, first=Cell(5, 5))
    while len(found) < enough:
        game, decision = next(games)
        if decision.risk > 0:
            engine.risks(game.board)
            if least < exp(engine.log_solutions) < most:
                found.append(game.board)
    return tuple(found)


def test_it_finds_what_the_search_in_play_finds() -> None:
    tried = 0
    for board in small_guesses(300, 4000, 6):
        engine = Engine(*board.shape)
        engine.risks(board)
        cell = engine.guess(POLICIES["best"])
        if not engine.searched:  # a fifty-fifty was opened at once
            continue
        tried += 1
        found = searched(board, 1, frozen, never)
        assert found is not None
        assert divmod(found[0], board.cols) == cell
        endgame = engine.workspace.endgame
        assert found[1] == endgame.found / endgame.solutions
    assert tried >= 3


def test_thinking_searches_positions_that_are_larger() -> None:
    tried = 0
    for board in small_guesses(5_000, 32_000, 4):
        plain = decide(board, strategy=STRATEGIES["best"])
        deep = decide(board, strategy=STRATEGIES[DEEP].with_thinking(Thinking(1.0, frozen)))
        if plain.judgement is Judgement.FIFTY_FIFTY:
            continue
        tried += 1
        assert plain.judgement is Judgement.LOOK_AHEAD
        assert deep.judgement is Judgement.SEARCH
        assert deep.alternatives[0].cell == deep.moves[0].cell
        assert deep.alternatives[0].score == 1.0
        played = think(board, Thinking(0.2, ticking(1e-3)), POLICIES["best"]._replace(search=0))
        found = searched(board, 1, frozen, never)
        assert played is not None
        assert found is not None
        # the play-outs are games as well as `fast` plays them, which is not so well as the search
        assert found[1] > max(played.chances.values()) - 0.1
        assert found[1] < max(played.chances.values()) + 0.2
    assert tried >= 2


@pytest.mark.parametrize("why", ["time", "user"])
def test_it_is_given_up_in_the_middle(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.solver.deep, "_LOOK", 0)
    board = small_guesses(20_000, 32_000, 1)[0]
    assert searched(board, 0, ticking() if why == "time" else frozen, lambda: why == "user") is None
    assert searched(board, 1, frozen, never) is not None


def test_it_leaves_positions_alone_that_are_too_large() -> None:
    assert searched(small_guesses(33_000, 1e9, 1)[0], 1, frozen, never) is None


def test_a_flag_on_the_cell_that_is_found_leaves_the_choice_to_play_outs() -> None:
    board = small_guesses(5_000, 32_000, 1)[0]
    cell, _ = searched(board, 1, frozen, never) or (-1, 0.0)
    others = frozenset(range(board.states.size)) - {cell}
    thought = think(board, Thinking(0.2, ticking()), POLICIES["best"], among=others)
    assert thought is None or (thought.cell != cell and thought.games > 0)
