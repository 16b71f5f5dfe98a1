"""The advantages of guesses over those of another strategy, found by playing games out."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.bench.plan import Boards, Comparison, PlayOptions, Unit, UnitResult, fingerprint
from bot.bench.results import Checkpoint, Results, identity
from bot.bench.running import advantage, local, play_all, play_unit
from bot.board import Board, Cell, FirstClick, State
from bot.solver import BEST, STRATEGIES, Reason, decide
from oracle import best_wins, solve
from test_kernel import positions

SMALL = Boards(5, 5, 6, FirstClick.SAFE, Cell(0, 0), 10_000_000)
AGAINST = Comparison(BEST, 64)


def chance(board: Board, cell: Cell) -> float:
    """Return the chance to win with ``cell`` first and the best play after that."""
    solutions, wins = best_wins(board, opened=cell)
    return wins / solutions


def test_an_advantage_is_the_difference_of_two_chances_to_win() -> None:
    tried = 0
    for board in positions(50, 37, 4, 4):
        decision = decide(board)
        if decision.reason is not Reason.GUESS or not 2 <= len(solve(board).placements) <= 30:
            continue
        best = decision.moves[0].cell
        riskiest = max(decision.risks, key=lambda cell: decision.risks[cell])
        for guess in {riskiest, *board.cells(State.COVERED)[:2]} - {best}:
            found = advantage(board, guess, SMALL, Comparison(BEST, 300), 5)
            assert found == pytest.approx(chance(board, guess) - chance(board, best), abs=0.12), board
            tried += 1
        assert advantage(board, best, SMALL, AGAINST, 5) is None
    assert tried >= 15


def play(results: Results, path: Path) -> dict[str, Any]:
    """Play the missing games with a checkpoint at ``path``; return the figures of the advantages."""
    run = identity(results.boards, None, results.options, [results.strategy], fingerprint())
    keep = Checkpoint(path, run, lambda _, start, games: results.add(start, games))
    with local(1) as crew, closing(keep):

        def done(unit: Unit, played: UnitResult) -> None:
            results.add(unit.start, played)
            keep.add(unit, played)

        play_all(results.units(fingerprint()), crew, done)
    return cast("dict[str, Any]", results.summary().as_json()["advantages"])


def test_advantages_are_kept_and_go_on(tmp_path: Path) -> None:
    alone, first, second = (
        Results(SMALL, STRATEGIES["komarov"], games, PlayOptions(against=AGAINST)) for games in (8, 3, 8)
    )
    whole, part = play(alone, tmp_path / "whole"), play(first, tmp_path / "run")
    assert play(second, tmp_path / "run") == whole != part
    assert (tmp_path / "run").read_bytes().count(b"\n") == 9
    assert whole["over"] == "best"
    assert whole["guesses_that_differ"] > 0
    assert whole["gain"] < 0  # komarov does not count solutions
    assert second.so_far.gain == alone.so_far.gain


def test_the_games_are_those_of_the_strategy_that_is_compared() -> None:
    unit = Unit(SMALL, STRATEGIES["komarov"], 0, 12, PlayOptions(against=AGAINST), fingerprint())
    compared, plain = play_unit(unit), play_unit(replace(unit, options=PlayOptions()))
    assert (compared.won, compared.guesses) == (plain.won, plain.guesses)
    assert len(compared.gained) == len(compared.differing) == 12
    assert plain.gained == plain.differing == ()
