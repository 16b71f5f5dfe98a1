"""Which number beside a board counts its mines: at one look, or once a timer has told itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from bot.board import Board, Cell, State
from bot.errors import SkinError
from bot.geometry import Frame, Grid, Pixels, Point, Rect
from bot.vision import load_skin, load_skins
from bot.vision.panel.counter import CounterFinder, find_counter
from bot.vision.panel.panel_numbers import Number
from bot.vision.reading import Reading
from bot.vision.skin import save_skin
from displays import draw_counter
from drawn_boards import draw_board

NOTHING, GRID = np.zeros((1, 1, 3), np.uint8), Grid(0, 0, 16, 16, 9, 9)
FRESH = Board.covered(9, 9, None)
CUSTOM, EXPERT = Board.covered(12, 18, None), Board.covered(16, 30, None)
HIDDEN = FRESH.replace({Cell(4, 4): State.UNREADABLE})
EIGHT = Board.from_rows(["........."] * 4 + ["..8......"])
LITTLE_ROOM = Board.from_rows(["11111", "1...1", "11111"] * 4)
SHARES = ((3, 3, 7), (7, 3, 7), (10, 0, 10), (0, 0, 10), (5, 5, 5))  # value, flags, mines left


def number(value: int, total: int | None = None, x: int = 0) -> Number:
    return Number(value, total, Rect(x, 0, 20, 10))


def flagged(board: Board, flags: int) -> Board:
    return board.replace(dict.fromkeys(list(board)[:flags], 10))


def counted(board: Board, *numbers: Number, right: bool | None = None) -> int | None:
    counter = find_counter([*numbers], board.states, right)
    return None if counter is None else counter.mines_left


def beside(value: int) -> Number:
    return number(value, x=50)


@pytest.mark.parametrize(
    ("board", "numbers", "left"),
    [
        (FRESH, [], None),
        (FRESH, [number(10), beside(0)], 10),  # a timer beside it
        (FRESH, [Number(0, None, Rect(0, 0, 6, 10)), beside(12)], None),
        (FRESH, [number(0), number(2011), number(60)], None),
        # A usual total is believed beside a timer that runs.
        (flagged(FRESH, 3), [number(7), number(15)], 7),
        (EXPERT, [number(99), number(100)], 99),
        # Two numbers that may count the mines leave it open.
        (CUSTOM, [number(30), number(40)], None),
        (CUSTOM, [number(30), beside(30)], 30),
        (CUSTOM, [number(30), number(400)], 30),
        # An unusual total needs the timer beside it: else it may be the timer itself that was read.
        (CUSTOM, [number(30)], None),
        (CUSTOM, [number(30), Number(0, None, Rect(50, 4, 30, 24))], None),
        (CUSTOM, [number(30), Number(0, None, Rect(50, 1, 30, 9))], 30),
        # Among many numbers it is not believed.
        (CUSTOM, [number(30), beside(0)], 30),
        (CUSTOM, [number(30), beside(0), number(1, x=90)], None),
        (CUSTOM, [Number(30, None, Rect(0, 0, 5, 10)), Number(1, None, Rect(50, 0, 5, 10))], None),
        # Too many flags make the counter negative.
        (flagged(FRESH, 12), [number(-2), number(200)], -2),
        # A share of flags or of mines left.
        *[(flagged(FRESH, flags), [number(value, 10)], left) for value, flags, left in SHARES],
        (flagged(FRESH, 2), [number(4, 10)], None),
        (FRESH, [number(0, 60)], None),
        (FRESH, [number(0, 5)], None),  # lives, perhaps
        (flagged(FRESH, 2), [number(2, 50)], 48),  # a hard board
        # What cannot be read may be a flag.
        (Board.from_rows(["-........", "........."]), [number(4)], None),
        (HIDDEN, [number(10), beside(0)], 10),
        (HIDDEN, [number(9), beside(0)], None),
        (HIDDEN, [number(0, 10)], 10),
        # The total has to fit the numbers.
        (EIGHT, [number(7), number(0)], None),
        (EIGHT, [number(9), number(0)], 9),
        (LITTLE_ROOM, [number(11), number(0)], 11),
        (LITTLE_ROOM, [number(14), number(0)], None),
        # A display beside a timer at zero counts the mines of a fresh board.
        (EXPERT, [number(200), beside(0)], 200),
        (flagged(EXPERT, 1), [number(200), beside(0)], None),
        (EXPERT, [number(200), beside(1)], None),
        (EXPERT, [number(470), beside(0)], None),  # hardly a cell would be free
    ],
)
def test_the_number_that_counts_the_mines(board: Board, numbers: list[Number], left: int | None) -> None:
    assert counted(board, *numbers) == left


@pytest.mark.parametrize("right", [False, True])
def test_side_of_the_counter_tells_it_from_the_timer(right: bool) -> None:
    board = flagged(CUSTOM, 2)
    assert counted(board, number(30), beside(40)) is None
    assert counted(board, number(30), beside(40), right=right) == (40 if right else 30)
    assert counted(board, number(30), right=right) is None


SKIN = next(skin for skin in load_skins() if skin.name == "winmine")
BOARD = Board.covered(12, 18, None).replace({Cell(0, 0): 1})


def window(board: Board, mines_left: int, seconds: int) -> tuple[Pixels, Grid]:
    """Draw a window with the mine counter on the left and the timer on the right."""
    assert SKIN.counter is not None
    pixels, x, y = draw_board(SKIN, board, mines_left)
    timer = structs.replace(SKIN.counter, side="right", x=-44)
    draw_counter(pixels, timer, x, y, x + 16 * board.cols, seconds)
    return pixels, Grid(x, y, 16, 16, *board.shape)


def look(
    counting: CounterFinder, time: float, mines_left: int, board: Board = BOARD, *, first: bool = False
) -> Reading:
    """Look at a window whose timer shows 40 at time 0."""
    drawn = board.replace(dict.fromkeys(board.cells(State.UNREADABLE), State.COVERED))
    pixels, grid = window(drawn, mines_left, round(40 + time))
    reading = Reading(grid, board, "unknown")
    return counting.read(Frame(pixels, Point(0, 0), time), reading, first=first)


def test_counter_is_told_by_the_timer_that_ticks_beside_it() -> None:
    counting = CounterFinder()
    assert look(counting, 0, 38, first=True).board.mines is None  # 40 is a total too
    assert look(counting, 1.2, 38).board.mines is None
    found = look(counting, 3.3, 38)
    assert (found.board.mines, found.mines_left) == (38, 38)
    assert counting.right is False
    fresh = Board(BOARD.replace({Cell(0, 0): State.COVERED}).states)
    assert look(counting, 100, 31, fresh, first=True).board.mines == 31  # the next game, at first sight


def test_total_is_not_believed_while_cells_that_may_be_flags_cannot_be_read() -> None:
    """Flags of unknown art are often not recognised until some cells are open."""
    flags = [Cell(5, col) for col in range(3)]
    seen = BOARD.replace(dict.fromkeys(flags, State.FLAG))
    unread = BOARD.replace(dict.fromkeys(flags, State.UNREADABLE))
    counting, looks = CounterFinder(), ((0, unread), (3, unread), (6, seen), (9, seen), (12, unread))
    totals = [look(counting, time, 38, board, first=time == 0).board.mines for time, board in looks]
    assert totals == [None, None, 41, 41, 41]
    counting.refuse(41)
    assert look(counting, 15, 38, unread).board.mines is None


def test_one_look_without_unread_cells_is_enough_for_the_total() -> None:
    opened, unread = BOARD.replace({Cell(0, 1): 2}), BOARD.replace({Cell(0, 1): State.UNREADABLE})
    for boards in ((opened, unread), (unread, opened)):
        counting = CounterFinder()
        totals = [
            look(counting, 3 * time, 38, board, first=not time).board.mines
            for time, board in enumerate(boards)
        ]
        assert totals == [None, 38]


def test_timer_that_shows_the_usual_total_for_a_second_is_not_the_counter() -> None:
    counting, board = CounterFinder(), FRESH.replace({Cell(0, 0): 1})
    assert look(counting, -30, 24, board, first=True).board.mines is None  # the timer shows 10
    assert look(counting, -27, 24, board).board.mines == 24


def test_usual_total_is_believed_if_it_stays() -> None:
    counting, board = CounterFinder(), FRESH.replace({Cell(0, 0): 1})
    assert look(counting, 1000, 10, board, first=True).board.mines is None  # a timer may show it, too
    assert look(counting, 1003, 10, board).board.mines == 10
    fresh = CounterFinder()
    assert look(fresh, 0, 10, FRESH, first=True).board.mines == 10  # no timer runs yet


def test_side_of_the_counter_yields_to_the_usual_total() -> None:
    assert counted(flagged(FRESH, 2), number(13), number(8, x=50), right=False) == 8


def test_counter_beside_the_total_that_it_and_the_flags_add_up_to() -> None:
    board = flagged(CUSTOM, 9)
    assert counted(board, number(50), number(41), number(17), beside(20)) == 41
    assert counted(board, number(50), number(40), number(17), beside(20)) is None
    assert counted(flagged(EXPERT, 9), number(89), number(80), number(17), beside(20)) is None


def test_counter_of_a_won_game_is_zero_although_its_mines_are_shown() -> None:
    won = FRESH.replace({cell: State.MINE if cell.row == 0 or cell == (1, 0) else 0 for cell in FRESH})
    assert counted(won, number(0), number(23, x=50)) == 0
    assert counted(won.replace({Cell(0, 0): State.COVERED}), number(0), number(23, x=50)) is None


def first_look(counting: CounterFinder, time: float, board: Board, left: int, first: bool = False) -> Reading:
    reading = Reading(GRID, Board(board.states, left), "winmine", left)
    return counting.read(Frame(NOTHING, Point(0, 0), time), reading, first=first)


def test_total_of_one_look_is_dropped_until_two_looks_agree() -> None:
    counting = CounterFinder()
    totals = [
        first_look(counting, time, FRESH, left, first=time == 0).board.mines
        for time, left in enumerate((18, 10, 10, 10))
    ]
    assert totals == [18, None, 10, 10]
    assert counting.agreed
    assert first_look(counting, 4, FRESH, 12).board.mines == 12  # whoever asks sees the contradiction


def test_total_of_a_look_with_unread_cells_does_not_contradict_a_known_one() -> None:
    """Words over the board at its end may hide flags that the game has set."""
    counting, looks = CounterFinder(), [FRESH, HIDDEN, HIDDEN, FRESH, FRESH]
    totals = [
        first_look(counting, time, board, left, first=time == 0).board.mines
        for time, (board, left) in enumerate(zip(looks, (10, 9, 9, 10, 9), strict=True))
    ]
    assert totals == [10, 10, 10, 10, 9]


def test_refused_total_is_not_believed_again_in_the_game() -> None:
    counting = CounterFinder()
    for time in (0, 1):
        assert first_look(counting, time, FRESH, 18, first=time == 0).board.mines == 18
    counting.refuse(18)
    assert first_look(counting, 2, FRESH, 18).board.mines is None
    assert first_look(counting, 3, FRESH, 10).board.mines == 10
    assert first_look(counting, 4, FRESH, 18, first=True).board.mines == 18  # the next game


def test_side_of_the_counter_is_kept_with_the_skin(tmp_path: Path) -> None:
    plain = replace(SKIN, counter=None)
    for name, right in (("none", None), ("left", False), ("right", True)):
        save_skin(replace(plain, counter_right=right), tmp_path / name)
        assert load_skin(tmp_path / name).counter_right is right
    text = (tmp_path / "left" / "skin.toml").read_text(encoding="utf-8")
    (tmp_path / "left" / "skin.toml").write_text(text.replace('"left"', '"above"'), encoding="utf-8")
    with pytest.raises(SkinError, match="counter_side"):
        load_skin(tmp_path / "left")
