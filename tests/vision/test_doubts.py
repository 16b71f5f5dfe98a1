from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.geometry import Grid
from bot.vision.reading import Doubt, GameState, Panel, Reading, doubt_words, doubts_of


def reading(rows: list[str], doubts: dict[Cell, Doubt] | None = None) -> Reading:
    board = Board.from_rows(rows)
    grid = Grid(0, 0, 16, 16, board.rows, board.cols)
    confidence = np.ones(board.shape, np.float32)
    return Reading(grid, board, Panel(), GameState.RUNNING, "drawn", 1.0, confidence, doubts or {})


def test_array_of_doubts_becomes_cells() -> None:
    codes = np.zeros((2, 3), np.int8)
    codes[0, 2], codes[1, 0] = Doubt.POINTER, Doubt.OUTSIDE
    assert doubts_of(codes) == {Cell(0, 2): Doubt.POINTER, Cell(1, 0): Doubt.OUTSIDE}


def test_board_read_whole_has_no_doubt() -> None:
    assert doubt_words(reading(["..1", "..1"])) is None


def test_words_name_the_place() -> None:
    assert doubt_words(reading(["..1", ".-1"])) == "1 cell cannot be read, the one at row 1, column 1"
    assert doubt_words(reading(["-.1", ".-1"])) == "2 cells cannot be read, the first at row 0, column 0"


def test_words_give_the_usual_reason_and_where_it_holds() -> None:
    doubts = {Cell(0, 0): Doubt.POINTER, Cell(1, 1): Doubt.COVERED, Cell(1, 2): Doubt.COVERED}
    words = doubt_words(reading(["-.1", ".--"], doubts))
    assert words == "3 cells cannot be read, the first at row 1, column 1: it is covered by something else"


@pytest.mark.parametrize("doubt", Doubt)
def test_every_doubt_has_words(doubt: Doubt) -> None:
    assert (
        doubt_words(reading(["-1"], {Cell(0, 0): doubt}))
        == f"1 cell cannot be read, the one at row 0, column 0: it {doubt.words}"
    )
    assert doubt.words
