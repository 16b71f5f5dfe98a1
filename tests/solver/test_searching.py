"""Searching positions that have too many solutions to be searched in play."""

from __future__ import annotations

from functools import cache
from math import exp

import pytest

import bot.solver.deep
from bot.board import Board, Cell, FirstClick
from bot.game.simulation import Game
from bot.solver import STRATEGIES, decide
from bot.solver.decision import Judgement
from bot.solver.deep import searched, think
from bot.solver.engine import Engine
from bot.solver.guess import DEEP, POLICIES, Thinking, never
from test_deep import ticking


def frozen() -> float:
    """Return the time of a clock that stands still: a search may take as long as it needs."""
    return 0.0


@cache
def guesses(least: float, most: float, enough: int) -> tuple[Board, ...]:
    """Return positions of small games, in which nothing is proven, with so many solutions."""
    found: list[Board] = []
    engine, seed = Engine(10, 10), 10_000_000
    while len(found) < enough:
        game = Game(10, 10, 22, seed, FirstClick.OPENING)
        game.open(Cell(5, 5))
        while not game.over:
            decision = decide(game.board, strategy=STRATEGIES["fast"])
            if min(move.risk for move in decision.moves) > 0:
                engine.risks(game.board)
                if least < exp(engine.log_solutions) < most:
                    found.append(game.board)
            for move in decision.moves:
                game.open(move.cell)
        seed += 1
    return tuple(found[:enough])


def test_it_finds_what_the_search_in_play_finds() -> None:
    tried = 0
    for board in guesses(300, 4000, 6):
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
    for board in guesses(5_000, 32_000, 4):
        plain = decide(board, strategy=STRATEGIES["best"])
        deep = decide(board, strategy=STRATEGIES[DEEP].pondering(Thinking(1.0, frozen)))
        if plain.judgement is Judgement.FIFTY_FIFTY:
            continue
        tried += 1
        assert plain.judgement is Judgement.LOOK_AHEAD
        assert deep.judgement is Judgement.SEARCH
        assert deep.alternatives[0].cell == deep.moves[0].cell
        assert deep.alternatives[0].score == 1.0
        played = think(board, 0.2, ticking(1e-3), policy=POLICIES["best"]._replace(search=0))
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
    board = guesses(20_000, 32_000, 1)[0]
    assert searched(board, 0, ticking() if why == "time" else frozen, lambda: why == "user") is None
    assert searched(board, 1, frozen, never) is not None


def test_it_leaves_positions_alone_that_are_too_large() -> None:
    assert searched(guesses(33_000, 1e9, 1)[0], 1, frozen, never) is None


def test_a_flag_on_the_cell_that_is_found_leaves_the_choice_to_play_outs() -> None:
    board = guesses(5_000, 32_000, 1)[0]
    cell, _ = searched(board, 1, frozen, never) or (-1, 0.0)
    others = frozenset(range(board.states.size)) - {cell}
    thought = think(board, 0.2, ticking(), among=others)
    assert thought is None or (thought.cell != cell and thought.games > 0)
