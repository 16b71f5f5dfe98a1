"""The search for the fewest numbers that prove a cell: against all sets of them, and all placements."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

import oracle
from bot.board import Board, Cell
from bot.solver import Reason
from bot.solver.constraints import System
from bot.solver.decision import Constraint
from bot.solver.explain.proofs import Case, fewest, nearest
from strategies import played, positions


def implied(constraints: Iterable[Constraint], cell: Cell, *, mine: bool) -> bool:
    said = [(one.cells, one.mines) for one in constraints]
    return any(cell in cells for cells, _ in said) and oracle.implied(said, cell, mine=mine)


@settings(max_examples=50)
@given(positions())
def test_a_proof_suffices_and_no_set_of_numbers_is_smaller(position: Board) -> None:
    system, solutions = System.of(position), oracle.solve(position)
    said, numbers = system.constraints(system.everything), system.constraints(system.numbers)
    for mine in (False, True):
        for cell in solutions.always(int(mine)):
            (proof,) = fewest(position, nearest(position, [cell], mine=mine), iter(range(100_000)))
            assert set(proof.constraints) <= set(said)
            assert implied(proof.constraints, cell, mine=mine)
            for spared in proof.constraints:
                assert not implied(set(proof.constraints) - {spared}, cell, mine=mine)
            if all(one.source for one in proof.constraints):
                smaller = combinations(numbers, min(len(proof) - 1, 5))  # more are not searched for
                assert not any(implied(some, cell, mine=mine) for some in smaller)


@settings(max_examples=20)
@given(positions())
def test_what_is_not_proven_has_no_proof(position: Board) -> None:
    solutions = oracle.solve(position)
    for cell in set(solutions.cells) - solutions.always(0) - solutions.always(1):
        assert nearest(position, [cell]) == nearest(position, [cell], mine=True) == []


def test_the_search_for_fewer_numbers_ends_with_its_budget() -> None:
    board = Board.from_rows(["W....W", "W1221W", "WWWWWW"])
    case = Case(System.of(board), Cell(0, 2), 5, mine=True)
    proof = case.proof()
    assert proof is not None
    assert case.fewer(5, iter(range(0))) is None
    assert case.fewer(5, iter(range(100))) == proof


@pytest.mark.parametrize(("rows", "cols", "mines"), [(16, 30, 99), (2, 40, 14)])
def test_proofs_in_whole_games_suffice_and_are_few(rows: int, cols: int, mines: int) -> None:
    sizes = []
    for game, decision in played((rows, cols, mines), 4):
        for move in decision.moves[:3] if decision.reason is not Reason.GUESS else ():
            (proof,) = nearest(game.board, [move.cell])
            sizes.append(len(proof))
            if len(frozenset().union(*(one.cells for one in proof.constraints))) <= 14:
                assert implied(proof.constraints, move.cell, mine=False)
    assert np.median(sizes) <= 3
    assert np.percentile(sizes, 90) <= 8
