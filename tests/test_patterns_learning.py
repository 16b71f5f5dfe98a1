"""Learning schemes from positions: from the smallest set of numbers, once, and never a wrong one."""

from __future__ import annotations

import pytest

import oracle
from bot.board import Board
from bot.game.simulation import Game
from bot.solver import STRATEGIES, Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known, count
from bot.solver.exact import prove_parts
from bot.solver.learned import Learned
from bot.solver.patterns import learning
from bot.solver.patterns.checking import fault
from bot.solver.patterns.learning import Learner, learned_from
from bot.solver.patterns.library import shipped
from bot.solver.patterns.scheme import Scheme
from strategies import random_board

# Four numbers, one of them larger than those that the shipped library was synthesised with.
LARGE = "W.W./1W2./1.4./W..."


def system_of(text: str) -> tuple[System, Known]:
    system = System.of(Board.from_rows(text.split("/")))
    return system, count(system, Known())


def test_the_first_scheme_is_learned_from_the_first_position() -> None:
    told: list[Scheme] = []
    learner = Learner([], told.append)
    decision = decide(
        Board.from_rows([".....", "W11WW"]),
        strategy=STRATEGIES["novitsky"].knowing(Learned(patterns=learner)),
    )
    assert decision.reason is Reason.GUESS  # nothing is proven: each end may hold the mine
    assert learner.learned == []
    board = Board.from_rows(["...", "11W"])
    decision = decide(board, strategy=STRATEGIES["novitsky"].knowing(Learned(patterns=learner)))
    assert decision.reason is Reason.PATTERN
    assert [move.cell for move in decision.moves] == [(0, 2)]
    assert told == learner.learned
    assert [(str(scheme), scheme.order) for scheme in told] == [("..o/11#", 2)]


@pytest.mark.parametrize("text", ["W11/...", ".1W/.1W/.WW", ".../12*", "*21/..."])
def test_what_was_learned_holds_wherever_it_is_the_same(text: str) -> None:
    learner = Learner([Scheme.drawn(["..o", "11#"], 2)])
    system, known = system_of(text)
    after = learner.settle(system, known)
    assert set(system.cells(after.safe)) == oracle.solve(system.board).always(0) != set()
    assert learner.learned == []


def test_what_the_shipped_library_lacks_is_learned_once() -> None:
    system, known = system_of(LARGE)
    assert not shipped().settle(system, known).settled & ~known.settled
    first = Learner(shipped().schemes)
    after = first.settle(system, known)
    assert set(system.cells(after.safe)) <= oracle.solve(system.board).always(0)
    assert after.safe
    assert first.learned
    again = Learner([*shipped().schemes, *first.learned])
    turned = System.of(Board(system.board.states.T[::-1]))
    assert again.settle(turned, count(turned, Known())).safe.bit_count() == after.safe.bit_count()
    assert again.learned == []
    assert fault(first.learned[0]) == ""
    assert len(shipped().schemes) == len(set(map(str, shipped().schemes)))  # nothing was added to it


@pytest.mark.parametrize("text", ["11/..", ".1.", "1../...", "WW/..", ".1./1W1/.1."])
def test_where_nothing_is_proven_nothing_is_learned(text: str) -> None:
    system, known = system_of(text)
    assert learned_from(system, known) is None
    learner = Learner([])
    assert not learner.settle(system, known).settled
    assert learner.learned == []


def test_a_position_that_cannot_be_teaches_nothing() -> None:
    system, known = system_of("1.1.1")
    learner = Learner([])
    assert learner.settle(system, known).clash or not learner.learned


@pytest.mark.parametrize("tried", [2000, 1])
def test_it_learns_all_that_numbers_prove_and_nothing_wrong(
    tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "_TRIED", tried)  # with 1 the smallest set is not found by trying
    learner, proven = Learner([]), 0
    for seed in range(20_000, 21_500):
        board = random_board(seed)
        system = System.of(board)
        known = count(system, Known())
        solutions = oracle.solve(Board(board.states))
        if known.clash or not len(solutions.placements):
            continue
        after = learner.settle(system, known)
        if not after.clash:
            total = oracle.solve(board) if len(oracle.solve(board).placements) else solutions
            assert set(system.cells(after.safe)) <= total.always(0), board
            assert set(system.cells(after.mines)) <= total.always(1), board
        wanted = prove_parts(system, known).safe & system.playable
        proven += bool(wanted & ~known.safe)
        assert not wanted or after.safe & system.playable, board
    assert proven > 15
    assert 4 < len(learner.learned) <= proven
    assert [str(scheme) for scheme in learner.learned if fault(scheme)] == []
    assert all(scheme.order > 1 for scheme in learner.learned)


def test_novitsky_learns_on_an_expert_board_what_it_does_not_know() -> None:
    learner = Learner(scheme for scheme in shipped().schemes if len(scheme.needs) < 3)
    for seed in range(10_002_000, 10_002_012):
        game = Game(16, 30, 99, seed)
        while not game.over:
            decision = decide(game.board, strategy=STRATEGIES["novitsky"].knowing(Learned(patterns=learner)))
            for move in decision.moves:
                assert decision.reason is not Reason.PATTERN or move.cell not in (game.mines or ())
                game.open(move.cell)
    assert learner.learned
    assert [str(scheme) for scheme in learner.learned if fault(scheme)] == []
    assert len({scheme.key for scheme in learner.learned}) == len(learner.learned)
