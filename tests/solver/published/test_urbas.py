"""Placements of all mines: against brute force, on large fields, and where there is none."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest

import oracle
import placements
from bot.board import Board
from bot.errors import MissingLibraryError
from bot.game.board_files import read_board
from bot.solver.published.urbas import Method, Puzzle, blame, count_placements, place
from bot.stop import Stop
from strategies import random_board

METHODS = tuple(Method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("first", range(0, 200, 100))
def test_against_brute_force(method: Method, first: int) -> None:
    seen = set()
    for seed in range(first, first + 100):
        board = random_board(seed)
        solutions = len(oracle.solve(board).placements)
        found = place(board, method=method, seed=seed)
        seen.add(min(solutions, 2))
        assert (found is not None) == (solutions > 0), f"{seed}\n{board}"
        if found is None:
            assert blame(board).words
            continue
        second = place(board, method=method, seed=seed, unlike=found)
        assert (second is not None) == (solutions > 1), f"{seed}\n{board}"
        for placement in filter(None, (found, second)):
            assert placements.wrong(board, placement.full) == ""
        if second is not None:
            assert not np.array_equal(found.mines, second.mines)
        assert count_placements(found) == (solutions, 0), f"{seed}\n{board}"
    assert seen == {0, 1, 2}


@pytest.mark.parametrize(("size", "share"), [(100, 0.2), (100, 0.4), (100, 0.6), (250, 0.6)])
def test_large_scattered_fields(size: int, share: float) -> None:
    board = placements.scattered(size, size, size**2 // 5, share, placements.OWN_SEED)
    found = place(board)
    assert found is not None
    assert placements.wrong(board, found.full) == ""
    second = place(board, unlike=found)
    assert second is not None
    assert placements.wrong(board, second.full) == ""
    assert not np.array_equal(found.mines, second.mines)


def test_a_raised_number_on_a_large_field_is_told_and_named() -> None:
    board = placements.scattered(100, 100, 2000, 0.6, placements.OWN_SEED)
    wrong = placements.raised(board, placements.OWN_SEED)
    (cell,) = np.argwhere(board.states != wrong.states).tolist()
    assert place(wrong) is None
    why = blame(wrong)
    assert tuple(cell) in why.cells
    assert "contradict each other" in why.words or "cannot be right" in why.words
    assert not why.total


@pytest.mark.parametrize("method", [Method.AUTO, Method.CONSTRAINTS])
@pytest.mark.parametrize(
    "board",
    [
        placements.knights_of_fours(30),
        placements.lattice_of_fours(30, 223),  # as few mines as there can be, and as many
        placements.lattice_of_fours(30, 481),
    ],
    ids=["knights", "fewest", "most"],
)
def test_fours_in_one_area(board: Board, method: Method) -> None:
    puzzle = Puzzle.of(board)
    assert puzzle is not None
    assert len(puzzle.areas) == 1
    found = place(board, method=method)
    assert found is not None
    assert placements.wrong(board, found.full) == ""


@pytest.mark.parametrize(("mines", "words"), [(222, "at least 223 mines"), (482, "at most 481 mines")])
def test_a_total_that_no_placement_meets(mines: int, words: str) -> None:
    board = placements.lattice_of_fours(30, mines)
    assert place(board) is None
    why = blame(board)
    assert words in why.words
    assert why.total
    assert not why.cells


def test_a_wide_field_is_counted_from_below() -> None:
    board = placements.lattice_of_fours(30)
    found = place(board)
    assert found is not None
    number, too_wide = count_placements(found)
    assert number >= 1
    assert too_wide == board.count(9) - 59  # a row and a column touch no number


class EndedError(Exception):
    pass


def after(calls: int) -> Callable[[], None]:
    left = iter(range(calls))

    def check() -> None:
        if next(left, None) is None:
            raise EndedError

    return check


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("calls", [0, 1, 5])
def test_a_search_ends_when_it_is_told(method: Method, calls: int) -> None:
    board = placements.lattice_of_fours(100, 2457)  # none fits, which takes seconds to see
    threads = threading.active_count()
    with pytest.raises(EndedError):
        place(board, method=method, stop=Stop(after(calls)))
    assert threading.active_count() == threads


def test_without_the_constraint_solver_small_fields_are_placed_and_large_ones_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    assert place(read_board("3 x 3 / 2\n...\n.2.\n...").board) is not None
    with pytest.raises(MissingLibraryError, match=r"needs ortools, .* pip install ortools$"):
        place(placements.lattice_of_fours(30, 223))


def test_a_total_between_those_that_placements_meet() -> None:
    rows = "WW.WW\nWW1WW\n.1.1.\nWWWWW"  # one mine in the middle, or three around it
    fits = [place(read_board(f"4 x 5 / {mines}\n{rows}").board) is not None for mines in range(5)]
    assert fits == [False, True, False, True, False]
    why = blame(read_board(f"4 x 5 / 2\n{rows}").board)
    assert "the total of 2 mines, the 1 at row 2, column 3" in why.words
    assert (len(why.cells), why.total) == (3, True)


@pytest.mark.parametrize(("mines", "fits"), [(29, False), (30, True), (60, True), (61, False), (90, True)])
def test_a_total_that_few_choices_in_many_areas_meet(mines: int, fits: bool) -> None:
    rows = "WW.WW\nWW1WW\n.1.1.\nWWWWW\n"  # one mine in the middle, or three around it
    board = read_board(f"120 x 5 / {mines}\n{30 * rows}").board
    found = place(board, method=Method.URBAS)
    assert (found is not None) == fits
    if found is not None:
        assert placements.wrong(board, found.full) == ""
        second = place(board, method=Method.URBAS, unlike=found)
        assert (second is not None) == (mines == 60)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mines", ["?", 3])
def test_an_area_without_a_placement_that_counting_does_not_see(method: Method, mines: object) -> None:
    board = read_board(f"5 x 3 / {mines}\nW2.\n.1.\nWWW\n...\n1.1").board
    puzzle = Puzzle.of(board)
    assert puzzle is not None
    assert len(puzzle.areas) == 2
    assert place(board, method=method) is None
    assert "the 2 at row 1, column 2 and the 1 at row 2, column 2 contradict each other" in blame(board).words
