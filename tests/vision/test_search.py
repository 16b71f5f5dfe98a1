"""Searching a picture for boards: known art by its skin, other art at first sight."""

from __future__ import annotations

import numpy as np

from bot.geometry import Pixels
from bot.vision import Reading, load_picture, load_skins, read_picture
from fixture_boards import FIXTURES, Truth, fixture_boards
from picture_changes import mistakes

SKINS = load_skins()
MARGIN = 24


def fixture(name: str) -> Pixels:
    return load_picture(FIXTURES / f"{name}.png")


def side_by_side(*pictures: Pixels) -> Pixels:
    """Return the pictures on one desktop."""
    height = max(picture.shape[0] for picture in pictures) + 2 * MARGIN
    width = sum(picture.shape[1] + MARGIN for picture in pictures) + MARGIN
    desktop = np.full((height, width, 3), (120, 90, 40), np.uint8)
    x = MARGIN
    for picture in pictures:
        desktop[MARGIN : MARGIN + picture.shape[0], x : x + picture.shape[1]] = picture
        x += picture.shape[1] + MARGIN
    return desktop


def assert_same_board(reading: Reading, truth: Truth) -> None:
    """Assert that no cell was read wrong, and that the counter was not either."""
    assert reading.board.shape == truth.board.shape
    assert mistakes(reading.board.lines(), truth.board.lines())[0] == 0
    assert reading.mines_left in (None, truth.mines_left)


def test_a_page_and_its_counter_are_read_at_first_sight_only_where_that_is_asked_for() -> None:
    name = "programs/page-light-1-lost"
    (truth,) = fixture_boards(name)
    assert read_picture(fixture(name), SKINS) == []
    (reading,) = read_picture(fixture(name), SKINS, first_sight=True)
    assert reading.skin == "unknown"
    assert_same_board(reading, truth)
    assert (reading.mines_left, reading.board.mines) == (truth.mines_left, truth.board.mines)


def test_known_and_unknown_boards_are_read_on_one_desktop() -> None:
    names = ("winemine-beginner-running", "programs/page-dark-125-running")
    readings = read_picture(side_by_side(*map(fixture, names)), SKINS, first_sight=True)
    known, unknown = sorted(readings, key=lambda reading: reading.grid.x)
    assert (known.skin, unknown.skin) == ("winemine", "unknown")
    assert_same_board(known, fixture_boards(names[0])[0])
    assert_same_board(unknown, fixture_boards(names[1])[0])
