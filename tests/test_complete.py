"""Readings by a skin that are completed by what is read at first sight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, Cell, State
from bot.geometry import Grid
from bot.vision import load_picture, load_skins, read_picture
from bot.vision.complete import completed
from bot.vision.reading import Doubt, GameState, Panel, Reading
from fixture_boards import FIXTURES, fixture_boards

WHOLE = ["F100", "2210", ".210", "1100"]


def reading(rows: list[str], skin: str, mines_left: int | None = None) -> Reading:
    board = Board.from_rows(rows)
    grid = Grid(5, 5, 20, 20, board.rows, board.cols)
    doubts = dict.fromkeys(board.cells(State.UNREADABLE), Doubt.STRANGE)
    confidence = np.where(board.states == State.UNREADABLE, 0, 1).astype(np.float32)
    return Reading(grid, board, Panel(mines_left), GameState.RUNNING, skin, 1.0, confidence, doubts)


@pytest.mark.parametrize("partial", [True, False])
def test_one_cell_that_the_skin_does_not_know_is_read_at_first_sight(partial: bool) -> None:
    known = reading(["F100", "-210", ".210", "1100"], "skin", mines_left=1)
    both = completed(known, reading(["F100", "2210", "-210", "1100"], "unknown"), partial)
    assert both is not None
    assert both.board.lines() == WHOLE
    assert both.board.mines == 2
    assert (both.skin, both.unreadable, both.doubts) == ("skin", [], {})
    assert both.confidence[1, 0] == 1


def test_what_neither_can_read_stays_in_doubt() -> None:
    known = reading(["F100", "--10", ".210", "1100"], "skin")
    both = completed(known, reading(["F100", "-210", ".210", "1100"], "unknown"), partial=True)
    assert both is not None
    assert both.doubts == {Cell(1, 0): Doubt.STRANGE}
    assert both.board.mines is None


@pytest.mark.parametrize(("partial", "skin"), [(True, "skin"), (False, "unknown")])
def test_a_skin_that_misses_many_cells_is_of_other_art_unless_it_lacks_states(
    partial: bool, skin: str
) -> None:
    both = completed(reading(["F100", "--10", ".-10", "1100"], "skin"), reading(WHOLE, "unknown"), partial)
    assert both is not None
    assert (both.skin, both.board.lines()) == (skin, WHOLE)


def test_readings_that_contradict_each_other_or_lie_elsewhere_are_not_joined() -> None:
    known, sight = reading(["F100", "-210", ".210", "1100"], "skin"), reading(WHOLE, "unknown")
    assert completed(known, reading(["F100", "2310", ".210", "1100"], "unknown"), True) is None
    assert completed(known, replace(sight, grid=sight.grid.moved(20, 0)), True) is None


@pytest.mark.parametrize(("row", "joined"), [("221", True), ("231", False)])
def test_a_part_of_a_board_gives_way_to_the_whole_if_it_shows_the_same(row: str, joined: bool) -> None:
    known = reading([row, ".2-"], "skin")
    known = replace(known, grid=replace(known.grid.moved(1, 20), pitch_x=21))
    whole = reading(WHOLE, "unknown")
    assert (completed(known, whole, True) is whole) == joined
    doubtful = reading(["F10-", *WHOLE[1:]], "unknown")
    assert completed(known, doubtful, True) is None


def test_a_skin_that_lacks_states_is_completed_on_a_picture() -> None:
    name = "winemine-intermediate-running"
    (truth,) = fixture_boards(name)
    skin = next(skin for skin in load_skins() if skin.name == "winemine")
    kept = skin.states != 3
    lacking = replace(skin, states=skin.states[kept], templates=skin.templates[kept])
    pixels = load_picture(FIXTURES / f"{name}.png")
    (alone,) = read_picture(pixels, [lacking])
    assert set(alone.unreadable) == set(truth.board.cells(3))
    (both,) = read_picture(pixels, [lacking], first_sight=True)
    assert (both.skin, both.board) == ("winemine", truth.board)
