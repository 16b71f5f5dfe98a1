"""Cells of which a pointer hides a part: read by what is left of them, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from bench_pointer import art, cases, classic, first_sight, known, measure, screenshots
from bot.board import Board, Cell, State, States
from bot.geometry import Grid, Pixels
from bot.vision import load_skins, read_grid
from bot.vision.cells import Cells
from bot.vision.partial import with_partly_hidden
from bot.vision.pointer import hidden_by
from drawn_boards import draw_board
from drawn_pointers import Pointer

SKIN = next(skin for skin in load_skins() if skin.name == "winmine")
ARROW = Pointer("arrow", 18, dark=False, smooth=False, shadow=False)
BOARD = Board.from_rows(
    [
        "........",
        "..F..?..",
        "........",
        "12321123",
        "00000000",
        "00111000",
        "112.2111",
        "........",
    ]
)
X, Y = 12, 55


def shown(states: States) -> tuple[Pixels, Grid]:
    picture, x, y = draw_board(SKIN, Board(states))
    assert (x, y) == (X, Y)
    return picture, Grid(x, y, 16, 16, *states.shape)


def below(pixels: Pixels, grid: Grid, true: States, *hidden: Cell, unique: bool = False) -> Cells:
    """Return the cells read of which those of ``hidden`` could not be, or look like no others."""
    unread = np.zeros(true.shape, np.bool_)
    unread[tuple(zip(*hidden, strict=True))] = True
    states = true if unique else np.where(unread, State.UNREADABLE, true).astype(np.int8)
    sure = np.where(unread, 0, 1).astype(np.float32)
    visible = np.ones(true.shape, np.bool_)
    return with_partly_hidden(pixels, grid, Cells(states, sure), visible, unread if unique else None)


def test_what_is_left_of_cells_tells_what_they_show() -> None:
    pixels, grid = shown(BOARD.states)
    tip = X + 16 * 3 + 12, Y + 16 * 3 + 10  # over the lower right of a 2 and into the next row
    cells = below(ARROW.over(pixels, *tip), grid, BOARD.states, Cell(3, 3), Cell(3, 4), Cell(4, 4))
    assert cells.states[3, 3] == 2
    assert cells.states[3, 4] in (1, State.UNREADABLE)
    assert 0 < cells.confidence[3, 3] < 0.9
    untouched = np.ones(BOARD.shape, np.bool_)
    untouched[3:5, 3:5] = False
    assert (cells.states == BOARD.states)[untouched].all()


@pytest.mark.parametrize("place", [(1, 3), (1, 2), (4, 1)])
def test_a_cell_whose_middle_is_hidden_stays_unreadable(place: tuple[int, int]) -> None:
    pixels, grid = shown(BOARD.states)
    cell = Cell(*place)
    tip = X + 16 * cell.col + 3, Y + 16 * cell.row
    cells = below(ARROW.over(pixels, *tip), grid, BOARD.states, cell)
    assert cells.states[cell] == State.UNREADABLE


def test_nothing_is_done_where_every_cell_was_read() -> None:
    pixels, grid = shown(BOARD.states)
    cells = Cells(BOARD.states, np.ones(BOARD.shape, np.float32))
    assert with_partly_hidden(pixels, grid, cells, np.ones(BOARD.shape, np.bool_)) is cells


@pytest.mark.parametrize("state", [State.FLAG, State.QUESTION, State.MINE, State.EXPLODED, 7, 8])
def test_a_mark_that_is_nowhere_else_is_no_pointer(state: int) -> None:
    states = np.where(BOARD.states > State.COVERED, State.COVERED, BOARD.states).astype(np.int8)
    cell = Cell(1, 4)
    states[cell] = state
    pixels, grid = shown(states)
    assert below(pixels, grid, states, cell).states[cell] == State.UNREADABLE
    assert below(pixels, grid, states, cell, unique=True).states[cell] == state
    for dx, dy in ((-14, -6), (-9, 3), (6, 9), (11, 2)):
        pointed = ARROW.over(pixels, X + 16 * cell.col + dx, Y + 16 * cell.row + dy)
        near = [Cell(row, col) for row in range(3) for col in range(3, 6)]
        read = below(pointed, grid, states, *near).states
        assert read[cell] in (state, State.UNREADABLE)


def test_a_pointer_that_was_taken_for_a_flag_is_none() -> None:
    pixels, grid = shown(BOARD.states)
    pointed = ARROW.over(pixels, X + 16 * 6 + 5, Y + 3)
    wrong = BOARD.replace({Cell(0, 6): State.FLAG}).states
    cells = below(pointed, grid, wrong, Cell(0, 6), unique=True)
    assert cells.states[0, 6] == State.UNREADABLE


@pytest.mark.parametrize("light", [-40, 40])
def test_a_cell_that_lights_up_is_not_hidden(light: int) -> None:
    pixels, grid = shown(BOARD.states)
    x, y = X + 16 * 6, Y + 16 * 2
    pixels[y : y + 16, x : x + 16] = (pixels[y : y + 16, x : x + 16].astype(int) + light).clip(0, 255)
    assert below(pixels, grid, BOARD.states, Cell(2, 6)).states[2, 6] == State.UNREADABLE


def test_what_contradicts_its_neighbours_is_not_believed() -> None:
    pixels, grid = shown(BOARD.states)
    states = BOARD.replace({Cell(5, 2): 8}).states  # as if another number stood on what looks like a 1
    tip = X + 16 * 2 + 12, Y + 16 * 5 + 10
    true = below(ARROW.over(pixels, *tip), grid, BOARD.states, Cell(5, 2))
    assert true.states[5, 2] == 1
    around = {Cell(row, col): 0 for row in (4, 5, 6) for col in (1, 2, 3)}
    states = BOARD.replace(around | {Cell(5, 2): 1}).states
    assert below(ARROW.over(pixels, *tip), grid, states, Cell(5, 2)).states[5, 2] == State.UNREADABLE


def test_a_contour_that_its_ground_swallows_may_hide_something() -> None:
    blob = np.zeros((60, 60), np.bool_)
    blob[20:40, 20:40] = True
    on_white, on_grey = (np.full((60, 60, 3), light, np.uint8) for light in (255, 150))
    assert hidden_by(blob, on_white, 20)[30, 42]
    assert not hidden_by(blob, on_grey, 20)[30, 42]
    assert hidden_by(blob, on_grey, 20)[30, 40]
    assert not hidden_by(blob, on_white, 20)[30, 50]


def test_a_known_board_is_read_below_a_pointer() -> None:
    pixels, grid = shown(BOARD.states)
    reading = read_grid(ARROW.over(pixels, X + 16 * 3 + 12, Y + 16 * 5 + 10), grid, SKIN)
    states = reading.board.states
    assert ((states == BOARD.states) | (states == State.UNREADABLE)).all()
    hidden = (reading.confidence < 0.86) & (states != State.UNREADABLE)
    assert hidden.any()
    assert not any(hidden[cell] for cell in reading.doubts)


@pytest.mark.parametrize("part", ["fixtures", "programs", "drawn", "known"])
def test_no_cell_below_a_pointer_is_read_wrong(part: str) -> None:
    boards, read = {
        "fixtures": (screenshots(12, "*-[rwl]*.png", 2), first_sight),
        "programs": (screenshots(8, "programs/*.png", 2), first_sight),
        "drawn": (art(10, 9102), first_sight),
        "known": (classic(12, 2), known),
    }[part]
    counts = measure(part, cases(boards, 2), read, verbose=True)
    assert counts["wrong"] + counts["wrong elsewhere"] == 0
    assert counts["unread"] <= 0.6 * counts["touched"]
