"""The elements of Pestov and Shalyto: their bounds, what these prove, and by which numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

import oracle
from bot.board import Board, State
from bot.solver import STRATEGIES, Reason, decide
from bot.solver.constraints import System, bits, mask_of
from bot.solver.counting import Known, apply_counting_rules
from bot.solver.published.pestov import bounded, elements
from solver.test_solver_positions import board, opened
from strategies import positions, random_board

Cells = frozenset[int]


def parts(cells: Cells) -> Iterator[Cells]:
    for size in range(1, len(cells) + 1):
        yield from map(frozenset, combinations(sorted(cells), size))


def published_start(system: System) -> dict[Cells, tuple[int, int]]:
    bounds: dict[Cells, tuple[int, int]] = {}
    for number in bits(system.numbers):
        around, state = frozenset(bits(system.masks[number])), system.needs[number]
        for part in parts(around):
            least, most = max(0, state - len(around) + len(part)), min(len(part), state)
            here = bounds.get(part, (least, most))
            bounds[part] = max(least, here[0]), min(most, here[1])
    return bounds


def published_end(system: System) -> dict[Cells, tuple[int, int]]:
    """Apply the published step to every triple as long as something changes; stop where bounds cross."""
    bounds, before = published_start(system), None
    triples = [(a, c - a, c) for c in bounds for a in parts(c) if a != c]
    while bounds != before and all(least <= most for least, most in bounds.values()):
        before = dict(bounds)
        for a, b, c in triples:
            (least_b, most_b), (least_c, most_c) = bounds[b], bounds[c]
            bounds[a] = max(bounds[a][0], least_c - most_b), min(bounds[a][1], most_c - least_b)
            (least_a, most_a) = bounds[a]
            bounds[c] = max(least_c, least_a + least_b), min(most_c, most_a + most_b)
    return bounds


def small_boards(count: int) -> Iterator[tuple[Board, System]]:
    """Yield random small boards of any kind, of which the mine total is not known."""
    for seed in range(count):
        system = System.of(Board(random_board(seed).states))
        yield system.board, system


def test_elements_end_as_published() -> None:
    clashing = 0
    for position, system in small_boards(400):
        if max(map(int.bit_count, system.masks), default=0) > 5 or 0 in system.masks:
            continue  # three to the power of that are looked at again and again
        found = {frozenset(part): bounds for part, bounds in bounded(system, Known()).items() if part}
        expected = published_end(system)
        clash, found_clash = (
            any(least > most for least, most in bounds.values()) for bounds in (expected, found)
        )
        assert found_clash == clash, position
        assert clash or found == expected, position
        clashing += clash
    assert clashing > 5


@given(positions())
def test_elements_find_what_counting_finds_and_exact_counting_confirms(board: Board) -> None:
    system = System.of(board).without_total
    counted, found = apply_counting_rules(system, Known()), elements(system, Known())
    assert counted.safe & ~found.safe == counted.mines & ~found.mines == 0
    solutions = oracle.solve(system.board)
    assert set(system.cells(found.safe)) <= solutions.always(0)
    assert set(system.cells(found.mines)) <= solutions.always(1)
    assert elements(system, counted).settled == found.settled
    assert elements(system, found) == found


@pytest.mark.parametrize("text", [".... 1221 ....", "..... 12321 ....."])
def test_bounds_prove_what_no_single_hypothesis_does(text: str) -> None:
    # A mine in a corner leads the counting rules to no impossible number.
    position = board(text)
    assert decide(position, strategy=STRATEGIES["komarov"], guess=False).moves == ()
    decision = decide(position, strategy=STRATEGIES["pestov"])
    assert opened(decision) == {(row, col) for row in (0, 2) for col in (0, position.cols - 1)}
    assert {move.reason for move in decision.moves} == {Reason.ELEMENTS}
    assert opened(decide(position)) == opened(decision)


def test_a_large_tangled_board() -> None:
    random = np.random.default_rng(3)
    mines = random.random((200, 200)) < 0.2
    padded = np.pad(mines.astype(np.int8), 1)
    shifts = [(row, col) for row in range(3) for col in range(3)]
    numbers = sum(padded[row : row + 200, col : col + 200] for row, col in shifts)
    covered = mines | (random.random(mines.shape) < 0.8)
    system = System.of(Board(np.where(covered, np.int8(State.COVERED), numbers)))
    found, placed = elements(system, apply_counting_rules(system, Known())), mask_of(mines)
    assert found.safe & placed == found.mines & ~placed == 0
    assert found.settled.bit_count() > 500
