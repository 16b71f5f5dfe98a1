"""The benches and their tools: how readings are judged, and how damaged files are read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.measured import Record, compared
from bot.board import Board, Cell
from bot.geometry import Grid
from bot.verdict import GameState
from bot.vision import Reading
from true_pictures import TrueBoard, TruePicture

ROWS = ("1.F.", "12..", "01..", "0111")
GRID = Grid(40.0, 60.0, 20.0, 20.0, 4, 4)
PIXELS = np.zeros((200, 200, 3), np.uint8)


def board(rows: Sequence[str] = ROWS) -> Board:
    return Board.from_rows(rows)


def truth(hidden: Sequence[Cell] = ()) -> TruePicture:
    mask = np.zeros((4, 4), np.bool_)
    for cell in hidden:
        mask[cell] = True
    return TruePicture(PIXELS, [TrueBoard(GRID, board().states, mask, GameState.RUNNING)], {"kind": "test"})


def reading(grid: Grid = GRID, seen: Board | None = None) -> Reading:
    seen = seen or board()
    return Reading(grid, seen, "unknown")


def judged(*readings: Reading, hidden: Sequence[Cell] = ()) -> Record:
    (record,) = compared("one", truth(hidden), readings)
    return record


@pytest.mark.parametrize(
    ("grid", "rows", "right_place", "counts"),
    [
        (GRID.moved(1.9, -1.9), ROWS, (True, True, True), (16, 0, 0)),
        # A grid that is a little off is not exact, but its cells count.
        *[
            (grid, ROWS, (True, False, True), (16, 0, 0))
            for grid in (
                GRID.moved(2.1, 0),
                GRID.moved(0, -2.1),
                replace(GRID, pitch_x=20.11),
                replace(GRID, pitch_y=19.89),
            )
        ],
        # the reading has "1.F", "12.", "01." and "011" in place of ".F.", "2..", "1.." and "111"
        (GRID.moved(20, 0), ROWS, (True, False, False), (4, 8, 4)),
        (replace(GRID.moved(0, 20), rows=3), ROWS[1:], (False, False, False), (12, 0, 4)),
        (GRID, ("2.F.", *ROWS[1:]), (True, True, False), (15, 1, 0)),
        (GRID, ("-.F.", *ROWS[1:]), (True, True, False), (15, 0, 1)),
    ],
)
def test_a_reading_is_judged_by_its_place_and_its_cells(
    grid: Grid, rows: Sequence[str], right_place: tuple[bool, bool, bool], counts: tuple[int, int, int]
) -> None:
    record = judged(reading(grid, board(rows)))
    assert record.found
    assert (record.shape, record.exact, record.perfect) == right_place
    assert (record.right, record.wrong, record.unread) == counts
    assert (record.cells, record.false, record.confused.get("1 as 2", 0)) == (16, 0, rows[0][0] == "2")


@pytest.mark.parametrize(
    ("true", "seen", "fact"), [(None, 7, ""), (7, None, "unread"), (7, 7, "right"), (7, 8, "wrong")]
)
def test_mine_counter_is_judged_if_it_is_known(true: int | None, seen: int | None, fact: str) -> None:
    picture = TruePicture(PIXELS, [TrueBoard(GRID, board().states, mines_left=true)])
    (record,) = compared("one", picture, [replace(reading(), mines_left=seen)])
    assert record.counter == fact
    (missed,) = compared("one", picture, [])
    assert missed.counter == ("" if true is None else "unread")


def test_what_is_read_of_hidden_cells_does_not_count() -> None:
    record = judged(reading(seen=board(("-.1.", *ROWS[1:]))), hidden=[Cell(0, 0), Cell(0, 2)])
    assert record.perfect
    assert record.cells == 14


def test_a_board_that_is_missing_has_no_cell_read_and_a_board_elsewhere_is_false() -> None:
    record = judged(reading(GRID.moved(300, 0)))
    assert (record.found, record.exact, record.perfect, record.state) == (False,) * 4
    assert (record.cells, record.right, record.unread, record.false) == (16, 0, 16, 1)
    (nothing,) = compared("none", TruePicture(PIXELS, []), [reading()])
    assert (nothing.board, nothing.cells, nothing.false) == (-1, 0, 1)


def test_each_board_of_a_picture_gets_its_own_reading() -> None:
    other = TrueBoard(GRID.moved(100, 0), board().states)
    both = TruePicture(PIXELS, [*truth().boards, other])
    records = compared("two", both, [reading(other.grid), reading()], seconds=1.5)
    assert [(each.perfect, each.of, each.false, each.seconds) for each in records] == [
        (True, 2, 0, 1.5),
        (True, 2, 0, 0.0),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
@pytest.mark.usefixtures("kernel")
def test_damaged_files_do_no_harm() -> None:
    bench = [sys.executable, str(Path(__file__).parent), "fuzz", "--files", "2"]
    done = subprocess.run(bench, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for kind in ("pictures", "boards", "records", "skins", "experience"):
        assert kind in done.stdout
