"""The counting rules for whole arrays, against plain loops and all placements of mines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import MAY_BE_MINE, SHOWN_MINES, Board, Cell, State, States, bounds_of
from bot.counting_rules import NO_NUMBER, deduce, near, neighbour_sum, zeros_beside_covered

Bools = npt.NDArray[np.bool_]
SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 7))
SEEDS = st.integers(0, 1 << 32)


def contradictions(states: States) -> Bools:
    """Return where a number contradicts its neighbours, as `Board.problems` finds it."""
    return bounds_of(states).broken | zeros_beside_covered(states, states == State.COVERED)


def around(rows: int, cols: int, row: int, col: int) -> list[tuple[int, int]]:
    """Return the neighbours of a cell, by the definition."""
    every = product(range(rows), range(cols))
    return [(r, c) for r, c in every if max(abs(r - row), abs(c - col)) == 1]


def random_states(shape: tuple[int, int], seed: int) -> npt.NDArray[np.int8]:
    """Return any 16 states anywhere: mostly nonsense, numbers and covered cells above all."""
    chances = np.array([4, 4, 3, 2, 1, 1, 1, 1, 1, 12, 2, 1, 2, 1, 1, 1])
    return np.random.default_rng(seed).choice(16, shape, p=chances / chances.sum()).astype(np.int8)


def placements(places: Bools) -> Iterator[Bools]:
    """Yield all ways to lay mines on some of the places."""
    cells = np.argwhere(places)
    for chosen in product([False, True], repeat=len(cells)):
        mines = np.zeros_like(places)
        mines[tuple(cells.T)] = chosen
        yield mines


def explains(numbers: npt.NDArray[np.int8], mines: Bools) -> bool:
    """Return whether every number has as many mines around it."""
    rows, cols = numbers.shape
    return all(
        sum(bool(mines[place]) for place in around(rows, cols, row, col)) == numbers[row, col]
        for row, col in np.argwhere(numbers <= 8)
    )


@given(SHAPES, SEEDS)
def test_sums_are_those_of_the_neighbours(shape: tuple[int, int], seed: int) -> None:
    values = np.random.default_rng(seed).integers(-9, 10, shape)
    mask = values > 0
    total, counts, wide = neighbour_sum(values), neighbour_sum(mask), near(mask)
    assert total.dtype == values.dtype
    assert counts.dtype == np.int8
    assert wide.dtype == np.bool_
    for row, col in np.ndindex(*shape):
        places = around(*shape, row, col)
        assert total[row, col] == sum(values[place] for place in places)
        assert counts[row, col] == sum(bool(mask[place]) for place in places)
        assert wide[row, col] == (mask[row, col] or any(mask[place] for place in places))


@given(SHAPES, st.integers(1, 4), SEEDS)
def test_many_positions_are_counted_as_each_alone(shape: tuple[int, int], many: int, seed: int) -> None:
    states = np.stack([random_states(shape, seed + number) for number in range(many)])
    mask = states == State.COVERED
    assert np.array_equal(neighbour_sum(mask), np.stack([neighbour_sum(one) for one in mask]))
    assert np.array_equal(near(mask), np.stack([near(one) for one in mask]))
    assert np.array_equal(contradictions(states), np.stack([contradictions(one) for one in states]))
    together = deduce(states, states == State.MINE, mask)
    alone = [deduce(one, one == State.MINE, one == State.COVERED) for one in states]
    assert np.array_equal(together.mines, np.stack([one.mines for one in alone]))
    assert np.array_equal(together.places, np.stack([one.places for one in alone]))
    assert together.possible.tolist() == [bool(one.possible) for one in alone]


@given(SHAPES, SEEDS)
def test_bounds_zeros_and_problems_are_those_of_each_number(shape: tuple[int, int], seed: int) -> None:
    states = random_states(shape, seed)
    bounds, closed = bounds_of(states), zeros_beside_covered(states, states == State.COVERED)
    named = {problem.cell for problem in Board(states).problems()}
    for row, col in np.ndindex(*shape):
        shown = [int(states[place]) for place in around(*shape, row, col)]
        least, most = (sum(state in kind for state in shown) for kind in (SHOWN_MINES, MAY_BE_MINE))
        assert (int(bounds.least[row, col]), int(bounds.most[row, col])) == (least, most)
        number = int(states[row, col])
        beside = [place for place in around(*shape, row, col) if row == place[0] or col == place[1]]
        assert closed[row, col] == (number == 0 and any(states[place] == State.COVERED for place in beside))
        assert (number <= 8 and not least <= number <= most) == (Cell(row, col) in named)


@given(st.tuples(st.integers(1, 4), st.integers(1, 4)), st.floats(0, 1), SEEDS)
def test_what_is_deduced_holds_in_every_placement(shape: tuple[int, int], density: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mines = rng.random(shape) < density
    covered = mines | (rng.random(shape) < 0.5)
    numbers = np.where(covered, NO_NUMBER, neighbour_sum(mines))
    if seed % 4 == 0:  # a number may be wrong
        numbers = np.where(covered | (rng.random(shape) < 0.8), numbers, np.int8(1))
    places = covered & (np.cumsum(covered).reshape(shape) <= 10)
    known = mines & covered & ~places
    found = deduce(numbers, known, places)
    solutions = [laid | known for laid in placements(places) if explains(numbers, laid | known)]
    assert found.possible or not solutions
    for solution in solutions:
        assert not (found.mines & ~solution).any()
        assert not (places & ~found.places & ~found.mines & solution).any()


@pytest.mark.parametrize(
    ("rows", "proven"),  # m: a mine, s: safe
    [
        (["1.", ".."], ["1.", ".."]),
        (["01.", "01.", "011"], ["01s", "01m", "011"]),
        (["1.2.1."], ["1m2m1s"]),
        (["*1.", "11."], ["*1s", "11s"]),
        (["1..1", "1221", "0000"], ["1mm1", "1221", "0000"]),
    ],
)
def test_the_rules_are_followed_to_their_end(rows: list[str], proven: list[str]) -> None:
    states = Board.from_rows(rows).states
    covered = states == State.COVERED
    found = deduce(states, states == State.MINE, covered)
    assert found.possible
    shown = np.array([list(row) for row in rows])
    shown[covered & found.mines] = "m"
    shown[covered & ~found.mines & ~found.places] = "s"
    assert ["".join(row) for row in shown] == proven


def test_a_contradiction_that_takes_steps_is_found() -> None:
    corners = Board.from_rows(["1..1", "1111"]).states  # the corners say two mines, the cells between say one
    assert not contradictions(corners).any()
    assert not deduce(corners, corners == State.MINE, corners == State.COVERED).possible
