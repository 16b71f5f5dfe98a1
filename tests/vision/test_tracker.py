"""Following a board reads what reading it anew reads, and remembers no cell that something hides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, State
from bot.geometry import Grid, Pixels
from bot.vision import load_skins, read_grid
from bot.vision.track import Tracker
from drawn_boards import draw_board, played
from picture_changes import pointer, stretch, tint

SKINS = {skin.name: skin for skin in load_skins() if skin.name in ("winemine", "winmine")}
SKIN = pytest.mark.parametrize("name", SKINS)
PLACE = Grid(12, 55, 16, 16, 16, 30)


def positions() -> list[tuple[Board, int]]:
    """Return positions of a game that goes on, with what the mine counter shows."""
    found = [(played(16, 30, 3), 40)]
    for number in range(5):
        board, left = found[-1]
        first, second = board.cells(State.COVERED)[:2]
        found.append((board.replace({first: number, second: State.FLAG}), left - 1))
    return found


def shown(name: str, board: Board, mines_left: int | None = None) -> Pixels:
    return draw_board(SKINS[name], board, mines_left)[0]


@SKIN
@pytest.mark.parametrize("scale", [1.0, 1.37])
def test_a_game_is_followed(name: str, scale: float) -> None:
    grid = Grid(12 * scale, 55 * scale, 16 * scale, 16 * scale, 16, 30)
    tracker = Tracker()
    for board, left in (*positions(), *positions()):
        picture = tint(stretch(shown(name, board, left), scale), 0.8, 0.9, 1.0)
        reading, anew = tracker.read(picture, grid, SKINS[name]), read_grid(picture, grid, SKINS[name])
        states = reading.board.states
        unreadable = states == State.UNREADABLE
        assert (states == board.states)[~unreadable].all()
        assert unreadable.mean() <= (0.03 if scale == 1.37 else 0)
        assert reading.mines_left == anew.mines_left
        assert reading.state == anew.state
        assert tracker.read(picture.copy(), grid, SKINS[name]) is reading


def test_changes_are_read_bit_by_bit_as_the_whole_board_is() -> None:
    tracker, skin = Tracker(), SKINS["winemine"]
    for number, (board, left) in enumerate((*positions(), *positions())):
        picture = shown("winemine", board, left)
        for look in (pointer(picture, 70 + 30 * number, 90), picture):
            reading, anew = tracker.read(look, PLACE, skin), read_grid(look, PLACE, skin)
            assert reading.board == anew.board
            assert reading.doubts == anew.doubts
        assert reading.board.states.tolist() == board.states.tolist()


@SKIN
def test_what_something_hides_is_not_remembered(name: str) -> None:
    tracker, board = Tracker(), played(16, 30, 3)
    picture = shown(name, board, 40)
    for place in ((40, 60), (200, 100), (333, 211)):
        for look in (picture, pointer(picture, *place), shown(name, board, 39), shown(name, board)):
            states = tracker.read(look, PLACE, SKINS[name]).board.states
            unreadable = states == State.UNREADABLE
            assert (states[~unreadable] == board.states[~unreadable]).all()
            assert unreadable.sum() <= 6
    assert not unreadable.any()


@SKIN
def test_a_half_painted_board_is_not_remembered(name: str) -> None:
    tracker, (before, after) = Tracker(), (played(16, 30, 3), played(16, 30, 4))
    tracker.read(shown(name, before), PLACE, SKINS[name])
    half = shown(name, before)
    half[55 + 8 * 16 + 7 :] = shown(name, after)[55 + 8 * 16 + 7 :]
    states = tracker.read(half, PLACE, SKINS[name]).board.states
    same = before.states[8] == after.states[8]
    assert (states[:8] == before.states[:8]).all()
    assert (states[9:] == after.states[9:]).all()
    assert (states[8, same] == after.states[8, same]).all()
    assert np.isin(states[8], [*before.states[8], *after.states[8], State.UNREADABLE]).all()


def test_cells_outside_of_the_picture_are_unreadable_until_they_are_in_it() -> None:
    tracker, board = Tracker(), played(16, 30, 3)
    picture = shown("winemine", board)
    for look in (picture[:, :-60], picture, picture[:, :-60]):
        reading = tracker.read(look, PLACE, SKINS["winemine"])
        assert {cell.col for cell in reading.unreadable} == (set() if look is picture else {27, 28, 29})


@SKIN
def test_at_once_is_read_what_is_in_plain_view(name: str) -> None:
    board = played(16, 30, 3)
    number = next(cell for cell, number in board.numbers() if number and cell.row > 2)
    covered = board.replace({number: State.COVERED})
    before, after = shown(name, covered), shown(name, board)
    tracker, line = Tracker(), 55 + 16 * number.row + 8
    assert tracker.read_at_once(before, PLACE, SKINS[name]) is None  # it has never been read
    assert tracker.read(before, PLACE, SKINS[name]).board.lines() == covered.lines()
    half = np.concatenate([after[:line], before[line:]])
    assert tracker.read_at_once(half, PLACE, SKINS[name]) is None
    assert tracker.read_at_once(pointer(before, 200, 100), PLACE, SKINS[name]) is None
    reading = tracker.read_at_once(after, PLACE, SKINS[name])
    assert reading is not None
    assert reading.board.lines() == board.lines()


def test_a_cell_that_was_read_once_is_read_again_when_all_others_change_their_colours() -> None:
    skin, board = SKINS["winemine"], played(16, 30, 3)
    number = next(cell for cell, number in board.numbers() if number and cell.row > 2)
    picture, place = shown("winemine", board), PLACE.cell_rect(number)
    dimmed = tint(picture, 0.4, 0.7, 1.0)
    place.cut(dimmed)[:] = place.cut(picture)
    tracker = Tracker()
    assert tracker.read(picture, PLACE, skin).board[number] == board[number]
    assert read_grid(dimmed, PLACE, skin).board[number] == State.UNREADABLE
    assert tracker.read(dimmed, PLACE, skin).board[number] == board[number]


def test_a_number_that_the_skin_lacks_is_unreadable() -> None:
    full, board = SKINS["winemine"], played(16, 30, 3)
    known = full.states != 3
    lacking = replace(full, templates=full.templates[known], states=full.states[known])
    picture = shown("winemine", board)
    read = read_grid(picture, PLACE, lacking).board
    assert {read[cell] for cell in board.cells(3)} == {State.UNREADABLE}


@SKIN
def test_the_pictures_of_a_skin_need_not_be_seen_before(name: str) -> None:
    before, after = Board.covered(16, 30, 99), played(16, 30, 3)
    tracker = Tracker()
    tracker.read(shown(name, before), PLACE, SKINS[name])
    reading = tracker.read_at_once(shown(name, after), PLACE, SKINS[name])
    assert reading is not None
    assert reading.board.lines() == after.lines()
