"""The skins of other programs, on our own screenshots of them at several sizes of window."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import State
from bot.vision import load_picture, load_skins, read_picture
from fixture_boards import FIXTURES, fixture_boards
from make_program_templates import ARTS, make_skin

SKINS = {skin.name: skin for skin in load_skins()}
PICTURES = [f"programs/{name}-{source}" for name, art in ARTS.items() for source in art.sources]
MOST_UNREADABLE = 0.01


@pytest.mark.parametrize("name", ARTS)
def test_the_shipped_skins_are_those_that_the_script_makes(name: str) -> None:
    made, shipped = make_skin(name), SKINS[name]
    assert np.array_equal(made.states, shipped.states)
    assert np.array_equal(made.templates, shipped.templates)
    assert (made.cell, made.reach, made.exact) == (shipped.cell, shipped.reach, shipped.exact)


@pytest.mark.parametrize("picture", PICTURES)
def test_no_cell_is_read_wrong_at_any_size(picture: str) -> None:
    (truth,) = fixture_boards(picture)
    (reading,) = read_picture(load_picture(FIXTURES / f"{picture}.png"), [SKINS[truth.skin]])
    assert reading.board.shape == truth.board.shape
    readable = reading.board.states != State.UNREADABLE
    assert np.array_equal(reading.board.states[readable], truth.board.states[readable])
    assert len(reading.unreadable) <= MOST_UNREADABLE * readable.size
