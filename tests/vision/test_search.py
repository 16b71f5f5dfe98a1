"""Searching a picture for boards: known art by its skin, other art at first sight."""

from __future__ import annotations

import numpy as np
import pytest

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
    assert reading.panel.mines_left in (None, truth.mines_left)


def test_a_page_is_read_at_first_sight_only_where_that_is_asked_for() -> None:
    picture = fixture("programs/page-light-1-lost")
    assert read_picture(picture, SKINS) == []
    (reading,) = read_picture(picture, SKINS, first_sight=True)
    assert reading.skin == "unknown"
    assert_same_board(reading, fixture_boards("programs/page-light-1-lost")[0])


def test_known_and_unknown_boards_are_read_on_one_desktop() -> None:
    names = ("winemine-beginner-running", "programs/page-dark-125-running")
    readings = read_picture(side_by_side(*map(fixture, names)), SKINS, first_sight=True)
    known, unknown = sorted(readings, key=lambda reading: reading.grid.x)
    assert (known.skin, unknown.skin) == ("winemine", "unknown")
    assert_same_board(known, fixture_boards(names[0])[0])
    assert_same_board(unknown, fixture_boards(names[1])[0])


@pytest.mark.parametrize("name", ["winemine-beginner-running", "winemine-intermediate-running"])
def test_a_skin_that_fits_is_believed_before_shapes_are(name: str) -> None:
    (reading,) = read_picture(fixture(name), SKINS, first_sight=True)
    assert reading.skin == "winemine"
    (at_first_sight,) = read_picture(fixture(name), (), first_sight=True)
    assert at_first_sight.skin == "unknown"
    assert_same_board(at_first_sight, fixture_boards(name)[0])


def test_counters_are_found_where_no_skin_tells_their_place() -> None:
    name = "programs/page-light-1-lost"
    (reading,) = read_picture(fixture(name), (), first_sight=True)
    assert reading.panel.mines_left == fixture_boards(name)[0].mines_left
    assert reading.board.mines == fixture_boards(name)[0].board.mines


def test_plain_ground_is_no_board_at_first_sight_either() -> None:
    assert read_picture(np.full((300, 400, 3), 192, np.uint8), SKINS, first_sight=True) == []
