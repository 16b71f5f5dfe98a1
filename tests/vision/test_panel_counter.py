from __future__ import annotations

import pytest

from bot.board import Board, Cell, State
from bot.geometry import Rect
from bot.vision.panel import Number, find_counter
from bot.vision.panel.counter import NumbersLook, counter_over

FRESH = Board.covered(9, 9, None)


def number(value: int, total: int | None = None, x: int = 0) -> Number:
    return Number(value, total, Rect(x, 0, 20, 10))


def flagged(board: Board, flags: int) -> Board:
    return board.replace(dict.fromkeys(list(board)[:flags], 10))


def counted(board: Board, *numbers: Number, right: bool | None = None) -> int | None:
    counter = find_counter([*numbers], board.states, right)
    return None if counter is None else counter.mines_left


def test_counter_of_a_fresh_board_beside_a_timer() -> None:
    assert counted(FRESH, number(10), number(0, x=50)) == 10
    assert counted(FRESH, Number(0, None, Rect(0, 0, 6, 10)), number(12, x=50)) is None
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
    assert counted(FRESH, number(0, 5)) is None  # lives, perhaps
    assert counted(flagged(FRESH, 2), number(2, 50)) == 48  # a hard board


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


def test_display_beside_a_timer_at_zero_counts_the_mines_of_a_fresh_board() -> None:
    custom = Board.covered(16, 30, None)
    assert counted(custom, number(200), number(0, x=50)) == 200
    assert counted(flagged(custom, 1), number(200), number(0, x=50)) is None
    assert counted(custom, number(200), number(1, x=50)) is None
    assert counted(custom, number(470), number(0, x=50)) is None  # hardly a cell would be free


@pytest.mark.parametrize("right", [False, True])
def test_side_of_the_counter_tells_it_from_the_timer(right: bool) -> None:
    board = flagged(Board.covered(12, 18, None), 2)
    left, right_one = number(30), number(40, x=50)
    assert counted(board, left, right_one) is None
    assert counted(board, left, right_one, right=right) == (40 if right else 30)
    assert counted(board, left, right=right) is None


def test_usual_total_is_believed_where_a_cell_cannot_be_read() -> None:
    hidden = FRESH.replace({Cell(4, 4): State.UNREADABLE})
    assert counted(hidden, number(10), number(0, x=50)) == 10
    assert counted(hidden, number(9), number(0, x=50)) is None  # a flag may be below
    assert counted(hidden, number(0, 10)) == 10


def seen(time: float, board: Board, *values: int) -> NumbersLook:
    numbers = tuple(number(value, x=50 * place) for place, value in enumerate(values))
    return NumbersLook(time, numbers, board.states)


def test_number_that_grows_with_the_seconds_is_the_timer() -> None:
    board = Board.covered(16, 30, None)
    looks = [seen(5.0, flagged(board, 2), 118, 7), seen(6.0, flagged(board, 3), 117, 8)]
    assert counter_over(looks) is None  # too early
    looks += [seen(9.3, flagged(board, 5), 115, 11)]
    found = counter_over(looks)
    assert found is not None
    assert (found.mines_left, found.total, found.box.x) == (115, 120, 0)


def test_numbers_that_do_neither_leave_it_open() -> None:
    board = Board.covered(16, 30, None)
    still = [seen(5.0, board, 118, 7), seen(9.0, board, 118, 7)]
    assert counter_over(still) is None
    both = [seen(5.0, board, 118, 7), seen(9.0, board, 122, 11)]
    assert counter_over(both) is None
    alone = [seen(5.0, board, 118), seen(9.0, board, 118)]
    assert counter_over(alone) is None
    assert counter_over([]) is None
