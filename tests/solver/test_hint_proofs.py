"""The search for the fewest numbers that prove a cell: against all sets of them, and all placements."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from bot.board import Board, Cell
from bot.solver.constraints import System, bits
from bot.solver.counting import Known, count
from bot.solver.explain.hints import simplest
from bot.solver.explain.proofs import Case, SearchBudget, placed, possible
from strategies import position as drawn
from strategies import positions

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
def test_whether_placements_are_possible(position: Board, place: int, mine: bool) -> None:
    system, solutions = System.of(position), oracle.solve(position)
    place %= position.rows * position.cols
    if not system.unknown >> place & 1:
        return
    column = solutions.placements[:, solutions.cells.index(system.cell(place))]
    mines, safe = (1 << place, 0) if mine else (0, 1 << place)
    assert possible(system, system.everything, mines, safe, budget=1000) == (column == int(mine)).any()


@given(positions())
def test_the_reasons_that_counting_gives_suffice(position: Board) -> None:
    system = System.of(position)
    known = count(system, Known())
    for cell in bits(known.settled):
        reasons = [(one.cells, one.mines) for one in system.constraints(known.because[cell])]
        assert oracle.implied(reasons, system.cell(cell), mine=bool(known.mines >> cell & 1))


@settings(max_examples=50)
@given(positions())
def test_no_set_of_numbers_is_smaller(position: Board) -> None:
    system, solutions = System.of(position), oracle.solve(position)
    said = [(one.cells, one.mines) for one in system.constraints(system.numbers)]
    for mine in (False, True):
        for cell in solutions.always(int(mine)):
            case = Case(system, cell.row * position.cols + cell.col, mine)
            proof = case.from_around()
            if not proof & system.total:
                fewest = case.fewer(proof.bit_count(), SearchBudget(100_000)) or proof
                smaller = combinations(said, min(fewest.bit_count() - 1, 5))  # more are not searched for
                assert not any(implied(list(some), cell, mine=mine) for some in smaller)


def implied(grounds: list[tuple[frozenset[Cell], int]], cell: Cell, *, mine: bool) -> bool:
    return any(cell in cells for cells, _ in grounds) and oracle.implied(grounds, cell, mine=mine)


def test_fewer_numbers_are_searched_for_on_whole_boards() -> None:
    """A chain of numbers where two of them are enough: the search ends with those, or with its patience."""
    position = Board.from_rows(["W....W", "W1221W", "WWWWWW"])
    system = System.of(position)
    case = Case(system, 2, mine=True)
    assert case.fewer(5, SearchBudget(0)) == 0
    assert case.fewer(5, SearchBudget(100)).bit_count() == case.shrunk(system.numbers).bit_count()


def test_a_large_board_is_looked_at_in_part() -> None:
    rng = np.random.default_rng(10_000_000)
    cells = [Cell(row, col) for row in range(60) for col in range(60)]
    mines = {cells[place] for place in rng.permutation(3600)[:600]}
    position = drawn(mines, {cell for cell in cells if cell.row < 30} - mines, 60, 60, 600)
    safe = System.of(position).cells(count(System.of(position), Known()).safe)
    told = simplest(position, safe)
    assert told is not None
    assert told.cell in safe
    constraints = System.of(position).constraints(System.of(position).numbers)
    assert set(told.why.constraints) <= set(constraints)
    assert implied([(one.cells, one.mines) for one in told.why.constraints], told.cell, mine=False)


def test_patience_ends() -> None:
    patience = SearchBudget(2)
    assert [patience.spent() for _ in range(3)] == [False, False, True]
