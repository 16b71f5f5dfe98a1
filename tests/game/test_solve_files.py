"""Board files: both notations, told apart by themselves, and what is wrong with a file, and where."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given

from bot.board import Board, Cell
from bot.errors import BoardFormatError
from bot.game.board_files import (
    LARGEST_BOARD,
    LARGEST_FILE,
    Notation,
    Place,
    read_board,
    text_of,
    written,
)
from strategies import positions

BOARD = read_board("2 x 3 / 2\n1..\n.*.").board


@pytest.mark.parametrize(
    "text",
    [
        "2 3 2\n1 9 9\n9 -1 9",
        "3 2 2\n1 9 9\n9 -1 9",  # columns before rows
        "2\n3\n2\n1 9 9\n9 -1 9",
        "2 3\n2\n1 9 9\n9 -1 9",
        "2 3\n1 9 9\n9 -1 9\n2",
        "2\n1 9 9\n9 -1 9",
        "1 9 9\n9 -1 9\n2",
        "  2 3   2\r\n\r\n 1  9  9\r\n 9 -1  9\r\n\r\n",
        "2,3,2\n1,9,9\n9,-1,9",
    ],
)
def test_variants_of_the_notation_of_urbas(text: str) -> None:
    found = read_board(text)
    assert found.notation is Notation.URBAS
    assert found.board == BOARD


@pytest.mark.parametrize("text", ["2 3 0\n1 9 9\n9 -1 9", "2 3\n1 9 9\n9 -1 9", "1 9 9\n9 -1 9"])
def test_a_total_that_is_unknown(text: str) -> None:
    assert read_board(text).board == Board(BOARD.states, None)


@pytest.mark.parametrize(
    "text", ["2 x 3 / 2\n1..\n.*.", "2X3/2\n\n  1..\n  .*.\n", "\n2 x 3 / 2\r\n1..\r\n.*."]
)
def test_our_notation(text: str) -> None:
    found = read_board(text)
    assert found.notation is Notation.MINEBOT
    assert found.board == BOARD


def test_our_notation_without_its_first_line() -> None:
    assert read_board("1..\n.*.").board == Board(BOARD.states, None)


def test_a_column_of_numbers_is_of_urbas() -> None:
    assert read_board("1\n9").board == read_board("2 x 1 / ?\n1\n.").board
    assert read_board("1\n.").board == read_board("2 x 1 / ?\n1\n.").board


def test_a_notation_can_be_forced() -> None:
    assert read_board("12\n11", Notation.MINEBOT).board == read_board("2 x 2 / ?\n12\n11").board
    with pytest.raises(BoardFormatError, match="line 1, column 1: 12 is not a cell"):
        read_board("12\n11", Notation.URBAS)


@given(positions())
def test_what_is_written_is_read_again(board: Board) -> None:
    ours = read_board(written(board, Notation.MINEBOT))
    assert (ours.board, ours.notation) == (board, Notation.MINEBOT)
    his = read_board(written(board, Notation.URBAS))
    assert his.notation is Notation.URBAS
    assert his.board == Board(board.states, board.mines or None)  # his 0 is unknown


def test_places_of_cells_and_of_the_total() -> None:
    his = read_board("\n 2 3  2\n1 9 9\n9 -1  9")
    assert his.total == Place(2, 7)
    assert his.place(Cell(1, 2)) == Place(4, 7)
    ours = read_board("2 x 3 / 2\n1..\n  .*.")
    assert ours.total == Place(1, 9)
    assert ours.place(Cell(1, 2)) == Place(3, 5)
    assert str(ours.place(Cell(0, 0))) == "line 2, column 1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        (" ;\n,\n", "it is empty"),
        ("2 x 2 / 1", "line 2, column 1: the board ends after 0 rows"),
        ("2 x 2 / 1\n..\n.z", "line 3, column 2: 'z' is not a cell"),
        ("2 x 2 / 1\n..\n. .", "line 3, column 3: this cell is one too many: line 1 says 2 columns"),
        ("2 x 2 / 1\n..\n.", "line 3, column 2: the row ends after cell 1, but line 1 says 2 columns"),
        ("2 x 2 / 1\n..\n..\n..", "line 4, column 1: this row is one too many: line 1 says 2 rows"),
        ("3 x 2 / 1\n..\n..", "line 4, column 1: the board ends after 2 rows, but line 1 says 3"),
        ("2 x 2 / many\n..\n..", "line 1, column 1: it must read 'rows x cols / mines'"),
        ("0 x 0 / 0\n..", "line 1, column 1: a board needs at least one row"),
        ("..\n...", "line 2, column 3: this cell is one too many: the row in line 1 has 2 columns"),
        ("...\n..", "line 2, column 3: the row ends after cell 2"),
        ("2 2 1\n9 9\n9 x", "line 3, column 3: 'x' is not a valid number"),
        ("2 2 1\n9 9\n9 10", "line 3, column 3: 10 is not a cell"),
        ("2 2 -1\n9 9\n9 9", "line 1, column 5: the number of mines cannot be negative"),
        ("1 -22\n1\n.\n. 1 ..", "line 1, column 1: a board needs at least one row and one column"),
        ("2 2 1\n9 9\n9", "line 3, column 2: the row ends after cell 1, but line 1 says 2 columns"),
        ("3 2 1\n9 9\n9 9\n9 9\n9 9", "line 5, column 1: this row is one too many: line 1 says 3 rows"),
        ("4 2 1\n9 9\n9 9\n9 9", "line 5, column 1: the board ends after 3 rows, but line 1 says 4"),
        ("2 2 1\n9 9\n9 9999999999", "line 3, column 3: '9999999999' is not a valid number"),
        ("9 9 1\n9 9\n9 9 9\n", "line 2, column 4: the row ends after cell 2"),
        ("40\n9 9\n9 9 9\n", "line 3, column 5: this cell is one too many: the row in line 2 has 2"),
        ("one two three\n9 9", "line 1, column 1: 'one' is not a valid number"),
    ],
)
def test_what_is_wrong_with_a_file_and_where(text: str, words: str) -> None:
    with pytest.raises(BoardFormatError) as raised:
        read_board(text)
    assert words in str(raised.value)


def test_files_of_windows_begin_with_marks() -> None:
    text = "2 x 3 / 2\r\n1..\r\n.*.\r\n"
    assert read_board(text_of(codecs.BOM_UTF8 + text.encode())).board == BOARD
    assert read_board(text_of(text.encode("utf-16"))).board == BOARD


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"2 x 2 / 1\n.\xff.", "line 2, column 2: the byte 0xff is not text"),
        (b"\x89PNG\r\n\x1a\n", "line 1, column 1: the byte 0x89 is not text"),
        (b"2 x 2 / 1\n..\n\0.", "line 3, column 1: the byte 0x00 is not text"),
        (b"9" * (LARGEST_FILE + 1), "more than 4 MiB"),
    ],
)
def test_what_is_no_text(data: bytes, words: str) -> None:
    with pytest.raises(BoardFormatError, match=words):
        text_of(data)


def test_a_board_can_be_too_large() -> None:
    with pytest.raises(BoardFormatError, match="more than 250,000 cells"):
        read_board("." * LARGEST_BOARD + "\n" + "." * 100)
