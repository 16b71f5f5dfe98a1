"""What is concluded of games whose board does not show how they ended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, Cell, State
from bot.geometry import Frame
from bot.player.endings import DEAF, SIGN, after_silence, below_a_cover
from bot.player.look import Look, Past, doubt_about
from bot.vision.reading import Doubt
from simulated import reading_of

OPENED = Board.from_rows(["0001....", "0001....", "0001...."], 4)
CLICKED = Cell(0, 4)
PAST = Past(OPENED, frozenset({Cell(0, 0), CLICKED}))


def look_at(board: Board, doubt: Doubt = Doubt.STRANGE) -> Look:
    doubts = dict.fromkeys(board.cells(State.UNREADABLE), doubt)
    reading = replace(reading_of(board), doubts=doubts)
    return Look(Frame(np.zeros((1, 1, 3), np.uint8)), reading, "cells cannot be read")


def test_a_clicked_cell_that_shows_no_number_and_a_silent_game_are_a_loss() -> None:
    exploded = look_at(OPENED.replace({CLICKED: State.UNREADABLE, Cell(2, 6): State.UNREADABLE}))
    ended = after_silence(exploded, PAST, 0.0, sign=False)
    assert ended is not None
    assert (ended.over, ended.won, ended.doubt, ended.concluded) == (True, False, None, DEAF)


def test_cells_that_changed_by_themselves_are_none() -> None:
    """A hint, a highlight or a slow repaint changes cells that nobody has clicked."""
    lit = look_at(OPENED.replace({Cell(1, 5): State.UNREADABLE, Cell(2, 6): State.UNREADABLE}))
    assert after_silence(lit, PAST, 0.3, sign=False) is None


@pytest.mark.parametrize("doubt", [Doubt.POINTER, Doubt.COVERED])
def test_a_clicked_cell_that_something_hides_is_none(doubt: Doubt) -> None:
    hidden = look_at(OPENED.replace({CLICKED: State.UNREADABLE}), doubt)
    assert after_silence(hidden, PAST, 0.3, sign=False) is None


def test_a_sign_beside_the_board_tells_only_of_a_guess() -> None:
    ended = after_silence(look_at(OPENED), PAST, 0.3, sign=True)
    assert ended is not None
    assert (ended.won, ended.concluded) == (False, SIGN)
    assert after_silence(look_at(OPENED), PAST, 0.0, sign=True) is None


def test_nobody_knows_how_a_silent_game_ended_whose_closed_cells_may_all_be_mines() -> None:
    """It may have been won before the last click."""
    board = Board.from_rows(["0002.", "0003.", "0002."])
    ended = after_silence(look_at(board), Past(board, frozenset({Cell(1, 4)})), 0.5, sign=True)
    assert ended is not None
    assert (ended.over, ended.won) == (True, None)


def test_nobody_knows_how_a_silent_game_ended_in_which_every_unread_cell_may_be_open() -> None:
    board = Board.from_rows(["-1.", "-1.", "-11"], 2)
    ended = after_silence(look_at(board), Past(board, frozenset({Cell(0, 0)})), 0.0, sign=False)
    assert ended is not None
    assert (ended.over, ended.won) == (True, None)


def test_a_box_over_a_game_that_goes_on_ends_nothing() -> None:
    boxed = look_at(OPENED.replace(dict.fromkeys(OPENED.cells(State.COVERED), State.UNREADABLE)))
    assert below_a_cover(boxed, PAST, 0.0) is None


def test_a_part_of_a_board_tells_nothing_of_its_end() -> None:
    part = look_at(Board(np.full((2, 3), State.UNREADABLE, np.int8)))
    assert below_a_cover(part, PAST, 0.5) is None
    assert after_silence(part, PAST, 0.5, sign=True) is None


def test_the_end_below_a_box_is_unknown_after_a_guess_and_a_win_after_the_last_safe_cell() -> None:
    board = Board.from_rows(["001..", "001.1", "00111"], 1)
    past = Past(board, frozenset({Cell(0, 0), Cell(0, 3), Cell(0, 4)}))
    boxed = look_at(board.replace(dict.fromkeys(board.cells(State.COVERED), State.UNREADABLE)))
    unseen, won = below_a_cover(boxed, past, 0.5), below_a_cover(boxed, past, 0.0)
    assert unseen is not None
    assert won is not None
    assert (unseen.over, unseen.won) == (True, None)
    assert (won.over, won.won) == (True, True)


def test_a_game_may_leave_closed_what_touches_the_corners_of_blank_cells() -> None:
    assert doubt_about(reading_of(Board.from_rows(["01.", "1..", "..."])), None) is None
    assert doubt_about(reading_of(Board.from_rows(["0..", "1.."])), None) is not None
