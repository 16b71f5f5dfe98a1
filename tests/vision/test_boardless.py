"""Pictures without a board: one of each kind of thing that looks like one, and none may be taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from boardless import PAINTERS, Painter
from bot.board import Board, Cell, State
from bot.verdict import GameState
from bot.vision import board_reader, load_skins, read_picture
from drawn_boards import draw_board

SKIN = next(skin for skin in load_skins() if skin.name == "winmine")
WIDE, HIGH = 640, 480  # what is looked at, to be quick; the benchmark looks at all


@pytest.mark.parametrize("painter", PAINTERS, ids=lambda painter: painter.__name__)
def test_no_board_is_seen_where_there_is_none(painter: Painter) -> None:
    pixels = painter(np.random.default_rng(1))[:HIGH, :WIDE]
    assert read_picture(pixels, load_skins()) == []


def test_ruled_paper_is_no_fresh_board_of_an_unusual_size() -> None:
    """No number and no button is beside it: a game of 13 x 22 cells would have one or the other."""
    paper = np.full((340, 520, 3), 90, np.uint8)
    paper[28:315, 18:503] = 255
    paper[28:315:22, 18:503] = 170
    paper[28:315, 18:503:22] = 170
    assert read_picture(paper, (), first_sight=True) == []


@pytest.mark.parametrize(("rows", "cols", "found"), [(10, 10, 1), (20, 20, 1), (15, 20, 1), (13, 14, 0)])
def test_a_fresh_board_of_plain_cells_is_seen_if_its_size_is_one_that_people_choose(
    rows: int, cols: int, found: int
) -> None:
    picture = np.full((24 * rows + 60, 24 * cols + 60, 3), 217, np.uint8)
    for top, left in np.ndindex(rows, cols):
        y, x = 30 + 24 * top, 30 + 24 * left
        picture[y : y + 21, x : x + 21] = 240
        picture[y + 1 : y + 20, x + 1 : x + 20] = 230
    assert len(read_picture(picture, (), first_sight=True)) == found


def test_a_fresh_board_of_clear_cells_needs_nothing_beside_it() -> None:
    picture, x, y = draw_board(SKIN, Board.covered(7, 11, 12))
    (reading,) = read_picture(picture[y - 8 : y + 7 * 16 + 8, x - 8 : x + 11 * 16 + 8], (), first_sight=True)
    assert reading.board.lines() == ["." * 11] * 7


def test_marks_on_a_board_without_numbers_are_no_reason_to_leave_it_out() -> None:
    flags = dict.fromkeys((Cell(row, (4 * row) % 9) for row in range(7)), State.FLAG)
    picture, x, y = draw_board(SKIN, Board.covered(9, 9, 10).replace(flags))
    (reading,) = read_picture(picture[y - 8 : y + 9 * 16 + 8, x - 8 : x + 9 * 16 + 8], (), first_sight=True)
    assert reading.board.cells(State.FLAG) == sorted(flags)


def test_words_over_a_game_that_is_lost_at_once_do_not_hide_the_board() -> None:
    board = Board.from_rows(["1..**...X", "*........", *["........."] * 5, "*...*...*", "..*.....*"])
    picture, x, y = draw_board(SKIN, board)
    picture = picture[y - 10 : y + 9 * 16 + 10, x - 10 : x + 9 * 16 + 10].repeat(2, 0).repeat(2, 1)
    for row, words in enumerate(("Game", "Over")):
        place = 70, 140 + 56 * row
        cv2.putText(picture, words, place, cv2.FONT_HERSHEY_SIMPLEX, 2, (40, 40, 198), 9, cv2.LINE_AA)
    (reading,) = read_picture(picture, (), first_sight=True)
    assert reading.state is GameState.LOST


def chart(coloured: int) -> bool:
    """Return whether pale squares of which some have another colour are taken for a fresh board."""
    picture = np.full((200, 560, 3), 255, np.uint8)
    squares = picture[40:152, 40:520].reshape(7, 16, 30, 16, 3)
    squares[:, 2:15, :, 2:15] = 245
    for place in range(coloured):
        squares[2 * (place // 7), 2:15, 4 * (place % 7) + 1, 2:15] = (100, 190, 120)
    return bool(read_picture(picture, (), first_sight=True))


def test_covered_cells_look_alike_but_for_the_one_below_the_pointer(monkeypatch: pytest.MonkeyPatch) -> None:
    # A chart may have a face, too
    monkeypatch.setattr(board_reader, "read_face", lambda *_: GameState.RUNNING)
    assert chart(1)
    assert not chart(7)


def puzzle(pairs: list[tuple[int, int]]) -> bool:
    """Return whether pairs of numbers among covered cells are taken for a running game."""
    board = Board.covered(9, 9, 10)
    board = board.replace({Cell(row, col + more): 1 for row, col in pairs for more in (0, 1)})
    return bool(read_picture(draw_board(SKIN, board)[0], (), first_sight=True))


def test_numbers_in_many_places_need_a_blank_cell() -> None:
    assert puzzle([(1, 1), (2, 2)])
    assert not puzzle([(1, 1), (1, 6), (4, 4), (7, 1), (7, 6)])
