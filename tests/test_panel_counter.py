from __future__ import annotations

import pytest

from bot.board import Board
from bot.geometry import Rect
from bot.vision.panel import Number, find_counter

FRESH = Board.covered(9, 9, None)


def number(value: int, total: int | None = None, x: int = 0) -> Number:
    return Number(value, total, Rect(x, 0, 20, 10))


def flagged(board: Board, flags: int) -> Board:
    return board.replace(dict.fromkeys(list(board)[:flags], 10))


def counted(board: Board, *numbers: Number) -> int | None:
    counter = find_counter([*numbers], board.states)
    return None if counter is None else counter.mines_left


def test_counter_of_a_fresh_board_beside_a_timer() -> None:
    assert counted(FRESH, number(10), number(0, x=50)) == 10
    assert counted(FRESH, number(0), number(12, x=50)) is None
    found = find_counter([number(0), number(10, x=50)], FRESH.states)
    assert found is not None
    assert found.box.x == 50


def test_usual_total_is_believed_beside_a_timer_that_runs() -> None:
    board = flagged(FRESH, 3)
    assert counted(board, number(7), number(15)) == 7
    assert counted(Board.covered(16, 30, None), number(99), number(100)) == 99


def test_two_numbers_that_may_count_the_mines_leave_it_open() -> None:
    board = Board.covered(12, 18, None)
    assert counted(board, number(30), number(40)) is None
    assert counted(board, number(30), number(30, x=50)) == 30
    assert counted(board, number(30), number(400)) == 30


def test_unusual_total_needs_the_timer_beside_it() -> None:
    """Else it may be the timer itself that was read, and not the counter."""
    board = Board.covered(12, 18, None)
    assert counted(board, number(30)) is None
    assert counted(board, number(30), Number(0, None, Rect(50, 4, 30, 24))) is None
    assert counted(board, number(30), Number(0, None, Rect(50, 1, 30, 9))) == 30


def test_unusual_total_among_many_numbers_is_not_believed() -> None:
    board = Board.covered(12, 18, None)
    assert counted(board, number(30), number(0, x=50)) == 30
    assert counted(board, number(30), number(0, x=50), number(1, x=90)) is None
    strokes = [Number(value, None, Rect(x, 0, 5, 10)) for value, x in ((30, 0), (1, 50))]
    assert counted(board, *strokes) is None


def test_too_many_flags_make_the_counter_negative() -> None:
    assert counted(flagged(FRESH, 12), number(-2), number(200)) == -2


@pytest.mark.parametrize(
    ("value", "flags", "left"), [(3, 3, 7), (7, 3, 7), (10, 0, 10), (0, 0, 10), (5, 5, 5)]
)
def test_share_of_flags_or_of_mines_left(value: int, flags: int, left: int) -> None:
    assert counted(flagged(FRESH, flags), number(value, 10)) == left


def test_share_that_the_board_does_not_show_is_no_counter() -> None:
    assert counted(flagged(FRESH, 2), number(4, 10)) is None
    assert counted(FRESH, number(0, 60)) is None


def test_no_number_is_no_counter() -> None:
    assert counted(FRESH) is None
    assert counted(FRESH, number(0), number(2011), number(60)) is None


def test_flag_that_cannot_be_read_leaves_it_open() -> None:
    assert counted(Board.from_rows(["-........", "........."]), number(4)) is None


def test_total_has_to_fit_the_numbers() -> None:
    opened = Board.from_rows(["........."] * 4 + ["..8......"])
    assert counted(opened, number(7), number(0)) is None
    assert counted(opened, number(9), number(0)) == 9
    little_room = Board.from_rows(["11111", "1...1", "11111"] * 4)
    assert counted(little_room, number(11), number(0)) == 11
    assert counted(little_room, number(14), number(0)) is None
