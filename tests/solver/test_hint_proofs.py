"""The search for the fewest numbers that prove a cell: against all sets of them, and all placements."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from bot.board import Board, Cell, State
from bot.game.simulation import Game
from bot.solver import Reason, decide
from bot.solver.constraints import System
from bot.solver.counting import Known
from bot.solver.decision import Constraint
from bot.solver.exact import has_solution
from bot.solver.explain.proofs import Case, SearchBudget, Window, fewest, nearest, placed, reaches
from strategies import position as drawn
from strategies import positions, random_board

NUMBERS = st.lists(st.tuples(st.integers(1, 127), st.integers(0, 5)), max_size=5)
BITS = 7


def fitting(numbers: list[tuple[int, int]], mines: int, safe: int) -> list[int]:
    """Return all placements of `BITS` cells that begin so and satisfy the numbers."""
    return [
        cells
        for cells in range(1 << BITS)
        if cells & mines == mines and not cells & safe
        if all((cells & mask).bit_count() == need for mask, need in numbers)
    ]


@given(NUMBERS, st.integers(0, 127), st.integers(0, 127))
def test_a_placement_is_found_if_there_is_one(numbers: list[tuple[int, int]], mines: int, safe: int) -> None:
    safe &= ~mines
    found, fits = placed(numbers, mines, safe), fitting(numbers, mines, safe)
    assert bool(fits) == (found is not None)
    if found is not None:
        assert found[0] & mines == mines
        assert found[1] & safe == safe
        open_ = (1 << BITS) - 1 & ~(found[0] | found[1])
        assert {found[0], found[0] | open_} <= set(fits)


@given(positions(), st.integers(0, 24), st.booleans())
def test_whether_a_placement_is_possible(position: Board, place: int, mine: bool) -> None:
    system, solutions = System.of(position), oracle.solve(position)
    place %= position.rows * position.cols
    if not system.unknown >> place & 1:
        return
    column = solutions.placements[:, solutions.cells.index(system.cell(place))]
    supposed = Known(1 << place, 0) if mine else Known(0, 1 << place)
    assert has_solution(system, supposed) == (column == int(mine)).any()


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
            (proof,) = fewest(position, nearest(position, [cell], mine=mine), SearchBudget(100_000))
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
    case = Case(Board.from_rows(["W....W", "W1221W", "WWWWWW"]), Cell(0, 2), 5, mine=True)
    proof = case.proof()
    assert proof is not None
    assert case.fewer(5, SearchBudget(0)) is None
    assert case.fewer(5, SearchBudget(100)) == proof


def test_the_windows_around_a_cell_grow_to_the_whole_board() -> None:
    board = random_board(5)
    for cell in board:
        parts = [Window.around(board, cell, reach) for reach in reaches(board)]
        assert parts[-1].board == board
        assert [part.board.states.size for part in parts] == sorted(part.board.states.size for part in parts)
        for part in parts:
            if part.board != board:
                assert part.board.mines is None
                shown = part.board[cell.row - part.corner.row, cell.col - part.corner.col]
                assert shown in (board[cell], State.WRONG_FLAG)


@pytest.mark.parametrize(("rows", "cols", "mines"), [(16, 30, 99), (2, 40, 14)])
def test_proofs_in_whole_games_suffice_and_are_few(rows: int, cols: int, mines: int) -> None:
    sizes = []
    for seed in range(10_000_000, 10_000_004):
        game = Game(rows, cols, mines, seed)
        game.open(Cell(0, 0))
        while not game.over:
            decision = decide(game.board)
            if decision.reason is not Reason.GUESS:
                for move in decision.moves[:3]:
                    (proof,) = nearest(game.board, [move.cell])
                    sizes.append(len(proof))
                    if len(frozenset().union(*(one.cells for one in proof.constraints))) <= 14:
                        assert implied(proof.constraints, move.cell, mine=False)
            for move in decision.moves:
                game.open(move.cell)
    assert np.median(sizes) <= 3
    assert np.percentile(sizes, 90) <= 8


def test_a_proof_on_a_large_board_is_near_its_cell() -> None:
    rng = np.random.default_rng(10_000_000)
    cells = [Cell(row, col) for row in range(60) for col in range(60)]
    mines = {cells[place] for place in rng.permutation(3600)[:600]}
    position = drawn(mines, {cell for cell in cells if cell.row < 30} - mines, 60, 60, 600)
    safe = [move.cell for move in decide(position).moves]
    proofs = nearest(position, safe)
    assert proofs
    said = set(System.of(position).constraints(System.of(position).numbers))
    for proof in proofs:
        assert set(proof.constraints) <= said
        assert implied(proof.constraints, proof.cell, mine=False)
