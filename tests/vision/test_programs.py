"""The skins of other programs, on our own screenshots of them at several sizes of window."""

from __future__ import annotations

import numpy as np
import pytest

from art.make_program_templates import SOURCES, make_skin
from bot.board import State
from bot.vision import load_picture, load_skins, read_picture
from fixture_boards import FIXTURES, fixture_boards

SKINS = {skin.name: skin for skin in load_skins()}
MOST_UNREADABLE = 0.02  # blank cells of kmines let its background shine through


@pytest.mark.parametrize("name", SOURCES)
def test_the_shipped_skins_are_those_that_the_script_makes(name: str) -> None:
    made, shipped = make_skin(name), SKINS[name]
    assert np.array_equal(made.states, shipped.states)
    assert np.array_equal(made.templates, shipped.templates)


@pytest.mark.parametrize("name", SOURCES)
def test_no_cell_is_read_wrong_at_any_size(name: str) -> None:
    unreadable = cells = 0
    for source in SOURCES[name].names:
        (truth,) = fixture_boards(source)
        pixels = load_picture(FIXTURES / f"{source}.png")
        (reading,) = read_picture(pixels, [SKINS[name]])
        assert reading.board.shape == truth.board.shape, source
        readable = reading.board.states != State.UNREADABLE
        assert np.array_equal(reading.board.states[readable], truth.board.states[readable]), source
        unreadable, cells = unreadable + len(reading.unreadable), cells + readable.size
    assert unreadable <= MOST_UNREADABLE * cells
