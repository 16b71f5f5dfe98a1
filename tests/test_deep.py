"""Thinking about a guess: solutions drawn at random, games played out, and late positions searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cache
from itertools import count
from math import exp
from time import sleep
from typing import Any

import numpy as np
import pytest

import bot.solver.deep
from bot.board import Board, Cell, FirstClick
from bot.errors import StoppedError
from bot.solver import STRATEGIES, decide
from bot.solver.analysis import analyse
from bot.solver.decision import Judgement
from bot.solver.deep import searched, think
from bot.solver.guess import POLICIES, Policy, Thinking
from bot.solver.kernel.layout import Endgame
from bot.solver.kernel.solutions import draw
from bot.solver.strategies import deep
from bot.stop import Stop
from oracle import best_wins, solve
from strategies import played
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


def frozen() -> float:
    """Return the time of a clock that stands still: a search may take as long as it needs."""
    return 0.0


@cache
def small_guesses(least: float, most: float, enough: int) -> tuple[Board, ...]:
    """Return positions of small games, in which nothing is proven, with so many solutions."""
    found = list[Board]()
    games = played((10, 10, 22), 10**6, STRATEGIES["fast"], rule=FirstClick.OPENING, first=Cell(5, 5))
    while len(found) < enough:
        game, decision = next(games)
        if decision.risk > 0 and least < exp(analyse(game.board).log_solutions) < most:
            found.append(game.board)
    return tuple(found)


def test_it_finds_what_the_search_in_play_finds() -> None:
    tried = 0
    for board in small_guesses(300, 4000, 6):
        analysis = analyse(board)
        guess = analysis.guess(POLICIES["best"])
        if not guess.searched:  # a fifty-fifty was opened at once
            continue
        tried += 1
        found = searched(analysis, 1, frozen)
        assert found is not None
        assert found[0] == guess.cell
        endgame = analysis.workspace.endgame
        assert found[1] == endgame.found / endgame.solutions
    assert tried >= 3


def test_thinking_searches_positions_that_are_larger() -> None:
    tried = 0
    for board in small_guesses(5_000, 32_000, 4):
        plain = decide(board, strategy=STRATEGIES["best"])
        thought = decide(board, strategy=deep(Thinking(1.0, frozen)))
        if plain.judgement is Judgement.FIFTY_FIFTY:
            continue
        tried += 1
        assert plain.judgement is Judgement.LOOK_AHEAD
        assert thought.judgement is Judgement.SEARCH
        assert thought.alternatives[0].cell == thought.moves[0].cell
        assert thought.alternatives[0].score == 1.0
        policy = POLICIES["best"]._replace(search=0)
        played = think(analyse(board), thinking=Thinking(0.2, ticking(1e-3)), policy=policy)
        found = searched(analyse(board), 1, frozen)
        assert played is not None
        assert found is not None
        # the play-outs are games as well as `fast` plays them, which is not so well as the search
        assert found[1] > max(played.chances.values()) - 0.1
        assert found[1] < max(played.chances.values()) + 0.2
    assert tried >= 2


@pytest.mark.parametrize("why", ["time", "user"])
def test_it_is_given_up_in_the_middle(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.solver.deep, "_LOOK", 0)
    analysis = analyse(small_guesses(20_000, 32_000, 1)[0])
    assert searched(analysis, 0, ticking() if why == "time" else frozen, stop_if(why == "user")) is None
    assert searched(analysis, 1, frozen) is not None


def test_a_signal_ends_a_search_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C raises in the thread that waits for the search, which would go on for a long time."""
    analysis = analyse(small_guesses(20_000, 32_000, 1)[0])
    trees: list[Endgame] = []

    def interrupted(futures: Sequence[Future[int]], _: float) -> None:
        assert futures[0].running()
        raise KeyboardInterrupt

    def endless(*arrays: Any) -> int:
        trees.append(arrays[-1])
        while trees[0].budget:
            sleep(0.001)
        return -1

    monkeypatch.setattr(bot.solver.deep, "wait", interrupted)
    monkeypatch.setattr(bot.solver.deep, "best_of_some", endless)
    with pytest.raises(KeyboardInterrupt):
        searched(analysis, 1, frozen)


def test_it_leaves_positions_alone_that_are_too_large() -> None:
    assert searched(analyse(small_guesses(33_000, 1e9, 1)[0]), 1, frozen) is None


def test_a_flag_on_the_cell_that_is_found_leaves_the_choice_to_play_outs() -> None:
    analysis = analyse(small_guesses(5_000, 32_000, 1)[0])
    cell, _ = searched(analysis, 1, frozen) or (-1, 0.0)
    others = frozenset(range(analysis.board.states.size)) - {cell}
    thought = think(analysis, thinking=Thinking(0.2, ticking()), policy=POLICIES["best"], among=others)
    assert thought is None or (thought.cell != cell and thought.games > 0)
